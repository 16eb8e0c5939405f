import { proposalStatusFromJSON } from "cosmjs-types/cosmos/gov/v1/gov";

import { cleanText } from "../../support/text.js";
import { Fault, invalidArgument } from "../fault.js";

// The gateway's JSON has many shapes, and what is changed of them is a matter of few fields.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/** A path, the query that answers it, and what the gateway makes of that. */
export interface Route {
  readonly pattern: RegExp;
  readonly path: string;
  readonly request?: (
    parts: readonly string[],
    query: URLSearchParams,
  ) => object;
  readonly adjust?: (body: Json, query: URLSearchParams) => unknown;
}

const S = "cosmos.staking.v1beta1.Query/";
const D = "cosmos.distribution.v1beta1.Query/";
const G = "cosmos.gov.v1.Query/";
const B = "cosmos.bank.v1beta1.Query/";
const A = "cosmos.auth.v1beta1.Query/";
const T = "cosmos.base.tendermint.v1beta1.Service/";

const route = (
  pattern: string,
  path: string,
  request?: Route["request"],
  adjust?: Route["adjust"],
): Route => ({
  pattern: new RegExp(`^/cosmos/${pattern.replaceAll("*", "([^/]+)")}$`),
  path,
  request,
  adjust,
});

const paging = (query: URLSearchParams) => {
  const whole = (name: string) => {
    const text = query.get(`pagination.${name}`) ?? "0";
    if (!/^\d+$/.test(text)) {
      throw new Fault(
        3,
        `parsing field "${name}": strconv.ParseUint: parsing "${cleanText(text, 40)}": invalid syntax`,
        { code: 18, log: "" },
      );
    }
    return BigInt(text);
  };
  const key = query.get("pagination.key") ?? "";
  // A "+" that was not escaped has become a space; the other alphabet is tried
  // then, in which a "/" is the first to be wrong.
  const bad = /^[A-Za-z0-9+/]*=*$/.test(key)
    ? null
    : /[^A-Za-z0-9_=-]/.exec(key);
  if (bad !== null) {
    throw new Fault(3, `illegal base64 data at input byte ${bad.index}`, {
      code: 18,
      log: "",
    });
  }
  return {
    key: new Uint8Array(Buffer.from(key, "base64")),
    offset: whole("offset"),
    limit: whole("limit"),
    countTotal: query.get("pagination.count_total") === "true",
    reverse: query.get("pagination.reverse") === "true",
  };
};

function proposalId(text = ""): bigint {
  if (!/^\d+$/.test(text)) {
    throw invalidArgument(
      `type mismatch, parameter: proposal_id, error: strconv.ParseUint: parsing "${cleanText(text, 40)}": invalid syntax`,
    );
  }
  return BigInt(text);
}

function proposalStatus(text: string | null): number {
  if (text === null) {
    return 0;
  }
  const status: number = /^\d$/.test(text)
    ? Number(text)
    : proposalStatusFromJSON(text);
  if (status < 0) {
    throw invalidArgument(
      `${cleanText(text, 40)} is not a valid v1.ProposalStatus`,
    );
  }
  return status;
}

const whole = (text: string | null) =>
  /^\d+$/.test(text ?? "") ? BigInt(text ?? 0) : 0n;

/** The paths under the framework's prefix, as the reference chain calls it. */
export const ROUTES: readonly Route[] = [
  route("staking/v1beta1/validators", `${S}Validators`, (_p, q) => ({
    status: q.get("status") ?? "",
    pagination: paging(q),
  })),
  route("staking/v1beta1/validators/*", `${S}Validator`, ([validatorAddr]) => ({
    validatorAddr,
  })),
  route(
    "staking/v1beta1/validators/*/delegations/*",
    `${S}Delegation`,
    ([validatorAddr, delegatorAddr]) => ({ validatorAddr, delegatorAddr }),
  ),
  route(
    "staking/v1beta1/delegations/*",
    `${S}DelegatorDelegations`,
    ([delegatorAddr], q) => ({ delegatorAddr, pagination: paging(q) }),
  ),
  route(
    "staking/v1beta1/validators/*/delegations/*/unbonding_delegation",
    `${S}UnbondingDelegation`,
    ([validatorAddr, delegatorAddr]) => ({ validatorAddr, delegatorAddr }),
  ),
  route(
    "staking/v1beta1/delegators/*/unbonding_delegations",
    `${S}DelegatorUnbondingDelegations`,
    ([delegatorAddr], q) => ({ delegatorAddr, pagination: paging(q) }),
  ),
  route(
    "staking/v1beta1/delegators/*/redelegations",
    `${S}Redelegations`,
    ([delegatorAddr], q) => ({
      delegatorAddr,
      srcValidatorAddr: q.get("src_validator_addr") ?? "",
      dstValidatorAddr: q.get("dst_validator_addr") ?? "",
      pagination: paging(q),
    }),
    // This message writes its JSON itself.
    (body, q) => ({
      redelegation_responses: body.redelegation_responses.map(
        (response: Json) => ({
          redelegation: { ...response.redelegation, entries: null },
          entries: response.entries.map(
            ({
              redelegation_entry: { unbonding_on_hold_ref_count: _, ...entry },
              balance,
            }: Json) => ({
              redelegation_entry: {
                ...entry,
                creation_height: Number(entry.creation_height),
                unbonding_id: Number(entry.unbonding_id),
              },
              balance,
            }),
          ),
        }),
      ),
      pagination:
        q.has("src_validator_addr") && q.has("dst_validator_addr")
          ? null
          : body.pagination,
    }),
  ),
  route(
    "staking/v1beta1/validators/*/delegations",
    `${S}ValidatorDelegations`,
    ([validatorAddr], q) => ({ validatorAddr, pagination: paging(q) }),
  ),
  route(
    "staking/v1beta1/validators/*/unbonding_delegations",
    `${S}ValidatorUnbondingDelegations`,
    ([validatorAddr], q) => ({ validatorAddr, pagination: paging(q) }),
  ),
  route(
    "staking/v1beta1/delegators/*/validators",
    `${S}DelegatorValidators`,
    ([delegatorAddr], q) => ({ delegatorAddr, pagination: paging(q) }),
  ),
  route(
    "staking/v1beta1/delegators/*/validators/*",
    `${S}DelegatorValidator`,
    ([delegatorAddr, validatorAddr]) => ({ delegatorAddr, validatorAddr }),
  ),
  route("staking/v1beta1/pool", `${S}Pool`),
  route("staking/v1beta1/params", `${S}Params`),
  route(
    "distribution/v1beta1/delegators/*/rewards/*",
    `${D}DelegationRewards`,
    ([delegatorAddress, validatorAddress]) => ({
      delegatorAddress,
      validatorAddress,
    }),
  ),
  route(
    "distribution/v1beta1/delegators/*/rewards",
    `${D}DelegationTotalRewards`,
    ([delegatorAddress]) => ({ delegatorAddress }),
  ),
  route(
    "distribution/v1beta1/validators/*/commission",
    `${D}ValidatorCommission`,
    ([validatorAddress]) => ({ validatorAddress }),
  ),
  route(
    "distribution/v1beta1/validators/*/outstanding_rewards",
    `${D}ValidatorOutstandingRewards`,
    ([validatorAddress]) => ({ validatorAddress }),
  ),
  route("distribution/v1beta1/params", `${D}Params`),
  route(
    "distribution/v1beta1/delegators/*/validators",
    `${D}DelegatorValidators`,
    ([delegatorAddress]) => ({ delegatorAddress }),
  ),
  route(
    "distribution/v1beta1/validators/*",
    `${D}ValidatorDistributionInfo`,
    ([validatorAddress]) => ({ validatorAddress }),
  ),
  route(
    "distribution/v1beta1/validators/*/slashes",
    `${D}ValidatorSlashes`,
    ([validatorAddress], q) => ({
      validatorAddress,
      startingHeight: whole(q.get("starting_height")),
      endingHeight: whole(q.get("ending_height")),
      pagination: paging(q),
    }),
  ),
  route("distribution/v1beta1/community_pool", `${D}CommunityPool`),
  route(
    "distribution/v1beta1/delegators/*/withdraw_address",
    `${D}DelegatorWithdrawAddress`,
    ([delegatorAddress]) => ({ delegatorAddress }),
  ),
  route("gov/v1/proposals", `${G}Proposals`, (_p, q) => ({
    proposalStatus: proposalStatus(q.get("proposal_status")),
    voter: q.get("voter") ?? "",
    depositor: q.get("depositor") ?? "",
    pagination: paging(q),
  })),
  route("gov/v1/proposals/*", `${G}Proposal`, ([id]) => ({
    proposalId: proposalId(id),
  })),
  route("gov/v1/proposals/*/votes", `${G}Votes`, ([id], q) => ({
    proposalId: proposalId(id),
    pagination: paging(q),
  })),
  route("gov/v1/proposals/*/votes/*", `${G}Vote`, ([id, voter]) => ({
    proposalId: proposalId(id),
    voter,
  })),
  route("gov/v1/proposals/*/deposits", `${G}Deposits`, ([id], q) => ({
    proposalId: proposalId(id),
    pagination: paging(q),
  })),
  route("gov/v1/proposals/*/deposits/*", `${G}Deposit`, ([id, depositor]) => ({
    proposalId: proposalId(id),
    depositor,
  })),
  route("gov/v1/constitution", `${G}Constitution`),
  route("gov/v1/proposals/*/tally", `${G}TallyResult`, ([id]) => ({
    proposalId: proposalId(id),
  })),
  route("gov/v1/params/*", `${G}Params`, ([paramsType]) => ({ paramsType })),
  route("bank/v1beta1/balances/*/by_denom", `${B}Balance`, ([address], q) => ({
    address,
    denom: q.get("denom") ?? "",
  })),
  route("bank/v1beta1/balances/*", `${B}AllBalances`, ([address], q) => ({
    address,
    pagination: paging(q),
  })),
  route(
    "bank/v1beta1/spendable_balances/*",
    `${B}SpendableBalances`,
    ([address], q) => ({ address, pagination: paging(q) }),
  ),
  route(
    "bank/v1beta1/spendable_balances/*/by_denom",
    `${B}SpendableBalanceByDenom`,
    ([address], q) => ({ address, denom: q.get("denom") ?? "" }),
  ),
  route("bank/v1beta1/supply", `${B}TotalSupply`, (_p, q) => ({
    pagination: paging(q),
  })),
  route("bank/v1beta1/supply/by_denom", `${B}SupplyOf`, (_p, q) => ({
    denom: q.get("denom") ?? "",
  })),
  route("bank/v1beta1/denoms_metadata", `${B}DenomsMetadata`, (_p, q) => ({
    pagination: paging(q),
  })),
  route("bank/v1beta1/denoms_metadata/*", `${B}DenomMetadata`, ([denom]) => ({
    denom,
  })),
  route(
    "bank/v1beta1/denoms_metadata_by_query_string",
    `${B}DenomMetadataByQueryString`,
    (_p, q) => ({ denom: q.get("denom") ?? "" }),
  ),
  route("bank/v1beta1/params", `${B}Params`),
  route("auth/v1beta1/accounts", `${A}Accounts`, (_p, q) => ({
    pagination: paging(q),
  })),
  route("auth/v1beta1/accounts/*", `${A}Account`, ([address]) => ({ address })),
  route("auth/v1beta1/module_accounts", `${A}ModuleAccounts`),
  route(
    "auth/v1beta1/module_accounts/*",
    `${A}ModuleAccountByName`,
    ([name]) => ({ name }),
  ),
  route("auth/v1beta1/params", `${A}Params`),
  route("auth/v1beta1/bech32", `${A}Bech32Prefix`),
  route("auth/v1beta1/account_info/*", `${A}AccountInfo`, ([address]) => ({
    address,
  })),
  route("base/tendermint/v1beta1/syncing", `${T}GetSyncing`),
  route(
    "base/tendermint/v1beta1/node_info",
    `${T}GetNodeInfo`,
    undefined,
    ({ application_version: { cosmos_sdk_version, ...version }, ...rest }) => ({
      ...rest,
      application_version: { ...version, cosmos_sdk_version },
    }),
  ),
];
