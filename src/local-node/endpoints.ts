/** Where the endpoints of a local network are. */
export interface LocalNodeEndpoints {
  /** What all but gRPC are under, such as `http://127.0.0.1:8545`. */
  readonly baseUrl: string;
  readonly evmUrl: string;
  readonly wsUrl: string;
  readonly nodeRpcUrl: string;
  readonly restUrl: string;
  /** Host and port. */
  readonly grpcHost: string;
  readonly faucetUrl: string;
}
