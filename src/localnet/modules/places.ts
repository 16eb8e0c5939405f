// Storage slots of the modules, for those that read or write a word directly.

import { once } from "../../support/once.js";

/**
 * Loads the storage slots of the compiled contracts. Imported only once: under
 * a TypeScript loader such as Hardhat's, every dynamic import asks another
 * thread.
 */
export const places = once(
  async () => await import("../generated/emulator.js"),
);
