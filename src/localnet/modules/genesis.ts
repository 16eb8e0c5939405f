// Once for a network, before the first request that meets a module: puts the
// modules where they belong.

import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { RESERVE, RESERVE_FUNDS } from "./accounts.js";
import type { Emulator } from "./emulator.js";
import type { StateChanges } from "../request/calls.js";
import type { Head, LocalNode } from "../node/node.js";
import type { LocalnetSettings } from "../settings/settings.js";
import type { Supply } from "./supply.js";
import type { SystemCalls } from "./system.js";

export type GenesisOverrides = Readonly<
  Record<
    string,
    {
      readonly code: string;
      readonly balance: string;
      readonly stateDiff: Readonly<Record<string, string>>;
    }
  >
>;

/** Stands for the time of genesis in remembered storage, in 40 bits; no other word holds these five bytes. */
const SENTINELS = [0x5ca1ab1e0dn, 0x5ca1ab1efdn] as const;

/** Storage of a configuration, by everything that it depends on. One process rarely has more than one. */
const remembered = new Map<string, StateChanges>();
const REMEMBERED_LIMIT = 16;

/**
 * Puts the codes of the modules where nothing is yet, and funds the reserve.
 *
 * @throws DualstackError where another code stands at one of the addresses
 */
export async function installCodes(
  node: LocalNode,
  emulator: Emulator,
): Promise<void> {
  await Promise.all(
    [...emulator.codes.keys()].map(async (address) => {
      const there = await node.code(address);
      if (there !== "0x" && !emulator.isAt(address, there)) {
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
    node.setBalance(RESERVE, RESERVE_FUNDS),
  ]);
}

/**
 * Puts codes, balances and storage of the modules where nothing is yet. It
 * mines no block, uses no nonce and sends no transaction.
 *
 * @returns all of it, as state overrides of calls at blocks before
 * @throws DualstackError where another code stands at one of the addresses
 */
export async function installGenesis(
  node: LocalNode,
  emulator: Emulator,
  system: SystemCalls,
  settings: LocalnetSettings,
  supply: Supply,
  genesis: Head,
): Promise<GenesisOverrides> {
  await installCodes(node, emulator);
  // A fork of another chain brings balances along that mean nothing here.
  await Promise.all(
    Object.values(MODULE_ACCOUNTS).map((account) =>
      node.setBalance(account, 0n),
    ),
  );
  const { state: remembering, there } = await genesisState(
    node,
    system,
    { ...settings, supply: await supply.before(genesis.number) },
    genesis.number,
  );
  const state = at(genesis.timestamp, remembering);
  await node.apply(without(state, there));
  const balances = new Map([[RESERVE, RESERVE_FUNDS], ...state.balances]);
  return Object.fromEntries(
    [...emulator.codes].map(([account, code]) => [
      account,
      {
        code,
        balance: toQuantity(balances.get(account) ?? 0n),
        stateDiff: Object.fromEntries(state.storage.get(account) ?? []),
      },
    ]),
  );
}

/** Validators that are made at once: more may need more gas than a node allows for one call. */
const AT_ONCE = 10;

/** `there`: what of it the node has already. */
async function genesisState(
  node: LocalNode,
  system: SystemCalls,
  settings: LocalnetSettings & { readonly supply: bigint },
  height: bigint,
): Promise<{ readonly state: StateChanges; readonly there: StateChanges }> {
  const key = JSON.stringify([settings, height], (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  const known = remembered.get(key);
  if (known !== undefined) return { state: known, there: NOTHING };
  const [time, otherTime] = SENTINELS;
  const first = {
    ...settings,
    validators: settings.validators.slice(0, AT_ONCE),
  };
  let state = await system.changes("configure", [first, height, time]);
  // A node without geth's tracers takes long for this.
  if (node.tracesQuickly) {
    assertSame(
      at(otherTime, state),
      await system.changes("configure", [first, height, otherTime]),
    );
  }
  let there = NOTHING;
  let step = state;
  for (let from = AT_ONCE; from < settings.validators.length; from += AT_ONCE) {
    await node.apply(step);
    there = state;
    const next = settings.validators.slice(from, from + AT_ONCE);
    step = await system.changes("addValidators", [next, height, time]);
    state = merge(state, step);
  }
  if (remembered.size >= REMEMBERED_LIMIT) remembered.clear();
  remembered.set(key, state);
  return { state, there };
}

const NOTHING: StateChanges = {
  storage: new Map(),
  balances: new Map(),
  before: new Map(),
  balancesBefore: new Map(),
};

/** What of a state is not there yet. */
function without(
  { storage, balances }: StateChanges,
  there: StateChanges,
): Pick<StateChanges, "storage" | "balances"> {
  const missing = <T>(
    all: ReadonlyMap<string, T>,
    has?: ReadonlyMap<string, T>,
  ) => new Map([...all].filter(([key, value]) => has?.get(key) !== value));
  return {
    storage: new Map(
      [...storage].map(([account, words]) => [
        account,
        missing(words, there.storage.get(account)),
      ]),
    ),
    balances: missing(balances, there.balances),
  };
}

function merge(first: StateChanges, second: StateChanges): StateChanges {
  const storage = new Map(
    [...first.storage].map(([account, words]) => [account, new Map(words)]),
  );
  for (const [account, words] of second.storage) {
    storage.set(account, new Map([...(storage.get(account) ?? []), ...words]));
  }
  return {
    ...first,
    storage,
    balances: new Map([...first.balances, ...second.balances]),
  };
}

/** The state with its real time. */
function at(time: bigint, state: StateChanges): StateChanges {
  const sentinel = SENTINELS[0].toString(16).padStart(10, "0");
  const real = time.toString(16).padStart(10, "0");
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
