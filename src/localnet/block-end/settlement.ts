// Takes deferred payments from their payers, right after a transaction.

import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

import { DualstackError } from "../../support/errors.js";
import type { LocalNode } from "../node/node.js";
import type { Debt } from "../foresight/trace.js";

/**
 * Computes the staking module's word for deferred payments after some more of
 * them: for each a hash of the word before, the account and the amount.
 */
export function debtsAfter(word: string, debts: readonly Debt[]): string {
  return debts.reduce((before, { actor, amount }) => {
    const fields = [before, actor, amount.toString(16)].map((field) =>
      field.replace(/^0x/, "").padStart(64, "0"),
    );
    return `0x${bytesToHex(keccak_256(hexToBytes(fields.join(""))))}`;
  }, word);
}

/**
 * Takes deferred payments from the accounts that owe them; the reserve has paid
 * them in advance.
 *
 * @throws DualstackError when an account no longer has what it owes
 */
export async function settle(
  node: LocalNode,
  debts: readonly Debt[],
): Promise<void> {
  const owed = new Map<string, bigint>();
  for (const { actor, amount } of debts)
    owed.set(actor, (owed.get(actor) ?? 0n) + amount);
  for (const [actor, amount] of owed) {
    const balance = await node.balance(actor);
    if (balance < amount) {
      throw new DualstackError(
        "an account spent tokens that it had already given to a precompile in the same block",
        { address: actor },
      );
    }
    await node.setBalance(actor, balance - amount);
  }
}
