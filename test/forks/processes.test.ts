import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { HttpClient } from "../../src/rpc/http-client.js";
import { startNodeOf } from "../commands/hardhat-node.js";
import { createProject } from "../helpers/hardhat2.js";
import { run } from "../package/package.js";
import { recordedChain, type RecordedChain } from "../replay/chain.js";
import { CHAIN_ID, FACTS } from "./archive.js";
import {
  COMPOUND,
  compounds,
  HEIGHT,
  OPERATORS,
  REFUSED,
  VAULT,
  VAULT_ABI,
} from "./cast.js";

const ROOT = path.join(import.meta.dirname, "../..");
const SOLC = createRequire(import.meta.url).resolve("solc/soljson.js");

const dualstack = (url: string) =>
  JSON.stringify({ ...FACTS, testnet: { baseUrl: url, chainId: CHAIN_ID } });

/**
 * Compounds the recorded vault, with the stake that it has on the chain. Every
 * project runs this.
 */
const PROGRAM = `
async function compound(ethers) {
  const abi = ${JSON.stringify(VAULT_ABI)};
  const [signer] = await ethers.getSigners();
  const vault = new ethers.Contract("${VAULT}", abi, signer);
  const { logs } = await (await vault.compound()).wait();
  const of = (tail) => logs.some(({ address }) => address.endsWith(tail));
  if (!of("0800") || !of("0801")) throw new Error("nothing was staked");
  return "compounded";
}
`;

/** Ignition deploys nothing here: it calls the recorded vault. */
const MODULE_BODY = `
  const artifact = ${JSON.stringify({
    contractName: "Vault",
    sourceName: "Vault.sol",
    abi: VAULT_ABI,
    bytecode: "0x",
    deployedBytecode: "0x",
    linkReferences: {},
    deployedLinkReferences: {},
  })};
  const vault = m.contractAt("Vault", artifact, "${VAULT}");
  m.call(vault, "compound");
  return { vault };
`;

/** Only reads, so that nothing becomes due while it runs. */
const VIEW = `
const page = ["0x", 0n, 0n, false, false];
const [validators] = await precompiles.staking.validators("", page);
console.log("validators:", validators.length);
`;

interface Project {
  readonly root: string;
  readonly cli: string;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  /** Standard output and standard error. */
  readonly output: string;
}

async function hardhat(
  { root, cli }: Project,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await run(
    root,
    process.execPath,
    [cli, ...args],
    { HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: "true", ...env },
  );
  return { code, stdout, output: stdout + stderr };
}

/**
 * Starts a `hardhat node` that forks, and returns whether the vault compounds.
 */
async function forkingNode(
  project: Project,
  args: readonly string[],
): Promise<boolean> {
  await using node = await startNodeOf(project, args);
  const client = new HttpClient({ url: node.url });
  return await compounds(
    async (method, ...params) => await client.request({ method, params }),
  );
}

describe("Hardhat's own commands on a fork of the recorded chain", () => {
  let chain: RecordedChain;
  const folders: string[] = [];

  before(async () => {
    chain = await recordedChain();
  });
  after(async () => {
    await chain.close();
    for (const folder of folders)
      await rm(folder, { recursive: true, maxRetries: 5 });
  });

  const files = async (root: string, texts: Record<string, string>) => {
    for (const [file, text] of Object.entries(texts)) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), text);
    }
  };

  const onHardhat3 = async (): Promise<Project> => {
    const root = await mkdtemp(path.join(tmpdir(), "forked3-"));
    folders.push(root);
    await mkdir(path.join(root, "node_modules"));
    for (const name of ["hardhat", "ethers", "@nomicfoundation"])
      await symlink(
        path.join(ROOT, "node_modules", name),
        path.join(root, "node_modules", name),
      );
    await symlink(ROOT, path.join(root, "node_modules/hardhat-dualstack"));
    await files(root, {
      "package.json": '{"type":"module"}',
      "hardhat.config.js": `
import ignition from "@nomicfoundation/hardhat-ignition-ethers";
import runner from "@nomicfoundation/hardhat-node-test-runner";
import dualstack from "hardhat-dualstack";
export default {
  plugins: [dualstack, ignition, runner],
  solidity: { version: "0.8.30", path: ${JSON.stringify(SOLC)} },
  dualstack: ${dualstack(chain.url)},
  networks: {
    fork: { type: "edr-simulated", forking: { network: "testnet", blockNumber: ${HEIGHT} } },
  },
  test: { solidity: { forking: { url: "${chain.url}/evm", blockNumber: ${HEIGHT} } } },
};`,
      "compound.js": `${PROGRAM}export { compound };`,
      "scripts/run.js": `
import { network } from "hardhat";
import { compound } from "../compound.js";
const { ethers } = await network.create();
console.log("vault:", await compound(ethers));`,
      "scripts/view.js": `
import { network } from "hardhat";
const { precompiles } = await network.create();
${VIEW}`,
      "test/fork.test.js": `
import { it } from "node:test";
import { network } from "hardhat";
import { compound } from "../compound.js";
it("compounds", async () => {
  const { ethers } = await network.create("fork");
  await compound(ethers);
});`,
      "contracts/Fork.t.sol": `
// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
contract ForkTest {
  function test_VaultIsThere() public view { require(${VAULT}.code.length > 0); }
}`,
      "contracts/OwnFork.t.sol": `
// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface Vm { function createSelectFork(string calldata, uint256) external returns (uint256); }
contract OwnForkTest {
  function test_ForksByItself() public {
    Vm(address(uint160(uint256(keccak256("hevm cheat code"))))).createSelectFork("${chain.url}/evm", ${HEIGHT});
    require(${VAULT}.code.length > 0);
  }
}`,
      "ignition/modules/Compound.js": `
import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
export default buildModule("Compound", (m) => {${MODULE_BODY}});`,
    });
    return {
      root,
      cli: path.join(ROOT, "node_modules/hardhat/dist/src/cli.js"),
    };
  };

  const onHardhat2 = async (): Promise<Project> => {
    const root = await createProject();
    await files(root, {
      "hardhat.config.js": `
require("@nomicfoundation/hardhat-ethers");
require("@nomicfoundation/hardhat-ignition-ethers");
require("hardhat-dualstack/hardhat2");
module.exports = {
  solidity: "0.8.30",
  dualstack: ${dualstack(chain.url)},
  networks: process.env.PLAIN ? {} : {
    hardhat: { forking: { url: "testnet", blockNumber: ${HEIGHT} } },
  },
};`,
      "compound.js": `${PROGRAM}module.exports = { compound };`,
      "scripts/run.js": `
const { ethers } = require("hardhat");
const { compound } = require("../compound.js");
compound(ethers).then((what) => console.log("vault:", what));`,
      "scripts/view.js": `
const { precompiles } = require("hardhat");
(async () => {${VIEW}})();`,
      "test/fork.js": `
const { ethers } = require("hardhat");
const { compound } = require("../compound.js");
it("compounds", async () => { await compound(ethers); });`,
      "ignition/modules/Compound.js": `
const { buildModule } = require("@nomicfoundation/hardhat-ignition/modules");
module.exports = buildModule("Compound", (m) => {${MODULE_BODY}});`,
    });
    return {
      root,
      cli: path.join(root, "node_modules/hardhat/internal/cli/cli.js"),
    };
  };

  /**
   * Asks for the validators, and returns how many requests reached the chain.
   */
  const asked = async (
    project: Project,
    args: readonly string[] = [],
  ): Promise<number> => {
    let count = 0;
    chain.onRequest = () => {
      count++;
      return undefined;
    };
    const script = ["run", "scripts/view.js", ...args];
    const { code, output } = await hardhat(project, script);
    chain.onRequest = undefined;
    assert.match(output, new RegExp(`validators: ${OPERATORS.length}`), output);
    assert.equal(code, 0);
    return count;
  };

  it("have the chain's stake on Hardhat 3", async () => {
    const project = await onHardhat3();
    const fork = ["--network", "fork"];
    const script = await hardhat(project, ["run", "scripts/run.js", ...fork]);
    assert.match(script.output, /vault: compounded/, script.output);
    assert.equal(script.code, 0);
    await asked(project, fork);
    assert.equal(await asked(project, fork), 0, "a second run asks nothing");

    const tests = await hardhat(project, ["test"]);
    assert.equal(tests.code, 0, tests.output);
    assert.match(
      tests.output,
      /Solidity tests fork testnet, and fork testnet in contracts\/OwnFork\.t\.sol, but its validators, delegations and proposals are not there/,
    );

    const dryRun = await hardhat(project, [
      "ignition",
      "deploy",
      "ignition/modules/Compound.js",
      ...fork,
    ]);
    assert.equal(dryRun.code, 0, dryRun.output);
    assert.match(dryRun.output, /successfully deployed/);

    const compounds = await forkingNode(project, [
      ...["--fork", `${chain.url}/evm`],
      ...["--fork-block-number", String(HEIGHT)],
    ]);
    assert.ok(compounds);
  });

  it("have the chain's stake on Hardhat 2", async () => {
    const project = await onHardhat2();
    const script = await hardhat(project, ["run", "scripts/run.js"]);
    assert.match(script.output, /vault: compounded/, script.output);
    assert.equal(script.code, 0);
    await asked(project);
    assert.equal(await asked(project), 0, "a second run asks nothing");

    const tests = await hardhat(project, ["test"]);
    assert.equal(tests.code, 0, tests.output);
    assert.match(tests.output, /1 passing/);

    const dryRun = await hardhat(project, [
      "ignition",
      "deploy",
      "ignition/modules/Compound.js",
    ]);
    assert.equal(dryRun.code, 0, dryRun.output);
    assert.match(dryRun.output, /successfully deployed/);

    process.env["PLAIN"] = "1";
    const compounds = await forkingNode(project, [
      ...["--fork", `${chain.url}/evm`],
      ...["--fork-block-number", String(HEIGHT)],
    ]);
    delete process.env["PLAIN"];
    assert.ok(compounds);
  });

  it("show by the exit code whether a replay agrees", async () => {
    const project = await onHardhat3();
    const trace = async (hash: string) =>
      await hardhat(project, [
        ...["dualstack", "trace", hash, "--network", "testnet", "--json"],
      ]);
    const same = await trace(COMPOUND.hash);
    assert.equal(same.code, 0, same.output);
    assert.equal(JSON.parse(same.stdout).agrees, true);

    // Now the chain claims that it succeeded.
    const hash = REFUSED.hash;
    chain.onAnswer = (text) =>
      text.replaceAll('"status":"0x0"', '"status":"0x1"');
    const other = await trace(hash);
    chain.onAnswer = undefined;
    assert.equal(other.code, 1, other.output);
    assert.equal(JSON.parse(other.stdout).agrees, false);
  });
});
