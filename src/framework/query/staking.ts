import { parseAddress } from "../../address/index.js";
import type { ChainFacts } from "../../chain/facts.js";
import type { Rpc } from "../services.js";
import type {
  BondStatus,
  Delegation,
  Page,
  PageRequest,
  Redelegation,
  StakingParams,
  StakingPool,
  Unbonding,
  Validator,
} from "./answers.js";
import {
  precompileNext,
  precompilePage,
  protobufNext,
  protobufPage,
  question,
  restPage,
} from "./question.js";
import {
  precompileValidator,
  protobufDelegation,
  protobufRedelegation,
  protobufUnbonding,
  protobufValidator,
  restDelegation,
  restRedelegation,
  restUnbonding,
  restValidator,
} from "./staking-values.js";
import { durationOf, forms, timeOrNone, toInteger } from "./values.js";

/** Addresses may be given in any form. */
export interface OfValidator {
  readonly validator: string;
}
export interface OfDelegator {
  readonly delegator: string;
}
export interface Paged {
  readonly page?: PageRequest;
}

const BASE = "/staking/v1beta1";

const client = async (rpc: Rpc) => {
  const { QueryClientImpl } = await import(
    "cosmjs-types/cosmos/staking/v1beta1/query"
  );
  return new QueryClientImpl(rpc);
};

const given = (address: string, facts: ChainFacts, what: string) =>
  parseAddress(address, { prefix: facts.bech32Prefix, what });

/** Validators: all, or those with one status. */
export const validators = question<
  Paged & { readonly status?: BondStatus },
  Page<Validator>
>({
  title: "validators",
  rest: async (get, { status, page }, { facts }) => {
    const answer = await get(`${BASE}/validators`, {
      status,
      ...restPage(page),
    });
    return {
      items: answer
        .objects("validators")
        .map((item) => restValidator(item, facts)),
      nextKey: answer.nextKey(),
    };
  },
  protobuf: async (rpc, { status = "", page }, { facts }) => {
    const answer = await (
      await client(rpc)
    ).Validators({ status, pagination: protobufPage(page) });
    return {
      items: answer.validators.map((item) => protobufValidator(item, facts)),
      nextKey: protobufNext(answer.pagination),
    };
  },
  precompile: async (reader, { status = "", page }, { facts, height }) => {
    const [items, next] = await reader.read(
      "staking",
      "validators",
      [status, precompilePage(page)],
      height,
    );
    return {
      items: items.map((item) => precompileValidator(item, facts)),
      nextKey: precompileNext(next),
    };
  },
});

/** One validator, or null. */
export const validator = question<OfValidator, Validator | null>({
  title: "validator",
  missing: {
    text: /validator \S+ not found|validator does not exist/,
    answer: null,
  },
  rest: async (get, args, { facts }) => {
    const { valoper } = given(args.validator, facts, "validator");
    const answer = await get(`${BASE}/validators/${valoper}`);
    return restValidator(answer.object("validator"), facts);
  },
  protobuf: async (rpc, args, { facts }) => {
    const { valoper } = given(args.validator, facts, "validator");
    const answer = await (
      await client(rpc)
    ).Validator({ validatorAddr: valoper });
    return protobufValidator(answer.validator, facts);
  },
  precompile: async (reader, args, { facts, height }) => {
    const { hex } = given(args.validator, facts, "validator");
    const answer = await reader.read("staking", "validator", [hex], height);
    return answer.operatorAddress === ""
      ? null
      : precompileValidator(answer, facts);
  },
});

/** What an account has delegated to a validator, or null. */
export const delegation = question<
  OfDelegator & OfValidator,
  Delegation | null
>({
  title: "delegation",
  missing: { text: /delegation with delegator .* not found/, answer: null },
  rest: async (get, args, { facts }) => {
    const { delegator, validator: to } = both(args, facts);
    const answer = await get(
      `${BASE}/validators/${to.valoper}/delegations/${delegator.account}`,
    );
    return restDelegation(answer.object("delegation_response"), facts);
  },
  protobuf: async (rpc, args, { facts }) => {
    const { delegator, validator: to } = both(args, facts);
    const answer = await (
      await client(rpc)
    ).Delegation({
      delegatorAddr: delegator.account,
      validatorAddr: to.valoper,
    });
    return answer.delegationResponse === undefined
      ? null
      : protobufDelegation(answer.delegationResponse, facts);
  },
  precompile: async (reader, args, { facts, height }) => {
    const { delegator, validator: to } = both(args, facts);
    const [shares, balance] = await reader.read(
      "staking",
      "delegation",
      [delegator.hex, to.valoper],
      height,
    );
    return shares === 0n
      ? null
      : {
          delegator: forms(delegator.hex, facts.bech32Prefix),
          validator: forms(to.hex, facts.bech32Prefix),
          shares,
          balance: { ...balance },
        };
  },
});

/** All of an account's delegations. */
export const delegations = question<OfDelegator & Paged, Page<Delegation>>({
  title: "delegations",
  missing: {
    text: /unable to find delegations/,
    answer: { items: [], nextKey: null },
  },
  rest: async (get, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const answer = await get(
      `${BASE}/delegations/${account}`,
      restPage(args.page),
    );
    return {
      items: answer
        .objects("delegation_responses")
        .map((item) => restDelegation(item, facts)),
      nextKey: answer.nextKey(),
    };
  },
  protobuf: async (rpc, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const answer = await (
      await client(rpc)
    ).DelegatorDelegations({
      delegatorAddr: account,
      pagination: protobufPage(args.page),
    });
    return {
      items: answer.delegationResponses.map((item) =>
        protobufDelegation(item, facts),
      ),
      nextKey: protobufNext(answer.pagination),
    };
  },
});

/** An account's entries that are unbonding from a validator. */
export const unbonding = question<
  OfDelegator & OfValidator,
  Unbonding["entries"]
>({
  title: "unbonding entries",
  missing: {
    text: /unbonding delegation with delegator .* not found/,
    answer: [],
  },
  rest: async (get, args, { facts }) => {
    const { delegator, validator: from } = both(args, facts);
    const answer = await get(
      `${BASE}/validators/${from.valoper}/delegations/${delegator.account}/unbonding_delegation`,
    );
    return restUnbonding(answer.object("unbond"), facts).entries;
  },
  protobuf: async (rpc, args, { facts }) => {
    const { delegator, validator: from } = both(args, facts);
    const answer = await (
      await client(rpc)
    ).UnbondingDelegation({
      delegatorAddr: delegator.account,
      validatorAddr: from.valoper,
    });
    return protobufUnbonding(answer.unbond, facts).entries;
  },
  precompile: async (reader, args, { facts, height }) => {
    const { delegator, validator: from } = both(args, facts);
    const answer = await reader.read(
      "staking",
      "unbondingDelegation",
      [delegator.hex, from.valoper],
      height,
    );
    return answer.entries.map((entry) => ({
      creationHeight: entry.creationHeight,
      completionTime: timeOrNone(entry.completionTime),
      initialBalance: entry.initialBalance,
      balance: entry.balance,
      unbondingId: entry.unbondingId,
      onHoldReferences: entry.unbondingOnHoldRefCount,
    }));
  },
});

/** All of an account's unbonding delegations. */
export const unbondings = question<OfDelegator & Paged, Page<Unbonding>>({
  title: "unbonding delegations",
  rest: async (get, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const answer = await get(
      `${BASE}/delegators/${account}/unbonding_delegations`,
      restPage(args.page),
    );
    return {
      items: answer
        .objects("unbonding_responses")
        .map((item) => restUnbonding(item, facts)),
      nextKey: answer.nextKey(),
    };
  },
  protobuf: async (rpc, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const answer = await (
      await client(rpc)
    ).DelegatorUnbondingDelegations({
      delegatorAddr: account,
      pagination: protobufPage(args.page),
    });
    return {
      items: answer.unbondingResponses.map((item) =>
        protobufUnbonding(item, facts),
      ),
      nextKey: protobufNext(answer.pagination),
    };
  },
});

/** An account's redelegations: all, or those between two validators. */
export const redelegations = question<
  OfDelegator &
    Paged & { readonly source?: string; readonly destination?: string },
  Page<Redelegation>
>({
  title: "redelegations",
  missing: {
    text: /redelegation not found/,
    answer: { items: [], nextKey: null },
  },
  rest: async (get, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const [source, destination] = between(args, facts);
    const answer = await get(`${BASE}/delegators/${account}/redelegations`, {
      src_validator_addr: source === "" ? undefined : source,
      dst_validator_addr: destination === "" ? undefined : destination,
      ...restPage(args.page),
    });
    return {
      items: answer
        .objects("redelegation_responses")
        .map((item) => restRedelegation(item, facts)),
      nextKey: answer.nextKey(),
    };
  },
  protobuf: async (rpc, args, { facts }) => {
    const { account } = given(args.delegator, facts, "delegator");
    const [srcValidatorAddr, dstValidatorAddr] = between(args, facts);
    const answer = await (
      await client(rpc)
    ).Redelegations({
      delegatorAddr: account,
      srcValidatorAddr,
      dstValidatorAddr,
      pagination: protobufPage(args.page),
    });
    return {
      items: answer.redelegationResponses.map((item) =>
        protobufRedelegation(item, facts),
      ),
      nextKey: protobufNext(answer.pagination),
    };
  },
  precompile: async (reader, args, { facts, height }) => {
    const { hex } = given(args.delegator, facts, "delegator");
    const [source, destination] = between(args, facts);
    const [items, next] = await reader.read(
      "staking",
      "redelegations",
      [hex, source, destination, precompilePage(args.page)],
      height,
    );
    return {
      items: items.map(({ redelegation, entries }) => ({
        delegator: forms(redelegation.delegatorAddress, facts.bech32Prefix),
        source: forms(redelegation.validatorSrcAddress, facts.bech32Prefix),
        destination: forms(
          redelegation.validatorDstAddress,
          facts.bech32Prefix,
        ),
        entries: entries.map(({ redelegationEntry: entry, balance }) => ({
          creationHeight: entry.creationHeight,
          completionTime: timeOrNone(entry.completionTime),
          initialBalance: entry.initialBalance,
          shares: entry.sharesDst,
          balance,
        })),
      })),
      nextKey: precompileNext(next),
    };
  },
});

/** The whole chain's bonded and not bonded tokens, in base units. */
export const pool = question<Record<never, never>, StakingPool>({
  title: "staking pool",
  rest: async (get) => {
    const answer = (await get(`${BASE}/pool`)).object("pool");
    return {
      bonded: answer.integer("bonded_tokens"),
      notBonded: answer.integer("not_bonded_tokens"),
    };
  },
  protobuf: async (rpc) => {
    const { pool: answer } = await (await client(rpc)).Pool();
    return {
      bonded: toInteger(answer.bondedTokens, "pool.bondedTokens"),
      notBonded: toInteger(answer.notBondedTokens, "pool.notBondedTokens"),
    };
  },
});

/** The parameters of staking. */
export const stakingParams = question<Record<never, never>, StakingParams>({
  title: "staking parameters",
  rest: async (get) => {
    const answer = (await get(`${BASE}/params`)).object("params");
    return {
      unbondingTime: answer.duration("unbonding_time"),
      maxValidators: answer.number("max_validators"),
      maxEntries: answer.number("max_entries"),
      historicalEntries: answer.number("historical_entries"),
      bondDenom: answer.text("bond_denom"),
      minCommissionRate: answer.decimal("min_commission_rate"),
    };
  },
  protobuf: async (rpc) => {
    const { params } = await (await client(rpc)).Params();
    return {
      unbondingTime: durationOf(params.unbondingTime),
      maxValidators: params.maxValidators,
      maxEntries: params.maxEntries,
      historicalEntries: params.historicalEntries,
      bondDenom: params.bondDenom,
      minCommissionRate: toInteger(
        params.minCommissionRate,
        "params.minCommissionRate",
      ),
    };
  },
});

const both = (args: OfDelegator & OfValidator, facts: ChainFacts) => ({
  delegator: given(args.delegator, facts, "delegator"),
  validator: given(args.validator, facts, "validator"),
});

const between = (
  args: { readonly source?: string; readonly destination?: string },
  facts: ChainFacts,
): [string, string] => {
  const optional = (address: string | undefined) =>
    address === undefined ? "" : given(address, facts, "validator").valoper;
  return [optional(args.source), optional(args.destination)];
};
