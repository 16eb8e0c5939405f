// First: every request of a simulated connection comes in here, and most leave
// at once.

import { AsyncLocalStorage } from "node:async_hooks";

import type { RpcProvider, RpcRequest } from "../rpc/provider.js";
import { isRecord, toQuantity } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import { Access, seesCodes } from "./access.js";
import type { AccountAction, ActionOutcome } from "./action.js";
import type { Act } from "./acts.js";
import { Answers } from "./answers.js";
import type { MinedFrames, Watched } from "./block-end/settling.js";
import { LocalChain } from "./chain.js";
import { Codes } from "./foresight/codes.js";
import { LocalnetControl } from "./control/control.js";
import { controlMethod } from "./control/methods.js";
import type { BlockBegin } from "./fork/begin.js";
import type { Foreseeable } from "./fork/foreseen.js";
import type { LiveOptions } from "./fork/live-books.js";
import type { LiveReader } from "../live-state/reader.js";
import { kindOf, type MethodKind } from "./request/methods.js";
import type { PassOn } from "./request/calls.js";
import { nameFrames } from "./named-frames.js";
import { LocalNode } from "./node/node.js";
import type { LocalnetSettings } from "./settings/settings.js";
import { Transactions } from "./transactions.js";
import type { Tracer } from "./node/tracer.js";

/** The simulated network of an engine, and how to reach it. */
export interface EngineOptions {
  /**
   * The connection's provider. The engine's own requests through it come back
   * to {@link LocalEngine.handle}, and pass.
   */
  readonly provider: RpcProvider;
  readonly settings: LocalnetSettings;
  /** Whether a timer mines blocks from the start. */
  readonly intervalMining?: boolean;
  /**
   * Whether the node forks any chain: the modules then begin at its newest
   * block, not at block 0.
   */
  readonly forked?: boolean;
  /**
   * The gas limit, in gas units, of transactions whose sender gives none; by
   * default it is estimated.
   */
  readonly defaultGas?: bigint;
  /**
   * Whether the node's estimate may be too low for a call inside a transaction,
   * as long as the transaction succeeds.
   */
  readonly estimatesLoosely?: boolean;
  /**
   * Whether the node is known to have no tracer but its default one; by default
   * the engine finds out.
   */
  readonly onlyInstructions?: boolean;
  /** A better way to trace calls than the node's JSON-RPC. */
  readonly tracer?: Tracer;
}

/**
 * Requests that see codes, or have transactions mined that do, without
 * arranging payers' codes for them.
 */
const UNVEILING: ReadonlySet<MethodKind> = new Set([
  "mine",
  "automine",
  "interval",
]);

// Requests that the engine makes, and those that Hardhat's own handlers make on
// behalf of one, belong to the request that holds the lock. One storage serves
// all connections, because loading it slows every promise down.
const inside = new AsyncLocalStorage<LocalEngine>();

/**
 * The emulated modules on one simulated network. Every request of the
 * connection goes through {@link handle}, unless {@link passes} lets it by.
 */
export class LocalEngine {
  readonly control: LocalnetControl;
  readonly settings: LocalnetSettings;

  readonly #chain: LocalChain;
  readonly #codes: Codes;
  readonly #access: Access;
  readonly #answers: Answers;
  readonly #transactions: Transactions;

  constructor({
    provider,
    settings,
    intervalMining = false,
    forked = false,
    defaultGas,
    estimatesLoosely = false,
    onlyInstructions = false,
    tracer,
  }: EngineOptions) {
    const node = new LocalNode(
      {
        request: (request) => inside.run(this, () => provider.request(request)),
      },
      onlyInstructions,
      tracer,
    );
    this.settings = settings;
    this.#codes = new Codes(
      node,
      (address) => this.#chain.accounts.precompiles.has(address),
      async (code, block) => await this.#chain.veils.originalOf(code, block),
    );
    this.#chain = new LocalChain(node, settings, this.#codes, {
      intervalMining,
      forked,
      estimatesLoosely,
    });
    this.#access = new Access(this.#chain, this.#codes, node);
    this.#answers = new Answers(this.#chain, this.#access, node);
    this.#transactions = new Transactions(
      this.#chain,
      this.#access,
      this.#codes,
      node,
      defaultGas,
    );
    this.control = new LocalnetControl(this.#chain, settings, (task) =>
      this.#access.change(task),
    );
  }

  /**
   * Installs the modules now; otherwise the first request that can meet them
   * does.
   */
  async install(): Promise<void> {
    await this.#access.ensure();
  }

  /**
   * Makes the network a fork of the live chain, whose books are read as
   * requests meet them.
   *
   * @param head height of the fork before anything happened on it
   */
  fork(live: LiveOptions, head: bigint): void {
    this.#chain.fork(live, head);
  }

  /**
   * Reads the forked chain at the fork's block; `undefined` on any network that
   * is not a fork of the live chain.
   */
  get live(): LiveReader | undefined {
    return this.#chain.live?.reader;
  }

  /**
   * Lets the fork go on with the chain's own next block, which begins as on the
   * chain. To be called before anything else.
   */
  beginNextBlock(): void {
    this.#chain.live?.books.beginNextBlock();
  }

  /**
   * Announces transactions of the live chain that are about to be mined, so
   * that what its node knows of them is read together with the rest. To be
   * called before the modules are installed.
   *
   * @param time of their block, in seconds since 1970
   */
  foresee(transactions: readonly Foreseeable[], time: bigint): void {
    this.#chain.live?.books.foreseen.announce(transactions, time);
  }

  /**
   * Returns what the chain's next block began with, as far as the node's stores
   * told it and requests needed it.
   */
  get begin(): BlockBegin | undefined {
    return this.#chain.live?.begin;
  }

  /** Mines one block of transactions; see {@link LocalChain.mineSigned}. */
  async mineSigned(
    transactions: readonly (string | Readonly<Record<string, unknown>>)[],
  ): Promise<Watched> {
    return await this.#access.change(async () => {
      try {
        return await this.#chain.mineSigned(transactions);
      } finally {
        this.#codes.forget();
      }
    });
  }

  /**
   * Returns the transactions of a block, each with its frames, which include
   * the emulation's own calls.
   */
  async runsIn(block: bigint): Promise<readonly MinedFrames[]> {
    return await this.#access.shared(() => this.#chain.runsIn(block));
  }

  /** Whether an account is a module's precompile. */
  isModule(address: string): boolean {
    return this.#chain.accounts.isModule(address);
  }

  /**
   * Returns what the modules did in a mined transaction.
   *
   * @param transaction as JSON-RPC returns it
   */
  async actsOf(
    transaction: Readonly<Record<string, unknown>>,
  ): Promise<readonly Act[]> {
    return await this.#access.shared(() => this.#chain.actsOf(transaction));
  }

  /**
   * Whether a request can go past the engine as it is. Most can, and pay for
   * this test only. It takes no lock: a request that comes later reaches the
   * node later too.
   */
  passes(method: string, params: readonly unknown[]): boolean {
    const kind = kindOf(method);
    if (kind === "free")
      return (
        !this.#access.closed &&
        !method.startsWith("dualstack_") &&
        (!this.#chain.trials.running || inside.getStore() === this)
      );
    if (inside.getStore() === this)
      return kind !== "estimate" || this.#transactions.gas === undefined;
    if (this.#access.closed || this.#chain.mining.byTimer || !this.#access.free)
      return false;
    switch (kind) {
      case "account":
        return (
          !this.#chain.accounts.owns(params[0]) &&
          !(method === "eth_getProof" && this.#chain.veils.stand) &&
          (this.#chain.live === undefined || method !== "eth_getBalance")
        );
      case "call":
        return (
          params[2] === undefined &&
          (params[1] === undefined || params[1] === "latest") &&
          this.#isPlain(params[0])
        );
      case "estimate":
        return this.#isPlain(params[0]);
      case "send":
        // What another transaction undoes must not include this one.
        return (
          !this.#chain.trials.possible &&
          this.#chain.still &&
          this.#isPlain(params[0])
        );
      default:
        return false;
    }
  }

  // Whether a request's target is known to call no other account, or only to
  // read where everything is in place.
  #isPlain(request: unknown): boolean {
    const facts = this.#codes.known(request);
    if (facts === undefined || (this.#chain.veils.stand && seesCodes(facts)))
      return false;
    const { reach } = facts;
    return (
      reach === "nothing" ||
      reach === "itself" ||
      (reach === "reads" &&
        this.#chain.installation.isReady &&
        this.#chain.live === undefined)
    );
  }

  /**
   * Handles a request of the connection.
   *
   * @param passOn passes it on to the node as it is
   * @throws DualstackError when the connection is closed, or the request cannot
   * run as on the chain
   */
  async handle(
    { method, params }: RpcRequest,
    passOn: PassOn,
  ): Promise<unknown> {
    if (inside.getStore() === this) {
      const gas =
        method === "eth_estimateGas"
          ? await this.#transactions.gas?.limit()
          : undefined;
      return gas === undefined ? await passOn() : toQuantity(gas);
    }
    if (this.#access.closed)
      throw new DualstackError("the connection is closed");
    const list: readonly unknown[] = Array.isArray(params) ? params : [];
    const pass = () => inside.run(this, passOn);
    const kind = kindOf(method);
    if (kind === "free") {
      const control = method.startsWith("dualstack_")
        ? controlMethod(this.control, method)
        : undefined;
      if (control !== undefined) return await control(list);
      return this.#chain.trials.running
        ? await this.#access.shared(passOn)
        : await passOn();
    }
    if (this.#chain.mining.byTimer)
      await this.#access.change(() => this.#chain.catchUp());
    if (UNVEILING.has(kind) || method === "eth_getProof")
      await this.#access.unveil();
    switch (kind) {
      case "account":
        return await this.#answers.account(method, list, pass);
      case "code":
        return await this.#answers.code(list, pass);
      case "call":
        return await this.#answers.call(list, pass);
      case "estimate":
        return await this.#transactions.estimate(method, list, pass);
      case "send":
        return await this.#transactions.sendCall(
          isRecord(list[0]) ? list[0] : {},
          pass,
        );
      case "raw":
        return await this.#transactions.sendRaw(list[0], pass);
      case "read":
        return await this.#access.shared(pass);
      case "watch":
        this.#chain.trials.watch();
        return await this.#access.shared(pass);
      case "mine":
        return await this.#access.change(() =>
          this.#chain.mine(pass, method !== "evm_mine" || list.length === 0),
        );
      case "clock":
        return await this.#access.change(async () => {
          this.#chain.blocks.forgetTime();
          return await pass();
        });
      case "snapshot":
        return await this.#access.change(async () => {
          const id = await this.#chain.snapshot(pass);
          this.#codes.save(id);
          return id;
        });
      case "revert":
        return await this.#access.change(async () => {
          const done = await this.#chain.revert(list[0], pass);
          if (done === true) this.#codes.restore(list[0]);
          return done;
        });
      case "automine":
        return await this.#access.change(async () => {
          const result = await pass();
          this.#chain.mining.automine = list[0] === true;
          return result;
        });
      case "interval":
        return await this.#access.change(async () => {
          const result = await pass();
          this.#chain.mining.byTimer = list[0] !== 0 && list[0] !== "0x0";
          return result;
        });
      case "set":
        return await this.#set(list, method, pass);
      case "reset":
        return await this.#access.change(async () => {
          const result = await pass();
          this.#codes.clear();
          this.#chain.forget();
          return result;
        });
      case "change":
        return await this.#access.change(pass);
    }
  }

  /**
   * Names the frames of an error's stack trace that Hardhat does not know:
   * precompiles, and proxies that stood in for contracts.
   */
  nameFrames(error: unknown): void {
    nameFrames(error, (address) => this.#chain.frameName(address));
  }

  /**
   * Sends a request to the node itself, past the emulation, while nothing
   * changes there.
   *
   * @throws DualstackError when a fork cannot read what the request meets
   */
  async read(method: string, params: readonly unknown[]): Promise<unknown> {
    return await this.#answers.direct(method, params);
  }

  /** Runs an account's action outside the EVM; see {@link LocalChain.actAs}. */
  async act(action: AccountAction, dry?: boolean): Promise<ActionOutcome> {
    return await this.#access.change(
      async () => await this.#chain.actAs(action, dry),
    );
  }

  /** Waits for running requests, and refuses later ones. */
  async close(): Promise<void> {
    await this.#access.close();
    this.#chain.forget();
    this.#codes.clear();
  }

  async #set(
    list: readonly unknown[],
    method: string,
    pass: PassOn,
  ): Promise<unknown> {
    if (
      method === "hardhat_setBalance" &&
      this.#chain.accounts.isBooked(list[0])
    ) {
      throw new DualstackError(
        "the balance of a module's account is what its books say, and cannot be set",
        {
          address: String(list[0]),
          fix: "Delegate, deposit or fund the community pool instead, or use dualstack.localnet.",
        },
      );
    }
    return await this.#access.change(async () => {
      this.#chain.trials.writes++;
      if (this.#chain.accounts.owns(list[0]))
        await this.#chain.installation.ensure();
      if (method === "hardhat_setBalance")
        return await this.#chain.setBalance(list[0], pass);
      if (method !== "hardhat_setCode") return await pass();
      this.#chain.veils.giveUp(list[0]);
      try {
        return await pass();
      } finally {
        this.#codes.forget();
      }
    });
  }
}
