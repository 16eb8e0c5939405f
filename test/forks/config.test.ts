import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import plugin from "../../src/index.js";

const configured = async (network: string) =>
  await createHardhatRuntimeEnvironment({
    plugins: [plugin],
    dualstack: {
      testnet: { baseUrl: "https://chain.example" },
      mainnet: { name: "live" },
    },
    networks: {
      fork: {
        type: "edr-simulated",
        forking: { network, blockNumber: 7 } as never,
      },
    },
  });

describe("a fork by a network's name", () => {
  it("has that network's URL", async () => {
    const { config } = await configured("testnet");
    const { fork } = config.networks;
    assert.ok(fork?.type === "edr-simulated");
    assert.equal(await fork.forking?.url.getUrl(), "https://chain.example/evm");
    assert.equal(fork.forking?.blockNumber, 7n);
  });

  it("is refused where there is no such network", async () => {
    await assert.rejects(
      configured("mainnet"),
      /forking\.network is "mainnet", which is none of the chain's networks\. Use testnet or live/,
    );
  });
});
