// Keeps track of which state of the chain is in the books, and reads what is
// missing.

import { parseAddress } from "../../address/codec.js";
import type { LiveReader } from "../../live-state/reader.js";
import type {
  Hex,
  LiveAccount,
  LiveBase,
  LiveSlashing,
} from "../../live-state/state.js";
import { UnreadError } from "../../live-state/unreadable.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { once } from "../../support/once.js";
import type { Emulator } from "../modules/emulator.js";
import { installCodes } from "../modules/genesis.js";
import type { LocalNode } from "../node/node.js";
import type { LocalnetSettings } from "../settings/settings.js";
import { begun, type BlockBegin, fundsAfter } from "./begin.js";
import { Importer } from "./importer.js";
import {
  accountImport,
  baseImport,
  type Instead,
  slashingImport,
  supplyImport,
} from "./imports.js";
import {
  LiveProposals,
  type LoadedProposals,
  NO_PROPOSALS,
  requireProposalsAt,
} from "./live-proposals.js";
import { ForeseenBlock, type Prefetch } from "./foreseen-block.js";
import { LiveAccounts } from "./live-accounts.js";
import { type Meetings, noMeetings, type OptionalModule } from "./meetings.js";
import { findUnbondingTime } from "./unbonding-time.js";

/** How a fork's emulation reaches its chain. */
export interface LiveOptions {
  readonly reader: LiveReader;
  /** Which settings the user configured, for parameters that cannot be read. */
  readonly given: Instead["given"];
  /** Called with messages for the user. */
  readonly onNotice?: (text: string) => void;
  /**
   * Reads accounts and storage slots, by address in lower case, before the
   * simulator asks for them one by one.
   */
  readonly prefetch?: Prefetch;
}

/**
 * Which of the chain's state is in the books, and since which block of the
 * fork.
 */
interface Loaded {
  readonly accounts: ReadonlyMap<string, bigint>;
  readonly proposals: LoadedProposals;
  readonly installed: bigint | undefined;
  readonly knowsUnbondingTime: boolean;
}

const NOTHING: Loaded = {
  accounts: new Map(),
  proposals: NO_PROPOSALS,
  installed: undefined,
  knowsUnbondingTime: false,
};

/**
 * The books of a fork: the chain's state at the fork's block, read and imported
 * when a request meets it. After that only the emulation changes it.
 */
export class LiveBooks {
  /** What is known of the fork's first block before it is mined. */
  readonly foreseen: ForeseenBlock;
  readonly #node: LocalNode;
  readonly #reader: LiveReader;
  readonly #settings: LocalnetSettings;
  readonly #given: LiveOptions["given"];
  readonly #own: ReadonlySet<string>;
  #importer: Importer | undefined;
  /** Reads the state that concerns all accounts, once. */
  readonly #base: () => Promise<LiveBase>;
  readonly #accounts: LiveAccounts;
  #loaded = NOTHING;
  readonly #proposals: LiveProposals;
  readonly #prefetch: Prefetch | undefined;
  /** Why the state of modules that not every chain has could not be read. */
  readonly #unread = new Map<OptionalModule, UnreadError>();
  #beginsNext = false;
  #begin: BlockBegin | undefined;

  /** @param own accounts of the emulation, in lower case */
  constructor(
    node: LocalNode,
    settings: LocalnetSettings,
    { reader, given, onNotice = () => undefined, prefetch }: LiveOptions,
    own: ReadonlySet<string>,
  ) {
    this.#node = node;
    this.#settings = settings;
    this.#reader = reader;
    this.#given = given;
    this.#own = own;
    this.#prefetch = prefetch;
    this.foreseen = new ForeseenBlock(reader, prefetch);
    this.#base = once(async () => await reader.base());
    this.#accounts = new LiveAccounts(node, reader);
    this.#proposals = new LiveProposals(
      reader,
      onNotice,
      async ({ to, data }) =>
        await this.foreseen.firstAnswer(to, data.slice(0, 10)),
    );
  }

  /** The fork's block number. */
  get height(): bigint {
    return this.#reader.height;
  }

  /** Makes a call on the chain, at the fork's block or an earlier one. */
  async ask(request: unknown, height: bigint): Promise<unknown> {
    return await this.#reader.call(request, height);
  }

  /**
   * Continues the fork with the begin of the chain's own next block. Must be
   * called before {@link install}.
   */
  beginNextBlock(): void {
    this.#beginsNext = true;
  }

  /** The begin of the fork's first block, where that is the chain's own. */
  get begin(): BlockBegin | undefined {
    return this.#begin;
  }

  /** Returns the denomination of the chain's tokens. */
  async denom(): Promise<string> {
    return (await this.#base()).denom;
  }

  /**
   * Installs the modules with the state that concerns all accounts.
   *
   * @param given what tests added to the supply since the fork, in base units
   * @returns the time of the fork's block, in Unix seconds
   * @throws UnreadError when that state cannot be read; nothing is installed
   * then
   */
  async install(emulator: Emulator, given: bigint): Promise<bigint> {
    // Reads before it writes, so that a failure leaves nothing behind.
    const [read] = await Promise.all([
      this.#base(),
      // Unreadable proposals matter only to a request that meets one.
      this.#proposals.ends().catch(() => undefined),
    ]);
    const [before, optional] = await Promise.all([
      this.#node.balance(MODULE_ACCOUNTS.distribution, toQuantity(this.height)),
      this.#optional(read),
    ]);
    this.#begin = this.#beginsNext
      ? await this.#reader.nextBlock(read)
      : undefined;
    const [base, funds] =
      this.#begin === undefined
        ? [read, before]
        : [begun(read, this.#begin), fundsAfter(before, this.#begin)];
    const calls = await this.#baseCalls(base, funds);
    const { slashing, supply } = optional;
    if (slashing !== undefined) calls.push(slashingImport(slashing, base));
    if (supply !== undefined) {
      const minted = this.#begin?.minted ?? 0n;
      calls.push(supplyImport(supply + minted + given));
    }
    this.#importer = new Importer(
      this.#node,
      emulator,
      this.#settings.addresses,
      (created) => this.#readAhead(created),
    );
    const { number } = await this.#node.head();
    await installCodes(this.#node, emulator);
    if (funds !== before) {
      await this.#node.setBalance(MODULE_ACCOUNTS.distribution, funds);
      await this.#node.setBalance(MODULE_ACCOUNTS.feeCollector, 0n);
    }
    await this.#importer.run(calls);
    this.#loaded = {
      ...NOTHING,
      installed: number,
      knowsUnbondingTime:
        base.staking.unbondingTime !== undefined || this.#given.unbondingTime,
    };
    return base.time;
  }

  /** @throws UnreadError when the rewards do not match the funds */
  async #baseCalls(base: LiveBase, funds: bigint) {
    try {
      return baseImport(base, funds, this.#instead);
    } catch (error) {
      // An emulation pays rewards to the module's account only when they are
      // settled, so the account never has what the views say.
      if (!(await this.#reader.isEmulated())) throw error;
      throw new UnreadError(
        "the precompiles of the forked chain are emulated: a local network cannot be forked, traced or written to a snapshot",
        {
          fix: 'Use one of the chain\'s own networks; on a local one, "dualstack local snapshot" keeps the state.',
          cause: error,
        },
      );
    }
  }

  /**
   * Imports what a request meets and the books lack.
   *
   * @returns whether anything was imported; the request must be traced again
   * then
   * @throws UnreadError when something cannot be read, which is then not
   * imported
   */
  async load(met: Meetings): Promise<boolean> {
    const base = await this.#base();
    const { number } = await this.#node.head();
    const proposals = this.#proposals.lacks(met, this.#loaded.proposals)
      ? await this.#proposals.load(met, base, this.#loaded.proposals, number)
      : undefined;
    const wanted = new Set([...met.accounts, ...met.moving]);
    for (const voter of proposals?.voters ?? []) {
      wanted.add(voter.toLowerCase());
    }
    for (const { account } of met.unbonding.values()) wanted.add(account);
    for (const text of met.operators) {
      const operator = this.#operator(text);
      if (operator !== undefined) wanted.add(operator.toLowerCase());
    }
    for (const text of met.leaving) {
      const operator = this.#operator(text);
      if (operator === undefined) continue;
      const { valoper } = parseAddress(operator, this.#settings);
      for (const account of await this.#reader.redelegatorsFrom(valoper)) {
        wanted.add(account.toLowerCase());
      }
    }
    const accounts = await this.#missing(wanted, base);
    await this.#requireRead(met, base);
    await this.#learnUnbondingTime(met, base);
    if (accounts.length === 0 && proposals === undefined) return false;
    // What becomes due pays them.
    this.#readAhead([
      ...accounts.flatMap((one) => [one.address, one.withdrawAddress]),
      ...(proposals?.depositors ?? []),
    ]);
    await this.#write([
      ...(proposals?.calls ?? []),
      ...accounts.flatMap((account) => accountImport(account, base)),
    ]);
    this.#loaded = {
      ...this.#loaded,
      proposals: proposals?.loaded ?? this.#loaded.proposals,
      accounts: new Map([
        ...this.#loaded.accounts,
        ...accounts.map(
          ({ address }) => [address.toLowerCase(), number] as const,
        ),
      ]),
    };
    return true;
  }

  /** Returns whether the books lack something that was met. */
  lacks(met: Meetings): boolean {
    const { accounts, knowsUnbondingTime } = this.#loaded;
    return (
      this.#proposals.lacks(met, this.#loaded.proposals) ||
      (met.unbonds !== undefined && !knowsUnbondingTime) ||
      [...met.optional].some((module) => this.#unread.has(module)) ||
      [...met.accounts].some(
        (account) => !this.#own.has(account) && !accounts.has(account),
      )
    );
  }

  /**
   * Refuses to slash for an infraction before the fork: of the chain's
   * unbonding entries, only those that were met are known.
   *
   * @throws DualstackError when the infraction's height is the fork's or lower
   */
  requireNoneBefore(infraction: bigint): void {
    if (infraction > this.height) return;
    throw new DualstackError(
      `what was unbonding on the chain at block ${infraction} cannot be slashed on a fork of block ${this.height}: nobody tells whose it is`,
      { fix: "Slash for a height of the fork, or leave infractionHeight out." },
    );
  }

  /**
   * Checks that the books at a past block of the fork have what a request
   * meets.
   *
   * @throws DualstackError when it was imported after that block
   */
  requireAt(met: Meetings, block: bigint): void {
    const { accounts, installed } = this.#loaded;
    const late = (since: bigint | undefined, what: string) => {
      if (since !== undefined && since <= block) return;
      throw new DualstackError(
        `what the chain has of ${what} was not read at block ${block} of the fork`,
        {
          fix: "Ask at the newest block, or call it once before the fork's first block.",
        },
      );
    };
    late(installed, "its validators");
    if (met.governance) requireProposalsAt(this.#loaded.proposals, block);
    for (const account of met.accounts) {
      if (!this.#own.has(account)) late(accounts.get(account), account);
    }
  }

  /**
   * Returns whether an unbonding of an account that is not in the books has
   * completed by a time.
   *
   * @param account in lower case
   * @param time in Unix seconds
   */
  async pays(account: string, time: bigint): Promise<boolean> {
    if (this.#own.has(account) || this.#loaded.accounts.has(account))
      return false;
    if (!/^0x[0-9a-f]{40}$/.test(account)) return false;
    const ends = await this.#accounts.completionTimes(account, this.#base);
    return ends.some((end) => end <= time);
  }

  /**
   * Returns when a proposal of the chain ends next that is not fully in the
   * books, in Unix seconds.
   */
  next(): bigint | undefined {
    return this.#proposals.next(this.#loaded.proposals);
  }

  /** Returns what the ends of proposals until a time need of the books. */
  comeTo(time: bigint): Meetings {
    return {
      ...noMeetings(),
      governance: true,
      counted: new Set(this.#proposals.endingUntil(time)),
    };
  }

  save(): Loaded {
    return this.#loaded;
  }

  restore(loaded: Loaded | undefined): void {
    this.#loaded = loaded ?? NOTHING;
  }

  get #instead(): Instead {
    const { rewardRate, ...given } = this.#given;
    return {
      settings: this.#settings,
      given: {
        ...given,
        // A block that begins as on the chain has its rewards already.
        rewardRate: rewardRate && this.#begin === undefined,
      },
    };
  }

  /**
   * Reads what the modules have that not every chain has, where they are
   * emulated. What cannot be read matters only to a request that meets it.
   */
  async #optional(base: LiveBase): Promise<{
    readonly slashing: LiveSlashing | undefined;
    readonly supply: bigint | undefined;
  }> {
    this.#unread.clear();
    const read = async <T>(
      module: OptionalModule,
      reading: () => Promise<T>,
    ) => {
      if (!this.#settings.active.includes(module)) return undefined;
      try {
        return await reading();
      } catch (error) {
        if (!(error instanceof UnreadError)) throw error;
        this.#unread.set(module, error);
        return undefined;
      }
    };
    // One after the other: what fails takes unsaved answers with it.
    const slashing = await read(
      "slashing",
      async () => await this.#reader.slashing(base),
    );
    const supply = await read(
      "bank",
      async () => await this.#reader.bank(base),
    );
    return { slashing, supply };
  }

  /** Reads those of the accounts that are not in the books yet. */
  async #missing(
    wanted: ReadonlySet<string>,
    base: LiveBase,
  ): Promise<LiveAccount[]> {
    const missing = [...wanted].filter(
      (account) =>
        !this.#own.has(account) && !this.#loaded.accounts.has(account),
    );
    return await Promise.all(
      missing.map(async (account) => await this.#accounts.read(account, base)),
    );
  }

  /**
   * Throws the errors that were tolerated when accounts were read, where a
   * request needs what is missing.
   */
  async #requireRead(met: Meetings, base: LiveBase): Promise<void> {
    for (const module of met.optional) {
      const error = this.#unread.get(module);
      if (error !== undefined) throw error;
    }
    for (const { account, operator } of met.unbonding.values()) {
      await this.#accounts.require(account, this.#operator(operator));
    }
    for (const account of met.moving)
      await this.#accounts.require(account, "redelegations");
    for (const text of met.edited) {
      const operator = this.#operator(text);
      const validator = base.validators.find(
        (one) => one.operator === operator,
      );
      if (validator !== undefined && validator.limits === undefined) {
        throw new UnreadError(
          "how far a validator may change its commission cannot be read from the precompiles' views",
          {
            address: validator.operator,
            fix: "Configure the network's node RPC (nodeRpcUrl).",
          },
        );
      }
    }
  }

  async #learnUnbondingTime(met: Meetings, base: LiveBase): Promise<void> {
    if (met.unbonds === undefined || this.#loaded.knowsUnbondingTime) return;
    const time = await findUnbondingTime(
      met.unbonds,
      base,
      this.#reader,
      this.foreseen,
      this.#accounts,
    );
    await this.#write([
      { module: "staking", method: "importUnbondingTime", args: [time] },
    ]);
    this.#loaded = { ...this.#loaded, knowsUnbondingTime: true };
  }

  /**
   * Has accounts read together that the simulator would ask for one by one. Not
   * awaited: it waits for what it needs itself.
   */
  #readAhead(accounts: readonly string[]): void {
    const words = new Map(
      accounts.map((account): [string, string[]] => [
        account.toLowerCase(),
        [],
      ]),
    );
    void this.#prefetch?.(words, this.height);
  }

  async #write(calls: Parameters<Importer["run"]>[0]): Promise<void> {
    if (calls.length > 0) await this.#importer?.run(calls);
  }

  /**
   * Parses an operator address; `undefined` for an invalid one, which the
   * module refuses.
   */
  #operator(text: string): Hex | undefined {
    try {
      return parseAddress(text, this.#settings).hex;
    } catch {
      return undefined;
    }
  }
}
