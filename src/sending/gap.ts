import { TRANSFER_GAS } from "../gas/buffer.js";
import { toQuantity } from "../rpc/quantities.js";

/**
 * Lets an empty transaction take a nonce that others wait behind, where the
 * node refused the one that had it. Its fees are not those of the refused one,
 * which may be why.
 *
 * @param again makes a request that passes all layers
 */
export function closeGap(
  again: (method: string, params: unknown[]) => Promise<unknown>,
  from: string,
  nonce: bigint,
): void {
  const empty = {
    from,
    to: from,
    value: "0x0",
    gas: toQuantity(TRANSFER_GAS),
    nonce: toQuantity(nonce),
  };
  again("eth_sendTransaction", [empty]).catch(() => undefined);
}
