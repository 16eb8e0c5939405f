import { DualstackError } from "../support/errors.js";

/** A refusal in the terms of the node RPC. */
export interface AbciRefusal {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/**
 * A refused query, with its status code in gRPC and REST, and its code in the
 * node RPC.
 */
export class Fault extends Error {
  /** The gRPC status code. */
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

/** A refusal of the node RPC for a failure without a meaning of its own. */
export const unknownRequest = (text: string) => ({
  code: 6,
  log: `${text}: unknown request`,
});

/** Refuses a query for something that does not exist. */
export const notFound = (text: string): Fault =>
  new Fault(5, text, {
    code: 22,
    log: `rpc error: code = NotFound desc = ${text}: key not found`,
  });

/** Refuses an invalid parameter. */
export const invalidArgument = (text: string): Fault =>
  new Fault(3, text, {
    code: 18,
    log: `rpc error: code = InvalidArgument desc = ${text}: invalid request`,
  });

/** Refuses a query that failed inside the module. */
export const internalFault = (text: string): Fault =>
  new Fault(
    13,
    text,
    unknownRequest(`rpc error: code = Internal desc = ${text}`),
  );

/** Refuses with an error that the framework gives no status. */
export const plainFault = (text: string): Fault =>
  new Fault(2, text, { code: 18, log: `${text}: invalid request` });

/** A refusal with a registered error of a module. */
export class ModuleFault extends Fault {
  /** The error as the framework prints it. */
  readonly text: string;

  /**
   * @param description of the registered error
   * @param why what the module adds to it
   */
  constructor(codespace: string, code: number, description: string, why = "") {
    const after = why === "" ? "" : `: ${why}`;
    const text = why === "" ? description : `${why}: ${description}`;
    super(
      2,
      `codespace ${codespace} code ${code}: ${description}${after}`,
      unknownRequest(text),
    );
    this.text = text;
  }
}

/** Refuses a height that the chain has not reached. */
export const inTheFuture = (): Fault => {
  const text =
    "cannot query with height in the future; please provide a valid height";
  return new Fault(2, `codespace sdk code 26: invalid height: ${text}`, {
    code: 26,
    log: `${text}: invalid height`,
  });
};

/** Refuses a height before the fork, which only the forked chain has. */
export const beforeFork = (height: bigint, fork: bigint): Fault => {
  const text = `height ${height} is not available, lowest height is ${fork + 1n}: this network is a fork that begins after block ${fork} of its chain, which has what was before`;
  return new Fault(2, `codespace sdk code 38: not found: ${text}`, {
    code: 38,
    log: `${text}: not found`,
  });
};

/**
 * Converts the error of a fork that cannot answer to a refusal; returns any
 * other error unchanged.
 */
export const asFault = (error: unknown): unknown =>
  DualstackError.is(error)
    ? new Fault(2, error.message, { code: 1, log: error.message })
    : error;

/** Returns what is read, or `otherwise` when a fork cannot tell it. */
export async function told<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (DualstackError.is(error)) return otherwise;
    throw error;
  }
}

/** Refuses a height whose state is not kept. */
export const pruned = (height: bigint, latest: bigint): Fault => {
  const text = `failed to load state at height ${height}; version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height (latest height: ${latest})`;
  return new Fault(2, `codespace sdk code 38: not found: ${text}`, {
    code: 38,
    log: `${text}: not found`,
  });
};

/** Refuses an unknown method or path. */
export const notImplemented = (text = "Not Implemented"): Fault =>
  new Fault(12, text, {
    code: 6,
    log: "unknown query path: unknown request",
  });
