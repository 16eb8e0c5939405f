import { createHash } from "node:crypto";

import type { BatchProvider, RpcOutcome } from "../rpc/http-client.js";
import { RpcError, type RpcRequest } from "../rpc/provider.js";
import { isRecord } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import { KeptInMemory } from "./kept.js";

/**
 * The format of a snapshot. The number increases with changes that older
 * versions cannot read.
 */
const FORMAT = "hardhat-dualstack-snapshot/1";

/** The head of a snapshot. */
export interface SnapshotHead {
  readonly format: typeof FORMAT;
  readonly chainId: number;
  readonly network: string;
  readonly block: {
    readonly number: number;
    readonly hash: string;
    /** Unix seconds. */
    readonly time: number;
  };
  readonly validators: readonly {
    readonly moniker: string;
    readonly operator: string;
    /** Base units. */
    readonly tokens: string;
  }[];
  /** Accounts whose stake the snapshot has, in lower case. */
  readonly accounts: readonly string[];
}

/** A fork's request and the chain's answer. */
type Answer = {
  readonly ask: string;
  /** Absent for a path of the REST endpoint. */
  readonly params?: unknown;
} & (
  | { readonly answer: unknown }
  | {
      readonly error: {
        readonly code: number;
        readonly message: string;
        readonly data?: unknown;
      };
    }
);

/** The state of a chain at one block, as the answers that a fork needs. */
export interface Snapshot extends SnapshotHead {
  readonly answers: readonly Answer[];
}

/** Converts kept answers to entries of a snapshot, each once. */
export function answersOf(kept: Iterable<readonly [string, RpcOutcome]>) {
  const answers = new Map<string, Answer>();
  for (const [question, outcome] of kept) {
    const asked = question.startsWith("/")
      ? { ask: question }
      : askedIn(JSON.parse(question) as unknown);
    answers.set(JSON.stringify(asked), {
      ...asked,
      ...(outcome.ok
        ? { answer: outcome.result ?? null }
        : {
            error: {
              code: outcome.error.code,
              message: outcome.error.serverMessage,
              data: outcome.error.data,
            },
          }),
    });
  }
  return [...answers.values()];
}

/**
 * Parses a kept request: the simulator's is a list, one for the books an
 * object.
 */
function askedIn(question: unknown): { ask: string; params: unknown } {
  const [method, params] = Array.isArray(question)
    ? (question as unknown[])
    : isRecord(question)
      ? [question.method, question.params]
      : [];
  return { ask: String(method), params };
}

/** Writes a snapshot: its head, one answer per line, and a checksum of all. */
export function snapshotText(
  head: Omit<SnapshotHead, "format">,
  answers: readonly Answer[],
): string {
  const whole = { format: FORMAT, ...head, answers };
  const lines = answers.map((answer) => `    ${JSON.stringify(answer)}`);
  const begin = JSON.stringify({ format: FORMAT, ...head }, null, 2);
  return `${begin.slice(0, -2)},\n  "answers": [\n${lines.join(",\n")}\n  ],\n  "checksum": "${checksum(whole)}"\n}\n`;
}

const checksum = (whole: object) =>
  createHash("sha256").update(JSON.stringify(whole)).digest("hex");

/**
 * Parses a snapshot.
 *
 * @param file its path, for errors
 * @throws DualstackError when it is no snapshot, has another version, or was
 * changed
 */
export function parseSnapshot(text: string, file: string): Snapshot {
  const wrong = (what: string, fix: string) =>
    new DualstackError(`the snapshot ${file} ${what}`, { fix });
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw wrong("is not JSON", "Write it again: hardhat dualstack snapshot.");
  }
  if (
    !isRecord(read) ||
    !String(read.format).startsWith("hardhat-dualstack-snapshot/")
  ) {
    throw wrong(
      "is none of hardhat-dualstack",
      "Write one: hardhat dualstack snapshot.",
    );
  }
  if (read.format !== FORMAT) {
    throw wrong(
      `has the format ${String(read.format)}, and this version reads ${FORMAT}`,
      "Write it again, or use the version of hardhat-dualstack that wrote it.",
    );
  }
  const { checksum: sum, ...whole } = read;
  if (sum !== checksum(whole)) {
    throw wrong(
      "was changed or cut off: its checksum does not fit",
      "Write it again: hardhat dualstack snapshot.",
    );
  }
  return whole as unknown as Snapshot;
}

const outcomeIn = (answer: Answer): RpcOutcome =>
  "answer" in answer
    ? { ok: true, result: answer.answer }
    : {
        ok: false,
        error: new RpcError(
          answer.error.message,
          answer.error.code,
          answer.error.data,
        ),
      };

/** Loads a snapshot's answers, with keys for the simulator or for the books. */
export async function keptOf(
  { answers }: Snapshot,
  whom: "simulator" | "books",
): Promise<KeptInMemory> {
  const kept = new KeptInMemory();
  for (const answer of answers) {
    const { ask: method, params } = answer;
    const question =
      params === undefined
        ? method
        : whom === "simulator"
          ? JSON.stringify([method, params])
          : JSON.stringify({ method, params });
    kept.set(question, outcomeIn(answer));
  }
  await kept.save();
  return kept;
}

/** A provider that fails every request as missing in the snapshot. */
export const notThere: BatchProvider = {
  request: async ({ method }) => {
    await Promise.resolve();
    throw missing(method);
  },
  batch: async (requests: readonly RpcRequest[]) =>
    await Promise.resolve(
      requests.map(
        ({ method }): RpcOutcome => ({
          ok: false,
          error: missing(method),
        }),
      ),
    ),
};

/** Returns the error for something that is not in the snapshot. */
export const missing = (what: string) =>
  new RpcError(`${what} is not in the snapshot`, -32000, undefined);
