import { isRecord } from "../../../rpc/quantities.js";
import type { Block, DualChain } from "../../chain.js";
import type { TransactionRecord } from "../../history.js";
import { TITLES } from "../texts.js";
import type { Contracts } from "./contracts.js";
import type { Describer } from "./describe.js";
import { clockText, grouped, timeText } from "./display.js";
import type { Names } from "./names.js";
import type {
  BlockRow,
  Field,
  Stack,
  TransactionDetail,
  TransactionRow,
} from "./types.js";

/** How many blocks and transactions the page shows. */
const BLOCKS = 12;
const TRANSACTIONS = 40;
/** Most blocks with transactions that one update reads. */
const MOST_LOOKED_AT = 500;

type Json = Readonly<Record<string, unknown>>;

/** A transaction, as both stacks have it. */
interface Seen {
  readonly record: TransactionRecord;
  /**
   * The transaction as JSON-RPC returns it; `undefined` for a framework
   * transaction.
   */
  readonly evm: Json | undefined;
}

const transactionsIn = ({ evm }: Block): readonly Json[] =>
  Array.isArray(evm["transactions"])
    ? evm["transactions"].filter(isRecord)
    : [];

const attribute = (
  { events }: TransactionRecord,
  name: string,
): string | undefined => {
  for (const { attributes } of events) {
    const found = attributes.find(({ key }) => key === name);
    if (found !== undefined) return found.value;
  }
  return undefined;
};

const succeeded = (record: TransactionRecord) =>
  record.code === 0 && attribute(record, "ethereumTxFailed") === undefined;

/** The newest blocks and transactions; each block is read once. */
export class Activity {
  readonly #chain: DualChain;
  readonly #names: Names;
  readonly #contracts: Contracts;
  readonly #describer: Describer;
  #last: Pick<Block, "height" | "hash"> | undefined;
  #blocks: readonly BlockRow[] = [];
  #transactions: readonly TransactionRow[] = [];

  constructor(
    chain: DualChain,
    names: Names,
    contracts: Contracts,
    describer: Describer,
  ) {
    this.#chain = chain;
    this.#names = names;
    this.#contracts = contracts;
    this.#describer = describer;
  }

  /** Newest first. */
  get blocks(): readonly BlockRow[] {
    return this.#blocks;
  }

  /** Newest first. */
  get transactions(): readonly TransactionRow[] {
    return this.#transactions;
  }

  /** Reads the new blocks. */
  async look(): Promise<void> {
    const { head } = this.#chain;
    if (this.#last !== undefined) {
      const same = await this.#chain.blockAt(this.#last.height);
      // The chain has been reverted to a snapshot.
      if (same?.hash !== this.#last.hash) this.#forget();
    }
    const until = this.#last?.height ?? -1n;
    const isNew = (height: bigint) => height > until && height <= head.height;
    const busy = this.#chain.busyHeights.filter(isNew).slice(-MOST_LOOKED_AT);
    const counts = new Map<bigint, number>();
    for (const height of busy) {
      const block = await this.#chain.blockAt(height);
      if (block === undefined) continue;
      const rows = await this.#rowsOf(block);
      counts.set(height, rows.length);
      this.#transactions = [...rows.reverse(), ...this.#transactions].slice(
        0,
        TRANSACTIONS,
      );
    }
    const oldest = head.height - BigInt(BLOCKS - 1);
    const first = until + 1n > oldest ? until + 1n : oldest;
    for (
      let height = first < 0n ? 0n : first;
      height <= head.height;
      height++
    ) {
      const block = await this.#chain.blockAt(height);
      if (block === undefined) continue;
      const row = blockRow(block, counts.get(height) ?? 0);
      this.#blocks = [row, ...this.#blocks].slice(0, BLOCKS);
    }
    this.#last = { height: head.height, hash: head.hash };
  }

  #forget(): void {
    this.#last = undefined;
    this.#blocks = [];
    this.#transactions = [];
  }

  async #seenIn(block: Block): Promise<readonly Seen[]> {
    const evm = transactionsIn(block);
    const records = await this.#chain.transactionsAt(block.height);
    return records.map((record, i) => ({ record, evm: evm[i] }));
  }

  async #rowsOf(block: Block): Promise<TransactionRow[]> {
    const rows: TransactionRow[] = [];
    for (const seen of await this.#seenIn(block)) {
      if (seen.evm !== undefined) await this.#noteCreation(seen.evm);
      rows.push(await this.#row(seen));
    }
    return rows;
  }

  async #noteCreation({ to, hash, input }: Json): Promise<void> {
    if (typeof to === "string") return;
    const name = await this.#contracts.creationOf(String(input));
    const { contractAddress } = await this.#receipt(hash);
    if (name !== undefined && typeof contractAddress === "string") {
      this.#contracts.created(contractAddress, name);
      this.#names.set(contractAddress, name);
    }
  }

  async #receipt(hash: unknown): Promise<Json> {
    const receipt = await this.#chain.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    });
    return isRecord(receipt) ? receipt : {};
  }

  async #row({ record, evm }: Seen): Promise<TransactionRow> {
    const { title } =
      evm === undefined
        ? { title: this.#describer.titleOf(this.#describer.messages(record)) }
        : await this.#describer.call(evm);
    const from =
      evm === undefined
        ? (attribute(record, "sender") ?? "")
        : String(evm["from"]);
    const stack: Stack = evm === undefined ? "framework" : "evm";
    return {
      hash: record.hash,
      stack,
      title,
      from: this.#names.of(from),
      height: grouped(record.height),
      succeeded: succeeded(record),
    };
  }

  /**
   * Returns the details of a transaction; `undefined` when there is none.
   *
   * @param hash in the framework's form
   */
  async detail(hash: string): Promise<TransactionDetail | undefined> {
    const record = await this.#chain.transaction(hash);
    const block =
      record === undefined
        ? undefined
        : await this.#chain.blockAt(record.height);
    if (record === undefined || block === undefined) return undefined;
    const evm = transactionsIn(block)[record.index];
    const describer = this.#describer;
    const receipt = evm === undefined ? {} : await this.#receipt(evm["hash"]);
    const logs = Array.isArray(receipt["logs"])
      ? receipt["logs"].filter(isRecord)
      : [];
    const fee =
      evm === undefined
        ? attribute(record, "fee")
        : describer.native(
            BigInt(String(receipt["effectiveGasPrice"] ?? 0)) * record.gasUsed,
          );
    const isDone = succeeded(record);
    const facts: Field[] = [
      [TITLES.block, `${grouped(block.height)}, ${timeText(block.time)}`],
      [
        TITLES.gas,
        TITLES.gasOf(grouped(record.gasUsed), grouped(record.gasWanted)),
      ],
      [TITLES.fee, this.#feeText(fee)],
    ];
    return {
      ...(await this.#row({ record, evm })),
      failure: isDone
        ? ""
        : evm === undefined
          ? describer.text(record.log)
          : await describer.revertOf(evm, record.height),
      facts,
      evm:
        evm === undefined
          ? { note: TITLES.notOnEvm, facts: [], acts: [], events: [] }
          : {
              note: "",
              facts: this.#evmFacts(evm, receipt),
              acts: [await describer.call(evm)],
              events: await Promise.all(
                logs.map(async (log) => await describer.log(log)),
              ),
            },
      framework: {
        note: evm === undefined ? "" : TITLES.asMessage,
        facts: [[TITLES.hash, record.hash]],
        acts: describer.messages(record),
        events: describer.events(record),
      },
    };
  }

  // Fees in framework events carry their denomination: 1000anative.
  #feeText(fee = ""): string {
    const { denom } = this.#chain;
    const amount = fee.endsWith(denom) ? fee.slice(0, -denom.length) : "";
    return /^\d+$/.test(amount)
      ? this.#describer.native(BigInt(amount))
      : fee || TITLES.none;
  }

  #evmFacts({ hash, from, to, value, nonce }: Json, receipt: Json): Field[] {
    const amount = BigInt(String(value ?? 0));
    const { contractAddress } = receipt;
    return [
      [TITLES.hash, String(hash)],
      [TITLES.from, this.#describer.text(from)],
      ...(typeof to === "string"
        ? [[TITLES.to, this.#describer.text(to)] as const]
        : []),
      ...(typeof contractAddress === "string"
        ? [[TITLES.contract, contractAddress] as const]
        : []),
      ...(amount > 0n
        ? [[TITLES.value, this.#describer.native(amount)] as const]
        : []),
      [TITLES.nonce, String(BigInt(String(nonce ?? 0)))],
    ];
  }
}

const blockRow = (
  { height, hash, time, gasUsed }: Block,
  transactions: number,
): BlockRow => ({
  height: grouped(height),
  hash,
  time: clockText(time),
  transactions,
  gas: grouped(gasUsed),
});
