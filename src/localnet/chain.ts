import { MODULE_ACCOUNTS } from "../precompiles/addresses.js";
import { DualstackError } from "../support/errors.js";
import { isRecord, toQuantity } from "../rpc/quantities.js";
import { RESERVE } from "./accounts.js";
import { BlockEnds } from "./blocks.js";
import {
  type Amendment,
  type Correction,
  constructionAsCall,
  constructionCorrection,
  correct,
  isConstruction,
  type Overrides,
} from "./construction.js";
import { type Effect, larger } from "./effects.js";
import { linkEmulator, type Emulator } from "./emulator.js";
import { ample, gasNeed, gasShape, sameWay } from "./gas-need.js";
import { installGenesis } from "./genesis.js";
import type { CallRequest, LocalNode } from "./node.js";
import { Patches } from "./patches.js";
import { NO_PLAN, type Plan, Planner } from "./plan.js";
import type { LocalnetSettings } from "./settings.js";
import { settle } from "./settlement.js";
import { SystemCalls } from "./system.js";
import { type Frame, inspect } from "./trace.js";
import { refuseVisible } from "./visibility.js";
import { WaitingTransactions } from "./waiting.js";

interface Saved {
  readonly installed: boolean;
  readonly patches: ReturnType<Patches["save"]> | undefined;
  readonly waiting: ReturnType<WaitingTransactions["save"]>;
  readonly blocks: ReturnType<BlockEnds["save"]>;
}

interface Installed {
  /** Where the staking module notes that its validator set must change. */
  readonly setChangedAt: { readonly slot: string; readonly offset: number };
  readonly emulator: Emulator;
  readonly patches: Patches;
  readonly planner: Planner;
}

/**
 * The emulated part of the chain: what is installed, who can pay, what waits
 * in the pool and at the ends of blocks. Its methods run one at a time.
 */
export class LocalChain {
  readonly node: LocalNode;
  readonly system: SystemCalls;
  readonly blocks: BlockEnds;
  readonly settings: LocalnetSettings;
  intervalMining: boolean;

  readonly #forked: boolean;
  readonly #staking: string;
  readonly #modules: ReadonlySet<string>;
  readonly #precompiles: ReadonlySet<string>;
  readonly #accounts: ReadonlySet<string>;
  #parts: Installed | undefined;
  #installed = false;
  #automine: boolean | undefined;
  readonly #snapshots = new Map<string, Saved>();
  readonly #waiting: WaitingTransactions;
  /** The last estimate: tests send the same again and again. */
  #estimated: { readonly shape: string; readonly gas: bigint } | undefined;

  constructor(
    node: LocalNode,
    settings: LocalnetSettings,
    options: { intervalMining: boolean; forked: boolean },
  ) {
    this.node = node;
    this.settings = settings;
    this.intervalMining = options.intervalMining;
    this.#forked = options.forked;
    const { staking, distribution, governance, bech32 } = settings.addresses;
    this.#staking = staking.toLowerCase();
    this.#modules = new Set(
      [staking, distribution, governance].map((address) =>
        address.toLowerCase(),
      ),
    );
    this.#precompiles = new Set([...this.#modules, bech32.toLowerCase()]);
    this.#accounts = new Set([
      ...this.#precompiles,
      ...Object.values(MODULE_ACCOUNTS),
      RESERVE,
    ]);
    this.system = new SystemCalls(node, this.#staking);
    this.blocks = new BlockEnds(node, this.system);
    this.#waiting = new WaitingTransactions(node);
  }

  get installed(): boolean {
    return this.#installed;
  }

  set automine(on: boolean) {
    this.#automine = on;
  }

  /** Whether nothing has to be done after a transaction's block but what is due at its end. */
  get idle(): boolean {
    return this.#waiting.size === 0 && !this.intervalMining;
  }

  get #minesAtOnce(): boolean {
    return this.#automine !== false && !this.intervalMining;
  }

  /** Whether a block that nothing of the emulation is in needs no look at all. */
  get still(): boolean {
    return this.idle && (!this.#installed || this.blocks.due === undefined);
  }

  /** Whether an account belongs to the emulation. */
  owns(address: unknown): boolean {
    return (
      typeof address === "string" && this.#accounts.has(address.toLowerCase())
    );
  }

  /** Whether an account is one of the precompiles. */
  isPrecompile(address: string): boolean {
    return this.#precompiles.has(address);
  }

  /** Installs the modules where they are not yet. */
  async ensure(): Promise<void> {
    if (this.#installed) return;
    const { emulator } = await this.#load();
    // A chain's genesis is its first block; what ran before the modules were needed did not concern them.
    const genesis = await this.node.head(this.#forked ? "latest" : "earliest");
    await installGenesis(
      this.node,
      emulator,
      this.system,
      this.settings,
      genesis,
    );
    this.#installed = true;
    this.#automine ??= (await this.node.ask("hardhat_getAutomine")) === true;
    await this.blocks.begin(genesis);
    if (this.blocks.mayBeDue()) await this.blocks.process();
  }

  /**
   * The plan of a request that calls none of the emulation, while that is not
   * installed. Asked only where installing takes long: there it waits for the
   * first request that needs it.
   */
  async planWithout(
    call: CallRequest,
    block: unknown,
  ): Promise<Plan | undefined> {
    const isSure = call.to !== undefined && this.owns(call.to);
    if (this.#installed || this.node.tracesQuickly || isSure) return undefined;
    let root: Frame | undefined;
    try {
      root = await this.node.framesBeyondCode(call, block);
    } catch {
      // Such as too little balance for the value: the request itself will say so.
      return NO_PLAN;
    }
    // What is not installed has no code.
    if (root === undefined) return NO_PLAN;
    const { called, born } = inspect(
      root,
      this.#modules,
      this.#staking,
      this.#accounts,
    );
    return [...called].some((account) => this.#accounts.has(account))
      ? undefined
      : { ...NO_PLAN, creates: born.size > 0 };
  }

  async #load(): Promise<Installed> {
    if (this.#parts === undefined) {
      const { emulatorCode, setChangedAt } = await import(
        "./generated/emulator.js"
      );
      const emulator = linkEmulator(emulatorCode, this.settings);
      const patches = new Patches(this.node, emulator);
      this.#parts = {
        emulator,
        setChangedAt,
        patches,
        planner: new Planner(
          this.node,
          patches,
          this.#modules,
          this.#staking,
          this.#accounts,
        ),
      };
    }
    return this.#parts;
  }

  /** Traces a transaction and makes all who pay in it able to; installs the modules if it needs them. @throws where what happens could not be right */
  async prepare(
    call: CallRequest,
    block: unknown,
    purpose: "send" | "estimate",
  ): Promise<Plan> {
    const without = await this.planWithout(call, block);
    if (without !== undefined) return without;
    await this.ensure();
    const { planner, emulator } = await this.#load();
    const plan = await planner.prepare(call, block, this.#waiting.actors);
    const { later, root, called } = plan;
    for (const account of this.#waiting.owing) {
      if (called.has(account)) {
        throw new DualstackError(
          "a transaction that waits creates a contract that pays a precompile, and this one calls it",
          {
            address: account,
            fix: "Mine a block first.",
          },
        );
      }
    }
    if (later.size === 0 || root === undefined) return plan;
    if (this.#minesAtOnce && isConstruction(call, later, root)) {
      // What the constructor does is worked out for exactly the block that it will be in.
      if (purpose === "send") await this.#fixNextTime();
      const correction = await constructionCorrection(
        this.node,
        emulator,
        call,
        block,
        root,
      );
      if (correction !== undefined) return { ...plan, correction };
    }
    await this.#refuseVisible(call, block, later, root);
    return plan;
  }

  /**
   * The gas limit of a request that was traced. A node searches for it by
   * running the request some twenty times where calls below calls get less than
   * all; here one more trace shows whether the first one told it.
   * `undefined`: the node has to search.
   */
  async estimate(
    call: CallRequest,
    block: unknown,
    { touched, root }: Plan,
  ): Promise<bigint | undefined> {
    const need = root === undefined ? undefined : gasNeed(root);
    if (root === undefined || need === undefined) return undefined;
    const shape = gasShape(root);
    const last = this.#estimated;
    if (call.gas === undefined && last?.shape === shape) return last.gas;
    for (const gas of touched ? [need, ample(need)] : [need]) {
      if (call.gas !== undefined && BigInt(call.gas) < gas) return undefined;
      const again = await this.node.frames(
        { ...call, gas: toQuantity(gas) },
        block,
      );
      if (sameWay(again, root)) {
        this.#estimated = { shape, gas };
        return gas;
      }
    }
    return undefined;
  }

  async #fixNextTime(): Promise<void> {
    await this.node.ask("evm_setNextBlockTimestamp", [
      toQuantity(await this.node.nextTime()),
    ]);
    this.blocks.forgetTime();
  }

  async #refuseVisible(
    call: CallRequest,
    block: unknown,
    actors: ReadonlySet<string>,
    root: Frame,
  ): Promise<void> {
    const [modules, accounts] = [this.#modules, this.#accounts];
    await refuseVisible(this.node, {
      call,
      block,
      root,
      actors,
      modules,
      accounts,
    });
  }

  /** What a call needs to be answered right: state overrides, and sometimes another call. `undefined`: nothing. */
  async amend(
    call: CallRequest,
    block: unknown,
  ): Promise<Amendment | undefined> {
    const { planner, patches, emulator } = await this.#load();
    const found = await planner.look(call, block);
    if (found === undefined) return undefined;
    const { deferred, born, called, root } = found;
    const later = new Set([...deferred].filter((actor) => born.has(actor)));
    if (isConstruction(call, later, root)) {
      return constructionAsCall(emulator, call, root);
    }
    if (later.size > 0) await this.#refuseVisible(call, block, later, root);
    const actors = [...deferred].filter((actor) => !born.has(actor));
    const overrides: Overrides =
      actors.length === 0 ? {} : await patches.overrides(actors, block);
    // On the chain a precompile has no code to be seen; where nobody calls it, nobody needs it.
    for (const precompile of this.#precompiles) {
      if (!called.has(precompile)) overrides[precompile] = { code: "0x" };
    }
    return { overrides };
  }

  /** Sends a transaction that was prepared, and does what follows its block. */
  async send(plan: Plan, pass: () => Promise<unknown>): Promise<unknown> {
    let hash: unknown;
    try {
      hash = await pass();
      return hash;
    } finally {
      // A transaction that failed in its block throws too, and the block is there.
      if (
        this.#installed &&
        this.#automine === false &&
        typeof hash === "string"
      ) {
        this.#waiting.add(hash, plan);
      } else if (this.#installed) {
        const corrected =
          plan.correction !== undefined &&
          (await this.#correct(hash, plan.correction));
        await this.#afterBlocks(plan.effect, plan.later.size > 0 && !corrected);
      }
    }
  }

  async #correct(hash: unknown, correction: Correction): Promise<boolean> {
    const receipt =
      typeof hash === "string"
        ? await this.node.ask("eth_getTransactionReceipt", [hash])
        : undefined;
    if (!isRecord(receipt) || receipt.status !== "0x1") return false;
    await correct(this.node, correction);
    return true;
  }

  /** Mines, with everything in place that waiting transactions need. */
  async mine(pass: () => Promise<unknown>): Promise<unknown> {
    if (!this.#installed) return await pass();
    await this.#parts?.patches.arrange(this.#waiting.actors);
    this.blocks.forgetTime();
    try {
      return await pass();
    } finally {
      await this.#afterBlocks("none", false);
    }
  }

  /** What blocks left behind that a timer mined. */
  async catchUp(): Promise<void> {
    if (this.#installed) {
      this.blocks.forgetTime();
      await this.#afterBlocks("none", false);
    }
  }

  /** Whether a block that was just mined may have reached what is due. */
  mayBeDue(): boolean {
    return this.#installed && this.blocks.mayBeDue();
  }

  async endBlocks(): Promise<void> {
    await this.blocks.process();
  }

  async #afterBlocks(effect: Effect, later: boolean): Promise<void> {
    let since: bigint | undefined;
    for (const { plan, block } of await this.#waiting.takeDone()) {
      if (plan.effect !== "none" && (since === undefined || block < since))
        since = block;
      effect = larger(effect, plan.effect);
      later ||= plan.later.size > 0;
    }
    if (later) await settle(this.node, this.system);
    if (effect === "any" || (effect === "set" && (await this.#setChanged())))
      await this.blocks.refresh();
    if (this.blocks.mayBeDue()) await this.blocks.process(since);
    // With blocks of their own, other transactions must not meet payers that they do not need.
    if (!this.#minesAtOnce) {
      await this.#parts?.patches.arrange(this.#waiting.actors);
    }
  }

  /** Whether the end of this block has to change the validator set. */
  async #setChanged(): Promise<boolean> {
    const { setChangedAt } = await this.#load();
    const word = String(
      await this.node.ask("eth_getStorageAt", [
        this.#staking,
        setChangedAt.slot,
        "latest",
      ]),
    );
    return word.slice(-2 - 2 * setChangedAt.offset).startsWith("01");
  }

  async snapshot(pass: () => Promise<unknown>): Promise<unknown> {
    await this.#parts?.patches.arrange(this.#waiting.actors);
    const id = await pass();
    this.#snapshots.set(String(id), {
      installed: this.#installed,
      patches: this.#parts?.patches.save(),
      waiting: this.#waiting.save(),
      blocks: this.blocks.save(),
    });
    return id;
  }

  async revert(id: unknown, pass: () => Promise<unknown>): Promise<unknown> {
    const done = await pass();
    const saved = this.#snapshots.get(String(id));
    if (done !== true || saved === undefined) return done;
    this.#snapshots.delete(String(id));
    this.#installed = saved.installed;
    this.#parts?.patches.restore(saved.patches ?? new Map());
    this.#waiting.restore(saved.waiting);
    this.blocks.restore(saved.blocks);
    return done;
  }

  /** The state is another one, or gone. */
  forget(): void {
    this.#installed = false;
    this.#parts?.patches.restore(new Map());
    this.#waiting.clear();
    this.#snapshots.clear();
  }

  /** The user sets the code of an account. */
  async giveUp(account: unknown): Promise<void> {
    if (typeof account === "string")
      this.#parts?.patches.forget(account.toLowerCase());
  }

  /** An account's code without what the emulation has put there; the chain's precompiles have none. */
  async shownCode(
    account: unknown,
    code: string,
    block: unknown,
  ): Promise<string> {
    if (
      code === "0x" ||
      this.#parts === undefined ||
      typeof account !== "string"
    )
      return code;
    const { emulator, patches } = this.#parts;
    if (emulator.codes.get(account.toLowerCase()) === code) return "0x";
    return (await patches.originalOf(code, block)) ?? code;
  }

  /** Runs something that the chain does by itself, after the head's block. */
  async act(method: string, args: readonly unknown[]): Promise<void> {
    await this.ensure();
    await this.system.run(method, args);
    await this.blocks.refresh();
    if (this.blocks.due !== undefined) await this.blocks.process();
  }

  /** Mines one block at the time, or at the next possible one if that has passed. */
  async mineAt(time: bigint): Promise<void> {
    const head = await this.node.head();
    const at = time > head.timestamp ? time : head.timestamp + 1n;
    if (at > 2n ** 63n) throw new DualstackError("that time is out of reach");
    await this.node.ask("evm_setNextBlockTimestamp", [`0x${at.toString(16)}`]);
    await this.mine(() => this.node.ask("evm_mine"));
  }
}
