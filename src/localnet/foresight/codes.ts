// Second: whether what a request calls can reach a precompile at all.
// Remembered between requests.

import { isRecord } from "../../rpc/quantities.js";
import { type CodeFacts, delegateOf, factsOf, type Reach } from "./code.js";
import type { CallRequest } from "../request/calls.js";
import type { LocalNode } from "../node/node.js";

const HEIGHT = /^0x[0-9a-f]+$/;

/** What the codes of accounts can do, as far as the node was asked for them. */
export class Codes {
  readonly #node: LocalNode;
  readonly #isPrecompile: (address: string) => boolean;
  #known = new Map<string, CodeFacts>();
  /** What is being asked; emptied when code changes, so that older answers are not kept. */
  readonly #asking = new Map<string, Promise<CodeFacts>>();
  readonly #snapshots = new Map<string, ReadonlyMap<string, CodeFacts>>();

  constructor(node: LocalNode, isPrecompile: (address: string) => boolean) {
    this.#node = node;
    this.#isPrecompile = isPrecompile;
  }

  /** What a request can lead to, as far as that is known without asking. */
  knownReach(request: unknown): Reach | undefined {
    if (
      !isRecord(request) ||
      typeof request.to !== "string" ||
      request.authorizationList !== undefined
    )
      return undefined;
    return (
      this.#known.get(request.to) ?? this.#known.get(request.to.toLowerCase())
    )?.reach;
  }

  /** What a request can lead to. */
  async reach(
    { to, data }: CallRequest,
    block: unknown = "latest",
  ): Promise<Reach> {
    if (to === undefined) return factsOf(data ?? "0x").reach;
    const account = to.toLowerCase();
    return this.#isPrecompile(account)
      ? "others"
      : (await this.of(account, block)).reach;
  }

  /** What the code of an account (lower case) can do; where it is another's (EIP-7702), what that can do. */
  async of(account: string, block: unknown = "latest"): Promise<CodeFacts> {
    if (block === "latest" || block === "pending")
      return await this.#ask(account, account, "pending");
    // Other names of blocks mean another block soon.
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
    const delegate = delegateOf(code);
    if (delegate === undefined) return factsOf(code);
    const behind = factsOf(await this.#node.code(delegate, block));
    return { ...behind, reach: "others" };
  }

  /** Contracts were created: an account without code may have some now. */
  forgetEmpty(): void {
    this.#asking.clear();
    for (const [account, { reach }] of this.#known) {
      if (reach === "nothing") this.#known.delete(account);
    }
  }

  /** Any code may be another. */
  forget(): void {
    this.#asking.clear();
    this.#known.clear();
  }

  /** All code is another. */
  clear(): void {
    this.forget();
    this.#snapshots.clear();
  }

  save(snapshot: unknown): void {
    this.#snapshots.set(String(snapshot), new Map(this.#known));
  }

  restore(snapshot: unknown): void {
    this.#asking.clear();
    const id = String(snapshot);
    this.#known = new Map(this.#snapshots.get(id));
    this.#snapshots.delete(id);
  }
}
