import type { EIP1193Provider } from "hardhat/types/provider";

import type { CallRequest } from "../../localnet/request/calls.js";
import { RpcError } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";

// Hardhat 2's network traces every call, and hands the traces out to plugins
// such as solidity-coverage. Its `debug_traceCall` has instructions only, and
// takes many times as long.

/** A call or creation that begins. */
export interface RawMessage {
  readonly caller: Uint8Array;
  readonly to?: Uint8Array;
  readonly isStaticCall: boolean;
  readonly gasLimit: bigint;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly codeAddress?: Uint8Array;
}

/** An instruction before it runs. */
export interface RawStep {
  readonly depth: number;
  readonly pc: bigint;
  readonly opcode: string;
  /** The topmost word alone. */
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
      /** Bytes of a revert, or what a success gives back; absent where the code broke down. */
      readonly output?: Uint8Array | { readonly returnValue: Uint8Array };
      /** All events until here; of a success only. */
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
  /** Another one after a reset. */
  readonly _provider: NativeProvider;
  /** What a library for mocks has set. */
  readonly _callOverrideCallback?: (
    address: Buffer,
    data: Buffer,
  ) => Promise<unknown>;
}

/** A provider and all that are below it, as far as Hardhat's own wrapping tells. */
export function* providersIn(provider: EIP1193Provider): Generator<object> {
  let current: unknown = provider;
  while (typeof current === "object" && current !== null) {
    yield current;
    current =
      "_wrapped" in current && !isLazy(current) ? current._wrapped : undefined;
  }
}

// Made with the first request; until then it refuses to tell what is inside.
const isLazy = (provider: object) => "_providerFactory" in provider;

/** Hardhat's network below other providers; `undefined` where it is not there. */
export function findEdr(provider: EIP1193Provider): EdrWrapper | undefined {
  for (const current of providersIn(provider)) {
    if ("_node" in current && "_provider" in current) {
      return current as unknown as EdrWrapper;
    }
  }
  return undefined;
}

/** What happened inside a call at a block, which fails in it or not. @throws RpcError where it cannot be run */
export async function traceCall(
  edr: EdrWrapper,
  call: CallRequest,
  block: unknown,
): Promise<readonly RawItem[]> {
  return await traced(edr, "eth_call", [call, block]);
}

/** What happened inside a transaction. @throws RpcError where there is none */
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
  const { data, traces } = await edr._provider.handleRequest(
    JSON.stringify({ method, params }),
  );
  const [first] = traces;
  if (first === undefined) {
    throw errorIn(data);
  }
  // Made when it is read, which takes several times as long as the call.
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
