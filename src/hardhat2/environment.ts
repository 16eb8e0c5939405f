import { lazyObject } from "hardhat/plugins";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { makePatient } from "./config.js";
import { forkBehindGateway } from "./fork-gateway.js";
import { adoptProviders } from "./other-providers.js";
import { verifyByExplorers } from "./verify.js";

/** Adds `precompiles` and `dualstack`, which are created on first use. */
export function addExtensions(hre: HardhatRuntimeEnvironment): void {
  makePatient(hre.config);
  verifyByExplorers(hre);
  forkBehindGateway(hre);
  adoptProviders(hre);
  Object.assign(hre, {
    precompiles: lazyObject(() => extensions().createPrecompiles(hre)),
    dualstack: lazyObject(() => extensions().createExtension(hre)),
  });
}

function extensions() {
  // Hardhat 2 extends its environment synchronously, and most runs use neither.
  return require("./extensions.js") as typeof import("./extensions.js");
}
