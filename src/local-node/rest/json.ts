import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import { MsgCommunityPoolSpend } from "cosmjs-types/cosmos/distribution/v1beta1/tx";
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

import { isoTime } from "../../support/time.js";

const snake = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A number times 10^18 as the gateway writes decimals. */
export const decimal = (text: string) => {
  const digits = text.padStart(19, "0");
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
};

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
  "baseProposerReward",
  "bonusProposerReward",
]);
// Lists whose coins have a fraction.
const DEC_COINS = new Set([
  "rewards",
  "reward",
  "selfBondRewards",
  "total",
  "commission",
  "pool",
]);

const isTime = (value: object): value is { seconds: bigint; nanos: number } =>
  "seconds" in value && "nanos" in value;

/**
 * The gateway's JSON of a message: by the names of its fields, since decimals,
 * times and enums are texts and numbers like others in the message itself.
 */
export function toJson(value: unknown, path: readonly string[]): unknown {
  const name = path.at(-1) ?? "";
  if (typeof value === "bigint") {
    return String(value);
  }
  if (
    typeof value === "string" &&
    (DECIMALS.has(name) ||
      (name === "amount" && DEC_COINS.has(path.at(-2) ?? "")))
  ) {
    return decimal(value);
  }
  if (typeof value === "number") {
    if (name === "status") {
      return path.includes("validators") || path.includes("validator")
        ? bondStatusToJSON(value)
        : proposalStatusToJSON(value);
    }
    return name === "option" ? voteOptionToJSON(value) : value;
  }
  if (value instanceof Uint8Array) {
    return value.length === 0 ? null : Buffer.from(value).toString("base64");
  }
  if (Array.isArray(value)) {
    return value.map((item) => toJson(item, path));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isTime(value)) {
    return /(?:Period|unbondingTime)$/.test(name) &&
      path.some((part) => /params/i.test(part))
      ? duration(value)
      : time(value);
  }
  if ("typeUrl" in value && "value" in value) {
    return anyToJson(value as { typeUrl: string; value: Uint8Array });
  }
  const entries = Object.entries(value).filter(
    ([, item]) => item !== undefined,
  );
  const body = Object.fromEntries(
    entries.map(([key, item]) => [snake(key), toJson(item, [...path, key])]),
  );
  return { ...missing(path, value), ...body };
}

// What the gateway writes although the message has nothing there.
function missing(path: readonly string[], value: object): object {
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
  return name === "info" ? { pub_key: null } : {};
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

/** Messages that stand in others, by their types; of others only the type is told. */
const KNOWN: Readonly<Record<string, (value: Uint8Array) => object>> = {
  "/cosmos.bank.v1beta1.MsgSend": (value) => MsgSend.decode(value),
  "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend": (value) =>
    MsgCommunityPoolSpend.decode(value),
  "/cosmos.auth.v1beta1.BaseAccount": (value) =>
    withKey(BaseAccount.decode(value)),
  "/cosmos.auth.v1beta1.ModuleAccount": (value) => {
    const { baseAccount, ...module } = ModuleAccount.decode(value);
    return {
      baseAccount: withKey(baseAccount ?? BaseAccount.fromPartial({})),
      ...module,
    };
  },
};

// A key that is not known stands as null, at its place.
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
  // All of them hold the key alone.
  return /PubKey$/.test(typeUrl)
    ? {
        "@type": typeUrl,
        key: Buffer.from(PubKey.decode(value).key).toString("base64"),
      }
    : { "@type": typeUrl };
}
