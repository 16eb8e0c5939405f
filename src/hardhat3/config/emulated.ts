import { LOCALNET } from "../../chain/facts.js";
import type { DualstackConfig } from "../../config/resolve.js";

/** Simulated networks that have the precompiles unless the configuration switches them off. */
const EMULATED = new Set<string>([LOCALNET.name, "default", "node"]);

/** Whether a simulated network without a fork has the precompiles. */
export const isEmulated = (
  { localnet }: DualstackConfig,
  name: string,
): boolean => localnet?.networks?.[name] ?? EMULATED.has(name);
