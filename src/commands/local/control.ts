import type { LocalnetState } from "../../localnet/control/control.js";
import { RemoteControl } from "../../localnet/control/remote-control.js";
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

/** What all reports on a local chain have in common. */
export interface LocalReport {
  readonly network: string;
  readonly chainId: number;
  readonly height: bigint;
  /** The newest block's time, as ISO 8601. */
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
  /** Percent per year. */
  readonly rewardRate: string;
  /** Seconds. */
  readonly unbondingTime: bigint;
  /** When something is due next, such as a maturity or the end of a vote. */
  readonly nextDue?: string;
}

export interface AdvanceReport extends LocalReport {
  readonly before: string;
  /** Whether anything was due; if not, no block was mined. */
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
  /** Percent per year. */
  readonly rewardRate: string;
  readonly before: string;
}

export interface SnapshotReport extends LocalReport {
  readonly snapshot: string;
}

/**
 * Does what `connection.dualstack.localnet` does, from another process: over
 * the JSON-RPC methods of a local chain's node.
 */
export class LocalChainControl {
  readonly #connected: Connected;
  readonly #control: RemoteControl;

  /** @throws DualstackError on a network that is not local */
  constructor(connected: Connected) {
    const { kind, name } = connected.network;
    if (kind !== "local" && kind !== "localnode") {
      throw new DualstackError("only a local chain can be controlled", {
        network: name,
        fix: 'Start one with "npx hardhat dualstack node", and use --network localnode.',
      });
    }
    this.#connected = connected;
    this.#control = new RemoteControl(connected.provider, name);
  }

  async state(): Promise<LocalStateReport> {
    const { facts } = this.#connected.network;
    const state = await this.#control.state();
    const amount = (baseUnits: bigint) => nativeMoney(baseUnits, facts);
    const nextDue =
      state.nextDue === undefined ? undefined : instant(state.nextDue);
    return {
      ...this.#report(state),
      validators: state.validators,
      proposals: state.proposals,
      bonded: amount(state.bondedTokens),
      notBonded: amount(state.notBondedTokens),
      unbonding: amount(state.unbondingTokens),
      outstandingRewards: amount(state.outstandingRewards),
      communityPool: amount(state.communityPool),
      deposits: amount(state.deposits),
      accrued: amount(state.accrued),
      burnt: amount(state.burnt),
      rewardRate: percent(state.rewardRate),
      unbondingTime: state.unbondingTime,
      ...(nextDue === undefined ? {} : { nextDue }),
    };
  }

  /** @param by a period such as `10d`, or a time as ISO 8601 */
  async advance({ by }: { readonly by: string }): Promise<AdvanceReport> {
    const before = await this.#control.state();
    const now = before.time;
    const time = /^\d{4}-\d\d/.test(by) ? Date.parse(by) : Number.NaN;
    const seconds = Number.isNaN(time)
      ? parseDuration(by)
      : BigInt(Math.floor(time / 1000)) - now;
    if (seconds <= 0n) {
      throw new DualstackError(
        `time only goes forward: on the chain it is ${instant(now)}`,
        { network: this.#connected.network.name, fix: "Give a later time." },
      );
    }
    await this.#control.advance(seconds);
    return await this.#advanced(before, true);
  }

  /** Mines a block when the next thing is due. */
  async next(): Promise<AdvanceReport> {
    const before = await this.#control.state();
    const due = await this.#control.advanceToNextDue();
    return await this.#advanced(before, due !== undefined);
  }

  async voteEnd({
    proposal,
  }: {
    readonly proposal: string;
  }): Promise<AdvanceReport> {
    const before = await this.#control.state();
    await this.#control.ask("dualstack_advanceToVoteEnd", [proposal]);
    return await this.#advanced(before, true);
  }

  /** @param fraction of the stake, such as `0.05`, or a percentage such as `5%` */
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
      await this.#control.slash(valoper, {
        ...(fraction === undefined ? {} : { fraction: partOf(fraction) }),
        jail: !noJail,
      });
    });
  }

  async jail(of: { readonly validator: string }) {
    return await this.#toValidator(of.validator, async (valoper) => {
      await this.#control.jail(valoper);
    });
  }

  async unjail(of: { readonly validator: string }) {
    return await this.#toValidator(of.validator, async (valoper) => {
      await this.#control.unjail(valoper);
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
      await this.#control.depositRewards(valoper, baseUnits);
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
    await this.#control.addValidator({
      operator: hex,
      ...(moniker === undefined ? {} : { moniker }),
      ...(stake === undefined ? {} : { stake: parseSomeNative(stake, facts) }),
    });
    return await this.#toValidator(hex, () => Promise.resolve());
  }

  /** @param rate a fraction per year such as `0.1`, or a percentage such as `10%` */
  async rewardRate({
    rate,
  }: {
    readonly rate: string;
  }): Promise<RewardRateReport> {
    const before = await this.#control.state();
    await this.#control.setRewardRate(partOf(rate));
    const after = await this.#control.state();
    return {
      ...this.#report(after),
      rewardRate: percent(after.rewardRate),
      before: percent(before.rewardRate),
    };
  }

  async snapshot(): Promise<SnapshotReport> {
    const state = await this.#control.state();
    return { ...this.#report(state), snapshot: await this.#snapshot() };
  }

  /** Restores a snapshot and takes it again, since a node forgets one that it restored. */
  async restore({
    snapshot,
  }: {
    readonly snapshot: string;
  }): Promise<SnapshotReport> {
    if (!/^0x[0-9a-fA-F]{1,16}$/.test(snapshot)) {
      throw unknownSnapshot(snapshot, this.#connected.network.name);
    }
    if ((await this.#control.ask("evm_revert", [snapshot])) !== true) {
      throw unknownSnapshot(snapshot, this.#connected.network.name);
    }
    return await this.snapshot();
  }

  async #snapshot(): Promise<string> {
    const id = await this.#control.ask("evm_snapshot", []);
    if (typeof id !== "string") {
      throw new DualstackError("the node returned no snapshot ID", {
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
      ...this.#report(await this.#control.state()),
      validator: nameOf(after.operator, after.description),
      status: after.status.slice("BOND_STATUS_".length).toLowerCase(),
      jailed: after.jailed,
      tokens: nativeMoney(after.tokens, facts),
      tokensBefore: nativeMoney(before.tokens, facts),
    };
  }

  async #advanced(
    before: LocalnetState,
    moved: boolean,
  ): Promise<AdvanceReport> {
    return {
      ...this.#report(await this.#control.state()),
      before: timeOf(before),
      moved,
    };
  }

  #report(state: LocalnetState): LocalReport {
    const { name, chainId } = this.#connected.network;
    return {
      network: name,
      chainId,
      height: state.height,
      time: timeOf(state),
    };
  }
}

const timeOf = ({ time }: LocalnetState): string => instant(time) ?? "";

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
