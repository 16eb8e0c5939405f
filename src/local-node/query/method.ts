import {
  type Address,
  type AddressForm,
  operatorPrefix,
  parseAddress,
} from "../../address/index.js";
import type { Books } from "../books/books.js";
import type { Ledger } from "../ledger.js";
import type { Codec } from "../codec.js";
import { Fault, invalidArgument } from "../fault.js";

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

/**
 * Converts an address to the form that the books use.
 *
 * @param code status code of the refusal when the text is not an address
 * @throws Fault when the text is not an address of this form or in hex
 */
function address(
  { ledger: { prefix } }: Question,
  text: string,
  form: "account" | "valoper",
  code: number,
): string {
  try {
    const read = parseAddress(text, { prefix });
    if (read.form !== "hex" && read.form !== form)
      throw otherForm(read, prefix, form);
    return read[form];
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (text === "") {
      const what = form === "account" ? "delegator" : "validator";
      throw invalidArgument(`${what} address cannot be empty`);
    }
    if (code === INVALID_ARGUMENT) {
      throw invalidArgument(
        `invalid address: unknown address format: ${text}: unknown address`,
      );
    }
    throw new Fault(
      code,
      `codespace sdk code 9: unknown address: unknown address format: ${text}`,
      { code: 9, log: `unknown address format: ${text}: unknown address` },
    );
  }
}

function otherForm(
  { form }: Address,
  prefix: string,
  expected: "account" | "valoper",
): Fault {
  const of = (one: AddressForm) =>
    one === "valoper" ? operatorPrefix(prefix) : prefix;
  const text = `hrp does not match bech32 prefix: expected '${of(expected)}' got '${of(form)}'`;
  return new Fault(2, `codespace sdk code 35: internal logic error: ${text}`, {
    code: 35,
    log: `${text}: internal logic error`,
  });
}

/** gRPC's status code INVALID_ARGUMENT. */
export const INVALID_ARGUMENT = 3;

/**
 * Converts an account address, in bech32 or hex, to bech32.
 *
 * @throws Fault when it is not an account address
 */
export const account = (question: Question, text: string, code = 2): string =>
  address(question, text, "account", code);

/**
 * Converts an operator address, in bech32 or hex, to bech32.
 *
 * @throws Fault when it is not an operator address
 */
export const valoper = (question: Question, text: string): string =>
  address(question, text, "valoper", 2);
