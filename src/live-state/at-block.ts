import type { Interface, ParamType, Result } from "ethers";

import type { PrecompileName } from "../precompiles/addresses.js";
import { PRECOMPILES } from "../precompiles/catalog.js";
import type { BatchProvider, RpcOutcome } from "../rpc/http-client.js";
import type { RpcError, RpcRequest } from "../rpc/provider.js";
import { isRecord, toQuantity } from "../rpc/quantities.js";
import type { DualstackError } from "../support/errors.js";
import { type ErrorPlace } from "../support/errors.js";
import { errorText } from "../support/text.js";
import type { Kept } from "./kept.js";
import { UnreadError, unreadable } from "./unreadable.js";

/** A view of a precompile with its arguments. */
export interface View {
  readonly precompile: Exclude<PrecompileName, "bech32">;
  readonly method: string;
  readonly args?: readonly unknown[];
  /** Another block than the one that is read. */
  readonly height?: bigint;
}

/** A view's answer by the names of its results. */
export type Fields = Readonly<Record<string, unknown>>;

/** What came of a question: an answer, the chain's refusal, or why neither is there. */
export type Outcome<T> =
  | { readonly value: T }
  | { readonly refusal: RpcError }
  | { readonly unread: DualstackError };

export interface AtBlockOptions {
  /** The chain's EVM endpoint. */
  readonly evm: BatchProvider;
  /** The same for questions that take long, which nothing else is to wait for. */
  readonly patient?: BatchProvider;
  /** The node's own RPC, for the stores of the modules. */
  readonly nodeRpc?: BatchProvider;
  readonly height: bigint;
  readonly addresses: { readonly [name in PrecompileName]: string };
  /** What was answered before. */
  readonly kept: Kept;
  /** Where the EVM endpoint is, for errors. */
  readonly place?: ErrorPlace;
  /** Told what the user should know. */
  readonly onNotice?: (text: string) => void;
}

/** Asks a chain for what it held at the end of one block: many questions in one request, none twice. */
export class AtBlock {
  readonly height: bigint;
  readonly #options: AtBlockOptions;
  #hasStores: boolean;
  readonly #interfaces = new Map<string, Promise<Interface>>();

  constructor(options: AtBlockOptions) {
    this.#options = options;
    this.height = options.height;
    this.#hasStores = options.nodeRpc !== undefined;
  }

  /** The same chain at another block. */
  of(height: bigint): AtBlock {
    const { nodeRpc, ...options } = this.#options;
    return new AtBlock({
      ...options,
      ...(this.#hasStores && nodeRpc !== undefined ? { nodeRpc } : {}),
      height,
    });
  }

  /** Whether the stores of the modules can be read. */
  get hasStores(): boolean {
    return this.#hasStores;
  }

  /** Nobody answers where the node RPC should be: only views are left. */
  giveUpStores(why: DualstackError): void {
    this.#hasStores = false;
    this.#options.onNotice?.(
      `The node RPC of the forked network does not answer, so rewards are read from the precompiles' views, in whole base units: ${why.message}`,
    );
  }

  addressOf(precompile: PrecompileName): string {
    return this.#options.addresses[precompile];
  }

  /** The answers of views, decoded, in the order of the questions. */
  async views(views: readonly View[]): Promise<Outcome<Fields>[]> {
    const { addresses } = this.#options;
    const requests: RpcRequest[] = [];
    for (const { precompile, method, args = [], height } of views) {
      const block = toQuantity(height ?? this.height);
      const codec = await this.#codec(precompile);
      const data = codec.encodeFunctionData(method, [...args]);
      const call = { to: addresses[precompile].toLowerCase(), data };
      requests.push({ method: "eth_call", params: [call, block] });
    }
    const answers = await this.#ask(this.#options.evm, requests);
    return await Promise.all(
      views.map(async (view, index) => {
        const answer = answers[index];
        const what = `${view.precompile}.${view.method}`;
        if (answer === undefined || !answer.ok) {
          return this.#failed(answer, what);
        }
        try {
          const codec = await this.#codec(view.precompile);
          const { result } = answer;
          const outputs = codec.getFunction(view.method)?.outputs ?? [];
          const decoded = codec.decodeFunctionResult(view.method, hex(result));
          return { value: byName(outputs, decoded) };
        } catch (cause) {
          return { unread: this.#unreadable(what, cause) };
        }
      }),
    );
  }

  /** One view's answer. @throws DualstackError where there is none */
  async view(view: View): Promise<Fields> {
    const [outcome] = await this.views([view]);
    return needed(outcome);
  }

  /** Other questions to the EVM endpoint. @throws DualstackError where one is not answered */
  async ask(requests: readonly RpcRequest[]): Promise<unknown[]> {
    const answers = await this.#ask(this.#options.evm, requests);
    return requests.map(({ method }, index) => {
      const answer = answers[index];
      if (answer?.ok === true) return answer.result;
      throw this.#unreadable(method, answer?.error);
    });
  }

  /** Long questions that a node need not answer: `undefined` where it does not. */
  async told(requests: readonly RpcRequest[]): Promise<readonly unknown[]> {
    const { evm, patient = evm, kept, place } = this.#options;
    const untold = JSON.stringify(["untold", place?.endpoint ?? ""]);
    if (kept.get(untold) !== undefined) return [];
    try {
      const answers = await this.#ask(patient, requests);
      return answers.map((one) => {
        if (one?.ok === true) return one.result;
        // This node will not have the method in the next run either.
        if (one?.error.code === METHOD_NOT_FOUND) kept.set(untold, one);
        return undefined;
      });
    } catch {
      return [];
    }
  }

  /** A call as somebody makes it. @throws RpcError with the chain's own refusal */
  async call(request: unknown, height = this.height): Promise<unknown> {
    const block = toQuantity(height);
    const [answer] = await this.#ask(this.#options.evm, [
      { method: "eth_call", params: [request, block] },
    ]);
    if (answer?.ok === true) return answer.result;
    if (answer !== undefined && isRefusal(answer.error)) throw answer.error;
    throw this.#unreadable("a call", answer?.error);
  }

  /**
   * Values of a module's store by their keys in hexadecimal; `undefined` where
   * nothing is stored.
   *
   * @throws DualstackError where one is not answered
   */
  async keys(
    store: string,
    keys: readonly string[],
  ): Promise<(Uint8Array | undefined)[]> {
    const { nodeRpc } = this.#options;
    if (nodeRpc === undefined || keys.length === 0) {
      return keys.map(() => undefined);
    }
    const requests = keys.map((data) =>
      query(`/store/${store}/key`, data, this.height),
    );
    const answers = await this.#ask(nodeRpc, requests);
    return keys.map((key, index) => {
      const what = `the store ${store} at ${key.slice(0, 60)}`;
      const response = this.#response(answers[index], what);
      // Some nodes answer with another block than the one that was asked for.
      if (BigInt(String(response.height ?? "0")) !== this.height) {
        throw this.#unreadable(what, new Error("it answered another block"));
      }
      return typeof response.value === "string"
        ? Uint8Array.from(Buffer.from(response.value, "base64"))
        : undefined;
    });
  }

  /**
   * Keys that begin so, in hexadecimal. A node of this kind tells them for its
   * newest block, whatever height is asked for: read the values by
   * {@link keys}.
   */
  async keysNow(store: string, prefix: string): Promise<string[]> {
    const { nodeRpc } = this.#options;
    if (nodeRpc === undefined) return [];
    const what = `the store ${store} below ${prefix.slice(0, 60)}`;
    const request = query(`/store/${store}/subspace`, prefix, undefined);
    const [answer] = await this.#ask(nodeRpc, [request]);
    const { value } = this.#response(answer, what);
    if (typeof value !== "string") return [];
    try {
      const { Pairs } = await import(
        "cosmjs-types/cosmos/store/internal/kv/v1beta1/kv"
      );
      return Pairs.decode(Buffer.from(value, "base64")).pairs.map(({ key }) =>
        Buffer.from(key).toString("hex"),
      );
    } catch (cause) {
      throw this.#unreadable(what, cause);
    }
  }

  #response(answer: RpcOutcome | undefined, what: string) {
    if (answer === undefined || !answer.ok) {
      throw this.#unreadable(what, answer?.error);
    }
    const { result } = answer;
    const response = isRecord(result) ? result.response : undefined;
    if (!isRecord(response)) {
      throw this.#unreadable(what, new Error("it answered something else"));
    }
    const { code, log } = response;
    if (code !== undefined && code !== 0) {
      throw this.#unreadable(what, new Error(errorText(log)));
    }
    return response;
  }

  async #ask(
    provider: BatchProvider,
    requests: readonly RpcRequest[],
  ): Promise<(RpcOutcome | undefined)[]> {
    const { kept } = this.#options;
    const keys = requests.map((request) => JSON.stringify(request));
    const known = new Map(keys.map((key) => [key, kept.get(key)]));
    const asked = new Map(
      requests.flatMap((request, index) => {
        const key = keys[index] ?? "";
        return known.get(key) === undefined ? [[key, request]] : [];
      }),
    );
    if (asked.size > 0) {
      const outcomes = await provider.batch([...asked.values()]);
      for (const [index, key] of [...asked.keys()].entries()) {
        const outcome = outcomes[index];
        known.set(key, outcome);
        if (outcome?.ok === true || isRefusal(outcome?.error)) {
          kept.set(key, outcome);
        }
      }
    }
    return keys.map((key) => known.get(key));
  }

  #failed(
    answer: RpcOutcome | undefined,
    what: string,
  ): { refusal: RpcError } | { unread: DualstackError } {
    return answer?.ok === false && isRefusal(answer.error)
      ? { refusal: answer.error }
      : {
          unread: this.#unreadable(
            what,
            answer?.ok === false ? answer.error : undefined,
          ),
        };
  }

  #unreadable(what: string, cause: unknown): UnreadError {
    return unreadable(what, this.height, cause, this.#options.place);
  }

  #codec(precompile: View["precompile"]): Promise<Interface> {
    let codec = this.#interfaces.get(precompile);
    if (codec === undefined) {
      codec = import("ethers").then(
        ({ Interface }) => new Interface(PRECOMPILES[precompile].abi),
      );
      this.#interfaces.set(precompile, codec);
    }
    return codec;
  }
}

/** The value of an outcome. @throws DualstackError where it has none */
export function needed<T>(outcome: Outcome<T> | undefined): T {
  if (outcome === undefined) throw new UnreadError("nothing was answered");
  if ("value" in outcome) return outcome.value;
  throw "refusal" in outcome ? outcome.refusal : outcome.unread;
}

/** Whether the chain itself says no: such an answer is as good as another. */
const isRefusal = (error: RpcError | undefined): error is RpcError =>
  error !== undefined &&
  (error.code === 3 || /^execution reverted/.test(error.serverMessage));

const METHOD_NOT_FOUND = -32601;

function query(
  path: string,
  data: string,
  height: bigint | undefined,
): RpcRequest {
  const at = height === undefined ? {} : { height: String(height) };
  // The node RPC names its parameters, those of the EVM's side have places.
  const params = { path, data, ...at, prove: false } as object as unknown[];
  return { method: "abci_query", params };
}

function hex(result: unknown): string {
  if (typeof result === "string" && /^0x(?:[0-9a-f]{2})+$/i.test(result)) {
    return result;
  }
  throw new Error(
    result === "0x"
      ? "there is no such precompile"
      : "the answer is not hexadecimal",
  );
}

/** Named values as an object. ethers finds what is wrong in a part only when that is read. */
const byName = (types: readonly ParamType[], values: Result): Fields =>
  Object.fromEntries(
    types.map((type, index) => [type.name, plain(type, values[index])]),
  );

function plain(type: ParamType, value: unknown): unknown {
  const { arrayChildren, components } = type;
  if (arrayChildren !== null) {
    return (value as Result).toArray().map((one) => plain(arrayChildren, one));
  }
  return components === null ? value : byName(components, value as Result);
}
