const LITERALS = ["true", "false", "null"] as const;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;

/** Whether a text is a number of JSON, and nothing else. */
export const isJsonNumber = (text: string): boolean =>
  NUMBER.exec(text)?.[0] === text;

/** Writes a character as Go does in an error. */
const quoted = (text: string, at: number) => {
  const one = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return one === "'" || one === "\\" ? `'\\${one}'` : `'${one}'`;
};

/** Returns Go's error for a text that is not JSON. */
export function jsonFault(given: string): string {
  const text = given.trim();
  // Only what ends too early is told apart in lists, objects and strings.
  if (/^[[{"]/.test(text)) return "unexpected end of JSON input";
  const [literal] = LITERALS.filter((one) => text.startsWith(one[0] ?? ""));
  if (literal !== undefined) {
    const at = [...literal].findIndex((letter, i) => text[i] !== letter);
    if (at >= 0 && at < text.length) {
      return `invalid character ${quoted(text, at)} in literal ${literal} (expecting '${literal[at] ?? ""}')`;
    }
  }
  const whole = (literal ?? NUMBER.exec(text)?.[0] ?? "").length;
  if (whole >= text.length) return "unexpected end of JSON input";
  return whole > 0
    ? `invalid character ${quoted(text, whole)} after top-level value`
    : `invalid character ${quoted(text, 0)} looking for beginning of value`;
}

/** Names a JSON value's type as Go's errors do. */
export const jsonType = (value: unknown): string =>
  Array.isArray(value)
    ? "array"
    : typeof value === "boolean"
      ? "bool"
      : typeof value;
