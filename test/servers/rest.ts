import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

import { MsgCommunityPoolSpend } from "cosmjs-types/cosmos/distribution/v1beta1/tx";
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import { bondStatusToJSON } from "cosmjs-types/cosmos/staking/v1beta1/staking";
import {
  proposalStatusFromJSON,
  proposalStatusToJSON,
  voteOptionToJSON,
} from "cosmjs-types/cosmos/gov/v1/gov";

import { messageTypes } from "../../src/commands/watch/message-types.js";
import { transactionHash } from "./bank-send.js";
import { ask, Fault, stateAt } from "./queries.js";
import type { Chain, State } from "./state.js";

/** The REST endpoint: GET paths over the same services as gRPC's, in the gateway's JSON. */

interface Route {
  readonly pattern: RegExp;
  readonly path: string;
  readonly request?: (
    parts: readonly string[],
    query: URLSearchParams,
  ) => object;
  readonly adjust?: (body: any, query: URLSearchParams) => unknown;
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

const page = (query: URLSearchParams) => {
  const whole = (name: string) => {
    const text = query.get(`pagination.${name}`) ?? "0";
    if (!/^\d+$/.test(text)) {
      throw new Fault(
        3,
        `parsing field "${name}": strconv.ParseUint: parsing "${text}": invalid syntax`,
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

const ROUTES: readonly Route[] = [
  route("staking/v1beta1/validators", `${S}Validators`, (_p, q) => ({
    status: q.get("status") ?? "",
    pagination: page(q),
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
    ([delegatorAddr], q) => ({ delegatorAddr, pagination: page(q) }),
  ),
  route(
    "staking/v1beta1/validators/*/delegations/*/unbonding_delegation",
    `${S}UnbondingDelegation`,
    ([validatorAddr, delegatorAddr]) => ({ validatorAddr, delegatorAddr }),
  ),
  route(
    "staking/v1beta1/delegators/*/unbonding_delegations",
    `${S}DelegatorUnbondingDelegations`,
    ([delegatorAddr], q) => ({ delegatorAddr, pagination: page(q) }),
  ),
  route(
    "staking/v1beta1/delegators/*/redelegations",
    `${S}Redelegations`,
    ([delegatorAddr], q) => ({
      delegatorAddr,
      srcValidatorAddr: q.get("src_validator_addr") ?? "",
      dstValidatorAddr: q.get("dst_validator_addr") ?? "",
      pagination: page(q),
    }),
    // This message writes its JSON itself.
    (body, q) => ({
      redelegation_responses: body.redelegation_responses.map(
        (response: any) => ({
          redelegation: { ...response.redelegation, entries: null },
          entries: response.entries.map(
            ({
              redelegation_entry: { unbonding_on_hold_ref_count: _, ...entry },
              balance,
            }: any) => ({
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
  route("distribution/v1beta1/community_pool", `${D}CommunityPool`),
  route(
    "distribution/v1beta1/delegators/*/withdraw_address",
    `${D}DelegatorWithdrawAddress`,
    ([delegatorAddress]) => ({ delegatorAddress }),
  ),
  route("gov/v1/proposals", `${G}Proposals`, (_p, q) => ({
    proposalStatus: q.has("proposal_status")
      ? proposalStatusFromJSON(q.get("proposal_status"))
      : 0,
    voter: q.get("voter") ?? "",
    depositor: q.get("depositor") ?? "",
    pagination: page(q),
  })),
  route("gov/v1/proposals/*", `${G}Proposal`, ([id]) => ({
    proposalId: BigInt(id ?? 0),
  })),
  route("gov/v1/proposals/*/votes", `${G}Votes`, ([id], q) => ({
    proposalId: BigInt(id ?? 0),
    pagination: page(q),
  })),
  route("gov/v1/proposals/*/votes/*", `${G}Vote`, ([id, voter]) => ({
    proposalId: BigInt(id ?? 0),
    voter,
  })),
  route("gov/v1/proposals/*/deposits", `${G}Deposits`, ([id], q) => ({
    proposalId: BigInt(id ?? 0),
    pagination: page(q),
  })),
  route("gov/v1/proposals/*/tally", `${G}TallyResult`, ([id]) => ({
    proposalId: BigInt(id ?? 0),
  })),
  route("gov/v1/params/*", `${G}Params`, ([paramsType]) => ({ paramsType })),
  route("bank/v1beta1/balances/*/by_denom", `${B}Balance`, ([address], q) => ({
    address,
    denom: q.get("denom") ?? "",
  })),
  route("bank/v1beta1/balances/*", `${B}AllBalances`, ([address], q) => ({
    address,
    pagination: page(q),
  })),
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

const EVM: Readonly<Record<string, (state: State, chain: Chain) => object>> = {
  "/cosmos/evm/vm/v1/params": ({ evm }) => ({
    params: {
      evm_denom: evm.denom,
      extra_eips: [],
      evm_channels: [],
      access_control: {
        create: {
          access_type: "ACCESS_TYPE_PERMISSIONLESS",
          access_control_list: [],
        },
        call: {
          access_type: "ACCESS_TYPE_PERMISSIONLESS",
          access_control_list: [],
        },
      },
      active_static_precompiles: evm.precompiles,
      history_serve_window: "8192",
      extended_denom_options: { extended_denom: "stake" },
    },
  }),
  "/cosmos/evm/vm/v1/config": ({ evm }, { evmChainId }) => ({
    config: {
      homestead_block: "0",
      chain_id: String(evmChainId),
      denom: evm.denom,
      decimals: "18",
    },
  }),
  "/cosmos/evm/vm/v1/base_fee": ({ evm }) => ({
    base_fee: String(evm.baseFee),
  }),
  "/cosmos/evm/vm/v1/min_gas_price": ({ evm }) => ({
    min_gas_price: String(evm.minGasPrice),
  }),
  "/cosmos/evm/feemarket/v1/params": ({ evm }) => ({
    params: {
      no_base_fee: false,
      base_fee_change_denominator: 8,
      elasticity_multiplier: 2,
      enable_height: "0",
      base_fee: `${evm.baseFee}.${"0".repeat(18)}`,
      min_gas_price: `${evm.minGasPrice}.${"0".repeat(18)}`,
      min_gas_multiplier: decimal(String(evm.minGasMultiplier)),
    },
  }),
};

export class RestServer {
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, unknown>>;
  }[] = [];
  /** Imitates a gateway that does not pass the height's header on. */
  dropHeight = false;
  readonly #chain: Chain;
  readonly #base: string;
  readonly #server: Server;

  private constructor(chain: Chain, base: string) {
    this.#chain = chain;
    this.#base = base;
    this.#server = createServer((request, response) => {
      this.#serve(request, response);
    });
  }

  /** @param base a path under which a gateway serves the endpoint, such as `/api` */
  static async start(
    chain: Chain,
    base = "",
    { port = 0 }: { readonly port?: number } = {},
  ): Promise<RestServer> {
    const server = new RestServer(chain, base);
    await new Promise<void>((resolve) =>
      server.#server.listen(port, "127.0.0.1", resolve),
    );
    return server;
  }

  get lastHeaders(): Readonly<Record<string, unknown>> {
    return this.requests.at(-1)?.headers ?? {};
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#base}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const raw = request.url ?? "/";
    this.requests.push({
      method: request.method ?? "",
      path: raw,
      headers: request.headers,
    });
    const path = raw.startsWith(this.#base)
      ? raw.slice(this.#base.length)
      : raw;
    if (/\/\/|\/\.\.?(?:\/|$)/.test(path.split("?")[0] ?? "")) {
      response
        .writeHead(301, {
          location: new URL(path.replace(/\/+/g, "/"), "http://x").pathname,
        })
        .end();
      return;
    }
    const header = this.dropHeight
      ? undefined
      : request.headers["x-cosmos-block-height"];
    const height =
      header === undefined ? this.#chain.height : BigInt(String(header));
    const send = (
      status: number,
      body: unknown,
      extra: Record<string, string> = {},
    ) => {
      response
        .writeHead(status, { "content-type": "application/json", ...extra })
        .end(JSON.stringify(body));
    };
    try {
      const body = this.#answer(
        request.method ?? "",
        new URL(path, "http://x"),
        height,
      );
      send(200, body, {
        "x-cosmos-block-height": String(height),
        "grpc-metadata-x-cosmos-block-height": String(height),
      });
    } catch (error) {
      if (!(error instanceof Fault)) {
        throw error;
      }
      const status = { 3: 400, 5: 404, 12: 501 }[error.code] ?? 500;
      send(status, { code: error.code, message: error.message, details: [] });
    }
  }

  #answer(method: string, url: URL, height: bigint): unknown {
    const state = stateAt(this.#chain, height);
    if (method === "GET" && url.pathname === "/cosmos/tx/v1beta1/txs") {
      return transactionsOf(this.#chain, url.searchParams);
    }
    const evm = EVM[url.pathname];
    if (method === "GET" && evm !== undefined) {
      return evm(state, this.#chain);
    }
    for (const { pattern, path, request, adjust } of method === "GET"
      ? ROUTES
      : []) {
      const match = pattern.exec(url.pathname);
      if (match !== null) {
        const message = request?.(match.slice(1), url.searchParams) ?? {};
        const body = toJson(ask(this.#chain, path, message, height), []);
        return adjust === undefined ? body : adjust(body, url.searchParams);
      }
    }
    throw new Fault(12, "Not Implemented", { code: 6, log: "" });
  }
}

// A search by height alone; it pages by number and says the total.
function transactionsOf(chain: Chain, query: URLSearchParams): object {
  const height = /^tx\.height=(\d+)$/.exec(query.get("query") ?? "")?.[1];
  if (height === undefined) {
    throw new Fault(2, "query cannot be empty", { code: 18, log: "" });
  }
  const limit = Number(query.get("limit") ?? 100);
  const page = Number(query.get("page") ?? 1);
  const all = chain.modules.get(BigInt(height))?.transactions ?? [];
  if (page > 1 && (page - 1) * limit >= all.length) {
    throw new Fault(2, `page should be within [1, 1] range, given ${page}`, {
      code: 18,
      log: "",
    });
  }
  const found = all.slice((page - 1) * limit, page * limit);
  return {
    txs: found.map(() => ({})),
    tx_responses: found.map(({ bytes, code = 0, log = "", events }) => ({
      height,
      txhash: transactionHash(bytes),
      codespace: code === 0 ? "" : "sdk",
      code,
      raw_log: log,
      tx: {
        "@type": "/cosmos.tx.v1beta1.Tx",
        body: {
          messages: messageTypes(bytes).map((type) => ({ "@type": type })),
        },
      },
      gas_wanted: "100000",
      gas_used: "50000",
      events: events.map(({ type, attributes }) => ({
        type,
        attributes: attributes.map((one) => ({ ...one, index: true })),
      })),
    })),
    pagination: null,
    total: String(all.length),
  };
}

const snake = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const decimal = (text: string) => {
  const digits = text.padStart(19, "0");
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
};

const DECIMALS = new Set([
  "delegatorShares",
  "shares",
  "sharesDst",
  "rate",
  "maxRate",
  "maxChangeRate",
  "minCommissionRate",
]);
// Lists whose coins have a fraction.
const DEC_COINS = new Set(["rewards", "reward", "total", "commission", "pool"]);

const isTime = (value: object): value is { seconds: bigint; nanos: number } =>
  "seconds" in value && "nanos" in value;

// The gateway's JSON of a message: by the names of its fields, since decimals,
// times and enums are texts and numbers like others in the message itself.
function toJson(value: unknown, path: readonly string[]): unknown {
  const name = path.at(-1) ?? "";
  if (typeof value === "bigint") {
    return String(value);
  }
  if (
    typeof value === "string" &&
    (DECIMALS.has(name) ||
      (name === "amount" && DEC_COINS.has(path.at(-2) ?? "")))
  ) {
    return decimal(value);
  }
  if (typeof value === "number") {
    if (name === "status") {
      return path.includes("validators") || path.includes("validator")
        ? bondStatusToJSON(value)
        : proposalStatusToJSON(value);
    }
    return name === "option" ? voteOptionToJSON(value) : value;
  }
  if (value instanceof Uint8Array) {
    return value.length === 0 ? null : Buffer.from(value).toString("base64");
  }
  if (Array.isArray(value)) {
    return value.map((item) => toJson(item, path));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isTime(value)) {
    return /(?:Period|unbondingTime)$/.test(name) &&
      path.some((part) => /params/i.test(part))
      ? duration(value)
      : time(value);
  }
  if ("typeUrl" in value && "value" in value) {
    return anyToJson(value as { typeUrl: string; value: Uint8Array });
  }
  const entries = Object.entries(value).filter(
    ([, item]) => item !== undefined,
  );
  const body = Object.fromEntries(
    entries.map(([key, item]) => [snake(key), toJson(item, [...path, key])]),
  );
  return { ...MISSING(path, value), ...body };
}

// What the gateway writes although the message has nothing there.
function MISSING(path: readonly string[], value: object): object {
  if (path.length === 0 && "params" in value && "votingParams" in value) {
    return { voting_params: null, deposit_params: null, tally_params: null };
  }
  const name = path.at(-1);
  if (name === "proposal" || name === "proposals") {
    return {
      submit_time: null,
      deposit_end_time: null,
      voting_start_time: null,
      voting_end_time: null,
    };
  }
  return name === "info" ? { pub_key: null } : {};
}

const duration = ({ seconds, nanos }: { seconds: bigint; nanos: number }) =>
  nanos === 0
    ? `${seconds}s`
    : `${seconds}.${String(nanos).padStart(9, "0").replace(/0+$/, "")}s`;

function time({ seconds, nanos }: { seconds: bigint; nanos: number }): string {
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction =
    nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${whole}${fraction}Z`;
}

function anyToJson({
  typeUrl,
  value,
}: {
  typeUrl: string;
  value: Uint8Array;
}): object {
  if (typeUrl === "/cosmos.bank.v1beta1.MsgSend") {
    return {
      "@type": typeUrl,
      ...(toJson(MsgSend.decode(value), []) as object),
    };
  }
  if (typeUrl === "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend") {
    return {
      "@type": typeUrl,
      ...(toJson(MsgCommunityPoolSpend.decode(value), []) as object),
    };
  }
  return {
    "@type": typeUrl,
    key: Buffer.from(value.subarray(2)).toString("base64"),
  };
}
