import assert from "node:assert/strict";
import { cp, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { NETWORKS } from "../../src/chain/facts.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
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

/** Both ends of the range of Hardhat 2 that this package supports, each with that end of its other peers' ranges. */
const RANGE = {
  lowest: {
    hardhat: "2.28.0",
    "@nomicfoundation/hardhat-ethers": "3.1.0",
    ethers: "6.14.0",
  },
  highest: {
    hardhat: "2.29.1",
    "@nomicfoundation/hardhat-ethers": "3.1.3",
    ethers: "6.17.0",
  },
} as const;
/** What a project needs besides, for a configuration in TypeScript, and a compiler. */
const OTHERS = {
  solc: "0.8.30",
  "ts-node": "10.9.2",
  typescript: "5.9.3",
  "@types/node": "24.10.1",
};

const require = createRequire(import.meta.url);

// Not one before the other is installed: just after thousands of files are
// deleted, some file systems take long to create others.
const projects: string[] = [];
after(async () => {
  for (const project of projects) await remove(project);
});

for (const [end, versions] of Object.entries(RANGE)) {
  describe(`the ${end} supported Hardhat 2, ${versions.hardhat}`, () => {
    let project: string;
    let chain: EvmNode;

    before(async () => {
      project = await temporary();
      projects.push(project);
      chain = await EvmNode.start({ blockTimeMs: 150 });
      await consumer(project, "consumer-hardhat2");
      await cp(
        path.join(ROOT, "fixtures/consumer/contracts"),
        path.join(project, "contracts"),
        { recursive: true },
      );
      await installPacked(project, { ...versions, ...OTHERS });
    });
    after(() => chain.close());

    const attempt = async (...args: string[]): Promise<Ran> =>
      await run(
        project,
        process.execPath,
        ["node_modules/hardhat/internal/cli/bootstrap.js", ...args],
        {
          DUALSTACK_TESTNET_BASE_URL: chain.baseUrl,
          DUALSTACK_PRIVATE_KEY: KEYS[0],
        },
      );
    const hardhat = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await attempt(...args);
      assert.equal(code, 0, stderr + stdout);
      return stdout;
    };
    const last = (output: string) =>
      JSON.parse(output.trim().split("\n").at(-1) ?? "");

    it("is installed, and no Hardhat 3 beside it", async () => {
      const found = await installedVersions(project, Object.keys(versions));
      assert.deepEqual(found, versions);
      const lock = await readFile(
        path.join(project, "package-lock.json"),
        "utf8",
      );
      const hardhats = Object.entries<{ version: string }>(
        JSON.parse(lock).packages,
      ).filter(([where]) => /(?:^|\/)node_modules\/hardhat$/.test(where));
      assert.deepEqual(
        hardhats.map(([, { version }]) => version),
        [versions.hardhat],
      );
    });

    for (const [resolution, module] of [
      ["node10", "commonjs"],
      ["node16", "node16"],
    ] as const) {
      it(`type checks with moduleResolution ${resolution}`, async () => {
        const { code, stdout } = await node(
          project,
          require.resolve("typescript/bin/tsc"),
          ...["-p", ".", "--module", module, "--moduleResolution", resolution],
        );
        assert.equal(code, 0, stdout);
      });
    }

    it("runs tasks", async () => {
      const networks = await hardhat("dualstack", "networks", "--json");
      assert.ok(networks.includes(`${chain.baseUrl}/evm`));
      assert.ok(networks.includes(String(NETWORKS.mainnet.chainId)));
      assert.match(
        await hardhat("dualstack", "balance", "--network", "testnet"),
        /0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266/i,
      );
    });

    it("compiles contracts and stakes on Hardhat's network", async () => {
      await hardhat("compile");
      const { governance, staked, moniker } = last(
        await hardhat("run", "--no-compile", "scripts/stake.ts"),
      );
      assert.equal(governance, PRECOMPILE_ADDRESSES.governance);
      assert.equal(staked, "7");
      assert.notEqual(moniker, "");
    });

    it("sends on the test network, and applies the gas buffer once", async () => {
      const { statuses, limits, estimate } = last(
        await hardhat(
          ...["run", "--no-compile", "--network", "testnet"],
          "scripts/send.ts",
        ),
      );
      assert.deepEqual(statuses, [1, 1, 1, 1, 1]);
      assert.deepEqual(new Set(limits), new Set([estimate]));
      const sender = `0x${"11".repeat(20)}`;
      const plain = (await chain.chain.request({
        method: "eth_estimateGas",
        params: [{ from: sender, to: sender, data: "0x1234" }],
      })) as string;
      assert.equal(BigInt(estimate), (BigInt(plain) * 12n + 9n) / 10n);
    });

    it("the entry for Hardhat 3 points to this one in one line", async () => {
      const { code, stderr } = await node(
        project,
        "-e",
        `require("hardhat-dualstack")`,
      );
      assert.notEqual(code, 0);
      assert.match(
        stderr,
        /^HardhatPluginError: .*hardhat-dualstack\/hardhat2/m,
      );
    });

    it("can be imported by the configuration of an ES module project", async () => {
      const modules = path.join(project, "modules");
      await consumer(modules, "consumer-hardhat2/esm");
      const { code, stdout, stderr } = await node(
        modules,
        path.join(project, "node_modules/hardhat/internal/cli/bootstrap.js"),
        ...["run", "--no-compile", "script.js"],
      );
      assert.equal(code, 0, stderr + stdout);
      assert.match(stdout, /^3 validators$/m);
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
