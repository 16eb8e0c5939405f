// Links the compiled contracts with the addresses and texts of a network's
// configuration, once for each network.

import { parseAddress } from "../../address/codec.js";
import { ZERO_ADDRESS } from "../../address/zero.js";
import {
  type PrecompileAddresses,
  type PrecompileName,
} from "../../precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { PAY_MAGIC, RESERVE } from "./accounts.js";
import type { EmulatorCode } from "../generated/emulator.js";
import { capitalize } from "../../support/text.js";

/** The compiled contracts, by name. */
export type EmulatorContracts = Readonly<
  Record<
    | Capitalize<PrecompileName>
    | "Vault"
    | "Payer"
    | "ShadowPayer"
    | "StakingClosing"
    | "DistributionClosing",
    EmulatorCode
  >
>;

/** The linked codes of one configuration. */
export interface Emulator {
  /**
   * Codes of the precompiles, the module accounts and the reserve, by address.
   */
  readonly codes: ReadonlyMap<string, string>;
  /**
   * State overrides of the call that reads what follows a transaction; see
   * contracts/localnet/staking/StakingClosing.sol.
   */
  readonly closing: Readonly<Record<string, { readonly code: string }>>;
  /** The code that an account without code runs while it pays. */
  readonly payer: string;
  /**
   * Returns the proxy for a contract that pays, in front of the code at
   * `shadow`.
   */
  shadowPayer(shadow: string): string;
  /** Returns the account whose code such a proxy runs. */
  shadowIn(proxy: string): string;
  /** Links another code of a module with the same addresses and texts. */
  link(code: EmulatorCode): string;
  /** Returns a precompile's code with a copy of `Copies` behind it. */
  withCopy(account: string, copy: string): string;
  /** Returns whether `code` is the account's own, with any copy behind it. */
  isAt(account: string, code: string): boolean;
}

/** Fills the immutables of a code with addresses. */
function link(
  { code, references }: EmulatorCode,
  values: Readonly<Record<string, string>>,
): string {
  const places = Object.entries(references).flatMap(([name, offsets]) => {
    const value = values[name];
    if (value === undefined) return [];
    const word = value.slice(2).toLowerCase().padStart(64, "0");
    return offsets.map((offset) => ({ at: 2 + 2 * offset, word }));
  });
  places.sort((a, b) => a.at - b.at);
  let linked = "";
  let from = 0;
  for (const { at, word } of places) {
    linked += code.slice(from, at) + word;
    from = at + word.length;
  }
  return linked + code.slice(from);
}

/** The part of the settings that the codes depend on. */
export interface EmulatorSettings {
  readonly addresses: PrecompileAddresses;
  /** The precompiles that receive a code. */
  readonly active: readonly PrecompileName[];
  readonly prefix: string;
  readonly denom: string;
}

const BECH32_CHARACTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** Decodes a Bech32 checksum, an address's last six characters, to a number. */
const checksumOf = (text = "") =>
  [...text.slice(-6)].reduce(
    (sum, character) => 32 * sum + BECH32_CHARACTERS.indexOf(character),
    0,
  );

/** Marks that no copy follows; see contracts/localnet/common/Directory.sol. */
const NO_COPIES = "00".repeat(7);

/**
 * Encodes the texts behind the codes; see
 * contracts/localnet/common/Settings.sol.
 */
function behindCode({ prefix, denom }: EmulatorSettings): string {
  const zero =
    prefix === "" ? undefined : parseAddress(ZERO_ADDRESS, { prefix });
  const checksums = [zero?.account, zero?.valoper].map(checksumOf);
  const bytes = Buffer.alloc(10);
  checksums.forEach((sum, i) => bytes.writeUInt32BE(sum, 4 * i));
  [prefix, denom].forEach((text, i) =>
    bytes.writeUInt8(Buffer.byteLength(text), 8 + i),
  );
  return Buffer.concat([Buffer.from(prefix + denom), bytes]).toString("hex");
}

/** Returns the name of the contract in contracts/localnet for a precompile. */
const contractOf = <N extends PrecompileName>(name: N) =>
  capitalize(name) as Capitalize<N>;

/** Links the compiled contracts for a configuration. */
export function linkEmulator(
  contracts: EmulatorContracts,
  settings: EmulatorSettings,
): Emulator {
  const { addresses, active } = settings;
  const texts = behindCode(settings);
  const behind = NO_COPIES + texts;
  const copied = (account: string) =>
    codes.get(account)?.slice(0, -behind.length) ?? "0x";
  // A contract's immutables are named after the precompiles, in capitals.
  const values = Object.fromEntries(
    Object.entries(addresses).map(([name, at]) => [name.toUpperCase(), at]),
  );
  const vault = link(contracts.Vault, values);
  const codes = new Map(
    active.map((name) => [
      addresses[name].toLowerCase(),
      link(contracts[contractOf(name)], values) + behind,
    ]),
  );
  for (const account of [...Object.values(MODULE_ACCOUNTS), RESERVE]) {
    codes.set(account, vault);
  }
  const proxies = new Map<string, string>();
  const [shadowAt = 0] =
    (
      contracts.ShadowPayer.references as Readonly<
        Record<string, readonly number[]>
      >
    ).SHADOW ?? [];
  return {
    codes,
    closing: {
      [addresses.staking.toLowerCase()]: {
        code: link(contracts.StakingClosing, values),
      },
      [addresses.distribution.toLowerCase()]: {
        code: link(contracts.DistributionClosing, values),
      },
    },
    payer: link(contracts.Payer, values) + PAY_MAGIC,
    shadowPayer(shadow) {
      let code = proxies.get(shadow);
      if (code === undefined) {
        code =
          link(contracts.ShadowPayer, { ...values, SHADOW: shadow }) +
          PAY_MAGIC;
        proxies.set(shadow, code);
      }
      return code;
    },
    shadowIn: (proxy) =>
      `0x${proxy.slice(2 + 2 * shadowAt + 24, 2 + 2 * shadowAt + 64)}`,
    link: (code) => link(code, values) + behind,
    withCopy: (account, copy) => copied(account) + copy.slice(2) + texts,
    isAt: (account, code) =>
      codes.has(account) &&
      (codes.get(account) === code ||
        (code.startsWith(copied(account)) && code.endsWith(texts))),
  };
}
