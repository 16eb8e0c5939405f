import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Interface, JsonRpcProvider, Wallet } from "ethers";

import { watch } from "../../src/commands/watch/index.js";
import { describeNetworks } from "../../src/hardhat3/config/describe.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { createProject, RecordingUi, runTask } from "../commands/helpers.js";
import { ABIS } from "../commands/network.js";
import type { DualstackUserConfig } from "../../src/config/user-config.js";
import {
  createProject as createHardhat2,
  loadHardhat2,
} from "../helpers/hardhat2.js";
import { freePort } from "../helpers/ports.js";
import {
  onHardhat2,
  onHardhat3,
  type Printed,
  printed,
  taskNamed,
} from "../helpers/task-runs.js";
import { startNode, type StartedNode } from "./start.js";

const NETWORK = "localnode";

// Only the addresses are configured: everything else follows.
describe("the tasks on a local node", () => {
  let started: StartedNode;
  let dualstack: DualstackUserConfig;
  let folder: string;
  let proposalFile: string;
  before(async () => {
    // As strict as a real node, which the tasks are made for.
    started = await startNode({ likeChain: true });
    const { baseUrl, grpcHost } = started.node.endpoints;
    dualstack = { localnode: { baseUrl, grpcHost } };
    folder = await mkdtemp(path.join(tmpdir(), "dualstack-tasks-"));
    proposalFile = path.join(folder, "light.json");
    await writeFile(
      proposalFile,
      JSON.stringify({ title: "Light", summary: "s", metadata: "m" }),
    );
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
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
    /** Returns what a task prints as JSON. */
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
          checks.filter(({ id }: any) =>
            ["explorer", "precompile-bank", "precompile-slashing"].includes(id),
          ),
        );
      });

      it("read, and know the network", async () => {
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

      it("propose, deposit and vote", async () => {
        const from = started.node.accounts[account]?.address;
        const signed = { from, yes: true };
        const { proposal } = await report("gov submit", {
          file: proposalFile,
          deposit: "1",
          ...signed,
        });
        await report("gov deposit", { proposal, amount: "9", ...signed });
        await report("gov vote", { proposal, option: "yes", ...signed });
        const { status, tally } = await report("gov show", { proposal });
        assert.equal(status, "voting");
        assert.equal(tally.yes.votes.tokens, "10");
        const { proposals } = await report("gov list", { status: "voting" });
        assert.ok(proposals.some(({ id }: any) => id === proposal));
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

      it("say how to start it if nothing listens", async () => {
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

  it("name the node's own chain ID on a network without a configured one", async () => {
    const { endpoints, accounts, chainId } = started.node;
    const url = endpoints.evmUrl;
    const keys = accounts.slice(8, 9).map(({ privateKey }) => privateKey);
    const to = accounts[9]?.address ?? "";
    const dry = { to, amount: "1", dryRun: true };
    const shown = (out: string) => Number(JSON.parse(out).chainId);
    const hre = await createProject(
      { dualstack, networks: { own: { type: "http", url, accounts: keys } } },
      { network: "own" },
    );
    for (const [name, args] of [
      ["balance", { addresses: [to] }],
      ["transfer", dry],
      ["doctor", {}],
    ] as const) {
      const { stdout } = await runTask(hre, name, {
        ...args,
        json: true,
      });
      assert.equal(shown(stdout), chainId, name);
    }
    const hre2 = await loadHardhat2({
      network: "own",
      config: { dualstack, networks: { own: { url, accounts: keys } } },
      root: await createHardhat2(),
    });
    for (const [task, args] of [
      ["balance", { addresses: [to] }],
      ["transfer", dry],
      ["doctor", {}],
    ] as const) {
      const { out } = await printed(() =>
        hre2.run({ scope: "dualstack", task }, { ...args, json: true }),
      );
      assert.equal(shown(out), chainId, task);
    }
  });

  it("watch shows what an address does, on both stacks", async () => {
    const hre = await createProject({ dualstack });
    const network = (await describeNetworks(hre.config)).find(
      ({ kind }) => kind === NETWORK,
    );
    assert.ok(network);
    const from = started.node.accounts[1]?.address ?? "";
    const ui = new RecordingUi({ json: true });
    const stop = new AbortController();
    const watching = watch(
      {
        network,
        what: from,
        abis: ABIS,
        contracts: async () => await Promise.resolve([]),
        signal: stop.signal,
      },
      ui,
    );
    const heard = (type: string): any =>
      ui.lines.map((line) => JSON.parse(line)).find((one) => one.type === type);
    const { items } = await started.clients.query.staking.validators({});
    const staking = new Interface([...PRECOMPILES.staking.abi] as any);
    const provider = new JsonRpcProvider(started.node.endpoints.evmUrl);
    const signer = new Wallet(
      started.node.accounts[1]?.privateKey ?? "",
      provider,
    );
    const delegate = {
      to: network.precompiles.staking,
      data: staking.encodeFunctionData("delegate", [
        from,
        items[0]?.operator.valoper,
        10n ** 18n,
      ]),
    };
    // It hears nothing until it has subscribed.
    for (let i = 0; i < 100; i++) {
      if (heard("log") && heard("framework-transaction")) break;
      await signer.sendTransaction(delegate);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    stop.abort();
    await watching;
    provider.destroy();
    const { contract, event, transaction } = heard("log");
    assert.deepEqual([contract, event], ["staking", "Delegate"]);
    const told = heard("framework-transaction");
    assert.deepEqual(told.messages, ["/cosmos.evm.vm.v1.MsgEthereumTx"]);
    assert.equal(told.events[0].type, "delegate");
    assert.match(
      `${told.ethereumHash}${transaction}`,
      /^(?:0x[0-9a-f]{64}){2}$/,
    );
  });
});
