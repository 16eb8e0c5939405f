import { HARDHAT_2 } from "../helpers/majors.js";
import { testSending } from "../sending/suite.js";

testSending(HARDHAT_2);
