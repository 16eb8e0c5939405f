import { testFaults } from "../faults/suite.js";
import { HARDHAT_2 } from "../helpers/majors.js";

// Hardhat 2 looks at no status but 429, and does not say how long to wait. So a
// refusal by status is reported, but counts as a lost answer.
testFaults(HARDHAT_2, {
  rateLimit: /accepts no more requests for now \(HTTP 429\)/,
  refusesByStatus: false,
});
