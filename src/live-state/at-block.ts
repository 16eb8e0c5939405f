import type { Interface, ParamType, Result } from "ethers";

import type { PrecompileName } from "../precompiles/addresses.js";
import { PRECOMPILES } from "../precompiles/catalog.js";
import type { BatchProvider, RpcOutcome } from "../rpc/http-client.js";
import type { RpcError, RpcRequest } from "../rpc/provider.js";
import { isRecord, toQuantity } from "../rpc/quantities.js";
import type { DualstackError } from "../support/errors.js";
import { type ErrorPlace } from "../support/errors.js";
import { errorText } from "../support/text.js";
import { type Kept, questionOf } from "./kept.js";
import { UnreadError, unreadable } from "./unreadable.js";

/** A call to a view of a precompile. */
export interface View {
  readonly precompile: Exclude<PrecompileName, "bech32">;
  readonly method: string;
  readonly args?: readonly unknown[];
  /** Block number; default: the block of the {@link AtBlock}. */
  readonly height?: bigint;
}

/** A view's results by name. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A request's outcome: a value, the chain's refusal, or why it could not be
 * read.
 */
export type Outcome<T> =
  | { readonly value: T }
  | { readonly refusal: RpcError }
  | { readonly unread: DualstackError };

/** How an {@link AtBlock} reaches the chain. */
export interface AtBlockOptions {
  /** The chain's EVM endpoint. */
  readonly evm: BatchProvider;
  /** The same endpoint for slow requests, which must not hold up others. */
  readonly patient?: BatchProvider;
  /** The node's own RPC, for the stores of the modules. */
  readonly nodeRpc?: BatchProvider;
  readonly height: bigint;
  readonly addresses: { readonly [name in PrecompileName]: string };
  /** Earlier answers. */
  readonly kept: Kept;
  /** The network and EVM endpoint, for errors. */
  readonly place?: ErrorPlace;
  /** Called with messages for the user. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Reads a chain's state at the end of one block. Requests are batched, and none
 * is made twice.
 */
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

  /** Returns a reader of the same chain at another block. */
  of(height: bigint): AtBlock {
    const { nodeRpc, ...options } = this.#options;
    return new AtBlock({
      ...options,
      ...(this.#hasStores && nodeRpc !== undefined ? { nodeRpc } : {}),
      height,
    });
  }

  /** Whether the modules' stores can be read. */
  get hasStores(): boolean {
    return this.#hasStores;
  }

  /** Falls back to views for good, after the node RPC did not answer. */
  giveUpStores(why: DualstackError): void {
    this.#hasStores = false;
    this.#options.onNotice?.(
      `The node RPC of the forked network does not answer, so rewards are read from the precompiles' views, in whole base units: ${why.message}`,
    );
  }

  /** Returns the address of a precompile. */
  addressOf(precompile: PrecompileName): string {
    return this.#options.addresses[precompile];
  }

  /** Calls views, and returns the decoded outcomes in their order. */
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

  /**
   * Calls one view.
   *
   * @throws RpcError when the chain refuses
   * @throws DualstackError when it cannot be read
   */
  async view(view: View): Promise<Fields> {
    const [outcome] = await this.views([view]);
    return needed(outcome);
  }

  /**
   * Makes other requests of the EVM endpoint.
   *
   * @throws DualstackError when one of them fails
   */
  async ask(requests: readonly RpcRequest[]): Promise<unknown[]> {
    const answers = await this.#ask(this.#options.evm, requests);
    return requests.map(({ method }, index) => {
      const answer = answers[index];
      if (answer?.ok === true) return answer.result;
      throw this.#unreadable(method, answer?.error);
    });
  }

  /**
   * Makes slow requests that a node need not support. Results are `undefined`,
   * or missing, where it does not answer.
   */
  async told(requests: readonly RpcRequest[]): Promise<readonly unknown[]> {
    const { evm, patient = evm, kept, place } = this.#options;
    const untold = JSON.stringify(["untold", place?.endpoint ?? ""]);
    if (kept.get(untold) !== undefined) return [];
    try {
      const answers = await this.#ask(patient, requests);
      return answers.map((one) => {
        if (one?.ok === true) return one.result;
        // Remembered for later runs, in which the node lacks the method too.
        if (one?.error.code === METHOD_NOT_FOUND) kept.set(untold, one);
        return undefined;
      });
    } catch {
      return [];
    }
  }

  /**
   * Makes a user's call on the chain.
   *
   * @throws RpcError when the chain refuses
   * @throws DualstackError when it cannot be read
   */
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
   * Reads values of a module's store by their keys in hex; `undefined` where
   * nothing is stored.
   *
   * @throws DualstackError when one of them cannot be read
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
      // Some nodes answer for another block than the requested one.
      if (BigInt(String(response.height ?? "0")) !== this.height) {
        throw this.#unreadable(what, new Error("it answered another block"));
      }
      return typeof response.value === "string"
        ? Uint8Array.from(Buffer.from(response.value, "base64"))
        : undefined;
    });
  }

  /**
   * Lists the keys of a store with a prefix, in hex. A node of this kind
   * answers for its newest block, whatever the requested height: read the
   * values by {@link keys}.
   *
   * @throws DualstackError when they cannot be read
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
    const keys = requests.map(questionOf);
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

/**
 * Returns the value of an outcome.
 *
 * @throws RpcError when the chain refused
 * @throws DualstackError when it could not be read
 */
export function needed<T>(outcome: Outcome<T> | undefined): T {
  if (outcome === undefined) throw new UnreadError("nothing was answered");
  if ("value" in outcome) return outcome.value;
  throw "refusal" in outcome ? outcome.refusal : outcome.unread;
}

/**
 * Returns whether the chain itself refused, which is an answer and may be kept.
 */
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
  // The node RPC takes parameters by name, the EVM endpoint by position.
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

/**
 * Converts results to an object; ethers throws for a malformed one only when it
 * is read.
 */
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
