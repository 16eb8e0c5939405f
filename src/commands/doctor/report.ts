import type { CheckResult } from "./check.js";

/** The outcomes of all checks of a network. */
export interface DoctorReport {
  readonly network: string;
  readonly chainId: number;
  /** Whether nothing is red. */
  readonly healthy: boolean;
  readonly checks: readonly CheckResult[];
  /** Milliseconds for all checks, which run side by side. */
  readonly ms: number;
}
