import { isRecord } from "../../rpc/quantities.js";
import { cleanText, errorText } from "../../support/text.js";
import type { DualChain } from "../chain.js";
import { RpcFault } from "./error.js";
import { jsonFault, jsonType } from "./go-json.js";
import { callNode, callUri, METHOD_NAMES } from "./methods.js";

/**
 * An HTTP response of the node RPC; its body is empty when there is nothing to
 * answer.
 */
export interface NodeAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (body: unknown, status = 200): NodeAnswer => ({
  status,
  type: "application/json",
  body: JSON.stringify(body),
});

/** Converts an error to the node's JSON-RPC error object. */
export const errorJson = (error: unknown) => {
  const { code, message, data } =
    error instanceof RpcFault
      ? error
      : { code: -32603, message: "Internal error", data: errorText(error) };
  return { code, message, ...(data === undefined ? {} : { data }) };
};

/** A JSON-RPC call that has an ID, and so is to be answered. */
export interface Call {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

const parseFault = (why: string) =>
  new RpcFault(
    -32700,
    "Parse error. Invalid JSON",
    `error unmarshaling request: ${why}`,
  );

/**
 * Reads a JSON-RPC call; `undefined` for a notification, which has no ID.
 *
 * @throws RpcFault when it is none
 */
export function readCall(given: unknown): Call | undefined {
  if (given === null) return undefined;
  if (!isRecord(given)) {
    throw parseFault(
      `json: cannot unmarshal ${jsonType(given)} into Go value of type types.RPCRequest`,
    );
  }
  const { id, method = "", params } = given;
  if (typeof method !== "string") {
    throw parseFault(
      `json: cannot unmarshal ${jsonType(method)} into Go struct field .method of type string`,
    );
  }
  if (id === undefined || id === null) return undefined;
  if (typeof id === "string") return { id, method, params };
  if (typeof id !== "number") {
    throw parseFault(
      `json-rpc ID (${cleanText(JSON.stringify(id), 40)}) is of unknown type`,
    );
  }
  // Nodes drop the fraction of an ID.
  return { id: Math.trunc(id), method, params };
}

/**
 * Parses a text with calls.
 *
 * @throws RpcFault when it is not JSON
 */
export function parseCalls(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw parseFault(jsonFault(cleanText(text, 40)));
  }
}

/** Answers a JSON-RPC call. */
export async function answerCall(
  chain: DualChain,
  { id, method, params }: Call,
): Promise<object> {
  const head = { jsonrpc: "2.0", id };
  try {
    return { ...head, result: await callNode(chain, method, params) };
  } catch (error) {
    return { ...head, error: errorJson(error) };
  }
}

/** Answers a body with one call or a batch. */
export async function answerBody(
  chain: DualChain,
  body: string,
): Promise<NodeAnswer> {
  let calls: readonly (Call | undefined)[];
  try {
    const parsed = parseCalls(body);
    calls = Array.isArray(parsed) ? parsed.map(readCall) : [readCall(parsed)];
  } catch (error) {
    return json({ jsonrpc: "2.0", error: errorJson(error) }, 500);
  }
  const answers = await Promise.all(
    calls
      .filter((call) => call !== undefined)
      .map(async (call) => await answerCall(chain, call)),
  );
  // Like a node: nothing for notifications alone, and one answer without a list.
  return answers.length === 0
    ? { status: 200, type: "application/json", body: "" }
    : json(answers.length === 1 ? answers[0] : answers);
}

/** Methods of WebSockets only. */
const SOCKET_METHODS = ["subscribe", "unsubscribe", "unsubscribe_all"];

/**
 * Answers a call given as a path with query parameters.
 *
 * @param url without the endpoint's path prefix
 */
export async function answerUri(
  chain: DualChain,
  url: URL,
): Promise<NodeAnswer> {
  const method = url.pathname.slice(1);
  if (method === "") {
    const list = METHOD_NAMES.map((name) => `<li>${name}</li>`).join("");
    return {
      status: 200,
      type: "text/html",
      body: `<html><body>Available endpoints:<ul>${list}</ul></body></html>`,
    };
  }
  const head = { jsonrpc: "2.0", id: -1 };
  if (SOCKET_METHODS.includes(method)) {
    const error = new RpcFault(-32601, "Method not found");
    return json({ ...head, error: errorJson(error) }, 404);
  }
  if (!METHOD_NAMES.includes(method)) {
    return { status: 404, type: "text/plain", body: "404 page not found\n" };
  }
  try {
    const result = await callUri(chain, method, url.searchParams);
    return json({ ...head, result });
  } catch (error) {
    return json({ ...head, error: errorJson(error) }, 500);
  }
}
