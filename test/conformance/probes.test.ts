import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { it } from "node:test";
import { gunzipSync } from "node:zlib";

import { createNetwork } from "../localnet/network.js";
import { compareProbes, describeDifference } from "./compare-probes.mjs";
import { RpcError } from "./record.mjs";
import { ask, type ProbeRecording } from "./probes.mjs";

const require = createRequire(import.meta.url);

/** Reads what a real node answered. */
async function readRecording(): Promise<ProbeRecording> {
  const url = new URL("recordings/probes.json.gz", import.meta.url);
  return JSON.parse(gunzipSync(await readFile(url)).toString("utf8"));
}

interface Known {
  /** Ids of questions; a "*" at the end of one stands for anything. */
  readonly ids: readonly string[];
  readonly why: string;
}

async function readKnown(): Promise<readonly Known[]> {
  const url = new URL("known-probe-differences.json", import.meta.url);
  return JSON.parse(await readFile(url, "utf8"));
}

/** Starts the chain of the recording in this process. */
async function startChain() {
  process.env.PERIOD = "180";
  const {
    dualstack,
    ...network
  } = require("../../fixtures/conformance/chain.cjs");
  const { localnet, bech32Prefix, baseDenom } = dualstack;
  const chain = await createNetwork({
    settings: localnet,
    network,
    facts: { bech32Prefix, baseDenom },
  });
  const send = async (method: string, params: unknown[] = []) => {
    try {
      return await chain.rpc(method, ...params);
    } catch (error) {
      throw new RpcError(error);
    }
  };
  return {
    rpc: {
      send,
      batch: async (requests: [string, unknown[]][]) =>
        await Promise.all(requests.map(async ([m, p]) => await send(m, p))),
    },
    close: () => chain.close(),
  };
}

it(
  "unusual arguments are answered as by a real node",
  { timeout: 280_000 },
  async () => {
    const chain = await startChain();
    const only = process.env.PROBES;
    const actual = await ask({ rpc: chain.rpc, mode: "hardhat", only }).finally(
      chain.close,
    );
    if (process.env.PROBES_OUT !== undefined)
      await writeFile(process.env.PROBES_OUT, JSON.stringify(actual));
    const expected = await readRecording();
    if (only !== undefined) {
      const asked = new Set(actual.probes.map(({ id }) => id));
      expected.probes = expected.probes.filter(({ id }) => asked.has(id));
    }
    const { same, differences, warnings } = compareProbes(expected, actual);
    const known = (await readKnown()).flatMap(({ ids }) => ids);
    const matches = (pattern: string, id: string) =>
      pattern.endsWith("*")
        ? id.startsWith(pattern.slice(0, -1))
        : id === pattern;
    const unknown = differences.filter(
      ({ id }) => !known.some((pattern) => matches(pattern, id)),
    );
    console.log(
      `unusual arguments: ${same} of ${same + differences.length} answers identical, ${differences.length - unknown.length} differ as listed`,
    );
    assert.deepEqual(warnings, []);
    assert.equal(unknown.map(describeDifference).join("\n"), "");
    if (only !== undefined) return;
    const unused = known.filter(
      (pattern) => !differences.some(({ id }) => matches(pattern, id)),
    );
    assert.deepEqual(
      unused,
      [],
      "listed as different, but answered as by a real node",
    );
  },
);
