import { ZERO_ADDRESS } from "../address/zero.js";
import { RpcError } from "../rpc/provider.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { nothingOf, readAccount, readCompletionTimes } from "./account.js";
import { AtBlock, type AtBlockOptions, type View } from "./at-block.js";
import {
  balanceAt,
  header,
  readBase,
  readTime,
  requireForkBlock,
} from "./base.js";
import type { ReadContext } from "./context.js";
import {
  type ProposalEnd,
  readLastProposal,
  readProposal,
  readProposalEnds,
  readProposals,
} from "./governance.js";
import { allPages, firstPageOf } from "./pages.js";
import { type NextBlock, readNextBlock } from "./next-block.js";
import { type Kept, questionOf } from "./kept.js";
import type {
  Hex,
  LiveAccount,
  LiveBase,
  LiveProposal,
  LiveSlashing,
} from "./state.js";
import { readListedSupply } from "./bank.js";
import { readSlashing } from "./slashing.js";
import { type NodeTrace, readTraces } from "./traces.js";
import { OtherBlockError, UnreadError } from "./unreadable.js";
import * as values from "./values.js";

/** Entries per page of a list of the REST endpoint. */
const PAGE = 500;
/** Most entries of such a list that are read. */
const MOST_LISTED = 2_000;

/** Options of a {@link LiveReader}. */
export interface LiveReaderOptions extends AtBlockOptions {
  /** Hash of the fork's block, which the node must have too. */
  readonly hash: string;
  /** Bech32 prefix of account addresses. */
  readonly prefix: string;
  /**
   * Requests a path of the REST endpoint at the same block; the answer is
   * `undefined` if that fails.
   */
  readonly rest?: (path: string) => Promise<unknown>;
  /**
   * All accounts with stake, in lower case, if they are known, as in a
   * snapshot; others are taken to have none.
   */
  readonly accounts?: ReadonlySet<string>;
  /** Called when the node has another block at that height. */
  readonly onOtherBlock?: () => Promise<void>;
}

/**
 * Reads a chain's staking, distribution and governance state at the end of one
 * block: from the modules' stores, which are exact, or else from the
 * precompiles' views. Nothing is guessed: what cannot be read is an
 * UnreadError, and a node that does not answer at all another DualstackError.
 */
export class LiveReader {
  readonly #context: ReadContext;
  readonly #kept: Kept;
  readonly #accounts: ReadonlySet<string> | undefined;
  readonly #onOtherBlock: LiveReaderOptions["onOtherBlock"];
  readonly #evm: LiveReaderOptions["evm"];
  /** Compares the chain's block with that of an earlier run, once. */
  #comparing: Promise<void> | undefined;

  constructor(options: LiveReaderOptions) {
    const { hash, prefix, kept, rest, evm, height } = options;
    this.#context = {
      at: new AtBlock(options),
      hash,
      prefix,
      ...(rest === undefined ? {} : { rest: keeping(rest, kept) }),
    };
    this.#kept = kept;
    this.#accounts = options.accounts;
    this.#onOtherBlock = options.onOtherBlock;
    this.#evm = evm;
    if (kept.get(questionOf(header(height))) === undefined) {
      // This run reads and compares it itself.
      this.#comparing = Promise.resolve();
    }
  }

  /** The block number. */
  get height(): bigint {
    return this.#context.at.height;
  }

  /** Reads parameters, validators and pools. @throws UnreadError */
  async base(): Promise<LiveBase> {
    return await this.#saving(readBase(this.#context));
  }

  /**
   * Reads how the next block begins; `undefined` if the stores cannot be read.
   *
   * @param base state of this block
   * @throws UnreadError when the node no longer has that block, or not yet
   */
  async nextBlock(base: LiveBase): Promise<NextBlock | undefined> {
    return await this.#saving(readNextBlock(this.#context, base));
  }

  /**
   * Reads parameters and signing infos of the slashing module.
   *
   * @param base state of the same block
   * @throws UnreadError when they cannot be read
   */
  async slashing(base: LiveBase): Promise<LiveSlashing> {
    return await this.#saving(readSlashing(this.#context, base));
  }

  /**
   * Reads how much there is of the native coin, in base units, for the bank
   * precompile.
   *
   * @throws UnreadError when that cannot be read, and when the bank has other
   * coins
   */
  async bank({ denom }: LiveBase): Promise<bigint> {
    return (
      (await this.#saving(readListedSupply(this.#context))) ??
      (await this.supply(denom))
    );
  }

  /**
   * Reads an account's stake.
   *
   * @param base state of the same block
   * @throws UnreadError when the delegations cannot be read
   */
  async account(address: Hex, base: LiveBase): Promise<LiveAccount> {
    if (this.#accounts?.has(address.toLowerCase()) === false) {
      return nothingOf(address);
    }
    return await this.#saving(readAccount(this.#context, address, base));
  }

  /**
   * Reads when an account's unbonding entries complete, in Unix seconds.
   *
   * @param base state of the same block
   * @throws UnreadError when the node cannot be read
   */
  async completionTimes(
    address: Hex,
    base: LiveBase,
  ): Promise<readonly bigint[]> {
    if (this.#accounts !== undefined) {
      const { unbonding } = await this.account(address, base);
      return [...unbonding.values()].flatMap((entries) =>
        entries.map(({ completionTime }) => completionTime),
      );
    }
    return await this.#saving(
      readCompletionTimes(this.#context, address, base),
    );
  }

  /** Reads when the open proposals end. @throws UnreadError */
  async proposalEnds(): Promise<readonly ProposalEnd[]> {
    return await this.#saving(readProposalEnds(this.#context));
  }

  /** Reads all proposals. @throws UnreadError */
  async proposals(base: LiveBase): Promise<readonly LiveProposal[]> {
    return await this.#saving(readProposals(this.#context, base));
  }

  /**
   * Reads one proposal; `undefined` if there is none with that ID.
   *
   * @throws UnreadError when it cannot be read
   */
  async proposal(
    id: bigint,
    base: LiveBase,
  ): Promise<LiveProposal | undefined> {
    // A snapshot has the whole list, but not each proposal by itself.
    if (this.#accounts !== undefined) {
      return (await this.proposals(base)).find((one) => one.id === id);
    }
    return await this.#saving(readProposal(this.#context, id, base));
  }

  /**
   * Reads the ID of the last proposal; `undefined` if the stores cannot be
   * read.
   *
   * @throws UnreadError when the node RPC does not have it
   */
  async lastProposal(): Promise<bigint | undefined> {
    return await this.#saving(readLastProposal(this.#context));
  }

  /**
   * Lists the delegators with redelegations from a validator.
   *
   * @throws UnreadError
   */
  async redelegatorsFrom(valoper: string): Promise<readonly Hex[]> {
    const { at, prefix } = this.#context;
    const view: View = {
      precompile: "staking",
      method: "redelegations",
      args: [ZERO_ADDRESS, valoper, ""],
    };
    const pages = await allPages(at, view, await at.view(firstPageOf(view)));
    return pages
      .flatMap(({ response }) => values.list(response))
      .map(({ redelegation }) =>
        values.address(values.fields(redelegation).delegatorAddress, prefix),
      );
  }

  /**
   * Lists the delegators with a delegation to, or an unbonding from a
   * validator; of a snapshot, all its accounts.
   *
   * @throws UnreadError when the REST endpoint does not answer
   */
  async delegatorsTo(valoper: string): Promise<readonly Hex[]> {
    const { prefix } = this.#context;
    if (this.#accounts !== undefined) {
      return [...this.#accounts] as readonly Hex[];
    }
    const path = `/cosmos/staking/v1beta1/validators/${valoper}`;
    const [delegations, unbondings] = await Promise.all([
      this.#listed(`${path}/delegations`, "delegation_responses"),
      this.#listed(`${path}/unbonding_delegations`, "unbonding_responses"),
    ]);
    const delegators = [
      ...delegations.map((one) => values.fields(one.delegation)),
      ...unbondings,
    ];
    return delegators.map((one) =>
      values.address(one.delegator_address, prefix),
    );
  }

  /** Reads all pages of a list of the REST endpoint. @throws UnreadError */
  async #listed(path: string, name: string) {
    const { rest } = this.#context;
    const all: ReturnType<typeof values.list>[number][] = [];
    let next = "";
    do {
      const answer = await rest?.(
        `${path}?pagination.limit=${PAGE}${next === "" ? "" : `&pagination.key=${encodeURIComponent(next)}`}`,
      );
      if (!isRecord(answer)) {
        throw new UnreadError(
          `${path} cannot be read at block ${this.height}: the REST endpoint of the forked chain does not answer it`,
          { fix: "Configure the network's REST endpoint (restUrl)." },
        );
      }
      all.push(...values.list(answer[name]));
      const { pagination } = answer;
      const key = isRecord(pagination) ? pagination.next_key : undefined;
      next = typeof key === "string" ? key : "";
    } while (next !== "" && all.length < MOST_LISTED);
    if (next !== "") {
      throw new UnreadError(
        `${path} has more than ${MOST_LISTED} entries at block ${this.height}, which a fork does not read`,
      );
    }
    await this.#kept.save();
    return all;
  }

  /**
   * Reads a value of a module's store by its key in hex; `undefined` if nothing
   * is stored.
   *
   * @throws UnreadError when it cannot be read, also without a node RPC
   */
  async stored(store: string, key: string): Promise<Uint8Array | undefined> {
    const { at } = this.#context;
    if (!at.hasStores) {
      throw new UnreadError(
        `the store ${store} cannot be read at block ${this.height}: the node RPC of the forked chain is not known, or does not answer`,
        { fix: "Configure the network's node RPC (nodeRpcUrl)." },
      );
    }
    const [value] = await this.#saving(at.keys(store, [key]));
    return value;
  }

  /** Reads the supply of a coin, in base units. @throws UnreadError */
  async supply(denom: string): Promise<bigint> {
    const key = `00${Buffer.from(denom).toString("hex")}`;
    const told = await this.stored("bank", key).catch((error: unknown) => {
      if (error instanceof UnreadError) return undefined;
      throw error;
    });
    return told === undefined
      ? values.coin(
          await this.#listed("/cosmos/bank/v1beta1/supply", "supply"),
          denom,
        )
      : values.amount(Buffer.from(told).toString());
  }

  /** Reads balances of accounts, in base units. @throws UnreadError */
  async balances(accounts: readonly string[]): Promise<readonly bigint[]> {
    const { at } = this.#context;
    const requests = accounts.map((account) => balanceAt(account, this.height));
    const found = await this.#saving(at.ask(requests));
    return found.map((balance) => fromQuantity(balance, "a balance"));
  }

  /** Reads the time of a block, in Unix seconds. @throws UnreadError */
  async timeOf(height: bigint): Promise<bigint> {
    return await this.#saving(readTime(this.#context, height));
  }

  /**
   * Whether the precompiles of the chain are themselves emulated, as on the
   * network of `dualstack node`. Costs a request; never throws.
   */
  async isEmulated(): Promise<boolean> {
    const state = { method: "dualstack_state", params: [] };
    return await this.#context.at.ask([state]).then(
      () => true,
      () => false,
    );
  }

  /** Reads the node's own traces of transactions, which are only hints. */
  async traces(hashes: readonly string[]): Promise<readonly NodeTrace[]> {
    return await readTraces(this.#context, hashes);
  }

  /**
   * Makes a user's call on the chain, at this block or an earlier one.
   *
   * @throws RpcError when the chain refuses
   * @throws UnreadError when it cannot be read
   */
  async call(request: unknown, height = this.height): Promise<unknown> {
    return await this.#saving(this.#context.at.call(request, height));
  }

  async #saving<T>(reading: Promise<T>): Promise<T> {
    try {
      const read = await reading.catch(async (error: unknown) => {
        // A refusal is an answer, too.
        if (error instanceof RpcError) await this.#keep();
        throw error;
      });
      await this.#keep();
      return read;
    } catch (error) {
      this.#kept.drop();
      if (error instanceof OtherBlockError) await this.#onOtherBlock?.();
      throw error;
    }
  }

  /** Keeps new answers, unless they are of another chain than those before. */
  async #keep(): Promise<void> {
    if (this.#kept.hasFresh) {
      this.#comparing ??= this.#compare();
      await this.#comparing;
    }
    await this.#kept.save();
  }

  /** @throws OtherBlockError */
  async #compare(): Promise<void> {
    const [now] = await this.#evm.batch([header(this.height)]).catch(() => []);
    if (now?.ok === true && isRecord(now.result)) {
      requireForkBlock(this.#context, now.result);
    } else {
      this.#comparing = undefined;
    }
  }
}

/** Keeps the answers of a REST endpoint. */
const keeping =
  (rest: NonNullable<LiveReaderOptions["rest"]>, kept: Kept) =>
  async (path: string): Promise<unknown> => {
    const known = kept.get(path);
    if (known?.ok === true) return known.result;
    const result = await rest(path);
    if (result !== undefined) kept.set(path, { ok: true, result });
    return result;
  };
