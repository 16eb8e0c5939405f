import { testContractRewards } from "../gas/suite.js";
import { HARDHAT_3 } from "../helpers/majors.js";

testContractRewards(HARDHAT_3);
