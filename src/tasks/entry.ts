import type { AnyTaskAction } from "./host.js";

/** An argument that is given by its position. */
export interface TaskArgument {
  readonly name: string;
  readonly description: string;
  /** Left out, it is `undefined`, or an empty list where it is variadic. */
  readonly optional?: boolean;
  readonly variadic?: boolean;
}

/** An option; left out, it is its default, and a flag is `false`. */
export interface TaskOption {
  readonly name: string;
  readonly description: string;
  /** Default: text. */
  readonly type?: "flag" | "file";
  readonly defaultValue?: string;
}

export interface TaskEntry {
  /** Its name below `dualstack`; Hardhat 2 joins the parts of a longer one by a colon. */
  readonly path: readonly string[];
  readonly description: string;
  readonly arguments?: readonly TaskArgument[];
  readonly options?: readonly TaskOption[];
  /** The action; its arguments are those above, by their names. */
  readonly load: () => Promise<{ readonly default: AnyTaskAction }>;
}

export const JSON_FLAG = {
  name: "json",
  description: "Print the result as JSON, for scripts",
  type: "flag",
} as const satisfies TaskOption;
/** Of every task: for code, which gets the report and prints what it wants. Not in the help. */
export const QUIET_FLAG = {
  name: "quiet",
  description: "Print nothing, for code that runs the task",
  type: "flag",
} as const satisfies TaskOption;
/** Of everything that sends a transaction. */
export const SENDING_OPTIONS = [
  {
    name: "from",
    description:
      "The account to send from: its address, or its index among the network's accounts; default: the first",
  },
  {
    name: "dryRun",
    description: "Check everything and print the cost, but send nothing",
    type: "flag",
  },
  {
    name: "yes",
    description: "Spend on the main network without asking",
    type: "flag",
  },
  JSON_FLAG,
] as const satisfies readonly TaskOption[];
