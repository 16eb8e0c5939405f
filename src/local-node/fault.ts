import { DualstackError } from "../support/errors.js";

/** What the node RPC says of a refusal. */
export interface AbciRefusal {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/** A refusal of a query, in the numbering of gRPC and REST, and in that of the node RPC. */
export class Fault extends Error {
  /** gRPC's status. */
  readonly code: number;
  readonly abci: AbciRefusal;

  constructor(
    code: number,
    text: string,
    abci: Partial<AbciRefusal> & Pick<AbciRefusal, "code" | "log">,
  ) {
    super(text);
    this.name = "Fault";
    this.code = code;
    this.abci = { codespace: "sdk", ...abci };
  }
}

export const notFound = (text: string): Fault =>
  new Fault(5, text, {
    code: 22,
    log: `rpc error: code = NotFound desc = ${text}: key not found`,
  });

export const invalidArgument = (text: string): Fault =>
  new Fault(3, text, {
    code: 18,
    log: `rpc error: code = InvalidArgument desc = ${text}: invalid request`,
  });

/** A height that the chain has not reached. */
export const inTheFuture = (): Fault => {
  const text =
    "cannot query with height in the future; please provide a valid height";
  return new Fault(2, `codespace sdk code 26: invalid height: ${text}`, {
    code: 26,
    log: `${text}: invalid height`,
  });
};

/** What was before the fork is the forked chain's. */
export const beforeFork = (height: bigint, fork: bigint): Fault => {
  const text = `height ${height} is not available, lowest height is ${fork + 1n}: this network is a fork that begins after block ${fork} of its chain, which has what was before`;
  return new Fault(2, `codespace sdk code 38: not found: ${text}`, {
    code: 38,
    log: `${text}: not found`,
  });
};

/** What a fork does not have, as a refusal; anything else as it is. */
export const asFault = (error: unknown): unknown =>
  DualstackError.is(error)
    ? new Fault(2, error.message, { code: 1, log: error.message })
    : error;

/** What is read; `otherwise` where nobody tells it on a fork. */
export async function told<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (DualstackError.is(error)) return otherwise;
    throw error;
  }
}

/** A height whose state is not kept. */
export const pruned = (height: bigint, latest: bigint): Fault => {
  const text = `failed to load state at height ${height}; version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height (latest height: ${latest})`;
  return new Fault(2, `codespace sdk code 38: not found: ${text}`, {
    code: 38,
    log: `${text}: not found`,
  });
};

/** There is no such method, or no such path. */
export const notImplemented = (text = "Not Implemented"): Fault =>
  new Fault(12, text, {
    code: 6,
    log: "unknown query path: unknown request",
  });
