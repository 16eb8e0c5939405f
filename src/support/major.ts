/** Words for users that differ between the majors of Hardhat. */
interface Words {
  /** The built-in command that stores variables. */
  readonly store: string;
  /** What reads a variable in the configuration. */
  readonly fetch: string;
  /** Between the parts of a task's name. */
  readonly joint: string;
}

const WORDS = {
  2: { store: "vars", fetch: "vars.get", joint: ":" },
  3: { store: "keystore", fetch: "configVariable", joint: " " },
} as const satisfies Record<number, Words>;

let words: Words = WORDS[3];

/** Selects the major whose words are used; the entry point for Hardhat 2 calls it. */
export function useMajor(major: keyof typeof WORDS): void {
  words = WORDS[major];
}

/** How to set a variable, as the beginning of a sentence. */
export const howToSet = (variable: string): string =>
  `Set ${variable} in the environment or with "${setCommand(variable)}"`;

/** The command that stores a variable. */
export const setCommand = (variable: string): string =>
  `npx hardhat ${words.store} set ${variable}`;

/** A variable in the configuration. @example fetchVariable("…") // configVariable("…") */
export const fetchVariable = (name: string): string =>
  `${words.fetch}("${name}")`;

/** The name of a task below `dualstack`. @example taskName(["gov", "list"]) // "gov list", on Hardhat 2 "gov:list" */
export const taskName = (path: readonly string[]): string =>
  path.join(words.joint);

/**
 * A command to run, in quotes.
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
