// Makes the calls that the chain itself makes: at genesis, at a block's end,
// and for tests.

import type { Interface, Result } from "ethers";

import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { SYSTEM } from "./accounts.js";
import type { StateChanges } from "../request/calls.js";
import type { LocalNode, StateOverrides } from "../node/node.js";

/**
 * Gas limit of a system call: enough for a block's end with thousands of
 * entries. The block gas limit does not apply.
 */
const SYSTEM_GAS = 7_680_000_000n;

interface SystemCall {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  gas: string;
}

/**
 * Calls from the chain itself to a module. A call is traced, and its state
 * changes are written to the node without a transaction, a nonce or a block.
 */
export class SystemCalls {
  readonly #node: LocalNode;
  readonly #module: string;
  readonly #load: () => Promise<Interface>;
  #interface: Interface | undefined;
  #gas = SYSTEM_GAS;
  /** Calldata of methods without arguments. */
  readonly #known = new Map<string, string>();

  /** @param load loads the module's interface; by default that of staking */
  constructor(node: LocalNode, module: string, load = loadSystem) {
    this.#node = node;
    this.#module = module;
    this.#load = load;
  }

  /**
   * Returns the state changes that a call would make, without making them.
   *
   * @throws DualstackError with the revert reason when the module refuses
   */
  async changes(
    method: string,
    args: readonly unknown[],
  ): Promise<StateChanges> {
    const call = await this.#encode(method, args);
    const changes = await this.#withinCap(
      call,
      async () => await this.#node.changes(call),
    ).catch(() => undefined);
    // A trace does not tell why nothing changed; a call does.
    if (changes !== undefined && changes.storage.size > 0) return changes;
    await this.#checked(call, method);
    return await this.#node.changes(call);
  }

  /**
   * Makes a call and writes its state changes.
   *
   * @throws DualstackError with the revert reason when the module refuses
   */
  async run(method: string, args: readonly unknown[] = []): Promise<void> {
    await this.#node.apply(await this.changes(method, args));
  }

  /**
   * Returns the decoded result of a call that changes nothing.
   *
   * @throws DualstackError with the revert reason when the module refuses
   */
  async view(method: string, args: readonly unknown[] = []): Promise<Result> {
    const answer = await this.#checked(
      await this.#encode(method, args),
      method,
    );
    return (await this.#codec()).decodeFunctionResult(method, answer);
  }

  /**
   * Returns the result of a call that changes nothing, word by word, each with
   * 0x.
   *
   * @param method its name, for errors
   * @param data its calldata
   * @param overrides what stands in the place of the modules' codes meanwhile
   * @throws DualstackError with the revert reason when the module refuses
   */
  async words(
    method: string,
    data: string,
    overrides: StateOverrides,
  ): Promise<readonly string[]> {
    const answer = await this.#checked(this.#callWith(data), method, overrides);
    return (answer.slice(2).match(/.{64}/g) ?? []).map((word) => `0x${word}`);
  }

  async #checked(
    call: SystemCall,
    method: string,
    overrides?: StateOverrides,
  ): Promise<string> {
    try {
      return await this.#withinCap(
        call,
        async () => await this.#node.call(call, overrides),
      );
    } catch (cause) {
      throw new DualstackError(
        `the local chain refuses ${method}: ${revertReason(cause)}`,
        { cause },
      );
    }
  }

  /**
   * Asks again with less gas if the node's hard fork caps the gas of a call.
   */
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
    let data = args.length === 0 ? this.#known.get(method) : undefined;
    if (data === undefined) {
      data = (await this.#codec()).encodeFunctionData(method, [...args]);
      if (args.length === 0) this.#known.set(method, data);
    }
    return this.#callWith(data);
  }

  #callWith(data: string): SystemCall {
    return {
      from: SYSTEM,
      to: this.#module,
      data,
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

/** Reads the gas cap of EIP-7825 from an error that reports it. */
function capIn(error: unknown): bigint | undefined {
  const found = /greater than the cap \((\d+)\)/.exec(errorText(error))?.[1];
  return found === undefined ? undefined : BigInt(found);
}

function revertReason(error: unknown): string {
  const text = errorText(error);
  return /reverted with reason string '(.*)'/.exec(text)?.[1] ?? text;
}
