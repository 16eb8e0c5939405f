import { hexToBytes } from "@noble/hashes/utils";

/** The selector of `Error(string)`, which the precompiles use for every refusal. */
const ERROR_SELECTOR = "0x08c379a0";
const WORD = 64;

/** The text of `Error(string)` in a call's revert data; `undefined` for other data. */
export function revertReason(data: unknown): string | undefined {
  if (typeof data !== "string" || !data.startsWith(ERROR_SELECTOR)) {
    return undefined;
  }
  const words = data.slice(ERROR_SELECTOR.length);
  try {
    const bytes = hexToBytes(words);
    const length = Number(BigInt(`0x${words.slice(WORD, 2 * WORD)}`));
    return new TextDecoder().decode(bytes.subarray(WORD, WORD + length));
  } catch {
    return undefined;
  }
}
