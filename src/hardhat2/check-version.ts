const { version } = require("hardhat/package.json") as { version: string };

// Before anything of Hardhat is loaded: another major would fail with words of its own.
if (!version.startsWith("2.")) {
  throw new Error(
    `hardhat-dualstack/hardhat2 is for Hardhat 2, and this is Hardhat ${version}: write import dualstack from "hardhat-dualstack" and plugins: [dualstack].`,
  );
}

export {};
