import { isRecord } from "../../rpc/quantities.js";
import { cleanText, errorText } from "../../support/text.js";
import type { DualChain } from "../chain.js";
import { invalidParams, RpcFault } from "./error.js";
import { callNode, METHOD_NAMES } from "./methods.js";
import { noInteger, type Params } from "./params.js";

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

const isId = (id: unknown): id is string | number =>
  typeof id === "string" || typeof id === "number";

/** Answers a JSON-RPC call; `undefined` for a notification, which has no ID. */
export async function answerCall(
  chain: DualChain,
  call: unknown,
): Promise<object | undefined> {
  const { id, method, params } = isRecord(call) ? call : {};
  const head = { jsonrpc: "2.0", ...(isId(id) ? { id } : {}) };
  if (typeof method !== "string") {
    return {
      ...head,
      error: errorJson(new RpcFault(-32600, "Invalid Request")),
    };
  }
  if (!isId(id)) return undefined;
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
  let calls: unknown;
  try {
    calls = JSON.parse(body);
  } catch {
    const error = new RpcFault(
      -32700,
      "Parse error. Invalid JSON",
      "error unmarshaling request: unexpected end of JSON input",
    );
    return json({ jsonrpc: "2.0", error: errorJson(error) }, 500);
  }
  if (Array.isArray(calls)) {
    const answers = await Promise.all(
      calls.map(async (call) => await answerCall(chain, call)),
    );
    return json(answers.filter((answer) => answer !== undefined));
  }
  const answer = await answerCall(chain, calls);
  return answer === undefined
    ? { status: 200, type: "application/json", body: "" }
    : json(answer);
}

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
  if (!METHOD_NAMES.includes(method)) {
    return { status: 404, type: "text/plain", body: "404 page not found\n" };
  }
  const head = { jsonrpc: "2.0", id: -1 };
  try {
    const params = uriParams(url.searchParams);
    return json({ ...head, result: await callNode(chain, method, params) });
  } catch (error) {
    const { data, ...rest } = errorJson(error);
    const told = data?.replace("json params", "http params");
    return json({ ...head, error: { ...rest, data: told } }, 500);
  }
}

const TEXTS = new Set(["path", "query", "order_by"]);

const NUMBERS = new Set([
  "height",
  "minHeight",
  "maxHeight",
  "page",
  "per_page",
]);

const unquoted = (value: string) =>
  new RpcFault(
    -32602,
    "Invalid params",
    `error converting http params to arguments: invalid character '${cleanText(value.slice(0, 1), 4)}' looking for beginning of value`,
  );

// In paths, strings are quoted, and bytes are in hex.
function uriParams(given: URLSearchParams): Params {
  return Object.fromEntries(
    [...given].map(([name, value]) => {
      if (/^0x([0-9a-fA-F]{2})*$/.test(value)) {
        return [name, Buffer.from(value.slice(2), "hex")];
      }
      const quoted = /^"(.*)"$/.exec(value)?.[1];
      if (quoted === undefined && TEXTS.has(name)) throw unquoted(value);
      if (NUMBERS.has(name) && !/^-?\d+$/.test(quoted ?? value)) {
        throw invalidParams(noInteger(value));
      }
      return [name, quoted ?? value];
    }),
  );
}
