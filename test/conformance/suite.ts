import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";

import { JsonRpcProvider } from "ethers";

import { compileJson, compilerVersion } from "../helpers/solc.js";
import { compare, type KnownDifference, type Recording } from "./compare.mjs";
import {
  INNER_DIFFERENCES,
  LEAST,
  MOST_OF_ALL,
  MOST_OF_SOME,
  measureGas,
  readGasHere,
  readGasRecording,
  writeGasHere,
} from "./gas.js";
import { record } from "./record.mjs";

async function readRecording(name: string): Promise<Recording> {
  const url = new URL(`recordings/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(await readFile(url)).toString("utf8"));
}

async function readKnown(): Promise<KnownDifference[]> {
  const url = new URL("known-differences.json", import.meta.url);
  return JSON.parse(await readFile(url, "utf8"));
}

/** How one major of Hardhat serves the chain of the recordings. */
export interface Served {
  /** Such as "Hardhat 3". */
  readonly by: string;
  /** The folder of the project. */
  readonly project: string;
  /** Arguments for Node.js that stand before `node` and its options. */
  readonly cli: readonly string[];
}

/**
 * Runs `hardhat node` in the project with the chain of the recordings.
 *
 * @param period length of all its periods, in seconds
 */
async function startNode({ project, cli }: Served, period: number) {
  const node = spawn(
    process.execPath,
    [...cli, "node", "--hostname", "127.0.0.1", "--port", "0"],
    {
      cwd: project,
      env: { ...process.env, PERIOD: String(period), NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const rpc = await new Promise<string>((resolve, reject) => {
    let output = "";
    node.stdout.on("data", (chunk) => {
      output += chunk;
      const url = /JSON-RPC server at (http:\S+)/.exec(output)?.[1];
      if (url !== undefined) {
        // From here on it prints a line for every request.
        node.stdout.removeAllListeners("data").resume();
        resolve(url);
      }
    });
    node.on("exit", () => reject(new Error(`the node stopped: ${output}`)));
  });
  return {
    rpc,
    close: async () => {
      node.removeAllListeners("exit");
      const exited = new Promise((resolve) => node.on("exit", resolve));
      node.kill();
      await exited;
    },
  };
}

async function runScenario(
  served: Served,
  name: string,
  period: number,
  scenario?: string,
) {
  const expected = await readRecording(name);
  const node = await startNode(served, period);
  try {
    const actual = await record({
      rpc: node.rpc,
      mode: "hardhat",
      scenario,
      quiet: true,
      solc: { compile: compileJson, version: compilerVersion },
    });
    return { expected, actual };
  } finally {
    await node.close();
  }
}

/**
 * Compares, prints how many steps are identical, and asserts that nothing differs
 * but what is listed.
 */
async function checkRecordings(
  title: string,
  expected: Recording,
  actual: Recording,
) {
  const known = await readKnown();
  const all = compare(expected, actual);
  const unknown = compare(expected, actual, { known });
  console.log(
    `${title}: ${all.same} of ${all.same + all.different} compared steps identical, ${unknown.known} differ as listed`,
  );
  const places = unknown.differences.map(
    ({ id, aspect, path, a, b }) =>
      `${id} ${aspect} ${path}: node ${JSON.stringify(a)}, here ${JSON.stringify(b)}`,
  );
  assert.deepEqual(places, []);
  return { all, known };
}

/** Compares what a real node answered with what one major of Hardhat serves. */
export function describeConformance(served: Served): void {
  describe(`what a real node answered, on ${served.by}`, () => {
    it(
      "is what the local precompiles answer",
      { timeout: 280_000 },
      async () => {
        const { expected, actual } = await runScenario(served, "chain", 120);
        const { all, known } = await checkRecordings(
          `scenario on ${served.by}`,
          expected,
          actual,
        );
        for (const { id, aspect } of known) {
          const used = all.differences.some(
            (difference) =>
              (id.endsWith("*")
                ? difference.id.startsWith(id.slice(0, -1))
                : difference.id === id) &&
              (aspect === undefined || difference.aspect.startsWith(aspect)),
          );
          assert.ok(used, `${id} is listed as different, but is not`);
        }
      },
    );

    it(
      "is what they answer about a slashed validator, too",
      { timeout: 280_000 },
      async () => {
        const { expected, actual } = await runScenario(
          served,
          "chain.slash",
          600,
          "slash",
        );
        // This scenario does not ask for the periods itself.
        for (const recording of [expected, actual])
          recording.meta.params.unbondingTime = 600;
        await checkRecordings(`slashing on ${served.by}`, expected, actual);
      },
    );

    it(
      "is what they answer about balances and signatures",
      { timeout: 280_000 },
      async () => {
        const { expected, actual } = await runScenario(
          served,
          "chain.modules",
          120,
          "modules",
        );
        await checkRecordings(
          `bank and slashing on ${served.by}`,
          expected,
          actual,
        );
      },
    );

    it("is what calls cost", { timeout: 280_000 }, async () => {
      const recording = await readGasRecording();
      const node = await startNode(served, 180);
      const provider = new JsonRpcProvider(node.rpc, undefined, {
        staticNetwork: true,
      });
      const { here, inner } = await measureGas(
        (method, params) => provider.send(method, params),
        recording,
      ).finally(async () => {
        provider.destroy();
        await node.close();
      });
      if (process.env.UPDATE_GAS !== undefined) await writeGasHere(here);
      const noted = await readGasHere();
      // Hardhat 2's node finds a tighter limit where storage is freed.
      const mayBeLess = served.by === "Hardhat 2";
      const wrong = recording.rows.flatMap(({ id, gas }) => {
        const mine = here[id] ?? 0;
        const more = mine - (noted[id] ?? 0);
        const good =
          mine >= LEAST * gas &&
          mine <= (MOST_OF_SOME[id] ?? MOST_OF_ALL) * gas &&
          more <= mine / 20 &&
          (mayBeLess || more >= -mine / 20);
        return good
          ? []
          : [`${id}: ${gas} on the chain, ${mine} here, noted ${noted[id]}`];
      });
      assert.deepEqual(wrong, []);
      const others = recording.inner
        .filter(({ id, ok }) => inner.get(id) !== ok)
        .map(({ id, ok }) => `${id} ${ok ? "succeeds" : "fails"} on the chain`);
      assert.deepEqual(others, INNER_DIFFERENCES);
    });
  });
}
