import { HARDHAT_2 } from "../helpers/majors.js";
import { testTwoStacks } from "../sending/two-stacks.js";

testTwoStacks(HARDHAT_2);
