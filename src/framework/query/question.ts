import type { ChainFacts } from "../../chain/facts.js";
import type { PrecompileReader } from "../precompile-reader.js";
import type { Rpc } from "../services.js";
import type { Page, PageRequest } from "./answers.js";
import { fromHex, keyOrNone, toBase64, type Fields } from "./values.js";

/** The ways in which the chain's state can be asked. */
export const WAYS = ["rest", "grpc", "abci", "precompile"] as const;
export type Way = (typeof WAYS)[number];

/** What the normalisers know about the chain. */
export interface QuestionContext {
  readonly facts: ChainFacts;
  readonly height: bigint | undefined;
}

export type RestParams = Readonly<
  Record<string, string | bigint | boolean | undefined>
>;

/** GET of a path under the framework's prefix; the answer as an object. */
export type RestReader = (path: string, params?: RestParams) => Promise<Fields>;

/**
 * A question, with a normaliser for each way: it turns the arguments into that
 * way's request, and the answer into `Answer`. gRPC and the node RPC carry the
 * same protobuf messages and share one.
 */
export interface Question<Args, Answer> {
  readonly title: string;
  /** Refusals that mean "there is none": their text is the same every way, their codes are not. */
  readonly missing?: { readonly text: RegExp; readonly answer: Answer };
  readonly rest: (
    get: RestReader,
    args: Args,
    context: QuestionContext,
  ) => Promise<Answer>;
  readonly protobuf: (
    rpc: Rpc,
    args: Args,
    context: QuestionContext,
  ) => Promise<Answer>;
  /** Absent if no precompile provides it. */
  readonly precompile?: (
    reader: PrecompileReader,
    args: Args,
    context: QuestionContext,
  ) => Promise<Answer>;
}

/** Types a question without repeating its arguments for every way. */
export const question = <Args, Answer>(
  definition: Question<Args, Answer>,
): Question<Args, Answer> => definition;

const DEFAULT_LIMIT = 100n;

/** A page as parameters of a REST path. */
export const restPage = (page: PageRequest = {}): RestParams => ({
  "pagination.key": page.key === undefined ? undefined : toBase64(page.key),
  "pagination.offset": page.offset,
  "pagination.limit": page.limit ?? DEFAULT_LIMIT,
  "pagination.count_total": page.countTotal,
  "pagination.reverse": page.reverse,
});

/** A page as protobuf's message, which needs every field. */
export const protobufPage = (page: PageRequest = {}) => ({
  key: page.key ?? new Uint8Array(),
  offset: page.offset ?? 0n,
  limit: page.limit ?? DEFAULT_LIMIT,
  countTotal: page.countTotal ?? false,
  reverse: page.reverse ?? false,
});

/** A page as the precompiles' struct. */
export const precompilePage = (page: PageRequest = {}) => {
  const { key, ...rest } = protobufPage(page);
  return {
    ...rest,
    key: `0x${Buffer.from(key).toString("hex")}` as const,
  };
};

export const protobufNext = (
  pagination: { readonly nextKey: Uint8Array } | undefined,
) => (pagination === undefined ? null : keyOrNone(pagination.nextKey));

export const precompileNext = (page: { readonly nextKey: string }) =>
  keyOrNone(fromHex(page.nextKey));

/**
 * All entries of a long list, page by page.
 *
 * @throws RangeError if the node keeps sending the same page
 * @example for await (const v of everyItem((page) => query.staking.validators({ page }))) …
 */
export async function* everyItem<T>(
  ask: (page: PageRequest) => Promise<Page<T>>,
  page: PageRequest = {},
): AsyncGenerator<T, void, undefined> {
  let { key } = page;
  const { offset, ...rest } = page;
  let first = true;
  for (;;) {
    const answer = await ask(
      first ? { ...rest, offset, key } : { ...rest, key },
    );
    first = false;
    yield* answer.items;
    if (answer.nextKey === null) {
      return;
    }
    if (key !== undefined && toBase64(key) === toBase64(answer.nextKey)) {
      throw new RangeError("the node keeps sending the same page");
    }
    key = answer.nextKey;
  }
}
