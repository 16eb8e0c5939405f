import { Interface, type InterfaceAbi } from "ethers";

import { DEFINITIONS, type PrecompileName } from "../addresses.js";

/** Calldata of a call that tells whether a precompile is active at its address. */
export function probeOf(name: PrecompileName): string {
  const { abi, probe } = DEFINITIONS[name];
  return new Interface(abi as unknown as InterfaceAbi).encodeFunctionData(
    probe.method,
    probe.values,
  );
}
