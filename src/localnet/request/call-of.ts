// Reads a call or transaction when it comes in, and adds overrides to it before
// it goes on.

import { fromQuantity, isRecord } from "../../rpc/quantities.js";
import type { CallRequest } from "./calls.js";

const FEES = ["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"] as const;

/**
 * Returns the part of a request that decides what it does.
 *
 * @param withFees whether its fees are part of it: a trace of a transaction
 * pays none
 */
export function callOf(request: unknown, withFees = false): CallRequest {
  const fields = isRecord(request) ? request : {};
  const text = (...names: string[]) => {
    for (const name of names) {
      const value = fields[name];
      if (typeof value === "string") return value;
    }
    return undefined;
  };
  const call: Record<string, string> = {};
  const put = (name: string, value: string | undefined) => {
    if (value !== undefined) call[name] = value;
  };
  put("from", text("from"));
  put("to", text("to"));
  put("data", text("data", "input"));
  put("value", text("value"));
  put("gas", text("gas"));
  if (withFees) for (const fee of FEES) put(fee, text(fee));
  return call;
}

/**
 * Returns the gas price that a transaction with a request's fees would pay, in
 * base units; `undefined` if it names none.
 *
 * @param baseFee of the block, in base units
 */
export function gasPriceOf(
  request: unknown,
  baseFee: bigint,
): bigint | undefined {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = callOf(
    request,
    true,
  );
  if (gasPrice !== undefined) return fromQuantity(gasPrice, "the gas price");
  if (maxFeePerGas === undefined) return undefined;
  const [most, paid] = [
    fromQuantity(maxFeePerGas, "the highest fee"),
    baseFee + fromQuantity(maxPriorityFeePerGas ?? "0x0", "the priority fee"),
  ];
  return paid < most ? paid : most;
}

/** Merges a user's state overrides with the emulation's, which win. */
export function mergeOverrides(
  ours: Record<string, Record<string, unknown>>,
  users: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...ours };
  for (const [address, override] of Object.entries(users ?? {})) {
    merged[address] = {
      ...(isRecord(override) ? override : {}),
      ...ours[address.toLowerCase()],
    };
  }
  return merged;
}
