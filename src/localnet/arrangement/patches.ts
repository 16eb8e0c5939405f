// Just before a request runs, and just after: places payers' codes at the
// accounts that pay, and removes them.

import {
  delegatedPayerOf,
  PAY_MAGIC,
  PAYER,
  shadowOf,
} from "../modules/accounts.js";
import {
  delegateOf,
  designatorTo,
  hidesProxy,
  proxyTo,
  targetOf,
} from "../foresight/code.js";
import type { Emulator } from "../modules/emulator.js";
import type { LocalNode } from "../node/node.js";
import { setBounded } from "../../support/bounded.js";

/** How many codes are remembered with their payers: each has up to 24 KB. */
const MOST_PAYERS = 256;

/**
 * How accounts with a certain code pay: the code that takes its place, and what
 * that code needs at other addresses.
 */
interface Payer {
  readonly original: string;
  readonly code: string;
  /** Pairs of address and code. */
  readonly support: readonly (readonly [string, string])[];
  /** Whether `code` and `original` differ in length. */
  readonly showsSize: boolean;
}

/**
 * Payers' codes at accounts. They stand while a transaction runs that could see
 * that a balance falls too late, and after it until a request may see them:
 * contracts that pay often do so again, and a simulated network gets slower
 * and larger with every code that is set.
 *
 * A contract's own code moves to a shadow address, and a proxy of the same
 * length, which pays when a module asks, takes its place. An account without
 * code gets an EIP-7702 designator. The codes at other addresses remain: only
 * such proxies and designators lead to them.
 */
export class Patches {
  readonly #node: LocalNode;
  readonly #emulator: Emulator;
  #standing = new Map<string, Payer>();
  #support = new Set<string>();
  readonly #showing = new Set<string>();
  /** Accounts whose payers may have stayed beyond a block. */
  readonly #lasted = new Set<string>();
  /** All addresses at which a payer's proxy has stood. */
  readonly #proxies = new Set<string>();
  /** By original code, since hashing one takes long. */
  readonly #payers = new Map<string, Payer>();

  constructor(node: LocalNode, emulator: Emulator) {
    this.#node = node;
    this.#emulator = emulator;
  }

  get size(): number {
    return this.#standing.size;
  }

  /**
   * Accounts whose payers may stay between transactions: proxies of contracts,
   * which only the contract's code itself and the gas of its calls tell from
   * it.
   */
  get lasting(): ReadonlySet<string> {
    const accounts = [...this.#standing].filter(([, payer]) => lasts(payer));
    return new Set(accounts.map(([account]) => account));
  }

  /**
   * Returns the codes that contracts had at the end of a past block, where
   * their payers stayed beyond it.
   */
  async lastedAt(block: unknown): Promise<Record<string, { code: string }>> {
    const codes: Record<string, { code: string }> = {};
    await Promise.all(
      [...this.#lasted].map(async (account) => {
        const stood = await this.#node.code(account, block);
        const code = await this.originalOf(stood, block);
        if (code !== undefined) codes[account] = { code };
      }),
    );
    return codes;
  }

  /** Whether a payer's proxy stands, or has stood, at an address. */
  wasProxy(address: string): boolean {
    return this.#proxies.has(address);
  }

  /**
   * Whether a payer's code changes the length of the account's code, or did
   * when one last stood there.
   */
  showsSize(account: string): boolean {
    return this.#showing.has(account);
  }

  /**
   * Makes exactly these accounts able to pay.
   *
   * @returns the other accounts whose payer's code was replaced meanwhile;
   * their new code stays
   */
  async arrange(accounts: ReadonlySet<string>): Promise<readonly string[]> {
    const changed: string[] = [];
    const work: Promise<unknown>[] = [];
    for (const [account, payer] of this.#standing) {
      if (accounts.has(account)) continue;
      this.#standing.delete(account);
      const remove = async () => {
        if ((await this.#node.code(account)) === payer.code)
          await this.#node.setCode(account, payer.original);
        else changed.push(account);
      };
      work.push(remove());
    }
    for (const account of accounts) {
      if (!this.#standing.has(account)) work.push(this.#place(account));
    }
    await Promise.all(work);
    return changed;
  }

  async #place(account: string): Promise<void> {
    const payer = this.payerFor(await this.#node.code(account));
    const missing = payer.support.filter(
      ([address]) => !this.#support.has(address),
    );
    for (const [address] of missing) this.#support.add(address);
    this.#standing.set(account, payer);
    this.#note(account, payer);
    if (lasts(payer)) this.#lasted.add(account);
    if (payer.showsSize) this.#showing.add(account);
    else this.#showing.delete(account);
    await Promise.all([
      ...missing.map(([address, code]) => this.#node.setCode(address, code)),
      this.#node.setCode(account, payer.code),
    ]);
  }

  /** Returns the state overrides that make accounts able to pay in one call. */
  async overrides(
    accounts: Iterable<string>,
    block: unknown,
  ): Promise<Record<string, { readonly code: string }>> {
    const overrides: Record<string, { readonly code: string }> = {};
    await Promise.all(
      [...accounts].map(async (account) => {
        const payer = this.payerFor(await this.originalCode(account, block));
        overrides[account] = { code: payer.code };
        this.#note(account, payer);
        for (const [address, code] of payer.support)
          overrides[address] = { code };
      }),
    );
    return overrides;
  }

  #note(account: string, { original, support }: Payer): void {
    this.#proxies.add(account);
    for (const [address, code] of support)
      if (code !== original) this.#proxies.add(address);
  }

  payerFor(original: string): Payer {
    let payer = this.#payers.get(original);
    if (payer === undefined) {
      payer = this.#makePayer(original);
      setBounded(this.#payers, original, payer, MOST_PAYERS);
    }
    return payer;
  }

  #makePayer(original: string): Payer {
    if (original === "0x") {
      return {
        original,
        code: designatorTo(PAYER),
        support: [[PAYER, this.#emulator.payer]],
        showsSize: true,
      };
    }
    const delegate = delegateOf(original);
    if (delegate !== undefined) {
      const proxy = delegatedPayerOf(delegate);
      return {
        original,
        code: designatorTo(proxy),
        support: [[proxy, this.#emulator.shadowPayer(delegate)]],
        showsSize: false,
      };
    }
    const shadow = shadowOf(original);
    const payer = delegatedPayerOf(shadow);
    return {
      original,
      code: proxyTo(payer, original),
      support: [
        [shadow, original],
        [payer, this.#emulator.shadowPayer(shadow)],
      ],
      showsSize: !hidesProxy(original),
    };
  }

  /** Returns an account's code as it is without a payer. */
  async originalCode(account: string, block: unknown): Promise<string> {
    const code = await this.#node.code(account, block);
    return (await this.originalOf(code, block)) ?? code;
  }

  /**
   * Returns the code that a payer's code stands for, also at past blocks;
   * `undefined` if `code` is not a payer's.
   */
  async originalOf(code: string, block: unknown): Promise<string | undefined> {
    const delegate = delegateOf(code);
    if (delegate === PAYER) return "0x";
    const target = delegate ?? targetOf(code);
    if (target === undefined) return undefined;
    const behind = await this.#node.code(target, block);
    if (!behind.endsWith(PAY_MAGIC)) return undefined;
    const shadow = this.#emulator.shadowIn(behind);
    return delegate === undefined
      ? await this.#node.code(shadow, block)
      : designatorTo(shadow);
  }

  /**
   * Returns what stands now, for {@link restore} once the state has returned to
   * this point.
   */
  save(): ReadonlyMap<string, Payer> {
    return new Map(this.#standing);
  }

  /** Takes over what {@link save} returned, after the state was reverted. */
  restore(saved: ReadonlyMap<string, Payer>): void {
    this.#standing = new Map(saved);
    this.#support = new Set();
  }

  /** Notes that the user gave an account new code in place of a payer's. */
  forget(account: string): void {
    this.#standing.delete(account);
  }
}

const lasts = ({ code, showsSize }: Payer) =>
  targetOf(code) !== undefined && !showsSize;
