import type { Abi } from "abitype";
import {
  Contract,
  type ContractRunner,
  type FunctionFragment,
  Interface,
  type InterfaceAbi,
  type ParamType,
} from "ethers";

import { parseAddress, toHexAddress, toValoper } from "../../address/index.js";
import type { TypedContract } from "./types.js";

/** Parameters that hold a validator's operator address as text. */
const VALIDATOR_PARAMETER = /validator\w*Address$/i;
/** Parameters that hold an account's address as text. */
const ACCOUNT_PARAMETER = /^withdrawerAddress$/;

/**
 * An ABI whose validators may be given in any form. The chain takes
 * `valoper1…` for some and 20 bytes for others; which one is nothing that a
 * caller should have to know.
 */
class PrecompileInterface extends Interface {
  readonly #prefix: string;

  constructor(abi: Abi, prefix: string) {
    super(abi as unknown as InterfaceAbi);
    this.#prefix = prefix;
  }

  override encodeFunctionData(
    fragment: FunctionFragment | string,
    values?: readonly unknown[],
  ): string {
    const method =
      typeof fragment === "string" ? this.getFunction(fragment) : fragment;
    const given = values ?? [];
    return super.encodeFunctionData(
      fragment,
      method === null
        ? given
        : given.map((value, i) => this.#normalise(method.inputs[i], value)),
    );
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

/** The runner of a contract, which also reads addresses in bech32. */
export function readingBech32<R extends ContractRunner>(
  runner: R,
  prefix: string,
): R {
  const resolveName = async (name: string) => toHexAddress(name, { prefix });
  return new Proxy(runner, {
    get(target, key) {
      if (key === "resolveName") {
        return resolveName;
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/**
 * A precompile as an ethers contract, typed from its ABI.
 *
 * @param prefix of account addresses, to check the ones that are given
 * @example
 * const staking = precompileContract(PRECOMPILES.staking.address, stakingAbi, signer, "cosmos");
 * await staking.delegate(signer.address, "cosmosvaloper1…", 10n ** 18n);
 */
export function precompileContract<const A extends Abi>(
  address: string,
  abi: A,
  runner: ContractRunner | null,
  prefix: string,
): TypedContract<A> {
  const contract = new Contract(
    address,
    new PrecompileInterface(abi, prefix),
    runner === null ? null : readingBech32(runner, prefix),
  );
  return contract as unknown as TypedContract<A>;
}
