import { parseAddress } from "../../address/codec.js";
import { type PrecompileAddresses } from "../../precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { PAY_MAGIC, RESERVE } from "./accounts.js";
import type { EmulatorCode } from "../generated/emulator.js";

export type EmulatorContracts = Readonly<
  Record<
    | "Staking"
    | "Distribution"
    | "Governance"
    | "Bech32"
    | "Vault"
    | "Payer"
    | "ShadowPayer",
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
}

/** Writes addresses into a code. */
function link(
  { code, references }: EmulatorCode,
  values: Readonly<Record<string, string>>,
): string {
  let linked = code;
  for (const [name, offsets] of Object.entries(references)) {
    const value = values[name];
    if (value === undefined) continue;
    const word = value.slice(2).toLowerCase().padStart(64, "0");
    for (const offset of offsets) {
      const at = 2 + 2 * offset;
      linked = linked.slice(0, at) + word + linked.slice(at + 64);
    }
  }
  return linked;
}

/** What a configuration's codes depend on. */
export interface EmulatorSettings {
  readonly addresses: PrecompileAddresses;
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

export function linkEmulator(
  contracts: EmulatorContracts,
  settings: EmulatorSettings,
): Emulator {
  const { addresses } = settings;
  const behind = behindCode(settings);
  const values = {
    STAKING: addresses.staking,
    DISTRIBUTION: addresses.distribution,
    GOVERNANCE: addresses.governance,
    BECH32: addresses.bech32,
  };
  const vault = link(contracts.Vault, values);
  const codes = new Map<string, string>([
    [addresses.staking.toLowerCase(), link(contracts.Staking, values) + behind],
    [
      addresses.distribution.toLowerCase(),
      link(contracts.Distribution, values) + behind,
    ],
    [
      addresses.governance.toLowerCase(),
      link(contracts.Governance, values) + behind,
    ],
    [addresses.bech32.toLowerCase(), link(contracts.Bech32, values) + behind],
  ]);
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
  };
}
