// Keeps what of the chain's books has been read, and reads what is missing.

import { parseAddress } from "../../address/codec.js";
import { nothingOf } from "../../live-state/account.js";
import type { LiveReader } from "../../live-state/reader.js";
import type { Hex, LiveAccount, LiveBase } from "../../live-state/state.js";
import { UnreadError } from "../../live-state/unreadable.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import type { Emulator } from "../modules/emulator.js";
import { installCodes } from "../modules/genesis.js";
import type { LocalNode } from "../node/node.js";
import type { LocalnetSettings } from "../settings/settings.js";
import { begun, type BlockBegin, fundsAfter } from "./begin.js";
import { Importer } from "./importer.js";
import { accountImport, baseImport, type Instead } from "./imports.js";
import {
  LiveProposals,
  type LoadedProposals,
  NO_PROPOSALS,
  requireProposalsAt,
} from "./live-proposals.js";
import {
  callKey,
  type Foreseeable,
  type Foreseen,
  foreseenIn,
} from "./foreseen.js";
import { type Meetings, noMeetings } from "./meetings.js";

/** What a fork's emulation needs of its chain. */
export interface LiveOptions {
  readonly reader: LiveReader;
  /** What the user configured, for what cannot be read. */
  readonly given: Instead["given"];
  /** Told what the user should know. */
  readonly onNotice?: (text: string) => void;
  /** Reads accounts and words of their storage, by addresses in lower case, before the simulator asks for them one by one. */
  readonly prefetch?: (
    words: ReadonlyMap<string, Iterable<string>>,
    height: bigint,
  ) => Promise<void>;
}

/** What of the chain's state is in the books, and since which block of the fork. */
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
 * The books of a fork: what the chain had at the fork's block, read and
 * written down when something meets it. What was written once changes only as
 * the emulation changes it.
 */
export class LiveBooks {
  readonly #node: LocalNode;
  readonly #reader: LiveReader;
  readonly #settings: LocalnetSettings;
  readonly #given: LiveOptions["given"];
  readonly #own: ReadonlySet<string>;
  #importer: Importer | undefined;
  #base: Promise<LiveBase> | undefined;
  #accounts = new Map<string, Promise<LiveAccount>>();
  #loaded = NOTHING;
  readonly #unbonding = new Map<string, Promise<readonly bigint[]>>();
  readonly #proposals: LiveProposals;
  #beginsNext = false;
  #begin: BlockBegin | undefined;
  readonly #prefetch: LiveOptions["prefetch"];
  #foreseen: Promise<Foreseen> | undefined;
  #foreseenTime = 0n;

  /** `own`: accounts of the emulation, in lower case. */
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
    this.#proposals = new LiveProposals(
      reader,
      onNotice,
      async ({ to, data }) => await this.#firstForeseen(to, data.slice(0, 10)),
    );
  }

  /** The fork's block. */
  get height(): bigint {
    return this.#reader.height;
  }

  /** A call as the chain answers it at the fork's block or before. */
  async ask(request: unknown, height: bigint): Promise<unknown> {
    return await this.#reader.call(request, height);
  }

  /**
   * The fork goes on with the chain's own next block, and with what that one
   * begins with. To be called before anything is installed.
   */
  beginNextBlock(): void {
    this.#beginsNext = true;
  }

  /**
   * Transactions of the chain are going to be mined: what they meet is read
   * together, as far as its node tells it. `time`: of their block, in seconds
   * since 1970.
   */
  foresee(transactions: readonly Foreseeable[], time: bigint): void {
    this.#foreseenTime = time;
    const hashes = transactions.map(({ hash }) => hash);
    this.#foreseen = this.#reader.traces(hashes).then((traces) => {
      const foreseen = foreseenIn(transactions, traces);
      // The simulator waits for what it asks itself.
      void this.#prefetch?.(foreseen.words, this.height);
      return foreseen;
    });
  }

  /** What was foreseen. */
  get foreseen(): Promise<Foreseen> | undefined {
    return this.#foreseen;
  }

  /** What the fork's first block began with, where it is the chain's own. */
  get begin(): BlockBegin | undefined {
    return this.#begin;
  }

  /** Denomination of the chain's tokens. */
  async denom(): Promise<string> {
    return (await this.#readBase()).denom;
  }

  /** Puts the modules there with what concerns all accounts. @returns the fork's time */
  async install(emulator: Emulator): Promise<bigint> {
    // Read first: where that fails nothing is there yet.
    const [read] = await Promise.all([
      this.#readBase(),
      // What cannot be read of proposals matters only to what meets them.
      this.#proposals.ends().catch(() => undefined),
    ]);
    const before = await this.#node.balance(
      MODULE_ACCOUNTS.distribution,
      toQuantity(this.height),
    );
    this.#begin = this.#beginsNext
      ? await this.#reader.nextBlock(read)
      : undefined;
    const [base, funds] =
      this.#begin === undefined
        ? [read, before]
        : [begun(read, this.#begin), fundsAfter(before, this.#begin)];
    const calls = baseImport(base, funds, this.#instead);
    this.#importer = new Importer(
      this.#node,
      emulator,
      this.#settings.addresses,
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

  /**
   * Writes down what a request meets and is not there yet.
   *
   * @returns whether anything was written: the request has to be looked at again then
   * @throws UnreadError where something cannot be read; it is not written then
   */
  async load(met: Meetings): Promise<boolean> {
    const base = await this.#readBase();
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

  /** Whether something of what was met is not there. */
  lacks(met: Meetings): boolean {
    const { accounts, knowsUnbondingTime } = this.#loaded;
    return (
      this.#proposals.lacks(met, this.#loaded.proposals) ||
      (met.unbonds !== undefined && !knowsUnbondingTime) ||
      [...met.accounts].some(
        (account) => !this.#own.has(account) && !accounts.has(account),
      )
    );
  }

  /**
   * Who has entries that unbond is known only of those that were met.
   *
   * @throws DualstackError for an infraction before the fork
   */
  requireNoneBefore(infraction: bigint): void {
    if (infraction > this.height) return;
    throw new DualstackError(
      `what was unbonding on the chain at block ${infraction} cannot be slashed on a fork of block ${this.height}: nobody tells whose it is`,
      { fix: "Slash for a height of the fork, or leave infractionHeight out." },
    );
  }

  /**
   * Looks whether a past block of the fork has what a request meets.
   *
   * @throws DualstackError where that was read later
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
   * Whether something of an account that is not in the books has unbonded until
   * a time, in seconds since 1970. In lower case.
   */
  async pays(account: string, time: bigint): Promise<boolean> {
    if (this.#own.has(account) || this.#loaded.accounts.has(account))
      return false;
    if (!/^0x[0-9a-f]{40}$/.test(account)) return false;
    let reading = this.#unbonding.get(account);
    if (reading === undefined) {
      reading = this.#reading(this.#completionTimes(account), () =>
        this.#unbonding.delete(account),
      );
      this.#unbonding.set(account, reading);
    }
    return (await reading).some((end) => end <= time);
  }

  async #completionTimes(account: string): Promise<readonly bigint[]> {
    if (await this.#isBornHere(account)) return [];
    const base = await this.#readBase();
    return await this.#reader.completionTimes(parseAddress(account).hex, base);
  }

  /** When the chain itself does something that is not in the books, in seconds since 1970. */
  next(): bigint | undefined {
    return this.#proposals.next(this.#loaded.proposals);
  }

  /** What that needs. */
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
        // A block that begins as on the chain has had its rewards.
        rewardRate: rewardRate && this.#begin === undefined,
      },
    };
  }

  async #readBase(): Promise<LiveBase> {
    return await (this.#base ??= this.#reading(
      this.#reader.base(),
      () => (this.#base = undefined),
    ));
  }

  /** What failed is asked for again the next time. */
  async #reading<T>(task: Promise<T>, forget: () => void): Promise<T> {
    try {
      return await task;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Those of the accounts that are not in the books and that the chain may know. */
  async #missing(
    wanted: ReadonlySet<string>,
    base: LiveBase,
  ): Promise<LiveAccount[]> {
    const missing = [...wanted].filter(
      (account) =>
        !this.#own.has(account) && !this.#loaded.accounts.has(account),
    );
    return await Promise.all(
      missing.map(async (account) => {
        const { hex } = parseAddress(account);
        return (await this.#isBornHere(account))
          ? nothingOf(hex)
          : await this.#account(hex, base);
      }),
    );
  }

  async #account(account: Hex, base: LiveBase): Promise<LiveAccount> {
    let reading = this.#accounts.get(account);
    if (reading === undefined) {
      reading = this.#reading(this.#reader.account(account, base), () =>
        this.#accounts.delete(account),
      );
      this.#accounts.set(account, reading);
    }
    return await reading;
  }

  /** A contract that was created on the fork: the chain has nothing of it. */
  async #isBornHere(account: string): Promise<boolean> {
    if ((await this.#node.code(account)) === "0x") return false;
    const fork = toQuantity(this.height);
    const [code, nonce] = await Promise.all([
      this.#node.code(account, fork),
      this.#node.ask("eth_getTransactionCount", [account, fork]),
    ]);
    return code === "0x" && nonce === "0x0";
  }

  /** What was let pass when an account was read must be there where a call needs it. */
  async #requireRead(met: Meetings, base: LiveBase): Promise<void> {
    const need = async (account: string, what: string | undefined) => {
      const reading = this.#accounts.get(parseAddress(account).hex);
      const unread = (await reading)?.unread.get(what ?? "");
      if (unread !== undefined) throw unread.error;
    };
    for (const { account, operator } of met.unbonding.values()) {
      await need(account, this.#operator(operator));
    }
    for (const account of met.moving) await need(account, "redelegations");
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
    const time = await this.#unbondingTime(met.unbonds, base);
    await this.#write([
      { module: "staking", method: "importUnbondingTime", args: [time] },
    ]);
    this.#loaded = { ...this.#loaded, knowsUnbondingTime: true };
  }

  /** No view tells how long unbonding takes, but what the chain answers to such a call does, and what unbonds already. */
  async #unbondingTime(
    call: NonNullable<Meetings["unbonds"]>,
    base: LiveBase,
  ): Promise<bigint> {
    const foreseen = await this.#foreseenAnswer(call);
    if (foreseen !== undefined) return foreseen - this.#foreseenTime;
    try {
      return BigInt(String(await this.#reader.call(call))) - base.time;
    } catch (cause) {
      const [newest] = (await this.#unbondingEntries(base)).sort((a, b) =>
        Number(b.height - a.height),
      );
      if (newest !== undefined)
        return newest.end - (await this.#reader.timeOf(newest.height));
      throw new UnreadError(
        "how long unbonding takes cannot be read from the precompiles' views",
        {
          fix: "Configure the network's node RPC (nodeRpcUrl), or set dualstack.localnet.unbondingTime.",
          cause,
        },
      );
    }
  }

  /** What is known to unbond, or to move, since a block of the chain, and until when. */
  async #unbondingEntries({
    validators,
  }: LiveBase): Promise<{ height: bigint; end: bigint }[]> {
    const accounts = await Promise.all(this.#accounts.values());
    const entries = accounts.flatMap(({ unbonding, redelegations = [] }) =>
      [
        ...unbonding.values(),
        ...redelegations.map((one) => one.entries),
      ].flat(),
    );
    return [
      ...validators.map(({ unbondingHeight, unbondingTime }) => ({
        height: unbondingHeight,
        end: unbondingTime,
      })),
      ...entries.map(({ creationHeight, completionTime }) => ({
        height: creationHeight,
        end: completionTime,
      })),
    ].filter(({ height, end }) => height > 0n && end > 0n);
  }

  /** A number that a call which is foreseen returned on the chain. */
  async #foreseenAnswer(
    call: Parameters<typeof callKey>[0],
  ): Promise<bigint | undefined> {
    const answer = (await this.#foreseen)?.answers.get(callKey(call));
    return answer?.length === 66 ? BigInt(answer) : undefined;
  }

  /** The least number that calls of a method which are foreseen returned on the chain. */
  async #firstForeseen(
    to: string,
    selector: string,
  ): Promise<bigint | undefined> {
    const start = ` ${to} ${selector}`.toLowerCase();
    const answers = [...((await this.#foreseen)?.answers ?? [])]
      .filter(([key, answer]) => key.includes(start) && answer.length === 66)
      .map(([, answer]) => BigInt(answer));
    return answers.reduce<bigint | undefined>(
      (least, one) => (least === undefined || one < least ? one : least),
      undefined,
    );
  }

  async #write(calls: Parameters<Importer["run"]>[0]): Promise<void> {
    if (calls.length > 0) await this.#importer?.run(calls);
  }

  /** `undefined`: it is none, and the module refuses it. */
  #operator(text: string): Hex | undefined {
    try {
      return parseAddress(text, this.#settings).hex;
    } catch {
      return undefined;
    }
  }
}
