import type { RpcProvider } from "../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";
import type { Frame } from "./trace.js";

/** A call as JSON-RPC takes it. */
export interface CallRequest {
  readonly from?: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: string;
  readonly gas?: string;
}

/** What a call would write: accounts in lower case, storage words of 32 bytes. */
export interface StateChanges {
  readonly storage: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly balances: ReadonlyMap<string, bigint>;
}

export interface Head {
  readonly number: bigint;
  readonly timestamp: bigint;
}

const ECRECOVER = `0x${"1".padStart(40, "0")}`;
const ZERO_WORD = `0x${"0".repeat(64)}`;

/** The simulated node behind the engine, past the engine itself. */
export class LocalNode {
  readonly #provider: RpcProvider;

  constructor(provider: RpcProvider) {
    this.#provider = provider;
  }

  async ask(method: string, params: unknown[] = []): Promise<unknown> {
    return await this.#provider.request({ method, params });
  }

  async code(address: string, block: unknown = "latest"): Promise<string> {
    return String(await this.ask("eth_getCode", [address, block]));
  }

  async setCode(address: string, code: string): Promise<void> {
    await this.ask("hardhat_setCode", [address, code]);
  }

  async balance(address: string): Promise<bigint> {
    return fromQuantity(
      await this.ask("eth_getBalance", [address, "latest"]),
      "a balance",
    );
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

  async call(call: CallRequest): Promise<string> {
    return String(await this.ask("eth_call", [call, "latest"]));
  }

  /** The sender of a signed transaction, from the input of the EVM's own ecrecover. */
  async recover(input: string): Promise<string> {
    return `0x${(await this.call({ to: ECRECOVER, data: input })).slice(26)}`;
  }

  /** The frames of a call; a failure of the call itself is in its frame. */
  async frames(call: CallRequest, block: unknown): Promise<Frame> {
    return (await this.ask("debug_traceCall", [
      call,
      block,
      { tracer: "callTracer" },
    ])) as Frame;
  }

  /** What a successful call would change, of all accounts but the caller. */
  async changes(call: CallRequest): Promise<StateChanges> {
    const diff = (await this.ask("debug_traceCall", [
      call,
      "latest",
      { tracer: "prestateTracer", tracerConfig: { diffMode: true } },
    ])) as Diff;
    const storage = new Map<string, Map<string, string>>();
    const balances = new Map<string, bigint>();
    const accounts = new Set([
      ...Object.keys(diff.pre),
      ...Object.keys(diff.post),
    ]);
    for (const account of accounts) {
      const before = diff.pre[account];
      const after = diff.post[account];
      if (account === call.from) continue;
      if (after?.balance !== undefined)
        balances.set(account, BigInt(after.balance));
      const words = new Map<string, string>();
      // A word that became zero is only in `pre`.
      for (const slot of Object.keys(before?.storage ?? {}))
        words.set(slot, after?.storage?.[slot] ?? ZERO_WORD);
      for (const [slot, word] of Object.entries(after?.storage ?? {}))
        words.set(slot, word);
      if (words.size > 0) storage.set(account, words);
    }
    return { storage, balances };
  }

  async apply({ storage, balances }: StateChanges): Promise<void> {
    const requests: Promise<unknown>[] = [];
    for (const [account, words] of storage) {
      for (const [slot, word] of words) {
        requests.push(
          this.ask("hardhat_setStorageAt", [account, shortest(slot), word]),
        );
      }
    }
    for (const [account, balance] of balances) {
      requests.push(this.setBalance(account, balance));
    }
    await Promise.all(requests);
  }
}

interface Diff {
  readonly pre: Readonly<Record<string, AccountState>>;
  readonly post: Readonly<Record<string, AccountState>>;
}

interface AccountState {
  readonly balance?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

// hardhat_setStorageAt takes the slot as a quantity.
const shortest = (slot: string) => toQuantity(BigInt(slot));
