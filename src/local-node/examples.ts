import { pathPrefixes, type Prefixes } from "../framework/services.js";
import type { DualChain } from "./chain.js";
import type { LocalNodeEndpoints } from "./endpoints.js";

/** An endpoint with something to try on it. */
export interface EndpointExample {
  readonly title: string;
  readonly address: string;
  /** What takes the example: a shell, or what a socket is told. */
  readonly kind: "shell" | "message";
  readonly example: string;
}

const call = (method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** Every endpoint of a local network, with one example that works as it stands. */
export function endpointExamples(
  { genesisAccounts: [first = ""], denom }: DualChain,
  endpoints: LocalNodeEndpoints,
  prefixes: Prefixes,
): readonly EndpointExample[] {
  const { evmUrl, wsUrl, nodeRpcUrl, restUrl, grpcHost, faucetUrl } = endpoints;
  const post = (url: string, body: string) =>
    `curl -s -X POST ${url} -H 'content-type: application/json' -d '${body}'`;
  return [
    {
      title: "EVM JSON-RPC",
      address: evmUrl,
      kind: "shell",
      example: post(evmUrl, call("eth_blockNumber", [])),
    },
    {
      title: "EVM WebSocket",
      address: wsUrl,
      kind: "message",
      example: call("eth_subscribe", ["newHeads"]),
    },
    {
      title: "Node RPC",
      address: nodeRpcUrl,
      kind: "shell",
      example: `curl -s ${nodeRpcUrl}/status`,
    },
    {
      title: "Node RPC WebSocket",
      address: `${nodeRpcUrl.replace(/^http/, "ws")}/websocket`,
      kind: "message",
      example: call("subscribe", { query: "tm.event='NewBlock'" }),
    },
    {
      title: "REST",
      address: restUrl,
      kind: "shell",
      example: `curl -s ${restUrl}${pathPrefixes(prefixes).framework}staking/v1beta1/validators`,
    },
    {
      title: "gRPC",
      address: grpcHost,
      kind: "shell",
      example: `grpcurl -plaintext ${grpcHost} list`,
    },
    {
      title: "Faucet",
      address: faucetUrl,
      kind: "shell",
      example: post(
        `${faucetUrl}/credit`,
        JSON.stringify({ address: first, denom }),
      ),
    },
  ];
}
