import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { type Figure, sideBySide } from "./ratio.js";

const TOOLBOX = path.resolve(
  import.meta.dirname,
  "../fixtures/hardhat2-toolbox/node_modules",
);
const ENTRY = "hardhat-dualstack/hardhat2";

// Tokens, and a vault that calls them: the subject of most contract tests.
const CONTRACTS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Token {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  event Transfer(address indexed from, address indexed to, uint256 amount);
  constructor() { balanceOf[msg.sender] = 1e30; }
  function approve(address spender, uint256 amount) external { allowance[msg.sender][spender] = amount; }
  function transfer(address to, uint256 amount) external returns (bool) { return _move(msg.sender, to, amount); }
  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    allowance[from][msg.sender] -= amount;
    return _move(from, to, amount);
  }
  function _move(address from, address to, uint256 amount) private returns (bool) {
    require(balanceOf[from] >= amount, "too little");
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
    emit Transfer(from, to, amount);
    return true;
  }
}

contract TokenVault {
  Token public immutable token;
  mapping(address => uint256) public shares;
  constructor(Token t) { token = t; }
  function deposit(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); shares[msg.sender] += amount; }
  function withdraw(uint256 amount) external { shares[msg.sender] -= amount; token.transfer(msg.sender, amount); }
}
`;

const TESTS = `const { expect } = require("chai");
const { loadFixture } = require("@nomicfoundation/hardhat-network-helpers");
const { ethers } = require("hardhat");

async function fixture() {
  const [owner, other] = await ethers.getSigners();
  const token = await ethers.deployContract("Token");
  const vault = await ethers.deployContract("TokenVault", [token]);
  await token.approve(vault, 10n ** 24n);
  return { token, vault, owner, other };
}

for (let i = 1; i <= 20; i++) {
  describe("round " + i, function () {
    it("moves tokens", async function () {
      const { token, owner, other } = await loadFixture(fixture);
      await expect(token.transfer(other, i)).to.emit(token, "Transfer").withArgs(owner, other, i);
      expect(await token.balanceOf(other)).to.equal(i);
    });
    it("refuses what is not there", async function () {
      const { token, owner, other } = await loadFixture(fixture);
      await expect(token.connect(other).transfer(owner, i)).to.be.revertedWith("too little");
    });
    it("lets others spend", async function () {
      const { token, owner, other } = await loadFixture(fixture);
      await token.approve(other, i);
      expect(await token.allowance(owner, other)).to.equal(i);
      await expect(token.connect(other).transferFrom(owner, other, i)).to.changeTokenBalances(token, [owner, other], [-i, i]);
      expect(await token.allowance(owner, other)).to.equal(0);
    });
    it("keeps deposits", async function () {
      const { vault, token, owner } = await loadFixture(fixture);
      await expect(vault.deposit(1000)).to.changeTokenBalance(token, vault, 1000);
      await vault.withdraw(400);
      expect(await vault.shares(owner)).to.equal(600);
    });
  });
}
`;

async function project(withEntry: boolean): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "dualstack-bench2-"));
  await symlink(TOOLBOX, path.join(folder, "node_modules"), "junction");
  await writeFile(path.join(folder, "package.json"), "{}");
  await mkdir(path.join(folder, "contracts"));
  await mkdir(path.join(folder, "test"));
  await writeFile(path.join(folder, "contracts/Vault.sol"), CONTRACTS);
  await writeFile(path.join(folder, "test/vault.js"), TESTS);
  await writeFile(
    path.join(folder, "hardhat.config.js"),
    `require("@nomicfoundation/hardhat-toolbox");
${withEntry ? `require(${JSON.stringify(ENTRY)});` : ""}
const { subtask } = require("hardhat/config");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: require.resolve("solc/soljson.js"), isSolcJs: true, version: "0.8.30", longVersion: "0.8.30",
}));
module.exports = { solidity: "0.8.30", gasReporter: { enabled: false } };
`,
  );
  return folder;
}

/** The seconds that a run of Hardhat 2's command line takes. */
async function hardhat(cwd: string, ...args: string[]): Promise<number> {
  const start = performance.now();
  const cli = path.join(TOOLBOX, "hardhat/internal/cli/cli.js");
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...env, NODE_COMPILE_CACHE: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve) =>
    child.on("close", resolve),
  );
  if (code !== 0) {
    throw new Error(`hardhat ${args.join(" ")} failed: ${output}`);
  }
  return (performance.now() - start) / 1000;
}

/** Hardhat 2 with its toolbox and the plugin, divided by the same without the plugin. */
export async function benchHardhat2(
  rounds = 15,
  suiteRounds = 15,
): Promise<Figure[]> {
  const [without, withEntry] = [await project(false), await project(true)];
  try {
    // From here on both have their artifacts.
    await hardhat(without, "compile");
    await hardhat(withEntry, "compile");
    const help = await sideBySide(
      rounds,
      () => hardhat(withEntry, "--help"),
      () => hardhat(without, "--help"),
    );
    const suite = await sideBySide(
      suiteRounds,
      () => hardhat(withEntry, "test"),
      () => hardhat(without, "test"),
    );
    return [
      {
        name: "Hardhat 2: --help, wall time",
        value: help,
        limit: { atMost: 1.05 },
        of: `${rounds} pairs`,
      },
      {
        name: "Hardhat 2: a contract test suite",
        value: suite,
        limit: { atMost: 1.1 },
        of: `${suiteRounds} pairs`,
      },
    ];
  } finally {
    await rm(without, { recursive: true, force: true });
    await rm(withEntry, { recursive: true, force: true });
  }
}
