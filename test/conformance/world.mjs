// Who and what takes part in the scenario. Nothing here depends on a node.
import {
  HDNodeWallet,
  Wallet,
  getAddress,
  getBytes,
  id,
  sha256,
  toUtf8Bytes,
} from "ethers";

export const MNEMONIC =
  "test test test test test test test test test test test junk";
export const ACCOUNT_NAMES = [
  "alice",
  "bob",
  "carol",
  "dave",
  "valB",
  "valC",
  "erin",
  "frank",
  "relayer",
  "valA",
];

export const T = 10n ** 18n; // one token in base units
/** "1.5" tokens -> base units, without going through floating point. */
export const tokens = (s) => {
  const [i, f = ""] = String(s).split(".");
  return BigInt(i) * T + BigInt((f + "0".repeat(18)).slice(0, 18));
};

// Fixed consensus keys (valid ed25519 points, private keys are 32 times 0xb1, 0xc1, 0xd1). No node runs with them:
// the validators made from them never sign.
export const PUBKEYS = {
  valB: "RyG1tjInLmWmjdp6wltBhfiwGRbbGFwUKH25Lit3D64=",
  valC: "rNzISU1Fj0SnqqwdaoTsYk2u6IQ22yribme6ZFoQYig=",
  spare: "buCR/SgKm2hVT6c8WIEl1H00JcaKJroja02tkPkKj5I=",
};

export const MODULE_NAMES = [
  "fee_collector",
  "distribution",
  "bonded_tokens_pool",
  "not_bonded_tokens_pool",
  "gov",
];

/** Module account: first 20 bytes of sha256 of its name. */
export const moduleAddress = (name) =>
  getAddress(sha256(toUtf8Bytes(name)).slice(0, 42));

// ---- bech32 (BIP-173) -------------------------------------------------------------------------------------------
const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const polymod = (values) => {
  let c = 1;
  for (const v of values) {
    const top = c >>> 25;
    c = ((c & 0x1ffffff) << 5) ^ v;
    [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach(
      (g, i) => {
        if ((top >>> i) & 1) c ^= g;
      },
    );
  }
  return c >>> 0;
};
const expand = (hrp) => [
  ...[...hrp].map((c) => c.charCodeAt(0) >> 5),
  0,
  ...[...hrp].map((c) => c.charCodeAt(0) & 31),
];

export function bech32(hrp, hex) {
  let acc = 0;
  let bits = 0;
  const words = [];
  for (const b of getBytes(hex)) {
    acc = (acc << 8) | b;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      words.push((acc >> bits) & 31);
    }
    acc &= (1 << bits) - 1;
  }
  if (bits) words.push((acc << (5 - bits)) & 31);
  const m = polymod([...expand(hrp), ...words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const sum = [0, 1, 2, 3, 4, 5].map((i) => (m >>> (5 * (5 - i))) & 31);
  return `${hrp}1${[...words, ...sum].map((w) => CHARSET[w]).join("")}`;
}

// ---- the world --------------------------------------------------------------------------------------------------
/**
 * prefix, denom, precompile addresses of the network under test -> accounts and a name for every known address.
 * Two extra accounts (gina, hank) are not in the mnemonic: the scenario itself funds them, so their balance, which
 * appears in error texts, does not depend on the genesis.
 */
export function makeWorld({
  prefix = "cosmos",
  denom = "atest",
  staking,
  distribution,
  gov,
  bech32: b32,
} = {}) {
  const wallets = {};
  ACCOUNT_NAMES.forEach(
    (n, i) =>
      (wallets[n] = HDNodeWallet.fromPhrase(
        MNEMONIC,
        "",
        `m/44'/60'/0'/0/${i}`,
      )),
  );
  for (const n of ["gina", "hank"]) wallets[n] = new Wallet(id(`vectors.${n}`));

  const addresses = {}; // name -> { hex, acc, val, group }
  const names = new Map(); // lower-case hex -> name
  const add = (name, hex, group) => {
    const h = getAddress(hex);
    addresses[name] = {
      hex: h,
      acc: bech32(prefix, h),
      val: bech32(`${prefix}valoper`, h),
      group,
    };
    names.set(h.toLowerCase(), name);
  };
  for (const [n, w] of Object.entries(wallets)) add(n, w.address, "accounts");
  for (const n of MODULE_NAMES) add(`module:${n}`, moduleAddress(n), "modules");
  add(
    "bech32",
    b32 ?? "0x0000000000000000000000000000000000000400",
    "precompiles",
  );
  add(
    "staking",
    staking ?? "0x0000000000000000000000000000000000000800",
    "precompiles",
  );
  add(
    "distribution",
    distribution ?? "0x0000000000000000000000000000000000000801",
    "precompiles",
  );
  add(
    "gov",
    gov ?? "0x0000000000000000000000000000000000000900",
    "precompiles",
  );
  return { prefix, denom, wallets, addresses, names, add };
}
