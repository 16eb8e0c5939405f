/** A JSON value, in which an integer beyond 2^53 is a bigint. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

// Only a text with 16 digits in a row can contain a number that a double cannot hold.
const MAY_HOLD_BIG_NUMBER = /\d{16}/;

type SourceReviver = (
  this: unknown,
  key: string,
  value: unknown,
  context?: { readonly source?: string },
) => unknown;

const keepBigNumbers: SourceReviver = (_key, value, context) => {
  if (
    typeof value !== "number" ||
    (Number.isInteger(value) && Number.isSafeInteger(value))
  ) {
    return value;
  }
  const source = context?.source;
  return source !== undefined && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value;
};

/**
 * Parses JSON without losing digits: some 64-bit fields of the framework are
 * numbers instead of strings, and an account number may exceed 2^63. An integer
 * that a double holds exactly stays a number.
 *
 * @throws SyntaxError, or RangeError for nesting beyond the stack
 * @example parseJson('{"n":14295551113427553853}') // { n: 14295551113427553853n }
 */
export function parseJson(text: string): Json {
  // Revivers get the source text since Node 21; TypeScript's library does not
  // have that yet.
  const parse = JSON.parse as (text: string, reviver?: SourceReviver) => Json;
  return MAY_HOLD_BIG_NUMBER.test(text)
    ? parse(text, keepBigNumbers)
    : parse(text);
}

/** The value if it is an object; undefined for any other. */
export function asObject(
  value: Json | undefined,
): { readonly [key: string]: Json } | undefined {
  return typeof value === "object" && value !== null && !isList(value)
    ? value
    : undefined;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
