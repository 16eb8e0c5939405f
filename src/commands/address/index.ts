import { hexToBytes } from "@noble/hashes/utils";

import {
  type Address,
  addressForms,
  isAddress,
  parseAddress,
} from "../../address/index.js";
import type { PrecompileAddresses } from "../../precompiles/index.js";
import { DualstackError } from "../../support/errors.js";
import { knownAddress } from "../shared/known-address.js";

export interface AddressReport extends Address {
  /** What the address is known as if nobody holds its key, such as a module account. */
  readonly known?: string;
}

export interface AddressOptions {
  /** The chain's prefix of account addresses. */
  readonly chainPrefix: string;
  /** The prefix to write the forms with; addresses with it are accepted too. */
  readonly prefix?: string;
  readonly precompiles: PrecompileAddresses;
  /** Names of modules that have accounts. */
  readonly modules?: readonly string[];
}

/**
 * An address in all its forms.
 *
 * @throws DualstackError if the text is not an address, or the prefix not
 * bech32
 */
export function describeAddress(
  text: string,
  { chainPrefix, prefix = chainPrefix, precompiles, modules }: AddressOptions,
): AddressReport {
  if (!/^[a-z][a-z0-9]{0,40}$/.test(prefix)) {
    throw new DualstackError(
      `"${prefix.slice(0, 60)}" is not a bech32 prefix`,
      {
        fix: "Write lower-case letters and digits, such as cosmos.",
      },
    );
  }
  const from = isAddress(text, { prefix: chainPrefix }) ? chainPrefix : prefix;
  const { hex, form } = parseAddress(text, { prefix: from });
  const forms = addressForms(hexToBytes(hex.slice(2)), form, prefix);
  const known = knownAddress(hex, precompiles, modules);
  return { ...forms, ...(known === undefined ? {} : { known }) };
}
