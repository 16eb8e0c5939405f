import { Interface, type InterfaceAbi } from "ethers";

import type { PrecompileName } from "../addresses.js";
import { PRECOMPILES } from "../catalog.js";

const FIRST = {
  key: "0x",
  offset: 0,
  limit: 1,
  countTotal: false,
  reverse: false,
};

/** A cheap call for each precompile that answers with data wherever it lives. */
const PROBES: {
  readonly [name in PrecompileName]: {
    readonly method: string;
    readonly values: readonly unknown[];
  };
} = {
  staking: { method: "validators", values: ["", FIRST] },
  distribution: { method: "communityPool", values: [] },
  governance: { method: "getParams", values: [] },
  bech32: {
    method: "hexToBech32",
    values: ["0x0000000000000000000000000000000000000001", "a"],
  },
};

/** Calldata of a call that tells whether a precompile lives at its address. */
export function probeOf(name: PrecompileName): string {
  const { method, values } = PROBES[name];
  const abi = PRECOMPILES[name].abi as unknown as InterfaceAbi;
  return new Interface(abi).encodeFunctionData(method, values);
}
