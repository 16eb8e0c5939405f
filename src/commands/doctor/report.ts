import type { CheckResult } from "./check.js";

/** What all checks of a network found. */
export interface DoctorReport {
  readonly network: string;
  readonly chainId: number;
  /** Whether nothing is red. */
  readonly healthy: boolean;
  readonly checks: readonly CheckResult[];
  /** Milliseconds for all of them, side by side. */
  readonly ms: number;
}
