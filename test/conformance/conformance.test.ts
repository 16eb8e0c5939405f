import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";

import { HDNodeWallet } from "ethers";

import { createEnvironment } from "../localnet/network.js";
import { compare, type KnownDifference, type Recording } from "./compare.mjs";
import { record } from "./record.mjs";

const MNEMONIC = "test test test test test test test test test test test junk";
const TOKEN = 10n ** 18n;

async function readRecording(name: string): Promise<Recording> {
  const url = new URL(`recordings/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(await readFile(url)).toString("utf8"));
}

async function readKnown(): Promise<KnownDifference[]> {
  const url = new URL("known-differences.json", import.meta.url);
  return JSON.parse(await readFile(url, "utf8"));
}

/** The node that the recordings were made on, as far as its genesis goes; all periods in seconds. */
async function startNode(period: number, chain: Recording) {
  const genesis = chain.steps.find(
    (step) => step.id === "setup.validator.valA",
  );
  assert.ok(genesis?.ret);
  const { description, consensusPubkey } = genesis.ret.value.validator;
  const wallets = Array.from({ length: 10 }, (_, i) =>
    HDNodeWallet.fromPhrase(MNEMONIC, "", `m/44'/60'/0'/0/${i}`),
  );
  const operator = wallets[9] as HDNodeWallet;
  const { hre } = await createEnvironment({
    facts: { bech32Prefix: "cosmos", baseDenom: "atest" },
    settings: {
      unbondingTime: period,
      rewardRate: 0,
      governance: {
        votingPeriod: period,
        depositPeriod: period,
        expeditedVotingPeriod: period / 2,
        minDeposit: "10",
        expeditedMinDeposit: "50",
      },
      validators: [
        {
          operator: operator.address,
          moniker: description.moniker,
          pubkey: consensusPubkey,
          stake: "1000",
          commission: { rate: "0.1", maxRate: "0.2", maxChangeRate: "0.01" },
          minSelfDelegation: 1n,
        },
      ],
    },
    network: {
      chainId: 26218,
      initialBaseFeePerGas: 0n,
      accounts: wallets.map((wallet, i) => ({
        privateKey: wallet.privateKey,
        balance: String((i === 9 ? 9_000n : 10_000n) * TOKEN),
      })),
    },
  });
  const server = await hre.network.createServer("default", "127.0.0.1", 0);
  const { address, port } = await server.listen();
  return { rpc: `http://${address}:${port}`, close: () => server.close() };
}

async function runScenario(name: string, period: number, scenario?: string) {
  const expected = await readRecording(name);
  const node = await startNode(period, await readRecording("chain"));
  try {
    const actual = await record({
      rpc: node.rpc,
      mode: "hardhat",
      scenario,
      quiet: true,
    });
    return { expected, actual };
  } finally {
    await node.close();
  }
}

/** Compares, prints how many steps are identical, and sees that the list of known differences says exactly what differs. */
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

describe("what a real node answered", () => {
  it("is what the local precompiles answer", { timeout: 280_000 }, async () => {
    const { expected, actual } = await runScenario("chain", 120);
    const { all, known } = await checkRecordings("scenario", expected, actual);
    for (const { id, aspect } of known) {
      const used = all.differences.some(
        (difference) =>
          (id.endsWith("*")
            ? difference.id.startsWith(id.slice(0, -1))
            : difference.id === id) &&
          (aspect === undefined || difference.aspect.startsWith(aspect)),
      );
      assert.ok(used, `${id} is listed as different, and is not`);
    }
  });

  it(
    "is so for a validator that is slashed, too",
    { timeout: 280_000 },
    async () => {
      const { expected, actual } = await runScenario(
        "chain.slash",
        600,
        "slash",
      );
      // this scenario does not ask for the periods itself
      for (const recording of [expected, actual])
        recording.meta.params.unbondingTime = 600;
      await checkRecordings("slashing", expected, actual);
    },
  );
});
