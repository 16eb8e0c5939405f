import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";

import ignitionEthers from "@nomicfoundation/hardhat-ignition-ethers";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { buildModule } from "@nomicfoundation/ignition-core";
import { parseEther } from "ethers";

import dualstack from "../../src/index.js";
import { stakingAbiWithStringDescription } from "../../src/precompiles/staking/abi-v04.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/index.js";
import { createProject } from "../commands/helpers.js";

const NAMES = ["IStaking", "IDistribution", "IGovernance", "IBech32"];
const QUALIFIED = "hardhat-dualstack/contracts/IStaking.sol:IStaking";
const page = {
  key: "0x",
  offset: 0,
  limit: 10,
  countTotal: false,
  reverse: false,
} as const;

describe("the precompiles' interfaces by their names", () => {
  it("are artifacts, though nothing was compiled", async () => {
    const { artifacts } = await createProject();
    for (const name of NAMES) {
      const artifact = await artifacts.readArtifact(name);
      assert.equal(artifact.contractName, name);
      assert.ok(artifact.abi.length > 1);
      assert.equal(artifact.bytecode, "0x");
      assert.equal(await artifacts.artifactExists(name), true);
      assert.equal(await artifacts.getBuildInfoId(name), undefined);
    }
    assert.deepEqual(
      await artifacts.readArtifact(QUALIFIED),
      await artifacts.readArtifact("IStaking"),
    );
    assert.deepEqual([...(await artifacts.getAllFullyQualifiedNames())], []);
    await assert.rejects(artifacts.readArtifact("INothing"), /INothing/);
    await assert.rejects(artifacts.readArtifact("contracts/A.sol:IStaking"));
  });

  it("are contracts of ethers that stake, with the types of their methods", async () => {
    const { network } = await createProject();
    const connection = await network.create("localnet");
    const { dualstack: chain, ethers, precompiles } = connection;
    const [{ address } = { address: "" }] = await ethers.getSigners();
    const staking = await ethers.getContractAt(
      "IStaking",
      PRECOMPILE_ADDRESSES.staking,
    );
    const { validators } = await staking.validators("", page);
    const validator = chain.valoper(validators[0]?.operatorAddress ?? "");
    await staking.delegate(address, validator, parseEther("3"));
    const { balance } = await precompiles.staking.delegation(
      address,
      validator,
    );
    assert.equal(balance.amount, parseEther("3"));
  });

  it("are contracts of viem", async () => {
    const { network } = await createProject({
      plugins: [dualstack, hardhatViem],
    });
    const { viem } = await network.create("localnet");
    const staking = await viem.getContractAt(
      QUALIFIED,
      PRECOMPILE_ADDRESSES.staking,
    );
    const [validators] = await staking.read.validators([
      "",
      { ...page, offset: 0n, limit: 10n },
    ]);
    assert.equal(validators.length, 3);
    const bare = await viem.getContractAt(
      "IStaking",
      PRECOMPILE_ADDRESSES.staking,
    );
    assert.deepEqual(bare.abi, staking.abi);
  });

  it("are found by Ignition", async () => {
    const { network } = await createProject({
      plugins: [dualstack, ignitionEthers],
    });
    const connection = await network.create("localnet");
    const { dualstack: chain, ethers, ignition, precompiles } = connection;
    const [{ address } = { address: "" }] = await ethers.getSigners();
    const { validators } = await precompiles.staking.validators("", page);
    const validator = chain.valoper(validators[0]?.operatorAddress ?? "");
    await ignition.deploy(
      buildModule("Stake", (m) => {
        const contract = m.contractAt("IStaking", PRECOMPILE_ADDRESSES.staking);
        m.call(contract, "delegate", [address, validator, parseEther("2")]);
        return { contract };
      }),
    );
    const { balance } = await precompiles.staking.delegation(
      address,
      validator,
    );
    assert.equal(balance.amount, parseEther("2"));
  });

  it("have the ABI that is configured", async () => {
    const { artifacts } = await createProject({
      dualstack: { precompiles: { staking: { abi: "string-description" } } },
    });
    const { abi } = await artifacts.readArtifact("IStaking");
    assert.deepEqual(abi, stakingAbiWithStringDescription);
  });

  it("leave a name to the project that has it", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "dualstack-interfaces-"));
    try {
      const { artifacts, tasks } = await createProject({
        paths: {
          sources: "own-interfaces",
          artifacts: path.join(folder, "artifacts"),
          cache: path.join(folder, "cache"),
        },
      });
      await tasks.getTask("build").run({ quiet: true, noTests: true });
      const { abi, buildInfoId } = await artifacts.readArtifact("IStaking");
      assert.deepEqual(
        abi.map((entry) => "name" in entry && entry.name),
        ["own"],
      );
      assert.equal(await artifacts.getBuildInfoId("IStaking"), buildInfoId);
      assert.ok((await artifacts.readArtifact(QUALIFIED)).abi.length > 1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
