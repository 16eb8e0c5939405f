import type { ChainFacts, StableToken } from "../../../chain/facts.js";
import type { Books } from "../../books/books.js";
import type { DualChain } from "../../chain.js";
import { PACE } from "../texts.js";
import { readAccounts } from "./accounts.js";
import { Activity } from "./activity.js";
import { Contracts } from "./contracts.js";
import { Describer } from "./describe.js";
import { grouped, spanText, timeText } from "./display.js";
import { readProposals } from "./governance.js";
import { Names } from "./names.js";
import { type Due, readStakes } from "./staking.js";
import type { DueRow, PageState, TransactionDetail } from "./types.js";

/**
 * Reads the page's state from the same books that REST and gRPC answer from.
 */
export class PageReader {
  readonly #chain: DualChain;
  readonly #stable: StableToken & { readonly address: string };
  readonly #names: Names;
  readonly #activity: Activity;
  #last:
    | { readonly books: Books; readonly state: Promise<PageState> }
    | undefined;

  constructor(
    chain: DualChain,
    { currency }: Pick<ChainFacts, "currency">,
    stable: StableToken & { readonly address: string },
  ) {
    this.#chain = chain;
    this.#stable = stable;
    this.#names = new Names(chain, stable);
    const contracts = new Contracts(chain, stable);
    this.#activity = new Activity(
      chain,
      this.#names,
      contracts,
      new Describer(chain, this.#names, contracts, currency.symbol),
    );
  }

  /**
   * Returns the state at the newest block; concurrent requests share one
   * reading.
   */
  async state(): Promise<PageState> {
    const books = this.#chain.booksAt(0n);
    if (this.#last?.books !== books) {
      // Readings run one after another: each reads the new blocks.
      const before = this.#last?.state.catch(() => undefined);
      const state = Promise.resolve(before).then(
        async () => await this.#read(books),
      );
      this.#last = { books, state };
    }
    const { state } = this.#last;
    try {
      // Pausing takes effect without a block.
      return {
        ...(await state),
        chain: { ...(await state).chain, paused: this.#chain.paused },
      };
    } catch (error) {
      if (this.#last?.state === state) this.#last = undefined;
      throw error;
    }
  }

  /**
   * Returns the details of a transaction; `undefined` when there is none.
   *
   * @param hash in the framework's form
   */
  async transaction(hash: string): Promise<TransactionDetail | undefined> {
    return await this.#activity.detail(hash);
  }

  async #read(books: Books): Promise<PageState> {
    const { head } = this.#chain;
    const now = head.time;
    const { validators, stakes, due } = await readStakes(
      this.#chain,
      books,
      this.#names,
    );
    const [governance, { accounts, more }, waiting] = await Promise.all([
      readProposals(books, this.#names, now),
      readAccounts(this.#chain, books, this.#names, this.#stable),
      this.#waiting(),
      this.#activity.look(),
    ]);
    const line = timeLine([...due, ...governance.due], now);
    const { blockTimeMs, paused } = this.#chain;
    const [next] = line;
    return {
      chain: {
        height: grouped(head.height),
        time: timeText(now),
        waiting: grouped(waiting),
        paused,
        pace:
          blockTimeMs === 0 ? PACE.automine : PACE.every(blockTimeMs / 1_000),
        next: next === undefined ? "" : next.left,
      },
      blocks: this.#activity.blocks,
      transactions: this.#activity.transactions,
      validators,
      stakes,
      due: line,
      proposals: governance.proposals,
      accounts,
      moreAccounts: more,
    };
  }

  async #waiting(): Promise<number> {
    const pending = await this.#chain.request({
      method: "eth_pendingTransactions",
    });
    return (
      this.#chain.pool.waiting.length +
      (Array.isArray(pending) ? pending.length : 0)
    );
  }
}

/** Places what is due on the time line, earliest first. */
function timeLine(due: readonly Due[], now: bigint): readonly DueRow[] {
  const ahead = due
    .filter(({ until }) => until > now)
    .sort((a, b) => Number(a.until - b.until));
  const first = ahead.reduce((min, { from }) => (from < min ? from : min), now);
  const last = ahead.at(-1)?.until ?? now;
  const place = (time: bigint) =>
    last === first ? 0 : Number(((time - first) * 1_000n) / (last - first));
  return ahead.map(({ id, kind, what, amount, from, until }) => ({
    id,
    kind,
    what,
    amount,
    at: timeText(until),
    left: spanText(until - now),
    begins: place(from),
    ends: place(until),
    now: place(now),
  }));
}
