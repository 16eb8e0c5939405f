import { type ParamType, Result } from "ethers";

/**
 * A decoded result whose fields all have their names. For a name that is also
 * an array method, such as `entries`, ethers returns the method.
 *
 * @example (await staking.unbondingDelegation(delegator, validator)).entries[0].balance
 */
export function withAllFields(
  result: Result,
  parameters: readonly ParamType[],
): Result {
  if (!parameters.some(isHidden)) {
    return result;
  }
  let items: unknown[];
  try {
    items = parameters.map((parameter, i) => rebuilt(result[i], parameter));
  } catch {
    // ethers throws when a field that could not be decoded is read.
    return result;
  }
  const names = parameters.map(({ name }) => name);
  const list = Result.fromItems(items, names);
  const hidden = names.filter(isMethod);
  return hidden.length === 0
    ? list
    : new Proxy(list, {
        get: (target, key) => {
          if (typeof key === "string" && hidden.includes(key)) {
            return target.getValue(key) as unknown;
          }
          const value: unknown = Reflect.get(target, key);
          return typeof value === "function"
            ? (value.bind(target) as unknown)
            : value;
        },
      });
}

const isMethod = (name: string) => name in Result.prototype;

/** Whether some name in a parameter is hidden by an array method. */
const isHidden = ({ name, components, arrayChildren }: ParamType): boolean =>
  isMethod(name) ||
  (components?.some(isHidden) ?? false) ||
  (arrayChildren?.components?.some(isHidden) ?? false);

function rebuilt(value: unknown, parameter: ParamType): unknown {
  const { components, arrayChildren } = parameter;
  if (!(value instanceof Result)) {
    return value;
  }
  return arrayChildren === null
    ? withAllFields(value, components ?? [])
    : Result.fromItems(
        value.toArray().map((each: unknown) => rebuilt(each, arrayChildren)),
      );
}
