/** What differs between the majors of Hardhat in what users are told. */
interface Words {
  /** The built-in command that keeps variables. */
  readonly store: string;
  /** What fetches a variable in the configuration. */
  readonly fetch: string;
  /** Between the parts of a task's name below its scope. */
  readonly joint: string;
}

const WORDS = {
  2: { store: "vars", fetch: "vars.get", joint: ":" },
  3: { store: "keystore", fetch: "configVariable", joint: " " },
} as const satisfies Record<number, Words>;

let words: Words = WORDS[3];

/** Says which Hardhat runs; the entry for Hardhat 2 does. */
export function useMajor(major: keyof typeof WORDS): void {
  words = WORDS[major];
}

/** How a variable is set, for errors: the beginning of a sentence. */
export const howToSet = (variable: string): string =>
  `Set ${variable} in the environment or with "${setCommand(variable)}"`;

/** The command that keeps a variable. */
export const setCommand = (variable: string): string =>
  `npx hardhat ${words.store} set ${variable}`;

/** A variable as the configuration takes it. @example fetchVariable("…") // configVariable("…") */
export const fetchVariable = (name: string): string =>
  `${words.fetch}("${name}")`;

/** The name of a task below `dualstack`. @example taskName(["gov", "list"]) // "gov list", on Hardhat 2 "gov:list" */
export const taskName = (path: readonly string[]): string =>
  path.join(words.joint);

/**
 * A task to run, in quotes, for hints.
 *
 * @example taskCommand("gov show", "testnet", "5") // "npx hardhat dualstack gov show 5 --network testnet"
 */
export const taskCommand = (
  task: string,
  network: string,
  ...args: readonly string[]
): string =>
  `"${[
    "npx hardhat dualstack",
    taskName(task.split(" ")),
    ...args,
    "--network",
    network,
  ].join(" ")}"`;
