import { AbiCoder, dataSlice } from "ethers";

import { BLOCK_POSITION } from "../rpc/methods.js";
import { RpcError } from "../rpc/provider.js";
import { isRecord } from "../rpc/quantities.js";
import { evmErrorOf, vmFailureOf } from "./evm-failure.js";

/** A simulated network's code for unknown methods, and for names of no block. */
const NOT_SUPPORTED = -32004;
const INVALID_PARAMS = -32602;
/** The most gas of an estimate without a gas limit. */
const GAS_CAP = 25_000_000n;
const LEAST_GAS = 21_000n;

export const refused = (message: string, code = -32000, data?: unknown) =>
  new RpcError(message, code, data);

export const noSuchMethod = (method: string) =>
  refused(`the method ${method} does not exist/is not available`, -32601);

/** Where a method takes the name of a block. */
const NAMED_AT: Readonly<Record<string, number>> = {
  ...BLOCK_POSITION,
  eth_feeHistory: 1,
  eth_getLogs: 0,
  eth_getProof: 2,
  eth_newFilter: 0,
};

/** What a node puts before a run's failure. */
const BEFORE: Readonly<Record<string, string>> = {
  eth_call: "rpc error: code = Internal desc = ",
  eth_estimateGas: "rpc error: code = Unknown desc = ",
};

/** What the codes of Solidity's `Panic` mean. */
const PANICS: Readonly<Record<string, string>> = {
  0x00: "generic panic",
  0x01: "assert(false)",
  0x11: "arithmetic underflow or overflow",
  0x12: "division or modulo by zero",
  0x21: "enum overflow",
  0x22: "invalid encoded storage byte array accessed",
  0x31: "out-of-bounds array access; popping on an empty array",
  0x32: "out-of-bounds access of an array or bytesN",
  0x41: "out of memory",
  0x51: "uninitialized function",
};

/** Reads the reason that a contract reverts with, if it is a text or panic. */
function reasonOf(data: string): string | undefined {
  const type = data.startsWith("0x08c379a0")
    ? "string"
    : data.startsWith("0x4e487b71")
      ? "uint256"
      : undefined;
  if (type === undefined) return undefined;
  try {
    const [value]: readonly unknown[] = AbiCoder.defaultAbiCoder().decode(
      [type],
      dataSlice(data, 4),
    );
    return typeof value === "bigint"
      ? (PANICS[String(value)] ?? `unknown panic code: 0x${value.toString(16)}`)
      : String(value);
  } catch {
    return undefined;
  }
}

/** Returns the gas limit that a node names when an estimate needs more. */
function allowanceOf(params: readonly unknown[]): bigint {
  const [call] = params;
  const gas = isRecord(call) ? call["gas"] : undefined;
  const limit =
    typeof gas === "string" && /^0x[0-9a-fA-F]+$/.test(gas) ? BigInt(gas) : 0n;
  return limit >= LEAST_GAS && limit < GAS_CAP ? limit : GAS_CAP;
}

/** What a simulated network says, and how a node does. */
const WORDS: readonly (readonly [
  said: RegExp,
  words: (...found: string[]) => string,
])[] = [
  [
    /max upfront cost is: (\d+) and the sender's balance is: (\d+)/,
    (cost = "0", balance = "0") =>
      `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${BigInt(cost) - BigInt(balance)}`,
  ],
  [
    /requires at least (\d+) gas but got (\d+)/,
    (least, gas) =>
      `failed to validate transaction: intrinsic gas too low: gas ${gas}, minimum needed ${least}`,
  ],
  [
    /requires gas floor of (\d+) but got limit of (\d+)/,
    (least, gas) =>
      `insufficient gas for floor data gas cost: gas ${gas}, minimum needed ${least}`,
  ],
  [/exceeds block gas limit of/, () => "exceeds block gas limit"],
  [
    /init code length is (\d+)\. The max length allowed by EIP-3860 is (\d+)/,
    (size, limit) =>
      `max initcode size exceeded: code size ${size}, limit ${limit}`,
  ],
  [
    /Replacement transaction underpriced/,
    () => "replacement transaction underpriced",
  ],
  [/Known transaction/, () => "already known"],
];

/** Returns a simulated network's error as a node tells it. */
export function asOnChain(
  method: string,
  params: readonly unknown[],
  error: unknown,
): unknown {
  const { code, message } = evmErrorOf(error);
  if (code === NOT_SUPPORTED) {
    const at = NAMED_AT[method];
    return at === undefined
      ? noSuchMethod(method)
      : refused(
          `invalid argument ${at}: hex string without 0x prefix`,
          INVALID_PARAMS,
        );
  }
  const failure = vmFailureOf(error);
  if (failure !== undefined) {
    const { reason, data } = failure;
    const before = BEFORE[method] ?? "";
    if (reason === "execution reverted") return reverted(data);
    return refused(
      method === "eth_estimateGas" && reason === "out of gas"
        ? `${before}gas required exceeds allowance (${allowanceOf(params)})`
        : before + reason,
    );
  }
  if (method === "eth_call" || method === "eth_estimateGas") {
    if (/^Received invalid block tag/.test(message)) {
      return refused("header not found");
    }
    const [, gas] =
      /requires at least \d+ gas but got (\d+)/.exec(message) ?? [];
    if (gas !== undefined) {
      return refused(
        method === "eth_call"
          ? `${BEFORE[method]}apply message: intrinsic gas too low`
          : `${BEFORE[method]}gas required exceeds allowance (${gas})`,
      );
    }
  }
  for (const [said, words] of WORDS) {
    const found = said.exec(message);
    if (found !== null) return refused(words(...found.slice(1)));
  }
  return error;
}

/** A revert: libraries tell it by its code and data, people by its reason. */
function reverted(data: string): RpcError {
  const text = "execution reverted";
  if (data === "0x") return refused(text);
  const reason = reasonOf(data);
  return refused(reason === undefined ? text : `${text}: ${reason}`, 3, data);
}
