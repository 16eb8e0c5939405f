import type { StableToken } from "../chain/facts.js";
import type { Prefixes } from "../framework/services.js";
import type { DualChain } from "./chain.js";
import { endpointExamples } from "./examples.js";
import type { LocalNodeEndpoints } from "./endpoints.js";

const LABEL_WIDTH = 20;

/**
 * Returns what the base URL shows to clients other than browsers: the
 * endpoints, with an example for each.
 */
export function indexText(
  chain: DualChain,
  endpoints: LocalNodeEndpoints,
  stable: StableToken & { readonly address: string },
  prefixes: Prefixes,
): string {
  const { height, evmChainId, chainId, denom } = chain;
  const line = (label: string, text: string) =>
    `${label.padEnd(LABEL_WIDTH)}${text}`;
  return [
    "A local network of the dual-stack chain, by hardhat-dualstack.",
    "",
    line("Height", String(height)),
    line("Chain ID", `${evmChainId} (framework: ${chainId})`),
    line("Native coin", denom),
    line("Stable token", `${stable.symbol} at ${stable.address}`),
    ...endpointExamples(chain, endpoints, prefixes).flatMap(
      ({ title, address, example }) => [
        "",
        line(title, address),
        `  ${example}`,
      ],
    ),
    "",
  ].join("\n");
}
