import { isAddress, parseAddress } from "../../address/index.js";
import {
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../../precompiles/index.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import type { NetworkDescription } from "../context.js";

export const WATCHED = ["blocks", "logs", "pending", "address"] as const;

/** What is watched. */
export type Target =
  | { readonly kind: "blocks" }
  | { readonly kind: "pending" }
  | { readonly kind: "logs"; readonly address?: string }
  | {
      readonly kind: "address";
      readonly hex: string;
      readonly account: string;
      readonly valoper: string;
    };

/**
 * Reads what to watch: `blocks`, `pending`, `logs` of a contract, a precompile
 * or all, or what an `address` does. An address alone means the latter.
 *
 * @throws DualstackError
 */
export function readTarget(
  what: string,
  of: string | undefined,
  { facts, precompiles }: NetworkDescription,
): Target {
  const options = { prefix: facts.bech32Prefix };
  const kind = WATCHED.find((known) => known === what);
  if (kind === undefined) {
    if (of === undefined && isAddress(what, options)) {
      return { kind: "address", ...forms(what, options) };
    }
    throw new DualstackError(
      `"${cleanText(what, 60)}" is nothing that can be watched`,
      { fix: `Write ${WATCHED.join(", ")}, or an address.` },
    );
  }
  if (kind === "logs") {
    const precompile = PRECOMPILE_NAMES.find((name) => name === of);
    return of === undefined
      ? { kind }
      : {
          kind,
          address:
            precompile === undefined
              ? parseAddress(of, { ...options, what: "contract" }).hex
              : precompiles[precompile satisfies PrecompileName],
        };
  }
  if (kind === "address") {
    if (of === undefined) {
      throw new DualstackError("it is not said which address to watch", {
        fix: "Write it after the word address.",
      });
    }
    return { kind, ...forms(of, options) };
  }
  if (of !== undefined) {
    throw new DualstackError(`${kind} are watched as a whole`, {
      fix: `Leave out "${cleanText(of, 60)}".`,
    });
  }
  return { kind };
}

function forms(text: string, options: { readonly prefix: string }) {
  const { hex, account, valoper } = parseAddress(text, options);
  return { hex, account, valoper };
}
