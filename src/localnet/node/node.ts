// The requests that the engine makes of the simulated node.

import type {
  CallRequest,
  MinedTransaction,
  StateChanges,
} from "../request/calls.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../../rpc/quantities.js";
import { errorText } from "../../support/text.js";
import type { Called, Frame } from "../foresight/trace.js";
import type { Tracer } from "./tracer.js";
import { replay, type Step } from "./struct-logs.js";

/** A block's number and time, in Unix seconds. */
export interface Head {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/** State overrides of a call, by address. */
export type StateOverrides = Readonly<
  Record<string, { readonly code: string }>
>;

const ECRECOVER = `0x${"1".padStart(40, "0")}`;
/** A word of storage that was never written. */
export const ZERO_WORD = `0x${"0".repeat(64)}`;

/**
 * The simulated node; requests do not pass the engine again. Amounts in base
 * units.
 */
export class LocalNode {
  readonly #provider: RpcProvider;
  readonly #tracer: Tracer | undefined;
  #onlyInstructions: boolean;
  #isWritten = false;

  /**
   * @param onlyInstructions whether the node has no tracer but the default one;
   * found out otherwise
   * @param tracer replaces the node's tracers
   */
  constructor(
    provider: RpcProvider,
    onlyInstructions = false,
    tracer?: Tracer,
  ) {
    this.#tracer = tracer;
    this.#onlyInstructions = onlyInstructions;
    this.#provider = provider;
  }

  async ask(method: string, params: unknown[] = []): Promise<unknown> {
    if (method.startsWith("hardhat_set")) this.#isWritten = true;
    return await this.#provider.request({ method, params });
  }

  /** Whether {@link ask} wrote state past the EVM since it was last asked. */
  takeWritten(): boolean {
    const isWritten = this.#isWritten;
    this.#isWritten = false;
    return isWritten;
  }

  async code(address: string, block: unknown = "latest"): Promise<string> {
    return String(await this.ask("eth_getCode", [address, block]));
  }

  async setCode(address: string, code: string): Promise<void> {
    await this.ask("hardhat_setCode", [address, code]);
  }

  async balance(address: string, block: unknown = "latest"): Promise<bigint> {
    return fromQuantity(
      await this.ask("eth_getBalance", [address, block]),
      "a balance",
    );
  }

  async nonce(address: string): Promise<bigint> {
    return fromQuantity(
      await this.ask("eth_getTransactionCount", [address, "latest"]),
      "a nonce",
    );
  }

  async setNonce(address: string, nonce: bigint): Promise<void> {
    await this.ask("hardhat_setNonce", [address, toQuantity(nonce)]);
  }

  /** Reads a word of an account's storage. */
  async word(address: string, slot: string): Promise<string> {
    return String(
      await this.ask("eth_getStorageAt", [address, slot, "latest"]),
    );
  }

  async setWord(address: string, slot: string, word: string): Promise<void> {
    await this.ask("hardhat_setStorageAt", [address, shortest(slot), word]);
  }

  async setBalance(address: string, balance: bigint): Promise<void> {
    await this.ask("hardhat_setBalance", [address, toQuantity(balance)]);
  }

  async head(block = "latest"): Promise<Head> {
    const header = await this.ask("eth_getBlockByNumber", [block, false]);
    const fields = isRecord(header) ? header : {};
    return {
      number: fromQuantity(fields.number, "a block's number"),
      timestamp: fromQuantity(fields.timestamp, "a block's time"),
    };
  }

  /** Returns the pending block's time, in Unix seconds. */
  async nextTime(): Promise<bigint> {
    const header = await this.ask("eth_getBlockByNumber", ["pending", false]);
    return fromQuantity(
      isRecord(header) ? header.timestamp : undefined,
      "a block's time",
    );
  }

  /** Returns the pending block's base fee, in base units. */
  async baseFee(): Promise<bigint> {
    const header = await this.ask("eth_getBlockByNumber", ["pending", false]);
    return BigInt(
      isRecord(header) ? String(header.baseFeePerGas ?? "0x0") : "0x0",
    );
  }

  /**
   * Returns the result of a call; the node's error is thrown where it fails. A
   * trace costs half as much as `eth_call`, which prepares a stack trace, but
   * does not tell the reason of a failure, and knows no state overrides.
   */
  async call(call: CallRequest, overrides?: StateOverrides): Promise<string> {
    if (overrides !== undefined)
      return String(await this.ask("eth_call", [call, "latest", overrides]));
    if (this.#tracer === undefined && !this.#onlyInstructions) {
      const { output } = await this.frames(call, "latest").then(
        (frame) => (frame.error === undefined ? frame : { output: undefined }),
        () => ({ output: undefined }),
      );
      if (output !== undefined) return output;
    }
    return String(await this.ask("eth_call", [call, "latest"]));
  }

  /**
   * Recovers an address from a signature.
   *
   * @param input of the ecrecover precompile: hash, v, r and s
   */
  async recover(input: string): Promise<string> {
    return `0x${(await this.call({ to: ECRECOVER, data: input })).slice(26)}`;
  }

  /** Traces a call's frames; its outermost frame tells whether it failed. */
  async frames(
    call: CallRequest,
    block: unknown,
    withLog = false,
  ): Promise<Frame> {
    if (this.#tracer !== undefined)
      return await this.#tracer.frames(call, block);
    const options = { tracer: "callTracer", tracerConfig: { withLog } };
    return await this.#traced(
      async () =>
        (await this.ask("debug_traceCall", [call, block, options])) as Frame,
      async () => (await this.#replay(call, block)).frames,
    );
  }

  /**
   * Lists all calls that a call makes, including itself, where the node offers
   * that at much less cost than frames; `undefined` otherwise.
   */
  async calls(
    call: CallRequest,
    block: unknown,
  ): Promise<readonly Called[] | undefined> {
    return await this.#tracer?.calls(call, block);
  }

  /**
   * Runs a request for a call to `to`, and lists all calls that it makes, or
   * `undefined` where that is not possible. A node that does not offer it (see
   * {@link tellsCalls}) does not run the request.
   *
   * @param isInVain see {@link Tracer.callsDuring}
   */
  async callsDuring(
    to: string,
    request: () => Promise<unknown>,
    isInVain?: (account: string) => boolean,
  ): Promise<readonly Called[] | undefined> {
    return await this.#tracer?.callsDuring(to, request, isInVain);
  }

  /** Whether the node offers {@link calls} and {@link callsDuring}. */
  get tellsCalls(): boolean {
    return this.#tracer !== undefined;
  }

  /**
   * Returns what a successful call would change. Of the caller it has at most
   * the balance, and only if `withCaller` is set.
   */
  async changes(
    call: CallRequest,
    block: unknown = "latest",
    withCaller = false,
  ): Promise<StateChanges> {
    if (this.#tracer !== undefined)
      return await this.#tracer.changes(call, block, withCaller);
    // The modules' codes are long, and no call changes them.
    const options = {
      tracer: "prestateTracer",
      tracerConfig: { diffMode: true, disableCode: true },
    };
    return await this.#traced(
      async () =>
        changesOf(
          (await this.ask("debug_traceCall", [call, block, options])) as Diff,
          call.from,
          withCaller,
        ),
      async () => (await this.#replay(call, block)).changes,
    );
  }

  /** Traces every instruction of a call. */
  async steps(call: CallRequest, block: unknown): Promise<readonly Step[]> {
    return this.#tracer === undefined
      ? (await this.#instructions(call, block)).steps
      : await this.#tracer.steps(call, block);
  }

  /** Traces the frames of a mined transaction. */
  async framesOf(
    transaction: MinedTransaction,
    withLog = false,
  ): Promise<Frame> {
    if (this.#tracer !== undefined)
      return await this.#tracer.framesOf(transaction);
    const { hash } = transaction;
    const options = { tracer: "callTracer", tracerConfig: { withLog } };
    return await this.#traced(
      async () =>
        (await this.ask("debug_traceTransaction", [hash, options])) as Frame,
      async () => await this.#replayMined(transaction),
    );
  }

  /** Traces every instruction of a mined transaction. */
  async stepsOf(transaction: MinedTransaction): Promise<readonly Step[]> {
    return this.#tracer === undefined
      ? (await this.#instructionsOf(transaction.hash)).steps
      : await this.#tracer.stepsOf(transaction);
  }

  /**
   * Returns a block's transactions in order; `undefined` if there is no such
   * block.
   */
  async transactions(
    block: bigint,
  ): Promise<readonly MinedTransaction[] | undefined> {
    const found = await this.ask("eth_getBlockByNumber", [
      toQuantity(block),
      true,
    ]);
    if (!isRecord(found) || !Array.isArray(found.transactions))
      return undefined;
    return found.transactions.filter(isRecord).map(minedTransaction);
  }

  /** Whether the node's frames can contain logs. */
  get tellsLogs(): boolean {
    return this.#tracer !== undefined || !this.#onlyInstructions;
  }

  /** Whether a trace costs no more than the call itself. */
  get tracesQuickly(): boolean {
    return this.#tracer === undefined && !this.#onlyInstructions;
  }

  // Hardhat 2 offers the default tracer only.
  async #traced<T>(
    withTracer: () => Promise<T>,
    withInstructions: () => Promise<T>,
  ): Promise<T> {
    if (!this.#onlyInstructions) {
      try {
        return await withTracer();
      } catch (error) {
        if (!/default tracer/.test(errorText(error))) throw error;
        this.#onlyInstructions = true;
      }
    }
    return await withInstructions();
  }

  async #instructions(call: CallRequest, block: unknown) {
    const options = { disableMemory: true, disableStorage: true };
    return instructionsIn(
      await this.ask("debug_traceCall", [call, block, options]),
    );
  }

  async #instructionsOf(hash: string) {
    const options = { disableMemory: true, disableStorage: true };
    return instructionsIn(
      await this.ask("debug_traceTransaction", [hash, options]),
    );
  }

  async #replayMined(transaction: MinedTransaction): Promise<Frame> {
    const { steps, outcome } = await this.#instructionsOf(transaction.hash);
    const receipt = await this.ask("eth_getTransactionReceipt", [
      transaction.hash,
    ]);
    const created =
      isRecord(receipt) && typeof receipt.contractAddress === "string"
        ? receipt.contractAddress
        : undefined;
    const noBalance = async () => await Promise.resolve(0n);
    return (await replay(transaction, steps, outcome, created, noBalance))
      .frames;
  }

  async #replay(call: CallRequest, block: unknown) {
    const { steps, outcome } = await this.#instructions(call, block);
    return await replay(
      call,
      steps,
      outcome,
      await this.#createdBy(call),
      (account) => this.balance(account),
    );
  }

  async #createdBy(call: CallRequest): Promise<string | undefined> {
    if (call.to !== undefined || call.from === undefined) return undefined;
    const nonce = fromQuantity(
      await this.ask("eth_getTransactionCount", [call.from, "pending"]),
      "a nonce",
    );
    const { getCreateAddress } = await import("ethers");
    return getCreateAddress({ from: call.from, nonce }).toLowerCase();
  }

  /** Writes storage words and balances. */
  async apply({
    storage,
    balances,
  }: Pick<StateChanges, "storage" | "balances">): Promise<void> {
    const requests: Promise<unknown>[] = [];
    for (const [account, words] of storage) {
      for (const [slot, word] of words) {
        requests.push(this.setWord(account, slot, word));
      }
    }
    for (const [account, balance] of balances) {
      requests.push(this.setBalance(account, balance));
    }
    await Promise.all(requests);
  }
}

/** Parses a mined transaction of a JSON-RPC answer. */
export const minedTransaction = (
  fields: Readonly<Record<string, unknown>>,
): MinedTransaction => ({
  hash: String(fields.hash),
  from: String(fields.from).toLowerCase(),
  ...(typeof fields.to === "string" ? { to: fields.to.toLowerCase() } : {}),
  data: String(fields.input ?? "0x"),
  value: String(fields.value ?? "0x0"),
  fee: BigInt(String(fields.gas)) * BigInt(String(fields.gasPrice)),
});

/** Parses the answer of a node's default tracer. */
function instructionsIn(answer: unknown) {
  const fields = isRecord(answer) ? answer : {};
  const steps: readonly Step[] = Array.isArray(fields.structLogs)
    ? fields.structLogs
    : [];
  const output = String(fields.returnValue ?? "");
  return {
    steps,
    outcome: {
      failed: fields.failed === true,
      gas: BigInt(Number(fields.gas ?? 0)),
      output: output.startsWith("0x") ? output : `0x${output}`,
    },
  };
}

interface Diff {
  readonly pre: Readonly<Record<string, AccountState>>;
  readonly post: Readonly<Record<string, AccountState>>;
}

interface AccountState {
  readonly balance?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

function changesOf(
  diff: Diff,
  caller: string | undefined,
  withCaller: boolean,
): StateChanges {
  const storage = new Map<string, Map<string, string>>();
  const balances = new Map<string, bigint>();
  const before = new Map<string, Map<string, string>>();
  const balancesBefore = new Map<string, bigint>();
  for (const account of new Set([
    ...Object.keys(diff.pre),
    ...Object.keys(diff.post),
  ])) {
    if (account === caller?.toLowerCase() && !withCaller) continue;
    const was = diff.pre[account];
    const is = diff.post[account];
    balancesBefore.set(account, BigInt(was?.balance ?? "0x0"));
    if (is?.balance !== undefined) balances.set(account, BigInt(is.balance));
    before.set(account, new Map(Object.entries(was?.storage ?? {})));
    const words = new Map<string, string>();
    // prestateTracer lists a word that became zero in `pre` only.
    for (const slot of Object.keys(was?.storage ?? {}))
      words.set(slot, is?.storage?.[slot] ?? ZERO_WORD);
    for (const [slot, word] of Object.entries(is?.storage ?? {}))
      words.set(slot, word);
    if (words.size > 0) storage.set(account, words);
  }
  return { storage, balances, before, balancesBefore };
}

// hardhat_setStorageAt takes the slot as a quantity.
const shortest = (slot: string) => toQuantity(BigInt(slot));
