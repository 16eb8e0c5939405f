import path from "node:path";

import type { Endpoints } from "../chain/endpoints.js";
import type { ChainFacts } from "../chain/facts.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import { gathering } from "../rpc/gathering.js";
import { HttpClient } from "../rpc/http-client.js";
import { httpExchange, shownUrl } from "../support/http.js";
import { AWAIT_MS } from "./await.js";
import { KeptInMemory, KeptOnDisk } from "./kept.js";
import { LiveReader } from "./reader.js";
import { keptOf, notThere, type Snapshot } from "./snapshot.js";

/** What reading a forked chain's state needs. */
export interface ForkedChain {
  /** The forked EVM endpoint. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chainId: bigint;
  readonly height: bigint;
  /** Hash of the fork's block. */
  readonly hash: string;
  /**
   * Folder that keeps answers for the next run; absent if the block is not
   * pinned.
   */
  readonly cacheDir?: string;
  /** Name of the forked network, if it is a configured one. */
  readonly network?: string;
  /** The network's endpoints. */
  readonly endpoints: Endpoints;
  readonly addresses: PrecompileAddresses;
  readonly facts: Pick<ChainFacts, "bech32Prefix">;
  /** Called with messages for the user. */
  readonly onNotice?: (text: string) => void;
  /** Called when the node has another block at that height. */
  readonly onOtherBlock?: () => Promise<void>;
}

/**
 * Opens the state of a forked chain, including the modules' stores if its node
 * RPC is known.
 */
export async function openLiveState(chain: ForkedChain): Promise<LiveReader> {
  const { url, headers, network, endpoints, cacheDir } = chain;
  const client = (at: string) =>
    gathering(new HttpClient({ url: at, headers, network, awaitMs: AWAIT_MS }));
  // The configured endpoints are only used if the fork is of the same URL.
  const isOurs = trimmed(url) === trimmed(endpoints.evmUrl ?? "");
  const { nodeRpcUrl, restUrl } = endpoints;
  return new LiveReader({
    evm: client(url),
    patient: new HttpClient({ url, headers, network, awaitMs: AWAIT_MS }),
    ...(isOurs && nodeRpcUrl !== undefined
      ? { nodeRpc: client(nodeRpcUrl) }
      : {}),
    ...(isOurs && restUrl !== undefined
      ? { rest: restAt(restUrl, chain.height, headers) }
      : {}),
    height: chain.height,
    hash: chain.hash,
    addresses: chain.addresses,
    prefix: chain.facts.bech32Prefix,
    kept:
      cacheDir === undefined
        ? new KeptInMemory()
        : await KeptOnDisk.open(
            path.join(cacheDir, String(chain.chainId), `${chain.hash}.jsonl`),
          ),
    onNotice: chain.onNotice,
    onOtherBlock: chain.onOtherBlock,
    place: {
      ...(network === undefined ? {} : { network }),
      endpoint: shownUrl(url),
    },
  });
}

/** Opens the state in a snapshot. */
export async function openSnapshot(
  snapshot: Snapshot,
  { addresses, facts }: Pick<ForkedChain, "addresses" | "facts">,
): Promise<LiveReader> {
  const asks = (wanted: (ask: string) => boolean) =>
    snapshot.answers.some(({ ask }) => wanted(ask));
  return new LiveReader({
    evm: notThere,
    ...(asks((ask) => ask === "abci_query") ? { nodeRpc: notThere } : {}),
    ...(asks((ask) => ask.startsWith("/"))
      ? { rest: async () => await Promise.resolve(undefined) }
      : {}),
    height: BigInt(snapshot.block.number),
    hash: snapshot.block.hash,
    addresses,
    prefix: facts.bech32Prefix,
    kept: await keptOf(snapshot, "books"),
    accounts: new Set(snapshot.accounts),
  });
}

/**
 * Returns a function that requests a REST path at one block; failures are
 * `undefined`.
 */
const restAt =
  (url: string, height: bigint, headers: ForkedChain["headers"]) =>
  async (path: string): Promise<unknown> => {
    try {
      const { status, text } = await httpExchange({
        url: `${trimmed(url)}${path}`,
        headers: { ...headers, "x-cosmos-block-height": String(height) },
      });
      return status === 200 ? (JSON.parse(text) as unknown) : undefined;
    } catch {
      return undefined;
    }
  };

const trimmed = (url: string) => url.replace(/\/+$/, "");
