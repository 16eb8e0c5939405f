throw new Error(
  'hardhat-dualstack is for Hardhat 3, whose configuration is an ES module: write import dualstack from "hardhat-dualstack". On Hardhat 2 write require("hardhat-dualstack/hardhat2").',
);
