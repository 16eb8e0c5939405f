// Replaces geth's tracers on nodes that have only the default one, with struct
// logs.

import type { CallRequest, StateChanges } from "../request/calls.js";
import type { Frame } from "../foresight/trace.js";

/**
 * An executed instruction as a node's default tracer records it: the state
 * before it runs.
 */
export interface Step {
  readonly op: string;
  readonly depth: number;
  readonly gas: number;
  /** Words in hex, the top of the stack last, at least those that the instruction takes; some nodes leave out the 0x. */
  readonly stack: readonly string[];
}

type Balances = (account: string) => Promise<bigint>;

/** A frame under construction, with the state changes that it would make. */
interface Open {
  readonly frame: { -readonly [field in keyof Frame]: Frame[field] } & {
    calls: Frame[];
  };
  readonly context: string;
  readonly memory: Memory;
  readonly words: [account: string, slot: string, word: string][];
  readonly moves: [from: string, to: string, value: bigint][];
}

const word = (text: string | undefined) =>
  BigInt(
    text === undefined || text === ""
      ? 0
      : text.startsWith("0x")
        ? text
        : `0x${text}`,
  );
const addressOf = (value: bigint) =>
  `0x${value.toString(16).padStart(64, "0").slice(24)}`;
/** Returns the address at a position of an instruction's stack. */
export const addressAt = ({ stack }: Step, fromTop: number) =>
  addressOf(word(stack.at(-1 - fromTop)));
const wordText = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;
const MASK = (1n << 256n) - 1n;

/**
 * A frame's memory, as far as it was written from the stack, the calldata or
 * memory itself, which suffices for the calldata of calls.
 */
class Memory {
  #bytes = Buffer.alloc(0);

  write(at: number, bytes: Uint8Array): void {
    if (at + bytes.length > MAX_MEMORY) return;
    if (this.#bytes.length < at + bytes.length) {
      this.#bytes = Buffer.concat([
        this.#bytes,
        Buffer.alloc(at + bytes.length - this.#bytes.length + 1024),
      ]);
    }
    this.#bytes.set(bytes, at);
  }

  read(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(Math.min(length, MAX_MEMORY));
    this.#bytes.copy(bytes, 0, at, at + bytes.length);
    return bytes;
  }
}

const MAX_MEMORY = 1 << 22;

/**
 * Reconstructs a call's frames and state changes from its instructions. Of what
 * geth's callTracer and prestateTracer return, the result has what the engine
 * reads.
 *
 * @param created address of the contract that the call itself creates
 * @param balances returns an account's balance before the call, in base units
 */
export async function replay(
  call: CallRequest,
  steps: readonly Step[],
  outcome: {
    readonly failed: boolean;
    readonly gas: bigint;
    readonly output: string;
  },
  created: string | undefined,
  balances: Balances,
): Promise<{ readonly frames: Frame; readonly changes: StateChanges }> {
  const root = open(
    "CALL",
    call.from?.toLowerCase() ?? "0x",
    (call.to ?? created ?? "0x").toLowerCase(),
    call.data ?? "0x",
    word(call.value),
  );
  if (call.to === undefined) root.frame.type = "CREATE";
  if (word(call.value) > 0n)
    root.moves.push([root.frame.from, root.context, word(call.value)]);
  root.frame.gas = `0x${(steps[0]?.gas ?? 0).toString(16)}`;
  const stack: Open[] = [root];
  let last: Step | undefined;
  const close = (failed: boolean, result: bigint | undefined) => {
    const done = stack.pop();
    const parent = stack.at(-1);
    if (done === undefined || parent === undefined) return;
    if (failed) {
      done.frame.error = "execution reverted";
    } else {
      parent.words.push(...done.words);
      parent.moves.push(...done.moves);
      if (done.frame.type.startsWith("CREATE") && result !== undefined)
        done.frame.to ??= addressOf(result);
    }
  };
  for (const step of steps) {
    // Close the frames that ended since the last instruction, also those that
    // ran no code. The top of the caller's stack tells whether they succeeded.
    while (stack.length > step.depth) {
      const result =
        stack.length === step.depth + 1 ? word(step.stack.at(-1)) : undefined;
      close(
        result === undefined
          ? last?.op === "REVERT" || last?.op === "INVALID"
          : result === 0n,
        result,
      );
    }
    const current = stack.at(-1);
    if (current === undefined) break;
    const top = (fromTop: number) => word(step.stack.at(-1 - fromTop));
    const at = (fromTop: number) => Number(top(fromTop));
    switch (step.op) {
      case "MSTORE":
        current.memory.write(
          at(0),
          Buffer.from(wordText(top(1)).slice(2), "hex"),
        );
        break;
      case "MSTORE8":
        current.memory.write(at(0), Uint8Array.of(Number(top(1) & 0xffn)));
        break;
      case "MCOPY":
        current.memory.write(at(0), current.memory.read(at(1), at(2)));
        break;
      case "CALLDATACOPY": {
        const data = Buffer.from(current.frame.input.slice(2), "hex");
        const piece = Buffer.alloc(Math.min(at(2), MAX_MEMORY));
        if (at(1) < data.length)
          data.copy(piece, 0, at(1), at(1) + piece.length);
        current.memory.write(at(0), piece);
        break;
      }
      case "SSTORE":
        current.words.push([
          current.context,
          wordText(top(0)),
          wordText(top(1)),
        ]);
        break;
      case "SELFDESTRUCT":
        current.moves.push([current.context, addressOf(top(0)), -1n]);
        break;
      case "CALL":
      case "CALLCODE":
      case "STATICCALL":
      case "DELEGATECALL": {
        const hasValue = step.op === "CALL" || step.op === "CALLCODE";
        const to = addressOf(top(1));
        const [offset, size] = hasValue ? [at(3), at(4)] : [at(2), at(3)];
        const input = `0x${current.memory.read(offset, size).toString("hex")}`;
        const inner = open(
          step.op,
          current.context,
          to,
          input,
          hasValue ? top(2) : 0n,
        );
        if (step.op === "CALL" && top(2) > 0n)
          inner.moves.push([current.context, to, top(2)]);
        const own =
          step.op === "CALL" || step.op === "STATICCALL" ? to : current.context;
        push(stack, { ...inner, context: own });
        break;
      }
      case "CREATE":
      case "CREATE2": {
        const input = `0x${current.memory.read(at(1), at(2)).toString("hex")}`;
        const inner = open(step.op, current.context, undefined, input, top(0));
        if (top(0) > 0n) inner.moves.push([current.context, "created", top(0)]);
        push(stack, { ...inner, context: "created" });
        break;
      }
    }
    last = step;
  }
  while (stack.length > 1) close(false, undefined);
  const { frame } = root;
  frame.gasUsed = `0x${outcome.gas.toString(16)}`;
  frame.output = outcome.output;
  if (outcome.failed) frame.error = "execution reverted";
  return {
    frames: frame,
    changes: outcome.failed ? NOTHING : await changesOf(root, balances),
  };
}

const NOTHING: StateChanges = {
  storage: new Map(),
  balances: new Map(),
  before: new Map(),
  balancesBefore: new Map(),
};

function open(
  type: string,
  from: string,
  to: string | undefined,
  input: string,
  value: bigint,
): Open {
  const moves: Open["moves"] = [];
  return {
    frame: {
      type,
      from,
      ...(to === undefined ? {} : { to }),
      input,
      value: `0x${value.toString(16)}`,
      calls: [],
    },
    context: to ?? "created",
    memory: new Memory(),
    words: [],
    moves,
  };
}

function push(stack: Open[], inner: Open): void {
  stack.at(-1)?.frame.calls.push(inner.frame);
  stack.push(inner);
}

async function changesOf(
  { frame, words, moves }: Open,
  balances: Balances,
): Promise<StateChanges> {
  const storage = new Map<string, Map<string, string>>();
  for (const [account, slot, value] of words) {
    const mine = storage.get(account) ?? new Map<string, string>();
    mine.set(slot, value);
    storage.set(account, mine);
  }
  const after = new Map<string, bigint>();
  const of = async (account: string) =>
    after.get(account) ??
    (account === "created" ? 0n : await balances(account));
  for (const [from, to, value] of moves) {
    const held = await of(from);
    const moved = value < 0n ? held : value;
    after.set(from, (held - moved) & MASK);
    after.set(to, (await of(to)) + moved);
  }
  after.delete(frame.from);
  // The addresses of contracts that the call's frames create are not known.
  after.delete("created");
  storage.delete("created");
  return {
    storage,
    balances: after,
    before: new Map(),
    balancesBefore: new Map(),
  };
}
