import { HARDHAT_2 } from "../helpers/majors.js";
import { testAwaited } from "../sending/awaited.js";

testAwaited(HARDHAT_2);
