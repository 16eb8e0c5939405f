import { LOCALNET } from "../../chain/facts.js";
import type { DualstackConfig } from "../../config/resolve.js";

/** Simulated networks on which the precompiles are there unless the user says otherwise. */
const EMULATED = new Set<string>([LOCALNET.name, "default", "node"]);

/** Whether a simulated network that forks nothing has the precompiles. */
export const isEmulated = (
  { localnet }: DualstackConfig,
  name: string,
): boolean => localnet?.networks?.[name] ?? EMULATED.has(name);
