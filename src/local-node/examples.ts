import { pathPrefixes, type Prefixes } from "../framework/services.js";
import type { DualChain } from "./chain.js";
import type { LocalNodeEndpoints } from "./endpoints.js";

/** An endpoint with an example to try. */
export interface EndpointExample {
  readonly title: string;
  readonly address: string;
  /** Where the example goes: into a shell, or as a message over the socket. */
  readonly kind: "shell" | "message";
  readonly example: string;
}

const call = (method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/**
 * Returns the endpoints of a local network, each with an example that works as
 * it stands.
 */
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
