import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { DualstackUserConfig } from "../../src/config/user-config.js";
import { onHardhat3, type Printed, taskNamed } from "../helpers/task-runs.js";
import { startNode, type StartedNode } from "./start.js";

// The tasks take it for the chain's own test network, by its addresses alone.
describe("the tasks on a local node", () => {
  let started: StartedNode;
  let dualstack: DualstackUserConfig;
  before(async () => {
    started = await startNode();
    const { endpoints, accounts, stableToken } = started.node;
    const { baseUrl, grpcHost, faucetUrl } = endpoints;
    dualstack = {
      stableToken,
      testnet: {
        baseUrl,
        grpcHost,
        faucetUrl,
        faucet: {
          protocol: "cosmjs",
          denoms: { stable: stableToken.symbol },
        },
        accounts: accounts.slice(0, 2).map(({ privateKey }) => privateKey),
      },
    };
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
  });

  const run = async (
    name: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<Printed> => await onHardhat3(taskNamed(name), args, dualstack);

  it("doctor finds nothing wrong", async () => {
    const { out, error } = await run("doctor", { json: true });
    assert.equal(error, undefined, out);
    const { checks } = JSON.parse(out) as {
      checks: { id: string; status: string }[];
    };
    assert.deepEqual(
      checks.filter(({ status }) => status === "red"),
      [],
    );
  });

  it("staking, transfers and the faucet work", async () => {
    const validators = JSON.parse(
      (await run("staking validators", { json: true })).out,
    );
    assert.equal(validators.validators.length, 3);
    const { address } = started.node.accounts[5] ?? { address: "0x" };
    for (const [name, args] of [
      ["transfer", { to: address, amount: "1.5", yes: true }],
      ["faucet", { address, json: true }],
      ["faucet", { address, token: "stable", json: true }],
      ["balance", { addresses: [address], json: true }],
    ] as const) {
      const { error, out } = await run(name, args);
      assert.equal(error, undefined, `${name}: ${out}`);
    }
    assert.equal(
      BigInt(await started.evm("eth_getBalance", address, "latest")),
      10_101_500_000_000_000_000_000n,
    );
  });
});
