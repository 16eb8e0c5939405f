import type { HttpNetworkConfig } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import { ZERO_ADDRESS } from "../../address/zero.js";
import type { Ask, Exchange } from "../../rpc/pipeline.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";
import {
  accountIn,
  asksForAccounts,
  concernsAccounts,
  mustBeRemote,
} from "../../sending/accounts.js";
import { toPluginError } from "../errors.js";
import type { DualstackNetworkOptions } from "../types.js";
import type { AnyConnection, NextRequest } from "./handler.js";

/**
 * The accounts of a connection, found when they are needed. Hardhat fetches the
 * keys of a network with its first request of any kind, so even reading would
 * need a key. Here a second connection with the keys is created when something
 * asks for accounts or wants to sign.
 */
export class Wallet {
  readonly #context: HookContext;
  readonly #connection: AnyConnection;
  readonly #config: HttpNetworkConfig;
  readonly #options: DualstackNetworkOptions;
  readonly #askNode: Ask;
  #signer:
    | Promise<
        | { connection: AnyConnection; addresses: ReadonlySet<string> }
        | undefined
      >
    | undefined;

  constructor(
    context: HookContext,
    connection: AnyConnection,
    config: HttpNetworkConfig,
    options: DualstackNetworkOptions,
    askNode: Ask,
  ) {
    this.#context = context;
    this.#connection = connection;
    this.#config = config;
    this.#options = options;
    this.#askNode = askNode;
  }

  /**
   * The answer, or `undefined` if the request does not concern these accounts.
   *
   * @param next asks anyone else who may have accounts
   */
  async handle(
    request: JsonRpcRequest,
    next: NextRequest,
  ): Promise<JsonRpcResponse | undefined> {
    if (!concernsAccounts(request.method)) {
      return undefined;
    }
    this.#signer ??= this.#connect();
    let signer;
    try {
      signer = await this.#signer;
    } catch (error) {
      this.#signer = undefined;
      throw error;
    }
    const params = Array.isArray(request.params) ? request.params : [];
    const address = accountIn(request.method, params);
    if (
      signer === undefined ||
      (address !== undefined && !signer.addresses.has(address))
    ) {
      if (!asksForAccounts(request.method)) {
        await this.#mustBeThere(address);
      }
      return undefined;
    }
    try {
      const result = await signer.connection.provider.request({
        method: request.method,
        params,
      });
      return {
        jsonrpc: "2.0",
        id: request.id,
        result: Array.isArray(result)
          ? [
              ...(result as unknown[]),
              ...(await this.#onDevices(request, next)),
            ]
          : result,
      };
    } catch (error) {
      const rpc = rpcErrorOf(error);
      if (rpc === undefined) {
        throw error;
      }
      return { jsonrpc: "2.0", id: request.id, error: rpc };
    }
  }

  // Accounts of hardware wallets belong to another plugin, which may be below
  // or above this one.
  async #onDevices(
    request: JsonRpcRequest,
    next: NextRequest,
  ): Promise<unknown[]> {
    const known = devicesOf(this.#config);
    const answer = known.length === 0 ? undefined : await next(request);
    return answer !== undefined &&
      "result" in answer &&
      Array.isArray(answer.result)
      ? answer.result.filter((account) => known.includes(String(account)))
      : [];
  }

  async close(): Promise<void> {
    const signer = await this.#signer?.catch(() => undefined);
    this.#signer = undefined;
    await signer?.connection.close();
  }

  async #connect() {
    const { kind } = this.#options;
    const accounts =
      kind === undefined
        ? undefined
        : await this.#context.config.dualstack.networks[kind].accounts();
    if (accounts === undefined) {
      return undefined;
    }
    const { networkName: network, chainType } = this.#connection;
    const { chainId, from, gas, gasPrice, httpHeaders, timeout, url } =
      this.#config;
    const connection: AnyConnection = await this.#context.network.create({
      network,
      chainType,
      override: {
        accounts: "mnemonic" in accounts ? accounts : [...accounts],
        url: await url.getUrl(),
        gasMultiplier: this.#options.gas.multiplier,
        gas,
        gasPrice,
        httpHeaders,
        timeout,
        ...(chainId === undefined ? {} : { chainId }),
        ...(devicesOf(this.#config).length === 0 ? {} : { ledgerAccounts: [] }),
        ...(from === undefined ? {} : { from }),
      },
    });
    const answer = await connection.provider.request({
      method: "eth_accounts",
    });
    const addresses = Array.isArray(answer)
      ? answer.map((address) => String(address).toLowerCase())
      : [];
    return { connection, addresses: new Set(addresses) };
  }

  async #mustBeThere(address: string | undefined): Promise<void> {
    const { kind } = this.#options;
    if (kind !== undefined) {
      const network = this.#context.config.dualstack.networks[kind];
      await mustBeRemote(address, network, this.#askNode).catch((error) => {
        throw toPluginError(error);
      });
    }
  }
}

/**
 * Names the zero address as the sender of a call without one. Otherwise Hardhat
 * would name the first account, and ask for a key to do so.
 */
export function namingCaller(exchange: Exchange): Exchange {
  const [call, ...rest] = exchange.params;
  return exchange.method === "eth_call" &&
    isRecord(call) &&
    (call["from"] === undefined || call["from"] === null)
    ? {
        method: exchange.method,
        params: [{ ...call, from: ZERO_ADDRESS }, ...rest],
      }
    : exchange;
}

/** The accounts of the ledger plugin. */
function devicesOf(config: HttpNetworkConfig): readonly string[] {
  const accounts: unknown =
    "ledgerAccounts" in config ? config.ledgerAccounts : undefined;
  return Array.isArray(accounts)
    ? accounts.map((account) => String(account).toLowerCase())
    : [];
}
