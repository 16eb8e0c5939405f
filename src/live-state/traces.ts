import type { ReadContext } from "./context.js";

/**
 * A node's traces of a transaction, not validated yet; `undefined` where the
 * node does not offer them.
 */
export interface NodeTrace {
  /** The outermost frame of the callTracer. */
  readonly calls: unknown;
  /** The accounts and storage slots of the prestateTracer. */
  readonly state: unknown;
}

const CALLS = { tracer: "callTracer" };
const STATE = { tracer: "prestateTracer" };
/** How long to wait for the traces, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Reads a node's own traces of transactions. They show what a transaction
 * meets, but not its exact results: a node of this kind traces without the
 * begin of the block.
 */
export async function readTraces(
  { at }: ReadContext,
  hashes: readonly string[],
): Promise<readonly NodeTrace[]> {
  const requests = hashes.flatMap((hash) =>
    [CALLS, STATE].map((options) => ({
      method: "debug_traceTransaction",
      params: [hash, options],
    })),
  );
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<readonly unknown[]>((resolve) => {
    timer = setTimeout(() => resolve([]), PATIENCE_MS);
  });
  try {
    const told = await Promise.race([at.told(requests), tooLate]);
    return hashes.map((_, index) => ({
      calls: told[2 * index],
      state: told[2 * index + 1],
    }));
  } finally {
    clearTimeout(timer);
  }
}
