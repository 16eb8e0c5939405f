import { PubKey } from "cosmjs-types/cosmos/crypto/ed25519/keys";
import {
  DelegationResponse,
  type Params as StakingParams,
  type Pool,
  RedelegationResponse,
  type UnbondingDelegation,
  Validator,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { ZERO_ADDRESS } from "../../address/zero.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import type { StakingBooks } from "./books.js";
import {
  byAddress,
  EVERYTHING,
  fieldOf,
  type Reading,
  type Struct,
  time,
} from "./reading.js";

/** Validators, delegations and what is on its way between them. */
export class EmulatedStakingBooks implements StakingBooks {
  readonly #reading: Reading;
  #validators: Promise<readonly Validator[]> | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async validators(): Promise<readonly Validator[]> {
    return await (this.#validators ??= this.#readValidators());
  }

  async #readValidators(): Promise<readonly Validator[]> {
    const [list] = await this.#reading.views.call("staking", "validators", [
      "",
      EVERYTHING,
    ]);
    return await Promise.all(
      (list as readonly Struct[]).map(
        async (one) => await this.#validator(one),
      ),
    );
  }

  async #validator(v: Struct): Promise<Validator> {
    const { fork } = this.#reading.around;
    const limits = await this.#commissionLimits(v.operatorAddress);
    // The emulation assigns unbonding IDs to entries only: a validator's come
    // from the forked chain.
    const unbonding =
      fork !== undefined && v.unbondingHeight <= fork.height
        ? await fork.validator(v.operatorAddress)
        : undefined;
    return Validator.fromPartial({
      operatorAddress: this.#reading.form(v.operatorAddress, "valoper"),
      consensusPubkey: {
        typeUrl: "/cosmos.crypto.ed25519.PubKey",
        value: PubKey.encode({
          key: Buffer.from(v.consensusPubkey, "base64"),
        }).finish(),
      },
      jailed: v.jailed,
      status: Number(v.status),
      tokens: String(v.tokens),
      delegatorShares: String(v.delegatorShares),
      description: {
        moniker: v.description.moniker,
        identity: v.description.identity,
        website: v.description.website,
        securityContact: v.description.securityContact,
        details: v.description.details,
      },
      unbondingHeight: v.unbondingHeight,
      unbondingTime: time(v.unbondingTime > 0n ? v.unbondingTime : 0n),
      commission: {
        commissionRates: {
          rate: String(v.commission),
          maxRate: limits?.maxRate ?? "",
          maxChangeRate: limits?.maxChangeRate ?? "",
        },
        ...(limits === undefined ? {} : { updateTime: limits.updateTime }),
      },
      minSelfDelegation: String(v.minSelfDelegation),
      unbondingIds: unbonding?.unbondingIds ?? [],
    });
  }

  /**
   * Returns a validator's commission limits; `undefined` when the forked chain
   * does not tell them.
   */
  async #commissionLimits(operator: string) {
    const base = await this.#reading.around.fork?.base();
    const read = base?.validators.find(
      (one) => one.operator.toLowerCase() === operator.toLowerCase(),
    );
    if (read !== undefined && read.limits === undefined) return undefined;
    const [maxRate, maxChangeRate, set] = await this.#reading.views.call(
      "system",
      "commissionLimits",
      [operator],
    );
    return {
      maxRate: String(maxRate),
      maxChangeRate: String(maxChangeRate),
      updateTime: time(set),
    };
  }

  async delegationsOf(
    delegator: string,
  ): Promise<readonly DelegationResponse[]> {
    const account = this.#reading.hex(delegator);
    if (account === ZERO_ADDRESS) {
      return [];
    }
    const [validators] = await this.#reading.views.call(
      "distribution",
      "delegatorValidators",
      [account],
    );
    return await Promise.all(
      (validators as readonly string[]).map(async (validatorAddress) => {
        const [shares, balance] = await this.#reading.views.call(
          "staking",
          "delegation",
          [account, validatorAddress],
        );
        return DelegationResponse.fromPartial({
          delegation: {
            delegatorAddress: delegator,
            validatorAddress,
            shares: String(shares),
          },
          balance: { denom: balance.denom, amount: String(balance.amount) },
        });
      }),
    );
  }

  async delegators(): Promise<readonly string[]> {
    const delegators = await this.#reading.around.ownDelegators();
    return [...delegators]
      .sort(byAddress)
      .map((hex) => this.#reading.form(hex, "account"));
  }

  async delegationsTo(
    validator: string,
  ): Promise<readonly DelegationResponse[]> {
    const all = await this.#ofDelegators(validator, (delegator) =>
      this.delegationsOf(delegator),
    );
    return all.filter(
      ({ delegation }) => delegation.validatorAddress === validator,
    );
  }

  async #ofDelegators<T>(
    validator: string,
    task: (delegator: string) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const found = await this.#reading.around.delegators(
      this.#reading.hex(validator),
    );
    const delegators = [...found].sort(byAddress);
    return (
      await Promise.all(
        delegators.map(
          async (hex) => await task(this.#reading.form(hex, "account")),
        ),
      )
    ).flat();
  }

  async unbondingsOf(
    delegator: string,
  ): Promise<readonly UnbondingDelegation[]> {
    const account = this.#reading.hex(delegator);
    const found = await Promise.all(
      (await this.validators()).map(async ({ operatorAddress }) => {
        const [unbonding] = await this.#reading.views.call(
          "staking",
          "unbondingDelegation",
          [account, operatorAddress],
        );
        const entries = fieldOf(unbonding, "entries").map((e) => ({
          creationHeight: BigInt(e.creationHeight),
          completionTime: time(e.completionTime),
          initialBalance: String(e.initialBalance),
          balance: String(e.balance),
          unbondingId: BigInt(e.unbondingId),
          unbondingOnHoldRefCount: BigInt(e.unbondingOnHoldRefCount),
        }));
        return {
          delegatorAddress: delegator,
          validatorAddress: operatorAddress,
          entries,
        };
      }),
    );
    return found.filter(({ entries }) => entries.length > 0);
  }

  async unbondingsFrom(
    validator: string,
  ): Promise<readonly UnbondingDelegation[]> {
    const all = await this.#ofDelegators(validator, (delegator) =>
      this.unbondingsOf(delegator),
    );
    return all.filter(({ validatorAddress }) => validatorAddress === validator);
  }

  async redelegationsOf(
    delegator: string,
  ): Promise<readonly RedelegationResponse[]> {
    const account = this.#reading.hex(delegator);
    if (account === ZERO_ADDRESS) {
      return [];
    }
    const [list] = await this.#reading.views.call("staking", "redelegations", [
      account,
      "",
      "",
      EVERYTHING,
    ]);
    const entryOf = (e: Struct) => ({
      creationHeight: BigInt(e.creationHeight),
      completionTime: time(e.completionTime),
      initialBalance: String(e.initialBalance),
      sharesDst: String(e.sharesDst),
    });
    return (list as readonly Struct[]).map((one) =>
      RedelegationResponse.fromPartial({
        redelegation: {
          delegatorAddress: delegator,
          validatorSrcAddress: one.redelegation.validatorSrcAddress,
          validatorDstAddress: one.redelegation.validatorDstAddress,
          entries: [],
        },
        entries: fieldOf(one, "entries").map((response) => ({
          redelegationEntry: entryOf(response.redelegationEntry),
          balance: String(response.balance),
        })),
      }),
    );
  }

  async redelegationsFrom(
    validator: string,
  ): Promise<readonly RedelegationResponse[]> {
    const all = await this.#ofDelegators(validator, (delegator) =>
      this.redelegationsOf(delegator),
    );
    return all.filter(
      ({ redelegation }) => redelegation.validatorSrcAddress === validator,
    );
  }

  async params(): Promise<StakingParams> {
    const { maxValidators, maxEntries, denom } = this.#reading.around.settings;
    const [{ unbondingTime }, read] = await Promise.all([
      this.#reading.state(),
      this.#reading.around.fork?.stakingParams(),
    ]);
    return {
      unbondingTime: time(BigInt(unbondingTime)),
      maxValidators: Number(maxValidators),
      maxEntries: Number(maxEntries),
      historicalEntries: 10_000,
      bondDenom: denom,
      minCommissionRate: "0",
      ...(read === undefined ? {} : withoutTime(read)),
    };
  }

  async pool(): Promise<Pool> {
    const [notBonded, bonded] = await Promise.all([
      this.#reading.balance(MODULE_ACCOUNTS.notBondedPool),
      this.#reading.balance(MODULE_ACCOUNTS.bondedPool),
    ]);
    return { notBondedTokens: String(notBonded), bondedTokens: String(bonded) };
  }
}

/** Drops the unbonding time, which the contracts hold. */
function withoutTime({ unbondingTime: _, ...params }: StakingParams) {
  return params;
}
