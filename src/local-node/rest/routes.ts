import { fromAnyBase64 } from "../base64.js";
import type { Ledger } from "../ledger.js";
import { invalidArgument } from "../fault.js";
import { blockResultsJson } from "../node-rpc/block-results.js";
import { blockAt } from "../query/blocks.js";
import { ask } from "../query/index.js";
import { toJson } from "./json.js";
import { inPath, integer, type Query } from "./parameters.js";

// The gateway's JSON has many shapes; adjustments touch a few fields each.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/** What an answer is adjusted with. */
export interface Around {
  readonly query: Query;
  readonly ledger: Ledger;
  readonly height: bigint;
  /** Values of the path's wildcards. */
  readonly parts: readonly string[];
}

/**
 * A REST path, the query that answers it, and how the gateway adjusts the
 * answer.
 */
export interface Route {
  readonly pattern: RegExp;
  readonly path: string;
  readonly request?: (parts: readonly string[], query: Query) => object;
  readonly adjust?: (body: Json, around: Around) => unknown;
}

const S = "cosmos.staking.v1beta1.Query/";
const D = "cosmos.distribution.v1beta1.Query/";
const G = "cosmos.gov.v1.Query/";
const B = "cosmos.bank.v1beta1.Query/";
const A = "cosmos.auth.v1beta1.Query/";
const O = "cosmos.gov.v1beta1.Query/";
const L = "cosmos.slashing.v1beta1.Query/";
const M = "cosmos.mint.v1beta1.Query/";
const U = "cosmos.upgrade.v1beta1.Query/";
const T = "cosmos.base.tendermint.v1beta1.Service/";
const N = "cosmos.base.node.v1beta1.Service/";

/**
 * Creates a route.
 *
 * @param pattern the path without `/cosmos/`; `*` stands for one segment, which
 *   may be empty, and `**` for all that follow
 * @param path the query: `service/Method`
 */
export const route = (
  pattern: string,
  path: string,
  request?: Route["request"],
  adjust?: Route["adjust"],
): Route => ({
  pattern: new RegExp(
    `^/cosmos/${pattern.replaceAll(/\*\*?/g, (wild) => (wild === "*" ? "([^/]*)" : "(.*)"))}$`,
  ),
  path,
  request,
  adjust,
});

/** Reads a height in a path. @throws Fault when it is no integer */
export const heightIn = (text = ""): bigint =>
  integer(text, "int64", inPath("height"));

const proposalId = (text = ""): bigint =>
  integer(text, "uint64", inPath("proposal_id"));

const STATUSES = {
  PROPOSAL_STATUS_UNSPECIFIED: 0,
  PROPOSAL_STATUS_DEPOSIT_PERIOD: 1,
  PROPOSAL_STATUS_VOTING_PERIOD: 2,
  PROPOSAL_STATUS_PASSED: 3,
  PROPOSAL_STATUS_REJECTED: 4,
  PROPOSAL_STATUS_FAILED: 5,
} as const;

const proposalsIn = (q: Query) => ({
  proposalStatus: q.choice("proposal_status", "v1.ProposalStatus", STATUSES),
  voter: q.text("voter"),
  depositor: q.text("depositor"),
  pagination: q.page,
});

/** Paths of the framework's queries, as on the reference chain. */
export const ROUTES: readonly Route[] = [
  route("staking/v1beta1/validators", `${S}Validators`, (_p, q) => ({
    status: q.text("status"),
    pagination: q.page,
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
    ([delegatorAddr], q) => ({ delegatorAddr, pagination: q.page }),
  ),
  route(
    "staking/v1beta1/validators/*/delegations/*/unbonding_delegation",
    `${S}UnbondingDelegation`,
    ([validatorAddr, delegatorAddr]) => ({ validatorAddr, delegatorAddr }),
  ),
  route(
    "staking/v1beta1/delegators/*/unbonding_delegations",
    `${S}DelegatorUnbondingDelegations`,
    ([delegatorAddr], q) => ({ delegatorAddr, pagination: q.page }),
  ),
  route(
    "staking/v1beta1/delegators/*/redelegations",
    `${S}Redelegations`,
    ([delegatorAddr], q) => ({
      delegatorAddr,
      srcValidatorAddr: q.text("src_validator_addr"),
      dstValidatorAddr: q.text("dst_validator_addr"),
      pagination: q.page,
    }),
    // The framework writes this message with JSON code of its own.
    (body, { query: q }) => ({
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
    ([validatorAddr], q) => ({ validatorAddr, pagination: q.page }),
  ),
  route(
    "staking/v1beta1/validators/*/unbonding_delegations",
    `${S}ValidatorUnbondingDelegations`,
    ([validatorAddr], q) => ({ validatorAddr, pagination: q.page }),
  ),
  route(
    "staking/v1beta1/delegators/*/validators",
    `${S}DelegatorValidators`,
    ([delegatorAddr], q) => ({ delegatorAddr, pagination: q.page }),
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
      startingHeight: q.unsigned("starting_height"),
      endingHeight: q.unsigned("ending_height"),
      pagination: q.page,
    }),
  ),
  route("distribution/v1beta1/community_pool", `${D}CommunityPool`),
  route(
    "distribution/v1beta1/delegators/*/withdraw_address",
    `${D}DelegatorWithdrawAddress`,
    ([delegatorAddress]) => ({ delegatorAddress }),
  ),
  route("gov/v1/proposals", `${G}Proposals`, (_p, q) => proposalsIn(q)),
  route("gov/v1/proposals/*", `${G}Proposal`, ([id]) => ({
    proposalId: proposalId(id),
  })),
  route("gov/v1/proposals/*/votes", `${G}Votes`, ([id], q) => ({
    proposalId: proposalId(id),
    pagination: q.page,
  })),
  route("gov/v1/proposals/*/votes/*", `${G}Vote`, ([id, voter]) => ({
    proposalId: proposalId(id),
    voter,
  })),
  route("gov/v1/proposals/*/deposits", `${G}Deposits`, ([id], q) => ({
    proposalId: proposalId(id),
    pagination: q.page,
  })),
  route("gov/v1/proposals/*/deposits/*", `${G}Deposit`, ([id, depositor]) => ({
    proposalId: proposalId(id),
    depositor,
  })),
  route("gov/v1/constitution", `${G}Constitution`),
  route("gov/v1/proposals/*/tally", `${G}TallyResult`, ([id]) => ({
    proposalId: proposalId(id),
  })),
  route("gov/v1beta1/proposals", `${O}Proposals`, (_p, q) => proposalsIn(q)),
  route("gov/v1beta1/proposals/*", `${O}Proposal`, ([id]) => ({
    proposalId: proposalId(id),
  })),
  route("gov/v1beta1/proposals/*/votes", `${O}Votes`, ([id], q) => ({
    proposalId: proposalId(id),
    pagination: q.page,
  })),
  route("gov/v1beta1/proposals/*/votes/*", `${O}Vote`, ([id, voter]) => ({
    proposalId: proposalId(id),
    voter,
  })),
  route("gov/v1beta1/proposals/*/deposits", `${O}Deposits`, ([id], q) => ({
    proposalId: proposalId(id),
    pagination: q.page,
  })),
  route(
    "gov/v1beta1/proposals/*/deposits/*",
    `${O}Deposit`,
    ([id, depositor]) => ({
      proposalId: proposalId(id),
      depositor,
    }),
  ),
  route("gov/v1beta1/proposals/*/tally", `${O}TallyResult`, ([id]) => ({
    proposalId: proposalId(id),
  })),
  route("gov/v1beta1/params/*", `${O}Params`, ([paramsType]) => ({
    paramsType,
  })),
  route("gov/v1/params/*", `${G}Params`, ([paramsType]) => ({ paramsType })),
  route("bank/v1beta1/balances/*/by_denom", `${B}Balance`, ([address], q) => ({
    address,
    denom: q.text("denom"),
  })),
  route("bank/v1beta1/balances/*", `${B}AllBalances`, ([address], q) => ({
    address,
    pagination: q.page,
  })),
  route(
    "bank/v1beta1/spendable_balances/*",
    `${B}SpendableBalances`,
    ([address], q) => ({ address, pagination: q.page }),
  ),
  route(
    "bank/v1beta1/spendable_balances/*/by_denom",
    `${B}SpendableBalanceByDenom`,
    ([address], q) => ({ address, denom: q.text("denom") }),
  ),
  route("bank/v1beta1/supply", `${B}TotalSupply`, (_p, q) => ({
    pagination: q.page,
  })),
  route("bank/v1beta1/supply/by_denom", `${B}SupplyOf`, (_p, q) => ({
    denom: q.text("denom"),
  })),
  route("bank/v1beta1/denoms_metadata", `${B}DenomsMetadata`, (_p, q) => ({
    pagination: q.page,
  })),
  route("bank/v1beta1/denoms_metadata/**", `${B}DenomMetadata`, ([denom]) => ({
    denom,
  })),
  route(
    "bank/v1beta1/denoms_metadata_by_query_string",
    `${B}DenomMetadataByQueryString`,
    (_p, q) => ({ denom: q.text("denom") }),
  ),
  route("bank/v1beta1/denom_owners/**", `${B}DenomOwners`, ([denom], q) => ({
    denom,
    pagination: q.page,
  })),
  route(
    "bank/v1beta1/denom_owners_by_query",
    `${B}DenomOwnersByQuery`,
    (_p, q) => ({ denom: q.text("denom"), pagination: q.page }),
  ),
  route(
    "bank/v1beta1/send_enabled",
    `${B}SendEnabled`,
    (_p, q) => ({
      denoms: q.has("denoms") ? [q.text("denoms")] : [],
      pagination: q.page,
    }),
    (body) => ({ pagination: null, ...body }),
  ),
  route("bank/v1beta1/params", `${B}Params`),
  route("auth/v1beta1/accounts", `${A}Accounts`, (_p, q) => ({
    pagination: q.page,
  })),
  route("auth/v1beta1/accounts/*", `${A}Account`, ([address]) => ({ address })),
  route(
    "auth/v1beta1/address_by_id/*",
    `${A}AccountAddressByID`,
    ([id = ""], q) => ({
      id: integer(id, "int64", inPath("id")),
      accountId: q.unsigned("account_id"),
    }),
  ),
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
  route("auth/v1beta1/bech32/*", `${A}AddressBytesToString`, ([text = ""]) => ({
    addressBytes: fromAnyBase64(text, (why) =>
      invalidArgument(`${inPath("address_bytes")}${why}`),
    ),
  })),
  route(
    "staking/v1beta1/historical_info/*",
    `${S}HistoricalInfo`,
    ([height]) => ({ height: heightIn(height) }),
  ),
  route("slashing/v1beta1/params", `${L}Params`),
  route("slashing/v1beta1/signing_infos", `${L}SigningInfos`, (_p, q) => ({
    pagination: q.page,
  })),
  route(
    "slashing/v1beta1/signing_infos/*",
    `${L}SigningInfo`,
    ([consAddress]) => ({ consAddress }),
  ),
  // The framework's newest fields exist in its JSON only, not in the message
  // types here.
  route("mint/v1beta1/params", `${M}Params`, undefined, ({ params }) => ({
    params: { ...params, max_supply: "0" },
  })),
  route("mint/v1beta1/inflation", `${M}Inflation`),
  route("mint/v1beta1/annual_provisions", `${M}AnnualProvisions`),
  route(
    "consensus/v1/params",
    "cosmos.consensus.v1.Query/Params",
    undefined,
    ({ params }) => ({ params: { ...params, authority: { authority: "" } } }),
  ),
  route("upgrade/v1beta1/current_plan", `${U}CurrentPlan`, undefined, () => ({
    plan: null,
  })),
  route("upgrade/v1beta1/applied_plan/*", `${U}AppliedPlan`, ([name]) => ({
    name,
  })),
  route("upgrade/v1beta1/module_versions", `${U}ModuleVersions`, (_p, q) => ({
    moduleName: q.text("module_name"),
  })),
  route("upgrade/v1beta1/authority", `${U}Authority`),
  route("base/tendermint/v1beta1/blocks/latest", `${T}GetLatestBlock`),
  route("base/tendermint/v1beta1/blocks/*", `${T}GetBlockByHeight`, ([of]) => ({
    height: heightIn(of),
  })),
  // The message types here lack this query: the route borrows Config and builds
  // the answer itself.
  route(
    "base/tendermint/v1beta1/block_results/*",
    `${N}Config`,
    undefined,
    async (_body, { ledger, parts: [of = ""] }) => {
      const block = await blockAt(
        ledger,
        of === "latest" ? ledger.height : heightIn(of),
      );
      const results = await blockResultsJson(ledger, block);
      const updates = await ask(
        ledger,
        "cosmos.consensus.v1.Query/Params",
        {},
        0n,
      );
      return {
        ...results,
        txs_results: results.txs_results ?? [],
        validator_updates: results.validator_updates ?? [],
        consensus_param_updates: {
          ...(toJson(updates["params"], ["params"]) as object),
          authority: { authority: "" },
        },
      };
    },
  ),
  route(
    "base/tendermint/v1beta1/validatorsets/latest",
    `${T}GetLatestValidatorSet`,
    (_p, q) => ({ pagination: q.page }),
  ),
  route(
    "base/tendermint/v1beta1/validatorsets/*",
    `${T}GetValidatorSetByHeight`,
    ([of], q) => ({ height: heightIn(of), pagination: q.page }),
  ),
  route("base/tendermint/v1beta1/abci_query", `${T}ABCIQuery`, (_p, q) => ({
    path: q.text("path"),
    data: q.bytes("data"),
    height: q.signed("height"),
    prove: q.flag("prove"),
  })),
  route("base/node/v1beta1/status", `${N}Status`),
  route("base/node/v1beta1/config", `${N}Config`),
  route(
    "base/tendermint/v1beta1/syncing",
    `${T}GetSyncing`,
    undefined,
    (body, { ledger }) => ({
      ...body,
      earliest_block_height: String(ledger.firstHeight),
      latest_block_height: String(ledger.height),
    }),
  ),
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
