import { hexToBytes } from "@noble/hashes/utils";
import { bech32 } from "@scure/base";

import { DEFAULT_FACTS } from "../chain/facts.js";
import { DualstackError } from "../support/errors.js";
import { cleanText } from "../support/text.js";
import { checksumAddress } from "./checksum.js";

/** The forms in which the same 20 bytes are written. */
export type AddressForm = "hex" | "account" | "valoper";

/** An address in all its forms. */
export interface Address {
  /** With EIP-55's checksum, as the EVM's side writes it. */
  readonly hex: `0x${string}`;
  /** `<prefix>1…`, as the framework's side writes it. */
  readonly account: string;
  /** `<prefix>valoper1…`, the same bytes as a validator's operator address. */
  readonly valoper: string;
  /** The form that was parsed. */
  readonly form: AddressForm;
}

/** How to read an address. */
export interface AddressOptions {
  /** The prefix of account addresses; default: `cosmos`, from {@link DEFAULT_FACTS}. */
  readonly prefix?: string;
  /** What the address is for, as errors call it: `recipient`, `validator`. */
  readonly what?: string;
}

const LENGTH = 20;

/** The prefix of operator addresses for a prefix of account addresses. */
export const operatorPrefix = (prefix: string) => `${prefix}valoper`;

/**
 * Reads an address in any form and gives it in all of them. Checksums are
 * verified: EIP-55 for hex with mixed case, bech32 for the others.
 *
 * @throws DualstackError for a wrong checksum or prefix, or for any other text
 * @example parseAddress("cosmos1…").hex // "0x…"
 */
export function parseAddress(
  text: string,
  options: AddressOptions = {},
): Address {
  const { prefix = DEFAULT_FACTS.bech32Prefix, what = "address" } = options;
  // Tests and scripts are not type-checked when they run.
  if (typeof (text as unknown) !== "string") {
    throw new DualstackError(
      `the ${what} is ${text === undefined ? "missing" : `no text but ${cleanText(String(text), 60)}`}`,
      {
        fix: `Give it as 0x…, ${prefix}1… or ${operatorPrefix(prefix)}1….`,
      },
    );
  }
  const trimmed = text.trim();
  return /^0x/i.test(trimmed)
    ? fromHex(trimmed, prefix, what)
    : fromBech32(trimmed, prefix, what);
}

/**
 * All forms of an address.
 *
 * @param bytes 20 bytes
 * @param form the form that they were read from
 */
export function addressForms(
  bytes: Uint8Array,
  form: AddressForm,
  prefix: string,
): Address {
  const words = bech32.toWords(bytes);
  return {
    hex: checksumAddress(bytes),
    account: bech32.encode(prefix, words),
    valoper: bech32.encode(operatorPrefix(prefix), words),
    form,
  };
}

/**
 * A validator's operator address as `<prefix>valoper1…`, from any form.
 *
 * @throws DualstackError as `parseAddress` does
 */
export function toValoper(
  validator: string,
  options: AddressOptions = {},
): string {
  return parseAddress(validator, { what: "validator", ...options }).valoper;
}

/**
 * A hex address with checksum, from any form.
 *
 * @throws DualstackError as `parseAddress` does
 */
export function toHexAddress(
  address: string,
  options: AddressOptions = {},
): `0x${string}` {
  return parseAddress(address, options).hex;
}

/** Whether a string is an address in one of the forms. */
export function isAddress(text: string, options: AddressOptions = {}): boolean {
  try {
    parseAddress(text, options);
    return true;
  } catch {
    return false;
  }
}

function fromHex(text: string, prefix: string, what: string): Address {
  const digits = text.slice(2);
  if (!/^[0-9a-fA-F]*$/.test(digits) || digits.length !== LENGTH * 2) {
    throw new DualstackError(
      `the ${what} "${cleanText(text, 60)}" is not 0x followed by 40 hexadecimal digits`,
      {
        fix: `Give it as 0x…, ${prefix}1… or ${operatorPrefix(prefix)}1….`,
      },
    );
  }
  const forms = addressForms(hexToBytes(digits.toLowerCase()), "hex", prefix);
  const mixed =
    digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (mixed && forms.hex.slice(2) !== digits) {
    throw new DualstackError(`the ${what} ${text} has a wrong checksum`, {
      fix: `Check for a typing error; with the right one it is written ${forms.hex}.`,
    });
  }
  return forms;
}

function fromBech32(text: string, prefix: string, what: string): Address {
  const shown = cleanText(text, 90);
  const forms = [prefix, operatorPrefix(prefix)];
  const fix = `Give it as 0x…, ${forms.map((p) => `${p}1…`).join(" or ")}.`;
  let decoded: { prefix: string; bytes: Uint8Array };
  try {
    decoded = bech32.decodeToBytes(text);
  } catch (cause) {
    const looksRight = /^[a-z0-9]+1[a-z0-9]{6,}$/i.test(text);
    throw new DualstackError(
      looksRight
        ? `the ${what} "${shown}" has a wrong bech32 checksum or character`
        : `the ${what} "${shown}" is neither a hex nor a bech32 address`,
      { fix: looksRight ? "Check for a typing error." : fix, cause },
    );
  }
  if (!forms.includes(decoded.prefix)) {
    throw new DualstackError(
      `the ${what} "${shown}" has the prefix "${cleanText(decoded.prefix, 30)}"; this chain's prefixes are ${forms.join(" and ")}`,
      {
        fix: `${fix} If your chain uses another prefix, set dualstack.bech32Prefix.`,
      },
    );
  }
  if (decoded.bytes.length !== LENGTH) {
    throw new DualstackError(
      `the ${what} "${shown}" holds ${decoded.bytes.length} bytes instead of ${LENGTH}`,
      { fix },
    );
  }
  return addressForms(
    decoded.bytes,
    decoded.prefix === prefix ? "account" : "valoper",
    prefix,
  );
}
