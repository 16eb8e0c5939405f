import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { NETWORK_KINDS } from "../chain/facts.js";
import { explorerApi, explorerUrl } from "../config/networks.js";
import { valueOf } from "./variables.js";

/** An explorer in hardhat-verify's configuration. */
interface CustomChain {
  readonly network: string;
  readonly chainId: number;
  readonly urls: { readonly apiURL: string; readonly browserURL: string };
}

/** For explorers that need no API key. */
const NO_KEY = "none";

/**
 * Adds the explorers of the chain's networks to hardhat-verify, if the project
 * uses it; the user's own entries win.
 */
export function verifyByExplorers({
  config,
  userConfig,
}: HardhatRuntimeEnvironment): void {
  const known = Object.entries(config)
    .filter(([name]) => name === "blockscout" || name === "etherscan")
    .map(
      ([, verifier]) => (verifier as { customChains?: unknown }).customChains,
    )
    .filter((chains): chains is CustomChain[] => Array.isArray(chains));
  if (known.length === 0) {
    return;
  }
  const keys: Record<string, string> = {};
  for (const kind of NETWORK_KINDS) {
    const { name: network, chainId } = config.dualstack.networks[kind];
    const given = userConfig.dualstack?.[kind]?.explorerUrl;
    const browserURL = explorerUrl(given, kind, (name) =>
      valueOf({ _type: "ConfigurationVariable", name }),
    );
    if (browserURL === undefined) {
      continue;
    }
    const urls = { apiURL: explorerApi(browserURL), browserURL };
    for (const chains of known) {
      if (!chains.some((chain) => chain.chainId === chainId)) {
        chains.push({ network, chainId, urls });
      }
    }
    keys[network] = NO_KEY;
  }
  // Ignition uses Etherscan's API, which requires a key; Blockscout ignores it.
  const { etherscan } = config as { etherscan?: { apiKey?: unknown } };
  if (etherscan !== undefined && (etherscan.apiKey ?? "") === "") {
    etherscan.apiKey = keys;
  }
}
