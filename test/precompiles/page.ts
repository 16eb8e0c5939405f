import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import {
  DEFINITIONS,
  PRECOMPILE_NAMES,
} from "../../src/precompiles/addresses.js";

/*
 * Writes the table of precompiles into docs/precompiles.md:
 *
 *   node --import ./scripts/typescript.mjs test/precompiles/page.ts
 */

export const PAGE = new URL("../../docs/precompiles.md", import.meta.url);
const TABLE = /(<!-- precompiles: [^>]*-->\n)[^]*(\n<!-- \/precompiles -->)/;

const PRESENCE = {
  documented: "yes",
  usual: "yes, like most chains of this kind",
  optional: "no",
} as const;

/** Returns the page with an up-to-date table. */
export function withTable(page: string): string {
  if (!TABLE.test(page)) {
    throw new Error("docs/precompiles.md has no marks for the table");
  }
  const rows = PRECOMPILE_NAMES.map((name) => {
    const { address, about, presence } = DEFINITIONS[name];
    return [
      `\`${name}\``,
      `\`0x…${address.slice(-4)}\``,
      about,
      PRESENCE[presence],
    ];
  });
  const table = [
    ["name", "address", "what it does", "active by default"],
    ["---", "---", "---", "---"],
    ...rows,
  ].map((cells) => `| ${cells.join(" | ")} |`);
  return page.replace(
    TABLE,
    (_, begin: string, end: string) => `${begin}\n${table.join("\n")}\n${end}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(PAGE, withTable(await readFile(PAGE, "utf8")));
}
