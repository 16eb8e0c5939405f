import type { EIP1193Provider } from "hardhat/types/provider";

import type {
  CallRequest,
  MinedTransaction,
  StateChanges,
} from "../../localnet/request/calls.js";
import type { Step } from "../../localnet/node/struct-logs.js";
import type { Called, Frame } from "../../localnet/foresight/trace.js";
import type { Tracer } from "../../localnet/node/tracer.js";
import type { PrecompileAddresses } from "../../precompiles/addresses.js";
import { DualstackError } from "../../support/errors.js";
import { type Listener, listenTo } from "./calls.js";
import { hush } from "./console.js";
import {
  findEdr,
  type RawItem,
  type RawLog,
  type RawMessage,
  type RawResult,
  type RawStep,
  traceCall,
  traceTransaction,
} from "./raw-trace.js";
import { Stack } from "./stack.js";

const hex = (bytes: Uint8Array) =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
const quantity = (value: bigint) => `0x${value.toString(16)}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;
const addressIn = (value: bigint) => `0x${word(value).slice(26)}`;

/** How many words an instruction takes at most; writing whole stacks would take a good part of a trace's time. */
const MOST_TAKEN = 7;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The effects of a frame, unless a frame above it fails. */
interface Effects {
  readonly words: (readonly [account: string, slot: string, word: string])[];
  /** The whole balance if there is no value. */
  readonly moves: (readonly [from: string, to: string, value?: bigint])[];
}

interface Open extends Effects {
  readonly frame: Mutable<Frame> & { calls: Frame[] };
  /** The account whose storage and balance the instructions use. */
  readonly self: string | undefined;
  readonly stack: Stack;
}

interface Reading {
  /** Whether to collect effects. */
  readonly effects: boolean;
  readonly onStep?: (step: Step) => void;
}

/** Traces calls on Hardhat 2's own network, from its native traces. */
export class EdrTracer implements Tracer {
  readonly #provider: EIP1193Provider;
  readonly #precompiles: ReadonlySet<string>;
  #listener: Listener | undefined;

  constructor(provider: EIP1193Provider, precompiles: PrecompileAddresses) {
    this.#provider = provider;
    this.#precompiles = new Set(
      Object.values(precompiles).map((address) => address.toLowerCase()),
    );
  }

  async frames(call: CallRequest, block: unknown): Promise<Frame> {
    const trace = await this.#trace(call, block);
    const { frame } = read(trace, { effects: false });
    return withIntrinsicGas(frame, call);
  }

  async calls(
    call: CallRequest,
    block: unknown,
  ): Promise<readonly Called[] | undefined> {
    const request = JSON.stringify({
      method: "eth_call",
      params: [call, block],
    });
    return call.to === undefined
      ? undefined
      : await this.callsDuring(
          call.to,
          async () =>
            await hush(
              async () => await this.#edr()._provider.handleRequest(request),
            ),
        );
  }

  async callsDuring(
    to: string,
    request: () => Promise<unknown>,
    isInVain?: (account: string) => boolean,
  ): Promise<readonly Called[] | undefined> {
    const listener = await listenTo(this.#edr(), this.#precompiles);
    this.#listener = listener;
    const calls = await listener.during(
      isInVain === undefined
        ? request
        : async () => await hush(request, () => listener.hears(isInVain)),
    );
    const own = to.toLowerCase();
    return calls.some((call) => call.to === own) ? calls : undefined;
  }

  /** Call this after every request: it frees the network's traces. */
  tidy(): void {
    this.#listener?.tidy();
  }

  async changes(
    call: CallRequest,
    block: unknown,
    withCaller: boolean,
  ): Promise<StateChanges> {
    const root = read(await this.#trace(call, block), { effects: true });
    const left = withCaller ? undefined : call.from?.toLowerCase();
    return await this.#changesOf(root, left);
  }

  async steps(call: CallRequest, block: unknown): Promise<readonly Step[]> {
    return stepsIn(await this.#trace(call, block));
  }

  async framesOf({ hash }: MinedTransaction): Promise<Frame> {
    const trace = await traceTransaction(this.#edr(), hash);
    return read(trace, { effects: false }).frame;
  }

  async stepsOf({ hash }: MinedTransaction): Promise<readonly Step[]> {
    return stepsIn(await traceTransaction(this.#edr(), hash));
  }

  async #trace(call: CallRequest, block: unknown): Promise<readonly RawItem[]> {
    return await traceCall(this.#edr(), call, block);
  }

  #edr() {
    const edr = findEdr(this.#provider);
    if (edr === undefined) {
      throw new DualstackError(
        "Hardhat's own network cannot be found beneath the providers of other plugins, so the precompiles cannot be emulated",
        {
          fix: "Load hardhat-dualstack/hardhat2 before plugins that replace the network's provider.",
        },
      );
    }
    return edr;
  }

  async #changesOf(
    { words, moves, frame }: Open,
    left: string | undefined,
  ): Promise<StateChanges> {
    const failed = frame.error !== undefined;
    const storage = new Map<string, Map<string, string>>();
    const before = new Map<string, Map<string, string>>();
    for (const [account, slot, value] of failed ? [] : words) {
      const mine = storage.get(account) ?? new Map<string, string>();
      storage.set(account, mine.set(slot, value));
    }
    await Promise.all(
      [...storage].map(async ([account, changed]) => {
        const old = new Map<string, string>();
        before.set(account, old);
        await Promise.all(
          [...changed].map(async ([slot, value]) => {
            const was = String(
              await this.#ask("eth_getStorageAt", [account, slot, "latest"]),
            );
            old.set(slot, was);
            if (was === value) {
              changed.delete(slot);
            }
          }),
        );
      }),
    );
    const balances = new Map<string, bigint>();
    const balancesBefore = new Map<string, bigint>();
    const balanceOf = async (account: string): Promise<bigint> => {
      const now = balances.get(account);
      if (now !== undefined) {
        return now;
      }
      const found = BigInt(
        String(await this.#ask("eth_getBalance", [account, "latest"])),
      );
      balancesBefore.set(account, found);
      balances.set(account, found);
      return found;
    };
    for (const [from, to, value] of failed ? [] : moves) {
      const held = await balanceOf(from);
      const moved = value ?? held;
      balances.set(from, held - moved);
      balances.set(to, (await balanceOf(to)) + moved);
    }
    if (left !== undefined) {
      balances.delete(left);
      balancesBefore.delete(left);
    }
    return { storage, balances, before, balancesBefore };
  }

  async #ask(method: string, params: unknown[]): Promise<unknown> {
    return await this.#provider.request({ method, params });
  }
}

function stepsIn(trace: readonly RawItem[]): readonly Step[] {
  const steps: Step[] = [];
  read(trace, { effects: false, onStep: (step) => steps.push(step) });
  return steps;
}

/** Builds frames from a trace's events in order. */
function read(items: readonly RawItem[], { effects, onStep }: Reading): Open {
  const opened: Open[] = [];
  const created = createdIn(items);
  let root: Open | undefined;
  let last: RawStep | undefined;
  items.forEach((item, index) => {
    const current = opened.at(-1);
    if ("pc" in item) {
      last = item;
      if (current !== undefined && (effects || onStep !== undefined)) {
        const stack = current.stack.before(item);
        note(current, item, stack);
        onStep?.({
          op: item.opcode,
          depth: item.depth,
          gas: 0,
          stack: stack.slice(-MOST_TAKEN).map(word),
        });
        current.stack.after(item);
      }
      return;
    }
    if ("executionResult" in item) {
      const done = opened.pop();
      if (done !== undefined) {
        close(done, item, opened.at(-1));
      }
      return;
    }
    const next = open(item, current, last?.opcode, created.get(index));
    opened.push(next);
    root ??= next;
  });
  if (root === undefined) {
    throw new DualstackError("the node traced nothing");
  }
  return root;
}

/** The addresses of creations, which only their ends have, by the index of their beginnings. */
function createdIn(items: readonly RawItem[]): ReadonlyMap<number, string> {
  const begun: number[] = [];
  const created = new Map<number, string>();
  items.forEach((item, index) => {
    if ("pc" in item) {
      return;
    }
    if (!("executionResult" in item)) {
      begun.push(index);
      return;
    }
    const start = begun.pop();
    const { contractAddress } = item.executionResult;
    if (start !== undefined && contractAddress !== undefined) {
      created.set(start, hex(contractAddress));
    }
  });
  return created;
}

function open(
  message: RawMessage,
  parent: Open | undefined,
  opcode: string | undefined,
  created: string | undefined,
): Open {
  const isCreation = message.to === undefined;
  const type =
    parent !== undefined && opcode !== undefined
      ? opcode
      : isCreation
        ? "CREATE"
        : "CALL";
  const borrows = type === "DELEGATECALL" || type === "CALLCODE";
  const context = message.to === undefined ? created : hex(message.to);
  const code =
    message.codeAddress === undefined ? undefined : hex(message.codeAddress);
  const to = borrows ? code : context;
  const from =
    type === "DELEGATECALL" ? (context ?? "0x") : hex(message.caller);
  const frame = {
    type,
    from,
    ...(to === undefined ? {} : { to }),
    input: hex(message.data),
    value: quantity(message.value),
    gas: quantity(message.gasLimit),
    calls: [],
  };
  parent?.frame.calls.push(frame);
  const moves: Open["moves"] =
    borrows || message.value === 0n || context === undefined
      ? []
      : [[from, context, message.value]];
  return { frame, self: context, stack: new Stack(), words: [], moves };
}

function close(
  { frame, words, moves }: Open,
  { executionResult: { result } }: RawResult,
  parent: Open | undefined,
): void {
  const { output, gasUsed, logs } = result;
  frame.gasUsed = quantity(gasUsed);
  if (output !== undefined && "returnValue" in output) {
    frame.output = hex(output.returnValue);
    parent?.words.push(...words);
    parent?.moves.push(...moves);
  } else {
    frame.error = "execution reverted";
    frame.output = output === undefined ? "0x" : hex(output);
  }
  // All events so far: the outermost frame has all of them.
  if (parent === undefined && logs !== undefined) {
    frame.logs = logs.map(logOf);
  }
}

const logOf = ({ address, topics, data }: RawLog) => ({
  address: hex(address),
  topics: topics.map(hex),
  data: hex(data),
});

function note(
  { self, words, moves }: Open,
  { opcode }: RawStep,
  stack: readonly bigint[],
): void {
  if (self === undefined) {
    return;
  }
  if (opcode === "SSTORE") {
    words.push([self, word(stack.at(-1) ?? 0n), word(stack.at(-2) ?? 0n)]);
  } else if (opcode === "SELFDESTRUCT") {
    moves.push([self, addressIn(stack.at(-1) ?? 0n)]);
  }
}

const TRANSACTION = 21_000n;
const CREATION = 32_000n;
const PER_INITCODE_WORD = 2n;
const PER_TOKEN = 4n;
const FLOOR_PER_TOKEN = 10n;
const TOKENS_OF_NONZERO = 4n;

/**
 * The gas of a transaction before its code runs (EIP-2028, 3860, 7623), which
 * the trace leaves out.
 */
function withIntrinsicGas(
  frame: Frame,
  { to, data = "0x" }: CallRequest,
): Frame {
  const bytes = Buffer.from(data.slice(2), "hex");
  const zeros = BigInt(bytes.filter((byte) => byte === 0).length);
  const length = BigInt(bytes.length);
  const tokens = zeros + (length - zeros) * TOKENS_OF_NONZERO;
  const creation =
    to === undefined
      ? CREATION + ((length + 31n) / 32n) * PER_INITCODE_WORD
      : 0n;
  const intrinsic = TRANSACTION + tokens * PER_TOKEN + creation;
  const floor = TRANSACTION + tokens * FLOOR_PER_TOKEN;
  const used = BigInt(frame.gasUsed ?? "0x0") + intrinsic;
  return {
    ...frame,
    gas: quantity(BigInt(frame.gas ?? "0x0") + intrinsic),
    gasUsed: quantity(used > floor ? used : floor),
  };
}
