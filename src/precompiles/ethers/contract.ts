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

/** Parameters with a validator's operator address as text. */
const VALIDATOR_PARAMETER = /validator\w*Address$/i;
/** Parameters with an account's address as text. */
const ACCOUNT_PARAMETER = /^withdrawerAddress$/;

/**
 * An ABI whose validators may be given in any form: the chain takes `valoper1…`
 * in some places and 20 bytes in others, which callers need not know. Results
 * have all their fields by name.
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

  /**
   * Decodes long lists in a fraction of ethers' time; `undefined` if ethers has
   * to do it, or to refuse.
   */
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
    // In queries an empty text is a wildcard.
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
 * A precompile as an ethers contract, typed from its ABI. `connect` keeps its
 * features: addresses in any form, and an error if there is nothing at its
 * address.
 *
 * @param runner reads, and signs unless `findSigner` is given
 * @param findSigner returns the account to sign with; called only to sign
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
