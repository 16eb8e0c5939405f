/** An error of JSON-RPC as the node answers it. */
export class RpcFault extends Error {
  readonly code: number;
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const internalError = (data: string): RpcFault =>
  new RpcFault(-32603, "Internal error", data);

export const invalidParams = (data: string): RpcFault =>
  new RpcFault(
    -32602,
    "Invalid params",
    `error converting json params to arguments: ${data}`,
  );
