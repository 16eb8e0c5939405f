import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Contract } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import plugin from "../../src/index.js";
import { ACCOUNTS, type Chain, startChain } from "../helpers/chain.js";
import { COUNTER } from "../helpers/contracts.js";
import {
  type Hardhat2,
  loadHardhat2,
  requireFromToolbox,
} from "../helpers/hardhat2.js";

const PAGE = {
  key: "0x",
  offset: 0n,
  limit: 0n,
  countTotal: false,
  reverse: false,
};

/** A fork as the tests use it, on either major of Hardhat. */
interface Fork {
  readonly ethers: any;
  readonly precompiles: any;
  readonly provider: {
    request(args: { method: string; params?: any[] }): Promise<any>;
  };
  readonly Contract: any;
  close(): Promise<void>;
}

const MAJORS: Record<string, (chain: Chain) => Promise<Fork>> = {
  "Hardhat 3": async ({ node }) => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [plugin],
      dualstack: { testnet: { baseUrl: node.baseUrl } },
      networks: {
        fork: { type: "edr-simulated", forking: { url: node.evmUrl } },
      },
    });
    const connection = await hre.network.create("fork");
    const { ethers, precompiles, provider } = connection;
    return {
      ethers,
      precompiles,
      provider,
      Contract,
      close: async () => await connection.close(),
    };
  },
  "Hardhat 2": async ({ node }) => {
    const hre: Hardhat2 = await loadHardhat2({
      config: { networks: { hardhat: { forking: { url: node.evmUrl } } } },
    });
    return {
      ethers: hre.ethers,
      precompiles: hre.precompiles,
      provider: hre.network.provider,
      Contract: requireFromToolbox("ethers").Contract,
      close: async () => undefined,
    };
  },
};

for (const [major, open] of Object.entries(MAJORS)) {
  describe(`a fork of the chain on ${major}`, () => {
    let chain: Chain;
    let fork: Fork;
    let address: string;

    before(async () => {
      chain = await startChain({ blockTimeMs: 100 });
      const { ethers } = await chain.hre.network.create("testnet");
      const factory = await ethers.getContractFactory(
        COUNTER.abi,
        COUNTER.bytecode,
      );
      const deployed = await (await factory.deploy(41)).waitForDeployment();
      address = await deployed.getAddress();
      fork = await open(chain);
    });
    after(async () => {
      await fork.close();
      await chain.close();
    });

    it("has the chain's contracts, which go on locally", async () => {
      const signer = await fork.ethers.getSigner(ACCOUNTS[0]);
      const counter = new fork.Contract(address, COUNTER.abi, signer);
      assert.equal(await counter.count(), 41n);
      await (await counter.add(1)).wait();
      assert.equal(await counter.count(), 42n);
      const there = await chain.hre.network.create("testnet");
      const original = new Contract(
        address,
        COUNTER.abi,
        there.ethers.provider,
      );
      assert.equal(await original.getFunction("count").staticCall(), 41n);
      await there.close();
    });

    it("says that the forked node has no precompiles", async () => {
      await assert.rejects(
        fork.precompiles.staking.validators("BOND_STATUS_BONDED", PAGE),
        /staking\.validators cannot be read at block \d+: there is no precompile at its address/,
      );
    });
  });
}
