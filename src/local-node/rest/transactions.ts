import { invalidArgument } from "../fault.js";
import { heightIn, paging, type Route, route } from "./routes.js";

const X = "cosmos.tx.v1beta1.Service/";

/** Values of OrderBy. */
const ORDERS: Readonly<Record<string, number>> = {
  ORDER_BY_UNSPECIFIED: 0,
  ORDER_BY_ASC: 1,
  ORDER_BY_DESC: 2,
};

const count = (text: string | null) =>
  text !== null && /^\d{1,10}$/.test(text) ? BigInt(text) : 0n;

function order(text: string): number {
  const found = Object.hasOwn(ORDERS, text) ? ORDERS[text] : undefined;
  if (found === undefined && !/^[012]$/.test(text)) {
    throw invalidArgument(`${text.slice(0, 40)} is not valid`);
  }
  return found ?? Number(text);
}

/** Paths of the transaction queries. */
export const TRANSACTION_ROUTES: readonly Route[] = [
  route("tx/v1beta1/txs", `${X}GetTxsEvent`, (_p, q) => ({
    query: q.get("query") ?? "",
    page: count(q.get("page")),
    limit: count(q.get("limit") ?? q.get("pagination.limit")),
    orderBy: order(q.get("order_by") ?? "0"),
  })),
  route("tx/v1beta1/txs/block/*", `${X}GetBlockWithTxs`, ([height], q) => ({
    height: heightIn(height),
    pagination: paging(q),
  })),
  route("tx/v1beta1/txs/*", `${X}GetTx`, ([hash]) => ({ hash })),
];
