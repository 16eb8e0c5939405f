// Installs the modules, once for each network, before the first request that
// meets one of them.

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

/** The installed state by account, as state overrides of a call. */
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

/**
 * Placeholders for the genesis time in remembered storage: five bytes that
 * occur in no other word.
 */
const SENTINELS = [0x5ca1ab1e0dn, 0x5ca1ab1efdn] as const;

/**
 * Genesis states by everything that they depend on. A process rarely has more
 * than one configuration.
 */
const remembered = new Map<string, StateChanges>();
const REMEMBERED_LIMIT = 16;

/**
 * Installs the modules' codes and funds the reserve.
 *
 * @throws DualstackError when one of the addresses holds another code
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
 * Installs the modules' codes, balances and storage, without a block, a
 * transaction or a nonce.
 *
 * @returns the installed state, as state overrides for calls at earlier blocks
 * @throws DualstackError when one of the addresses holds another code
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
  // On a fork of another chain these accounts have balances without meaning
  // here.
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

/**
 * Validators per call: more of them may exceed the gas that a node allows for
 * one.
 */
const AT_ONCE = 10;

/**
 * Computes the genesis state; `there` is the part that the node has already.
 */
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
  // Without geth's tracers this check takes too long.
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

/** Returns the part of a state that is not in `there`. */
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

/** Replaces the placeholder in a state with the genesis time. */
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

// Both runs may differ in their placeholder only: where the time went into a
// hash or a sum, it cannot be replaced afterwards.
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
