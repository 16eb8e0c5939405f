import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import type { PageRequest } from "cosmjs-types/cosmos/base/query/v1beta1/pagination";
import type { DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import type { Params } from "cosmjs-types/cosmos/distribution/v1beta1/distribution";
import type { QueryValidatorSlashesResponse } from "cosmjs-types/cosmos/distribution/v1beta1/query";

import { ZERO_ADDRESS } from "../../address/zero.js";
import type { DelegationReward, DistributionBooks } from "./books.js";
import { decCoins, EVERYTHING, type Reading, type Struct } from "./reading.js";

/** Rewards, commissions and the community pool. */
export class EmulatedDistributionBooks implements DistributionBooks {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async rewardsOf(delegator: string): Promise<readonly DelegationReward[]> {
    const account = this.#reading.hex(delegator);
    if (account === ZERO_ADDRESS) {
      return [];
    }
    const [rewards] = await this.#reading.views.call(
      "distribution",
      "delegationTotalRewards",
      [account],
    );
    return (rewards as readonly Struct[]).map((one) => ({
      validator: one.validatorAddress,
      reward: decCoins(one.reward),
    }));
  }

  async commissionOf(validator: string): Promise<readonly DecCoin[]> {
    return await this.#decCoins("validatorCommission", validator);
  }

  async outstandingOf(validator: string): Promise<readonly DecCoin[]> {
    return await this.#decCoins("validatorOutstandingRewards", validator);
  }

  // A validator that does not exist has no coins.
  async #decCoins(method: string, validator: string): Promise<DecCoin[]> {
    const found = await this.#reading.views.find("distribution", method, [
      validator,
    ]);
    return decCoins((found?.[0] ?? []) as readonly Struct[]);
  }

  // The precompile cuts the page: only it knows the heights in the keys.
  async slashesOf(
    validator: string,
    from: bigint,
    to: bigint,
    page?: PageRequest,
  ): Promise<Required<QueryValidatorSlashesResponse>> {
    const wanted =
      page === undefined
        ? EVERYTHING
        : { ...page, key: `0x${bytesToHex(page.key)}` };
    const found = await this.#reading.views.find(
      "distribution",
      "validatorSlashes",
      [validator, from, to, wanted],
    );
    const [slashes = [], { nextKey = "0x", total = 0n } = {}] = found ?? [];
    return {
      slashes: (slashes as readonly Struct[]).map((one) => ({
        validatorPeriod: BigInt(one.validatorPeriod),
        fraction: String(one.fraction.value),
      })),
      pagination: {
        nextKey: hexToBytes(String(nextKey).slice(2)),
        total: BigInt(total),
      },
    };
  }

  async communityPool(): Promise<readonly DecCoin[]> {
    const [pool] = await this.#reading.views.call(
      "distribution",
      "communityPool",
    );
    return decCoins(pool);
  }

  async withdrawAddress(delegator: string): Promise<string> {
    const [address] = await this.#reading.views.call(
      "distribution",
      "delegatorWithdrawAddress",
      [this.#reading.hex(delegator)],
    );
    return String(address);
  }

  async params(): Promise<Params> {
    const { fork } = this.#reading.around;
    if (fork !== undefined) return await fork.distributionParams();
    const [communityTax, withdrawAddressEnabled] =
      await this.#reading.views.call("system", "distributionParams");
    return {
      communityTax: String(communityTax),
      baseProposerReward: "0",
      bonusProposerReward: "0",
      withdrawAddrEnabled: withdrawAddressEnabled,
    };
  }
}
