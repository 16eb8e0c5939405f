import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, before, describe, it } from "node:test";

import type { DualstackUserConfig } from "../../src/config/user-config.js";
import {
  onHardhat2,
  onHardhat3,
  type Printed,
  taskNamed,
} from "../helpers/task-runs.js";
import { startNode, type StartedNode } from "./start.js";

const NETWORK = "localnode";

// Nothing but the addresses is configured: all else follows.
describe("the tasks on a local node", () => {
  let started: StartedNode;
  let dualstack: DualstackUserConfig;
  before(async () => {
    started = await startNode();
    const { baseUrl, grpcHost } = started.node.endpoints;
    dualstack = { localnode: { baseUrl, grpcHost } };
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
  });

  for (const [major, runTask, account] of [
    ["Hardhat 3", onHardhat3, 5],
    ["Hardhat 2", onHardhat2, 6],
  ] as const) {
    const run = async (
      name: string,
      args: Readonly<Record<string, unknown>> = {},
    ): Promise<Printed> =>
      await runTask(taskNamed(name), args, dualstack, NETWORK);
    /** What a task prints as JSON. */
    const report = async (
      name: string,
      args: Readonly<Record<string, unknown>> = {},
    ): Promise<any> => {
      const { out, error } = await run(name, { ...args, json: true });
      assert.equal(error, undefined, `${name}: ${out}`);
      return JSON.parse(out);
    };

    describe(major, () => {
      it("doctor finds everything in order", async () => {
        const { checks } = await report("doctor");
        assert.ok(checks.length >= 10);
        assert.deepEqual(
          checks.filter(({ status }: any) => status !== "green"),
          checks.filter(({ id }: any) => id === "explorer"),
        );
      });

      it("read, and tell where it is", async () => {
        const { networks } = await report("networks");
        assert.equal(networks[0].kind, NETWORK);
        assert.equal(networks[0].hasFaucet, true);
        const { validators } = await report("staking validators");
        assert.equal(validators.length, 3);
        const wallet = await report("wallet", { format: "eip3085" });
        assert.equal(wallet.chainId, "0x666a");
        const { valoper } = await report("address", {
          address: started.node.accounts[0]?.address,
        });
        assert.match(valoper, /^cosmosvaloper1/);
      });

      it("send, stake and claim", async () => {
        const address = started.node.accounts[account]?.address ?? "";
        const from = address;
        const to = started.node.accounts[account + 5]?.address ?? "";
        await report("transfer", { to, amount: "1.5", from, yes: true });
        const { validators } = await report("staking validators");
        const { moniker: validator } = validators[0];
        const staked = { validator, amount: "10", from, yes: true };
        await report("staking delegate", staked);
        await report("local advance", { by: "1d" });
        const due = await report("rewards show", { address });
        assert.ok(BigInt(due.total[0].baseUnits) > 0n);
        await report("rewards claim", { from, yes: true });
        const { delegations } = await report("staking delegations", {
          address,
        });
        assert.equal(delegations.length, 1);
      });

      it("give tokens of both kinds", async () => {
        const address = started.node.accounts[account + 5]?.address;
        for (const [token, amount] of [
          ["native", "100"],
          ["stable", "1000"],
        ] as const) {
          const { received } = await report("faucet", { address, token });
          assert.equal(received.tokens, amount);
        }
        const { balances } = await report("balance", { addresses: [address] });
        assert.equal(balances[0].stable.tokens, "1000");
      });

      it("say how to start it where nothing listens", async () => {
        const baseUrl = `http://127.0.0.1:${await freePort()}`;
        const { error, err } = await runTask(
          taskNamed("balance"),
          {},
          { localnode: { baseUrl } },
          NETWORK,
        );
        assert.match(
          `${error}${err}`,
          /cannot be reached.*network localnode, endpoint http:\/\/127\.0\.0\.1:\d+\/evm\).*Start the local network with "npx hardhat dualstack node"/s,
        );
      });
    });
  }
});

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
