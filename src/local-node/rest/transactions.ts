import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";

import type { Ledger } from "../books.js";
import { Fault } from "../fault.js";
import { indexed, type TransactionRecord } from "../history.js";

const DEFAULT_LIMIT = 100;

const refused = (text: string) => new Fault(13, text, { code: 18, log: "" });

/** Types of the messages of a transaction; none where the bytes are something else. */
function typesOf(bytes: Uint8Array): readonly string[] {
  try {
    const { messages } = TxBody.decode(TxRaw.decode(bytes).bodyBytes);
    return messages.map(({ typeUrl }) => typeUrl);
  } catch {
    return [];
  }
}

/** A transaction as the gateway writes it: its messages by their types. */
const toResponse = ({
  hash,
  bytes,
  height,
  code,
  codespace,
  log,
  gasWanted,
  gasUsed,
  events,
}: TransactionRecord) => ({
  height: String(height),
  txhash: hash,
  codespace,
  code,
  raw_log: log,
  tx: {
    "@type": "/cosmos.tx.v1beta1.Tx",
    body: { messages: typesOf(bytes).map((type) => ({ "@type": type })) },
  },
  gas_wanted: String(gasWanted),
  gas_used: String(gasUsed),
  events: indexed(events),
});

/** A search by height alone; it pages by number and says the total. @throws Fault */
export async function searchTransactions(
  ledger: Ledger,
  query: URLSearchParams,
): Promise<object> {
  const height = /^tx\.height=(\d+)$/.exec(query.get("query") ?? "")?.[1];
  if (height === undefined) {
    throw refused("query cannot be empty");
  }
  const limit = Number(query.get("limit") ?? DEFAULT_LIMIT);
  const page = Number(query.get("page") ?? 1);
  const all = await ledger.transactionsAt(BigInt(height));
  if (page > 1 && (page - 1) * limit >= all.length) {
    throw refused(
      `failed to search for txs: page should be within [1, 1] range, given ${page}`,
    );
  }
  const found = all.slice((page - 1) * limit, page * limit);
  return {
    txs: found.map(() => ({})),
    tx_responses: found.map(toResponse),
    pagination: null,
    total: String(all.length),
  };
}
