import { isAddress, parseAddress } from "../../address/index.js";
import { PRECOMPILE_NAMES } from "../../precompiles/index.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import type { NetworkDescription } from "../../config/network-description.js";

export const WATCHED = ["blocks", "logs", "pending", "address"] as const;

/** What is watched. */
export type Target =
  | { readonly kind: "blocks" }
  | { readonly kind: "pending" }
  | {
      readonly kind: "logs";
      readonly address?: string;
      /** Only events of this contract of the project, wherever it is deployed. */
      readonly contract?: string;
    }
  | {
      readonly kind: "address";
      readonly hex: string;
      readonly account: string;
      readonly valoper: string;
    };

/**
 * Reads what to watch: `blocks`, `pending`, `logs` of a contract or precompile
 * or all of them, or what an `address` does. An address alone means the latter.
 *
 * @throws DualstackError for anything else
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
    throw new DualstackError(`"${cleanText(what, 60)}" cannot be watched`, {
      fix: `Write ${WATCHED.join(", ")}, or an address.`,
    });
  }
  if (kind === "logs") {
    return of === undefined
      ? { kind }
      : { kind, ...emitter(of, options, precompiles) };
  }
  if (kind === "address") {
    if (of === undefined) {
      throw new DualstackError("no address to watch was given", {
        fix: "Write it after the word address.",
      });
    }
    return { kind, ...forms(of, options) };
  }
  if (of !== undefined) {
    throw new DualstackError(`${kind} cannot be filtered`, {
      fix: `Leave out "${cleanText(of, 60)}".`,
    });
  }
  return { kind };
}

function emitter(
  of: string,
  options: { readonly prefix: string },
  precompiles: NetworkDescription["precompiles"],
): { readonly address: string } | { readonly contract: string } {
  const precompile = PRECOMPILE_NAMES.find((name) => name === of);
  if (precompile !== undefined) {
    return { address: precompiles[precompile] };
  }
  // A contract's name, or path/to/File.sol:Name; no address looks like either.
  return /^(?:[^\0]+\.sol:)?[A-Za-z_$][A-Za-z0-9_$]*$/.test(of) &&
    !/^0x/i.test(of) &&
    !of.startsWith(`${options.prefix}1`)
    ? { contract: of }
    : { address: parseAddress(of, { ...options, what: "contract" }).hex };
}

function forms(text: string, options: { readonly prefix: string }) {
  const { hex, account, valoper } = parseAddress(text, options);
  return { hex, account, valoper };
}
