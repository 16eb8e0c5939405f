// Controls an emulated chain that runs in another process.

import { type RpcProvider, rpcErrorOf } from "../../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { toProposal, toSeconds, toTime } from "./arguments.js";
import type { ChainControl, LocalnetState, SlashOptions } from "./control.js";
import type {
  AmountInput,
  RateInput,
  ValidatorUserSettings,
} from "../settings/settings.js";

const METHOD_NOT_FOUND = -32601;
const UNKNOWN = /method .*(?:not (?:supported|found)|does not exist)/i;

/** Encodes base units as a quantity; whole tokens stay a string. */
const amountOf = (amount: AmountInput): string =>
  typeof amount === "bigint" ? toQuantity(amount) : amount;

/**
 * Controls an emulated chain as `LocalnetControl` does, by the JSON-RPC methods
 * of the node that runs it.
 */
export class RemoteControl implements ChainControl {
  readonly #provider: RpcProvider;
  readonly #network: string;

  /** @param network the network's name, for errors */
  constructor(provider: RpcProvider, network: string) {
    this.#provider = provider;
    this.#network = network;
  }

  async state(): Promise<LocalnetState> {
    const state = await this.ask("dualstack_state", []);
    if (!isRecord(state)) {
      throw this.#notEmulated();
    }
    const number = (name: string) =>
      fromQuantity(state[name], `${name} of the chain's state`);
    return {
      bondedTokens: number("bondedTokens"),
      notBondedTokens: number("notBondedTokens"),
      unbondingTokens: number("unbondingTokens"),
      outstandingRewards: number("outstandingRewards"),
      communityPool: number("communityPool"),
      deposits: number("deposits"),
      accrued: number("accrued"),
      burnt: number("burnt"),
      rewardRate: number("rewardRate"),
      unbondingTime: number("unbondingTime"),
      validators: number("validators"),
      proposals: number("proposals"),
      nextDue: state["nextDue"] === null ? undefined : number("nextDue"),
      height: number("height"),
      time: number("time"),
    };
  }

  async advance(seconds: number | bigint): Promise<void> {
    const step = toSeconds(seconds);
    await this.ask("dualstack_advance", [toQuantity(step)]);
  }

  async advanceTo(time: number | bigint): Promise<void> {
    const target = toTime(time);
    const left = target - (await this.state()).time;
    if (left > 0n) {
      await this.advance(left);
    }
  }

  async advanceToNextDue(): Promise<bigint | undefined> {
    const due = await this.ask("dualstack_advanceToNextDue", []);
    return due === null ? undefined : fromQuantity(due, "when it was due");
  }

  async advanceToVoteEnd(proposal: number | bigint): Promise<bigint> {
    return fromQuantity(
      await this.ask("dualstack_advanceToVoteEnd", [
        String(toProposal(proposal)),
      ]),
      "the end of the vote",
    );
  }

  async addValidator({
    stake,
    minSelfDelegation,
    ...settings
  }: ValidatorUserSettings): Promise<void> {
    await this.ask("dualstack_addValidator", [
      {
        ...settings,
        ...(stake === undefined ? {} : { stake: amountOf(stake) }),
        ...(minSelfDelegation === undefined
          ? {}
          : { minSelfDelegation: amountOf(minSelfDelegation) }),
      },
    ]);
  }

  async slash(
    validator: string,
    { fraction, jail = true, infractionHeight }: SlashOptions = {},
  ): Promise<void> {
    await this.ask("dualstack_slashValidator", [
      validator,
      fraction ?? null,
      jail,
      ...(infractionHeight === undefined ? [] : [toQuantity(infractionHeight)]),
    ]);
  }

  async jail(validator: string): Promise<void> {
    await this.ask("dualstack_jailValidator", [validator]);
  }

  async unjail(validator: string): Promise<void> {
    await this.ask("dualstack_unjailValidator", [validator]);
  }

  async setRewardRate(rate: RateInput): Promise<void> {
    await this.ask("dualstack_setRewardRate", [rate]);
  }

  async depositRewards(validator: string, amount: AmountInput): Promise<void> {
    await this.ask("dualstack_depositRewards", [validator, amountOf(amount)]);
  }

  /**
   * Calls a method of the node.
   *
   * @throws DualstackError with the network's name when the node answers with
   * an error; other failures of the provider are passed on
   */
  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#provider.request({ method, params });
    } catch (error) {
      const refused = rpcErrorOf(error);
      if (refused === undefined) {
        throw error;
      }
      if (refused.code === METHOD_NOT_FOUND || UNKNOWN.test(refused.message)) {
        throw this.#notEmulated(error);
      }
      // The layers below may have named the place already.
      const named = DualstackError.is(error) ? error : undefined;
      throw new DualstackError(errorText(named?.reason ?? refused.message), {
        ...named?.place,
        network: this.#network,
        ...(named?.fix === undefined ? {} : { fix: named.fix }),
        cause: error,
      });
    }
  }

  #notEmulated(cause?: unknown): DualstackError {
    return new DualstackError(
      "this node does not emulate the chain: it cannot be controlled",
      {
        network: this.#network,
        fix: 'Start it with "npx hardhat dualstack node" in a project that has hardhat-dualstack.',
        cause,
      },
    );
  }
}
