import { Interface, type Result } from "ethers";

import { SYSTEM } from "../../localnet/modules/accounts.js";
import { systemAbi } from "../../localnet/generated/emulator.js";
import { distributionAbi } from "../../precompiles/distribution/abi.js";
import { governanceAbi } from "../../precompiles/governance/abi.js";
import { stakingAbi } from "../../precompiles/staking/abi.js";
import type { PrecompileAddresses } from "../../precompiles/addresses.js";
import { fromQuantity, isRecord } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";

/** Asks the simulated node directly, past the layers before it. */
export type Read = (
  method: string,
  params: readonly unknown[],
) => Promise<unknown>;

const CODECS = {
  staking: new Interface(stakingAbi),
  distribution: new Interface(distributionAbi),
  governance: new Interface(governanceAbi),
  system: new Interface(systemAbi),
} as const;

/** A contract with views; the system's are at the staking precompile. */
export type ViewOf = keyof typeof CODECS;

const textOfBigint = (_: string, value: unknown) =>
  typeof value === "bigint" ? String(value) : value;

/**
 * The views of the emulated modules at one block, called as the chain itself;
 * answers are cached.
 */
export class Views {
  readonly #read: Read;
  readonly #addresses: PrecompileAddresses;
  readonly #block: string;
  readonly #known = new Map<string, Promise<unknown>>();
  readonly #decoded = new Map<string, Promise<Result>>();
  #header: Promise<unknown> | undefined;

  constructor(read: Read, addresses: PrecompileAddresses, block: string) {
    this.#read = read;
    this.#addresses = addresses;
    this.#block = block;
  }

  /**
   * Calls a view.
   *
   * @throws when it reverts
   */
  async call(
    of: ViewOf,
    method: string,
    args: readonly unknown[] = [],
  ): Promise<Result> {
    const key = JSON.stringify([of, method, args], textOfBigint);
    let decoded = this.#decoded.get(key);
    if (decoded === undefined) {
      decoded = this.#call(of, method, args);
      this.#decoded.set(key, decoded);
    }
    return await decoded;
  }

  async #call(
    of: ViewOf,
    method: string,
    args: readonly unknown[],
  ): Promise<Result> {
    const codec = CODECS[of];
    const data = codec.encodeFunctionData(method, args);
    const to = this.#addresses[of === "system" ? "staking" : of];
    const answer = await this.ask("eth_call", [{ from: SYSTEM, to, data }]);
    return codec.decodeFunctionResult(method, String(answer));
  }

  /** Calls a view; `undefined` when it reverts. */
  async find(
    of: ViewOf,
    method: string,
    args: readonly unknown[],
  ): Promise<Result | undefined> {
    try {
      return await this.call(of, method, args);
    } catch (error) {
      // The fork cannot read what the view needs, which is not an answer.
      if (DualstackError.is(error)) throw error;
      return undefined;
    }
  }

  /** The block's base fee in base units per gas. */
  async baseFee(): Promise<bigint> {
    return await this.#ofBlock("baseFeePerGas");
  }

  /** The block's time in seconds. */
  async time(): Promise<bigint> {
    return await this.#ofBlock("timestamp");
  }

  /** The block's height. */
  async height(): Promise<bigint> {
    return await this.#ofBlock("number");
  }

  async #ofBlock(field: string): Promise<bigint> {
    this.#header ??= this.#read("eth_getBlockByNumber", [this.#block, false]);
    const header = await this.#header;
    const fields = isRecord(header) ? header : {};
    return fromQuantity(fields[field], `a block's ${field}`);
  }

  /** Sends a state request: the block is added as its last parameter. */
  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const key = JSON.stringify([method, params]);
    let answer = this.#known.get(key);
    if (answer === undefined) {
      answer = this.#read(method, [...params, this.#block]);
      this.#known.set(key, answer);
    }
    return await answer;
  }
}
