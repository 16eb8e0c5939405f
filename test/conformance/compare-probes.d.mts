import type { ProbeRecording } from "./probes.mjs";

/** One question that is answered differently, with all places. */
export interface ProbeDifference {
  id: string;
  found: { aspect: string; path: string; a: unknown; b: unknown }[];
}

export function compareProbes(
  expected: ProbeRecording,
  actual: ProbeRecording,
  tolerance?: number,
): { same: number; differences: ProbeDifference[]; warnings: string[] };

/** Returns a difference in words. */
export function describeDifference(difference: ProbeDifference): string;
