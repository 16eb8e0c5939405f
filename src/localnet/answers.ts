// Answers requests that change nothing, as the chain would with its
// precompiles: the state of accounts, and calls.

import { isRecord } from "../rpc/quantities.js";
import type { Access } from "./access.js";
import type { LocalChain } from "./chain.js";
import type { LocalNode } from "./node/node.js";
import { callOf, mergeOverrides } from "./request/call-of.js";
import type { PassOn } from "./request/calls.js";

/** Answers questions about accounts and calls of contracts. */
export class Answers {
  readonly #chain: LocalChain;
  readonly #access: Access;
  readonly #node: LocalNode;

  constructor(chain: LocalChain, access: Access, node: LocalNode) {
    this.#chain = chain;
    this.#access = access;
    this.#node = node;
  }

  /** Reads the state of the account that a request names first. */
  async account(
    method: string,
    list: readonly unknown[],
    pass: PassOn,
  ): Promise<unknown> {
    const { live } = this.#chain;
    if (this.#chain.accounts.owns(list[0])) await this.#access.ensure();
    else if (live !== undefined && method === "eth_getBalance") {
      const block = await this.#access.numbered(list[1]);
      await this.#access.change(() => live.meetBalance(list[0], block));
    }
    return await this.#access.shared(pass);
  }

  /** Reads an account's code as the chain would show it. */
  async code(list: readonly unknown[], pass: PassOn): Promise<unknown> {
    return await this.#access.shared(async () => {
      const code = await pass();
      return typeof code === "string"
        ? await this.#chain.veils.shownCode(list[0], code, list[1] ?? "latest")
        : code;
    });
  }

  /**
   * Answers `eth_call`: from the chain behind a fork, or from the node with
   * what the call needs there.
   *
   * @throws DualstackError when the call cannot run as on the chain
   */
  async call(list: readonly unknown[], pass: PassOn): Promise<unknown> {
    const call = callOf(list[0], true);
    const block = await this.#access.numbered(list[1] ?? "latest");
    const { live } = this.#chain;
    const reach = await this.#access.reach(call, false, block);
    const given = isRecord(list[2]) ? list[2] : undefined;
    const overrides = await this.#chain.veils.removedAt(block, given);
    if (overrides === undefined) {
      const isPlain = reach === "nothing" || reach === "itself";
      if (isPlain) return await this.#access.shared(pass);
      const without = await this.#access.shared(() =>
        this.#chain.preparation.answer(call, list[0], block, pass),
      );
      if (without !== undefined) return without.value;
      const answered = await this.#access.shared(
        async () => await live?.answer(call, list[0], block),
      );
      if (answered !== undefined) return answered.value;
    }
    if (live !== undefined)
      await this.#access.change(() => live.meet(call, block));
    else if (call.gas === undefined && this.#chain.preparation.isView(call))
      await this.#access.ensure();
    else await this.#access.ready();
    const genesis = this.#chain.installation.genesisAt(block);
    if (genesis !== undefined) {
      const merged = mergeOverrides(genesis, overrides);
      return await this.#access.shared(
        async () => await this.#node.ask("eth_call", [list[0], block, merged]),
      );
    }
    if (overrides === undefined && reach === "reads")
      return await this.#access.shared(pass);
    return await this.#access.shared(async () => {
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

  /**
   * Sends a request to the node itself, past the emulation, while nothing
   * changes there.
   *
   * @throws DualstackError when a fork cannot read what the request meets
   */
  async direct(method: string, params: readonly unknown[]): Promise<unknown> {
    const { live } = this.#chain;
    const [subject, named] = params;
    const block =
      live === undefined ? named : await this.#access.numbered(named);
    if (live !== undefined && method === "eth_call")
      await this.#access.change(() => live.meet(callOf(subject), block));
    if (live !== undefined && method === "eth_getBalance")
      await this.#access.change(() => live.meetBalance(subject, block));
    return await this.#access.shared(
      async () => await this.#node.ask(method, [...params]),
    );
  }
}
