import type { EIP1193Provider } from "hardhat/types/provider";

import { isRecord } from "../../rpc/quantities.js";
import { findEdr } from "./raw-trace.js";

/**
 * Hands on the hard forks that a configuration has for a chain, for the forks
 * that `hardhat_reset` makes: Hardhat 2.29 calls them by another name than its
 * simulator reads, and nothing can be run on a block of a forked chain then.
 */
export async function knowHardforks(provider: EIP1193Provider): Promise<void> {
  // A provider is made when it is first asked.
  await provider.request({ method: "eth_chainId", params: [] });
  const edr: object = findEdr(provider) ?? {};
  const overrides =
    "_originalChainOverrides" in edr ? edr._originalChainOverrides : undefined;
  for (const chain of Array.isArray(overrides) ? overrides : []) {
    if (isRecord(chain)) {
      Object.assign(chain, { hardforkActivationOverrides: chain.hardforks });
    }
  }
}
