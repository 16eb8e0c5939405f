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

/** A fork of a chain, as far as reading the chain's state needs it. */
export interface ForkedChain {
  /** The URL that is forked. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chainId: bigint;
  readonly height: bigint;
  /** Of the block. */
  readonly hash: string;
  /** Where answers are kept for the next run; absent where the block is not pinned. */
  readonly cacheDir?: string;
  /** Name of the forked network, where it is one of ours. */
  readonly network?: string;
  /** Of that network. */
  readonly endpoints: Endpoints;
  readonly addresses: PrecompileAddresses;
  readonly facts: Pick<ChainFacts, "bech32Prefix">;
  /** Told what the user should know. */
  readonly onNotice?: (text: string) => void;
  /** Told when the node has another block at that height. */
  readonly onOtherBlock?: () => Promise<void>;
}

/** Reads the state of a forked chain; by its stores too, where its node RPC is known. */
export async function openLiveState(chain: ForkedChain): Promise<LiveReader> {
  const { url, headers, network, endpoints, cacheDir } = chain;
  const client = (at: string) =>
    gathering(new HttpClient({ url: at, headers, network, awaitMs: AWAIT_MS }));
  // The endpoints of a network belong to a fork of just that network.
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

/** Reads the same from a snapshot, which stands for the chain. */
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

/** Asks a REST endpoint about one block. Nothing depends on it alone: what fails is not there. */
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
