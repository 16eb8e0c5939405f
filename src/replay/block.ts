import { ZERO_ADDRESS } from "../address/zero.js";
import type { SimulatedNetwork } from "../local-node/chain.js";
import { withoutBlockHashes } from "../localnet/foresight/code.js";
import type { CallRequest } from "../localnet/request/calls.js";
import type { MinedFrames, Watched } from "../localnet/block-end/settling.js";
import type { Frame } from "../localnet/foresight/trace.js";
import { toQuantity } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import { cleanText, errorText } from "../support/text.js";
import {
  type LiveBlock,
  type LiveOutcome,
  outcomeOf,
  type TransactionFields,
} from "./live.js";
import { signedOf } from "./raw.js";

/** PREVRANDAO of every block: the chain has no randomness. */
const PREVRANDAO = `0x${"f".repeat(64)}`;

/**
 * Factor on a transaction's gas limit where that is too low for the emulated
 * precompiles.
 */
const MORE_GAS = 8n;
/** Divisor of the block gas limit, which bounds the raised limit. */
const SHARE_OF_BLOCK = 3n;
const MORE_GAS_NOTE =
  "it ran with more gas than its limit, which is too little for the emulated precompiles";

/** What a transaction without code or data uses, as a quantity. */
const LEAST_GAS = "0x5208";

/** The outcome of a transaction on the fork. */
export interface Ran extends Omit<LiveOutcome, "executed"> {
  readonly hash: string;
  /** Its outermost frame; the calls include the emulation's own. */
  readonly root: Frame;
  /** Known differences from the chain, as sentences. */
  readonly late: readonly string[];
  /**
   * How many transactions of its sender came before it in the block that are in
   * no block of the EVM.
   */
  readonly skipped: number;
}

const foreseeable = ({ hash, from, to, input }: TransactionFields) => ({
  hash: String(hash),
  from: String(from),
  ...(typeof to === "string" ? { to } : {}),
  input: String(input),
});

/** Opens a simulated network that forks the live one at a block number. */
export type ForkAt = (height: bigint) => Promise<SimulatedNetwork>;

/**
 * A block of the live network that is mined again on a fork of the block
 * before, with its number, time, base fee, coinbase, gas limit and begin. Each
 * run mines as many of its transactions as are wanted, in order, after undoing
 * the run before.
 */
export class ReplayedBlock {
  readonly #block: LiveBlock;
  readonly #network: SimulatedNetwork;
  readonly #signed: readonly string[];
  /** Indexes of transactions that need more gas here than on the chain. */
  readonly #short = new Set<number>();
  /** For each transaction, the nonces that its sender skipped right before it. */
  readonly #gaps: readonly (readonly bigint[])[];
  /** Codes in which BLOCKHASH returns 0 as on the chain, by account. */
  readonly #codes = new Map<string, string>();
  #start: unknown;

  private constructor(
    block: LiveBlock,
    network: SimulatedNetwork,
    signed: readonly string[],
    gaps: readonly (readonly bigint[])[],
  ) {
    this.#block = block;
    this.#network = network;
    this.#signed = signed;
    this.#gaps = gaps;
  }

  /**
   * Forks the block before and prepares the block.
   *
   * @param last index of the last transaction that will be wanted; default: the
   * block's last
   * @param begins whether the block's own begin comes first: inflation, fees
   * and slashes
   * @throws DualstackError when the state before the block cannot be read
   */
  static async open(
    block: LiveBlock,
    forkAt: ForkAt,
    { last = block.transactions.length - 1, begins = true } = {},
  ): Promise<ReplayedBlock> {
    const signed = await Promise.all(
      block.transactions.slice(0, last + 1).map(signedOf),
    );
    const gaps = await gapsIn(block.transactions, signed);
    const network = await forkAt(block.number - 1n);
    try {
      const { engine } = network;
      if (begins) engine.beginNextBlock();
      engine.foresee(
        block.transactions.slice(0, last + 1).map(foreseeable),
        block.timestamp,
      );
      await engine.install();
      const replayed = new ReplayedBlock(block, network, signed, gaps);
      await replayed.#fillNonces();
      replayed.#start = await replayed.ask("evm_snapshot");
      return replayed;
    } catch (error) {
      await network.close();
      throw error;
    }
  }

  /**
   * Whether the block's begin was read from the chain's stores; otherwise
   * rewards accrued by time.
   */
  get beganExactly(): boolean {
    return this.#network.engine.begin !== undefined;
  }

  /** Makes a JSON-RPC request at the state after the last run. */
  async ask(method: string, ...params: unknown[]): Promise<unknown> {
    return await this.#network.provider.request({ method, params });
  }

  /**
   * Mines the block's first `count` transactions.
   *
   * @throws DualstackError when one of them cannot be run
   */
  async run(count: number): Promise<readonly Ran[]> {
    for (;;) {
      await this.#undo();
      let mined: Watched;
      try {
        mined = await this.#network.engine.mineSigned(
          await this.#transactions(count),
        );
      } catch (error) {
        if (DualstackError.is(error)) throw error;
        throw new DualstackError(
          `block ${this.#block.number} cannot be run again: ${cleanText(errorText(error), 300)}`,
          { cause: error },
        );
      }
      const gaps = this.#gaps.slice(0, count);
      const expected = gaps.flatMap((gap) => [...gap.map(() => false), true]);
      const runs = mined.runs.filter((_, index) => expected[index]);
      if (mined.runs.length !== expected.length) {
        throw new DualstackError(
          `only ${runs.length} of the ${count} transactions of block ${this.#block.number} could be run again: what came between them is in no block, or one of them used more than one nonce`,
        );
      }
      if (await this.#hideHashes(runs.map(({ root }) => root))) continue;
      const late = mined.late.map(({ reason }) => reason);
      const ran = await this.#ran(runs, late);
      if (!this.#noteShort(ran)) return ran;
    }
  }

  /**
   * Mines an unsigned call as the block's only transaction. Its sender pays no
   * fee.
   *
   * @throws DualstackError when it cannot be run
   */
  async runCall(call: CallRequest): Promise<Ran> {
    await this.#undo();
    const { from = ZERO_ADDRESS } = call;
    await this.ask("hardhat_impersonateAccount", from);
    await this.ask("eth_sendTransaction", {
      gas: toQuantity(this.#block.gasLimit),
      ...call,
      from,
      gasPrice: "0x0",
    });
    await this.ask("evm_mine");
    const [ran] = await this.#ran(
      await this.#network.engine.runsIn(this.#block.number),
      [],
    );
    if (ran === undefined) throw new DualstackError("the call was not run");
    return ran;
  }

  async close(): Promise<void> {
    await this.#network.close();
  }

  /**
   * Notes transactions that failed here but not on the chain, possibly because
   * the emulated precompiles cost more gas.
   *
   * @returns whether any of them has not run with more gas yet
   */
  #noteShort(ran: readonly Ran[]): boolean {
    const { statuses = [] } = this.#block;
    const before = this.#short.size;
    ran.forEach(({ success }, index) => {
      if (!success && statuses[index] === true) this.#short.add(index);
    });
    return this.#short.size > before;
  }

  /** Returns what is sent for the block's first `count` transactions. */
  async #transactions(
    count: number,
  ): Promise<(string | Readonly<Record<string, unknown>>)[]> {
    const sent: (string | Readonly<Record<string, unknown>>)[] = [];
    for (const [index, signed] of this.#signed.slice(0, count).entries()) {
      sent.push(...(await this.#fillers(index)));
      sent.push(
        this.#short.has(index) ? await this.#withMoreGas(index) : signed,
      );
    }
    return sent;
  }

  /**
   * Returns transactions that do nothing but use the nonces that a sender
   * skipped: those of the framework's side, and what that undid. Their fee is
   * given to the sender, since what the chain charged is unknown.
   */
  async #fillers(index: number): Promise<Readonly<Record<string, unknown>>[]> {
    const gap = this.#gaps[index] ?? [];
    if (gap.length === 0) return [];
    const { from } = this.#block.transactions[index] ?? {};
    const gasPrice = this.#block.baseFee;
    const fees = BigInt(gap.length) * BigInt(LEAST_GAS) * gasPrice;
    const held = await this.ask("eth_getBalance", from, "latest");
    await this.ask("hardhat_impersonateAccount", from);
    await this.ask(
      "hardhat_setBalance",
      from,
      toQuantity(BigInt(String(held)) + fees),
    );
    return gap.map((nonce) => ({
      from,
      to: ZERO_ADDRESS,
      nonce: toQuantity(nonce),
      gas: LEAST_GAS,
      gasPrice: toQuantity(gasPrice),
    }));
  }

  async #withMoreGas(
    index: number,
  ): Promise<Readonly<Record<string, unknown>>> {
    const fields = this.#block.transactions[index] ?? {};
    const { from, to, input, value, nonce, gas, gasPrice } = fields;
    await this.ask("hardhat_impersonateAccount", from);
    const most = this.#block.gasLimit / SHARE_OF_BLOCK;
    const more = BigInt(String(gas)) * MORE_GAS;
    return {
      from,
      ...(typeof to === "string" ? { to } : {}),
      data: input,
      value,
      nonce,
      gasPrice,
      gas: toQuantity(more < most ? more : most),
    };
  }

  async #ran(
    runs: readonly MinedFrames[],
    late: readonly string[],
  ): Promise<Ran[]> {
    return await Promise.all(
      runs.map(async ({ hash, root }, index): Promise<Ran> => {
        const receipt = await this.ask("eth_getTransactionReceipt", hash);
        const isShort = this.#short.has(index);
        return {
          hash: isShort
            ? String(this.#block.transactions[index]?.hash).toLowerCase()
            : hash,
          root,
          late: isShort ? [...late, MORE_GAS_NOTE] : late,
          skipped: this.#skippedBefore(index),
          ...outcomeOf(receipt as Record<string, unknown>),
        };
      }),
    );
  }

  /** Counts the nonces that a transaction's sender skipped in the block. */
  #skippedBefore(last: number): number {
    const { transactions } = this.#block;
    const sender = senderOf(transactions[last]);
    return this.#gaps
      .slice(0, last + 1)
      .filter((_, index) => senderOf(transactions[index]) === sender)
      .flat().length;
  }

  async #undo(): Promise<void> {
    const { timestamp, baseFee, coinbase, gasLimit } = this.#block;
    await this.ask("evm_revert", this.#start);
    this.#start = await this.ask("evm_snapshot");
    for (const [account, code] of this.#codes) {
      await this.ask("hardhat_setCode", account, code);
    }
    await this.ask("evm_setNextBlockTimestamp", toQuantity(timestamp));
    await this.ask("hardhat_setNextBlockBaseFeePerGas", toQuantity(baseFee));
    await this.ask("hardhat_setCoinbase", coinbase);
    await this.ask("hardhat_setPrevRandao", PREVRANDAO);
    await this.ask("evm_setBlockGasLimit", toQuantity(gasLimit));
  }

  /**
   * Raises nonces to those of the block's transactions: a transaction that the
   * framework undid spent its nonce, too, but is in no block.
   */
  async #fillNonces(): Promise<void> {
    const seen = new Set<string>();
    for (const { from, nonce } of this.#block.transactions) {
      const sender = String(from).toLowerCase();
      if (seen.has(sender)) continue;
      seen.add(sender);
      const there = await this.ask("eth_getTransactionCount", sender, "latest");
      if (BigInt(String(there)) < BigInt(String(nonce))) {
        await this.ask("hardhat_setNonce", sender, nonce);
      }
    }
  }

  /**
   * Prepares codes that use BLOCKHASH, which returns 0 on the chain, but the
   * hash on a fork.
   *
   * @returns whether a code was found that is not prepared yet
   */
  async #hideHashes(roots: readonly Frame[]): Promise<boolean> {
    const called = new Set<string>();
    const visit = ({ to, calls }: Frame) => {
      if (to !== undefined) called.add(to);
      calls?.forEach(visit);
    };
    roots.forEach(visit);
    let found = false;
    const before = toQuantity(this.#block.number - 1n);
    for (const account of called) {
      if (this.#codes.has(account)) continue;
      const code = String(await this.ask("eth_getCode", account, before));
      const blind = withoutBlockHashes(code);
      if (blind === undefined) continue;
      this.#codes.set(account, blind);
      found = true;
    }
    return found;
  }
}

const senderOf = (fields: TransactionFields | undefined): string =>
  String(fields?.from).toLowerCase();

/**
 * Returns for each transaction of a block the nonces between its own and the
 * next one of its sender's transaction before it.
 */
async function gapsIn(
  transactions: readonly TransactionFields[],
  signed: readonly string[],
): Promise<bigint[][]> {
  const { Transaction, verifyAuthorization } = await import("ethers");
  const next = new Map<string, bigint>();
  return signed.map((raw, index) => {
    const fields = transactions[index];
    const sender = senderOf(fields);
    const nonce = BigInt(String(fields?.nonce));
    const gap: bigint[] = [];
    for (let one = next.get(sender) ?? nonce; one < nonce; one++) gap.push(one);
    // An authorization of the sender itself uses a nonce, too (EIP-7702).
    const { authorizationList } = Transaction.from(raw);
    const own = (authorizationList ?? []).filter(
      (one) => verifyAuthorization(one, one.signature).toLowerCase() === sender,
    );
    next.set(sender, nonce + 1n + BigInt(own.length));
    return gap;
  });
}
