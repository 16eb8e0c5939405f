import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { STARTER_LIBRARIES } from "../../src/commands/init/index.js";
import { startNode } from "../local-node/start.js";
import {
  install,
  NAME,
  node,
  pack,
  type Ran,
  remove,
  temporary,
  unpack,
} from "./package.js";

const require = createRequire(import.meta.url);
const CLI = "node_modules/hardhat/dist/src/cli.js";
/** What npm installs with the plugin, whether the project asks for it or not. */
const BROUGHT_ALONG = ["@nomicfoundation/hardhat-ethers", "ethers"];

describe("the starter from the tarball", () => {
  let place: string;
  let project: string;
  let tarball: string;

  before(async () => {
    place = await temporary();
    project = path.join(place, "project");
    ({ tarball } = await pack());
    await install(tarball, project, ["hardhat", ...BROUGHT_ALONG, "solc"]);
  });
  after(() => remove(place));

  const init = (...args: string[]) =>
    node(project, CLI, "dualstack", "init", ...args);
  const good = ({ code, stdout, stderr }: Ran) => {
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };

  for (const library of STARTER_LIBRARIES) {
    it(`makes a project that works, with ${library}`, async () => {
      const folder = path.join(place, `My Staker ${library}`);
      const printed = good(await init(folder, "--library", library));
      assert.match(printed, /contracts\/Staker\.sol\n/);
      assert.match(printed, /npm install\n {2}npx hardhat test/);

      const manifest = JSON.parse(
        await readFile(path.join(folder, "package.json"), "utf8"),
      );
      const { version } = require("../../package.json") as { version: string };
      assert.equal(manifest.name, `my-staker-${library}`);
      assert.equal(manifest.devDependencies[NAME], `^${version}`);
      assert.match(
        await readFile(path.join(folder, ".gitignore"), "utf8"),
        /node_modules/,
      );

      // The copies in this repository stand in for what npm would fetch, so they must be in the ranges.
      const { [NAME]: _, ...others } = manifest.devDependencies;
      const names = [...Object.keys(others), ...BROUGHT_ALONG, "solc"];
      await unpack(tarball, folder, [...new Set(names)]);
      for (const [name, range] of Object.entries<string>(others)) {
        const file = path.join(folder, "node_modules", name, "package.json");
        const found = JSON.parse(await readFile(file, "utf8")).version;
        assert.ok(
          fits(found, range),
          `the starter asks for ${name} ${range}, but the tests have ${found}`,
        );
      }

      // No compiler can be downloaded in a test.
      const config = path.join(folder, "hardhat.config.ts");
      const text = await readFile(config, "utf8");
      const compiler = JSON.stringify(require.resolve("solc/soljson.js"));
      assert.match(text, /version: "0\.8\.30",/);
      await writeFile(
        config,
        text.replace(
          /version: "0\.8\.30",/,
          `version: "0.8.30", path: ${compiler},`,
        ),
      );

      const tested = good(await node(folder, CLI, "test"));
      assert.match(
        tested,
        /8 passing \(4 solidity, 4 (?:mocha|nodejs)\)/,
        tested,
      );
      assert.match(
        good(
          await node(
            folder,
            CLI,
            "run",
            "scripts/stake.ts",
            "--network",
            "localnet",
          ),
        ),
        /^5(?:\.0)? NATIVE are staked with \w+\.\n0\.0\d+ NATIVE of rewards/m,
      );
      assert.match(
        good(
          await node(
            folder,
            CLI,
            "ignition",
            "deploy",
            "ignition/modules/Staker.ts",
            "--network",
            "localnet",
          ),
        ),
        /Staker#Staker - 0x/,
      );
      // Blocks take a while there, as on a chain.
      await using local = await startNode();
      const { baseUrl = "", grpcHost = "" } = local.node.endpoints;
      const localnode = JSON.stringify({ baseUrl, grpcHost });
      await writeFile(
        config,
        (await readFile(config, "utf8")).replace(
          "dualstack: {",
          `dualstack: { localnode: ${localnode},`,
        ),
      );
      const runner = library === "viem" ? "nodejs" : "mocha";
      const there = ["--network", "localnode"];
      assert.match(
        good(await node(folder, CLI, "test", runner, ...there)),
        /4 passing/,
      );
      const types = await node(folder, require.resolve("typescript/bin/tsc"));
      assert.equal(types.code, 0, types.stdout);
    });
  }

  it("overwrites nothing, and says what is wrong", async () => {
    const taken = path.join(place, "taken");
    await mkdir(taken);
    await writeFile(path.join(taken, "mine.txt"), "mine");
    const refused = await init(taken);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is not empty.*Choose another folder/s);
    assert.equal(await readFile(path.join(taken, "mine.txt"), "utf8"), "mine");

    const unknown = await init(path.join(place, "x"), "--library", "web3");
    assert.equal(unknown.code, 1);
    assert.match(
      unknown.stderr,
      /no starter for "web3".*--library ethers or --library viem/s,
    );

    const blocked = await init(path.join(taken, "mine.txt"), "--json");
    assert.equal(blocked.code, 1);
    const { error } = JSON.parse(blocked.stdout);
    assert.match(error.reason, /cannot be written/);
  });
});

/** Returns whether a version is in a caret range. */
function fits(version: string, range: string): boolean {
  const numbers = (text: string) =>
    text.replace(/^\^/, "").split(".").map(Number);
  const [have, want] = [numbers(version), numbers(range)];
  const [major = 0, minor = 0, patch = 0] = have;
  const [wantMajor = 0, wantMinor = 0, wantPatch = 0] = want;
  return (
    range.startsWith("^") &&
    major === wantMajor &&
    (minor > wantMinor || (minor === wantMinor && patch >= wantPatch))
  );
}
