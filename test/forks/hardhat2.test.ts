import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import {
  type Hardhat2,
  loadHardhat2,
  requireFromToolbox,
} from "../helpers/hardhat2.js";
import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import { answerOf, archive, named, viewsAt } from "./archive.js";

const TOKEN = 10n ** 18n;
const HEIGHT = 100;
const OPERATOR = "cosmosvaloper15rh859pdye7p7dn3fe9g7atp9us209eqye2avw";

describe("a fork of the recorded chain on Hardhat 2", () => {
  let server: ArchiveServer;
  let hre: Hardhat2;
  let signer: any;
  const frank = named("frank");

  before(async () => {
    server = await serve(archive);
    hre = await loadHardhat2({
      config: {
        dualstack: { testnet: { baseUrl: server.url } },
        networks: {
          hardhat: {
            forking: { url: `${server.url}/evm`, blockNumber: HEIGHT },
          },
        },
      },
    });
    await request("hardhat_impersonateAccount", frank);
    signer = await hre.ethers.getSigner(frank);
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

  it("goes on with what is delegated there", async () => {
    const staking: any = hre.precompiles.staking.connect(signer);
    const { shares } = await staking.delegation(frank, OPERATOR);
    assert.ok(shares > 0n);
    const sent = await staking.undelegate(frank, OPERATOR, TOKEN);
    const { blockNumber } = await sent.wait();
    const { timestamp } = await hre.ethers.provider.getBlock(blockNumber);
    const after = await staking.delegation(frank, OPERATOR);
    assert.equal(shares - after.shares, TOKEN * TOKEN);
    const [, , entries] = await staking.unbondingDelegation(frank, OPERATOR);
    const last = entries[entries.length - 1];
    assert.equal(last.completionTime, BigInt(timestamp) + 100n);
  });

  it("runs the chain's contracts, with the stake that they have there", async () => {
    const { Contract } = requireFromToolbox("ethers");
    const { kind, address } = archive.data.contracts.vault;
    const vault = new Contract(address, archive.data.abis[kind], signer);
    const receipt = await (await vault.compound()).wait();
    assert.equal(receipt.logs.length, 6);
  });

  it("has another block's state when it is forked again", async () => {
    const blockNumber = 60;
    const forking = { jsonRpcUrl: `${server.url}/evm`, blockNumber };
    await request("hardhat_reset", { forking });
    // By the books, where a second has passed: rewards are others already.
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
