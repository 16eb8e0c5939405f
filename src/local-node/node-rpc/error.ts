/** A JSON-RPC error, as the node returns it. */
export class RpcFault extends Error {
  readonly code: number;
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Returns the node's error for a call that failed. */
export const internalError = (data: string): RpcFault =>
  new RpcFault(-32603, "Internal error", data);

/**
 * Returns the node's error for invalid parameters.
 *
 * @param form how they were given: as JSON, or in a path
 */
export const invalidParams = (
  data: string,
  form: "json" | "http" = "json",
): RpcFault =>
  new RpcFault(
    -32602,
    "Invalid params",
    `error converting ${form} params to arguments: ${data}`,
  );
