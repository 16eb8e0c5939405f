import type { EIP1193Provider } from "hardhat/types/provider";

import { isRecord } from "../../rpc/quantities.js";
import { findEdr } from "./raw-trace.js";

/**
 * Passes on a configuration's hard forks of a chain for the forks that
 * `hardhat_reset` makes: Hardhat 2.29 names them differently than its simulator
 * reads them, and then nothing can run on a block of a forked chain.
 */
export async function knowHardforks(provider: EIP1193Provider): Promise<void> {
  // Hardhat creates the provider with the first request.
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
