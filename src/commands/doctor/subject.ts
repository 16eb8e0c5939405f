import type { Abi } from "abitype";

import {
  ENDPOINTS,
  type EndpointName,
  endpointSetting,
  hasEndpoint,
  isNetworkKind,
  variableName,
} from "../../chain/index.js";
import { developmentNode } from "../../faucet/development.js";
import {
  createFrameworkClients,
  type FrameworkClients,
} from "../../framework/clients.js";
import type { PrecompileName } from "../../precompiles/index.js";
import { HttpClient } from "../../rpc/http-client.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { fromQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import type { NetworkDescription } from "../../config/network-description.js";

export interface DoctorOptions {
  readonly network: NetworkDescription;
  /** The EVM's JSON-RPC if it is in this process instead of behind an HTTP endpoint. */
  readonly provider?: RpcProvider;
  /** Sent along with every request to the network's nodes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The factor that estimates are multiplied by before sending. */
  readonly gasMultiplier: number;
  /** The ABIs that results are decoded with, by precompile. */
  readonly abis: { readonly [name in PrecompileName]: Abi };
  /** The account to look at, in any form; `undefined` if none is known. */
  readonly account: () => Promise<string | undefined>;
  /** Milliseconds for each check; default: 15 s. */
  readonly timeoutMs?: number;
}

export const DEFAULT_TIMEOUT_MS = 15_000;

/** Few retries, so that a network that answers only now and then does not look healthy. */
const RETRY = { retries: 1, backoffMs: 100 } as const;

type Status = Awaited<ReturnType<FrameworkClients["nodeRpc"]["status"]>>;

/** Asks once for all callers, but again after a failure. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return async () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return await asked;
  };
}

/** The network under examination: its clients, and what several checks ask for. */
export class Subject {
  readonly network: NetworkDescription;
  readonly options: DoctorOptions;
  readonly timeoutMs: number;
  readonly clients: FrameworkClients;
  readonly #provider: RpcProvider | undefined;

  constructor(options: DoctorOptions) {
    const { network, headers } = options;
    const { endpoints, facts, kind, name, precompiles } = network;
    this.options = options;
    this.network = network;
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#provider =
      options.provider ??
      (endpoints.evmUrl === undefined
        ? undefined
        : new HttpClient({
            url: endpoints.evmUrl,
            headers,
            network: name,
            timeoutMs: this.timeoutMs,
            ...RETRY,
          }));
    this.clients = createFrameworkClients({
      network: name,
      kind,
      endpoints,
      facts,
      precompiles,
      provider: { request: async (request) => await this.evm.request(request) },
      headers,
      timeoutMs: this.timeoutMs,
      retry: RETRY,
      events: { reconnect: { attempts: 1 } },
    });
  }

  /** The EVM's JSON-RPC. */
  get evm(): RpcProvider {
    if (this.#provider === undefined) {
      throw new DualstackError("no EVM JSON-RPC endpoint is configured", {
        network: this.network.name,
      });
    }
    return this.#provider;
  }

  has(name: EndpointName): boolean {
    return (
      this.network.endpoints[name] !== undefined ||
      (name === "evmUrl" && this.#provider !== undefined)
    );
  }

  /** Why an endpoint is missing, and which variables would configure it. */
  missing(name: EndpointName): { readonly why: string; readonly set?: string } {
    const { kind } = this.network;
    const { title } = ENDPOINTS[name];
    if (!isNetworkKind(kind)) {
      return { why: `${title} is not configured` };
    }
    if (!hasEndpoint(name, kind)) {
      return { why: `there is no ${title.toLowerCase()} on this network` };
    }
    const { variable } = endpointSetting(name, kind);
    const own = variableName(name, kind);
    return {
      why: "not configured",
      set: `${variable}${variable === own ? "" : ` or ${own}`}`,
    };
  }

  async height(): Promise<bigint> {
    return fromQuantity(
      await this.evm.request({ method: "eth_blockNumber", params: [] }),
      "the newest block's number",
    );
  }

  /** The EVM's chain ID by its JSON-RPC, asked once. */
  readonly chainId = once(async () =>
    fromQuantity(
      await this.evm.request({ method: "eth_chainId", params: [] }),
      "the node's chain ID",
    ),
  );

  /** The status from the node RPC, asked once. */
  readonly status: () => Promise<Status> = once(
    async () => await this.clients.nodeRpc.status(),
  );

  /** The EVM module's settings by REST, asked once. */
  readonly evmParams = once(
    async () =>
      await this.clients.rest.evmParams({ timeoutMs: this.timeoutMs }),
  );

  /** Whether a development node answers, whichever network it stands in for. */
  readonly isDevelopmentNode = once(
    async () =>
      this.has("evmUrl") &&
      (await developmentNode(this.evm).then(
        (node) => node !== undefined,
        () => false,
      )),
  );

  /** Whether the node says that it is catching up, which explains other endpoints' lag. */
  async isCatchingUp(): Promise<boolean> {
    return (
      this.has("nodeRpcUrl") &&
      (await this.status().then(
        ({ syncInfo }) => syncInfo.catchingUp,
        () => false,
      ))
    );
  }

  async close(): Promise<void> {
    await this.clients.close();
  }
}
