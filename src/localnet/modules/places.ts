// Whenever a word of the modules' storage is read or written: where it stands.

import { once } from "../../support/once.js";

/**
 * The compiled contracts' own places. Imported once, and not each time: under a
 * loader of TypeScript, as Hardhat has one, every import asks another thread.
 */
export const places = once(
  async () => await import("../generated/emulator.js"),
);
