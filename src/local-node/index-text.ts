import type { StableToken } from "../chain/facts.js";
import type { DualChain } from "./chain.js";
import type { LocalNodeEndpoints } from "./endpoints.js";

/** What stands at the base URL: the endpoints, with an example for each. */
export function indexText(
  chain: DualChain,
  endpoints: LocalNodeEndpoints,
  stable: StableToken & { readonly address: string },
): string {
  const { evmUrl, wsUrl, nodeRpcUrl, restUrl, grpcHost, faucetUrl } = endpoints;
  const { height, evmChainId, chainId, denom, prefix } = chain;
  return `A local network of the dual-stack chain, by hardhat-dualstack.

Height          ${height}
Chain ID        ${evmChainId} (framework: ${chainId})
Native coin     ${denom}
Stable token    ${stable.symbol} at ${stable.address}

EVM JSON-RPC    ${evmUrl}
  curl -s -X POST ${evmUrl} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'

EVM WebSocket   ${wsUrl}
  {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}

Node RPC        ${nodeRpcUrl}
  curl -s ${nodeRpcUrl}/status
  ${nodeRpcUrl.replace(/^http/, "ws")}/websocket: {"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"query":"tm.event='NewBlock'"}}

REST            ${restUrl}
  curl -s ${restUrl}/cosmos/staking/v1beta1/validators

gRPC            ${grpcHost}
  grpcurl -plaintext ${grpcHost} list

Faucet          ${faucetUrl}
  curl -s -X POST ${faucetUrl}/credit -H 'content-type: application/json' -d '{"address":"${prefix}1…","denom":"${denom}"}'
`;
}
