import { parseAddress } from "../address/index.js";
import type { ChainFacts } from "../chain/facts.js";
import type { Json } from "./json.js";
import type { AddressForms, Queries } from "./query/index.js";
import { Fields, forms } from "./query/values.js";
import type { RestAnswer, RestClient, RestRequest } from "./rest.js";
import type { QueryOptions } from "./services.js";

/** Parameters of the EVM module; amounts in base units. */
export interface EvmParams {
  readonly evmDenom: string;
  /** Lower case, sorted. */
  readonly activeStaticPrecompiles: readonly string[];
  readonly extraEips: readonly string[];
}

export interface EvmConfig {
  readonly chainId: bigint;
  readonly denom: string;
  readonly decimals: number;
}

export interface FeeMarketParams {
  readonly noBaseFee: boolean;
  readonly baseFeeChangeDenominator: number;
  readonly elasticityMultiplier: number;
  /** Base units per gas. */
  readonly baseFee: bigint;
  /** Base units per gas. */
  readonly minGasPrice: bigint;
  /** The fraction of the gas limit that is charged at least, times 10^18. */
  readonly minGasMultiplier: bigint;
}

export interface AccountInfo {
  readonly address: AddressForms;
  /** May exceed 2^63. */
  readonly accountNumber: bigint;
  /** The nonce, which both stacks share. */
  readonly sequence: bigint;
}

export interface NodeInfo {
  readonly chainId: string;
  readonly cometVersion: string;
  /** Versions of replaced modules, such as the EVM's, are not visible from outside. */
  readonly sdkVersion: string;
  readonly moniker: string;
}

type Options = Omit<QueryOptions, "height"> & Pick<RestRequest, "height">;

const ONE = 10n ** 18n;

/**
 * The REST endpoint: any path under its two prefixes, the questions about the
 * framework's modules, and what only REST offers.
 */
export class Rest {
  readonly #client: RestClient;
  readonly #facts: ChainFacts;
  /** The questions of `query.staking`, over REST. */
  readonly staking: Queries<QueryOptions>["staking"];
  /** The questions of `query.distribution`, over REST. */
  readonly distribution: Queries<QueryOptions>["distribution"];
  /** The questions of `query.governance`, over REST. */
  readonly governance: Queries<QueryOptions>["governance"];
  /** The questions of `query.bank`, over REST. */
  readonly bank: Queries<QueryOptions>["bank"];

  constructor(
    client: RestClient,
    facts: ChainFacts,
    queries: Queries<QueryOptions>,
  ) {
    this.#client = client;
    this.#facts = facts;
    this.staking = queries.staking;
    this.distribution = queries.distribution;
    this.governance = queries.governance;
    this.bank = queries.bank;
  }

  /**
   * Reads a path such as `/cosmos/staking/v1beta1/params`.
   *
   * @throws FrameworkError for a path outside the two configured prefixes,
   * before anything is sent
   */
  async get(path: string, request?: RestRequest): Promise<RestAnswer> {
    return await this.#client.get(path, request);
  }

  /**
   * All items of a paginated list, as an async iterator; `key` is the field
   * that holds them.
   *
   * @throws FrameworkError while iterating, as `get` does
   */
  items(
    path: string,
    key: string,
    request?: RestRequest & { readonly limit?: bigint },
  ): AsyncGenerator<Json, void, undefined> {
    return this.#client.items(path, key, request);
  }

  /** The EVM's denomination, active precompiles and extra EIPs. */
  async evmParams(options?: Options): Promise<EvmParams> {
    const params = (await this.#network("/vm/v1/params", options)).object(
      "params",
    );
    return {
      evmDenom: params.text("evm_denom"),
      activeStaticPrecompiles: params.texts("active_static_precompiles"),
      extraEips: params.texts("extra_eips"),
    };
  }

  /** The EVM's chain ID, denomination and decimals. */
  async evmConfig(options?: Options): Promise<EvmConfig> {
    const config = (await this.#network("/vm/v1/config", options)).object(
      "config",
    );
    return {
      chainId: config.integer("chain_id"),
      denom: config.text("denom"),
      decimals: config.number("decimals"),
    };
  }

  /** The base fee of the newest block, in base units per gas. */
  async baseFee(options?: Options): Promise<bigint> {
    return (await this.#network("/vm/v1/base_fee", options)).integer(
      "base_fee",
    );
  }

  /** The lowest gas price that the chain accepts, in base units per gas. */
  async minGasPrice(options?: Options): Promise<bigint> {
    return (await this.#network("/vm/v1/min_gas_price", options)).integer(
      "min_gas_price",
    );
  }

  /** The parameters of the fee market; prices in base units per gas. */
  async feeMarketParams(options?: Options): Promise<FeeMarketParams> {
    const params = (
      await this.#network("/feemarket/v1/params", options)
    ).object("params");
    return {
      noBaseFee: params.flag("no_base_fee"),
      baseFeeChangeDenominator: params.number("base_fee_change_denominator"),
      elasticityMultiplier: params.number("elasticity_multiplier"),
      baseFee: params.decimal("base_fee") / ONE,
      minGasPrice: params.decimal("min_gas_price") / ONE,
      minGasMultiplier: params.decimal("min_gas_multiplier"),
    };
  }

  /** The prefix of the chain's bech32 addresses. */
  async bech32Prefix(options?: Options): Promise<string> {
    return (await this.#client.fields("/auth/v1beta1/bech32", options)).text(
      "bech32_prefix",
    );
  }

  /** An account's number, and the nonce that both stacks share. */
  async account(address: string, options?: Options): Promise<AccountInfo> {
    const { bech32Prefix: prefix } = this.#facts;
    const { account } = parseAddress(address, { prefix });
    const info = (
      await this.#client.fields(
        `/auth/v1beta1/account_info/${account}`,
        options,
      )
    ).object("info");
    return {
      address: forms(info.text("address"), prefix),
      accountNumber: info.integer("account_number"),
      sequence: info.integer("sequence"),
    };
  }

  /** The framework's chain ID, and the node's versions. */
  async nodeInfo(options?: Options): Promise<NodeInfo> {
    const answer = await this.#client.fields(
      "/base/tendermint/v1beta1/node_info",
      options,
    );
    const node = answer.object("default_node_info");
    return {
      chainId: node.text("network"),
      cometVersion: node.text("version"),
      moniker: node.text("moniker"),
      sdkVersion: answer
        .object("application_version")
        .text("cosmos_sdk_version"),
    };
  }

  /** Whether the node is still catching up with the chain. */
  async syncing(options?: Options): Promise<boolean> {
    return (
      await this.#client.fields("/base/tendermint/v1beta1/syncing", options)
    ).flag("syncing");
  }

  async #network(path: string, options?: Options): Promise<Fields> {
    const { body } = await this.#client.get(
      this.#client.networkPath(path),
      options,
    );
    return new Fields(body, path);
  }
}
