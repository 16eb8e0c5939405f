import * as module from "node:module";

/** What makes a Node of its own run this project's TypeScript. */
export const TYPESCRIPT: readonly string[] = [
  "--import",
  new URL("../../scripts/typescript.mjs", import.meta.url).href,
];

/** Why a test that asks what Node loads has to be skipped: before 22.15 it does not tell. */
export const UNTOLD: string | false =
  "registerHooks" in module ? false : "this Node does not tell what it loads";
