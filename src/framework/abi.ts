import type {
  Abi,
  AbiEvent,
  AbiParameter,
  AbiParametersToPrimitiveTypes,
  AbiParameterToPrimitiveType,
  AbiStateMutability,
  ExtractAbiEvent,
  ExtractAbiEventNames,
  ExtractAbiFunction,
  ExtractAbiFunctionNames,
} from "abitype";
import type { AbiCoder, Interface, ParamType } from "ethers";

import { decodeParts } from "../precompiles/ethers/abi-parts.js";

/** Names of a contract's views. */
export type ViewName<abi extends Abi> = ExtractAbiFunctionNames<
  abi,
  "view" | "pure"
>;

/** Names of a contract's methods that change state. */
export type WriteName<abi extends Abi> = ExtractAbiFunctionNames<
  abi,
  "nonpayable" | "payable"
>;

type FunctionOf<
  abi extends Abi,
  name extends ExtractAbiFunctionNames<abi, AbiStateMutability>,
> = ExtractAbiFunction<abi, name>;

export type ViewArgs<
  abi extends Abi,
  name extends ViewName<abi>,
> = AbiParametersToPrimitiveTypes<FunctionOf<abi, name>["inputs"], "inputs">;

export type WriteArgs<
  abi extends Abi,
  name extends WriteName<abi>,
> = AbiParametersToPrimitiveTypes<FunctionOf<abi, name>["inputs"], "inputs">;

type Unwrapped<values> = values extends readonly [infer only] ? only : values;

/** A view's answer: its only value, or a list of all of them in order. */
export type ViewAnswer<abi extends Abi, name extends ViewName<abi>> = Unwrapped<
  AbiParametersToPrimitiveTypes<FunctionOf<abi, name>["outputs"], "outputs">
>;

type Named<inputs extends readonly AbiParameter[]> = Extract<
  inputs[number],
  { readonly name: string }
>;

// An indexed value that does not fit into a topic is replaced by its hash.
type ArgumentOf<input extends AbiParameter> = input extends {
  readonly indexed: true;
  readonly type: "string" | "bytes" | "tuple" | `${string}]`;
}
  ? `0x${string}`
  : AbiParameterToPrimitiveType<input, "outputs">;

export type EventArgs<event extends AbiEvent> = {
  readonly [input in Named<
    event["inputs"]
  > as input["name"]]: ArgumentOf<input>;
};

/** A decoded call or error, with its arguments. */
export interface DecodedCall {
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A decoded event of an ABI; `eventName` says which one. */
export type DecodedEvent<
  abi extends Abi,
  name extends string = ExtractAbiEventNames<abi>,
> = Abi extends abi
  ? {
      readonly eventName: string;
      readonly args: Readonly<Record<string, unknown>>;
    }
  : {
      [eventName in name & ExtractAbiEventNames<abi>]: {
        readonly eventName: eventName;
        readonly args: EventArgs<ExtractAbiEvent<abi, eventName>>;
      };
    }[name & ExtractAbiEventNames<abi>];

/** The codec of an ABI; loads ethers on first use. */
export async function abiCodec<const abi extends Abi>(
  abi: abi,
): Promise<AbiCodec<abi>> {
  const { AbiCoder, Interface } = await import("ethers");
  return new AbiCodec<abi>(
    new Interface(JSON.stringify(abi)),
    AbiCoder.defaultAbiCoder(),
  );
}

export class AbiCodec<const abi extends Abi> {
  readonly #interface: Interface;
  readonly #coder: AbiCoder;

  constructor(ethersInterface: Interface, coder: AbiCoder) {
    this.#interface = ethersInterface;
    this.#coder = coder;
  }

  encodeCall<name extends ViewName<abi>>(
    name: name,
    args: ViewArgs<abi, name>,
  ): string {
    return this.#interface.encodeFunctionData(name, [...(args as unknown[])]);
  }

  encodeWrite<name extends WriteName<abi>>(
    name: name,
    args: WriteArgs<abi, name>,
  ): string {
    return this.#interface.encodeFunctionData(name, [...(args as unknown[])]);
  }

  /** @throws an error of ethers for bytes that do not have the view's shape */
  decodeAnswer<name extends ViewName<abi>>(
    name: name,
    data: string,
  ): ViewAnswer<abi, name> {
    const fragment = this.#interface.getFunction(name);
    const types = fragment?.outputs ?? [];
    const values =
      decodeParts(types, data, this.#coder) ??
      this.#interface.decodeFunctionResult(name, data);
    const outputs = types.map((output, i) => plain(values[i], output));
    return (outputs.length === 1 ? outputs[0] : outputs) as ViewAnswer<
      abi,
      name
    >;
  }

  /** The topics to find an event by; values of `args` may be lists of alternatives, or left out. */
  encodeTopics(
    eventName: string,
    args: Readonly<Record<string, unknown>> = {},
  ): (string | string[] | null)[] {
    const fragment = this.#interface.getEvent(eventName);
    if (fragment === null) {
      throw new TypeError(`the ABI has no event "${eventName}"`);
    }
    const indexed = fragment.inputs.filter((input) => input.indexed === true);
    for (const name of Object.keys(args)) {
      if (!indexed.some((input) => input.name === name)) {
        throw new TypeError(
          `"${name}" is not an indexed parameter of the event "${eventName}"`,
        );
      }
    }
    return this.#interface
      .encodeFilterTopics(
        fragment,
        fragment.inputs.map((input) => args[input.name] ?? null),
      )
      .map((topic) => topic as string | string[] | null);
  }

  /** The method and arguments in calldata; undefined if no method of the ABI fits. */
  decodeCall(data: string): DecodedCall | undefined {
    try {
      const parsed = this.#interface.parseTransaction({ data });
      return parsed === null
        ? undefined
        : {
            method: parsed.name,
            args: named(parsed.fragment.inputs, parsed.args),
          };
    } catch {
      // The data is cut off, or belongs to another method with the same selector.
      return undefined;
    }
  }

  /** The results of a method by name; undefined if the bytes do not have their shape. */
  decodeResults(
    name: string,
    data: string,
  ): Readonly<Record<string, unknown>> | undefined {
    try {
      const fragment = this.#interface.getFunction(name);
      return fragment === null
        ? undefined
        : named(
            fragment.outputs,
            this.#interface.decodeFunctionResult(fragment, data),
          );
    } catch {
      return undefined;
    }
  }

  /**
   * The error in a call's revert data, from the ABI or built into Solidity;
   * undefined for any other.
   */
  decodeError(data: string): DecodedCall | undefined {
    try {
      const parsed = this.#interface.parseError(data);
      return parsed === null
        ? undefined
        : {
            method: parsed.name,
            args: named(parsed.fragment.inputs, parsed.args),
          };
    } catch {
      return undefined;
    }
  }

  /** The event in a log; undefined if it is not in the ABI. */
  decodeLog(log: {
    readonly topics: readonly string[];
    readonly data: string;
  }): DecodedEvent<abi> | undefined {
    try {
      const parsed = this.#interface.parseLog(log);
      if (parsed === null) {
        return undefined;
      }
      const args = named(parsed.fragment.inputs, parsed.args);
      return { eventName: parsed.name, args } as DecodedEvent<abi>;
    } catch {
      // Another event with the same signature hash, or one with too few topics.
      return undefined;
    }
  }
}

const nameOf = ({ name }: ParamType, index: number) =>
  name === "" ? String(index) : name;

const named = (
  types: readonly ParamType[],
  values: readonly unknown[],
): Record<string, unknown> =>
  Object.fromEntries(
    types.map((type, i) => [
      nameOf(type, i),
      isHashed(type) ? hashOf(values[i]) : plain(values[i], type),
    ]),
  );

const isHashed = (input: ParamType) =>
  input.indexed === true &&
  (["string", "bytes"].includes(input.type) ||
    input.isArray() ||
    input.isTuple());

const hashOf = (indexed: unknown) =>
  (indexed as { readonly hash: string }).hash;

// Turns ethers' results into plain values, as abitype types them: structs as
// objects, small integers as numbers.
function plain(value: unknown, type: ParamType): unknown {
  if (type.isArray()) {
    return Array.from(value as Iterable<unknown>, (item) =>
      plain(item, type.arrayChildren),
    );
  }
  if (type.isTuple()) {
    const values = value as readonly unknown[];
    return Object.fromEntries(
      type.components.map((component, i) => [
        nameOf(component, i),
        plain(values[i], component),
      ]),
    );
  }
  const bits = /^u?int(\d+)$/.exec(type.type)?.[1];
  return bits !== undefined && Number(bits) <= 48 ? Number(value) : value;
}
