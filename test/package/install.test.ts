import assert from "node:assert/strict";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import {
  install,
  installPacked,
  NAME,
  node,
  pack,
  remove,
  run,
  temporary,
} from "./package.js";

const ETHERS_PLUGIN = "@nomicfoundation/hardhat-ethers";

/** What projects have before they install this package, and the major of hardhat-ethers that fits it. */
const PROJECTS: Readonly<
  Record<string, { has: Readonly<Record<string, string>>; major: string }>
> = {
  "Hardhat 3 with viem's toolbox": {
    has: {
      hardhat: "3.18.0",
      "@nomicfoundation/hardhat-toolbox-viem": "^5.0.7",
    },
    major: "4",
  },
  "Hardhat 2 with its toolbox": {
    has: { hardhat: "2.29.1", "@nomicfoundation/hardhat-toolbox": "^6.1.0" },
    major: "3",
  },
};

// Hardhat 3 with nothing else is installed by hardhat-range.test.ts.
describe(
  "npm installs the hardhat-ethers that fits",
  { concurrency: true },
  () => {
    for (const [name, { has, major }] of Object.entries(PROJECTS)) {
      it(`version ${major} for ${name}`, async () => {
        const project = await temporary();
        try {
          await writeFile(path.join(project, "package.json"), "{}");
          const said = await installPacked(project, has, "--package-lock-only");
          assert.doesNotMatch(said, /ERESOLVE/);
          const { packages } = JSON.parse(
            await readFile(path.join(project, "package-lock.json"), "utf8"),
          );
          const found = Object.entries<{ version: string }>(packages)
            .filter(([place]) =>
              place.endsWith(`node_modules/${ETHERS_PLUGIN}`),
            )
            .map(([place, { version }]) => [place, version.split(".")[0]]);
          assert.deepEqual(found, [[`node_modules/${ETHERS_PLUGIN}`, major]]);
        } finally {
          await remove(project);
        }
      });
    }
  },
);

describe("the example in the tarball, copied into a folder of its own", () => {
  let place: string;
  let project: string;

  before(async () => {
    place = await temporary();
    const { tarball } = await pack();
    await run(place, "tar", ["-xzf", tarball]);
    project = path.join(place, "vault");
    await cp(path.join(place, "package/fixtures/staking-vault"), project, {
      recursive: true,
    });
    assert.doesNotMatch(await installPacked(project, {}), /ERESOLVE/);
  });
  after(() => remove(place));

  const hardhat = (...args: string[]) =>
    node(project, "node_modules/hardhat/dist/src/cli.js", ...args);

  it("passes its tests, and appears once in the gas statistics", async () => {
    const { code, stdout, stderr } = await hardhat(
      "test",
      "mocha",
      "--grep",
      "deposit",
      "--gas-stats",
    );
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /║ deposit /);
    assert.equal(stdout.match(/StakingVault\.sol:StakingVault/g)?.length, 1);
    assert.doesNotMatch(stdout, /UnrecognizedContract/);
  });

  it("has no type errors", async () => {
    const { code, stdout } = await node(
      project,
      "node_modules/typescript/bin/tsc",
    );
    assert.equal(code, 0, stdout);
  });
});

describe("without hardhat-ethers", () => {
  let project: string;

  before(async () => {
    project = path.join(await temporary(), "project");
    await mkdir(project);
    const { tarball } = await pack();
    await install(tarball, project, ["hardhat", "ethers", "viem", "solc"]);
    await rm(
      path.join(project, "node_modules", NAME, "node_modules", ETHERS_PLUGIN),
    );
  });
  after(() => remove(path.dirname(project)));

  it("the first line of the error says what to install", async () => {
    const { code, stderr } = await node(
      project,
      "node_modules/hardhat/dist/src/cli.js",
      "dualstack",
      "networks",
    );
    assert.equal(code, 1);
    assert.match(
      stderr.split("\n")[0] ?? "",
      /hardhat-dualstack.*npm install --save-dev @nomicfoundation\/hardhat-ethers@4 ethers@6/,
    );
  });
});
