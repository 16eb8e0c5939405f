import {
  BaseAccount,
  ModuleAccount,
} from "cosmjs-types/cosmos/auth/v1beta1/auth";
import {
  proposalStatusToJSON,
  voteOptionToJSON,
} from "cosmjs-types/cosmos/gov/v1/gov";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { bondStatusToJSON } from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { Tx } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { signModeToJSON } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { blockIDFlagToJSON } from "cosmjs-types/tendermint/types/validator";

import { isoTime } from "../../support/time.js";
import { MESSAGE_TYPES } from "../message-types.js";

/** Cache of converted field names: they are few, and recur in many answers. */
const written = new Map<string, string>();

function snake(name: string): string {
  let found = written.get(name);
  if (found === undefined) {
    found = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    written.set(name, found);
  }
  return found;
}

/** Writes a number times 10^18 as the gateway writes decimals. */
export const decimal = (text: string) => {
  const digits = text.padStart(19, "0");
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
};

// Fields of decimals, which messages hold as strings of the number times 10^18.
const DECIMALS = new Set([
  "delegatorShares",
  "shares",
  "sharesDst",
  "rate",
  "maxRate",
  "maxChangeRate",
  "minCommissionRate",
  "fraction",
  "communityTax",
  "inflationRateChange",
  "inflationMax",
  "inflationMin",
  "goalBonded",
  "baseProposerReward",
  "bonusProposerReward",
]);
// Fields of decimals that messages hold as the bytes of such a string.
const DECIMAL_BYTES = new Set([
  "inflation",
  "annualProvisions",
  "minSignedPerWindow",
  "slashFractionDoubleSign",
  "slashFractionDowntime",
  "quorum",
  "threshold",
  "vetoThreshold",
]);
// Lists of coins with decimal amounts.
const DEC_COINS = new Set([
  "rewards",
  "reward",
  "selfBondRewards",
  "total",
  "commission",
  "pool",
]);

/** Returns the name of an enum's value; `undefined` for a plain number. */
function enumName(
  value: number,
  name: string,
  path: readonly string[],
): string | undefined {
  switch (name) {
    case "status":
      return path.some((part) => /^(?:validators?|valset)$/.test(part))
        ? bondStatusToJSON(value)
        : proposalStatusToJSON(value);
    case "option":
      return voteOptionToJSON(value);
    case "mode":
      return signModeToJSON(value);
    case "blockIdFlag":
      return blockIDFlagToJSON(value);
    case "accessType":
      return value === 0 ? "ACCESS_TYPE_PERMISSIONLESS" : String(value);
    default:
      return undefined;
  }
}

const isTime = (value: object): value is { seconds: bigint; nanos: number } =>
  "seconds" in value && "nanos" in value;

/**
 * Converts a message to the gateway's JSON. Fields are told apart by their
 * names: in the message, decimals, times and enums are strings and numbers like
 * any other.
 *
 * @param path names of the fields that lead to the value
 */
export function toJson(value: unknown, path: string[] = []): unknown {
  const name = path.at(-1) ?? "";
  if (typeof value === "bigint") {
    return String(value);
  }
  if (
    typeof value === "string" &&
    (DECIMALS.has(name) ||
      // In gov v1, weights of votes are decimals already; in v1beta1 they are
      // times 10^18.
      (name === "weight" && !value.includes(".")) ||
      (name === "amount" && DEC_COINS.has(path.at(-2) ?? "")))
  ) {
    // An unknown value stays empty.
    return value === "" ? "" : decimal(value);
  }
  if (typeof value === "number") {
    return enumName(value, name, path) ?? value;
  }
  if (value instanceof Uint8Array) {
    if (DECIMAL_BYTES.has(name)) return decimal(Buffer.from(value).toString());
    // The bytes of an EVM transaction.
    if (name === "raw") return `0x${Buffer.from(value).toString("hex")}`;
    return value.length === 0 ? null : Buffer.from(value).toString("base64");
  }
  if (Array.isArray(value)) {
    return value.map((item) => toJson(item, path));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isTime(value)) {
    return /(?:Period|Duration|unbondingTime)$/.test(name) &&
      path.some((part) => /params/i.test(part))
      ? duration(value)
      : time(value);
  }
  if ("typeUrl" in value && "value" in value) {
    return anyToJson(value as { typeUrl: string; value: Uint8Array });
  }
  const body: Record<string, unknown> = missing(path, value);
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    path.push(key);
    body[snake(key)] = toJson(item, path);
    path.pop();
  }
  return body;
}

// Null fields that the gateway writes although the message lacks them.
function missing(
  path: readonly string[],
  value: object,
): Record<string, unknown> {
  if (path.length === 0 && "params" in value && "votingParams" in value) {
    return { voting_params: null, deposit_params: null, tally_params: null };
  }
  const name = path.at(-1);
  if (name === "proposal" || name === "proposals") {
    return {
      submit_time: null,
      deposit_end_time: null,
      voting_start_time: null,
      voting_end_time: null,
    };
  }
  switch (name) {
    case undefined:
      return "txResponses" in value
        ? { pagination: null }
        : "codespace" in value && "key" in value
          ? { proof_ops: null }
          : {};
    case "info":
      return "accountNumber" in value ? { pub_key: null } : {};
    case "body":
      return { timeout_timestamp: null };
    case "authInfo":
      return { tip: null };
    default:
      return {};
  }
}

const duration = ({ seconds, nanos }: { seconds: bigint; nanos: number }) =>
  nanos === 0
    ? `${seconds}s`
    : `${seconds}.${String(nanos).padStart(9, "0").replace(/0+$/, "")}s`;

function time({ seconds, nanos }: { seconds: bigint; nanos: number }): string {
  const whole = isoTime(seconds).slice(0, -1);
  const fraction =
    nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${whole}${fraction}Z`;
}

/**
 * Decoders of messages inside `Any`; of other types, only the type is written.
 */
const KNOWN: Readonly<Record<string, (value: Uint8Array) => object>> = {
  ...Object.fromEntries(
    MESSAGE_TYPES.map((codec) => [
      codec.typeUrl,
      (value: Uint8Array) => codec.decode(value),
    ]),
  ),
  [Tx.typeUrl]: (value) => Tx.decode(value),
  [BaseAccount.typeUrl]: (value) => withKey(BaseAccount.decode(value)),
  [ModuleAccount.typeUrl]: (value) => {
    const { baseAccount, ...module } = ModuleAccount.decode(value);
    return {
      baseAccount: withKey(baseAccount ?? BaseAccount.fromPartial({})),
      ...module,
    };
  },
};

// The gateway writes an unknown public key as null, in its place.
const withKey = ({
  address,
  pubKey,
  accountNumber,
  sequence,
}: BaseAccount) => ({
  address,
  pubKey: pubKey ?? null,
  accountNumber,
  sequence,
});

/** Converts an `Any` to JSON; of an unknown type, only the type is written. */
export function anyToJson({
  typeUrl,
  value,
}: {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}): object {
  const known = Object.hasOwn(KNOWN, typeUrl) ? KNOWN[typeUrl] : undefined;
  if (known !== undefined) {
    return { "@type": typeUrl, ...(toJson(known(value), []) as object) };
  }
  // All types of public key hold the key only.
  return /PubKey$/.test(typeUrl)
    ? {
        "@type": typeUrl,
        key: Buffer.from(PubKey.decode(value).key).toString("base64"),
      }
    : { "@type": typeUrl };
}
