import type { TaskArgument, TaskEntry, TaskOption } from "./entry.js";
import type { ROOT, TASKS } from "./table.js";

/** Types of the tasks for code that runs them; all follow from the table. */

type Entry = (typeof TASKS)[number];

type IdOf<E extends Entry> = E extends Entry
  ? [(typeof ROOT)["name"], ...E["path"]]
  : never;

/** The ID of a task, as `getTask` takes it: `["dualstack", "balance"]`. */
export type DualstackTaskId = IdOf<Entry>;

type EntryOf<Id extends DualstackTaskId> = Id extends [string, ...infer Path]
  ? Extract<Entry, { readonly path: Readonly<Path> }>
  : never;

type Items<List> = List extends readonly (infer Item)[] ? Item : never;
type ArgumentsIn<E extends Entry> = Extract<
  Items<E extends Pick<Required<TaskEntry>, "arguments"> ? E["arguments"] : []>,
  TaskArgument
>;
type OptionsIn<E extends Entry> = Extract<
  Items<E extends Pick<Required<TaskEntry>, "options"> ? E["options"] : []>,
  TaskOption
>;

type Given<A extends TaskArgument> = A extends { readonly variadic: true }
  ? string[]
  : string;

/** A task's arguments by name; those with a default may be left out. */
export type DualstackTaskArguments<Id extends DualstackTaskId> = {
  [A in ArgumentsIn<EntryOf<Id>> as A extends { readonly optional: true }
    ? never
    : A["name"]]: Given<A>;
} & {
  [A in ArgumentsIn<EntryOf<Id>> as A extends { readonly optional: true }
    ? A["name"]
    : never]?: Given<A>;
} & {
  [O in OptionsIn<EntryOf<Id>> as O["name"]]?: O extends {
    readonly type: "flag";
  }
    ? boolean
    : string;
} & {
  /** Prints nothing; errors are thrown, and nothing is asked. */
  quiet?: boolean;
};

/** A task's report: the figures that it prints. */
export type DualstackTaskReport<Id extends DualstackTaskId> = Awaited<
  ReturnType<Awaited<ReturnType<EntryOf<Id>["load"]>>["default"]>
>;
