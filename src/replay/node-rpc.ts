import { isRecord } from "../rpc/quantities.js";
import { httpExchange } from "../support/http.js";

/** What is sent to a node RPC, and taken from it. */
export interface NodeRpcOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

/**
 * Asks a node RPC.
 *
 * @param path the method with its parameters, as in a URL
 * @returns the result's fields; none if it answers something else
 */
export async function nodeRpcResult(
  nodeRpcUrl: string,
  path: string,
  options: NodeRpcOptions,
): Promise<Record<string, unknown>> {
  const { text } = await httpExchange({
    ...options,
    url: `${nodeRpcUrl}/${path}`,
    name: "the node RPC",
    timeoutMs: 5_000,
  });
  const body: unknown = JSON.parse(text);
  return isRecord(body) && isRecord(body.result) ? body.result : {};
}
