/** The addresses of a local network's endpoints. */
export interface LocalNodeEndpoints {
  /** Base URL of all endpoints except gRPC, such as `http://127.0.0.1:8545`. */
  readonly baseUrl: string;
  readonly evmUrl: string;
  readonly wsUrl: string;
  readonly nodeRpcUrl: string;
  readonly restUrl: string;
  /** Host and port, as in `127.0.0.1:9090`. */
  readonly grpcHost: string;
  readonly faucetUrl: string;
}
