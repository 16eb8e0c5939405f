// First: every request of a simulated connection comes in here, and most leave
// at once.

import { AsyncLocalStorage } from "node:async_hooks";

import type { RpcProvider, RpcRequest } from "../rpc/provider.js";
import { isRecord, toQuantity } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import type { AccountAction, ActionOutcome } from "./action.js";
import type { Act } from "./acts.js";
import type { MinedFrames, Watched } from "./block-end/settling.js";
import { LocalChain } from "./chain.js";
import type { CodeFacts, Reach } from "./foresight/code.js";
import { Codes } from "./foresight/codes.js";
import type { SentGas } from "./foresight/sent-gas.js";
import { LocalnetControl } from "./control/control.js";
import { controlMethod } from "./control/methods.js";
import type { BlockBegin } from "./fork/begin.js";
import type { Foreseeable } from "./fork/foreseen.js";
import type { LiveOptions } from "./fork/live-books.js";
import type { LiveReader } from "../live-state/reader.js";
import { ReadWriteLock } from "./lock.js";
import { kindOf, type MethodKind } from "./request/methods.js";
import type { CallRequest } from "./request/calls.js";
import { nameFrames } from "./named-frames.js";
import { LocalNode } from "./node/node.js";
import { NO_PLAN } from "./arrangement/plan.js";
import { callOf, gasPriceOf, mergeOverrides } from "./request/call-of.js";
import { readRawTransaction } from "./request/raw-transaction.js";
import { valueOf } from "./request/outcome.js";
import type { LocalnetSettings } from "./settings/settings.js";
import type { Ran } from "./trials.js";
import type { Tracer } from "./node/tracer.js";

/** Passes a request on to the simulated node. */
export type PassOn = () => Promise<unknown>;

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

/** Whether code that this can do may see where a payer's code stands. */
const seesCodes = ({ reach, codes }: Pick<CodeFacts, "reach" | "codes">) =>
  codes || reach === "reads" || reach === "others";

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
  readonly #node: LocalNode;
  readonly #lock = new ReadWriteLock();
  readonly #codes: Codes;
  readonly #defaultGas: Pick<CallRequest, "gas">;
  /** Answers Hardhat's own estimate of a transaction that was just traced. */
  #gas: SentGas | undefined;
  #firstAccount: string | undefined;
  #closed = false;

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
    this.#node = node;
    this.settings = settings;
    this.#defaultGas =
      defaultGas === undefined ? {} : { gas: toQuantity(defaultGas) };
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
    this.control = new LocalnetControl(this.#chain, settings, (task) =>
      this.#change(task),
    );
  }

  /**
   * Installs the modules now; otherwise the first request that can meet them
   * does.
   */
  async install(): Promise<void> {
    await this.#lock.exclusive(() => this.#chain.installation.ensure());
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
    this.#chain.live?.books.foresee(transactions, time);
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
    return await this.#change(async () => {
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
    return await this.#lock.shared(() => this.#chain.runsIn(block));
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
    return await this.#lock.shared(() => this.#chain.actsOf(transaction));
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
        !this.#closed &&
        !method.startsWith("dualstack_") &&
        (!this.#chain.trials.running || inside.getStore() === this)
      );
    if (inside.getStore() === this)
      return kind !== "estimate" || this.#gas === undefined;
    if (this.#closed || this.#chain.mining.byTimer || !this.#lock.free)
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
        method === "eth_estimateGas" ? await this.#gas?.limit() : undefined;
      return gas === undefined ? await passOn() : toQuantity(gas);
    }
    if (this.#closed) throw new DualstackError("the connection is closed");
    const list: readonly unknown[] = Array.isArray(params) ? params : [];
    const pass = () => inside.run(this, passOn);
    const kind = kindOf(method);
    if (kind === "free") {
      const control = method.startsWith("dualstack_")
        ? controlMethod(this.control, method)
        : undefined;
      if (control !== undefined) return await control(list);
      return this.#chain.trials.running
        ? await this.#lock.shared(passOn)
        : await passOn();
    }
    if (this.#chain.mining.byTimer)
      await this.#change(() => this.#chain.catchUp());
    if (UNVEILING.has(kind) || method === "eth_getProof") await this.#unveil();
    switch (kind) {
      case "account":
        return await this.#readAccount(method, list, pass);
      case "code":
        return await this.#readCode(list, pass);
      case "call":
        return await this.#call(list, passOn);
      case "estimate":
        return await this.#estimate(method, list, pass);
      case "send":
        return await this.#sendCall(isRecord(list[0]) ? list[0] : {}, pass);
      case "raw":
        return await this.#sendRaw(list[0], pass);
      case "read":
        return await this.#lock.shared(pass);
      case "watch":
        this.#chain.trials.watch();
        return await this.#lock.shared(pass);
      case "mine":
        return await this.#change(() =>
          this.#chain.mine(pass, method !== "evm_mine" || list.length === 0),
        );
      case "clock":
        return await this.#change(async () => {
          this.#chain.blocks.forgetTime();
          return await pass();
        });
      case "snapshot":
        return await this.#change(async () => {
          const id = await this.#chain.snapshot(pass);
          this.#codes.save(id);
          return id;
        });
      case "revert":
        return await this.#change(async () => {
          const done = await this.#chain.revert(list[0], pass);
          if (done === true) this.#codes.restore(list[0]);
          return done;
        });
      case "automine":
        return await this.#change(async () => {
          const result = await pass();
          this.#chain.mining.automine = list[0] === true;
          return result;
        });
      case "interval":
        return await this.#change(async () => {
          const result = await pass();
          this.#chain.mining.byTimer = list[0] !== 0 && list[0] !== "0x0";
          return result;
        });
      case "set":
        return await this.#set(list, method, pass);
      case "reset":
        return await this.#change(async () => {
          const result = await pass();
          this.#codes.clear();
          this.#chain.forget();
          return result;
        });
      case "change":
        return await this.#change(pass);
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
    const { live } = this.#chain;
    const [subject, named] = params;
    const block = live === undefined ? named : await this.#numbered(named);
    if (live !== undefined && method === "eth_call")
      await this.#change(() => live.meet(callOf(subject), block));
    if (live !== undefined && method === "eth_getBalance")
      await this.#change(() => live.meetBalance(subject, block));
    return await this.#lock.shared(
      async () => await this.#node.ask(method, [...params]),
    );
  }

  /** Runs an account's action outside the EVM; see {@link LocalChain.actAs}. */
  async act(action: AccountAction, dry?: boolean): Promise<ActionOutcome> {
    return await this.#change(async () => await this.#chain.actAs(action, dry));
  }

  /** Waits for running requests, and refuses later ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#lock.exclusive(async () => undefined);
    this.#chain.forget();
    this.#codes.clear();
  }

  /**
   * Runs a task alone.
   *
   * @throws DualstackError when the connection was closed
   */
  async #change<T>(task: () => Promise<T>): Promise<T> {
    return await this.#lock.exclusive(async () => {
      if (this.#closed)
        throw new DualstackError(
          "the connection was closed before this request was handled",
        );
      return await task();
    });
  }

  /**
   * Returns how far a request can reach. On a fork, even a read may meet books
   * that must be read first. Whatever arranges no payers' codes for itself
   * meets none of the last transaction's.
   *
   * @param arranges whether requests that reach others arrange them
   */
  async #reach(
    call: CallRequest,
    arranges: boolean,
    block?: unknown,
  ): Promise<Reach> {
    const facts = await this.#codes.called(call, block);
    const { reach } = facts;
    if (!(arranges && reach === "others") && seesCodes(facts))
      await this.#unveil();
    return reach === "reads" && this.#chain.live !== undefined
      ? "others"
      : reach;
  }

  /** Removes the payers' codes that the last transaction left. */
  async #unveil(): Promise<void> {
    if (this.#chain.veils.stand)
      await this.#change(() => this.#chain.veils.remove());
  }

  /** Replaces a block hash (EIP-1898) by the block's number, if it exists. */
  async #numbered(block: unknown): Promise<unknown> {
    if (!isRecord(block) || block.blockHash === undefined) return block;
    const found = await this.#lock.shared(async () =>
      this.#node.ask("eth_getBlockByHash", [block.blockHash, false]),
    );
    return isRecord(found) ? found.number : block;
  }

  /** Installs the modules, unless they are. */
  async #ensure(): Promise<void> {
    if (!this.#chain.installation.done) await this.install();
  }

  /** Installs the modules with all that their gas depends on. */
  async #ready(): Promise<void> {
    if (!this.#chain.installation.isReady)
      await this.#lock.exclusive(() => this.#chain.installation.ready());
  }

  /** Does so only if this request can meet the modules. */
  async #readyFor(call: CallRequest): Promise<void> {
    const without = async () =>
      await this.#chain.preparation.planOfPlain(call, "pending");
    if (
      !this.#chain.installation.isReady &&
      (await this.#lock.shared(without)) === undefined
    )
      await this.#ready();
  }

  async #readAccount(
    method: string,
    list: readonly unknown[],
    pass: PassOn,
  ): Promise<unknown> {
    const { live } = this.#chain;
    if (this.#chain.accounts.owns(list[0])) await this.#ensure();
    else if (live !== undefined && method === "eth_getBalance") {
      const block = await this.#numbered(list[1]);
      await this.#change(() => live.meetBalance(list[0], block));
    }
    return await this.#lock.shared(pass);
  }

  async #readCode(list: readonly unknown[], pass: PassOn): Promise<unknown> {
    return await this.#lock.shared(async () => {
      const code = await pass();
      return typeof code === "string"
        ? await this.#chain.veils.shownCode(list[0], code, list[1] ?? "latest")
        : code;
    });
  }

  async #call(list: readonly unknown[], passOn: PassOn): Promise<unknown> {
    const pass = () => inside.run(this, passOn);
    const call = callOf(list[0], true);
    const block = await this.#numbered(list[1] ?? "latest");
    const { live } = this.#chain;
    const reach = await this.#reach(call, false, block);
    const given = isRecord(list[2]) ? list[2] : undefined;
    const overrides = await this.#chain.veils.removedAt(block, given);
    if (overrides === undefined) {
      const isPlain = reach === "nothing" || reach === "itself";
      if (isPlain) return await this.#lock.shared(pass);
      const without = await this.#lock.shared(() =>
        this.#chain.preparation.answer(call, list[0], block, pass),
      );
      if (without !== undefined) return without.value;
      const answered = await this.#lock.shared(
        async () => await live?.answer(call, list[0], block),
      );
      if (answered !== undefined) return answered.value;
    }
    if (live !== undefined) await this.#change(() => live.meet(call, block));
    else if (call.gas === undefined && this.#chain.preparation.isView(call))
      await this.#ensure();
    else await this.#ready();
    const genesis = this.#chain.installation.genesisAt(block);
    if (genesis !== undefined) {
      const merged = mergeOverrides(genesis, overrides);
      return await this.#lock.shared(
        async () => await this.#node.ask("eth_call", [list[0], block, merged]),
      );
    }
    if (overrides === undefined && reach === "reads")
      return await this.#lock.shared(pass);
    return await this.#lock.shared(async () => {
      const amended = await this.#chain.preparation.amend(
        call,
        block,
        overrides !== undefined,
      );
      if (amended === undefined) return await pass();
      const request = amended.call ?? list[0];
      return await this.#node.ask("eth_call", [
        request,
        block,
        mergeOverrides(amended.overrides, overrides),
      ]);
    });
  }

  async #estimate(
    method: string,
    list: readonly unknown[],
    pass: PassOn,
  ): Promise<unknown> {
    const call = callOf(list[0]);
    if (isRecord(list[2])) {
      await this.#unveil();
      await this.#ready();
      return await this.#lock.shared(pass);
    }
    const reach = await this.#reach(call, true);
    if (reach !== "others") {
      if (reach === "reads") await this.#readyFor(call);
      return await this.#lock.shared(pass);
    }
    if (this.#chain.trials.isPlain(call)) await this.#unveil();
    const without = await this.#lock.shared(() =>
      this.#chain.preparation.estimate(call, list[1] ?? "pending", pass),
    );
    if (without !== undefined) return without.value;
    return await this.#lock.exclusive(async () => {
      const block = list[1] ?? "pending";
      let full = await this.#withSender(call);
      try {
        let plan = await this.#chain.preparation.prepare(
          full,
          block,
          "estimate",
        );
        const price = plan.unsure
          ? gasPriceOf(list[0], await this.#node.baseFee())
          : undefined;
        if (price !== undefined) {
          full = { ...full, gasPrice: toQuantity(price) };
          plan = await this.#chain.preparation.prepare(full, block, "estimate");
        }
        this.#chain.preparation.learn(call, plan);
        const gas =
          method === "eth_estimateGas"
            ? await this.#chain.estimates.of(full, block, plan)
            : undefined;
        return gas === undefined ? await pass() : toQuantity(gas);
      } finally {
        await this.#chain.release();
      }
    });
  }

  async #sendCall(
    transaction: Record<string, unknown>,
    pass: PassOn,
  ): Promise<unknown> {
    // Read before Hardhat's handlers fill in what is missing.
    const call = { ...this.#defaultGas, ...callOf(transaction) };
    const setsCode = transaction.authorizationList !== undefined;
    return await this.#send(
      call,
      setsCode,
      async () => await this.#withSender(call),
      pass,
    );
  }

  async #sendRaw(raw: unknown, pass: PassOn): Promise<unknown> {
    const transaction = readRawTransaction(raw);
    if (transaction === undefined) return await this.#change(pass);
    const { to, data, value, gas, setsCode, recovery } = transaction;
    const call: CallRequest = {
      ...(to === undefined ? {} : { to }),
      data,
      value,
      gas,
    };
    const withSender = async () => ({
      ...call,
      from: await this.#node.recover(recovery()),
    });
    return await this.#send(call, setsCode, withSender, pass);
  }

  async #send(
    call: CallRequest,
    setsCode: boolean,
    withSender: () => Promise<CallRequest>,
    pass: PassOn,
  ): Promise<unknown> {
    const reach = setsCode ? "others" : await this.#reach(call, true);
    if (reach === "reads") await this.#readyFor(call);
    if (reach !== "others" && this.#chain.idle) {
      // Nothing is to be arranged or removed: such requests may run
      // concurrently.
      try {
        return await this.#lock.shared(pass);
      } finally {
        if (call.to === undefined) this.#codes.forgetEmpty();
        if (this.#chain.mayBeDue())
          await this.#change(() => this.#chain.endBlocks());
      }
    }
    return await this.#lock.exclusive(async () => {
      if (this.#closed)
        throw new DualstackError(
          "the connection was closed before this transaction was sent",
        );
      const mayReach = reach === "others" && !setsCode;
      const ran = mayReach
        ? await this.#chain.sendWithout(call, pass)
        : undefined;
      if (ran !== undefined) {
        await this.#keepCodes(ran);
        return valueOf(ran.outcome);
      }
      let plan = NO_PLAN;
      try {
        if (setsCode) {
          // A trace does not know the code that the transaction sets.
          await this.#chain.installation.ready();
          plan = { ...NO_PLAN, unsure: true };
        } else if (mayReach) {
          const full = await withSender();
          plan = await this.#chain.preparation.prepare(full, "pending", "send");
          this.#chain.preparation.learn(call, plan);
          this.#gas = this.#chain.preparation.gasOf(full, plan);
        }
        return await this.#chain.send(call, plan, pass, this.#gas);
      } finally {
        this.#gas = undefined;
        await this.#chain.release();
        if (setsCode || plan.destroys) this.#codes.forget();
        else if (call.to === undefined || plan.creates)
          this.#codes.forgetEmpty();
      }
    });
  }

  /** Forgets what is no longer true of codes after a transaction. */
  async #keepCodes({ called }: Ran): Promise<void> {
    let creates = false;
    let destroys = false;
    for (const account of called) {
      const facts = await this.#codes.of(account);
      creates ||= facts.creates;
      destroys ||= facts.destroys;
    }
    if (destroys) this.#codes.forget();
    else if (creates) this.#codes.forgetEmpty();
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
    return await this.#change(async () => {
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

  /** Fills in the node's first account as the sender, as Hardhat does. */
  async #withSender(call: CallRequest): Promise<CallRequest> {
    if (call.from !== undefined) return call;
    if (this.#firstAccount === undefined) {
      const accounts = await this.#node.ask("eth_accounts");
      this.#firstAccount =
        Array.isArray(accounts) && typeof accounts[0] === "string"
          ? accounts[0]
          : undefined;
    }
    return this.#firstAccount === undefined
      ? call
      : { ...call, from: this.#firstAccount };
  }
}
