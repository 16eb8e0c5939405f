import { HARDHAT_3 } from "../helpers/majors.js";
import { localStacks, testTwoStacks } from "../sending/two-stacks.js";

testTwoStacks(HARDHAT_3, localStacks);
