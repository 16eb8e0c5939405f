import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import {
  type Hardhat2,
  loadHardhat2,
  requireFromToolbox,
} from "../helpers/hardhat2.js";
import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import {
  ALL_PRECOMPILES,
  answerOf,
  archive,
  CHAIN_ID,
  FACTS,
  viewsAt,
} from "./archive.js";
import {
  DELEGATOR,
  hasCompounded,
  HEIGHT,
  OPERATOR,
  restAt,
  UNBONDING_TIME,
  VAULT,
  VAULT_ABI,
} from "./cast.js";

const TOKEN = 10n ** 18n;

const dualstack = (url: string) => ({
  ...FACTS,
  precompiles: ALL_PRECOMPILES,
  testnet: { baseUrl: url, chainId: CHAIN_ID },
});

describe("a fork of the recorded chain on Hardhat 2", () => {
  let server: ArchiveServer;
  let hre: Hardhat2;
  let signer: any;

  before(async () => {
    server = await serve(archive);
    hre = await loadHardhat2({
      config: {
        dualstack: dualstack(server.url),
        networks: {
          hardhat: {
            forking: { url: `${server.url}/evm`, blockNumber: HEIGHT },
          },
        },
      },
    });
    await request("hardhat_impersonateAccount", DELEGATOR);
    signer = await hre.ethers.getSigner(DELEGATOR);
  });
  after(async () => await server.close());

  const request = async (method: string, ...params: unknown[]) =>
    await hre.network.provider.request({ method, params });

  it("answers views as recorded", async () => {
    const asked = viewsAt(HEIGHT).filter((_, index) => index % 5 === 0);
    for (const { to, data, name, answer } of asked) {
      const got = await answerOf(request("eth_call", { to, data }, "latest"));
      assert.equal(got, answer, name);
    }
  });

  it("has the precompiles that are turned on", async () => {
    const { bank, slashing } = hre.precompiles;
    const [{ amount }] = restAt("bank/v1beta1/supply", HEIGHT).supply;
    const [coin] = await bank.totalSupply();
    assert.ok(coin !== undefined && coin.amount >= BigInt(amount));
    const { params } = restAt("slashing/v1beta1/params", HEIGHT);
    const { signedBlocksWindow } = await slashing.getParams();
    assert.equal(signedBlocksWindow, BigInt(params.signed_blocks_window));
  });

  it("goes on from the chain's delegations", async () => {
    const staking: any = hre.precompiles.staking.connect(signer);
    const { shares } = await staking.delegation(DELEGATOR, OPERATOR);
    assert.ok(shares > 0n);
    const sent = await staking.undelegate(DELEGATOR, OPERATOR, TOKEN);
    const { blockNumber } = await sent.wait();
    const { timestamp } = await hre.ethers.provider.getBlock(blockNumber);
    const after = await staking.delegation(DELEGATOR, OPERATOR);
    assert.equal(shares - after.shares, TOKEN * TOKEN);
    const [, , entries] = await staking.unbondingDelegation(
      DELEGATOR,
      OPERATOR,
    );
    const last = entries[entries.length - 1];
    assert.equal(last.completionTime, BigInt(timestamp + UNBONDING_TIME));
  });

  it("runs the chain's contracts, with the stake that they have there", async () => {
    const { Contract } = requireFromToolbox("ethers");
    const vault = new Contract(VAULT, VAULT_ABI, signer);
    const receipt = await (await vault.compound()).wait();
    assert.ok(hasCompounded(receipt));
  });

  it("asks nothing twice", async () => {
    const staking: any = hre.precompiles.staking.connect(signer);
    const delegate = async () =>
      await (await staking.delegate(DELEGATOR, OPERATOR, TOKEN)).wait();
    // What becomes due meanwhile, such as the end of a vote, is read once.
    const asked: number[] = [];
    for (let i = 0; i < 4; i++) {
      server.counts.clear();
      await delegate();
      asked.push([...server.counts.values()].reduce((sum, n) => sum + n, 0));
    }
    const [, ...again] = asked;
    assert.ok(Math.min(...again) < 20, `${asked.join(", ")} calls`);
  });

  it("has another block's state when it is forked again", async () => {
    const blockNumber = HEIGHT - (HEIGHT >> 2);
    const forking = { jsonRpcUrl: `${server.url}/evm`, blockNumber };
    await request("hardhat_reset", { forking });
    // The emulation is one second ahead, so that rewards already differ.
    const asked = viewsAt(blockNumber)
      .filter(({ name }) => name.startsWith("staking."))
      .slice(0, 20);
    for (const { to, data, name, answer } of asked) {
      const got = await answerOf(
        request("eth_call", { to, data }, "latest", {}),
      );
      assert.equal(got, answer, name);
    }
  });
});

describe("a snapshot on Hardhat 2", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "snapshot2-"));
  });
  after(async () => await rm(folder, { recursive: true, maxRetries: 5 }));

  it("is written, and starts a network offline", async () => {
    const server = await serve(archive);
    const file = path.join(folder, "chain.json");
    const online = await loadHardhat2({
      network: "testnet",
      config: { dualstack: dualstack(server.url) },
    });
    await online.run(
      { scope: "dualstack", task: "snapshot" },
      { file, block: String(HEIGHT), accounts: DELEGATOR, json: true },
    );
    await server.close();
    const hre = await loadHardhat2({
      config: {
        dualstack: {
          ...FACTS,
          testnet: { chainId: CHAIN_ID },
          localnet: { state: file },
        },
      },
    });
    const staking: any = hre.precompiles.staking;
    const [validators] = await staking.validators("", [
      "0x",
      0n,
      0n,
      false,
      false,
    ]);
    const { validators: written } = JSON.parse(await readFile(file, "utf8"));
    assert.deepEqual(
      validators.map((one: any) => one.operatorAddress),
      written.map((one: any) => one.operator),
    );
    const { shares } = await staking.delegation(DELEGATOR, OPERATOR);
    assert.ok(shares > 0n);
  });

  it("may be forked by the network's name", async () => {
    const server = await serve(archive);
    const hre = await loadHardhat2({
      config: {
        dualstack: dualstack(server.url),
        networks: {
          hardhat: { forking: { url: "testnet", blockNumber: HEIGHT } },
        },
      },
    });
    const staking: any = hre.precompiles.staking;
    const { shares } = await staking.delegation(DELEGATOR, OPERATOR);
    assert.ok(shares > 0n);
    await server.close();
  });
});
