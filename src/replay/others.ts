import { isRecord } from "../rpc/quantities.js";
import { cleanText } from "../support/text.js";
import { nodeRpcResult } from "./node-rpc.js";

/** What a replay says of a transaction that the framework's side undid. */
const UNDONE = "a transaction without a receipt";

/**
 * Reads from the node RPC which transactions came before one of the EVM in its
 * block without being in the EVM's block: those of the framework's side, and
 * those that it undid.
 *
 * @returns for each of them its messages, such as `MsgDelegate`; `undefined` if
 * the node does not tell
 */
export async function othersBefore(
  nodeRpcUrl: string,
  height: bigint,
  hash: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[] | undefined> {
  const result = await nodeRpcResult(
    nodeRpcUrl,
    `block_results?height=${height}`,
    {
      headers,
      maxBytes: 32 * 1024 * 1024,
    },
  );
  const others: string[] = [];
  for (const one of recordsIn(result.txs_results)) {
    const ethereum = valuesOf(one, "ethereum_tx", "ethereumTxHash");
    if (ethereum.some((found) => found.toLowerCase() === hash)) return others;
    if (ethereum.length === 0) others.push(messagesOf(one));
    else if (one.code !== undefined && one.code !== 0) others.push(UNDONE);
  }
  return undefined;
}

function messagesOf(result: Record<string, unknown>): string {
  const names = valuesOf(result, "message", "action").map((url) =>
    cleanText(url.slice(url.lastIndexOf(".") + 1), 60),
  );
  return names.length === 0
    ? "a transaction that failed"
    : [...new Set(names)].join(" and ");
}

/** Returns the values of an attribute in a result's events of a type. */
const valuesOf = (
  { events }: Record<string, unknown>,
  type: string,
  key: string,
): string[] =>
  recordsIn(events)
    .filter((event) => event.type === type)
    .flatMap(({ attributes }) => recordsIn(attributes))
    .filter((attribute) => attribute.key === key)
    .map(({ value }) => String(value));

const recordsIn = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
