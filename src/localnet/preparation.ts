// Before a request runs: finds out whether it reaches the emulation, and what it
// needs if it does.

import { toQuantity } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import {
  type Amendment,
  constructionAsCall,
  constructionCorrection,
  isConstruction,
  type Overrides,
} from "./arrangement/construction.js";
import type { Limits } from "./arrangement/limits.js";
import type { Parts } from "./arrangement/parts.js";
import { SeenPayment } from "./arrangement/payments.js";
import { NO_PLAN, type Plan } from "./arrangement/plan.js";
import type { Veils } from "./arrangement/veils.js";
import type { WaitingTransactions } from "./block-end/waiting.js";
import { factsOf } from "./foresight/code.js";
import type { Codes } from "./foresight/codes.js";
import { isView } from "./foresight/effects.js";
import type { Estimates } from "./foresight/estimates.js";
import { SentGas } from "./foresight/sent-gas.js";
import { type Frame, inspect } from "./foresight/trace.js";
import type { LiveChain } from "./fork/live-chain.js";
import type { Installation } from "./installation.js";
import type { EmulatedAccounts } from "./modules/emulated-accounts.js";
import type { Mining } from "./node/mining.js";
import type { LocalNode } from "./node/node.js";
import type { CallRequest } from "./request/calls.js";
import { valueOf } from "./request/outcome.js";
import type { Trials } from "./trials.js";

/** What {@link Preparation} needs of the emulated chain. */
export interface PreparationHost {
  readonly node: LocalNode;
  readonly codes: Codes;
  readonly accounts: EmulatedAccounts;
  readonly waiting: WaitingTransactions;
  readonly limits: Limits;
  readonly estimates: Estimates;
  readonly trials: Trials;
  /**
   * Whether the node's estimate may be too low for a call inside a transaction,
   * as long as the transaction succeeds.
   */
  readonly estimatesLoosely: boolean;
  readonly mining: Mining;
  readonly veils: Veils;
  readonly installation: Installation;
  readonly parts: Parts;
  /** Returns the live chain's state on a fork of the chain. */
  live(): LiveChain | undefined;
  /** Makes the next block's timestamp the one that traces see. */
  fixNextTime(): Promise<void>;
}

/**
 * Finds requests that reach nothing of the emulation, which are called plain
 * here, and prepares the others.
 */
export class Preparation {
  readonly #host: PreparationHost;

  constructor(host: PreparationHost) {
    this.#host = host;
  }

  /**
   * Answers a call that reaches nothing of the emulation; `undefined` if it
   * may. A node that lists the calls of a request while it runs need not trace
   * it in advance.
   *
   * @throws the call's own error
   */
  async answer(
    call: CallRequest,
    request: unknown,
    block: unknown,
    pass: () => Promise<unknown>,
  ): Promise<{ readonly value: unknown } | undefined> {
    const host = this.#host;
    if (
      !host.node.tellsCalls ||
      call.to === undefined ||
      host.live() !== undefined
    )
      return (await this.planOfPlain(call, block)) === undefined
        ? undefined
        : { value: await pass() };
    if (host.trials.expectsMore(call)) return undefined;
    // On the chain a precompile's account has no code.
    const hidden = Object.fromEntries(
      [...host.accounts.precompiles].map((one) => [one, { code: "0x" }]),
    );
    const ran = await host.trials.read(
      call,
      host.installation.done
        ? async () => await host.node.ask("eth_call", [request, block, hidden])
        : pass,
    );
    host.trials.learn(call, ran === undefined);
    return ran === undefined ? undefined : { value: valueOf(ran.outcome) };
  }

  /**
   * Lets the node estimate a transaction that reaches nothing of the emulation;
   * `undefined` if it may, in the estimate or in its block.
   *
   * @throws the node's error
   */
  async estimate(
    call: CallRequest,
    block: unknown,
    pass: () => Promise<unknown>,
  ): Promise<{ readonly value: unknown } | undefined> {
    const host = this.#host;
    if (host.live() !== undefined || !host.trials.isPlain(call))
      return undefined;
    const ran = await host.trials.read(call, pass);
    return ran === undefined ||
      (await this.#planOf([...ran.called], [], block)) === undefined
      ? undefined
      : { value: valueOf(ran.outcome) };
  }

  /**
   * Returns the plan of a request that reaches nothing of the emulation;
   * `undefined` if it may. Tried while the modules are not installed, so that
   * only requests that need them wait for that, and for estimates where the
   * node lists calls for less than a trace.
   */
  async planOfPlain(
    call: CallRequest,
    block: unknown,
    purpose: "send" | "estimate" = "send",
  ): Promise<Plan | undefined> {
    const host = this.#host;
    const isSure = host.accounts.owns(call.to);
    const isNeeded =
      host.installation.done &&
      (purpose === "send" || host.live() !== undefined);
    if (isNeeded || isSure) return undefined;
    const calls =
      call.to === undefined ? undefined : await host.node.calls(call, block);
    if (calls !== undefined)
      return await this.#planOf(
        calls.map(({ to }) => to),
        [],
        block,
      );
    if (host.installation.done) return undefined;
    let root: Frame;
    try {
      root = await host.node.frames(call, block);
    } catch {
      // The balance may not cover the value, for example: the request itself
      // will report that.
      return NO_PLAN;
    }
    const { called, made } = inspect(root, host.accounts);
    const plan = await this.#planOf([...called], made, block);
    // The gas estimate comes from these frames.
    return plan === undefined ? undefined : { ...plan, root };
  }

  /**
   * Returns the plan of a request with these calls; `undefined` if one reaches
   * the emulation, or may do so in the run that counts.
   */
  async #planOf(
    called: readonly string[],
    made: readonly string[],
    block: unknown,
  ): Promise<Plan | undefined> {
    const host = this.#host;
    if (called.some((account) => host.accounts.all.has(account)))
      return undefined;
    const facts = made.map(factsOf);
    for (const account of called)
      facts.push(await host.codes.of(account, block));
    // Where traces are slow, the modules are not installed for what merely may
    // differ, such as a timestamp.
    const mayDiffer = facts.some(({ varies, fees, foreignBalances }) =>
      host.node.tracesQuickly ? varies : fees || foreignBalances,
    );
    return mayDiffer
      ? undefined
      : { ...NO_PLAN, creates: facts.some(({ creates }) => creates) };
  }

  /**
   * Traces a transaction and arranges what it needs until the chain releases it;
   * installs the modules if it needs them.
   *
   * @throws DualstackError when the transaction cannot run as on the chain
   */
  async prepare(
    call: CallRequest,
    block: unknown,
    purpose: "send" | "estimate",
  ): Promise<Plan> {
    const host = this.#host;
    const without = await this.planOfPlain(call, block, purpose);
    if (
      without !== undefined &&
      (purpose === "estimate" || (await this.#foresees(call, block, without)))
    )
      return without;
    await host.installation.ensure();
    await host.live()?.meet(call, block);
    const { planner, emulator } = await host.parts.load();
    const look = async () =>
      await planner.prepare(call, block, host.veils.standing, purpose);
    let { plan, seen } = await look();
    if (!host.installation.isReady && this.#callsPrecompile(plan)) {
      await host.installation.ready();
      ({ plan, seen } = await look());
    }
    const { owing, root, called } = plan;
    for (const account of host.waiting.owing) {
      if (called.has(account)) {
        throw new DualstackError(
          "a pending transaction creates a contract that pays a precompile, and this one calls it",
          {
            address: account,
            fix: "Mine a block first.",
          },
        );
      }
    }
    if (seen === undefined) return plan;
    if (
      host.mining.atOnce &&
      root !== undefined &&
      isConstruction(call, owing, root) &&
      !(await planner.looksAt(seen.actor, call, block, root))
    ) {
      // The correction holds only for exactly the block that the creation will
      // be in.
      if (purpose === "send") await host.fixNextTime();
      const correction = await constructionCorrection(
        host.node,
        emulator,
        call,
        block,
        root,
      );
      if (correction !== undefined) return { ...plan, correction };
    }
    throw seen;
  }

  /**
   * Whether a transaction takes the path of its trace, whatever limit the node
   * finds for it.
   */
  async #foresees(
    call: CallRequest,
    block: unknown,
    plan: Plan,
  ): Promise<boolean> {
    const host = this.#host;
    if (
      host.installation.done ||
      call.gas !== undefined ||
      !host.estimatesLoosely
    )
      return true;
    const root = plan.root ?? (await host.node.frames(call, block));
    if (root.error !== undefined || root.calls === undefined) return true;
    const traced = { touched: false, root };
    return (await host.estimates.of(call, block, traced)) !== undefined;
  }

  /** Notes whether a request reached the emulation in its trace. */
  learn(call: CallRequest, { called }: Pick<Plan, "called">): void {
    const host = this.#host;
    const reached = [...called].some((one) => host.accounts.all.has(one));
    host.trials.learn(call, reached);
  }

  #callsPrecompile({ called }: Plan): boolean {
    return [...called].some((one) => this.#host.accounts.precompiles.has(one));
  }

  /** Whether a call runs the emulation's own code only, and pays nothing. */
  isView({ to, data = "0x" }: CallRequest): boolean {
    return this.#host.accounts.isModule(to) && isView(data);
  }

  /**
   * Returns what a call needs to be answered as on the chain; `undefined` if it
   * needs nothing.
   *
   * @param otherCodes whether the call brings state overrides, whose code is
   * unknown here
   * @throws SeenPayment when neither overrides nor another call help
   */
  async amend(
    call: CallRequest,
    block: unknown,
    otherCodes: boolean,
  ): Promise<Amendment | undefined> {
    const host = this.#host;
    if (this.isView(call)) return undefined;
    const { planner, patches, emulator } = await host.parts.load();
    const glanced = await planner.glance(call, block, NO_PLAN.payers);
    const seen =
      glanced !== undefined && glanced.deferred.size === 0
        ? glanced
        : await planner.look(call, block);
    if (seen === undefined) return undefined;
    const overrides: Overrides = {};
    const excess = host.limits.glean(seen.root);
    for (const [account, { balance, code }] of excess?.told ?? [])
      overrides[account] = { balance: toQuantity(balance), code };
    const found = excess === undefined ? seen : planner.inspect(excess.root);
    const { called, root } = found;
    this.learn(call, found);
    if (found.deferred.size > 0) {
      try {
        const payers = await planner.payersOf(call, block, found);
        Object.assign(overrides, await patches.overrides(payers, block));
      } catch (error) {
        if (!(error instanceof SeenPayment)) throw error;
        const born = new Set(
          [...found.deferred].filter((actor) => found.born.has(actor)),
        );
        if (!isConstruction(call, born, root)) throw error;
        return constructionAsCall(emulator, call, root);
      }
    }
    // On the chain a precompile's account has no code; here calls need it.
    for (const precompile of host.accounts.precompiles) {
      if (!called.has(precompile) && !otherCodes)
        overrides[precompile] = { code: "0x" };
    }
    return { overrides };
  }

  /**
   * Returns what answers Hardhat's own estimate of a traced transaction;
   * `undefined` if its sender gives a limit, or only the node can estimate.
   */
  gasOf(call: CallRequest, plan: Plan): SentGas | undefined {
    const host = this.#host;
    const { root, unsure, readsTime } = plan;
    if (call.gas !== undefined || root === undefined) return undefined;
    const estimate = async () => {
      if (!readsTime || !host.mining.atOnce)
        return await host.estimates.of(call, "pending", plan);
      // The clock may have gone on since the plan's trace.
      await host.fixNextTime();
      const now = async () => await host.limits.frames(call, "pending");
      return await host.estimates.of(call, "pending", {
        ...plan,
        root: await host.limits.aside(now),
      });
    };
    return new SentGas({
      root,
      unsure: unsure && host.mining.automines,
      estimate,
    });
  }
}
