import type { DualChain } from "../chain.js";
import { Fault } from "../fault.js";
import { untilFound } from "../inclusion.js";
import type { Refusal } from "../transactions/transaction.js";
import { resultJson } from "./blocks.js";
import { internalError } from "./error.js";
import { bytes, type Params } from "./params.js";

const COMMIT_TIMEOUT_MS = 10_000;

const NO_REFUSAL: Refusal = { code: 0, codespace: "", log: "" };

/**
 * Answers `broadcast_tx_sync`: adds a transaction to the pool and returns the
 * result of its checks.
 *
 * @throws RpcFault when it is empty, or the pool has seen it before
 */
export async function broadcast(chain: DualChain, params: Params) {
  const transaction = bytes(params, "tx");
  if (transaction.length === 0) throw internalError("tx is empty");
  const { hash, refusal = NO_REFUSAL } = await chain
    .broadcast(transaction)
    .catch((error: unknown) => {
      throw error instanceof Fault ? internalError(error.message) : error;
    });
  return { ...refusal, data: "", hash };
}

const checkJson = ({ code, log, codespace }: Refusal) => ({
  code,
  data: null,
  log,
  info: "",
  gas_wanted: "0",
  gas_used: "0",
  events: [],
  codespace,
});

/**
 * Answers `broadcast_tx_commit`: also waits for the transaction's block.
 *
 * @throws RpcFault when no block includes it within ten seconds
 */
export async function broadcastAndWait(
  chain: DualChain,
  params: Params,
): Promise<unknown> {
  const { hash, ...refusal } = await broadcast(chain, params);
  const check = checkJson(refusal);
  if (refusal.code !== 0) {
    return {
      check_tx: check,
      tx_result: checkJson(NO_REFUSAL),
      hash,
      height: "0",
    };
  }
  const record = await untilFound(
    chain,
    async () => await chain.transaction(hash),
    COMMIT_TIMEOUT_MS,
    () => internalError("timed out waiting for tx to be included in a block"),
  );
  return {
    check_tx: check,
    tx_result: resultJson(record),
    hash,
    height: String(record.height),
  };
}

/** Answers `check_tx`: runs the checks and adds nothing to the pool. */
export const checkOnly = async (chain: DualChain, params: Params) =>
  checkJson((await chain.check(bytes(params, "tx"))) ?? NO_REFUSAL);
