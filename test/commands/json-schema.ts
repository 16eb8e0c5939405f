import { readFileSync } from "node:fs";

/** The part of JSON Schema that wallets and registries use. */
export interface Schema {
  readonly type?: "object" | "array" | "string" | "number" | "boolean";
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

export const schema = (name: string) =>
  JSON.parse(
    readFileSync(
      new URL(`../vectors/schemas/${name}.json`, import.meta.url),
      "utf8",
    ),
  ) as Schema;

/** Lists what is wrong with a value, by path. */
export function faults(value: unknown, rule: Schema, at = "$"): string[] {
  const found: string[] = [];
  const actual = Array.isArray(value)
    ? "array"
    : value === null
      ? "null"
      : typeof value;
  if (rule.type !== undefined && actual !== rule.type) {
    return [`${at}: ${actual} instead of ${rule.type}`];
  }
  if (rule.enum !== undefined && !rule.enum.includes(value)) {
    found.push(`${at}: ${String(value)} is not one of ${rule.enum.join(", ")}`);
  }
  if ("const" in rule && rule.const !== value) {
    found.push(`${at}: ${String(value)} is not ${String(rule.const)}`);
  }
  if (typeof value === "string") {
    if (
      value.length < (rule.minLength ?? 0) ||
      value.length > (rule.maxLength ?? Number.POSITIVE_INFINITY) ||
      (rule.pattern !== undefined && !new RegExp(rule.pattern).test(value))
    ) {
      found.push(`${at}: "${value}" is too short, too long or malformed`);
    }
  }
  if (Array.isArray(value)) {
    if (value.length < (rule.minItems ?? 0)) {
      found.push(`${at}: too few items`);
    }
    const { items } = rule;
    if (items !== undefined) {
      value.forEach((item, i) =>
        found.push(...faults(item, items, `${at}[${i}]`)),
      );
    }
  } else if (typeof value === "object" && value !== null) {
    const { properties = {}, required = [] } = rule;
    for (const key of required) {
      if (!Object.hasOwn(value, key)) {
        found.push(`${at}: "${key}" is missing`);
      }
    }
    for (const [key, entry] of Object.entries(value)) {
      const inner = properties[key];
      if (inner !== undefined) {
        found.push(...faults(entry, inner, `${at}.${key}`));
      } else if (rule.additionalProperties === false) {
        found.push(`${at}: "${key}" is not known`);
      }
    }
  }
  return found;
}
