import { describe, it } from "node:test";

import type { Client, Major } from "../helpers/majors.js";
import { generate } from "./random-cases.js";
import { World } from "./random-world.js";

// Sends at random while the node fails at random, and checks on the chain that
// the plugin keeps its promises. For more cases, or others:
//   DUALSTACK_SENDING_CASES=200 DUALSTACK_SENDING_SEED=7
const SEED = Number(process.env["DUALSTACK_SENDING_SEED"] ?? 1);
const CASES = Number(process.env["DUALSTACK_SENDING_CASES"] ?? 0);
const AT_ONCE = 8;
/** Seeds of cases that take some seconds; others wait for up to a minute. */
const BRIEF = [28, 2, 3, 17, 21, 9, 37, 32].map((index) => 14_000_000 + index);

/** @param brief how many of the brief cases run, unless the environment says */
export function testRandomSending<C extends Client>(
  major: Major<C>,
  brief = BRIEF.length,
): void {
  const seeds =
    CASES === 0
      ? BRIEF.slice(0, brief)
      : Array.from({ length: CASES }, (_, index) => SEED * 1_000_000 + index);
  describe(`sending on ${major.name}`, () => {
    it(`loses nothing and sends nothing twice, in ${seeds.length} random cases from seed ${seeds[0]}`, async (t) => {
      const ends = new Map<string, number>();
      const failures: string[] = [];
      const left = [...seeds].reverse();
      const runAll = async () => {
        for (let seed = left.pop(); seed !== undefined; seed = left.pop()) {
          try {
            const one = generate(seed, major.manyConnections);
            for (const { error, end } of await World.run(one, major)) {
              const text = kindOf(error ?? end ?? "not waited for");
              ends.set(text, (ends.get(text) ?? 0) + 1);
            }
          } catch (error) {
            failures.push(`case ${seed}: ${String(error)}`);
          }
        }
      };
      // They wait most of the time.
      await Promise.all(
        Array.from({ length: major.manyConnections ? AT_ONCE : 1 }, runAll),
      );
      for (const [text, times] of ends) {
        t.diagnostic(`${times} x ${text}`);
      }
      if (failures.length > 0) {
        throw new Error(failures.join("\n\n"));
      }
    });
  });
}

/** A text without what differs from case to case. */
const kindOf = (text: string): string =>
  text
    .replaceAll(/0x[0-9a-f]+/gi, "0x…")
    .replaceAll(/\d+/g, "0")
    .slice(0, 150);
