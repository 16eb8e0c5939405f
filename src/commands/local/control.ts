import { rpcErrorOf } from "../../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../../rpc/quantities.js";
import { parseDuration } from "../../support/duration.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { parseAddress } from "../../address/index.js";
import type { Connected } from "../../connection/connected.js";
import { type Money, nativeMoney, parseSomeNative } from "../shared/money.js";
import { ModuleReader } from "../modules/reader.js";
import { requireValidator } from "../modules/validators.js";
import {
  instant,
  nameOf,
  percent,
  type ValidatorName,
} from "../modules/values.js";

/** What is told of everything that is done to a local chain. */
export interface LocalReport {
  readonly network: string;
  readonly chainId: number;
  readonly height: bigint;
  /** The newest block's time, ISO 8601. */
  readonly time: string;
}

export interface LocalStateReport extends LocalReport {
  readonly validators: bigint;
  readonly proposals: bigint;
  readonly bonded: Money;
  readonly notBonded: Money;
  readonly unbonding: Money;
  /** Owed to delegators and validators. */
  readonly outstandingRewards: Money;
  readonly communityPool: Money;
  readonly deposits: Money;
  /** Minted as rewards since the start. */
  readonly accrued: Money;
  readonly burnt: Money;
  /** Percent a year. */
  readonly rewardRate: string;
  /** Seconds. */
  readonly unbondingTime: bigint;
  /** When something is next due: a maturity, the end of a vote. */
  readonly nextDue?: string;
}

export interface AdvanceReport extends LocalReport {
  readonly before: string;
  /** Whether anything was due; else no block was mined. */
  readonly moved: boolean;
}

export interface LocalValidatorReport extends LocalReport {
  readonly validator: ValidatorName;
  readonly status: string;
  readonly jailed: boolean;
  readonly tokens: Money;
  readonly tokensBefore: Money;
}

export interface RewardRateReport extends LocalReport {
  /** Percent a year. */
  readonly rewardRate: string;
  readonly before: string;
}

export interface SnapshotReport extends LocalReport {
  readonly snapshot: string;
}

/**
 * Does to a local chain what `connection.dualstack.localnet` does, from
 * another process: by the JSON-RPC methods of its node.
 */
export class LocalChainControl {
  readonly #connected: Connected;

  /** @throws DualstackError on any other network */
  constructor(connected: Connected) {
    const { kind, name } = connected.network;
    if (kind !== "local") {
      throw new DualstackError("only a local chain can be controlled", {
        network: name,
        fix: 'Start one with "npx hardhat node", and use --network localhost.',
      });
    }
    this.#connected = connected;
  }

  async state(): Promise<LocalStateReport> {
    const { facts } = this.#connected.network;
    const state = await this.#state();
    const amount = (name: string) => nativeMoney(number(state, name), facts);
    const nextDue =
      state["nextDue"] === null ? undefined : instant(number(state, "nextDue"));
    return {
      ...this.#report(state),
      validators: number(state, "validators"),
      proposals: number(state, "proposals"),
      bonded: amount("bondedTokens"),
      notBonded: amount("notBondedTokens"),
      unbonding: amount("unbondingTokens"),
      outstandingRewards: amount("outstandingRewards"),
      communityPool: amount("communityPool"),
      deposits: amount("deposits"),
      accrued: amount("accrued"),
      burnt: amount("burnt"),
      rewardRate: percent(number(state, "rewardRate")),
      unbondingTime: number(state, "unbondingTime"),
      ...(nextDue === undefined ? {} : { nextDue }),
    };
  }

  /** @param by a period such as `10d`, or a time as ISO 8601 */
  async advance({ by }: { readonly by: string }): Promise<AdvanceReport> {
    const before = await this.#state();
    const now = number(before, "time");
    const time = /^\d{4}-\d\d/.test(by) ? Date.parse(by) : Number.NaN;
    const seconds = Number.isNaN(time)
      ? parseDuration(by)
      : BigInt(Math.floor(time / 1000)) - now;
    if (seconds <= 0n) {
      throw new DualstackError(
        `time only goes forward: the chain's is ${instant(now)}`,
        { network: this.#connected.network.name, fix: "Give a later time." },
      );
    }
    await this.#ask("dualstack_advance", [toQuantity(seconds)]);
    return await this.#advanced(before, true);
  }

  /** Goes to what is next due. */
  async next(): Promise<AdvanceReport> {
    const before = await this.#state();
    const due = await this.#ask("dualstack_advanceToNextDue", []);
    return await this.#advanced(before, due !== null);
  }

  async voteEnd({
    proposal,
  }: {
    readonly proposal: string;
  }): Promise<AdvanceReport> {
    const before = await this.#state();
    await this.#ask("dualstack_advanceToVoteEnd", [proposal]);
    return await this.#advanced(before, true);
  }

  async slash({
    validator,
    fraction,
    noJail = false,
  }: {
    readonly validator: string;
    readonly fraction?: string;
    readonly noJail?: boolean;
  }): Promise<LocalValidatorReport> {
    return await this.#toValidator(validator, async (valoper) => {
      await this.#ask("dualstack_slashValidator", [
        valoper,
        fraction ?? null,
        !noJail,
      ]);
    });
  }

  async jail(of: { readonly validator: string }) {
    return await this.#toValidator(of.validator, async (valoper) => {
      await this.#ask("dualstack_jailValidator", [valoper]);
    });
  }

  async unjail(of: { readonly validator: string }) {
    return await this.#toValidator(of.validator, async (valoper) => {
      await this.#ask("dualstack_unjailValidator", [valoper]);
    });
  }

  async depositRewards({
    validator,
    amount,
  }: {
    readonly validator: string;
    readonly amount: string;
  }): Promise<LocalValidatorReport> {
    const baseUnits = parseSomeNative(amount, this.#connected.network.facts);
    return await this.#toValidator(validator, async (valoper) => {
      await this.#ask("dualstack_depositRewards", [
        valoper,
        toQuantity(baseUnits),
      ]);
    });
  }

  async addValidator({
    operator: text,
    moniker,
    stake,
  }: {
    readonly operator: string;
    readonly moniker?: string;
    readonly stake?: string;
  }): Promise<LocalValidatorReport> {
    const { facts } = this.#connected.network;
    const { hex } = parseAddress(text, {
      prefix: facts.bech32Prefix,
      what: "operator",
    });
    await this.#ask("dualstack_addValidator", [
      {
        operator: hex,
        ...(moniker === undefined ? {} : { moniker }),
        ...(stake === undefined
          ? {}
          : { stake: toQuantity(parseSomeNative(stake, facts)) }),
      },
    ]);
    return await this.#toValidator(hex, () => Promise.resolve());
  }

  /** @param rate a part a year, such as `0.1`, or percent, such as `10%` */
  async rewardRate({
    rate,
  }: {
    readonly rate: string;
  }): Promise<RewardRateReport> {
    const before = await this.#state();
    await this.#ask("dualstack_setRewardRate", [partOf(rate)]);
    const after = await this.#state();
    return {
      ...this.#report(after),
      rewardRate: percent(number(after, "rewardRate")),
      before: percent(number(before, "rewardRate")),
    };
  }

  async snapshot(): Promise<SnapshotReport> {
    const state = await this.#state();
    return { ...this.#report(state), snapshot: await this.#snapshot() };
  }

  /** Goes back to a snapshot, and takes it again: a node forgets one that it went back to. */
  async restore({
    snapshot,
  }: {
    readonly snapshot: string;
  }): Promise<SnapshotReport> {
    if (!/^0x[0-9a-fA-F]{1,16}$/.test(snapshot)) {
      throw unknownSnapshot(snapshot, this.#connected.network.name);
    }
    if ((await this.#ask("evm_revert", [snapshot])) !== true) {
      throw unknownSnapshot(snapshot, this.#connected.network.name);
    }
    return await this.snapshot();
  }

  async #snapshot(): Promise<string> {
    const id = await this.#ask("evm_snapshot", []);
    if (typeof id !== "string") {
      throw new DualstackError("the node gave a snapshot without a name", {
        network: this.#connected.network.name,
      });
    }
    return id;
  }

  async #toValidator(
    text: string,
    act: (valoper: string) => Promise<void>,
  ): Promise<LocalValidatorReport> {
    const reader = new ModuleReader(this.#connected);
    const before = await requireValidator(reader, text);
    const { valoper } = before.operator;
    await act(valoper);
    const after = await requireValidator(reader, valoper);
    const { facts } = this.#connected.network;
    return {
      ...this.#report(await this.#state()),
      validator: nameOf(after.operator, after.description),
      status: after.status.slice("BOND_STATUS_".length).toLowerCase(),
      jailed: after.jailed,
      tokens: nativeMoney(after.tokens, facts),
      tokensBefore: nativeMoney(before.tokens, facts),
    };
  }

  async #advanced(
    before: Readonly<Record<string, unknown>>,
    moved: boolean,
  ): Promise<AdvanceReport> {
    return {
      ...this.#report(await this.#state()),
      before: timeOf(before),
      moved,
    };
  }

  #report(state: Readonly<Record<string, unknown>>): LocalReport {
    const { name, chainId } = this.#connected.network;
    return {
      network: name,
      chainId,
      height: number(state, "height"),
      time: timeOf(state),
    };
  }

  async #state(): Promise<Readonly<Record<string, unknown>>> {
    const state = await this.#ask("dualstack_state", []);
    if (!isRecord(state)) {
      throw this.#notEmulated();
    }
    return state;
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#connected.provider.request({ method, params });
    } catch (error) {
      const refused = rpcErrorOf(error);
      if (refused === undefined) {
        throw error;
      }
      if (refused.code === METHOD_NOT_FOUND || UNKNOWN.test(refused.message)) {
        throw this.#notEmulated(error);
      }
      throw new DualstackError(errorText(refused.message), {
        network: this.#connected.network.name,
        cause: error,
      });
    }
  }

  #notEmulated(cause?: unknown): DualstackError {
    return new DualstackError(
      "this node does not emulate the chain: it cannot be controlled",
      {
        network: this.#connected.network.name,
        fix: 'Start it with "npx hardhat node" in a project that has hardhat-dualstack.',
        cause,
      },
    );
  }
}

const METHOD_NOT_FOUND = -32601;
const UNKNOWN = /method .*(?:not (?:supported|found)|does not exist)/i;

const number = (
  state: Readonly<Record<string, unknown>>,
  name: string,
): bigint => fromQuantity(state[name], `${name} of the chain's state`);

const timeOf = (state: Readonly<Record<string, unknown>>): string =>
  instant(number(state, "time")) ?? "";

const unknownSnapshot = (snapshot: string, network: string) =>
  new DualstackError(`there is no snapshot "${errorText(snapshot, 40)}"`, {
    network,
    fix: "Restoring a snapshot discards all later ones; take a new one.",
  });

function partOf(rate: string): string {
  const percentage = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(rate)?.[1];
  if (percentage === undefined) {
    return rate.trim();
  }
  const [whole = "0", digits = ""] = percentage.split(".");
  const padded = whole.padStart(3, "0");
  return `${padded.slice(0, -2)}.${padded.slice(-2)}${digits}`;
}
