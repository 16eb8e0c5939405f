import { lazyObject } from "hardhat/plugins";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { makePatient } from "./config.js";
import { forkBehindGateway } from "./fork-gateway.js";
import { adoptProviders } from "./other-providers.js";
import { verifyByExplorers } from "./verify.js";

/** Adds `precompiles` and `dualstack`, made when they are first used. */
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
  // Hardhat 2 extends its environment synchronously, and most runs need none of it.
  return require("./extensions.js") as typeof import("./extensions.js");
}
