import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import {
  PRECOMPILE_NAMES,
  type PrecompileName,
  PRECOMPILES,
} from "../../src/precompiles/index.js";
import type { KnownDifference } from "./compare.mjs";
import { readGasHere, readGasRecording } from "./gas.js";

/*
 * Makes the table in docs/fidelity.md, which compares the local precompiles with a
 * real node, method by method. It follows from the recordings and the list of
 * known differences, which the conformance tests check.
 *
 *   node --import ./scripts/typescript.mjs test/conformance/fidelity.ts     writes it into the page
 */

interface Step {
  readonly id: string;
  readonly to?: string;
  readonly fn?: string;
  readonly informative?: boolean;
}

export const PAGE = new URL("../../docs/fidelity.md", import.meta.url);
const BEGIN =
  "<!-- fidelity: made by test/conformance/fidelity.ts, from the recordings -->";
const END = "<!-- /fidelity -->";

/** Names of precompiles that the scenario calls otherwise. */
const STEP_NAMES: Partial<Record<PrecompileName, string>> = {
  governance: "gov",
};

async function readSteps(name: string): Promise<Step[]> {
  const url = new URL(`recordings/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(await readFile(url)).toString("utf8")).steps;
}

const covers = ({ id }: KnownDifference, step: Step) =>
  id.endsWith("*") ? step.id.startsWith(id.slice(0, -1)) : step.id === id;

/** Returns the table, between its marks. */
export async function fidelitySection(): Promise<string> {
  const steps = [
    ...(await readSteps("chain")),
    ...(await readSteps("chain.slash")),
    ...(await readSteps("chain.modules")),
  ].filter(({ informative }) => informative !== true);
  const known: KnownDifference[] = JSON.parse(
    await readFile(new URL("known-differences.json", import.meta.url), "utf8"),
  );
  const reasons = [...new Set(known.map(({ why }) => why))];
  const recording = await readGasRecording();
  const here = await readGasHere();
  /** Returns the estimates here as multiples of the chain's, for typical calls of a method. */
  const gas = (name: PrecompileName, method: string) => {
    const ratios = recording.rows
      .filter(
        (row) => row.to === (STEP_NAMES[name] ?? name) && row.method === method,
      )
      .map((row) => (here[row.id] ?? 0) / row.gas);
    if (ratios.length === 0) return "not compared";
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map(
      (ratio) => ratio.toFixed(2),
    );
    return least === most ? `${least}x` : `${least}x to ${most}x`;
  };
  const rows = PRECOMPILE_NAMES.flatMap((name) =>
    PRECOMPILES[name].abi.flatMap((entry) => {
      if (entry.type !== "function") {
        return [];
      }
      const asked = steps.filter(
        ({ to, fn }) => to === (STEP_NAMES[name] ?? name) && fn === entry.name,
      );
      const marks = new Set(
        known
          .filter((difference) =>
            asked.some((step) => covers(difference, step)),
          )
          .map(({ why }) => `(${reasons.indexOf(why) + 1})`),
      );
      const except = marks.size === 0 ? "" : `, except ${[...marks].join(" ")}`;
      return [
        `| ${name} | \`${entry.name}\` | ${asked.length} | identical${except} | ${gas(name, entry.name)} |`,
      ];
    }),
  );
  return [
    BEGIN,
    "",
    "| precompile | method | recorded steps | against a real node | gas |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    ...reasons.map((why, i) => `(${i + 1}) ${why}\n`),
    END,
  ].join("\n");
}

/** Returns the page with the table as it must be now. */
export async function withFidelity(page: string): Promise<string> {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) {
    throw new Error("docs/fidelity.md has no marks for the fidelity table");
  }
  return (
    page.slice(0, begin) +
    (await fidelitySection()) +
    page.slice(end + END.length)
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(PAGE, await withFidelity(await readFile(PAGE, "utf8")));
}
