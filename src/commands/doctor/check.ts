import type { EndpointName } from "../../chain/index.js";
import type { Subject } from "./subject.js";

/** What a check found; a red one says why, and what to do about it. */
export type Finding =
  | { readonly status: "green"; readonly found: string }
  | { readonly status: "red"; readonly cause: string; readonly fix: string }
  | {
      readonly status: "skipped";
      readonly why: string;
      /** The red check from which this one would only follow. */
      readonly because?: string;
    };

/** One question about a network. What it throws makes it red. */
export interface Check {
  readonly id: string;
  readonly title: string;
  /** Endpoints without which it is skipped. */
  readonly needs: readonly EndpointName[];
  /** The endpoint that it speaks for: what else needs one that does not answer is skipped. */
  readonly speaksFor?: EndpointName;
  run(subject: Subject): Promise<Finding>;
}

export type CheckResult = Pick<Check, "id" | "title"> &
  Finding & {
    /** Milliseconds that it took, waiting included. */
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
