/** Returns numbers from 0 to 1 that the seed determines (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns draws that the seed determines. */
export function drawsOf(seed: number) {
  const next = randomOf(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    /** A whole number from 0 on. */
    below,
    chance: (part: number) => next() < part,
    of: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    list: <T>(length: number, make: (index: number) => T): T[] =>
      Array.from({ length }, (_, index) => make(index)),
  };
}
