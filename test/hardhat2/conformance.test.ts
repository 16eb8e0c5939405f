import path from "node:path";

import { describeConformance } from "../conformance/suite.js";
import { TOOLBOX } from "../helpers/hardhat2.js";

describeConformance({
  by: "Hardhat 2",
  project: TOOLBOX,
  cli: [
    path.join(TOOLBOX, "node_modules/hardhat/internal/cli/cli.js"),
    "--config",
    "conformance.config.cjs",
  ],
});
