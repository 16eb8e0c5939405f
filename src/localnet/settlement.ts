import { DualstackError } from "../support/errors.js";
import { RESERVE } from "./accounts.js";
import type { LocalNode } from "./node.js";
import type { SystemCalls } from "./system.js";

/** Takes what accounts owe that could not pay inside their transaction; the reserve has paid in advance. */
export async function settle(
  node: LocalNode,
  system: SystemCalls,
): Promise<void> {
  const [debits] = (await system.view("deferredDebits")) as unknown as [
    readonly { actor: string; amount: bigint }[],
  ];
  if (debits.length === 0) return;
  const owed = new Map<string, bigint>();
  for (const { actor, amount } of debits)
    owed.set(actor, (owed.get(actor) ?? 0n) + amount);
  for (const [actor, amount] of owed) {
    const balance = await node.balance(actor);
    if (balance < amount) {
      throw new DualstackError(
        "an account spent tokens that it had already given to a precompile in the same transaction",
        {
          address: actor,
          fix: "Let the contract act after its creation, in a transaction of its own.",
        },
      );
    }
    await node.setBalance(actor, balance - amount);
    await node.setBalance(RESERVE, (await node.balance(RESERVE)) + amount);
  }
  await system.run("clearDeferredDebits");
}
