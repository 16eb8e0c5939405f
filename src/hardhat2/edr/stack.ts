import type { RawStep } from "./raw-trace.js";

/**
 * How many words an instruction takes from the stack, and whether it pushes
 * one; all others do neither.
 */
const EFFECTS: ReadonlyMap<string, readonly [takes: number, puts: 0 | 1]> =
  new Map(
    Object.entries({
      "0 1":
        "ADDRESS ORIGIN CALLER CALLVALUE CALLDATASIZE CODESIZE GASPRICE RETURNDATASIZE COINBASE TIMESTAMP NUMBER DIFFICULTY PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBBASEFEE PC MSIZE GAS",
      "1 1":
        "ISZERO NOT CLZ BALANCE CALLDATALOAD EXTCODESIZE EXTCODEHASH BLOCKHASH BLOBHASH MLOAD SLOAD TLOAD",
      "2 1":
        "ADD MUL SUB DIV SDIV MOD SMOD EXP SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR KECCAK256 SHA3",
      "3 1": "ADDMOD MULMOD CREATE",
      "4 1": "CREATE2",
      "6 1": "DELEGATECALL STATICCALL",
      "7 1": "CALL CALLCODE",
      "1 0": "POP JUMP SELFDESTRUCT",
      "2 0": "MSTORE MSTORE8 SSTORE TSTORE JUMPI RETURN REVERT LOG0",
      "3 0": "CALLDATACOPY CODECOPY RETURNDATACOPY MCOPY LOG1",
      "4 0": "EXTCODECOPY LOG2",
      "5 0": "LOG3",
      "6 0": "LOG4",
    }).flatMap(([effect, names]) => {
      const [takes = 0, puts = 0] = effect.split(" ").map(Number);
      return names
        .split(" ")
        .map((name) => [name, [takes, puts === 1 ? 1 : 0]] as const);
    }),
  );

/**
 * The whole stack of a frame. Its trace only has the topmost word, but every
 * instruction pushes at most one word, which the trace shows as the topmost one
 * of the next instruction.
 */
export class Stack {
  #words: bigint[] = [];
  #pending = false;

  /** The stack before an instruction, with the top last. Later instructions change this array. */
  before({ stack: [top = 0n] }: RawStep): readonly bigint[] {
    if (this.#pending) {
      this.#words.push(top);
      this.#pending = false;
    }
    return this.#words;
  }

  /** Applies an instruction. */
  after({ opcode }: RawStep): void {
    this.#pending = this.#apply(opcode);
  }

  /** @returns whether it pushes a word that only the next instruction shows */
  #apply(opcode: string): boolean {
    const words = this.#words;
    if (opcode.startsWith("PUSH")) {
      return true;
    }
    if (opcode.startsWith("DUP")) {
      words.push(words.at(-Number(opcode.slice(3))) ?? 0n);
      return false;
    }
    if (opcode.startsWith("SWAP")) {
      const [top, other] = [
        words.length - 1,
        words.length - 1 - Number(opcode.slice(4)),
      ];
      [words[top], words[other]] = [words[other] ?? 0n, words[top] ?? 0n];
      return false;
    }
    const [takes, puts] = EFFECTS.get(opcode) ?? [0, 0];
    words.length = Math.max(0, words.length - takes);
    return puts === 1;
  }
}
