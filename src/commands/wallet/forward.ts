import { parseAddress } from "../../address/index.js";
import { RestClient } from "../../framework/rest.js";
import { FrameworkError } from "../../framework/errors.js";
import type { BatchProvider } from "../../rpc/http-client.js";
import { isRead } from "../../rpc/methods.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { shownUrl } from "../../support/http.js";
import { errorText } from "../../support/text.js";
import type { ChainFacts } from "../../chain/index.js";
import { PRECOMPILE_NAMES } from "../../precompiles/index.js";
import { readBalances } from "../balance/index.js";
import type { NetworkDescription } from "../../config/network-description.js";
import type { FaucetReport } from "../faucet/index.js";
import { listNetworks } from "../networks/index.js";
import { type DenomReader, unreadable } from "../shared/stable-token.js";
import type { WalletFormat } from "./formats.js";
import type { PageFacts } from "./page/html.js";
import { isSafeUrl } from "./record.js";

/** A request that the page may not make, with the status to answer. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The record for a wallet, or why there is none. */
export type Told = { readonly record: unknown } | { readonly missing: string };

/** What the page can learn and do, always through the configured endpoints. */
export interface Forward {
  /** What the page shows before it asks for anything. */
  readonly page: PageFacts;
  /** The network's configuration, with the record for browser wallets. */
  facts(): Promise<unknown>;
  /** The record for framework wallets, for which the chain may have to be asked. */
  framework(): Promise<Told>;
  /** The precompiles that answer. */
  precompiles(): Promise<
    readonly { readonly name: string; readonly address: string }[]
  >;
  /** An address in both forms, with its balances. */
  account(address: string): Promise<unknown>;
  /** One JSON-RPC request that only reads. */
  evm(request: unknown): Promise<unknown>;
  /** A GET of a path under the two prefixes. */
  rest(path: string): Promise<unknown>;
  /** Asks the faucet for native tokens, and waits until they arrive. */
  grant(request: unknown): Promise<unknown>;
}

export interface ForwardOptions {
  readonly network: NetworkDescription;
  readonly provider: BatchProvider;
  /** Sent along with every request to the network's nodes. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly readDenom?: DenomReader;
  /** Makes a record for wallets. */
  readonly exported: (format: WalletFormat) => Promise<unknown>;
  /** Gets native tokens for an address; absent if there is no faucet. */
  readonly grant?: (address: string) => Promise<Pick<FaucetReport, "received">>;
  /** Gets problems in full; the page shows them in part, since its readers cannot fix them. */
  readonly onProblem?: (text: string) => void;
}

export function createForward(options: ForwardOptions): Forward {
  const { network, provider, exported } = options;
  const { kind, title, chainId, facts, endpoints } = network;
  const rest =
    endpoints.restUrl === undefined
      ? undefined
      : new RestClient({
          url: endpoints.restUrl,
          network: network.name,
          facts,
          headers: options.headers,
        });
  const record = async (format: WalletFormat): Promise<Told> => {
    try {
      return { record: await exported(format) };
    } catch (error) {
      options.onProblem?.(errorText(error));
      return {
        missing: `${DualstackError.is(error) ? error.reason : errorText(error)}.`,
      };
    }
  };
  const giving = new Set<string>();
  return {
    page: {
      title,
      chainId,
      symbol: facts.currency.symbol,
      stableSymbol: readableStable(facts, options.readDenom),
      // A development node has no framework side.
      frameworkPrefix:
        kind === "local" && rest === undefined ? undefined : facts.bech32Prefix,
      hasFaucet: options.grant !== undefined,
    },
    facts: async () => {
      const [{ endpoints: listed = [], currency, baseDenom } = {}] =
        listNetworks([network]);
      return {
        title,
        chainId,
        kind,
        currency,
        baseDenom,
        explorer: linkOf(endpoints.explorerUrl),
        faucet: linkOf(endpoints.faucetUrl),
        endpoints: listed.filter(
          ({ endpoint, address }) =>
            address !== null &&
            endpoint !== "explorerUrl" &&
            endpoint !== "faucetUrl",
        ),
        evm:
          kind === "local" && endpoints.evmUrl === undefined
            ? {
                missing:
                  "it runs inside one process, which wallets cannot reach.",
              }
            : await record("eip3085"),
      };
    },
    framework: async () => await record("keplr"),
    precompiles: async () => {
      const { probeOf } = await import("../../precompiles/ethers/probe.js");
      const found = await Promise.all(
        PRECOMPILE_NAMES.map(async (name) => {
          const address = network.precompiles[name];
          const call = { to: address, data: probeOf(name) };
          const answer = await provider
            .request({ method: "eth_call", params: [call, "latest"] })
            .catch(() => "0x");
          return answer === "0x" ? [] : [{ name, address }];
        }),
      );
      return found.flat();
    },
    account: async (text) => {
      for await (const row of readBalances(options, [hexOf(text, facts)])) {
        return row;
      }
      throw new DualstackError("the node did not return the balance");
    },
    evm: async (request) => {
      const { id, method, params = [] } = isRecord(request) ? request : {};
      if (typeof method !== "string" || !Array.isArray(params)) {
        throw new Refusal(400, "this is not a JSON-RPC request");
      }
      if (!isRead(method) || !/^(?:eth|net|web3)_/.test(method)) {
        throw new Refusal(403, "only methods that read are forwarded");
      }
      const answer = { jsonrpc: "2.0", id: id ?? null };
      try {
        return {
          ...answer,
          result: await provider.request({ method, params }),
        };
      } catch (error) {
        const refused = rpcErrorOf(error);
        if (refused === undefined) {
          throw error;
        }
        return { ...answer, error: refused };
      }
    },
    rest: async (path) => {
      if (rest === undefined) {
        throw new Refusal(404, "no REST endpoint is configured");
      }
      try {
        return (await rest.get(path)).body;
      } catch (error) {
        throw error instanceof FrameworkError && error.fault === "unknown-path"
          ? new Refusal(404, errorText(error))
          : error;
      }
    },
    grant: async (request) => {
      if (options.grant === undefined) {
        throw new Refusal(404, "This network has no faucet.");
      }
      const given = isRecord(request) ? request["address"] : undefined;
      const address = hexOf(String(given), facts);
      if (giving.has(address)) {
        throw new Refusal(
          409,
          "The faucet has been asked for this account already; the tokens are on their way.",
        );
      }
      giving.add(address);
      try {
        const { received } = await options.grant(address);
        return { received: received.tokens, symbol: received.symbol };
      } finally {
        giving.delete(address);
      }
    },
  };
}

function hexOf(text: string, { bech32Prefix: prefix }: ChainFacts): string {
  try {
    return parseAddress(text, { prefix }).hex;
  } catch (error) {
    throw new Refusal(400, errorText(error));
  }
}

const readableStable = (
  { stableToken }: ChainFacts,
  readDenom: DenomReader | undefined,
) =>
  stableToken === undefined || unreadable(stableToken, readDenom) !== undefined
    ? undefined
    : stableToken.symbol;

const linkOf = (url: string | undefined) =>
  url !== undefined && isSafeUrl(url) ? shownUrl(url) : null;
