import type { EIP1193Provider } from "hardhat/types/provider";

import { RpcError } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";

// Hardhat 2's network answers `debug_traceCall` with instructions only, but
// hands out what it traced itself to plugins such as solidity-coverage.

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

interface EdrWrapper {
  readonly _provider: {
    handleRequest(request: string): Promise<{
      readonly data: unknown;
      readonly traces: readonly { readonly trace: readonly RawItem[] }[];
    }>;
  };
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

/** What happens inside a call. */
export interface RawTrace {
  /** `debug_traceCall`'s answer. */
  readonly answer: string;
  /** Hardhat makes it when it is read, which takes as long as the call. */
  readonly trace: readonly RawItem[];
}

/** Traces a call (with its block), or a transaction by its hash. @throws RpcError where it cannot be run */
export async function traceBy(
  edr: EdrWrapper,
  method: "debug_traceCall" | "debug_traceTransaction",
  ...what: readonly unknown[]
): Promise<RawTrace> {
  const options = {
    disableMemory: true,
    disableStack: true,
    disableStorage: true,
  };
  const request = { method, params: [...what, options] };
  const { data, traces } = await edr._provider.handleRequest(
    JSON.stringify(request),
  );
  const [first] = traces;
  if (first === undefined) {
    throw errorIn(data);
  }
  return {
    // An answer too long for a string comes as an object.
    answer: typeof data === "string" ? data : "",
    get trace() {
      return first.trace;
    },
  };
}

const INSTRUCTION = '"opName":"';
const LEAVING =
  /"opName":"(?:CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE2?|SELFDESTRUCT)"/g;
/** A call, and what runs after it: an instruction of what it calls if that has code, else its own next one. */
const CALLING =
  /"depth":(\d+),"memSize":\d+,"opName":"(?:CALL|CALLCODE|DELEGATECALL|STATICCALL)"\},\{[^{}]*?"depth":(\d+)/g;

/** Whether a traced call is seen to create nothing and to call nobody without code. */
export function staysInCode({ answer }: RawTrace): boolean {
  if (!answer.includes(INSTRUCTION)) {
    return false;
  }
  let entered = 0;
  for (const [, depth, next] of answer.matchAll(CALLING)) {
    entered += Number(next) > Number(depth) ? 1 : 0;
  }
  return entered === (answer.match(LEAVING) ?? []).length;
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
