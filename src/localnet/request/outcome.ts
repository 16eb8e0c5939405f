// Of a request that was let pass, to be looked at before it is answered.

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

export const outcomeOf = async (request: Promise<unknown>): Promise<Outcome> =>
  await request.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
