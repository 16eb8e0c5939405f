import { HARDHAT_2 } from "../helpers/majors.js";
import { recordedStacks, testTwoStacks } from "../sending/two-stacks.js";

testTwoStacks(HARDHAT_2, recordedStacks);
