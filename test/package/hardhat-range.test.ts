import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { KEYS } from "../helpers/chain.js";
import { EvmNode } from "../servers/evm-node.js";
import {
  consumer,
  installedVersions,
  installPacked,
  node,
  type Ran,
  remove,
  ROOT,
  run,
  temporary,
} from "./package.js";

/**
 * Both ends of the range of Hardhat 3 that this package supports, each with that
 * end of its other peers' ranges. Before 3.13.0 a configuration variable has no
 * default, so Hardhat would open the keystore for every variable that is not set.
 */
const RANGE = {
  lowest: {
    hardhat: "3.13.0",
    "@nomicfoundation/hardhat-ethers": "4.0.15",
    ethers: "6.14.0",
    viem: "2.30.0",
  },
  highest: {
    hardhat: "3.18.0",
    "@nomicfoundation/hardhat-ethers": "4.2.0",
    ethers: "6.17.0",
    viem: "2.55.19",
  },
} as const;
const ALONG = "@nomicfoundation/hardhat-ethers";
const COMPILER = { solc: "0.8.30" };

const require = createRequire(import.meta.url);

// Not one before the other is installed: just after thousands of files are
// deleted, some file systems take long to create others.
const projects: string[] = [];
after(async () => {
  for (const project of projects) await remove(project);
});

for (const [end, versions] of Object.entries(RANGE)) {
  describe(`the ${end} supported Hardhat, ${versions.hardhat}`, () => {
    let project: string;
    let chain: EvmNode;

    before(async () => {
      project = await temporary();
      projects.push(project);
      chain = await EvmNode.start({ blockTimeMs: 150 });
      await consumer(project);
      // For the highest end nothing asks for hardhat-ethers: npm brings it along.
      const { [ALONG]: along, ...asked } = versions;
      await installPacked(project, {
        ...asked,
        ...(end === "lowest" ? { [ALONG]: along } : {}),
        ...COMPILER,
      });
    });
    after(() => chain.close());

    const hardhat = async (...args: string[]): Promise<string> => {
      const ran: Ran = await run(
        project,
        process.execPath,
        ["node_modules/hardhat/dist/src/cli.js", ...args],
        {
          DUALSTACK_TESTNET_BASE_URL: chain.baseUrl,
          DUALSTACK_PRIVATE_KEY: KEYS[0],
        },
      );
      assert.equal(ran.code, 0, ran.stderr + ran.stdout);
      return ran.stdout;
    };
    const last = (output: string) =>
      JSON.parse(output.trim().split("\n").at(-1) ?? "");

    it("is installed", async () => {
      const found = await installedVersions(project, Object.keys(versions));
      assert.deepEqual(found, versions);
    });

    it("type checks", async () => {
      const types = path.join(ROOT, "node_modules/@types");
      const tsc = require.resolve("typescript/bin/tsc");
      const { code, stdout } = await node(
        project,
        tsc,
        "-p",
        ".",
        "--typeRoots",
        types,
      );
      assert.equal(code, 0, stdout);
    });

    it("runs tasks", async () => {
      const networks = await hardhat("dualstack", "networks", "--json");
      assert.ok(networks.includes(`${chain.baseUrl}/evm`));
      assert.match(
        await hardhat("dualstack", "balance", "--network", "testnet"),
        /0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266/i,
      );
    });

    it("compiles contracts and stakes on the local network", async () => {
      await hardhat("build");
      assert.equal(
        last(await hardhat("run", "scripts/stake.ts", "--no-compile")).staked,
        "7",
      );
    });

    it("sends on the test network, and applies the gas buffer once", async () => {
      const { statuses, limits, estimate } = last(
        await hardhat("run", "scripts/send.ts", "--no-compile"),
      );
      assert.deepEqual(statuses, [1, 1, 1, 1, 1]);
      assert.deepEqual(new Set(limits), new Set([estimate]));
      const plain = BigInt(
        (await chain.chain.request({
          method: "eth_estimateGas",
          params: [
            {
              from: `0x${"11".repeat(20)}`,
              to: `0x${"11".repeat(20)}`,
              data: "0x1234",
            },
          ],
        })) as string,
      );
      assert.equal(BigInt(estimate), (plain * 12n + 9n) / 10n);
    });
  });
}

it("package.json promises the lowest versions that are tested", async () => {
  const { peerDependencies } = JSON.parse(
    await readFile(path.join(ROOT, "package.json"), "utf8"),
  );
  for (const [name, version] of Object.entries(RANGE.lowest)) {
    assert.ok(
      peerDependencies[name].split(" || ").includes(`^${version}`),
      `${name} ${peerDependencies[name]}`,
    );
  }
});
