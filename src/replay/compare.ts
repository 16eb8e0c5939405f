import type { Ran } from "./block.js";
import type { LiveOutcome, TransactionFields } from "./live.js";

/** One thing that a replay and the chain may agree on. */
export interface Check {
  readonly what: "status" | "logs" | "return data" | "contract" | "gas";
  readonly result: "agrees" | "differs" | "unchecked";
  /** As the chain has it, and as the replay. */
  readonly chain?: unknown;
  readonly replay?: unknown;
  /** The known rule behind a difference, or why nothing could be checked. */
  readonly why?: string;
}

/** What of a replay is known to be other than on the chain. */
export interface Surroundings {
  readonly fields: TransactionFields;
  /** Whether stores told how the block began. */
  readonly beganExactly: boolean;
  /** Whether precompiles were called. */
  readonly callsPrecompiles: boolean;
}

/** The least that is charged: this part of the limit. */
const FLOOR_DIVISOR = 2n;

/** Compares a replay with what came of the transaction on the chain. */
export function compare(
  ran: Ran,
  live: LiveOutcome,
  surroundings: Surroundings,
): readonly Check[] {
  const why = reasonFor(ran, surroundings);
  const check = (
    what: Check["what"],
    chain: unknown,
    replay: unknown,
  ): Check =>
    JSON.stringify(chain) === JSON.stringify(replay)
      ? { what, result: "agrees" }
      : {
          what,
          result: "differs",
          chain,
          replay,
          ...(why === undefined ? {} : { why }),
        };
  const checks = [
    check("status", live.success, ran.success),
    check("logs", live.logs, ran.logs),
    "returned" in live.executed
      ? check("return data", live.executed.returned, ran.root.output ?? "0x")
      : ({
          what: "return data",
          result: "unchecked",
          why: live.executed.unknown,
        } as const),
  ];
  if (live.contractAddress !== undefined && live.success) {
    checks.push(check("contract", live.contractAddress, ran.contractAddress));
  }
  const gas = gasCheck(ran, live, surroundings);
  return [
    ...checks,
    ran.late.length > 0 ? { ...gas, why: ran.late.join("; ") } : gas,
  ];
}

/** Whether a replay did what the transaction did, as far as that was checked: gas is told beside it. */
export const agree = (checks: readonly Check[]): boolean =>
  checks.every(({ what, result }) => what === "gas" || result !== "differs");

function gasCheck(
  ran: Ran,
  live: LiveOutcome,
  { fields, callsPrecompiles }: Surroundings,
): Check {
  const floor = (BigInt(String(fields.gas)) + 1n) / FLOOR_DIVISOR;
  const measured =
    "gasMeasured" in live.executed ? live.executed.gasMeasured : undefined;
  const replay = ran.gasUsed;
  const isFloor = live.gasUsed <= floor;
  // Before refunds: equal where there are none, and at most a fifth comes back.
  const chain = isFloor ? measured : live.gasUsed;
  if (chain === undefined) {
    return replay > live.gasUsed
      ? {
          what: "gas",
          result: "differs",
          chain: live.gasUsed,
          replay,
          ...gasRule(callsPrecompiles),
        }
      : {
          what: "gas",
          result: "unchecked",
          replay,
          why: `the chain charged ${live.gasUsed}, its least for this limit, and tells nowhere what was used`,
        };
  }
  if (chain === replay) return { what: "gas", result: "agrees" };
  return {
    what: "gas",
    result: "differs",
    chain,
    replay,
    ...gasRule(callsPrecompiles),
  };
}

const gasRule = (callsPrecompiles: boolean) => ({
  why: callsPrecompiles
    ? "precompiles cost other gas here than in a node"
    : "the chain tells gas before refunds and before what calldata costs at least, and its first look at the coinbase's balance costs 2,500 more",
});

function reasonFor(
  { late }: Ran,
  { beganExactly, callsPrecompiles }: Surroundings,
): string | undefined {
  if (late.length > 0) return late.join("; ");
  return !beganExactly && callsPrecompiles
    ? "how the block began cannot be read without the node RPC (nodeRpcUrl), so rewards are not exact"
    : undefined;
}
