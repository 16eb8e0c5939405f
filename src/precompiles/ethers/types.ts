import type {
  Abi,
  AbiEvent,
  AbiFunction,
  AbiParameter,
  AbiParameterToPrimitiveType,
} from "abitype";
import type {
  AddressLike,
  BaseContract,
  BlockTag,
  BytesLike,
  ContractEventPayload,
  ContractRunner,
  ContractTransaction,
  ContractTransactionResponse,
  DeferredTopicFilter,
  EventLog,
  Overrides,
} from "ethers";

/*
 * Types of ethers contracts, derived from an ABI. abitype's own mapping is
 * viem's, in which small integers are numbers; ethers returns a bigint for all
 * of them.
 */

type Element<P extends AbiParameter> = P extends {
  readonly type: `${infer T}[]`;
}
  ? Omit<P, "type"> & { readonly type: T }
  : never;

/** What ethers returns for a parameter. */
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

/** What ethers accepts for a parameter; addresses also in bech32. */
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
      : P["type"] extends "address"
        ? AddressLike
        : P["type"] extends `bytes${string}`
          ? BytesLike
          : AbiParameterToPrimitiveType<P>;

export type Inputs<P extends readonly AbiParameter[]> = {
  readonly [i in keyof P]: Input<P[i]>;
};

/** A single result is returned as it is, several as a list that also has their names. */
export type Outputs<P extends readonly AbiParameter[]> = P extends readonly []
  ? void
  : P extends readonly [infer Only extends AbiParameter]
    ? Output<Only>
    : List<P>;

/** Values by position and by name. */
type List<P extends readonly AbiParameter[]> = Positions<P> & {
  readonly [p in P[number] as p["name"] extends string
    ? p["name"]
    : never]: Output<p>;
};

/** Overrides without a value: none of the methods is payable. */
type CallOverrides = Omit<Overrides, "value">;

type Arguments<F extends AbiFunction> =
  | [...args: Inputs<F["inputs"]>]
  | [...args: Inputs<F["inputs"]>, overrides: CallOverrides];

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

/** The arguments of an event: by position and by name. */
export type EventArguments<E extends AbiEvent> = List<E["inputs"]>;

/** A log of a known event. */
export type TypedEventLog<E extends AbiEvent> = Omit<
  EventLog,
  "args" | "eventName"
> & {
  readonly eventName: E["name"];
  readonly args: EventArguments<E>;
};

/** A filter that keeps the type of its event. */
export interface TypedFilter<E extends AbiEvent> extends DeferredTopicFilter {
  /** Only for the type; never set. */
  readonly event?: E;
}

/** Filter arguments: a missing one matches anything; only indexed parameters can be given. */
type FilterArguments<P extends readonly AbiParameter[]> = {
  readonly [i in keyof P]?: Input<P[i]> | null;
};

type EventOf<A extends Abi> = Extract<A[number], AbiEvent>;
type EventNamed<A extends Abi, N> = Extract<EventOf<A>, { readonly name: N }>;

type Positions<P extends readonly AbiParameter[]> = {
  readonly [i in keyof P]: Output<P[i]>;
};

type Listener<E extends AbiEvent> = (
  ...args: [...Positions<E["inputs"]>, payload: ContractEventPayload]
) => void;

interface Events<A extends Abi> {
  readonly filters: {
    readonly [N in EventOf<A>["name"]]: (
      ...args: FilterArguments<EventNamed<A, N>["inputs"]>
    ) => TypedFilter<EventNamed<A, N>>;
  };
  queryFilter<N extends EventOf<A>["name"]>(
    event: N,
    fromBlock?: BlockTag,
    toBlock?: BlockTag,
  ): Promise<TypedEventLog<EventNamed<A, N>>[]>;
  queryFilter<E extends EventOf<A>>(
    filter: TypedFilter<E>,
    fromBlock?: BlockTag,
    toBlock?: BlockTag,
  ): Promise<TypedEventLog<E>[]>;
  on<N extends EventOf<A>["name"]>(
    event: N,
    listener: Listener<EventNamed<A, N>>,
  ): Promise<this>;
  once<N extends EventOf<A>["name"]>(
    event: N,
    listener: Listener<EventNamed<A, N>>,
  ): Promise<this>;
}

/** The methods, events and common parts of a contract with this ABI. */
export type TypedContract<A extends Abi> = Omit<
  BaseContract,
  "connect" | keyof Events<Abi>
> &
  Events<A> & {
    readonly [F in Extract<A[number], AbiFunction> as F["name"]]: Method<F>;
  } & {
    connect(runner: ContractRunner | null): TypedContract<A>;
  };
