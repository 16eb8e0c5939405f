export interface Random {
  /** From 0 to 1. */
  next(): number;
  /** A whole number from 0 on. */
  below(limit: number): number;
  of<T>(list: readonly T[]): T;
}

/** Returns random numbers that only depend on the seed. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    of: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  };
}
