import { fromAnyBase64 } from "../base64.js";
import { invalidArgument } from "../fault.js";

const TRUE = ["1", "t", "T", "TRUE", "true", "True"];
const FALSE = ["0", "f", "F", "FALSE", "false", "False"];
/** Integers in Go's notation, whose base follows from the prefix. */
const INTEGER =
  /^[+-]?(?:0[xX]_?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0[oO]?_?[0-7]+(?:_[0-7]+)*|0[bB]_?[01]+(?:_[01]+)*|0|[1-9]\d*(?:_\d+)*)$/;

/** Returns the value of {@link INTEGER}; BigInt does not know all its forms. */
function valueOf(text: string): bigint {
  const digits = text.replace(/^[+-]/, "").replaceAll("_", "");
  const isOctal = /^0\d/.test(digits);
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  return text.startsWith("-") ? -value : value;
}

/**
 * Reads an integer with Go's errors.
 *
 * @param before text before the error
 * @throws Fault when it is not one of 64 bits
 */
export function integer(
  text: string,
  type: "int64" | "uint64",
  before = "",
): bigint {
  const isSigned = type === "int64";
  const refused = (why: string) =>
    invalidArgument(
      `${before}strconv.Parse${isSigned ? "Int" : "Uint"}: parsing ${JSON.stringify(text.slice(0, 60))}: ${why}`,
    );
  if (!INTEGER.test(text) || (!isSigned && /^[+-]/.test(text))) {
    throw refused("invalid syntax");
  }
  const value = valueOf(text);
  const fits = isSigned
    ? value === BigInt.asIntN(64, value)
    : value === BigInt.asUintN(64, value);
  if (!fits) throw refused("value out of range");
  return value;
}

/** Reads a path's wildcard, whose name the gateway puts before errors. */
export const inPath = (name: string) =>
  `type mismatch, parameter: ${name}, error: `;

/**
 * The parameters of a REST query, read as the gateway reads them: fields have
 * the names of the message or of its JSON, of several values the first counts,
 * and a value that does not suit the field is refused.
 */
export class Query {
  readonly #given: URLSearchParams;

  constructor(given: URLSearchParams) {
    this.#given = given;
  }

  #value(name: string): string | null {
    const camel = name.replace(/_([a-z])/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    return this.#given.get(name) ?? this.#given.get(camel);
  }

  has(name: string): boolean {
    return this.#value(name) !== null;
  }

  text(name: string): string {
    return this.#value(name) ?? "";
  }

  /** @throws Fault when it is no unsigned integer */
  unsigned(name: string): bigint {
    return integer(this.#value(name) ?? "0", "uint64");
  }

  /** @throws Fault when it is no integer */
  signed(name: string): bigint {
    return integer(this.#value(name) ?? "0", "int64");
  }

  /** @throws Fault when it is neither true nor false */
  flag(name: string): boolean {
    const text = this.#value(name) ?? "false";
    if (!TRUE.includes(text) && !FALSE.includes(text)) {
      throw invalidArgument(
        `strconv.ParseBool: parsing ${JSON.stringify(text.slice(0, 60))}: invalid syntax`,
      );
    }
    return TRUE.includes(text);
  }

  /** @throws Fault when they are not in base64 */
  bytes(name: string): Uint8Array {
    // The gateway's text for bytes has no name before it.
    return fromAnyBase64(this.text(name), invalidArgument);
  }

  /**
   * Reads a value of an enum by its name or number.
   *
   * @throws Fault when there is no such value
   */
  choice(
    name: string,
    type: string,
    names: Readonly<Record<string, number>>,
  ): number {
    const text = this.#value(name);
    if (text === null) return 0;
    const found = Object.hasOwn(names, text)
      ? names[text]
      : Object.values(names).find((number) => String(number) === text);
    if (found === undefined) {
      throw invalidArgument(`${text.slice(0, 60)} is not a valid ${type}`);
    }
    return found;
  }

  /** @throws Fault when a part is invalid */
  get page() {
    return {
      key: this.bytes("pagination.key"),
      offset: this.unsigned("pagination.offset"),
      limit: this.unsigned("pagination.limit"),
      countTotal: this.flag("pagination.count_total"),
      reverse: this.flag("pagination.reverse"),
    };
  }
}
