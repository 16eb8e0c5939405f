import type {
  Abi,
  AbiEvent,
  AbiFunction,
  AbiParameter,
  AbiParameterToPrimitiveType,
} from "abitype";
import type {
  BaseContract,
  ContractRunner,
  ContractTransaction,
  ContractTransactionResponse,
  DeferredTopicFilter,
  Overrides,
} from "ethers";

/*
 * Types of ethers contracts, read off an ABI. abitype's own mapping is viem's,
 * where small integers are numbers; ethers gives a bigint for all of them.
 */

type Element<P extends AbiParameter> = P extends {
  readonly type: `${infer T}[]`;
}
  ? Omit<P, "type"> & { readonly type: T }
  : never;

/** What ethers gives for a parameter. */
export type Output<P extends AbiParameter> = P extends {
  readonly type: `${string}[]`;
}
  ? Element<P> extends infer E extends AbiParameter
    ? readonly Output<E>[]
    : never
  : P extends {
        readonly type: "tuple";
        readonly components: infer C extends readonly AbiParameter[];
      }
    ? {
        readonly [p in C[number] as p["name"] extends string
          ? p["name"]
          : never]: Output<p>;
      }
    : P["type"] extends `uint${string}` | `int${string}`
      ? bigint
      : P["type"] extends `bytes${string}`
        ? string
        : AbiParameterToPrimitiveType<P>;

/** What ethers takes for a parameter; addresses also in bech32. */
export type Input<P extends AbiParameter> = P extends {
  readonly type: `${string}[]`;
}
  ? Element<P> extends infer E extends AbiParameter
    ? readonly Input<E>[]
    : never
  : P extends {
        readonly type: "tuple";
        readonly components: infer C extends readonly AbiParameter[];
      }
    ? {
        readonly [p in C[number] as p["name"] extends string
          ? p["name"]
          : never]: Input<p>;
      }
    : P["type"] extends `uint${string}` | `int${string}`
      ? bigint | number
      : P["type"] extends `bytes${string}` | "address"
        ? string
        : AbiParameterToPrimitiveType<P>;

export type Inputs<P extends readonly AbiParameter[]> = {
  readonly [i in keyof P]: Input<P[i]>;
};

/** One result is given as it is, several as a list that also has their names. */
export type Outputs<P extends readonly AbiParameter[]> = P extends readonly []
  ? void
  : P extends readonly [infer Only extends AbiParameter]
    ? Output<Only>
    : {
        readonly [i in keyof P]: P[i] extends AbiParameter
          ? Output<P[i]>
          : never;
      } & {
        readonly [p in P[number] as p["name"] extends string
          ? p["name"]
          : never]: Output<p>;
      };

type Arguments<F extends AbiFunction> =
  | [...args: Inputs<F["inputs"]>]
  | [...args: Inputs<F["inputs"]>, overrides: Overrides];

interface Common<F extends AbiFunction> {
  readonly name: string;
  staticCall(...args: Arguments<F>): Promise<Outputs<F["outputs"]>>;
  estimateGas(...args: Arguments<F>): Promise<bigint>;
  populateTransaction(...args: Arguments<F>): Promise<ContractTransaction>;
}

export type ViewMethod<F extends AbiFunction> = Common<F> &
  ((...args: Arguments<F>) => Promise<Outputs<F["outputs"]>>);

export type WriteMethod<F extends AbiFunction> = Common<F> &
  ((...args: Arguments<F>) => Promise<ContractTransactionResponse>) & {
    send(...args: Arguments<F>): Promise<ContractTransactionResponse>;
  };

type Method<F extends AbiFunction> = F["stateMutability"] extends
  | "view"
  | "pure"
  ? ViewMethod<F>
  : WriteMethod<F>;

type EventArguments<P extends readonly AbiParameter[]> = {
  readonly [i in keyof P]?: Input<P[i]> | null;
};

/** The methods, events and common parts of a contract with this ABI. */
export type TypedContract<A extends Abi> = Omit<
  BaseContract,
  "connect" | "filters"
> & {
  readonly [F in Extract<A[number], AbiFunction> as F["name"]]: Method<F>;
} & {
  readonly filters: {
    readonly [E in Extract<A[number], AbiEvent> as E["name"]]: (
      ...args: EventArguments<E["inputs"]>
    ) => DeferredTopicFilter;
  };
  connect(runner: ContractRunner | null): TypedContract<A>;
};
