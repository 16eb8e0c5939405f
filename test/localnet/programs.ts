import { Interface, keccak256 } from "ethers";

import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import { PRECOMPILES } from "../../src/precompiles/catalog.js";

// Contracts made from a list of steps, for the property test of payments. Each
// step reads something that can differ between two runs, and so decides how
// much is staked, unstaked, given away or sent.

/** What a step looks at. */
export const SENSORS = [
  "gas",
  "gasPrice",
  "baseFee",
  "time",
  "number",
  "random",
  "coinbase",
  "gasLimit",
  "blockHash",
  "originBalance",
  "selfBalance",
  "callerBalance",
  "poolBalance",
  "codeSize",
  "ownSize",
  "ownHash",
  "callerSize",
  "callerHash",
  "create",
  "transient",
] as const;
export type Sensor = (typeof SENSORS)[number];

export const ACTIONS = ["delegate", "undelegate", "fund", "send"] as const;
export type Action = (typeof ACTIONS)[number];

export interface Step {
  readonly sensor: Sensor;
  /** The amount is the sensor's value modulo this, times the unit. */
  readonly modulus: number;
  readonly action: Action;
  /** Whether it reads its own balance afterwards. */
  readonly looks: boolean;
}

export type Program = readonly Step[];

export const UNIT = 10n ** 15n;
export const SINK = `0x${"5151".repeat(10)}`;
export const { bondedPool: POOL } = MODULE_ACCOUNTS;

const staking = new Interface(PRECOMPILES.staking.abi);
const distribution = new Interface(PRECOMPILES.distribution.abi);
const ZERO = `0x${"00".repeat(20)}`;

/** Opcodes by name; pushes of numbers are written in hex. */
const OPS = {
  STOP: "00",
  MUL: "02",
  ADD: "01",
  SUB: "03",
  MOD: "06",
  EQ: "14",
  ISZERO: "15",
  ADDRESS: "30",
  BALANCE: "31",
  ORIGIN: "32",
  CALLER: "33",
  CALLVALUE: "34",
  CALLDATALOAD: "35",
  CALLDATASIZE: "36",
  CALLDATACOPY: "37",
  CODESIZE: "38",
  CODECOPY: "39",
  RETURNDATASIZE: "3d",
  GASPRICE: "3a",
  EXTCODESIZE: "3b",
  EXTCODEHASH: "3f",
  BLOCKHASH: "40",
  COINBASE: "41",
  TIMESTAMP: "42",
  NUMBER: "43",
  PREVRANDAO: "44",
  GASLIMIT: "45",
  SELFBALANCE: "47",
  BASEFEE: "48",
  POP: "50",
  MLOAD: "51",
  MSTORE: "52",
  JUMP: "56",
  JUMPI: "57",
  GAS: "5a",
  JUMPDEST: "5b",
  TLOAD: "5c",
  TSTORE: "5d",
  PUSH0: "5f",
  DUP1: "80",
  DUP5: "84",
  SWAP1: "90",
  LOG0: "a0",
  LOG1: "a1",
  CREATE: "f0",
  CALL: "f1",
  RETURN: "f3",
  REVERT: "fd",
} as const;
type Op = keyof typeof OPS;

const READ: Readonly<Record<Sensor, readonly (Op | string)[]>> = {
  gas: ["GAS"],
  gasPrice: ["GASPRICE"],
  baseFee: ["BASEFEE"],
  time: ["TIMESTAMP"],
  number: ["NUMBER"],
  random: ["PREVRANDAO"],
  coinbase: ["COINBASE"],
  gasLimit: ["GASLIMIT"],
  blockHash: ["6001", "NUMBER", "SUB", "BLOCKHASH"],
  originBalance: ["ORIGIN", "BALANCE"],
  selfBalance: ["SELFBALANCE"],
  callerBalance: ["CALLER", "BALANCE"],
  poolBalance: [`73${POOL.slice(2)}`, "BALANCE"],
  codeSize: ["CODESIZE"],
  ownSize: ["ADDRESS", "EXTCODESIZE"],
  ownHash: ["ADDRESS", "EXTCODEHASH"],
  callerSize: ["CALLER", "EXTCODESIZE"],
  callerHash: ["CALLER", "EXTCODEHASH"],
  create: ["PUSH0", "PUSH0", "PUSH0", "CREATE"],
  transient: ["PUSH0", "TLOAD", "DUP1", "6001", "ADD", "PUSH0", "TSTORE"],
};

const push2 = (value: number) => `61${value.toString(16).padStart(4, "0")}`;
const BASE = 0x200;

interface Template {
  readonly data: string;
  readonly to: string;
  /** Where the amount is in it, in bytes. */
  readonly amountAt: number;
}

function templateOf(action: Action, valoper: string): Template | undefined {
  if (action === "send") return undefined;
  const marker = 0xabcdefn << 64n;
  const data =
    action === "fund"
      ? distribution.encodeFunctionData("fundCommunityPool", [
          ZERO,
          [["atest", marker]],
        ])
      : staking.encodeFunctionData(action, [ZERO, valoper, marker]);
  const at = data.indexOf(marker.toString(16).padStart(64, "0")) / 2 - 1;
  const to =
    PRECOMPILES[action === "fund" ? "distribution" : "staking"].address;
  return { data, to, amountAt: at };
}

/**
 * Returns a program's code. As a constructor it does the same, and leaves no
 * code.
 */
export function assemble(program: Program, valoper: string): string {
  const used = [...new Set(program.map(({ action }) => action))]
    .map((action) => [action, templateOf(action, valoper)] as const)
    .filter((entry): entry is [Action, Template] => entry[1] !== undefined);
  const data = used.map(([, template]) => template.data.slice(2)).join("");
  // The length does not depend on where the data is.
  const { length } = instructions(program, used, 0);
  return `0x${instructions(program, used, length / 2)}${data}`;
}

function instructions(
  program: Program,
  used: readonly (readonly [Action, Template])[],
  dataAt: number,
): string {
  const templates = new Map<Action, Template & { readonly offset: number }>();
  let offset = dataAt;
  for (const [action, template] of used) {
    templates.set(action, { ...template, offset });
    offset += template.data.length / 2 - 1;
  }
  let code = "";
  const emit = (...ops: readonly string[]) => {
    for (const op of ops) code += OPS[op as Op] ?? op;
  };
  const here = () => code.length / 2;
  const patch = (at: number, to: number) => {
    code = code.slice(0, at * 2) + push2(to) + code.slice(at * 2 + 6);
  };
  program.forEach(({ sensor, modulus, action, looks }, index) => {
    emit(...READ[sensor], "DUP1", "PUSH0", "MSTORE");
    emit(push2(modulus), "SWAP1", "MOD");
    emit(`67${UNIT.toString(16).padStart(16, "0")}`, "MUL");
    // An amount of 0 is not tried.
    const skipAt = here() + 2;
    emit("DUP1", "ISZERO", push2(0), "JUMPI");
    const template = templates.get(action);
    if (template === undefined) {
      emit("PUSH0", "PUSH0", "PUSH0", "PUSH0", "DUP5");
      emit(`73${SINK.slice(2)}`, "GAS", "CALL");
    } else {
      const size = template.data.length / 2 - 1;
      emit(push2(size), push2(template.offset), push2(BASE), "CODECOPY");
      emit("ADDRESS", push2(BASE + 4), "MSTORE");
      emit("DUP1", push2(BASE + template.amountAt), "MSTORE");
      emit("PUSH0", "PUSH0", push2(size), push2(BASE), "PUSH0");
      emit(`73${template.to.slice(2).toLowerCase()}`, "GAS", "CALL");
    }
    emit("6020", "MSTORE");
    const jumpAt = here();
    emit(push2(0), "JUMP");
    patch(skipAt, here());
    emit("JUMPDEST", "6002", "6020", "MSTORE");
    patch(jumpAt, here());
    emit("JUMPDEST", "POP");
    emit(looks ? "SELFBALANCE" : "PUSH0", "6040", "MSTORE");
    emit(`60${index.toString(16).padStart(2, "0")}`, "6060", "PUSH0", "LOG1");
  });
  emit("STOP");
  return code;
}

/**
 * Length of the staking precompile's error for one call too many, which nothing
 * else here returns.
 */
const REFUSAL = "6084";

/**
 * Returns code that calls the staking precompile with each of these calldata.
 * It returns, and logs, how many calls succeeded, and how many were refused as
 * too many. With `strict` it reverts if any was.
 */
export function calling(calls: readonly string[], strict = false): string {
  const parts = calls.map((data) => data.slice(2));
  const code = (dataAt: number) => {
    let offset = dataAt;
    let text = "";
    const emit = (...ops: readonly string[]) => {
      for (const op of ops) text += OPS[op as Op] ?? op;
    };
    for (const part of parts) {
      const size = part.length / 2;
      emit(push2(size), push2(offset), push2(BASE), "CODECOPY");
      emit("PUSH0", "PUSH0", push2(size), push2(BASE), "PUSH0");
      emit(`73${PRECOMPILES.staking.address.slice(2)}`, "GAS", "CALL");
      emit("PUSH0", "MLOAD", "ADD", "PUSH0", "MSTORE");
      emit("RETURNDATASIZE", REFUSAL, "EQ", "6020", "MLOAD", "ADD");
      emit("6020", "MSTORE");
      offset += size;
    }
    if (strict) {
      emit("6020", "MLOAD", "ISZERO");
      emit(push2(text.length / 2 + 7), "JUMPI", "PUSH0", "PUSH0", "REVERT");
      emit("JUMPDEST");
    }
    emit("6040", "PUSH0", "LOG0", "6040", "PUSH0", "RETURN");
    return text;
  };
  return `0x${code(code(0).length / 2)}${parts.join("")}`;
}

/** Calls the account in the first word of its calldata with all its value. */
export const FORWARDER = `0x${[
  ...["PUSH0", "PUSH0", "PUSH0", "PUSH0", "CALLVALUE", "PUSH0"],
  ...["CALLDATALOAD", "GAS", "CALL", "STOP"],
]
  .map((op) => OPS[op as Op])
  .join("")}`;

/** Creates a contract whose constructor is its calldata. */
export const FACTORY = `0x${[
  ...["CALLDATASIZE", "PUSH0", "PUSH0", "CALLDATACOPY"],
  ...["CALLDATASIZE", "PUSH0", "CALLVALUE", "CREATE", "STOP"],
]
  .map((op) => OPS[op as Op])
  .join("")}`;

export const cloneOf = (target: string) =>
  `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`;

export const hashOf = (code: string) => BigInt(keccak256(code));
