import { loadHardhat2 } from "../helpers/hardhat2.js";
import { HARDHAT_2 } from "../helpers/majors.js";
import { testTesting } from "../testing/suite.js";

testTesting(HARDHAT_2, async () => {
  const { ethers, ignition, network, precompiles, dualstack } =
    await loadHardhat2();
  return {
    ethers,
    ignition,
    precompiles,
    dualstack,
    provider: network.provider,
    close: async () => undefined,
  };
});
