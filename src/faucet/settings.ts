import { z } from "zod";

import { PRESETS, type PresetName } from "./presets/index.js";
import type { FaucetToken } from "./token.js";

/** The known faucet protocols, `auto` to find out, and `custom` to describe one. */
const FAUCET_PROTOCOLS: readonly ["auto", ...(PresetName | "custom")[]] = [
  "auto",
  ...(Object.keys(PRESETS) as PresetName[]),
  "custom",
];

/** The names that may stand in braces in a custom request. */
export const PLACEHOLDERS = [
  "address",
  "bech32",
  "denom",
  "amount",
  "token",
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

const placeholders = PLACEHOLDERS.map((name) => `{${name}}`).join(", ");

function unknownPlaceholder(text: string): string | undefined {
  return [...text.matchAll(/\{([A-Za-z0-9_]+)\}/g)]
    .map(([, name]) => name)
    .find((name) => !PLACEHOLDERS.some((known) => known === name));
}

const template = z.string().superRefine((text, context) => {
  const unknown = unknownPlaceholder(text);
  if (unknown !== undefined) {
    context.addIssue({
      code: "custom",
      message: `{${unknown}} is not known here; there are ${placeholders}`,
    });
  }
});

type JsonTemplate =
  | string
  | number
  | boolean
  | null
  | readonly JsonTemplate[]
  | { readonly [key: string]: JsonTemplate };

const jsonTemplate: z.ZodType<JsonTemplate> = z.lazy(() =>
  z.union(
    [
      template,
      z.number(),
      z.boolean(),
      z.null(),
      z.array(jsonTemplate),
      z.record(jsonTemplate),
    ],
    {
      errorMap: () => ({
        message: `must be JSON in which texts may hold ${placeholders}`,
      }),
    },
  ),
);

const fieldPath = z
  .string()
  .regex(
    /^[^.]+(?:\.[^.]+)*$/,
    'must be the path of a field in the answer, such as "data.txHash"',
  );

const success = z
  .object({
    status: z.array(z.number().int().min(200).max(599)).nonempty().optional(),
    field: fieldPath.optional(),
    equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
    matches: z
      .string()
      .refine(isPattern, "must be a regular expression")
      .optional(),
  })
  .strict()
  .refine(
    ({ field, equals }) => equals === undefined || field !== undefined,
    'needs "field": the field of the answer that "equals" is about',
  );

const request = z
  .object({
    method: z
      .enum(["GET", "POST"], {
        errorMap: () => ({ message: 'must be "GET" or "POST"' }),
      })
      .optional(),
    path: template.optional(),
    headers: z
      .record(z.string({ invalid_type_error: "must be a string" }))
      .optional(),
    body: jsonTemplate.optional(),
    success: success.optional(),
    transactionField: fieldPath.optional(),
    waitField: fieldPath.optional(),
  })
  .strict()
  .refine(
    ({ method, body }) => method !== "GET" || body === undefined,
    "a GET request has no body: put the placeholders into the path",
  );

const wholeTokens = z
  .string({ invalid_type_error: 'must be a string of whole tokens: "100"' })
  .regex(/^\d+(?:\.\d+)?$/, 'must be whole tokens, such as "100"');

/**
 * `dualstack.testnet.faucet`, field by field. The address itself is
 * `dualstack.testnet.faucetUrl`.
 */
export const faucetSchema = z
  .object({
    protocol: z
      .enum(FAUCET_PROTOCOLS, {
        errorMap: () => ({
          message: `must be one of ${FAUCET_PROTOCOLS.join(", ")}`,
        }),
      })
      .optional(),
    denoms: z
      .object({
        native: z.string().min(1).optional(),
        stable: z.string().min(1).optional(),
      })
      .strict()
      .optional(),
    amounts: z
      .object({
        native: wholeTokens.optional(),
        stable: wholeTokens.optional(),
      })
      .strict()
      .optional(),
    request: request.optional(),
  })
  .strict()
  .superRefine(({ protocol, request }, context) => {
    if (protocol === "custom" && request === undefined) {
      context.addIssue({
        code: "custom",
        path: ["request"],
        message: 'is needed with protocol "custom"',
      });
    }
    if (protocol !== "custom" && request !== undefined) {
      context.addIssue({
        code: "custom",
        path: ["protocol"],
        message: 'must be "custom" where a request is described',
      });
    }
  });

/**
 * Which answers to a custom request mean that the tokens were granted; all
 * given conditions must hold.
 */
export interface SuccessRule {
  /** HTTP statuses; default: 200 to 299. */
  readonly status?: readonly number[];
  /** A field that the JSON answer must have, such as `data.txHash`. */
  readonly field?: string;
  /** The value that the field must have. */
  readonly equals?: string | number | boolean;
  /** A regular expression that the body must match. */
  readonly matches?: string;
}

/**
 * A request for faucets with another interface. Texts in `path` and `body` may
 * contain `{address}` (0x…), `{bech32}`, `{denom}`, `{amount}` (whole tokens)
 * and `{token}` (`native` or `stable`).
 */
export interface CustomRequest {
  /** Default: `POST` if there is a body, otherwise `GET`. */
  readonly method?: "GET" | "POST";
  /** Below the faucet's address, such as `/fund?to={bech32}`. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: JsonTemplate;
  readonly success?: SuccessRule;
  /** The field of the answer with the transaction's hash. */
  readonly transactionField?: string;
  /** The field of a refusal with the seconds to wait. */
  readonly waitField?: string;
}

/** How to ask the test network's faucet, which the interface document leaves open. */
export interface FaucetUserSettings {
  /** Default: `auto`, which recognises the faucet by its own description. */
  readonly protocol?: (typeof FAUCET_PROTOCOLS)[number];
  /** The faucet's names for the tokens; default: their base denominations. */
  readonly denoms?: { readonly [token in FaucetToken]?: string };
  /** Whole tokens to ask for, if the faucet lets you choose; default: the documented amounts. */
  readonly amounts?: { readonly [token in FaucetToken]?: string };
  /** With `protocol: "custom"`. */
  readonly request?: CustomRequest;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
