import type { ReadContext } from "./context.js";

/** What a node's tracers tell of a transaction; `undefined` where they do not. Not checked yet. */
export interface NodeTrace {
  /** The outermost frame of its calls. */
  readonly calls: unknown;
  /** The accounts that it met, with the words of storage that it read. */
  readonly state: unknown;
}

const CALLS = { tracer: "callTracer" };
const STATE = { tracer: "prestateTracer" };
/** A node that takes longer, in milliseconds, is not waited for. */
const PATIENCE_MS = 5_000;

/**
 * Asks a node for its own traces of transactions. They say what is met, not
 * what comes out: a node of this kind traces without the begin of the block.
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
