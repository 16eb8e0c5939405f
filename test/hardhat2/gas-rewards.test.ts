import { testContractRewards } from "../gas/suite.js";
import { HARDHAT_2 } from "../helpers/majors.js";

testContractRewards(HARDHAT_2);
