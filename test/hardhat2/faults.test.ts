import { testFaults } from "../faults/suite.js";
import { HARDHAT_2 } from "../helpers/majors.js";

// Hardhat 2 looks at no status but 429, and says nothing of how long to wait;
// so a refusal by a status is told, but counts as a lost answer.
testFaults(HARDHAT_2, {
  rateLimit: /accepts no more requests for now \(HTTP 429\)/,
  refusesByStatus: false,
});
