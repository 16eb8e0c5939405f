import { testFaults } from "../faults/suite.js";
import { HARDHAT_2 } from "../helpers/majors.js";

// Hardhat 2 looks at no status but 429, and says nothing of how long to wait.
testFaults(HARDHAT_2, {
  status: () => /answered with something that is not JSON-RPC/,
  rateLimit: /takes no more requests for now \(HTTP 429\)/,
  refusesByStatus: false,
});
