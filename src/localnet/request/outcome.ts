// The outcome of a request that ran in the node, to be examined before the
// client is answered.

/** The value or the error with which a request ended. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Waits for a request, and catches its error. */
export const outcomeOf = async (request: Promise<unknown>): Promise<Outcome> =>
  await request.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Returns the value of a request. @throws its error */
export function valueOf(outcome: Outcome): unknown {
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
