import { TRANSFER_GAS } from "../gas/buffer.js";
import { fromQuantity, toQuantity } from "../rpc/quantities.js";
import type { SentByAccount } from "./sent.js";

/**
 * Lets an empty transaction take a nonce that others wait behind, where the
 * node refused the one that had it. Its fees are not those of the refused one,
 * which may be why. If it is refused as well, the account's next transaction
 * takes the nonce.
 *
 * @param again makes a request that passes all layers
 */
export function closeGap(
  again: (method: string, params: unknown[]) => Promise<unknown>,
  account: SentByAccount,
  from: string,
  nonce: bigint,
): void {
  const fee = async (method: string) =>
    fromQuantity(await again(method, []), "a fee");
  const fill = async () => {
    const [price, tip] = await Promise.all([
      fee("eth_gasPrice"),
      fee("eth_maxPriorityFeePerGas"),
    ]);
    if (account.isInUse(nonce)) {
      return;
    }
    const empty = {
      from,
      to: from,
      value: "0x0",
      gas: toQuantity(TRANSFER_GAS),
      // Enough for two full blocks before it. The tip is the node's, so that it
      // takes no other transaction's place.
      maxFeePerGas: toQuantity((price * 5n) / 4n),
      maxPriorityFeePerGas: toQuantity(tip),
      nonce: toQuantity(nonce),
    };
    await again("eth_sendTransaction", [empty]);
  };
  account.whileClosing(nonce, fill).catch(() => undefined);
}
