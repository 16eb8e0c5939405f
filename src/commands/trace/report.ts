import type { Replay, Traced } from "../../replay/index.js";
import type { ToldCall } from "./decode.js";

/** What `dualstack trace` tells. */
export interface TraceReport
  extends Omit<Traced, "calls">,
    Partial<Omit<Replay, keyof Traced>> {
  readonly network: string;
  readonly chainId: number;
  readonly calls: ToldCall;
}
