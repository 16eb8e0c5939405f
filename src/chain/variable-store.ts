let store = "keystore";

/** Where the Hardhat that runs keeps variables: its keystore, or `vars` on Hardhat 2, whose entry says so. */
export function useVariableStore(name: "keystore" | "vars"): void {
  store = name;
}

/** How a variable is set, for errors: the beginning of a sentence. */
export const howToSet = (variable: string): string =>
  `Set ${variable} in the environment or with "${setCommand(variable)}"`;

/** The command that keeps a variable. */
export const setCommand = (variable: string): string =>
  `npx hardhat ${store} set ${variable}`;
