import type { Correction } from "./construction.js";
import { type Effect, larger } from "./effects.js";
import type { CallRequest, LocalNode } from "./node.js";
import type { Patches } from "./patches.js";
import { type Findings, type Frame, inspect } from "./trace.js";

/** What has to be arranged for a request, and what it leaves to be done. */
export interface Plan {
  readonly actors: ReadonlySet<string>;
  /** Contracts that pay after the transaction: they have no code that could pay in it. */
  readonly later: ReadonlySet<string>;
  /** Whether a module may change. */
  readonly touched: boolean;
  /** What that may do to the next end of a block. */
  readonly effect: Effect;
  /** Whether contracts are created. */
  readonly creates: boolean;
  /** All who were called. */
  readonly called: ReadonlySet<string>;
  /** The last trace, where somebody pays later. */
  readonly root?: Frame;
  /** What has to be corrected after a creation. */
  readonly correction?: Correction;
}

export const NO_PLAN: Plan = {
  actors: new Set(),
  later: new Set(),
  touched: false,
  effect: "none",
  creates: false,
  called: new Set(),
};

/** Control flow may depend on balances that only a patched run has right: so often it is traced again at most. */
const MAX_ROUNDS = 8;

/** Traces requests before they run, to learn who pays in them. */
export class Planner {
  readonly #node: LocalNode;
  readonly #patches: Patches;
  readonly #modules: ReadonlySet<string>;
  readonly #staking: string;
  readonly #accounts: ReadonlySet<string>;

  constructor(
    node: LocalNode,
    patches: Patches,
    modules: ReadonlySet<string>,
    staking: string,
    accounts: ReadonlySet<string>,
  ) {
    this.#node = node;
    this.#patches = patches;
    this.#modules = modules;
    this.#staking = staking;
    this.#accounts = accounts;
  }

  /** What a call does with the modules as the state stands. `undefined`: it cannot be run at all. */
  async look(call: CallRequest, block: unknown): Promise<Findings | undefined> {
    let frames: Frame;
    try {
      frames = await this.#node.frames(call, block);
    } catch {
      // Such as too little balance for the value: the request itself will say so.
      return undefined;
    }
    return inspect(frames, this.#modules, this.#staking, this.#accounts);
  }

  /**
   * Makes all who pay in a transaction able to, `others` besides, and tells
   * what is left to do after it.
   */
  async prepare(
    call: CallRequest,
    block: unknown,
    others: ReadonlySet<string>,
  ): Promise<Plan> {
    let plan = NO_PLAN;
    let placed = false;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = await this.look(call, block);
      if (found === undefined) break;
      const unable = [...found.deferred].filter(
        (actor) => !found.born.has(actor) && !this.#patches.has(actor),
      );
      const actors = new Set([...plan.actors, ...found.paying, ...unable]);
      plan = {
        actors,
        later: new Set(
          [...found.deferred].filter((actor) => found.born.has(actor)),
        ),
        touched: plan.touched || found.touched,
        effect: larger(plan.effect, found.effect),
        creates: plan.creates || found.born.size > 0,
        called: found.called,
        root: found.root,
      };
      if (unable.length === 0 && placed) return plan;
      await this.#patches.arrange(new Set([...actors, ...others]));
      placed = true;
      if (unable.length === 0) return plan;
    }
    if (!placed) await this.#patches.arrange(others);
    return plan;
  }
}
