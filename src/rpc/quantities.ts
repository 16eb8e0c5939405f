import { DualstackError } from "../support/errors.js";
import { cleanText } from "../support/text.js";

/** A JSON-RPC quantity without leading zeros, which nodes of this kind refuse. */
export const toQuantity = (value: bigint): `0x${string}` =>
  `0x${value.toString(16)}`;

/** Reads a quantity from an answer or a request. @throws DualstackError for anything else */
export function fromQuantity(value: unknown, what: string): bigint {
  if (typeof value === "string" && /^0x[0-9a-fA-F]+$/.test(value)) {
    return BigInt(value);
  }
  if (typeof value === "bigint") {
    return value;
  }
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) {
    return BigInt(value);
  }
  throw new DualstackError(
    `${what} is not a quantity: ${cleanText(JSON.stringify(value) ?? "nothing", 60)}`,
    {
      fix: "Check that the address is that of an EVM JSON-RPC endpoint.",
    },
  );
}

/** Whether an answer is an object with fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
