import { ProviderWrapper } from "hardhat/plugins";
import type { HardhatConfig, HttpNetworkConfig } from "hardhat/types/config";
import type { EIP1193Provider, RequestArguments } from "hardhat/types/provider";

import { requireEndpoint } from "../chain/endpoints.js";
import type { NetworkDescription } from "../config/network-description.js";
import { describeChain } from "../config/describe.js";
import type { DualstackNetworkConfig } from "../config/resolve.js";
import type { ConnectionServices } from "../connection/extension.js";
import type { Turns } from "../framework/node-rpc/turns.js";
import { createNodePipeline, shareNode } from "../node/node-pipeline.js";
import { failureNotice, multiplierNotice } from "../node/notices.js";
import type { Exchange } from "../rpc/pipeline.js";
import { RpcError } from "../rpc/provider.js";
import {
  accountIn,
  asksForAccounts,
  concernsAccounts,
  mustBeRemote,
} from "../sending/accounts.js";
import { explainMissing } from "../sending/explain-missing.js";
import { ForeignAnswer } from "../rpc/transport-error.js";
import type { ErrorPlace } from "../support/errors.js";
import { HttpError, shownUrl } from "../support/http.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import type { NetworkOptions } from "./config.js";
import { toPluginError } from "./errors.js";
import { forward, toProviderError } from "./forward.js";
import { Signer } from "./signer.js";

type Pipeline = ReturnType<typeof createNodePipeline>;

/** Milliseconds for a look at who answers instead of the node. */
const LOOK_MS = 5_000;

const noticed = new Set<string>();

function notice(text: string | undefined): void {
  if (text !== undefined && !noticed.has(text)) {
    noticed.add(text);
    console.warn(`[${PLUGIN_ID}] ${text}`);
  }
}

/**
 * Everything between Hardhat 2 and a node of this chain. It also signs, if it
 * is the plugin that finds the keys.
 */
export class ChainProvider
  extends ProviderWrapper
  implements ConnectionServices
{
  readonly #config: HardhatConfig;
  readonly #network: HttpNetworkConfig;
  readonly #options: NetworkOptions;
  readonly #name: string;
  #opened: Promise<Pipeline> | undefined;
  #pipeline: Pipeline | undefined;
  #signer: Promise<Signer | undefined> | undefined;
  #place: ErrorPlace;
  #url: string;
  #chainId = 0;

  constructor(
    provider: EIP1193Provider,
    config: HardhatConfig,
    network: HttpNetworkConfig,
    options: NetworkOptions,
  ) {
    super(provider);
    this.#config = config;
    this.#network = network;
    this.#options = options;
    this.#name = config.dualstack.networks[options.kind].name;
    this.#place = { network: this.#name };
    this.#url = network.url;
  }

  readonly turns: Turns = {
    alone: async (address, send) =>
      await (await this.#open()).sending.alone(address, send),
  };

  estimateBehind(
    call: { readonly to?: string; readonly data?: string },
    limit: bigint,
  ): bigint | undefined {
    return this.#pipeline?.gas.estimateBehind(call, limit);
  }

  async request(args: RequestArguments): Promise<unknown> {
    const { method } = args;
    const exchange: Exchange = { method, params: [...this._getParams(args)] };
    if (method === "hardhat_getAutomine") {
      // Blocks are final at once on this chain. Ignition takes this to mean
      // that one confirmation is enough.
      return true;
    }
    try {
      const { layer } = await this.#open();
      const signer = await this.#signerFor(exchange);
      if (signer !== undefined && method !== "eth_sendTransaction") {
        return await signer.request(exchange);
      }
      return await layer.handle(exchange, (x) =>
        forward(
          signer !== undefined && x.method === method
            ? signer
            : this._wrappedProvider,
          x,
          this.#place,
        ),
      );
    } catch (error) {
      throw error instanceof RpcError
        ? toProviderError(error)
        : toPluginError(
            error instanceof ForeignAnswer
              ? await this.#withStatus(error)
              : error,
          );
    }
  }

  // Hardhat 2 hides the HTTP status, so the endpoint is asked again before an
  // error is shown.
  async #withStatus(error: ForeignAnswer): Promise<ForeignAnswer> {
    const { HttpClient } = await import("../rpc/http-client.js");
    const found = await new HttpClient({
      url: this.#url,
      headers: this.#network.httpHeaders,
      network: this.#name,
      timeoutMs: LOOK_MS,
      retries: 0,
    })
      .request({ method: "eth_chainId" })
      .catch((cause: unknown) => cause);
    return found instanceof HttpError
      ? new ForeignAnswer(found.reason, { ...error.place, fix: found.fix })
      : error;
  }

  get #settings(): DualstackNetworkConfig {
    return this.#config.dualstack.networks[this.#options.kind];
  }

  /** The signer with the key for a request; `undefined` if the node answers it. */
  async #signerFor({ method, params }: Exchange): Promise<Signer | undefined> {
    if (!this.#options.lazyAccounts || !concernsAccounts(method)) {
      return undefined;
    }
    this.#signer ??= this.#createSigner();
    let signer: Signer | undefined;
    try {
      signer = await this.#signer;
    } catch (error) {
      this.#signer = undefined;
      throw error;
    }
    const address = accountIn(method, params);
    if (
      signer !== undefined &&
      (address === undefined || signer.addresses.has(address))
    ) {
      return signer;
    }
    if (!asksForAccounts(method)) {
      await mustBeRemote(address, this.#settings, this.#ask);
    }
    return undefined;
  }

  async #createSigner(): Promise<Signer | undefined> {
    const accounts = await this.#settings.accounts();
    return accounts === undefined
      ? undefined
      : await Signer.create(this._wrappedProvider, accounts, this.#chainId);
  }

  // Asks without passing the layers.
  readonly #ask = async (
    method: string,
    params: unknown[] = [],
  ): Promise<unknown> =>
    await forward(this._wrappedProvider, { method, params }, this.#place);

  async #open(): Promise<Pipeline> {
    this.#opened ??= this.#create();
    try {
      return (this.#pipeline = await this.#opened);
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #create(): Promise<Pipeline> {
    const { kind, gas, derivedUrl } = this.#options;
    const name = this.#name;
    const url = derivedUrl
      ? requireEndpoint(await this.#settings.endpoints(), "evmUrl", {
          network: name,
          kind,
        })
      : this.#network.url;
    this.#place = { network: name, endpoint: shownUrl(url) };
    this.#url = url;
    const network: NetworkDescription = await describeChain(
      this.#config.dualstack,
      kind,
      url,
    );
    this.#chainId = network.chainId;
    notice(multiplierNotice(gas, name));
    return createNodePipeline({
      chainId: network.chainId,
      gas,
      precompiles: network.precompiles,
      node: shareNode(url, network.chainId, network.precompiles),
      ask: this.#ask,
      place: this.#place,
      timeoutMs: this.#network.timeout,
      again: async (method, params) => await this.request({ method, params }),
      defaultSender: async () =>
        this.#network.from ?? (await this.#firstAccount()),
      explainMissing: (hash) =>
        explainMissing(
          network.endpoints.nodeRpcUrl,
          hash,
          this.#network.httpHeaders,
        ),
      onFailure: async (hash, failure) =>
        await Promise.resolve(
          notice(failureNotice(hash, { name, kind }, failure)),
        ),
    });
  }

  async #firstAccount(): Promise<string | undefined> {
    const accounts = await this.request({ method: "eth_accounts" });
    return Array.isArray(accounts) && typeof accounts[0] === "string"
      ? accounts[0]
      : undefined;
  }
}
