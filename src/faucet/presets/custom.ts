import {
  asHash,
  bodyJson,
  bodyText,
  fieldOf,
  refusal,
  soundsRefused,
} from "../outcome.js";
import type { FaucetProtocol, Wish } from "../protocol.js";
import {
  type CustomRequest,
  PLACEHOLDERS,
  type SuccessRule,
} from "../settings.js";
import type { HttpAnswer } from "../../support/http.js";

/** Fields in which faucets return the transaction and the reason, unless others are configured. */
const HASH_FIELDS = ["txHash", "tx_hash", "hash", "transactionHash", "tx"];
const TEXT_FIELDS = [
  "error.message",
  "error",
  "message",
  "msg",
  "reason",
  "result",
];

/** A faucet whose request and answer the user described. */
export function custom(request: CustomRequest): FaucetProtocol {
  const {
    body,
    path = "",
    headers,
    success,
    transactionField,
    waitField,
  } = request;
  return {
    name: "custom",
    request: (wish) => ({
      method: request.method ?? (body === undefined ? "GET" : "POST"),
      path: fill(path, wish, encodeURIComponent),
      headers,
      ...(body === undefined ? {} : { body: fillJson(body, wish) }),
    }),
    classify: (answer) => {
      const json = bodyJson(answer);
      const text =
        TEXT_FIELDS.map((field) => fieldOf(json, field)).find(
          (value): value is string => typeof value === "string",
        ) ?? bodyText(answer);
      if (succeeded(answer, json, text, success)) {
        const transaction = (
          transactionField === undefined ? HASH_FIELDS : [transactionField]
        )
          .map((field) => asHash(fieldOf(json, field)))
          .find((hash) => hash !== undefined);
        return {
          kind: "granted",
          ...(transaction === undefined ? {} : { transaction }),
        };
      }
      const seconds =
        waitField === undefined ? NaN : Number(fieldOf(json, waitField));
      return Number.isFinite(seconds)
        ? refusal(answer, text, seconds * 1000)
        : refusal(answer, text);
    },
  };
}

function succeeded(
  { status, text: body }: HttpAnswer,
  json: unknown,
  text: string,
  rule: SuccessRule | undefined,
): boolean {
  const statusFits =
    rule?.status?.includes(status) ?? (status >= 200 && status < 300);
  if (rule?.field !== undefined) {
    const value = fieldOf(json, rule.field);
    if (
      rule.equals === undefined ? value === undefined : value !== rule.equals
    ) {
      return false;
    }
  }
  if (rule?.matches !== undefined && !new RegExp(rule.matches).test(body)) {
    return false;
  }
  const judged = rule?.field !== undefined || rule?.matches !== undefined;
  // Some faucets answer everything with 200: then the text decides.
  return (
    statusFits &&
    (judged || (fieldOf(json, "error") === undefined && !soundsRefused(text)))
  );
}

function fill(
  text: string,
  wish: Wish,
  encode: (value: string) => string = (value) => value,
): string {
  return PLACEHOLDERS.reduce(
    (filled, name) => filled.replaceAll(`{${name}}`, encode(wish[name])),
    text,
  );
}

function fillJson(template: unknown, wish: Wish): unknown {
  if (typeof template === "string") {
    return fill(template, wish);
  }
  if (Array.isArray(template)) {
    return template.map((entry) => fillJson(entry, wish));
  }
  if (typeof template === "object" && template !== null) {
    return Object.fromEntries(
      Object.entries(template).map(([key, value]) => [
        key,
        fillJson(value, wish),
      ]),
    );
  }
  return template;
}
