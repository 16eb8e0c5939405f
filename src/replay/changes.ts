import type { Abi } from "abitype";

import { parseAddress } from "../address/codec.js";
import type { NetworkDescription } from "../config/network-description.js";
import { type AbiCodec, abiCodec } from "../framework/abi.js";
import { PRECOMPILES } from "../precompiles/catalog.js";
import { isRecord } from "../rpc/quantities.js";
import type { Call } from "./tree.js";

/** An amount before and after, in base units. */
export interface Amounts {
  readonly before: bigint;
  readonly after: bigint;
}

/** A change of what a delegator has with a validator. */
export interface StakeChange extends Amounts {
  readonly delegator: string;
  /** Operator address in hex, in lower case. */
  readonly validator: string;
}

/** A change of a vote. */
export interface VoteChange {
  readonly proposal: bigint;
  readonly voter: string;
  /**
   * Options with their weights, such as `yes 1.000000000000000000`; empty for
   * no vote.
   */
  readonly before: string;
  readonly after: string;
}

/** What a transaction changed of the accounts that it involves. */
export interface Changes {
  readonly balances: readonly (Amounts & { readonly account: string })[];
  readonly delegations: readonly StakeChange[];
  readonly unbonding: readonly StakeChange[];
  /** Rewards not withdrawn yet, in whole base units. */
  readonly rewards: readonly StakeChange[];
  readonly votes: readonly VoteChange[];
}

/** Makes a JSON-RPC request of a simulated network. */
type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

/**
 * Most accounts, pairs or votes that are compared. A transaction that involves
 * more is better understood from its calls.
 */
const MOST = 100;

/** The part of the state that a transaction involves. */
export interface Met {
  readonly accounts: ReadonlySet<string>;
  /** Delegator and operator, as `delegator validator`. */
  readonly pairs: ReadonlySet<string>;
  /** Proposal ID and voter, as `proposal voter`. */
  readonly votes: ReadonlySet<string>;
}

/**
 * Returns the key of a balance in {@link Held}.
 *
 * @param account in lower case
 */
export const balanceKey = (account: string) => `balances ${account}`;

/** Values of the state that a transaction involves, by key. */
export type Held = ReadonlyMap<string, bigint | string>;

const MODULES = ["staking", "distribution", "governance"] as const;

type Module = (typeof MODULES)[number];

/** Finds which state a transaction involves, and reads it before and after. */
export class StateReader {
  readonly #network: NetworkDescription;
  readonly #codecs: ReadonlyMap<Module, AbiCodec<Abi>>;

  private constructor(
    network: NetworkDescription,
    codecs: ReadonlyMap<Module, AbiCodec<Abi>>,
  ) {
    this.#network = network;
    this.#codecs = codecs;
  }

  static async create(network: NetworkDescription): Promise<StateReader> {
    const codecs = MODULES.map(
      async (module) =>
        [module, await abiCodec<Abi>(PRECOMPILES[module].abi)] as const,
    );
    return new StateReader(network, new Map(await Promise.all(codecs)));
  }

  /**
   * Finds the accounts, delegations and votes that a transaction's calls name.
   *
   * @param all every account that took part, except the emulation's own
   */
  async met(root: Call, all: Iterable<string>, ask: Ask): Promise<Met> {
    const pairs = new Set<string>();
    const votes = new Set<string>();
    const claiming = new Set<string>();
    const visit = (call: Call) => {
      const args = this.#argumentsOf(call);
      if (args !== undefined) {
        const text = (name: string) =>
          typeof args[name] === "string" ? args[name].toLowerCase() : "";
        const delegator = text("delegatorAddress");
        for (const name of [
          "validatorAddress",
          "validatorSrcAddress",
          "validatorDstAddress",
        ]) {
          const operator = this.#operator(args[name]);
          if (delegator !== "" && operator !== undefined)
            pairs.add(`${delegator} ${operator}`);
        }
        if (delegator !== "" && "maxRetrieve" in args) claiming.add(delegator);
        if (text("voter") !== "" && typeof args.proposalId === "bigint")
          votes.add(`${args.proposalId} ${text("voter")}`);
      }
      call.calls.forEach(visit);
    };
    visit(root);
    for (const delegator of claiming) {
      const found = await this.#view(
        ask,
        "distribution",
        "delegatorValidators",
        [delegator],
      );
      for (const text of listOf(found?.validators)) {
        const operator = this.#operator(text);
        if (operator !== undefined) pairs.add(`${delegator} ${operator}`);
      }
    }
    const first = (set: Iterable<string>) => new Set([...set].slice(0, MOST));
    return {
      accounts: first(all),
      pairs: first(pairs),
      votes: first(votes),
    };
  }

  /** Reads the newest values of the state that a transaction involves. */
  async read({ accounts, pairs, votes }: Met, ask: Ask): Promise<Held> {
    const reading: Promise<readonly [string, bigint | string]>[] = [];
    const note = (key: string, value: Promise<bigint | string>) => {
      reading.push(value.then((one) => [key, one] as const));
    };
    for (const account of accounts) {
      note(
        balanceKey(account),
        ask("eth_getBalance", account, "latest").then((one) =>
          BigInt(String(one)),
        ),
      );
    }
    for (const pair of pairs) {
      const [delegator = "", operator = ""] = pair.split(" ");
      const { valoper } = parseAddress(operator, {
        prefix: this.#network.facts.bech32Prefix,
      });
      const args = [delegator, valoper];
      const view = async (
        module: "staking" | "distribution",
        method: string,
        amount: (results: Readonly<Record<string, unknown>>) => bigint,
      ) => {
        const results = await this.#view(ask, module, method, args);
        return results === undefined ? 0n : amount(results);
      };
      note(
        `delegations ${pair}`,
        view("staking", "delegation", ({ balance }) => amountOf(balance)),
      );
      note(
        `unbonding ${pair}`,
        view("staking", "unbondingDelegation", ({ unbondingDelegation }) =>
          sumOf(fieldsOf(unbondingDelegation).entries, "balance"),
        ),
      );
      note(
        `rewards ${pair}`,
        view("distribution", "delegationRewards", ({ rewards }) =>
          sumOf(rewards, "amount"),
        ),
      );
    }
    for (const vote of votes) {
      const [proposal = "0", voter = ""] = vote.split(" ");
      note(
        `votes ${vote}`,
        this.#view(ask, "governance", "getVote", [
          BigInt(proposal),
          voter,
        ]).then((results) => optionsText(fieldsOf(results?.vote).options)),
      );
    }
    return new Map(await Promise.all(reading));
  }

  #operator(text: unknown): string | undefined {
    if (typeof text !== "string") return undefined;
    try {
      const { bech32Prefix: prefix } = this.#network.facts;
      return parseAddress(text, { prefix }).hex.toLowerCase();
    } catch {
      return undefined;
    }
  }

  #argumentsOf({
    to,
    input,
  }: Call): Readonly<Record<string, unknown>> | undefined {
    const { precompiles } = this.#network;
    for (const [module, codec] of this.#codecs) {
      if (precompiles[module].toLowerCase() === to)
        return codec.decodeCall(input)?.args;
    }
    return undefined;
  }

  /** Calls a view; `undefined` when it reverts, as for what does not exist. */
  async #view(
    ask: Ask,
    module: Module,
    method: string,
    args: readonly unknown[],
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const codec = this.#codecs.get(module);
    const to = this.#network.precompiles[module];
    try {
      const data = codec?.encodeCall(method as never, args as never);
      const answer = await ask("eth_call", { to, data }, "latest");
      return codec?.decodeResults(method, String(answer));
    } catch {
      return undefined;
    }
  }
}

/** Returns the values that differ before and after. */
export function changesBetween(before: Held, after: Held): Changes {
  const changed = [...after].filter(
    ([key, value]) => before.get(key) !== value,
  );
  const of = (kind: string) =>
    changed.flatMap(([key, value]) => {
      const [name = "", first = "", second = ""] = key.split(" ");
      return name === kind
        ? [{ first, second, was: before.get(key), is: value }]
        : [];
    });
  const amounts = ({ was, is }: { was: unknown; is: unknown }) => ({
    before: typeof was === "bigint" ? was : 0n,
    after: typeof is === "bigint" ? is : 0n,
  });
  const stakes = (kind: string): StakeChange[] =>
    of(kind).map((one) => ({
      delegator: one.first,
      validator: one.second,
      ...amounts(one),
    }));
  return {
    balances: of("balances").map((one) => ({
      account: one.first,
      ...amounts(one),
    })),
    delegations: stakes("delegations"),
    unbonding: stakes("unbonding"),
    rewards: stakes("rewards"),
    votes: of("votes").map(({ first, second, was, is }) => ({
      proposal: BigInt(first),
      voter: second,
      before: String(was ?? ""),
      after: String(is),
    })),
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {};

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : [];

const amountOf = (coin: unknown): bigint => {
  const { amount } = fieldsOf(coin);
  return typeof amount === "bigint" ? amount : 0n;
};

const sumOf = (list: unknown, name: string): bigint =>
  listOf(list).reduce<bigint>((sum, one) => {
    const value = fieldsOf(one)[name];
    return typeof value === "bigint" ? sum + value : sum;
  }, 0n);

const OPTIONS = ["unspecified", "yes", "abstain", "no", "veto"];

const optionsText = (options: unknown): string =>
  listOf(options)
    .map(fieldsOf)
    .map(
      ({ option, weight }) =>
        `${OPTIONS[Number(option)] ?? String(option)} ${String(weight)}`,
    )
    .join(", ");
