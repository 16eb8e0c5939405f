import { parseAddress } from "../../address/index.js";
import { RestClient } from "../../framework/rest.js";
import { FrameworkError } from "../../framework/errors.js";
import type { BatchProvider } from "../../rpc/http-client.js";
import { isRead } from "../../rpc/methods.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { readBalances } from "../balance.js";
import type { NetworkDescription } from "../context.js";
import { listNetworks } from "../networks.js";
import type { DenomReader } from "../stable-token.js";
import type { WalletFormat } from "./index.js";

/** A request that the page may not make; the status goes into the answer. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the page can learn, all of it from the configured endpoints. */
export interface Forward {
  /** What is known of the network, with what wallets are to be told. */
  facts(): Promise<unknown>;
  /** An address in both forms, with its balances. */
  account(address: string): Promise<unknown>;
  /** One JSON-RPC request that only reads. */
  evm(request: unknown): Promise<unknown>;
  /** GET of a path under the two prefixes. */
  rest(path: string): Promise<unknown>;
}

export interface ForwardOptions {
  readonly network: NetworkDescription;
  readonly provider: BatchProvider;
  readonly readDenom?: DenomReader;
  /** Makes a record for wallets. */
  readonly exported: (format: WalletFormat) => Promise<unknown>;
}

export function createForward(options: ForwardOptions): Forward {
  const { network, provider, exported } = options;
  const { restUrl } = network.endpoints;
  const rest =
    restUrl === undefined
      ? undefined
      : new RestClient({
          url: restUrl,
          network: network.name,
          facts: network.facts,
        });
  // Why a wallet cannot be told is shown where its button would be.
  const record = async (format: WalletFormat) => {
    try {
      return { record: await exported(format) };
    } catch (error) {
      return {
        missing: DualstackError.is(error)
          ? `${error.reason}.${error.fix === undefined ? "" : ` ${error.fix}`}`
          : errorText(error),
      };
    }
  };
  return {
    facts: async () => {
      const [facts] = listNetworks([network]);
      const [evm, framework] = await Promise.all([
        record("eip3085"),
        record("keplr"),
      ]);
      return { ...facts, evm, framework };
    },
    account: async (text) => {
      const { bech32Prefix: prefix } = network.facts;
      let address: string;
      try {
        address = parseAddress(text, { prefix }).hex;
      } catch (error) {
        throw new Refusal(400, errorText(error));
      }
      for await (const row of readBalances(options, [address])) {
        return row;
      }
      throw new DualstackError("the node did not tell the balance");
    },
    evm: async (request) => {
      const { id, method, params = [] } = isRecord(request) ? request : {};
      if (typeof method !== "string" || !Array.isArray(params)) {
        throw new Refusal(400, "this is no JSON-RPC request");
      }
      if (!isRead(method) || !/^(?:eth|net|web3)_/.test(method)) {
        throw new Refusal(403, "only methods that read are passed on");
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
  };
}
