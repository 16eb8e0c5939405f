import type { PrecompileAddresses } from "../precompiles/addresses.js";
import { selectorOf } from "../precompiles/selector.js";
import { rpcErrorOf } from "../rpc/provider.js";
import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { sleep } from "../support/async.js";
import { setBounded } from "../support/bounded.js";
import { isSettlingCall, SETTLING_EVENTS } from "./rewards.js";

type Addresses = Pick<PrecompileAddresses, "staking" | "distribution">;

/** A call of a contract that is being estimated. */
export interface ContractCall {
  readonly from?: string;
  readonly to: string;
  readonly data: string;
  readonly value?: string;
}

/** Whose rewards a call of a contract may settle. */
export interface Settled {
  /** How many validators may pay rewards. */
  readonly validators: bigint;
  /** The accounts whose rewards these are, in lower case. */
  readonly delegators: readonly string[];
  /** Whether the call takes rewards or asks for them itself, and may act on them. */
  readonly actsOnRewards: boolean;
}

/**
 * Whether the calls inside reach the staking or distribution precompile, and
 * its rewards.
 */
type Look = "rewards" | "precompiles" | "elsewhere" | "unknown";

const METHOD_NOT_FOUND = -32601;

/** More validators than one call can settle within a block's gas limit. */
const MAX_VALIDATORS = 100n;
/** How many contracts are remembered; the oldest is asked about again. */
const MAX_CONTRACTS = 1_000;
/** How many frames of a trace are looked at. */
const MAX_FRAMES = 10_000;

/** Milliseconds to wait for a block, and between two looks for it. */
const BLOCK_MS = 6_000;
const LOOK_MS = 100;
/** How many blocks in a row may have paid the rewards again. */
const MAX_PAYING_BLOCKS = 3;

const DELEGATOR_VALIDATORS = selectorOf({
  name: "delegatorValidators",
  inputs: [{ type: "address" }],
});
const TOTAL_REWARDS = selectorOf({
  name: "delegationTotalRewards",
  inputs: [{ type: "address" }],
});
/** Methods of the distribution precompile that take rewards, or tell them. */
const OF_REWARDS = new Set<string>([
  TOTAL_REWARDS,
  ...[
    { name: "withdrawDelegatorRewards", inputs: ["address", "string"] },
    { name: "claimRewards", inputs: ["address", "uint32"] },
    { name: "delegationRewards", inputs: ["address", "string"] },
  ].map(({ name, inputs }) =>
    selectorOf({ name, inputs: inputs.map((type) => ({ type })) }),
  ),
]);

/**
 * How many validators contracts delegate to. A call of a contract may have to
 * pay out the rewards of each of them, whatever the method, but each only once
 * per block. A contract is asked about once; receipts and traces show which
 * other accounts it acts for, and when a validator may have been added.
 */
export class Delegations {
  readonly #addresses: Addresses;
  /** In lower case, like all addresses here. */
  readonly #precompiles: readonly string[];
  /** Delegators that a called contract was seen to act for. */
  readonly #behind = new Map<string, Set<string>>();
  readonly #validators = new Map<string, Promise<bigint>>();
  /** Where the calls inside lead, by contract and method. */
  readonly #looks = new Map<string, Promise<Look>>();
  /** What calls need in addition once there are rewards, by contract and method. */
  readonly #additions = new Map<string, Promise<bigint>>();
  /** A chain may make blocks for transactions only. */
  #makesBlocks = true;
  /** Not every node lets clients trace. */
  #traces = true;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
    this.#precompiles = [addresses.staking, addresses.distribution].map((a) =>
      a.toLowerCase(),
    );
  }

  /** Forgets contracts and delegators, on another chain. */
  forget(): void {
    this.#behind.clear();
    this.#validators.clear();
    this.#looks.clear();
    this.#additions.clear();
    this.#makesBlocks = true;
  }

  /** Whose rewards a call of a contract may settle, and of how many validators. */
  async settledBy(call: ContractCall, ask: Ask): Promise<Settled> {
    const contract = call.to.toLowerCase();
    const look = await this.#look(call, ask);
    const counts = await Promise.all(
      [
        ...new Set([
          ...(look === "elsewhere" ? [] : [contract]),
          ...this.#delegatorsOf(contract),
        ]),
      ].map(async (delegator) => ({
        delegator,
        count: await this.#count(delegator, ask),
      })),
    );
    const sum = counts.reduce((total, { count }) => total + count, 0n);
    return {
      validators: sum < MAX_VALIDATORS ? sum : MAX_VALIDATORS,
      delegators: counts
        .filter(({ count }) => count > 0n)
        .map(({ delegator }) => delegator),
      actsOnRewards: look === "rewards",
    };
  }

  /**
   * What a call needs beyond its estimate if the newest block has paid out
   * rewards on which the call acts, such as by staking what its balance has
   * risen by. No node estimates that, so the next block is awaited, once per
   * method of a contract.
   */
  async addition(
    call: ContractCall,
    estimate: bigint,
    delegators: readonly string[],
    ask: Ask,
  ): Promise<bigint> {
    if (!(await this.#arePaidOut(delegators, ask))) {
      return 0n;
    }
    const key = keyOf(call);
    const known = this.#additions.get(key);
    if (known !== undefined) {
      return await known;
    }
    const addition = this.#estimateLater(call, estimate, delegators, ask).catch(
      () => undefined,
    );
    setBounded(
      this.#additions,
      key,
      addition.then((gas = 0n) => gas),
      MAX_CONTRACTS,
    );
    if ((await addition) === undefined) {
      this.#additions.delete(key);
    }
    return (await addition) ?? 0n;
  }

  async #estimateLater(
    call: ContractCall,
    estimate: bigint,
    delegators: readonly string[],
    ask: Ask,
  ): Promise<bigint | undefined> {
    for (let i = 0; i < MAX_PAYING_BLOCKS && this.#makesBlocks; i++) {
      this.#makesBlocks = await untilNextBlock(ask);
      if (!(await this.#arePaidOut(delegators, ask))) {
        const later = fromQuantity(
          await ask("eth_estimateGas", [call, "latest"]),
          "the node's gas estimate",
        );
        return later > estimate ? later - estimate : 0n;
      }
    }
    return undefined;
  }

  /** Whether the rewards from a validator are zero, as after a payment in the newest block. */
  async #arePaidOut(delegators: readonly string[], ask: Ask): Promise<boolean> {
    const answers = await Promise.all(
      delegators.map(async (delegator) => {
        try {
          return withoutRewards(
            await ask("eth_call", [
              {
                to: this.#addresses.distribution,
                data: `${TOTAL_REWARDS}${delegator.slice(2).padStart(64, "0")}`,
              },
              "latest",
            ]),
          );
        } catch {
          // Without an answer the estimate stands.
          return false;
        }
      }),
    );
    return answers.includes(true);
  }

  // Once per method of a contract: a trace shows which accounts the contracts
  // behind it act for.
  async #look(call: ContractCall, ask: Ask): Promise<Look> {
    const key = keyOf(call);
    const known = this.#looks.get(key);
    if (known !== undefined || !this.#traces) {
      return (await known) ?? "unknown";
    }
    const look = ask("debug_traceCall", [
      call,
      "latest",
      { tracer: "callTracer" },
    ]).then(
      (trace) => this.#learnFrom(trace, false),
      (error: unknown): Look => {
        const refusal = rpcErrorOf(error);
        if (refusal === undefined) {
          this.#looks.delete(key);
        }
        this.#traces = refusal?.code !== METHOD_NOT_FOUND;
        return "unknown";
      },
    );
    setBounded(this.#looks, key, look, MAX_CONTRACTS);
    return await look;
  }

  /** Learns from a receipt which accounts the called contract acts for. */
  learnReceipt(receipt: Readonly<Record<string, unknown>>): void {
    const { to, logs } = receipt;
    if (typeof to !== "string" || !Array.isArray(logs) || this.#isOurs(to)) {
      return;
    }
    for (const log of logs.filter(isLog)) {
      const [event = "", delegator = ""] = log.topics;
      const added = this.#isOurs(log.address)
        ? SETTLING_EVENTS.get(event)
        : undefined;
      if (added !== undefined && /^0x0{24}[0-9a-f]{40}$/i.test(delegator)) {
        this.#learn(to, `0x${delegator.slice(26)}`, added);
      }
    }
  }

  /**
   * Learns from the trace of a transaction that ran out of gas, which has no
   * logs.
   *
   * @param trace of the `callTracer`
   */
  learnTrace(trace: unknown): void {
    this.#learnFrom(trace, true);
  }

  #learnFrom(trace: unknown, added: boolean): Look {
    const to = isRecord(trace) ? trace["to"] : undefined;
    if (typeof to !== "string" || this.#isOurs(to)) {
      return "unknown";
    }
    let look: Look = "elsewhere";
    const frames: unknown[] = [trace];
    for (let i = 0; i < frames.length; i++) {
      const frame = frames[i];
      if (!isRecord(frame)) {
        continue;
      }
      if (i >= MAX_FRAMES) {
        return "unknown";
      }
      const { from, to: callee, input, calls } = frame;
      if (typeof callee === "string" && this.#isOurs(callee)) {
        look =
          look === "rewards" ||
          (callee.toLowerCase() ===
            this.#addresses.distribution.toLowerCase() &&
            typeof input === "string" &&
            OF_REWARDS.has(input.slice(0, 10)))
            ? "rewards"
            : "precompiles";
      }
      if (
        typeof from === "string" &&
        typeof callee === "string" &&
        typeof input === "string" &&
        isSettlingCall({ to: callee, data: input }, this.#addresses)
      ) {
        this.#learn(to, from, added);
      }
      frames.push(...(Array.isArray(calls) ? (calls as unknown[]) : []));
    }
    return look;
  }

  /** @param added whether the delegator may have one more validator now */
  #learn(contract: string, delegator: string, added: boolean): void {
    const delegators = this.#delegatorsOf(contract);
    const key = delegator.toLowerCase();
    if (added || !delegators.has(key)) {
      delegators.add(key);
      this.#validators.delete(key);
    }
  }

  #delegatorsOf(contract: string): Set<string> {
    const key = contract.toLowerCase();
    let delegators = this.#behind.get(key);
    if (delegators === undefined) {
      delegators = new Set();
      this.#behind.set(key, delegators);
      const oldest = this.#behind.keys().next();
      if (this.#behind.size > MAX_CONTRACTS && !oldest.done) {
        this.#behind.delete(oldest.value);
        this.#validators.delete(oldest.value);
      }
    }
    return delegators;
  }

  #count(delegator: string, ask: Ask): Promise<bigint> {
    const known = this.#validators.get(delegator);
    if (known !== undefined) {
      return known;
    }
    const count = this.#ask(delegator, ask).catch((error: unknown) => {
      // A refusal by the node is an answer and is kept; a lost answer is asked for again.
      if (rpcErrorOf(error) === undefined) {
        this.#validators.delete(delegator);
      }
      return 0n;
    });
    this.#validators.set(delegator, count);
    return count;
  }

  // The answer is an ABI-encoded list of strings; only its length matters.
  async #ask(delegator: string, ask: Ask): Promise<bigint> {
    const answer = await ask("eth_call", [
      {
        to: this.#addresses.distribution,
        data: `${DELEGATOR_VALIDATORS}${delegator.slice(2).padStart(64, "0")}`,
      },
      "latest",
    ]);
    return typeof answer === "string" && answer.length >= 2 + 128
      ? fromQuantity(`0x${answer.slice(66, 130)}`, "the number of validators")
      : 0n;
  }

  #isOurs(address: string): boolean {
    return this.#precompiles.includes(address.toLowerCase());
  }
}

const keyOf = ({ to, data }: ContractCall) =>
  `${to.toLowerCase()} ${data.slice(0, 10)}`;

/** Returns whether there is a new block, in time. */
async function untilNextBlock(ask: Ask): Promise<boolean> {
  const newest = await ask("eth_blockNumber");
  for (let waited = 0; waited < BLOCK_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS);
    if ((await ask("eth_blockNumber")) !== newest) {
      return true;
    }
  }
  return false;
}

/**
 * Whether an answer of `delegationTotalRewards` has a validator without rewards:
 * `((string validator, DecCoin[] reward)[] rewards, DecCoin[] total)`.
 */
function withoutRewards(answer: unknown): boolean {
  if (typeof answer !== "string") {
    return false;
  }
  const wordAt = (byte: number) =>
    Number(`0x${answer.slice(2 + 2 * byte, 2 + 2 * byte + 64)}`);
  const list = wordAt(0);
  const tuples = list + 32;
  for (let i = 0; i < Math.min(wordAt(list), Number(MAX_VALIDATORS)); i++) {
    const tuple = tuples + wordAt(tuples + 32 * i);
    if (wordAt(tuple + wordAt(tuple + 32)) === 0) {
      return true;
    }
  }
  return false;
}

function isLog(log: unknown): log is { address: string; topics: string[] } {
  return (
    isRecord(log) &&
    typeof log["address"] === "string" &&
    Array.isArray(log["topics"])
  );
}
