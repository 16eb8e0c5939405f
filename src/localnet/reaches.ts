import { isRecord } from "../rpc/quantities.js";
import { type Reach, reachOf } from "./code.js";
import type { CallRequest, LocalNode } from "./node.js";

const HEIGHT = /^0x[0-9a-f]+$/;

/** What the targets of requests can lead to, as far as the node was asked for their code. */
export class Reaches {
  readonly #node: LocalNode;
  readonly #isPrecompile: (address: string) => boolean;
  #known = new Map<string, Reach>();
  /** What is being asked; emptied when code changes, so that older answers are not kept. */
  readonly #asking = new Map<string, Promise<Reach>>();
  readonly #snapshots = new Map<string, ReadonlyMap<string, Reach>>();

  constructor(node: LocalNode, isPrecompile: (address: string) => boolean) {
    this.#node = node;
    this.#isPrecompile = isPrecompile;
  }

  /** Whether a request's target is known to lead nowhere else. */
  isPlain(request: unknown): boolean {
    if (
      !isRecord(request) ||
      typeof request.to !== "string" ||
      request.authorizationList !== undefined
    )
      return false;
    const reach =
      this.#known.get(request.to) ?? this.#known.get(request.to.toLowerCase());
    return reach === "nothing" || reach === "itself";
  }

  async of(
    { to, data }: CallRequest,
    block: unknown = "latest",
  ): Promise<Reach> {
    if (to === undefined) return reachOf(data ?? "0x");
    const account = to.toLowerCase();
    if (this.#isPrecompile(account)) return "others";
    if (block === "latest" || block === "pending")
      return await this.#ask(account, account, "pending");
    // Other names of blocks mean another block soon.
    return typeof block === "string" && HEIGHT.test(block)
      ? await this.#ask(`${account} ${block}`, account, block)
      : await this.#reachAt(account, block);
  }

  async #ask(key: string, account: string, block: string): Promise<Reach> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const asked = this.#asking.get(key) ?? this.#reachAt(account, block);
    this.#asking.set(key, asked);
    try {
      const reach = await asked;
      if (this.#asking.get(key) === asked) this.#known.set(key, reach);
      return reach;
    } finally {
      if (this.#asking.get(key) === asked) this.#asking.delete(key);
    }
  }

  async #reachAt(account: string, block: unknown): Promise<Reach> {
    return reachOf(await this.#node.code(account, block));
  }

  /** Some code has changed. "others" stays: it is never wrong, and asking for long code takes a while. */
  forget(): void {
    this.#asking.clear();
    for (const [account, reach] of this.#known) {
      if (reach !== "others") this.#known.delete(account);
    }
  }

  /** All code is another. */
  clear(): void {
    this.#asking.clear();
    this.#known.clear();
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
