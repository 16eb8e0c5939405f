// Once for a fork, when it is known which chain that is.

import path from "node:path";

import { PUBLIC_NETWORK_KINDS } from "../../chain/facts.js";
import { precompileAddresses } from "../../config/describe.js";
import type { DualstackConfig } from "../../config/resolve.js";
import type { RpcProvider } from "../../rpc/provider.js";
import type { Snapshot } from "../../live-state/snapshot.js";
import { isRecord } from "../../rpc/quantities.js";
import type { LiveOptions } from "./live-books.js";

/** What a network forks, where that is one of the chain's networks. */
export interface LiveFork extends LiveOptions {
  /** The fork's block. */
  readonly height: bigint;
}

/** How a simulated network forks. */
export interface Forking {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Hardhat's folder for caches, where the block is pinned; else nothing is kept. */
  readonly cache?: string;
  /** What stands for the chain, which is not asked then. */
  readonly snapshot?: Snapshot;
  /** Reads accounts and words of their storage before the simulator asks for them one by one. */
  readonly prefetch?: LiveOptions["prefetch"];
  /** Told when the fork's block is another by now: what was kept of it is wrong. */
  readonly onOtherBlock?: () => Promise<void>;
}

/**
 * The chain that a simulated network forks, by its chain ID; `undefined` where
 * it forks none, or another one. `provider`: the simulated network.
 */
export async function liveForkOf(
  dualstack: DualstackConfig,
  provider: RpcProvider,
  forking: () => Promise<Forking>,
  onNotice: (text: string) => void,
): Promise<LiveFork | undefined> {
  const metadata = await provider.request({ method: "hardhat_metadata" });
  const forked = isRecord(metadata) ? metadata.forkedNetwork : undefined;
  if (!isRecord(forked)) return undefined;
  const chainId = Number(forked.chainId);
  const kind = PUBLIC_NETWORK_KINDS.find(
    (one) => dualstack.networks[one].chainId === chainId,
  );
  if (kind === undefined) return undefined;
  const { openLiveState, openSnapshot } = await import(
    "../../live-state/open.js"
  );
  const { url, headers, cache, onOtherBlock, snapshot, prefetch } =
    await forking();
  const { localnet } = dualstack;
  const height = BigInt(Number(forked.forkBlockNumber));
  const addresses = precompileAddresses(dualstack);
  const { facts } = dualstack;
  const reader =
    snapshot !== undefined
      ? await openSnapshot(snapshot, { addresses, facts })
      : await openLiveState({
          url,
          headers,
          chainId: BigInt(chainId),
          height,
          hash: String(forked.forkBlockHash),
          network: dualstack.networks[kind].name,
          endpoints: await dualstack.networks[kind].endpoints(),
          addresses,
          facts,
          onNotice,
          onOtherBlock,
          ...(cache === undefined
            ? {}
            : { cacheDir: path.join(cache, "dualstack-fork-cache") }),
        });
  return {
    reader,
    height,
    onNotice,
    prefetch,
    given: {
      unbondingTime: localnet?.unbondingTime !== undefined,
      rewardRate: localnet?.rewardRate !== undefined,
    },
  };
}
