import { HardhatPluginError } from "hardhat/plugins";
import type { HttpNetworkConfig } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import { variableName } from "../../chain/variables.js";
import type { Ask, Exchange } from "../../rpc/pipeline.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";
import { PLUGIN_ID } from "../constants.js";
import type { DualstackNetworkOptions } from "../types.js";
import type { AnyConnection, NextRequest } from "./attach.js";

const NOBODY = "0x0000000000000000000000000000000000000000";

/** Requests that an account answers, by the position of its address; the others name none. */
const METHODS: ReadonlyMap<string, number | undefined> = new Map([
  ["eth_accounts", undefined],
  ["eth_requestAccounts", undefined],
  ["eth_sendTransaction", 0],
  ["eth_sign", 0],
  ["personal_sign", 1],
  ["eth_signTypedData_v4", 0],
]);

/**
 * The accounts of a connection, found when one is needed. Hardhat fetches the
 * keys of a network with its first request of any kind, so that reading would
 * need a key too; here a second connection that has them is made when
 * something asks for accounts or wants to sign.
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
   * The answer, or nothing where the request is not about one of these accounts.
   *
   * @param next asks whoever else may have accounts
   */
  async handle(
    request: JsonRpcRequest,
    next: NextRequest,
  ): Promise<JsonRpcResponse | undefined> {
    if (!METHODS.has(request.method)) {
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
    const address = addressIn(params, METHODS.get(request.method));
    if (
      signer === undefined ||
      (address !== undefined && !signer.addresses.has(address))
    ) {
      if (signer === undefined && !request.method.endsWith("ccounts")) {
        await this.#mustBeRemote(address);
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

  // Accounts of hardware wallets are known to another plugin, below or above this one.
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

  // A node may hold accounts itself; one that does not would answer in its own words.
  async #mustBeRemote(address: string | undefined): Promise<void> {
    const { kind } = this.#options;
    if (
      kind === undefined ||
      this.#context.config.dualstack.networks[kind].remoteAccounts
    ) {
      return;
    }
    const remote = await this.#askNode("eth_accounts").catch(() => []);
    const addresses = Array.isArray(remote)
      ? remote.map((a) => String(a).toLowerCase())
      : [];
    if (
      address === undefined
        ? addresses.length === 0
        : !addresses.includes(address)
    ) {
      const variable = variableName("privateKey");
      throw new HardhatPluginError(
        PLUGIN_ID,
        `There is no account to sign with on the network ${this.#connection.networkName}${address === undefined ? "" : ` for ${address}`}. Set ${variable} in the environment or with "npx hardhat keystore set ${variable}", or dualstack.${kind}.accounts in the Hardhat configuration.`,
      );
    }
  }
}

/**
 * A call by nobody in particular, said aloud. Hardhat names the first account
 * where a call names none, and would ask for a key to do so.
 */
export function namingCaller(exchange: Exchange): Exchange {
  const [call, ...rest] = exchange.params;
  return exchange.method === "eth_call" &&
    isRecord(call) &&
    (call["from"] === undefined || call["from"] === null)
    ? { method: exchange.method, params: [{ ...call, from: NOBODY }, ...rest] }
    : exchange;
}

/** The accounts that the ledger plugin knows of. */
function devicesOf(config: HttpNetworkConfig): readonly string[] {
  const accounts: unknown =
    "ledgerAccounts" in config ? config.ledgerAccounts : undefined;
  return Array.isArray(accounts)
    ? accounts.map((account) => String(account).toLowerCase())
    : [];
}

function addressIn(
  params: readonly unknown[],
  position: number | undefined,
): string | undefined {
  const value = position === undefined ? undefined : params[position];
  const address = isRecord(value) ? value["from"] : value;
  return typeof address === "string" ? address.toLowerCase() : undefined;
}
