import type { Abi } from "abitype";
import {
  type BytesLike,
  Contract,
  type ContractRunner,
  type EventFragment,
  type FunctionFragment,
  Interface,
  type InterfaceAbi,
  type ParamType,
  Result,
} from "ethers";

import { parseAddress, toValoper } from "../../address/index.js";
import { decodeParts } from "./abi-parts.js";
import { withAllFields } from "./fields.js";
import type { Precompile } from "./precompile.js";
import { type FindSigner, PrecompileRunner } from "./runner.js";
import type { TypedContract } from "./types.js";

/** Parameters that hold a validator's operator address as text. */
const VALIDATOR_PARAMETER = /validator\w*Address$/i;
/** Parameters that hold an account's address as text. */
const ACCOUNT_PARAMETER = /^withdrawerAddress$/;

/**
 * An ABI whose validators may be given in any form. The chain takes
 * `valoper1…` for some and 20 bytes for others; which one is nothing that a
 * caller should have to know. Results have all their fields by name.
 */
class PrecompileInterface extends Interface {
  readonly #prefix: string;

  constructor(abi: Abi, prefix: string) {
    super(abi as unknown as InterfaceAbi);
    this.#prefix = prefix;
  }

  override encodeFunctionData(
    fragment: FunctionFragment | string,
    values: readonly unknown[] = [],
  ): string {
    const method =
      typeof fragment === "string" ? this.getFunction(fragment) : fragment;
    return super.encodeFunctionData(
      fragment,
      this.#normalised(method?.inputs, values),
    );
  }

  override decodeFunctionResult(
    fragment: FunctionFragment | string,
    data: BytesLike,
  ): Result {
    const method =
      typeof fragment === "string" ? this.getFunction(fragment) : fragment;
    const outputs = method?.outputs ?? [];
    return withAllFields(
      this.#decodeLists(outputs, data) ??
        super.decodeFunctionResult(fragment, data),
      outputs,
    );
  }

  /** What ethers makes of long lists, in a fraction of its time; `undefined` where it has to do it, or to refuse it. */
  #decodeLists(
    outputs: readonly ParamType[],
    data: BytesLike,
  ): Result | undefined {
    if (typeof data !== "string") {
      return undefined;
    }
    try {
      const values = decodeParts(outputs, data, this.getAbiCoder());
      return (
        values &&
        Result.fromItems(
          values.map((value) =>
            Array.isArray(value) && !(value instanceof Result)
              ? Result.fromItems(value)
              : value,
          ),
          outputs.map(({ name }) => name || null),
        )
      );
    } catch {
      return undefined;
    }
  }

  override encodeFilterTopics(
    fragment: EventFragment | string,
    values: readonly unknown[],
  ): (string | null | string[])[] {
    const event =
      typeof fragment === "string" ? this.getEvent(fragment) : fragment;
    return super.encodeFilterTopics(
      fragment,
      this.#normalised(event?.inputs, values),
    );
  }

  #normalised(
    parameters: readonly ParamType[] | undefined,
    values: readonly unknown[],
  ): readonly unknown[] {
    return values.map((value, i) => this.#normalise(parameters?.[i], value));
  }

  #normalise(parameter: ParamType | undefined, value: unknown): unknown {
    // An empty text is a wildcard in queries.
    if (
      parameter?.type !== "string" ||
      typeof value !== "string" ||
      value === ""
    ) {
      return value;
    }
    const options = { prefix: this.#prefix, what: parameter.name };
    if (VALIDATOR_PARAMETER.test(parameter.name)) {
      return toValoper(value, options);
    }
    return ACCOUNT_PARAMETER.test(parameter.name)
      ? parseAddress(value, options).account
      : value;
  }
}

/**
 * A precompile as an ethers contract, typed from its ABI. With another runner
 * (`connect`) it is the same: addresses in any form, and an error where
 * nothing lives at its address.
 *
 * @param runner reads, and signs unless `findSigner` is given
 * @param findSigner the account to sign with, asked only when one is needed
 */
export function precompileContract<const A extends Abi>(
  precompile: Precompile<A>,
  runner: ContractRunner | null,
  findSigner?: FindSigner,
): TypedContract<A> {
  const { address, abi, prefix } = precompile;
  const contract = new Contract(
    address,
    new PrecompileInterface(abi, prefix),
    runner === null
      ? null
      : new PrecompileRunner(precompile, runner, findSigner),
  );
  Object.defineProperty(contract, "connect", {
    value: (other: ContractRunner | null) =>
      precompileContract(precompile, other),
  });
  return contract as unknown as TypedContract<A>;
}
