import type { DecCoin as ProtobufDecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";

import { parseAddress } from "../../address/index.js";
import type { ChainFacts } from "../../chain/facts.js";
import type { Rpc } from "../services.js";
import type { AddressForms, DecCoin, TotalRewards } from "./answers.js";
import { question } from "./question.js";
import type { OfDelegator, OfValidator } from "./staking.js";
import { forms, toInteger, wholeUnits } from "./values.js";

const BASE = "/distribution/v1beta1";

const client = async (rpc: Rpc) => {
  const { QueryClientImpl } = await import(
    "cosmjs-types/cosmos/distribution/v1beta1/query"
  );
  return new QueryClientImpl(rpc);
};

const given = (address: string, facts: ChainFacts, what: string) =>
  parseAddress(address, { prefix: facts.bech32Prefix, what });

const NO_DELEGATION = /no delegation for \(address, validator\) tuple/;

/** An account's rewards from one validator that are not paid out yet. */
export const rewards = question<OfDelegator & OfValidator, readonly DecCoin[]>({
  title: "rewards",
  missing: { text: NO_DELEGATION, answer: [] },
  rest: async (get, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const { valoper } = given(args.validator, facts, "validator");
    const answer = await get(
      `${BASE}/delegators/${account}/rewards/${valoper}`,
    );
    return answer.decCoins("rewards");
  },
  protobuf: async (rpc, args, { facts }) => {
    const answer = await (
      await client(rpc)
    ).DelegationRewards({
      delegatorAddress: given(args.delegator, facts, "delegator").account,
      validatorAddress: given(args.validator, facts, "validator").valoper,
    });
    return answer.rewards.map(protobufDecCoin);
  },
  precompile: async (reader, args, { facts, height }) => {
    const { hex } = given(args.delegator, facts, "delegator");
    const { valoper } = given(args.validator, facts, "validator");
    const answer = await reader.read(
      "distribution",
      "delegationRewards",
      [hex, valoper],
      height,
    );
    return answer.map(precompileDecCoin);
  },
});

/** An account's rewards from all validators. */
export const totalRewards = question<OfDelegator, TotalRewards>({
  title: "total rewards",
  rest: async (get, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const answer = await get(`${BASE}/delegators/${account}/rewards`);
    return {
      rewards: answer.objects("rewards").map((item) => ({
        validator: forms(item.text("validator_address"), facts.bech32Prefix),
        reward: item.decCoins("reward"),
      })),
      total: answer.decCoins("total"),
    };
  },
  protobuf: async (rpc, args, { facts }) => {
    const answer = await (
      await client(rpc)
    ).DelegationTotalRewards({
      delegatorAddress: given(args.delegator, facts, "delegator").account,
    });
    return {
      rewards: answer.rewards.map(({ validatorAddress, reward }) => ({
        validator: forms(validatorAddress, facts.bech32Prefix),
        reward: reward.map(protobufDecCoin),
      })),
      total: answer.total.map(protobufDecCoin),
    };
  },
  precompile: async (reader, args, { facts, height }) => {
    const { hex } = given(args.delegator, facts, "delegator");
    const [list, total] = await reader.read(
      "distribution",
      "delegationTotalRewards",
      [hex],
      height,
    );
    return {
      rewards: list.map(({ validatorAddress, reward }) => ({
        validator: forms(validatorAddress, facts.bech32Prefix),
        reward: reward.map(precompileDecCoin),
      })),
      total: total.map(precompileDecCoin),
    };
  },
});

/** A validator's commission that is not paid out yet. */
export const commission = question<OfValidator, readonly DecCoin[]>({
  title: "commission",
  rest: async (get, args, { facts }) => {
    const { valoper } = given(args.validator, facts, "validator");
    const answer = await get(`${BASE}/validators/${valoper}/commission`);
    return answer.object("commission").decCoins("commission");
  },
  protobuf: async (rpc, args, { facts }) => {
    const answer = await (
      await client(rpc)
    ).ValidatorCommission({
      validatorAddress: given(args.validator, facts, "validator").valoper,
    });
    return answer.commission.commission.map(protobufDecCoin);
  },
  precompile: async (reader, args, { facts, height }) => {
    const { valoper } = given(args.validator, facts, "validator");
    const answer = await reader.read(
      "distribution",
      "validatorCommission",
      [valoper],
      height,
    );
    return answer.map(precompileDecCoin);
  },
});

/** Everything that is owed at a validator: to its delegators and as commission. */
export const outstandingRewards = question<OfValidator, readonly DecCoin[]>({
  title: "outstanding rewards",
  rest: async (get, args, { facts }) => {
    const { valoper } = given(args.validator, facts, "validator");
    const answer = await get(
      `${BASE}/validators/${valoper}/outstanding_rewards`,
    );
    return answer.object("rewards").decCoins("rewards");
  },
  protobuf: async (rpc, args, { facts }) => {
    const answer = await (
      await client(rpc)
    ).ValidatorOutstandingRewards({
      validatorAddress: given(args.validator, facts, "validator").valoper,
    });
    return answer.rewards.rewards.map(protobufDecCoin);
  },
  precompile: async (reader, args, { facts, height }) => {
    const { valoper } = given(args.validator, facts, "validator");
    const answer = await reader.read(
      "distribution",
      "validatorOutstandingRewards",
      [valoper],
      height,
    );
    return answer.map(precompileDecCoin);
  },
});

/** The community pool. */
export const communityPool = question<Record<never, never>, readonly DecCoin[]>(
  {
    title: "community pool",
    rest: async (get) => (await get(`${BASE}/community_pool`)).decCoins("pool"),
    protobuf: async (rpc) =>
      (await (await client(rpc)).CommunityPool()).pool.map(protobufDecCoin),
    precompile: async (reader, _args, { height }) =>
      (await reader.read("distribution", "communityPool", [], height)).map(
        precompileDecCoin,
      ),
  },
);

/** Where an account's rewards are paid to: itself, unless it chose another. */
export const withdrawAddress = question<OfDelegator, AddressForms>({
  title: "withdraw address",
  rest: async (get, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const answer = await get(`${BASE}/delegators/${account}/withdraw_address`);
    return forms(answer.text("withdraw_address"), facts.bech32Prefix);
  },
  protobuf: async (rpc, args, { facts }) => {
    const answer = await (
      await client(rpc)
    ).DelegatorWithdrawAddress({
      delegatorAddress: given(args.delegator, facts, "delegator").account,
    });
    return forms(answer.withdrawAddress, facts.bech32Prefix);
  },
  precompile: async (reader, args, { facts, height }) => {
    const { hex } = given(args.delegator, facts, "delegator");
    const answer = await reader.read(
      "distribution",
      "delegatorWithdrawAddress",
      [hex],
      height,
    );
    return forms(answer, facts.bech32Prefix);
  },
});

const protobufDecCoin = ({ denom, amount }: ProtobufDecCoin): DecCoin => ({
  denom,
  amount: toInteger(amount, "coin.amount"),
});

// The precompile's amount is in whole base units; its `precision` does not apply to it.
const precompileDecCoin = (coin: {
  readonly denom: string;
  readonly amount: bigint;
}): DecCoin => ({ denom: coin.denom, amount: wholeUnits(coin.amount) });
