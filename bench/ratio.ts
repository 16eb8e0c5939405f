/** A figure of a benchmark: a comparison within one run, never an absolute time. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** The most or the least that the figure may be. */
  readonly limit: { readonly atMost: number } | { readonly atLeast: number };
  /** How many measurements it is the median of, or what it counts. */
  readonly of: string;
}

export const holds = ({ value, limit }: Figure): boolean =>
  "atMost" in limit ? value <= limit.atMost : value >= limit.atLeast;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/**
 * Runs two candidates alternately, so that other load on the machine affects
 * both, and returns the ratio of their medians: `a` divided by `b`.
 */
export async function sideBySide(
  rounds: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<number> {
  await a();
  await b();
  const [ofA, ofB]: [number[], number[]] = [[], []];
  for (let i = 0; i < rounds; i++) {
    // The order alternates too: the first of a pair may pay for the garbage of
    // the previous one.
    const turns: [() => Promise<number>, number[]][] = [
      [a, ofA],
      [b, ofB],
    ];
    for (const [measure, results] of i % 2 === 0 ? turns : turns.reverse()) {
      results.push(await measure());
    }
  }
  return median(ofA) / median(ofB);
}

/** Seconds that a task takes. */
export async function timed(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return (performance.now() - start) / 1000;
}
