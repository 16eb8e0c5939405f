import type { Ran } from "./block.js";
import type { LiveOutcome, TransactionFields } from "./live.js";

/** The comparison of one aspect of a replay with the chain. */
export interface Check {
  readonly what: "status" | "logs" | "return data" | "contract" | "gas";
  readonly result: "agrees" | "differs" | "unchecked";
  /** The chain's and the replay's value. */
  readonly chain?: unknown;
  readonly replay?: unknown;
  /** The known reason for a difference, or why the aspect was not checked. */
  readonly why?: string;
}

/** What is known about a replay's circumstances. */
export interface Surroundings {
  /** The transaction as the node returns it. */
  readonly fields: TransactionFields;
  /** Whether the block's begin was read from the chain's stores. */
  readonly beganExactly: boolean;
  /** Whether the transaction calls precompiles. */
  readonly callsPrecompiles: boolean;
  /**
   * Transactions before it in the block that are not run here, by their
   * messages.
   */
  readonly others?: readonly string[];
}

/** The chain charges at least this fraction of the gas limit: a half. */
const FLOOR_DIVISOR = 2n;

/** Compares a replay with the transaction's outcome on the chain. */
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

/**
 * Returns whether no check but that of gas differs: gas is reported, but does
 * not count.
 */
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
  // Before refunds, which are often 0 and at most a fifth (EIP-3529).
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
          why: `the chain charged ${live.gasUsed}, the minimum for its gas limit, and does not report what was used`,
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
    ? "precompiles use a different amount of gas here than on a node"
    : "the chain reports gas before refunds and without the minimum for calldata, and charges 2,500 more for the first read of the coinbase's balance",
});

function reasonFor(
  { late, skipped }: Ran,
  { beganExactly, callsPrecompiles, others = [] }: Surroundings,
): string | undefined {
  if (late.length > 0) return late.join("; ");
  if (others.length > 0) {
    return `what the framework did earlier in the block is not run here: ${others.join(", ")}`;
  }
  if (skipped > 0) {
    return `${skipped === 1 ? "a transaction" : `${skipped} transactions`} of its sender without a receipt came earlier in the block: what it cost is missing here`;
  }
  return !beganExactly && callsPrecompiles
    ? "how the block began cannot be read without the node RPC (nodeRpcUrl), so rewards are not exact"
    : undefined;
}
