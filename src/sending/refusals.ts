import { rpcErrorOf } from "../rpc/provider.js";

// Texts of nodes of this kind, and of development nodes.

/** The node already has exactly these bytes. */
export const isKnown = (error: unknown) =>
  /already known|already in mempool|tx already seen/i.test(
    rpcErrorOf(error)?.message ?? "",
  );
/** Another pending transaction of the account has this nonce. */
export const isNonceTaken = (error: unknown) =>
  /replacement transaction underpriced|replacement fee too low/i.test(
    rpcErrorOf(error)?.message ?? "",
  );
/** The nonce is used. */
export const isNonceTooLow = (error: unknown) =>
  /nonce too low|invalid nonce/i.test(rpcErrorOf(error)?.message ?? "");
/** Any of these: a transaction has the nonce already. */
export const isNonceInUse = (error: unknown) =>
  isKnown(error) || isNonceTaken(error) || isNonceTooLow(error);
/** The account has a pending transaction on the other stack. */
export const isReserved = (error: unknown) =>
  /address already reserved/i.test(rpcErrorOf(error)?.message ?? "");
/** The fee is too low for now, or the pool is full: later the node may take it. */
export const isForNow = (error: unknown) =>
  /insufficient fee|lower than the (?:block )?base fee|underpriced|txpool is full|queue full/i.test(
    rpcErrorOf(error)?.message ?? "",
  );
