// Opens the state of the forked chain, once its chain ID is known.

import path from "node:path";

import { PUBLIC_NETWORK_KINDS } from "../../chain/facts.js";
import { precompileAddresses } from "../../config/describe.js";
import type { DualstackConfig } from "../../config/resolve.js";
import type { RpcProvider } from "../../rpc/provider.js";
import type { Snapshot } from "../../live-state/snapshot.js";
import { isRecord } from "../../rpc/quantities.js";
import type { LiveOptions } from "./live-books.js";

/** A fork of one of the chain's networks. */
export interface LiveFork extends LiveOptions {
  /** The fork's block number. */
  readonly height: bigint;
}

/** How a simulated network forks. */
export interface Forking {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Hardhat's cache folder if the block is pinned; otherwise nothing is kept.
   */
  readonly cache?: string;
  /** Replaces the chain, which is not asked then. */
  readonly snapshot?: Snapshot;
  /**
   * Reads accounts and storage slots before the simulator asks for them one by
   * one.
   */
  readonly prefetch?: LiveOptions["prefetch"];
  /**
   * Called when the fork's block was replaced, so that what was kept of it is
   * wrong.
   */
  readonly onOtherBlock?: () => Promise<void>;
}

/**
 * Finds by its chain ID which of the chain's networks a simulated network
 * forks, and opens its state.
 *
 * @param provider the simulated network
 * @returns `undefined` when it forks nothing, or another chain
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
