import type { AnyTaskAction } from "./host.js";

/** A positional argument. */
export interface TaskArgument {
  readonly name: string;
  readonly description: string;
  /** If left out, it is `undefined`, or an empty list if it is variadic. */
  readonly optional?: boolean;
  readonly variadic?: boolean;
}

/** An option; if left out, it has its default value, and a flag is `false`. */
export interface TaskOption {
  readonly name: string;
  readonly description: string;
  /** Default: text. */
  readonly type?: "flag" | "file";
  readonly defaultValue?: string;
}

export interface TaskEntry {
  /** Its name below `dualstack`; Hardhat 2 joins longer names with a colon. */
  readonly path: readonly string[];
  readonly description: string;
  readonly arguments?: readonly TaskArgument[];
  readonly options?: readonly TaskOption[];
  /** Loads the action, which takes the arguments above by name. */
  readonly load: () => Promise<{ readonly default: AnyTaskAction }>;
}

export const JSON_FLAG = {
  name: "json",
  description: "Print the result as JSON, for scripts",
  type: "flag",
} as const satisfies TaskOption;
/** For code that runs a task and prints its report itself. Not shown in the help. */
export const QUIET_FLAG = {
  name: "quiet",
  description: "Print nothing, for code that runs the task",
  type: "flag",
} as const satisfies TaskOption;
/** Options of every task that sends a transaction. */
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
