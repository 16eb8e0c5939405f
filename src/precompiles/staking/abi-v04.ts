import { stakingAbi } from "./abi.js";

type Entry = (typeof stakingAbi)[number];

// `description` inside a Validator, wherever one is returned.
type WithString<P> = P extends {
  readonly name: "description";
  readonly type: "tuple";
}
  ? { readonly name: "description"; readonly type: "string" }
  : P extends { readonly components: infer C extends readonly unknown[] }
    ? Omit<P, "components"> & {
        readonly components: { readonly [i in keyof C]: WithString<C[i]> };
      }
    : P;

type Old<E> = E extends {
  readonly name: "validator" | "validators";
  readonly outputs: infer O extends readonly unknown[];
}
  ? Omit<E, "outputs"> & {
      readonly outputs: { readonly [i in keyof O]: WithString<O[i]> };
    }
  : E;

type OldAbi = {
  readonly [i in keyof typeof stakingAbi]: Old<(typeof stakingAbi)[i]>;
};

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly Parameter[];
}

function withString(parameter: Parameter): Parameter {
  if (parameter.name === "description" && parameter.type === "tuple") {
    return { name: "description", type: "string" };
  }
  return parameter.components === undefined
    ? parameter
    : { ...parameter, components: parameter.components.map(withString) };
}

const isChanged = (entry: Entry) =>
  entry.name === "validator" || entry.name === "validators";

/**
 * The staking ABI before v0.5 of cosmos/evm, where a validator's description
 * is one string. Selectors are the same, so a wrong choice shows only when
 * results are decoded.
 */
export const stakingAbiWithStringDescription = stakingAbi.map((entry) =>
  entry.type === "function" && isChanged(entry)
    ? { ...entry, outputs: entry.outputs.map(withString) }
    : entry,
) as unknown as OldAbi;
