import { proposalStatusFromJSON } from "cosmjs-types/cosmos/gov/v1/gov";

import { cleanText } from "../../support/text.js";
import type { Ledger } from "../ledger.js";
import { Fault, invalidArgument } from "../fault.js";
import { blockResultsJson } from "../node-rpc/block-results.js";
import { blockAt } from "../query/blocks.js";
import { ask } from "../query/index.js";
import { toJson } from "./json.js";

// The gateway's JSON has many shapes; adjustments touch a few fields each.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/** What an answer is adjusted with. */
export interface Around {
  readonly query: URLSearchParams;
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
  readonly request?: (
    parts: readonly string[],
    query: URLSearchParams,
  ) => object;
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
 * @param pattern the path without `/cosmos/`; `*` stands for one segment
 * @param path the query: `service/Method`
 */
export const route = (
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

const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Reads an unsigned 64-bit integer with Go's errors.
 *
 * @param before text before the error
 * @throws Fault when it is not one
 */
function unsigned(text: string, before = ""): bigint {
  const refused = (why: string) =>
    invalidArgument(
      `${before}strconv.ParseUint: parsing "${cleanText(text, 40)}": ${why}`,
    );
  if (!/^\d+$/.test(text)) throw refused("invalid syntax");
  if (BigInt(text) > MAX_UINT64) throw refused("value out of range");
  return BigInt(text);
}

/**
 * Reads a height in a path.
 *
 * @throws Fault when it is not a 64-bit integer
 */
export function heightIn(text = ""): bigint {
  const refused = (why: string) =>
    invalidArgument(
      `type mismatch, parameter: height, error: strconv.ParseInt: parsing "${cleanText(text, 40)}": ${why}`,
    );
  if (!/^-?\d+$/.test(text)) throw refused("invalid syntax");
  if (BigInt(text) >= 2n ** 63n) throw refused("value out of range");
  return BigInt(text);
}

/**
 * Reads the pagination parameters.
 *
 * @throws Fault when one is invalid
 */
export const paging = (query: URLSearchParams) => {
  const whole = (name: string) =>
    unsigned(query.get(`pagination.${name}`) ?? "0");
  const key = query.get("pagination.key") ?? "";
  // An unescaped "+" arrives as a space. The gateway then tries the URL-safe
  // alphabet, in which "/" would be the first invalid character.
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

const proposalId = (text = ""): bigint =>
  unsigned(text, "type mismatch, parameter: proposal_id, error: ");

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

/**
 * Reads bytes in base64.
 *
 * @throws Fault when they are not base64
 */
function base64In(name: string, text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== text.replace(/=+$/, "")) {
    const bad =
      /[^A-Za-z0-9+/]/.exec(text)?.index ?? text.length - (text.length % 4);
    throw invalidArgument(
      `type mismatch, parameter: ${name}, error: illegal base64 data at input byte ${bad}`,
    );
  }
  return new Uint8Array(bytes);
}

/** Paths of the framework's queries, as on the reference chain. */
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
  route("gov/v1beta1/proposals", `${O}Proposals`, (_p, q) => ({
    proposalStatus: proposalStatus(q.get("proposal_status")),
    voter: q.get("voter") ?? "",
    depositor: q.get("depositor") ?? "",
    pagination: paging(q),
  })),
  route("gov/v1beta1/proposals/*", `${O}Proposal`, ([id]) => ({
    proposalId: proposalId(id),
  })),
  route("gov/v1beta1/proposals/*/votes", `${O}Votes`, ([id], q) => ({
    proposalId: proposalId(id),
    pagination: paging(q),
  })),
  route("gov/v1beta1/proposals/*/votes/*", `${O}Vote`, ([id, voter]) => ({
    proposalId: proposalId(id),
    voter,
  })),
  route("gov/v1beta1/proposals/*/deposits", `${O}Deposits`, ([id], q) => ({
    proposalId: proposalId(id),
    pagination: paging(q),
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
  route("auth/v1beta1/bech32/*", `${A}AddressBytesToString`, ([text = ""]) => ({
    addressBytes: base64In("address_bytes", text),
  })),
  route(
    "staking/v1beta1/historical_info/*",
    `${S}HistoricalInfo`,
    ([height]) => ({ height: heightIn(height) }),
  ),
  route("slashing/v1beta1/params", `${L}Params`),
  route("slashing/v1beta1/signing_infos", `${L}SigningInfos`, (_p, q) => ({
    pagination: paging(q),
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
    moduleName: q.get("module_name") ?? "",
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
    (_p, q) => ({ pagination: paging(q) }),
  ),
  route(
    "base/tendermint/v1beta1/validatorsets/*",
    `${T}GetValidatorSetByHeight`,
    ([of], q) => ({ height: heightIn(of), pagination: paging(q) }),
  ),
  route("base/tendermint/v1beta1/abci_query", `${T}ABCIQuery`, (_p, q) => ({
    path: q.get("path") ?? "",
    data: base64In("data", q.get("data") ?? ""),
    height: heightIn(q.get("height") ?? "0"),
    prove: q.get("prove") === "true",
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
