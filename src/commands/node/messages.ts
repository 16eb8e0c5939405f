import { formatUnits } from "../../support/units.js";
import type { LocalNode, LocalNodeAccount } from "../../local-node/index.js";
import { labelled } from "../shared/layout.js";

const accountLines = (
  { address, account, privateKey }: LocalNodeAccount,
  index: number,
): readonly string[] => [
  "",
  `Account #${index}: ${address}`,
  `  Framework:   ${account}`,
  `  Private key: ${privateKey}`,
];

/** @param balance of each account, in base units */
export function nodeText(
  node: LocalNode,
  balance: bigint,
  symbol: string,
): readonly string[] {
  const { endpoints, chainId, frameworkChainId, accounts, stableToken, fork } =
    node;
  return [
    `Started a local network at ${endpoints.baseUrl}/`,
    "Open that address in a browser to see it at work.",
    "",
    ...labelled([
      ["Chain ID", `${chainId} (framework: ${frameworkChainId})`],
      ...(fork === undefined
        ? []
        : [["Forked at", `block ${fork.blockNumber} of its chain`] as const]),
      ["EVM JSON-RPC", endpoints.evmUrl],
      ["EVM WebSocket", endpoints.wsUrl],
      ["Node RPC", endpoints.nodeRpcUrl],
      ["REST", endpoints.restUrl],
      ["gRPC", endpoints.grpcHost],
      ["Faucet", endpoints.faucetUrl],
      ["Stable token", `${stableToken.symbol} at ${stableToken.address}`],
    ]),
    "",
    `Accounts, with ${formatUnits(balance, 18)} ${symbol} each`,
    ...accounts.flatMap(accountLines),
    "",
    "These keys are public: anything sent to these accounts on a public network is lost.",
    "Press Ctrl+C to stop.",
  ];
}

export const reachableNote = (hostname: string) =>
  `Every machine that can reach ${hostname} can use this network and its accounts.`;
