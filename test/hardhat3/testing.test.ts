import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import plugin from "../../src/index.js";
import { HARDHAT_3 } from "../helpers/majors.js";
import { testTesting } from "../testing/suite.js";

testTesting(HARDHAT_3, async () => {
  const hre = await createHardhatRuntimeEnvironment({
    plugins: [plugin, hardhatEthers],
  });
  return await hre.network.create("localnet");
});
