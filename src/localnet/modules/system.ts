import type { Interface, Result } from "ethers";

import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { SYSTEM } from "./accounts.js";
import type { StateChanges } from "../request/calls.js";
import type { LocalNode } from "../node/node.js";

/** Enough for the end of a block with thousands of entries; no block limits it. */
const SYSTEM_GAS = 7_680_000_000n;

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

  async #checked(
    call: { from: string; to: string; data: string; gas: string },
    method: string,
  ): Promise<string> {
    try {
      return await this.#node.call(call);
    } catch (cause) {
      const cap = capIn(cause);
      if (cap !== undefined && cap < this.#gas) {
        this.#gas = cap;
        call.gas = toQuantity(cap);
        return await this.#checked(call, method);
      }
      throw new DualstackError(
        `the local chain refuses ${method}: ${revertReason(cause)}`,
        { cause },
      );
    }
  }

  async #encode(method: string, args: readonly unknown[]) {
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
