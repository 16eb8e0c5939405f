import { HARDHAT_3 } from "../helpers/majors.js";
import { testRandomSending } from "../sending/random.js";

testRandomSending(HARDHAT_3);
