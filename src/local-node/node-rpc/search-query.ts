import { cleanText } from "../../support/text.js";
import { internalError } from "./error.js";

type Operator = "=" | "<" | "<=" | ">" | ">=" | "CONTAINS" | "EXISTS";
type ValueKind = "number" | "timestamp" | "datestamp" | "string";

/** A condition of a query on one event attribute. */
export interface Condition {
  /** The attribute, such as `tx.height`. */
  readonly key: string;
  readonly operator: Operator;
  /** The type of the value it is compared with; `EXISTS` has none. */
  readonly kind: ValueKind | undefined;
  readonly value: string;
}

interface Token {
  readonly kind: "tag" | "AND operator" | `${Operator} operator` | ValueKind;
  readonly text: string;
  readonly at: number;
}

const LONGEST = 512;
/** What a node says of a query that is too long. */
export const TOO_LONG = "maximum query length exceeded";

const SPACE = /\s*/y;
const TAG = /[\p{L}\p{Nd}_][\p{L}\p{Nd}._-]*/uy;
const NUMBER = /\d+(?:\.\d*)?/y;
const STRING = /'([^']*)'/y;
const COMPARISON = /[<>]=?|=/y;
const TIME = /[-T:+Z\d]*/y;
const DATE = /[-\d]*/y;
const WORDS: ReadonlySet<string> = new Set(["AND", "CONTAINS", "EXISTS"]);

/** Reads a query's tokens with the errors of a node's scanner. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  /**
   * Returns the next token; `undefined` at the end.
   *
   * @throws RpcFault at what is no token
   */
  next(): Token | undefined {
    this.#match(SPACE);
    const at = this.#at;
    if (at === this.#text.length) return undefined;
    const number = this.#match(NUMBER)?.[0];
    if (number !== undefined) return { kind: "number", text: number, at };
    const word = this.#match(TAG)?.[0];
    if (word !== undefined) return this.#word(word, at);
    const compared = this.#match(COMPARISON)?.[0] as Operator | undefined;
    if (compared !== undefined) {
      return { kind: `${compared} operator`, text: compared, at };
    }
    const text = this.#match(STRING)?.[1];
    if (text !== undefined) return { kind: "string", text, at };
    const found = String.fromCodePoint(this.#text.codePointAt(at) ?? 0);
    throw found === "'"
      ? this.end(at)
      : internalError(
          `offset ${this.#bytes(at)}: invalid input ${cleanText(found, 4)} at offset ${this.#bytes(at + found.length)}`,
        );
  }

  /** Returns a node's error for a query that ends too early. */
  end(at: number = this.#text.length): Error {
    return internalError(`offset ${this.#bytes(at)}: EOF`);
  }

  /** Returns a node's error for a token of another kind than wanted. */
  unexpected({ kind, at }: Token, wanted: string): Error {
    return internalError(`offset ${this.#bytes(at)}: got ${kind}, ${wanted}`);
  }

  #word(word: string, at: number): Token {
    const isSpaced = this.#text[this.#at] === " ";
    if (isSpaced && (word === "TIME" || word === "DATE")) {
      this.#at++;
      const text = this.#match(word === "TIME" ? TIME : DATE)?.[0] ?? "";
      const year = momentOf(text, word === "TIME") && Number(text.slice(0, 4));
      if (year === undefined) {
        throw internalError(
          `offset ${this.#bytes(at)}: invalid ${word} value: parsing time "${cleanText(text, 40)}"`,
        );
      }
      const kind = word === "TIME" ? "timestamp" : "datestamp";
      if (year < 1900 || year > 2999) {
        throw internalError(
          `offset ${this.#bytes(at)}: ${kind} year ${year} out of range`,
        );
      }
      return { kind, text, at };
    }
    const kind = WORDS.has(word)
      ? (`${word} operator` as Token["kind"])
      : "tag";
    return { kind, text: word, at };
  }

  /** Nodes count bytes. */
  #bytes(at: number): number {
    return Buffer.byteLength(this.#text.slice(0, at));
  }
}

/** Returns a time in milliseconds; `undefined` when the text is none. */
function momentOf(text: string, hasTime: boolean): number | undefined {
  const form = hasTime
    ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/
    : /^\d{4}-\d\d-\d\d$/;
  const found = form.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(found) ? undefined : found;
}

const OPERATORS: readonly Operator[] = [
  "<=",
  ">=",
  "<",
  ">",
  "=",
  "CONTAINS",
  "EXISTS",
];

function valueKinds(operator: Operator): readonly ValueKind[] {
  switch (operator) {
    case "EXISTS":
      return [];
    case "CONTAINS":
      return ["string"];
    case "=":
      return ["number", "timestamp", "datestamp", "string"];
    default:
      return ["number", "timestamp", "datestamp"];
  }
}

const listed = (kinds: readonly string[]) =>
  kinds.length === 1
    ? String(kinds[0])
    : `${kinds.slice(0, -1).join(", ")} or ${String(kinds.at(-1))}`;

function take<K extends string>(scanner: Scanner, kinds: readonly K[]) {
  const token = scanner.next();
  if (token === undefined) throw scanner.end();
  const kind = kinds.find((one) => one === token.kind);
  if (kind === undefined) {
    throw scanner.unexpected(token, `wanted ${listed(kinds)}`);
  }
  return { kind, text: token.text };
}

function condition(scanner: Scanner): Condition {
  const { text: key } = take(scanner, ["tag"]);
  const { text } = take(
    scanner,
    OPERATORS.map((one) => `${one} operator` as const),
  );
  const operator = text as Operator;
  const kinds = valueKinds(operator);
  if (kinds.length === 0) return { key, operator, kind: undefined, value: "" };
  const { kind, text: value } = take(scanner, kinds);
  return { key, operator, kind, value };
}

/**
 * Parses a query of the node's language: conditions joined by AND.
 *
 * @throws RpcFault when it is malformed
 */
export function parseSearch(query: string): readonly Condition[] {
  if (Buffer.byteLength(query) > LONGEST) throw internalError(TOO_LONG);
  const scanner = new Scanner(query);
  const conditions = [condition(scanner)];
  for (
    let token = scanner.next();
    token !== undefined;
    token = scanner.next()
  ) {
    // Nodes name the wanted token by its number.
    if (token.kind !== "AND operator") {
      throw scanner.unexpected(token, "want 6");
    }
    conditions.push(condition(scanner));
  }
  return conditions;
}

/** Compares two numbers of digits with a fraction. */
function comparedNumbers(a: string, b: string): number {
  const [left = "0", right = "0"] = [a, b].map((text) => text.split(".")[0]);
  const [x, y] = [BigInt(left), BigInt(right)];
  if (x !== y) return x < y ? -1 : 1;
  const [f = "", g = ""] = [a, b].map((text) =>
    (text.split(".")[1] ?? "").replace(/0+$/, ""),
  );
  return f === g ? 0 : f < g ? -1 : 1;
}

const holds = (operator: Operator, compared: number): boolean =>
  (operator.includes("=") && compared === 0) ||
  (operator.startsWith("<") && compared < 0) ||
  (operator.startsWith(">") && compared > 0);

/** Tells whether an attribute's value meets a condition of the index. */
export function meets(found: string, { operator, kind, value }: Condition) {
  switch (operator) {
    case "EXISTS":
      return true;
    case "=":
      return found === value;
    case "CONTAINS":
      return found.includes(value);
    default:
      // The index compares numbers only.
      return (
        kind === "number" &&
        /^\d+(?:\.\d+)?$/.test(found) &&
        holds(operator, comparedNumbers(found, value))
      );
  }
}

/**
 * Tells whether an attribute's value meets a condition of a subscription, which
 * also compares times, and amounts with their denomination.
 */
export function meetsLive(found: string, condition: Condition): boolean {
  const { operator, kind, value } = condition;
  switch (kind) {
    case "number": {
      const number = /^\d+(?:\.\d+)?/.exec(found)?.[0];
      return (
        number !== undefined && holds(operator, comparedNumbers(number, value))
      );
    }
    case "timestamp":
    case "datestamp": {
      const isTime = kind === "timestamp";
      const [a, b] = [momentOf(found, isTime), momentOf(value, isTime)];
      return a !== undefined && b !== undefined && holds(operator, a - b);
    }
    default:
      return meets(found, condition);
  }
}
