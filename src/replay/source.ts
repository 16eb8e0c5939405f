import { NETWORK_KINDS } from "../chain/facts.js";
import type { NetworkDescription } from "../config/network-description.js";
import { HttpClient } from "../rpc/http-client.js";
import { DualstackError } from "../support/errors.js";
import type { ForkAt } from "./block.js";
import { LiveChain } from "./live.js";

/** What replaying transactions of a live network needs. */
export interface ReplaySource {
  readonly chain: LiveChain;
  readonly forkAt: ForkAt;
}

/** The EVM endpoint of a live network. */
export interface LiveNode {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns what replaying transactions of a network needs.
 *
 * @param node `undefined` on a simulated network
 * @param forks forks the node's chain on simulated networks of a major version
 * of Hardhat
 * @throws DualstackError on a simulated network, and on a network of another
 * chain
 */
export function replaySource(
  network: NetworkDescription,
  node: LiveNode | undefined,
  forks: (node: LiveNode & { readonly chainId: number }) => ForkAt,
): ReplaySource {
  if (node === undefined) {
    throw new DualstackError(
      "transactions of a simulated network are not replayed: they ran in this process",
      {
        network: network.name,
        fix: "Choose the network of the chain that has the transaction, such as --network testnet.",
      },
    );
  }
  if (!NETWORK_KINDS.some((kind) => kind === network.kind)) {
    throw new DualstackError(
      "only transactions of the chain's own networks are replayed",
      {
        network: network.name,
        fix: "Choose --network testnet or mainnet, and give its endpoints.",
      },
    );
  }
  const { url, headers } = node;
  return {
    chain: new LiveChain({
      network,
      provider: new HttpClient({ url, headers, network: network.name }),
      headers,
    }),
    forkAt: forks({ ...node, chainId: network.chainId }),
  };
}
