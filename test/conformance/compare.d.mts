/** One place at which two recordings differ. */
export interface Difference {
  id: string;
  area: string;
  aspect: string;
  path: string;
  a: unknown;
  b: unknown;
}

export interface KnownDifference {
  /** Id of a step; a "*" at its end stands for anything. */
  id: string;
  /** The aspect that differs; all of them if it is missing. */
  aspect?: string;
  why: string;
}

export interface Comparison {
  same: number;
  different: number;
  skipped: number;
  known: number;
  differences: Difference[];
  warnings: string[];
}

export interface Recording {
  meta: { params: Record<string, number>; [key: string]: unknown };
  steps: {
    id: string;
    ret?: {
      value: {
        validator: {
          description: { moniker: string };
          consensusPubkey: string;
        };
      };
    };
  }[];
}

export function compare(
  a: string | Recording,
  b: string | Recording,
  options?: { known?: readonly KnownDifference[]; tolerance?: number },
): Comparison;
