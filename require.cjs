throw new Error(
  'hardhat-dualstack needs Hardhat 3, whose configuration is an ES module: write import dualstack from "hardhat-dualstack".',
);
