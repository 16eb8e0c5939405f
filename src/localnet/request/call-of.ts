// Reads a call or transaction when it comes in, and adds overrides to it before
// it goes on.

import { isRecord } from "../../rpc/quantities.js";
import type { CallRequest } from "./calls.js";

/**
 * Returns the part of a request that decides what it does. Fees are left out: a
 * trace pays none.
 */
export function callOf(request: unknown): CallRequest {
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
  return call;
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
