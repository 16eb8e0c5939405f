import { DualstackError } from "../support/errors.js";
import { MODULE_ACCOUNTS } from "../precompiles/addresses.js";
import { RESERVE, RESERVE_FUNDS } from "./accounts.js";
import type { Emulator } from "./emulator.js";
import type { Head, LocalNode, StateChanges } from "./node.js";
import type { LocalnetSettings } from "./settings.js";
import type { SystemCalls } from "./system.js";

/** Stands for the time of genesis in remembered storage; no other word holds these eight bytes. */
const SENTINELS = [0x5ca1ab1e0ddba11n, 0x5ca1ab1e0ddfeedn] as const;

/** Storage of a configuration, by everything that it depends on. One process rarely has more than one. */
const remembered = new Map<string, StateChanges>();
const REMEMBERED_LIMIT = 16;

/**
 * Puts codes, balances and storage of the modules where nothing is yet. It
 * mines no block, uses no nonce and sends no transaction.
 *
 * @throws DualstackError where another code stands at one of the addresses
 */
export async function installGenesis(
  node: LocalNode,
  emulator: Emulator,
  system: SystemCalls,
  settings: LocalnetSettings,
  genesis: Head,
): Promise<void> {
  await Promise.all(
    [...emulator.codes].map(async ([address, code]) => {
      const there = await node.code(address);
      if (there !== "0x" && there !== code) {
        throw new DualstackError(
          "the local precompiles cannot be installed: another contract's code is at the address",
          {
            address,
            fix: "Remove what set that code, choose other addresses in dualstack.precompiles, or turn the emulation off with dualstack.localnet.networks.",
          },
        );
      }
    }),
  );
  await Promise.all([
    ...[...emulator.codes].map(([address, code]) =>
      node.setCode(address, code),
    ),
    // A fork brings balances along that belong to the real chain's state.
    ...Object.values(MODULE_ACCOUNTS).map((account) =>
      node.setBalance(account, 0n),
    ),
    node.setBalance(RESERVE, RESERVE_FUNDS),
  ]);
  await node.apply(
    at(genesis.timestamp, await genesisState(system, settings, genesis.number)),
  );
}

async function genesisState(
  system: SystemCalls,
  settings: LocalnetSettings,
  height: bigint,
): Promise<StateChanges> {
  const key = JSON.stringify([settings, height], (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  let state = remembered.get(key);
  if (state === undefined) {
    state = await system.changes("configure", [
      configTuple(settings),
      height,
      SENTINELS[0],
    ]);
    const other = await system.changes("configure", [
      configTuple(settings),
      height,
      SENTINELS[1],
    ]);
    assertSame(at(SENTINELS[1], state), other);
    if (remembered.size >= REMEMBERED_LIMIT) remembered.clear();
    remembered.set(key, state);
  }
  return state;
}

/** The state with its real time. */
function at(time: bigint, state: StateChanges): StateChanges {
  const sentinel = SENTINELS[0].toString(16).padStart(16, "0");
  const real = time.toString(16).padStart(16, "0");
  const storage = new Map(
    [...state.storage].map(([account, words]) => [
      account,
      new Map(
        [...words].map(([slot, word]) => [
          slot,
          word.replaceAll(sentinel, real),
        ]),
      ),
    ]),
  );
  return { ...state, storage };
}

// Both runs must differ by the time only, else the time went into something that cannot be written over.
function assertSame(mine: StateChanges, other: StateChanges): void {
  const text = ({ storage }: StateChanges) =>
    JSON.stringify(
      [...storage]
        .map(([account, words]) => [account, [...words].sort()])
        .sort(),
    );
  if (text(mine) !== text(other)) {
    throw new DualstackError(
      "the genesis of the local chain depends on its time in a way that cannot be remembered",
    );
  }
}

/** The settings as the `Config` of ISystem.sol. */
export const configTuple = (settings: LocalnetSettings) => ({
  ...settings,
  validators: settings.validators,
});
