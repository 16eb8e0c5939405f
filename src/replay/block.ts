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

/** The chain has no randomness of its own: PREVRANDAO is this in every block. */
const PREVRANDAO = `0x${"f".repeat(64)}`;

/** Where its own limit is too little for the emulated precompiles, a transaction gets so many times as much. */
const MORE_GAS = 8n;
/** And at most this part of the block's. */
const SHARE_OF_BLOCK = 3n;
const MORE_GAS_NOTE =
  "it ran with more gas than its limit, which is too little for the emulated precompiles";

const ZERO = `0x${"0".repeat(40)}`;

/** What came of a transaction here. */
export interface Ran extends Omit<LiveOutcome, "executed"> {
  readonly hash: string;
  /** All that it called, the emulation's own calls included. */
  readonly root: Frame;
  /** What could not be as on the chain. */
  readonly late: readonly string[];
}

const foreseeable = ({ hash, from, to, input }: TransactionFields) => ({
  hash: String(hash),
  from: String(from),
  ...(typeof to === "string" ? { to } : {}),
  input: String(input),
});

/** A simulated network that forks the live one at a height; see each major. */
export type ForkAt = (height: bigint) => Promise<SimulatedNetwork>;

/**
 * A block of the live network that is mined again on a fork of the one before:
 * with its number, time, base fee, coinbase and gas limit, after its own begin,
 * its transactions in their order. As many of them at a time as are wanted:
 * what was mined before is undone.
 */
export class ReplayedBlock {
  readonly #block: LiveBlock;
  readonly #network: SimulatedNetwork;
  readonly #signed: readonly string[];
  /** Transactions that need more gas here than they were given on the chain, by their places. */
  readonly #short = new Set<number>();
  /** Codes that find no hashes of blocks, by their accounts. */
  readonly #codes = new Map<string, string>();
  #start: unknown;

  private constructor(
    block: LiveBlock,
    network: SimulatedNetwork,
    signed: readonly string[],
  ) {
    this.#block = block;
    this.#network = network;
    this.#signed = signed;
  }

  /**
   * @param last the last transaction that will be wanted, from 0; default: the block's last
   * @param begins whether the block's own begin comes first: inflation, fees and slashes
   * @throws DualstackError where the state before the block cannot be read
   */
  static async open(
    block: LiveBlock,
    forkAt: ForkAt,
    { last = block.transactions.length - 1, begins = true } = {},
  ): Promise<ReplayedBlock> {
    const signed = await Promise.all(
      block.transactions.slice(0, last + 1).map(signedOf),
    );
    const network = await forkAt(block.number - 1n);
    try {
      const { engine } = network;
      if (begins) engine.beginNextBlock();
      engine.foresee(
        block.transactions.slice(0, last + 1).map(foreseeable),
        block.timestamp,
      );
      await engine.install();
      const replayed = new ReplayedBlock(block, network, signed);
      await replayed.#fillNonces();
      replayed.#start = await replayed.ask("evm_snapshot");
      return replayed;
    } catch (error) {
      await network.close();
      throw error;
    }
  }

  /** Whether stores told how the block began; else rewards came by time. */
  get beganExactly(): boolean {
    return this.#network.engine.begin !== undefined;
  }

  /** Asks the network, as it is after the transactions that were run last. */
  async ask(method: string, ...params: unknown[]): Promise<unknown> {
    return await this.#network.provider.request({ method, params });
  }

  /**
   * Mines the block's first transactions.
   *
   * @throws DualstackError where one of them cannot be run
   */
  async run(count: number): Promise<readonly Ran[]> {
    for (;;) {
      await this.#undo();
      let mined: Watched;
      try {
        const sent = await Promise.all(
          this.#signed
            .slice(0, count)
            .map(async (one, index) =>
              this.#short.has(index) ? await this.#withMoreGas(index) : one,
            ),
        );
        mined = await this.#network.engine.mineSigned(sent);
      } catch (error) {
        if (DualstackError.is(error)) throw error;
        throw new DualstackError(
          `block ${this.#block.number} cannot be run again: ${cleanText(errorText(error), 300)}`,
          { cause: error },
        );
      }
      const { runs } = mined;
      if (runs.length !== count) {
        throw new DualstackError(
          `of ${count} transactions of block ${this.#block.number}, ${runs.length} could be run again: transactions that are in no block came between them`,
        );
      }
      if (await this.#hideHashes(runs.map(({ root }) => root))) continue;
      const late = mined.late.map(({ reason }) => reason);
      const ran = await this.#ran(runs, late);
      if (!this.#noteShort(ran)) return ran;
    }
  }

  /**
   * Mines a call that nobody signed as the block's only transaction. Its
   * sender pays no fee.
   *
   * @throws DualstackError where it cannot be run
   */
  async runCall(call: CallRequest): Promise<Ran> {
    await this.#undo();
    const { from = ZERO } = call;
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

  /** Emulated precompiles cost more gas. @returns whether a transaction failed that did not on the chain, and has not got more yet */
  #noteShort(ran: readonly Ran[]): boolean {
    const { statuses = [] } = this.#block;
    const before = this.#short.size;
    ran.forEach(({ success }, index) => {
      if (!success && statuses[index] === true) this.#short.add(index);
    });
    return this.#short.size > before;
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
          ...outcomeOf(receipt as Record<string, unknown>),
        };
      }),
    );
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

  /** A transaction that is in no block spent its nonce, too. */
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

  /** On the chain BLOCKHASH is 0, on a fork it is the block's. @returns whether codes ask for it that were not known to */
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
