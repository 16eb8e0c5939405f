// Once for a network: writes addresses and texts of its configuration into the
// compiled contracts.

import { parseAddress } from "../../address/codec.js";
import {
  type PrecompileAddresses,
  type PrecompileName,
} from "../../precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { PAY_MAGIC, RESERVE } from "./accounts.js";
import type { EmulatorCode } from "../generated/emulator.js";
import { capitalize } from "../../support/text.js";

export type EmulatorContracts = Readonly<
  Record<
    Capitalize<PrecompileName> | "Vault" | "Payer" | "ShadowPayer",
    EmulatorCode
  >
>;

/** The codes of one configuration of addresses. */
export interface Emulator {
  /** Account -> code, of the precompiles, the module accounts and the reserve. */
  readonly codes: ReadonlyMap<string, string>;
  /** What an account without code runs while it pays. */
  readonly payer: string;
  /** The proxy of a contract that pays, in front of the code at `shadow`. */
  shadowPayer(shadow: string): string;
  /** Whose code such a proxy runs. */
  shadowIn(proxy: string): string;
  /** Another code of a module, with the same addresses and texts. */
  link(code: EmulatorCode): string;
  /** The code of a precompile with what {@link Copies} keep behind it. */
  withCopy(account: string, copy: string): string;
  /** Whether a code is the one of an account of the emulation, with whatever copies. */
  isAt(account: string, code: string): boolean;
}

/** Writes addresses into a code. */
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

/** What a configuration's codes depend on. */
export interface EmulatorSettings {
  readonly addresses: PrecompileAddresses;
  /** The precompiles that get a code. */
  readonly active: readonly PrecompileName[];
  readonly prefix: string;
  readonly denom: string;
}

const ZERO = `0x${"0".repeat(40)}`;
const BECH32_CHARACTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** The last six characters as the number that they stand for. */
const checksumOf = (text = "") =>
  [...text.slice(-6)].reduce(
    (sum, character) => 32 * sum + BECH32_CHARACTERS.indexOf(character),
    0,
  );

/** No copies; see contracts/localnet/common/Directory.sol. */
const NO_COPIES = "00".repeat(7);

/** What stands behind the codes: see contracts/localnet/common/Settings.sol. */
function behindCode({ prefix, denom }: EmulatorSettings): string {
  const zero = prefix === "" ? undefined : parseAddress(ZERO, { prefix });
  const checksums = [zero?.account, zero?.valoper].map(checksumOf);
  const bytes = Buffer.alloc(10);
  checksums.forEach((sum, i) => bytes.writeUInt32BE(sum, 4 * i));
  [prefix, denom].forEach((text, i) =>
    bytes.writeUInt8(Buffer.byteLength(text), 8 + i),
  );
  return Buffer.concat([Buffer.from(prefix + denom), bytes]).toString("hex");
}

/** The contract of contracts/localnet that stands at a precompile. */
const contractOf = <N extends PrecompileName>(name: N) =>
  capitalize(name) as Capitalize<N>;

export function linkEmulator(
  contracts: EmulatorContracts,
  settings: EmulatorSettings,
): Emulator {
  const { addresses, active } = settings;
  const texts = behindCode(settings);
  const behind = NO_COPIES + texts;
  const copied = (account: string) =>
    codes.get(account)?.slice(0, -behind.length) ?? "0x";
  // A contract knows the others by immutables that are called as they are.
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
