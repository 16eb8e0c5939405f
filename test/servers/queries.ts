import { addressForms, parseAddress } from "../../src/address/index.js";
import { fromHex } from "../../src/framework/query/values.js";
import * as auth from "cosmjs-types/cosmos/auth/v1beta1/query";
import {
  BaseAccount,
  ModuleAccount,
} from "cosmjs-types/cosmos/auth/v1beta1/auth";
import * as bank from "cosmjs-types/cosmos/bank/v1beta1/query";
import * as base from "cosmjs-types/cosmos/base/tendermint/v1beta1/query";
import * as distribution from "cosmjs-types/cosmos/distribution/v1beta1/query";
import * as gov from "cosmjs-types/cosmos/gov/v1/query";
import * as staking from "cosmjs-types/cosmos/staking/v1beta1/query";
import * as tx from "cosmjs-types/cosmos/tx/v1beta1/service";

import { simulate } from "./bank-send.js";
import type { Chain, State } from "./state.js";

/** A refusal, in the numberings of gRPC and REST, and of the node RPC. */
export class Fault extends Error {
  readonly code: number;
  readonly abci: {
    readonly code: number;
    readonly codespace: string;
    readonly log: string;
  };

  constructor(
    code: number,
    text: string,
    abci: { code: number; codespace?: string; log: string },
  ) {
    super(text);
    this.code = code;
    this.abci = { codespace: "sdk", ...abci };
  }
}

const notFound = (text: string) =>
  new Fault(5, text, {
    code: 22,
    log: `rpc error: code = NotFound desc = ${text}: key not found`,
  });

interface Codec<T> {
  decode(bytes: Uint8Array): T;
  encode(message: T): { finish(): Uint8Array };
  fromPartial(partial: object): T;
}

interface Method<Request = unknown, Response = unknown> {
  readonly request: Codec<Request>;
  readonly response: Codec<Response>;
  answer(state: State, request: Request, chain: Chain): object;
}

const method = <Request, Response>(
  request: Codec<Request>,
  response: Codec<Response>,
  answer: (state: State, request: Request, chain: Chain) => object,
): Method => ({ request, response, answer }) as unknown as Method;

interface PageRequest {
  readonly key: Uint8Array;
  readonly offset: bigint;
  readonly limit: bigint;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

/** Pages as the chain makes them: keys are what the store sorts by. */
export function paginate<T>(
  items: readonly T[],
  page: PageRequest | undefined,
  keyOf: (item: T) => Uint8Array,
): { items: T[]; pagination: { nextKey: Uint8Array; total: bigint } } {
  const { key, offset, limit, countTotal, reverse } = page ?? {
    key: new Uint8Array(),
    offset: 0n,
    limit: 0n,
    countTotal: false,
    reverse: false,
  };
  if (key.length > 0 && offset > 0n) {
    throw new Fault(
      13,
      "invalid request, either offset or key is expected, got both",
      { code: 18, log: "invalid request" },
    );
  }
  const ordered = reverse ? [...items].reverse() : [...items];
  const size = limit === 0n ? 100 : Number(limit);
  const start =
    key.length > 0
      ? ordered.findIndex((item) => Buffer.compare(keyOf(item), key) === 0)
      : Number(offset);
  // A key that is nowhere begins somewhere all the same.
  const from = start < 0 ? 0 : start;
  const next = ordered[from + size];
  return {
    items: ordered.slice(from, from + size),
    pagination: {
      nextKey: next === undefined ? new Uint8Array() : keyOf(next),
      total:
        key.length === 0 && (countTotal || limit === 0n)
          ? BigInt(items.length)
          : 0n,
    },
  };
}

const addressKey = (address: string) => {
  const bytes = fromHex(parseAddress(address).hex.slice(2));
  return Uint8Array.from([bytes.length, ...bytes]);
};
const idKey = (id: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(id);
  return new Uint8Array(bytes);
};

const account = (text: string, code = 2) => address(text, "account", code);
const valoper = (text: string) => address(text, "valoper", 2);

function address(text: string, form: "account" | "valoper", code: number) {
  try {
    return parseAddress(text)[form];
  } catch {
    throw new Fault(
      code,
      `codespace sdk code 9: unknown address: unknown address format: ${text}`,
      { code: 9, log: `unknown address format: ${text}: unknown address` },
    );
  }
}

function proposalOf(state: State, id: bigint) {
  const proposal = state.proposals.find((candidate) => candidate.id === id);
  if (proposal === undefined) {
    throw notFound(`proposal ${id} doesn't exist`);
  }
  return proposal;
}

const STAKING = "cosmos.staking.v1beta1.Query";
const DISTRIBUTION = "cosmos.distribution.v1beta1.Query";
const GOV = "cosmos.gov.v1.Query";
const BANK = "cosmos.bank.v1beta1.Query";
const AUTH = "cosmos.auth.v1beta1.Query";
const BASE = "cosmos.base.tendermint.v1beta1.Service";

/** The query services of the chain, by `service/Method`. */
export const METHODS: Readonly<Record<string, Method>> = {
  [`${STAKING}/Validators`]: method(
    staking.QueryValidatorsRequest,
    staking.QueryValidatorsResponse,
    (state, { status, pagination }) => {
      const names = [
        "",
        "BOND_STATUS_UNBONDED",
        "BOND_STATUS_UNBONDING",
        "BOND_STATUS_BONDED",
      ];
      const wanted = names.indexOf(status);
      if (wanted < 0) {
        throw new Fault(3, `invalid validator status ${status}`, {
          code: 18,
          log: `rpc error: code = InvalidArgument desc = invalid validator status ${status}: invalid request`,
        });
      }
      const page = paginate(
        state.validators.filter((v) => wanted === 0 || v.status === wanted),
        pagination,
        (v) => addressKey(v.operatorAddress),
      );
      return { validators: page.items, pagination: page.pagination };
    },
  ),
  [`${STAKING}/Validator`]: method(
    staking.QueryValidatorRequest,
    staking.QueryValidatorResponse,
    (state, { validatorAddr }) => {
      const wanted = valoper(validatorAddr);
      const validator = state.validators.find(
        (v) => v.operatorAddress === wanted,
      );
      if (validator === undefined) {
        throw notFound(`validator ${wanted} not found`);
      }
      return { validator };
    },
  ),
  [`${STAKING}/Delegation`]: method(
    staking.QueryDelegationRequest,
    staking.QueryDelegationResponse,
    (state, request) => {
      const [delegator, validator] = [
        account(request.delegatorAddr),
        valoper(request.validatorAddr),
      ];
      const delegationResponse = state.delegations.find(
        ({ delegation }) =>
          delegation.delegatorAddress === delegator &&
          delegation.validatorAddress === validator,
      );
      if (delegationResponse === undefined) {
        throw notFound(
          `delegation with delegator ${delegator} not found for validator ${validator}`,
        );
      }
      return { delegationResponse };
    },
  ),
  [`${STAKING}/DelegatorDelegations`]: method(
    staking.QueryDelegatorDelegationsRequest,
    staking.QueryDelegatorDelegationsResponse,
    (state, { delegatorAddr, pagination }) => {
      const delegator = account(delegatorAddr);
      const page = paginate(
        state.delegations.filter(
          (d) => d.delegation.delegatorAddress === delegator,
        ),
        pagination,
        (d) => addressKey(d.delegation.validatorAddress),
      );
      return { delegationResponses: page.items, pagination: page.pagination };
    },
  ),
  [`${STAKING}/UnbondingDelegation`]: method(
    staking.QueryUnbondingDelegationRequest,
    staking.QueryUnbondingDelegationResponse,
    (state, request) => {
      const [delegator, validator] = [
        account(request.delegatorAddr),
        valoper(request.validatorAddr),
      ];
      const unbond = state.unbondings.find(
        (u) =>
          u.delegatorAddress === delegator && u.validatorAddress === validator,
      );
      if (unbond === undefined) {
        throw notFound(
          `unbonding delegation with delegator ${delegator} not found for validator ${validator}`,
        );
      }
      return { unbond };
    },
  ),
  [`${STAKING}/DelegatorUnbondingDelegations`]: method(
    staking.QueryDelegatorUnbondingDelegationsRequest,
    staking.QueryDelegatorUnbondingDelegationsResponse,
    (state, { delegatorAddr, pagination }) => {
      const delegator = account(delegatorAddr);
      const page = paginate(
        state.unbondings.filter((u) => u.delegatorAddress === delegator),
        pagination,
        (u) => addressKey(u.validatorAddress),
      );
      return { unbondingResponses: page.items, pagination: page.pagination };
    },
  ),
  [`${STAKING}/Redelegations`]: method(
    staking.QueryRedelegationsRequest,
    staking.QueryRedelegationsResponse,
    (state, request) => {
      const delegator = account(request.delegatorAddr);
      const { srcValidatorAddr: source, dstValidatorAddr: destination } =
        request;
      const found = state.redelegations.filter(
        ({ redelegation: r }) =>
          r.delegatorAddress === delegator &&
          (source === "" || r.validatorSrcAddress === source) &&
          (destination === "" || r.validatorDstAddress === destination),
      );
      if (source !== "" && destination !== "") {
        if (found.length === 0) {
          const text = `rpc error: code = NotFound desc = redelegation not found for delegator address ${delegator} from validator address ${source}`;
          throw new Fault(13, text, { code: 1, log: `${text}: internal` });
        }
        return { redelegationResponses: found };
      }
      const page = paginate(found, request.pagination, (r) =>
        addressKey(r.redelegation.validatorSrcAddress),
      );
      return { redelegationResponses: page.items, pagination: page.pagination };
    },
  ),
  [`${STAKING}/Pool`]: method(
    staking.QueryPoolRequest,
    staking.QueryPoolResponse,
    (state) => ({ pool: state.pool }),
  ),
  [`${STAKING}/Params`]: method(
    staking.QueryParamsRequest,
    staking.QueryParamsResponse,
    (state) => ({ params: state.stakingParams }),
  ),
  [`${DISTRIBUTION}/DelegationRewards`]: method(
    distribution.QueryDelegationRewardsRequest,
    distribution.QueryDelegationRewardsResponse,
    (state, request) => {
      const [delegator, validator] = [
        account(request.delegatorAddress),
        valoper(request.validatorAddress),
      ];
      if (!state.validators.some((v) => v.operatorAddress === validator)) {
        throw new Fault(
          2,
          "codespace staking code 3: validator does not exist",
          {
            code: 3,
            codespace: "staking",
            log: "validator does not exist",
          },
        );
      }
      const found = state.rewards.find(
        (r) => r.delegator === delegator && r.validator === validator,
      );
      if (found === undefined) {
        const text = "no delegation for (address, validator) tuple";
        throw new Fault(2, `codespace staking code 19: ${text}`, {
          code: 6,
          log: `${text}: unknown request`,
        });
      }
      return { rewards: found.reward };
    },
  ),
  [`${DISTRIBUTION}/DelegationTotalRewards`]: method(
    distribution.QueryDelegationTotalRewardsRequest,
    distribution.QueryDelegationTotalRewardsResponse,
    (state, request) => {
      const delegator = account(request.delegatorAddress);
      const found = state.rewards.filter((r) => r.delegator === delegator);
      const sums = new Map<string, bigint>();
      for (const { denom, amount } of found.flatMap((r) => r.reward)) {
        sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount));
      }
      return {
        rewards: found.map(({ validator, reward }) => ({
          validatorAddress: validator,
          reward,
        })),
        total: [...sums].map(([denom, amount]) => ({
          denom,
          amount: String(amount),
        })),
      };
    },
  ),
  [`${DISTRIBUTION}/ValidatorCommission`]: method(
    distribution.QueryValidatorCommissionRequest,
    distribution.QueryValidatorCommissionResponse,
    (state, { validatorAddress }) => ({
      commission: {
        commission: state.commission.get(valoper(validatorAddress)) ?? [],
      },
    }),
  ),
  [`${DISTRIBUTION}/ValidatorOutstandingRewards`]: method(
    distribution.QueryValidatorOutstandingRewardsRequest,
    distribution.QueryValidatorOutstandingRewardsResponse,
    (state, { validatorAddress }) => ({
      rewards: {
        rewards: state.outstanding.get(valoper(validatorAddress)) ?? [],
      },
    }),
  ),
  [`${DISTRIBUTION}/CommunityPool`]: method(
    distribution.QueryCommunityPoolRequest,
    distribution.QueryCommunityPoolResponse,
    (state) => ({ pool: state.communityPool }),
  ),
  [`${DISTRIBUTION}/DelegatorWithdrawAddress`]: method(
    distribution.QueryDelegatorWithdrawAddressRequest,
    distribution.QueryDelegatorWithdrawAddressResponse,
    (state, { delegatorAddress }) => {
      const delegator = account(delegatorAddress);
      return {
        withdrawAddress: state.withdrawAddresses.get(delegator) ?? delegator,
      };
    },
  ),
  [`${GOV}/Proposals`]: method(
    gov.QueryProposalsRequest,
    gov.QueryProposalsResponse,
    (state, { proposalStatus, voter, depositor, pagination }) => {
      const page = paginate(
        state.proposals.filter(
          (p) =>
            (proposalStatus === 0 || p.status === proposalStatus) &&
            (voter === "" ||
              state.votes.some(
                (v) => v.proposalId === p.id && v.voter === voter,
              )) &&
            (depositor === "" ||
              state.deposits.some(
                (d) => d.proposalId === p.id && d.depositor === depositor,
              )),
        ),
        pagination,
        (p) => idKey(p.id),
      );
      return { proposals: page.items, pagination: page.pagination };
    },
  ),
  [`${GOV}/Proposal`]: method(
    gov.QueryProposalRequest,
    gov.QueryProposalResponse,
    (state, { proposalId }) => ({ proposal: proposalOf(state, proposalId) }),
  ),
  [`${GOV}/Votes`]: method(
    gov.QueryVotesRequest,
    gov.QueryVotesResponse,
    (state, { proposalId, pagination }) => {
      const page = paginate(
        state.votes.filter((v) => v.proposalId === proposalId),
        pagination,
        (v) => addressKey(v.voter),
      );
      return { votes: page.items, pagination: page.pagination };
    },
  ),
  [`${GOV}/Vote`]: method(
    gov.QueryVoteRequest,
    gov.QueryVoteResponse,
    (state, { proposalId, voter }) => {
      const vote = state.votes.find(
        (v) => v.proposalId === proposalId && v.voter === account(voter),
      );
      if (vote === undefined) {
        const text = `voter: ${voter} not found for proposal: ${proposalId}`;
        throw new Fault(3, text, {
          code: 18,
          log: `rpc error: code = InvalidArgument desc = ${text}: invalid request`,
        });
      }
      return { vote };
    },
  ),
  [`${GOV}/Deposits`]: method(
    gov.QueryDepositsRequest,
    gov.QueryDepositsResponse,
    (state, { proposalId, pagination }) => {
      const page = paginate(
        state.deposits.filter((d) => d.proposalId === proposalId),
        pagination,
        (d) => addressKey(d.depositor),
      );
      return { deposits: page.items, pagination: page.pagination };
    },
  ),
  [`${GOV}/TallyResult`]: method(
    gov.QueryTallyResultRequest,
    gov.QueryTallyResultResponse,
    (state, { proposalId }) => ({
      tally:
        state.tallies.get(proposalId) ??
        proposalOf(state, proposalId).finalTallyResult,
    }),
  ),
  [`${GOV}/Params`]: method(
    gov.QueryParamsRequest,
    gov.QueryParamsResponse,
    (state, { paramsType }) => ({
      ...(paramsType === "voting"
        ? {
            votingParams: { votingPeriod: state.governanceParams.votingPeriod },
          }
        : {}),
      params: state.governanceParams,
    }),
  ),
  [`${BANK}/Balance`]: method(
    bank.QueryBalanceRequest,
    bank.QueryBalanceResponse,
    (state, request) => ({
      balance: {
        denom: request.denom,
        amount:
          state.balances
            .get(account(request.address, 3))
            ?.find(({ denom }) => denom === request.denom)?.amount ?? "0",
      },
    }),
  ),
  [`${BANK}/AllBalances`]: method(
    bank.QueryAllBalancesRequest,
    bank.QueryAllBalancesResponse,
    (state, request) => {
      const page = paginate(
        state.balances.get(account(request.address, 3)) ?? [],
        request.pagination,
        ({ denom }) => new TextEncoder().encode(denom),
      );
      return { balances: page.items, pagination: page.pagination };
    },
  ),
  [`${AUTH}/Account`]: method(
    auth.QueryAccountRequest,
    auth.QueryAccountResponse,
    (state, request) => {
      const name = state.moduleAccounts?.get(request.address);
      if (name !== undefined) {
        return {
          account: {
            typeUrl: "/cosmos.auth.v1beta1.ModuleAccount",
            value: ModuleAccount.encode(
              ModuleAccount.fromPartial({
                baseAccount: { address: request.address },
                name,
              }),
            ).finish(),
          },
        };
      }
      const found = accountOf(state, request.address);
      return {
        account: {
          typeUrl: "/cosmos.auth.v1beta1.BaseAccount",
          value: BaseAccount.encode(found).finish(),
        },
      };
    },
  ),
  [`${AUTH}/AccountInfo`]: method(
    auth.QueryAccountInfoRequest,
    auth.QueryAccountInfoResponse,
    (state, request) => ({ info: accountOf(state, request.address) }),
  ),
  [`${AUTH}/Bech32Prefix`]: method(
    auth.Bech32PrefixRequest,
    auth.Bech32PrefixResponse,
    () => ({ bech32Prefix: "cosmos" }),
  ),
  [`${BASE}/GetSyncing`]: method(
    base.GetSyncingRequest,
    base.GetSyncingResponse,
    () => ({ syncing: false }),
  ),
  [`${BASE}/GetNodeInfo`]: method(
    base.GetNodeInfoRequest,
    base.GetNodeInfoResponse,
    (_state, _request, chain) => ({
      defaultNodeInfo: {
        network: chain.chainId,
        version: "0.39.0",
        moniker: "testnode",
      },
      applicationVersion: {
        appName: "<appd>",
        cosmosSdkVersion: "v0.54.3",
        buildDeps: [
          { path: "github.com/cosmos/evm", version: "v0.2.0", sum: "" },
        ],
      },
    }),
  ),
  ["cosmos.tx.v1beta1.Service/Simulate"]: method(
    tx.SimulateRequest,
    tx.SimulateResponse,
    (state, { txBytes }, chain) => ({
      gasInfo: { gasWanted: 0n, gasUsed: simulate(state, txBytes, chain) },
    }),
  ),
};

function accountOf(state: State, text: string) {
  const wanted = account(text, 3);
  const found = state.accounts.get(wanted);
  if (found === undefined) {
    throw notFound(`account ${wanted} not found`);
  }
  return found;
}

/** The state that a request asks for. */
export function stateAt(chain: Chain, height: bigint): State {
  if (height === 0n || height === chain.height) {
    return height === 0n ? chain.state : (chain.at(height) ?? chain.state);
  }
  if (height > chain.height) {
    const text =
      "cannot query with height in the future; please provide a valid height";
    throw new Fault(2, `codespace sdk code 26: invalid height: ${text}`, {
      code: 26,
      log: `${text}: invalid height`,
    });
  }
  const state = chain.at(height);
  if (state === undefined) {
    const text = `failed to load state at height ${height}; version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height (latest height: ${chain.height})`;
    throw new Fault(2, `codespace sdk code 38: not found: ${text}`, {
      code: 38,
      log: `${text}: not found`,
    });
  }
  return state;
}

/** One query, from its bytes to those of its answer. */
export function query(
  chain: Chain,
  service: string,
  name: string,
  request: Uint8Array,
  height: bigint,
): Uint8Array {
  const found = METHODS[`${service}/${name}`];
  if (found === undefined) {
    const known = Object.keys(METHODS).some((key) =>
      key.startsWith(`${service}/`),
    );
    throw new Fault(
      12,
      known
        ? `unknown method ${name} for service ${service}`
        : `unknown service ${service}`,
      { code: 6, log: "unknown query path: unknown request" },
    );
  }
  const state = stateAt(chain, height);
  let decoded: unknown;
  try {
    decoded = found.request.decode(request);
  } catch {
    throw new Fault(13, "grpc: error unmarshalling request: unexpected EOF", {
      code: 18,
      log: "unexpected EOF: invalid request",
    });
  }
  return found.response
    .encode(found.response.fromPartial(found.answer(state, decoded, chain)))
    .finish();
}

/** The same, with messages instead of bytes. */
export function ask(
  chain: Chain,
  path: string,
  request: object,
  height: bigint,
): Readonly<Record<string, unknown>> {
  const [service = "", name = ""] = path.split("/");
  const codec = METHODS[path];
  if (codec === undefined) {
    throw new Fault(12, "Not Implemented", {
      code: 6,
      log: "unknown query path",
    });
  }
  const bytes = query(
    chain,
    service,
    name,
    codec.request.encode(codec.request.fromPartial(request)).finish(),
    height,
  );
  return codec.response.decode(bytes) as Readonly<Record<string, unknown>>;
}

/** Hex of a bech32 address, as precompiles write it. */
export const hexOf = (text: string) =>
  addressForms(fromHex(parseAddress(text).hex.slice(2)), "hex", "cosmos").hex;
