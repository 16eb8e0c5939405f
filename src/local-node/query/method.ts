import { hexToBytes } from "@noble/hashes/utils";
import { bech32 } from "@scure/base";

import { operatorPrefix } from "../../address/index.js";
import type { Books } from "../books/books.js";
import type { Ledger } from "../ledger.js";
import type { Codec } from "../codec.js";
import { consensusPrefix } from "../consensus.js";
import { type Fault, invalidArgument, ModuleFault } from "../fault.js";

/** What a query is answered from. */
export interface Question {
  /** The books at {@link height}. */
  readonly books: Books;
  readonly ledger: Ledger;
  /** The height asked for; never 0. */
  readonly height: bigint;
}

/** A query method: its codecs, and how it is answered. */
export interface Method {
  readonly request: Codec<unknown>;
  readonly response: Codec<unknown>;
  answer(question: Question, request: unknown): Promise<object>;
}

/** A service's methods by name. */
export type Service = Readonly<Record<string, Method>>;

/** Defines a method, with its answer typed by its codecs. */
export const method = <Request, Response>(
  request: Codec<Request>,
  response: Codec<Response>,
  answer: (
    question: Question,
    request: Request,
  ) => Promise<Partial<Record<keyof Response, unknown>>>,
): Method => ({ request, response, answer }) as unknown as Method;

type Form = "account" | "valoper" | "valcons";

/**
 * Reads an address as the framework's codec does: in bech32 or hex.
 *
 * @returns in bech32
 * @throws ModuleFault when it is not an address of this form
 */
function read(
  { ledger: { prefix } }: Question,
  text: string,
  form: Form,
): string {
  if (text.trim() === "") {
    throw new ModuleFault(
      "sdk",
      7,
      "invalid address",
      "empty address string is not allowed",
    );
  }
  const expected = prefixOf(prefix, form);
  const [hrp, bytes] = bytesOf(text);
  if (hrp !== undefined && hrp !== expected) {
    const why = `hrp does not match bech32 prefix: expected '${expected}' got '${hrp}'`;
    throw new ModuleFault("sdk", 35, "internal logic error", why);
  }
  return bech32.encode(expected, bech32.toWords(bytes));
}

const prefixOf = (prefix: string, form: Form): string =>
  form === "account"
    ? prefix
    : form === "valoper"
      ? operatorPrefix(prefix)
      : consensusPrefix(prefix);

/** Longest text that is decoded: the framework's own limit. */
const MAX_TEXT = 1023;

/** @throws ModuleFault when the text is neither bech32 nor an address in hex */
function bytesOf(
  text: string,
): [prefix: string | undefined, bytes: Uint8Array] {
  const hex = /^(?:0[xX])?([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (hex !== undefined) return [undefined, hexToBytes(hex)];
  try {
    const { prefix, words } = bech32.decode(
      text as `${string}1${string}`,
      MAX_TEXT,
    );
    const bytes = bech32.fromWords(words);
    // Accounts of other lengths do not exist here.
    if (bytes.length === 20) return [prefix, bytes];
  } catch {
    // neither form
  }
  const why = `unknown address format: ${text.slice(0, 120)}`;
  throw new ModuleFault("sdk", 9, "unknown address", why);
}

/**
 * Converts an account address, in bech32 or hex, to bech32.
 *
 * @throws ModuleFault when it is not an account address
 */
export const account = (question: Question, text: string): string =>
  read(question, text, "account");

/**
 * Converts an operator address, in bech32 or hex, to bech32.
 *
 * @throws ModuleFault when it is not an operator address
 */
export const valoper = (question: Question, text: string): string =>
  read(question, text, "valoper");

/**
 * Converts a consensus address, in bech32 or hex, to bech32.
 *
 * @throws ModuleFault when it is not a consensus address
 */
export const valcons = (question: Question, text: string): string =>
  read(question, text, "valcons");

/**
 * Requires a parameter that is not empty.
 *
 * @param what what the framework says otherwise
 * @throws Fault
 */
export function given(text: string, what: string): string {
  if (text === "") throw invalidArgument(what);
  return text;
}

/**
 * Runs a query's reading, and reports a module's error as another refusal.
 *
 * @param tell returns the refusal, given the error as the framework prints it
 */
export function retold<T>(reading: () => T, tell: (text: string) => Fault): T {
  try {
    return reading();
  } catch (error) {
    throw error instanceof ModuleFault ? tell(error.text) : error;
  }
}
