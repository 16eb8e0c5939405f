import path from "node:path";
import { fileURLToPath } from "node:url";

import { describeConformance } from "./suite.js";

describeConformance({
  by: "Hardhat 3",
  project: fileURLToPath(
    new URL("../../fixtures/conformance/", import.meta.url),
  ),
  cli: [
    path.join(
      fileURLToPath(import.meta.resolve("hardhat/package.json")),
      "../dist/src/cli.js",
    ),
  ],
});
