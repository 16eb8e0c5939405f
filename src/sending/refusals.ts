import { rpcErrorOf } from "../rpc/provider.js";

// Texts of nodes of this kind, and of those that development chains use.

/** The node has these very bytes already. */
export const isKnown = (error: unknown) =>
  /already known|already in mempool|tx already seen/i.test(
    rpcErrorOf(error)?.message ?? "",
  );
/** Another transaction of the account has this nonce, and is not in a block yet. */
export const isNonceTaken = (error: unknown) =>
  /replacement transaction underpriced|replacement fee too low/i.test(
    rpcErrorOf(error)?.message ?? "",
  );
/** The nonce was used. */
export const isNonceTooLow = (error: unknown) =>
  /nonce too low|invalid nonce/i.test(rpcErrorOf(error)?.message ?? "");
/** A transaction of the other stack, from the same account, is not in a block yet. */
export const isReserved = (error: unknown) =>
  /address already reserved/i.test(rpcErrorOf(error)?.message ?? "");
