import path from "node:path";

import type { Endpoints } from "../chain/endpoints.js";
import type { ChainFacts } from "../chain/facts.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import { HttpClient } from "../rpc/http-client.js";
import { shownUrl } from "../support/http.js";
import { KeptInMemory, KeptOnDisk } from "./kept.js";
import { LiveReader } from "./reader.js";

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
  const client = (at: string) => new HttpClient({ url: at, headers, network });
  // The endpoints of a network belong to a fork of just that network.
  const isOurs = trimmed(url) === trimmed(endpoints.evmUrl ?? "");
  const { nodeRpcUrl } = endpoints;
  return new LiveReader({
    evm: client(url),
    ...(isOurs && nodeRpcUrl !== undefined
      ? { nodeRpc: client(nodeRpcUrl) }
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

const trimmed = (url: string) => url.replace(/\/+$/, "");
