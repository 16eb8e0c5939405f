// Estimates and sends transactions: has them prepared, runs them, and forgets
// what they made untrue.

import { isRecord, toQuantity } from "../rpc/quantities.js";
import type { Access } from "./access.js";
import { NO_PLAN } from "./arrangement/plan.js";
import type { LocalChain } from "./chain.js";
import type { Codes } from "./foresight/codes.js";
import type { SentGas } from "./foresight/sent-gas.js";
import type { LocalNode } from "./node/node.js";
import { callOf, gasPriceOf } from "./request/call-of.js";
import type { CallRequest, PassOn } from "./request/calls.js";
import { valueOf } from "./request/outcome.js";
import { readRawTransaction } from "./request/raw-transaction.js";
import type { Ran } from "./trials.js";

/** The way of a transaction through the emulated chain, and of its estimate. */
export class Transactions {
  readonly #chain: LocalChain;
  readonly #access: Access;
  readonly #codes: Codes;
  readonly #node: LocalNode;
  readonly #defaultGas: Pick<CallRequest, "gas">;
  #gas: SentGas | undefined;
  #firstAccount: string | undefined;

  /**
   * @param defaultGas the gas limit, in gas units, of transactions whose sender
   * gives none; by default it is estimated
   */
  constructor(
    chain: LocalChain,
    access: Access,
    codes: Codes,
    node: LocalNode,
    defaultGas: bigint | undefined,
  ) {
    this.#chain = chain;
    this.#access = access;
    this.#codes = codes;
    this.#node = node;
    this.#defaultGas =
      defaultGas === undefined ? {} : { gas: toQuantity(defaultGas) };
  }

  /** Answers Hardhat's own estimate of the transaction that is being sent. */
  get gas(): SentGas | undefined {
    return this.#gas;
  }

  /**
   * Answers `eth_estimateGas`, and `debug_traceCall`, which needs the same.
   *
   * @throws DualstackError when the transaction cannot run as on the chain
   */
  async estimate(
    method: string,
    list: readonly unknown[],
    pass: PassOn,
  ): Promise<unknown> {
    const call = callOf(list[0]);
    if (isRecord(list[2])) {
      await this.#access.unveil();
      await this.#access.ready();
      return await this.#access.shared(pass);
    }
    const reach = await this.#access.reach(call, true);
    if (reach !== "others") {
      if (reach === "reads") await this.#access.readyFor(call);
      return await this.#access.shared(pass);
    }
    if (this.#chain.trials.isPlain(call)) await this.#access.unveil();
    const without = await this.#access.shared(() =>
      this.#chain.preparation.estimate(call, list[1] ?? "pending", pass),
    );
    if (without !== undefined) return without.value;
    return await this.#access.alone(async () => {
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

  /**
   * Sends a transaction that the node signs.
   *
   * @throws DualstackError when it cannot run as on the chain, or the connection
   * was closed
   */
  async sendCall(
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

  /** Does so with a signed one. */
  async sendRaw(raw: unknown, pass: PassOn): Promise<unknown> {
    const transaction = readRawTransaction(raw);
    if (transaction === undefined) return await this.#access.change(pass);
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
    const reach = setsCode ? "others" : await this.#access.reach(call, true);
    if (reach === "reads") await this.#access.readyFor(call);
    if (reach !== "others" && this.#chain.idle) {
      // Nothing is to be arranged or removed: such requests may run
      // concurrently.
      try {
        return await this.#access.shared(pass);
      } finally {
        if (call.to === undefined) this.#codes.forgetEmpty();
        if (this.#chain.mayBeDue())
          await this.#access.change(() => this.#chain.endBlocks());
      }
    }
    return await this.#access.change(async () => {
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
    }, "this transaction was sent");
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
