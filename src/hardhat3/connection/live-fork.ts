import path from "node:path";

import type { EdrNetworkConfig } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";

import { NETWORK_KINDS } from "../../chain/facts.js";
import { precompileAddresses } from "../../config/describe.js";
import type { LiveOptions } from "../../localnet/fork/live-books.js";
import { isRecord } from "../../rpc/quantities.js";
import { PLUGIN_ID } from "../constants.js";
import type { AnyConnection } from "./handler.js";

/** What a network forks, where that is one of the chain's networks. */
export interface LiveFork extends LiveOptions {
  /** The fork's block. */
  readonly height: bigint;
}

/**
 * The chain that a simulated network forks, by its chain ID; `undefined` where
 * it forks none, or another one.
 */
export async function liveForkOf(
  { config: { dualstack }, interruptions }: HookContext,
  { provider }: AnyConnection,
  { forking }: EdrNetworkConfig,
): Promise<LiveFork | undefined> {
  if (forking?.enabled !== true) return undefined;
  const metadata = await provider.request({ method: "hardhat_metadata" });
  const forked = isRecord(metadata) ? metadata.forkedNetwork : undefined;
  if (!isRecord(forked)) return undefined;
  const chainId = Number(forked.chainId);
  const kind = NETWORK_KINDS.find(
    (one) => dualstack.networks[one].chainId === chainId,
  );
  if (kind === undefined) return undefined;
  const { openLiveState } = await import("../../live-state/open.js");
  const height = BigInt(Number(forked.forkBlockNumber));
  const { localnet } = dualstack;
  const reader = await openLiveState({
    url: await forking.url.getUrl(),
    headers: forking.httpHeaders,
    chainId: BigInt(chainId),
    height,
    hash: String(forked.forkBlockHash),
    network: dualstack.networks[kind].name,
    endpoints: await dualstack.networks[kind].endpoints(),
    addresses: precompileAddresses(dualstack),
    facts: dualstack.facts,
    onNotice: (text) => {
      void interruptions.displayMessage(PLUGIN_ID, text);
    },
    ...(forking.blockNumber === undefined
      ? {}
      : {
          cacheDir: path.join(
            path.dirname(forking.cacheDir),
            "dualstack-fork-cache",
          ),
        }),
  });
  return {
    reader,
    height,
    given: {
      unbondingTime: localnet?.unbondingTime !== undefined,
      rewardRate: localnet?.rewardRate !== undefined,
    },
  };
}
