import { createRequire } from "node:module";

import { defineConfig } from "hardhat/config";

import dualstack from "../../../src/index.js";

const require = createRequire(import.meta.url);

export default defineConfig({
  plugins: [dualstack],
  solidity: { version: "0.8.30", path: require.resolve("solc/soljson.js") },
});
