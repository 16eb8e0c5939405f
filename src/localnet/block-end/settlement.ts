// Right after a transaction: takes what accounts owe.

import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

import { DualstackError } from "../../support/errors.js";
import type { LocalNode } from "../node/node.js";
import type { Debt } from "../foresight/trace.js";

/** What the staking module's word for debts becomes by these: a hash over the one before, the account, and the amount. */
export function debtsAfter(word: string, debts: readonly Debt[]): string {
  return debts.reduce((before, { actor, amount }) => {
    const fields = [before, actor, amount.toString(16)].map((field) =>
      field.replace(/^0x/, "").padStart(64, "0"),
    );
    return `0x${bytesToHex(keccak_256(hexToBytes(fields.join(""))))}`;
  }, word);
}

/** Takes what accounts owe; the reserve has paid in advance. */
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
