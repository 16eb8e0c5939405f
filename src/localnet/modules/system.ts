// Whenever the chain does something by itself: at genesis, at the ends of
// blocks, and for tests.

import type { Interface, Result } from "ethers";

import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { SYSTEM } from "./accounts.js";
import type { StateChanges } from "../request/calls.js";
import type { LocalNode } from "../node/node.js";

/** Enough for the end of a block with thousands of entries; no block limits it. */
const SYSTEM_GAS = 7_680_000_000n;

interface SystemCall {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  gas: string;
}

/**
 * Calls of the chain itself at a module. They are traced, and what they would
 * write is written: no transaction, no nonce, no block.
 */
export class SystemCalls {
  readonly #node: LocalNode;
  readonly #module: string;
  readonly #load: () => Promise<Interface>;
  #interface: Interface | undefined;
  #gas = SYSTEM_GAS;

  /** `load`: how to speak to the module; default: as to staking. */
  constructor(node: LocalNode, module: string, load = loadSystem) {
    this.#node = node;
    this.#module = module;
    this.#load = load;
  }

  /** What the call would write. @throws DualstackError with the reason where it is refused */
  async changes(
    method: string,
    args: readonly unknown[],
  ): Promise<StateChanges> {
    const call = await this.#encode(method, args);
    const changes = await this.#withinCap(
      call,
      async () => await this.#node.changes(call),
    ).catch(() => undefined);
    // A trace does not say why nothing was changed.
    if (changes !== undefined && changes.storage.size > 0) return changes;
    await this.#checked(call, method);
    return await this.#node.changes(call);
  }

  async run(method: string, args: readonly unknown[] = []): Promise<void> {
    await this.#node.apply(await this.changes(method, args));
  }

  async view(method: string, args: readonly unknown[] = []): Promise<Result> {
    const answer = await this.#checked(
      await this.#encode(method, args),
      method,
    );
    return (await this.#codec()).decodeFunctionResult(method, answer);
  }

  async #checked(call: SystemCall, method: string): Promise<string> {
    try {
      return await this.#withinCap(
        call,
        async () => await this.#node.call(call),
      );
    } catch (cause) {
      throw new DualstackError(
        `the local chain refuses ${method}: ${revertReason(cause)}`,
        { cause },
      );
    }
  }

  /** Some rules limit the gas of a call: the node says so, and it is asked again. */
  async #withinCap<T>(call: SystemCall, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const cap = capIn(error);
      if (cap === undefined || cap >= this.#gas) throw error;
      this.#gas = cap;
      call.gas = toQuantity(cap);
      return await this.#withinCap(call, ask);
    }
  }

  async #encode(method: string, args: readonly unknown[]): Promise<SystemCall> {
    const codec = await this.#codec();
    return {
      from: SYSTEM,
      to: this.#module,
      data: codec.encodeFunctionData(method, [...args]),
      gas: toQuantity(this.#gas),
    };
  }

  async #codec(): Promise<Interface> {
    return (this.#interface ??= await this.#load());
  }
}

async function loadSystem(): Promise<Interface> {
  const [{ Interface }, { systemAbi }] = await Promise.all([
    import("ethers"),
    import("../generated/emulator.js"),
  ]);
  return new Interface(systemAbi);
}

/** The gas cap of a transaction under the node's rules (EIP-7825), where that is what the error is about. */
function capIn(error: unknown): bigint | undefined {
  const found = /greater than the cap \((\d+)\)/.exec(errorText(error))?.[1];
  return found === undefined ? undefined : BigInt(found);
}

function revertReason(error: unknown): string {
  const text = errorText(error);
  return /reverted with reason string '(.*)'/.exec(text)?.[1] ?? text;
}
