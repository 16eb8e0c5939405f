// Second: decides whether the code that a request calls can reach a precompile
// at all. The answers are kept between requests.

import { isRecord } from "../../rpc/quantities.js";
import { type CodeFacts, delegateOf, factsOf } from "./code.js";
import type { CallRequest } from "../request/calls.js";
import type { LocalNode } from "../node/node.js";

const HEIGHT = /^0x[0-9a-f]+$/;

/** What the code of accounts can do, read from the node and cached. */
export class Codes {
  readonly #node: LocalNode;
  readonly #isPrecompile: (address: string) => boolean;
  readonly #originalOf: (
    code: string,
    block: unknown,
  ) => Promise<string | undefined>;
  #known = new Map<string, CodeFacts>();
  /**
   * Reads under way; emptied when code changes, so that their answers are not
   * cached.
   */
  readonly #asking = new Map<string, Promise<CodeFacts>>();
  readonly #snapshots = new Map<string, ReadonlyMap<string, CodeFacts>>();

  /**
   * @param originalOf returns the code that a payer's code stands for;
   * `undefined` for any other code
   */
  constructor(
    node: LocalNode,
    isPrecompile: (address: string) => boolean,
    originalOf: (code: string, block: unknown) => Promise<string | undefined>,
  ) {
    this.#node = node;
    this.#isPrecompile = isPrecompile;
    this.#originalOf = originalOf;
  }

  /** Returns what a request's target can do, if that needs no read. */
  known(request: unknown): CodeFacts | undefined {
    if (
      !isRecord(request) ||
      typeof request.to !== "string" ||
      request.authorizationList !== undefined
    )
      return undefined;
    return (
      this.#known.get(request.to) ?? this.#known.get(request.to.toLowerCase())
    );
  }

  /**
   * Returns what the code that a request calls or creates with can do; the
   * node's errors are thrown.
   */
  async called(
    { to, data }: CallRequest,
    block: unknown = "latest",
  ): Promise<Pick<CodeFacts, "reach" | "codes">> {
    if (to === undefined) return factsOf(data ?? "0x");
    const account = to.toLowerCase();
    return this.#isPrecompile(account)
      ? { reach: "others", codes: false }
      : await this.of(account, block);
  }

  /**
   * Returns what the code of an account (lower case) can do: that of its target
   * where the account delegates (EIP-7702), and its own where a payer's stands.
   */
  async of(account: string, block: unknown = "latest"): Promise<CodeFacts> {
    if (block === "latest" || block === "pending")
      return await this.#ask(account, account, "pending");
    // Tags such as `finalized` soon mean another block: nothing is cached.
    return typeof block === "string" && HEIGHT.test(block)
      ? await this.#ask(`${account} ${block}`, account, block)
      : await this.#read(account, block);
  }

  async #ask(key: string, account: string, block: string): Promise<CodeFacts> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const asked = this.#asking.get(key) ?? this.#read(account, block);
    this.#asking.set(key, asked);
    try {
      const facts = await asked;
      if (this.#asking.get(key) === asked) this.#known.set(key, facts);
      return facts;
    } finally {
      if (this.#asking.get(key) === asked) this.#asking.delete(key);
    }
  }

  async #read(account: string, block: unknown): Promise<CodeFacts> {
    const code = await this.#node.code(account, block);
    const original = await this.#originalOf(code, block);
    if (original !== undefined)
      return { ...factsOf(original), reach: "others" };
    const delegate = delegateOf(code);
    if (delegate === undefined) return factsOf(code);
    const behind = factsOf(await this.#node.code(delegate, block));
    return { ...behind, reach: "others" };
  }

  /** Forgets which accounts have no code, after contracts were created. */
  forgetEmpty(): void {
    this.#asking.clear();
    for (const [account, { reach }] of this.#known) {
      if (reach === "nothing") this.#known.delete(account);
    }
  }

  /** Forgets all but the snapshots, after any code may have changed. */
  forget(): void {
    this.#asking.clear();
    this.#known.clear();
  }

  /** Forgets everything, after the state was replaced. */
  clear(): void {
    this.forget();
    this.#snapshots.clear();
  }

  /**
   * Keeps what is known for {@link restore}.
   *
   * @param snapshot the node's ID
   */
  save(snapshot: unknown): void {
    this.#snapshots.set(String(snapshot), new Map(this.#known));
  }

  /** Returns to what was known at a snapshot, after the node did so. */
  restore(snapshot: unknown): void {
    this.#asking.clear();
    const id = String(snapshot);
    this.#known = new Map(this.#snapshots.get(id));
    this.#snapshots.delete(id);
  }
}
