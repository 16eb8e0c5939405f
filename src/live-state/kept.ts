import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

import type { RpcOutcome } from "../rpc/http-client.js";
import { RpcError, type RpcRequest } from "../rpc/provider.js";
import { isRecord } from "../rpc/quantities.js";

/** A chain's answers about one block. */
export interface Kept {
  get(question: string): RpcOutcome | undefined;
  set(question: string, answer: RpcOutcome): void;
  /** Whether there are answers since the last `save` or `drop`. */
  readonly hasFresh: boolean;
  /** Confirms the answers since the last `save` or `drop`, and keeps them. */
  save(): Promise<void>;
  /** Drops the answers since the last `save`, which may be wrong. */
  drop(): void;
  /** Drops all answers, which are of another chain. */
  forget(): Promise<void>;
}

/** The question under which a request's answer is kept. */
export const questionOf = (request: RpcRequest): string =>
  JSON.stringify(request);

/**
 * Keeps answers in memory: without a pinned block, the next run reads another
 * one.
 */
export class KeptInMemory implements Kept {
  readonly #answers = new Map<string, RpcOutcome>();
  #fresh = new Map<string, RpcOutcome>();

  get(question: string): RpcOutcome | undefined {
    return this.#fresh.get(question) ?? this.#answers.get(question);
  }

  set(question: string, answer: RpcOutcome): void {
    this.#fresh.set(question, answer);
  }

  get hasFresh(): boolean {
    return this.#fresh.size > 0;
  }

  /** Returns all saved requests with their answers. */
  entries(): Iterable<readonly [string, RpcOutcome]> {
    return this.#answers.entries();
  }

  async save(): Promise<void> {
    const fresh = this.#fresh;
    if (fresh.size === 0) return;
    this.#fresh = new Map();
    for (const [question, answer] of fresh) this.restore(question, answer);
    await this.write(fresh);
  }

  drop(): void {
    this.#fresh.clear();
  }

  async forget(): Promise<void> {
    this.#fresh.clear();
    this.#answers.clear();
    await Promise.resolve();
  }

  protected restore(question: string, answer: RpcOutcome): void {
    this.#answers.set(question, answer);
  }

  protected async write(
    _fresh: ReadonlyMap<string, RpcOutcome>,
  ): Promise<void> {
    await Promise.resolve();
  }
}

/**
 * Keeps answers also in a file, so that a second run needs no network. Each
 * line is an answer; malformed lines are ignored.
 */
export class KeptOnDisk extends KeptInMemory {
  readonly #file: string;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string) {
    super();
    this.#file = file;
  }

  /** Opens a file of answers, which need not exist yet. */
  static async open(file: string): Promise<KeptOnDisk> {
    const kept = new KeptOnDisk(file);
    const text = await readFile(file, "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      const [question, answer] = readLine(line) ?? [];
      if (question !== undefined && answer !== undefined)
        kept.restore(question, answer);
    }
    return kept;
  }

  override async forget(): Promise<void> {
    await super.forget();
    await this.#writing;
    await rm(this.#file, { force: true });
  }

  protected override async write(
    fresh: ReadonlyMap<string, RpcOutcome>,
  ): Promise<void> {
    const lines = [...fresh].map(
      ([question, answer]) => `\n${JSON.stringify([question, plain(answer)])}`,
    );
    this.#writing = this.#writing.then(async () => {
      try {
        await mkdir(path.dirname(this.#file), { recursive: true });
        await appendFile(this.#file, lines.join(""));
      } catch {
        // If the file cannot be written, the next run repeats the requests.
      }
    });
    await this.#writing;
  }
}

const plain = (answer: RpcOutcome) =>
  answer.ok
    ? { result: answer.result }
    : {
        error: {
          code: answer.error.code,
          message: answer.error.serverMessage,
          data: answer.error.data,
        },
      };

function readLine(line: string): [string, RpcOutcome] | undefined {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(read)) return undefined;
  const [question, answer] = read as unknown[];
  if (typeof question !== "string" || !isRecord(answer)) return undefined;
  if ("result" in answer)
    return [question, { ok: true, result: answer.result }];
  const { error } = answer;
  if (
    !isRecord(error) ||
    typeof error.code !== "number" ||
    typeof error.message !== "string"
  )
    return undefined;
  const refusal = new RpcError(error.message, error.code, error.data);
  return [question, { ok: false, error: refusal }];
}
