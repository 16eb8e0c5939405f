import { readFileSync } from "node:fs";
import path from "node:path";

import { capitalize } from "../../src/support/text.js";
import { ROOT } from "../package/package.js";

/** A function, an event or a struct of an interface in contracts/, as a reader of the API sees it. */
export interface Declared {
  readonly kind: "function" | "event" | "struct";
  readonly name: string;
  /** Types and names, without data locations; of an event also which are indexed. */
  readonly takes: string;
  readonly gives: string;
  readonly isView: boolean;
  /** Its comments: what it is, and its parameters with their units. */
  readonly text: string;
}

const DECLARATION =
  /^((?: {4}\/\/\/.*\n)*) {4}(function|event|struct) (\w+)\s*(?:\(([^)]*)\)([^;]*);|\{([^}]*)\})/gm;

/**
 * Reads the functions, events and structs of an interface.
 *
 * @param name of the precompile, whose interface is `I<Name>`
 */
export function declarationsOf(name: string): Declared[] {
  const file = path.join(ROOT, "contracts", `I${capitalize(name)}.sol`);
  return [...readFileSync(file, "utf8").matchAll(DECLARATION)].map(
    ([, comments = "", kind, each = "", inputs, rest = "", fields = ""]) => ({
      kind: kind === "function" || kind === "event" ? kind : "struct",
      name: each,
      takes: listed(inputs ?? fields.replaceAll(";", ",")),
      gives: listed(/returns \(([^)]*)\)/.exec(rest)?.[1] ?? ""),
      isView: /\bview\b/.test(rest),
      text: commentText(comments),
    }),
  );
}

const CONTROL =
  /^((?: {4}\/\/\/.*\n)*) {4}function (\w+)\(([^)]*)\) internal\b([^{]*)\{/gm;

/** Reads what tests in Solidity call: the library in DualstackTest.sol. */
export function testFunctions(): Omit<Declared, "kind" | "isView">[] {
  const file = path.join(ROOT, "contracts/DualstackTest.sol");
  return [...readFileSync(file, "utf8").matchAll(CONTROL)].map(
    ([, comments = "", name = "", inputs = "", rest = ""]) => ({
      name,
      takes: listed(inputs),
      gives: listed(/returns \(([^)]*)\)/.exec(rest)?.[1] ?? ""),
      text: commentText(comments),
    }),
  );
}

const listed = (text: string) =>
  text
    .split(",")
    .map((part) =>
      part
        .replace(/\b(?:calldata|memory)\b/g, "")
        .trim()
        .split(/\s+/)
        .join(" "),
    )
    .filter((part) => part !== "")
    .join(", ");

function commentText(comments: string): string {
  const tags = comments
    .replace(/^ *\/\/\/ ?/gm, "")
    .split(/^@/m)
    .map((tag) => tag.trim().split(/\s+/));
  const notice = tags
    .filter(([tag]) => tag === "notice")
    .map(([, ...words]) => words.join(" "));
  const named = tags
    .filter(([tag]) => tag === "param" || tag === "return")
    .map(([, name, ...words]) => `\`${name}\`: ${words.join(" ")}`);
  return [...notice, ...(named.length === 0 ? [] : [`${named.join("; ")}.`])]
    .join(" ")
    .trim();
}
