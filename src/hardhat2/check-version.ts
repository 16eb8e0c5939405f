import { PLUGIN_ID } from "../support/plugin-id.js";

const { version } = require("hardhat/package.json") as { version: string };

// Checked before any other part of Hardhat is loaded, since another major would
// fail with a confusing error.
if (!version.startsWith("2.")) {
  const { HardhatPluginError } =
    require("hardhat/plugins") as typeof import("hardhat/plugins");
  throw new HardhatPluginError(
    PLUGIN_ID,
    `hardhat-dualstack/hardhat2 is for Hardhat 2, and this is Hardhat ${version}: write import dualstack from "hardhat-dualstack" and plugins: [dualstack].`,
  );
}

export {};
