import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.join(HERE, "../..");
const require = createRequire(import.meta.url);

const CONFIG = `export default {
  solidity: { version: "0.8.30", path: ${JSON.stringify(require.resolve("solc/soljson.js"))} },
  test: { solidity: { fuzz: { runs: 40 }, invariant: { runs: 6, depth: 20 } } },
};
`;

const FAILING = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Dualstack, DualstackTest, vm} from "hardhat-dualstack/contracts/DualstackTest.sol";
import {STAKING} from "hardhat-dualstack/contracts/IStaking.sol";

contract FailingTest is DualstackTest {
    function test_StakesAndFails() public {
        vm.deal(address(this), 2 ether);
        string memory validator = Dualstack.valoper(Dualstack.validators()[0]);
        STAKING.delegate(address(this), validator, 1 ether);
        STAKING.undelegate(address(this), validator, 1 ether);
        revert("on purpose");
    }
}
`;

async function hardhat(
  cwd: string,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const cli = path.join(ROOT, "node_modules/hardhat/dist/src/cli.js");
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) =>
    child.on("close", resolve),
  );
  return { code, output };
}

it("the precompiles work in Solidity tests: pranks, constructors, reverts, time, fuzzing, invariants", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "dualstack-solidity-"));
  try {
    await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(path.join(folder, "hardhat.config.js"), CONFIG);
    await mkdir(path.join(folder, "node_modules"));
    await symlink(
      path.join(ROOT, "node_modules/hardhat"),
      path.join(folder, "node_modules/hardhat"),
    );
    await symlink(ROOT, path.join(folder, "node_modules/hardhat-dualstack"));
    await cp(path.join(HERE, "solidity"), path.join(folder, "contracts"), {
      recursive: true,
    });
    const { code, output } = await hardhat(folder, "test", "solidity");
    assert.equal(code, 0, output);
    assert.match(output, /21 passing/, output);

    // The traces of a failing test name the precompiles.
    const failing = path.join("contracts", "Failing.t.sol");
    await writeFile(path.join(folder, failing), FAILING);
    const traced = await hardhat(folder, "test", "solidity", failing, "-vvvv");
    assert.equal(traced.code, 1, traced.output);
    assert.match(traced.output, / staking::0x\w+/);
    assert.match(traced.output, / distribution::0x\w+/);
    assert.match(traced.output, / notBondedPool account::0x\w+/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
