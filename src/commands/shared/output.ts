import { FaucetError } from "../../faucet/error.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import type { Ui } from "./ui.js";

/** An error that is already part of the JSON on standard output. */
export class ReportedError extends Error {
  /** What was printed, if it is a whole report. */
  readonly report: object | undefined;

  constructor(cause: unknown, report?: object) {
    super(errorText(cause), { cause });
    this.report = report;
  }
}

/** The user pressed Ctrl+C at a question: nothing was done, and nothing needs to be said. */
export class Interrupted extends Error {
  constructor() {
    super("interrupted");
  }
}

/**
 * Prints a command's result: its text, or the same figures as JSON.
 *
 * @returns the result
 */
export function printResult<Result>(
  ui: Ui,
  result: Result,
  lines: readonly string[],
): Result {
  for (const line of ui.json ? [toJson(result, 2)] : lines) {
    ui.line(line);
  }
  return result;
}

/** JSON in which bigints are decimal strings, since numbers would round them. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, entry: unknown) =>
      typeof entry === "bigint" ? entry.toString() : entry,
    indent,
  );
}

/** An error for `--json`; keys are absent if nothing is known. */
export function errorToJson(error: unknown): Record<string, unknown> {
  const message = errorText(error, 2000);
  if (!DualstackError.is(error)) {
    return { message, ...codeOf(error) };
  }
  const { reason, fix, place } = error;
  return {
    message,
    reason,
    ...(fix === undefined ? {} : { fix }),
    ...place,
    ...codeOf(error),
    ...(error instanceof FaucetError ? error.toJSON() : {}),
  };
}

function codeOf(error: unknown): { code?: number } {
  const code = rpcErrorOf(error)?.code;
  return code === undefined ? {} : { code };
}
