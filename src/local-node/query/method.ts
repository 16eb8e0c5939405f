import {
  type Address,
  type AddressForm,
  operatorPrefix,
  parseAddress,
} from "../../address/index.js";
import type { Books, Ledger } from "../books.js";
import type { Codec } from "../codec.js";
import { Fault, invalidArgument } from "../fault.js";

/** What a query is answered from. */
export interface Question {
  /** At the height that was asked for. */
  readonly books: Books;
  readonly ledger: Ledger;
  /** What {@link books} are of: never 0. */
  readonly height: bigint;
}

export interface Method {
  readonly request: Codec<unknown>;
  readonly response: Codec<unknown>;
  answer(question: Question, request: unknown): Promise<object>;
}

/** One service's methods by their names. */
export type Service = Readonly<Record<string, Method>>;

export const method = <Request, Response>(
  request: Codec<Request>,
  response: Codec<Response>,
  answer: (
    question: Question,
    request: Request,
  ) => Promise<Partial<Record<keyof Response, unknown>>>,
): Method => ({ request, response, answer }) as unknown as Method;

/** The address as the books have it, from any form. @param code of the refusal of a text that is none */
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

export const INVALID_ARGUMENT = 3;

export const account = (question: Question, text: string, code = 2): string =>
  address(question, text, "account", code);

export const valoper = (question: Question, text: string): string =>
  address(question, text, "valoper", 2);
