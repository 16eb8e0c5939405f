import type { Replay, Traced } from "../../replay/index.js";
import type { ToldCall } from "./decode.js";

/** The result of `dualstack trace`. */
export interface TraceReport
  extends Omit<Traced, "calls">,
    Partial<Omit<Replay, keyof Traced>> {
  readonly network: string;
  readonly chainId: number;
  readonly calls: ToldCall;
}
