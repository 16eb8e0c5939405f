import { heightIn, type Route, route } from "./routes.js";

const X = "cosmos.tx.v1beta1.Service/";

const ORDERS = {
  ORDER_BY_UNSPECIFIED: 0,
  ORDER_BY_ASC: 1,
  ORDER_BY_DESC: 2,
} as const;

/** Paths of the transaction queries. */
export const TRANSACTION_ROUTES: readonly Route[] = [
  route("tx/v1beta1/txs", `${X}GetTxsEvent`, (_p, q) => ({
    query: q.text("query"),
    // Read for its errors only: these pages have numbers.
    pagination: q.page,
    page: q.unsigned("page"),
    limit: q.unsigned("limit"),
    orderBy: q.choice("order_by", "tx.OrderBy", ORDERS),
  })),
  route("tx/v1beta1/txs/block/*", `${X}GetBlockWithTxs`, ([height], q) => ({
    height: heightIn(height),
    pagination: q.page,
  })),
  route("tx/v1beta1/txs/*", `${X}GetTx`, ([hash]) => ({ hash })),
];
