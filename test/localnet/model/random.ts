export interface Random {
  /** A whole number from 0 on. */
  below(limit: number): number;
  of<T>(list: readonly T[]): T;
}

/** Returns random numbers that only depend on the seed. */
export function random(seed: number): Random {
  let state = (seed * 7_919) >>> 0; // so that those of neighbours differ
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return {
    below,
    of: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  };
}
