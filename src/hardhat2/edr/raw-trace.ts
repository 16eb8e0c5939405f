import type { EIP1193Provider } from "hardhat/types/provider";

import type { CallRequest } from "../../localnet/request/calls.js";
import { RpcError } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";
import { hush } from "./console.js";

// Hardhat 2's network traces every call, and gives the traces to plugins such
// as solidity-coverage. Its `debug_traceCall` has only instructions, and takes
// many times as long.

/** The beginning of a call or creation. */
export interface RawMessage {
  readonly caller: Uint8Array;
  readonly to?: Uint8Array;
  readonly isStaticCall: boolean;
  readonly gasLimit: bigint;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly codeAddress?: Uint8Array;
}

/** An instruction, before it runs. */
export interface RawStep {
  readonly depth: number;
  readonly pc: bigint;
  readonly opcode: string;
  /** Only the topmost word. */
  readonly stack: readonly bigint[];
}

export interface RawLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** The end of the call or creation that began last. */
export interface RawResult {
  readonly executionResult: {
    readonly result: {
      readonly gasUsed: bigint;
      /** The bytes of a revert, or the result of a success; absent after an exceptional halt. */
      readonly output?: Uint8Array | { readonly returnValue: Uint8Array };
      /** All events so far; only for a success. */
      readonly logs?: readonly RawLog[];
    };
    readonly contractAddress?: Uint8Array;
  };
}

export type RawItem = RawMessage | RawStep | RawResult;

type CallOverride = (
  address: ArrayBuffer,
  data: ArrayBuffer,
) => Promise<unknown>;

/** Hardhat 2's network itself. */
export interface NativeProvider {
  handleRequest(request: string): Promise<{
    readonly data: unknown;
    readonly traces: readonly { readonly trace: readonly RawItem[] }[];
  }>;
  setCallOverrideCallback(callback: CallOverride): Promise<void>;
}

export interface EdrWrapper {
  /** Replaced by a reset. */
  readonly _provider: NativeProvider;
  /** The callback that a mocking library has set. */
  readonly _callOverrideCallback?: (
    address: Buffer,
    data: Buffer,
  ) => Promise<unknown>;
}

/** A provider and all that are wrapped in it, as far as Hardhat's own wrappers show. */
export function* providersIn(provider: EIP1193Provider): Generator<object> {
  let current: unknown = provider;
  while (typeof current === "object" && current !== null) {
    yield current;
    current =
      "_wrapped" in current && !isLazy(current) ? current._wrapped : undefined;
  }
}

// Created with the first request; refuses to show what it wraps until then.
const isLazy = (provider: object) => "_providerFactory" in provider;

/** Hardhat's network inside other providers; `undefined` if it is not there. */
export function findEdr(provider: EIP1193Provider): EdrWrapper | undefined {
  for (const current of providersIn(provider)) {
    if ("_node" in current && "_provider" in current) {
      return current as unknown as EdrWrapper;
    }
  }
  return undefined;
}

/** Traces a call at a block, whether it succeeds or not. @throws RpcError if it cannot be run */
export async function traceCall(
  edr: EdrWrapper,
  call: CallRequest,
  block: unknown,
): Promise<readonly RawItem[]> {
  return await traced(edr, "eth_call", [call, block]);
}

/** Traces a transaction. @throws RpcError if there is none */
export async function traceTransaction(
  edr: EdrWrapper,
  hash: string,
): Promise<readonly RawItem[]> {
  const options = {
    disableMemory: true,
    disableStack: true,
    disableStorage: true,
  };
  return await traced(edr, "debug_traceTransaction", [hash, options]);
}

async function traced(
  edr: EdrWrapper,
  method: string,
  params: readonly unknown[],
): Promise<readonly RawItem[]> {
  const { data, traces } = await hush(
    async () =>
      await edr._provider.handleRequest(JSON.stringify({ method, params })),
  );
  const [first] = traces;
  if (first === undefined) {
    throw errorIn(data);
  }
  // A getter that builds the trace, which takes several times as long as the call.
  return first.trace;
}

function errorIn(data: unknown): RpcError {
  const answer: unknown = typeof data === "string" ? JSON.parse(data) : data;
  const error =
    isRecord(answer) && isRecord(answer["error"]) ? answer["error"] : {};
  return new RpcError(
    String(error["message"] ?? "the call was not traced"),
    Number(error["code"] ?? -32603),
    error["data"],
  );
}
