import { httpExchange } from "../support/http.js";
import { cleanText } from "../support/text.js";
import { isRecord } from "../rpc/quantities.js";

/**
 * Why a transaction in a block has no receipt, from the node RPC's log;
 * `undefined` if that endpoint is not configured or does not know it.
 */
export async function explainMissing(
  nodeRpcUrl: string | undefined,
  hash: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  if (nodeRpcUrl === undefined) {
    return undefined;
  }
  const query = `"ethereum_tx.ethereumTxHash='${hash.toLowerCase()}'"`;
  const answer = await httpExchange({
    url: `${nodeRpcUrl}/tx_search?query=${encodeURIComponent(query)}`,
    name: "the node RPC",
    headers,
    timeoutMs: 5_000,
    maxBytes: 1024 * 1024,
  });
  const body: unknown = JSON.parse(answer.text);
  const result =
    isRecord(body) && isRecord(body["result"]) ? body["result"] : {};
  const [transaction] = Array.isArray(result["txs"]) ? result["txs"] : [];
  const outcome =
    isRecord(transaction) && isRecord(transaction["tx_result"])
      ? transaction["tx_result"]
      : undefined;
  return outcome === undefined
    ? undefined
    : reasonIn(String(outcome["log"] ?? `code ${String(outcome["code"])}`));
}

/** The reason in a node's log, without the stack that follows after a panic. */
function reasonIn(log: string): string {
  const [panic] = log.split(/\n\s*stack(?: trace)?:|\ngoroutine \d+/i, 1);
  return cleanText(
    panic === undefined || panic === log
      ? log
      : `the node panicked: ${panic.replace(/^recovered: /, "")}`,
  );
}
