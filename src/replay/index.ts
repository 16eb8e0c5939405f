import { DualstackError } from "../support/errors.js";
import { MODULE_ACCOUNTS } from "../precompiles/module-accounts.js";
import type { Frame } from "../localnet/foresight/trace.js";
import type { CallRequest } from "../localnet/request/calls.js";
import { toQuantity } from "../rpc/quantities.js";
import { RESERVE } from "../localnet/modules/accounts.js";
import { type ForkAt, type Ran, ReplayedBlock } from "./block.js";
import {
  balanceKey,
  type Changes,
  changesBetween,
  type Held,
  type Met,
  StateReader,
} from "./changes.js";
import { agree, type Check, compare } from "./compare.js";
import type { LiveChain, LiveTransaction } from "./live.js";
import { type SolidityFailure, solidityFailure } from "./stack.js";
import { type Call, treeOf } from "./tree.js";

/** Options of {@link replay}. */
export interface ReplayOptions {
  /**
   * Whether to skip the block's earlier transactions; default: they run first.
   */
  readonly fromBlockStart?: boolean;
}

/** The effects of a transaction or call on a fork of the live network. */
export interface Traced {
  /** Number of the block in which it ran. */
  readonly block: bigint;
  readonly success: boolean;
  /** Return data, or revert data. */
  readonly output: string;
  /**
   * Gas used on the fork: after refunds, without the minimum that the chain
   * charges.
   */
  readonly gasUsed: bigint;
  readonly contractAddress?: string;
  /** The call trace. */
  readonly calls: Call;
  readonly changes: Changes;
  /** Where in Solidity it failed, if the sources are known. */
  readonly failure?: SolidityFailure;
}

/** A transaction of the live network that was replayed. */
export interface Replay extends Traced {
  readonly hash: string;
  /** Index in the block. */
  readonly index: number;
  /** How many transactions of the block ran before it on the fork. */
  readonly earlier: number;
  /**
   * Transactions before it in the block that were not run on the fork, since
   * they are none of the EVM's block, by their messages, such as `MsgDelegate`;
   * absent if the node RPC does not tell.
   */
  readonly others?: readonly string[];
  /** Gas that the chain charged. */
  readonly gasCharged: bigint;
  /**
   * Whether status, logs and return data are the chain's, as far as `checks`
   * could check them.
   */
  readonly agrees: boolean;
  readonly checks: readonly Check[];
}

/**
 * Replays a transaction of a live network on a fork of the block before its
 * own: after that block's begin and its earlier transactions, with the block's
 * own number, time and fees.
 *
 * @throws DualstackError when the hash is malformed or unknown, when the node
 * no longer has the state, or when the block cannot be replayed
 */
export async function replay(
  chain: LiveChain,
  forkAt: ForkAt,
  hash: string,
  options: ReplayOptions = {},
): Promise<Replay> {
  const live = await chain.transaction(checkedHash(hash));
  const { fromBlockStart = false } = options;
  const earlier = fromBlockStart ? 0 : live.index;
  const block = fromBlockStart
    ? {
        ...live.block,
        transactions: [live.fields],
        statuses: [live.outcome.success],
      }
    : live.block;
  const replayed = await ReplayedBlock.open(block, forkAt, { last: earlier });
  try {
    return await replayIn(chain, replayed, live, earlier);
  } finally {
    await replayed.close();
  }
}

function checkedHash(hash: string): string {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) {
    throw new DualstackError(
      `"${hash.slice(0, 80)}" is not the hash of a transaction`,
      { fix: "It is 0x and 64 hexadecimal digits." },
    );
  }
  return hash.toLowerCase();
}

/**
 * Traces a call on a fork, as the only transaction of the next block.
 *
 * @param at number of the block to fork; default: the newest
 * @throws DualstackError when the state cannot be read
 */
export async function traceCall(
  chain: LiveChain,
  forkAt: ForkAt,
  call: CallRequest,
  at?: bigint,
): Promise<Traced> {
  const head = await chain.block(at);
  const next = {
    ...head,
    number: head.number + 1n,
    timestamp: head.timestamp + 1n,
    baseFee: 0n,
    transactions: [],
  };
  const block = await ReplayedBlock.open(next, forkAt, { begins: false });
  try {
    const tracing = await Tracing.create(chain, block);
    const ran = await block.runCall(call);
    const seen = await tracing.after(ran);
    await block.run(0);
    return await tracing.traced(next.number, seen, {
      ...call,
      gas: call.gas ?? toQuantity(next.gasLimit),
    });
  } finally {
    await block.close();
  }
}

async function replayIn(
  chain: LiveChain,
  block: ReplayedBlock,
  live: LiveTransaction,
  earlier: number,
): Promise<Replay> {
  const { fields, index, outcome, others } = live;
  const tracing = await Tracing.create(chain, block);
  const ran = (await block.run(earlier + 1)).at(-1);
  if (ran === undefined) throw new DualstackError("nothing was replayed");
  const seen = await tracing.after(ran);
  // Mines the block again without the transaction, for the state before it.
  await block.run(earlier);
  const { from, to, input, value, gas } = fields;
  const traced = await tracing.traced(
    live.block.number,
    { ...seen, held: asCharged(seen.held, live, ran) },
    {
      from: String(from),
      ...(typeof to === "string" ? { to } : {}),
      data: String(input),
      value: String(value),
      gas: String(gas),
    },
  );
  const checks = compare(ran, outcome, {
    fields,
    beganExactly: block.beganExactly,
    callsPrecompiles: tracing.callsPrecompiles(traced.calls),
    ...(others === undefined ? {} : { others }),
  });
  return {
    hash: ran.hash,
    index,
    earlier,
    ...(others === undefined ? {} : { others }),
    ...traced,
    gasCharged: outcome.gasUsed,
    agrees: agree(checks),
    checks,
  };
}

/** What {@link Tracing} read right after a transaction. */
interface Seen {
  readonly ran: Ran;
  readonly calls: Call;
  readonly met: Met;
  readonly held: Held;
}

/**
 * Finds what a transaction of a replayed block called and changed, and where it
 * failed.
 */
class Tracing {
  readonly #block: ReplayedBlock;
  readonly #reader: StateReader;
  readonly #precompiles: ReadonlySet<string>;

  private constructor(
    block: ReplayedBlock,
    reader: StateReader,
    precompiles: ReadonlySet<string>,
  ) {
    this.#block = block;
    this.#reader = reader;
    this.#precompiles = precompiles;
  }

  static async create(
    { network }: LiveChain,
    block: ReplayedBlock,
  ): Promise<Tracing> {
    const precompiles = Object.values(network.precompiles);
    return new Tracing(
      block,
      await StateReader.create(network),
      new Set(precompiles.map((one) => one.toLowerCase())),
    );
  }

  /** Reads the state after the transaction, which must be the block's last. */
  async after(ran: Ran): Promise<Seen> {
    const ask = this.#ask;
    const calls = await treeOf(ran.root, this.#precompiles, async (account) =>
      String(await ask("eth_getCode", account, "latest")),
    );
    const met = await this.#reader.met(calls, accountsIn(ran.root), ask);
    return {
      ran,
      calls: { ...calls, gasUsed: ran.gasUsed },
      met,
      held: await this.#reader.read(met, ask),
    };
  }

  /**
   * Compares with the state before the transaction. The block must have been
   * mined again without it.
   *
   * @param call the transaction as a call
   */
  async traced(
    number: bigint,
    { ran, calls, met, held }: Seen,
    call: CallRequest,
  ): Promise<Traced> {
    const before = await this.#reader.read(met, this.#ask);
    const failure = ran.success ? undefined : await this.#failure(call);
    return {
      block: number,
      success: ran.success,
      output: ran.root.output ?? "0x",
      gasUsed: ran.gasUsed,
      ...(ran.contractAddress === undefined
        ? {}
        : { contractAddress: ran.contractAddress }),
      calls,
      changes: changesBetween(before, held),
      ...(failure === undefined ? {} : { failure }),
    };
  }

  /** Returns whether a call or one below it is to a precompile. */
  callsPrecompiles({ to, calls }: Call): boolean {
    return (
      (to !== undefined && this.#precompiles.has(to)) ||
      calls.some((one) => this.callsPrecompiles(one))
    );
  }

  get #ask() {
    return this.#block.ask.bind(this.#block);
  }

  /** Repeats the call: unlike a trace, its error has a Solidity stack. */
  async #failure(call: CallRequest): Promise<SolidityFailure | undefined> {
    try {
      await this.#ask("eth_call", call, "latest");
      return undefined;
    } catch (error) {
      return solidityFailure(error);
    }
  }
}

/**
 * Adjusts balances to the chain, which charges more gas and pays the coinbase
 * nothing.
 */
function asCharged(
  held: Held,
  { fields, outcome, block }: LiveTransaction,
  { gasUsed }: Ran,
): Held {
  const price = BigInt(String(fields.gasPrice));
  const corrected = new Map(held);
  const add = (account: string, amount: bigint) => {
    const key = balanceKey(account.toLowerCase());
    const value = corrected.get(key);
    if (typeof value === "bigint") corrected.set(key, value + amount);
  };
  add(String(fields.from), (gasUsed - outcome.gasUsed) * price);
  add(block.coinbase, -gasUsed * (price - block.baseFee));
  return corrected;
}

const OWN = new Set<string>([RESERVE, ...Object.values(MODULE_ACCOUNTS)]);

/** Returns the accounts in a trace, except module accounts and the reserve. */
function accountsIn(root: Frame): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = ({ from, to, calls }: Frame) => {
    for (const account of [from, to]) {
      if (account !== undefined && !OWN.has(account)) found.add(account);
    }
    calls?.forEach(visit);
  };
  visit(root);
  return found;
}
