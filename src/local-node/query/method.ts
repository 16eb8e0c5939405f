import { parseAddress } from "../../address/index.js";
import type { Books, Ledger } from "../books.js";
import { Fault } from "../fault.js";

/** A message type as cosmjs-types has it. */
export interface Codec<T> {
  decode(bytes: Uint8Array): T;
  encode(message: T): { finish(): Uint8Array };
  fromPartial(partial: object): T;
}

/** What a query is answered from. */
export interface Question {
  /** At the height that was asked for. */
  readonly books: Books;
  readonly ledger: Ledger;
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
    return parseAddress(text, { prefix })[form];
  } catch {
    throw new Fault(
      code,
      `codespace sdk code 9: unknown address: unknown address format: ${text}`,
      { code: 9, log: `unknown address format: ${text}: unknown address` },
    );
  }
}

export const account = (question: Question, text: string, code = 2): string =>
  address(question, text, "account", code);

export const valoper = (question: Question, text: string): string =>
  address(question, text, "valoper", 2);
