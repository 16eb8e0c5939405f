import { HARDHAT_2 } from "../helpers/majors.js";
import { testRandomSending } from "../sending/random.js";

testRandomSending(HARDHAT_2, 3);
