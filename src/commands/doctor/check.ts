import type { EndpointName } from "../../chain/index.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import type { Subject } from "./subject.js";

/** The outcome of a check; a red one has its cause and a fix. */
export type Finding =
  | { readonly status: "green"; readonly found: string }
  | { readonly status: "red"; readonly cause: string; readonly fix: string }
  | {
      readonly status: "skipped";
      readonly why: string;
      /** The red check that this one follows from. */
      readonly because?: string;
    };

/** One question about a network. An error that it throws makes the check red. */
export interface Check {
  readonly id: string;
  readonly title: string;
  /** The check is skipped if one of these endpoints is missing. */
  readonly needs: readonly EndpointName[];
  /**
   * The endpoint that this check stands for: if it does not answer, other
   * checks that need it are skipped.
   */
  readonly speaksFor?: EndpointName;
  run(subject: Subject): Promise<Finding>;
}

export type CheckResult = Pick<Check, "id" | "title"> &
  Finding & {
    /** Milliseconds, including time spent waiting. */
    readonly ms: number;
  };

export const green = (found: string): Finding => ({ status: "green", found });

export const red = (cause: string, fix: string): Finding => ({
  status: "red",
  cause,
  fix,
});

export const skipped = (why: string, because?: string): Finding => ({
  status: "skipped",
  why,
  ...(because === undefined ? {} : { because }),
});

/** What an error says, without its fix, which a finding has apart. */
export function causeOf(error: unknown): string {
  if (!DualstackError.is(error)) {
    return errorText(error);
  }
  const { endpoint } = error.place;
  return `${error.reason}${endpoint === undefined ? "" : ` (${endpoint})`}`;
}
