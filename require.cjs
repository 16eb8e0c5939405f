const text =
  'hardhat-dualstack is for Hardhat 3, whose configuration is an ES module: write import dualstack from "hardhat-dualstack". On Hardhat 2 write require("hardhat-dualstack/hardhat2").';

/** Hardhat prints its own errors on one line, and others with a stack. */
function errorOf() {
  try {
    const { HardhatPluginError } = require("hardhat/plugins");
    return new HardhatPluginError("hardhat-dualstack", text);
  } catch {
    return new Error(text);
  }
}

throw errorOf();
