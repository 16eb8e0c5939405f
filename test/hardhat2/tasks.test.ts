import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import type { DualstackUserConfig } from "../../src/config/user-config.js";
import dualstack from "../../src/index.js";
import { type TaskEntry, TASKS as TABLE } from "../../src/tasks/table.js";
import { LOCALNET } from "../commands/modules.js";
import { ACCOUNTS, KEYS } from "../helpers/chain.js";
import { createProject, loadHardhat2 } from "../helpers/hardhat2.js";
import {
  type Args,
  onHardhat2,
  onHardhat3,
  type Printed,
  printed,
  taskNamed,
} from "../helpers/task-runs.js";
import { EvmNode, simulatedChain } from "../servers/evm-node.js";
import { Explorer } from "../servers/explorer.js";

const TASKS: readonly TaskEntry[] = TABLE;
const VALIDATOR = {
  moniker: "Mine",
  pubkey: Buffer.alloc(32, 7).toString("base64"),
  amount: "10",
  commission: "5%",
};

describe("the tasks on both majors of Hardhat", () => {
  let node: EvmNode;
  const settings = (): DualstackUserConfig => ({
    testnet: {
      baseUrl: node.baseUrl,
      accounts: [KEYS[0]],
      explorerUrl: "https://explorer.dualstack.example",
    },
    bech32Prefix: "cosmos",
  });

  before(async () => {
    node = await EvmNode.start({
      // No blocks, so that fees stay the same, except for tasks that wait.
      blockTimeMs: 0,
      backend: {
        plugins: [dualstack],
        dualstack: { localnet: { ...LOCALNET, networks: { chain: true } } },
        networks: {
          chain: simulatedChain(),
        },
      },
    });
  });
  after(() => node.close());

  /** Runs a task on both majors, on the same state of the chain. */
  async function both(name: string, args: Args): Promise<[Printed, Printed]> {
    const entry = taskNamed(name);
    const id = await node.chain.request({ method: "evm_snapshot" });
    const three = await onHardhat3(entry, args, settings());
    await node.chain.request({ method: "evm_revert", params: [id] });
    return [three, await onHardhat2(entry, args, settings())];
  }

  async function whileMining<T>(run: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => void node.mine(), 100);
    try {
      return await run();
    } finally {
      clearInterval(timer);
    }
  }

  // The only difference in words is where variables are stored.
  const neutral = (text = "") =>
    text.replaceAll(/npx hardhat (?:keystore|vars) set/g, "npx hardhat … set");

  const same: readonly (readonly [name: string, args: Args])[] = [
    ["networks", {}],
    ["networks", { json: true }],
    ["address", { address: ACCOUNTS[0] }],
    ["address", { address: ACCOUNTS[0], prefix: "dual", json: true }],
    ["address", { address: "0x12" }],
    ["address", { address: "0x12", json: true }],
    ["balance", { addresses: [...ACCOUNTS] }],
    ["balance", { addresses: [...ACCOUNTS], json: true }],
    ["balance", { json: true }],
    ["balance", { file: "/no/such/file", json: true }],
    ["faucet", { address: ACCOUNTS[1], token: "gold", json: true }],
    ["faucet", { address: ACCOUNTS[1], token: "native", json: true }],
    ["transfer", { to: ACCOUNTS[1], amount: "1.5", dryRun: true, json: true }],
    ["transfer", { to: ACCOUNTS[1], amount: "lots", json: true }],
    ["staking validators", {}],
    ["staking validators", { json: true }],
    ["staking delegations", { json: true }],
    ["staking create", { ...VALIDATOR, dryRun: true }],
    ["staking create", { ...VALIDATOR, pubkey: "AA==", json: true }],
    ["staking edit", { json: true }],
    ["rewards show", { json: true }],
    ["gov list", { json: true }],
    ["gov params", { json: true }],
  ];
  for (const [name, args] of same) {
    it(`${name} ${JSON.stringify(args)}`, async () => {
      const [three, two] = await both(name, args);
      assert.notEqual(three.out + String(three.error), "undefined");
      assert.equal(neutral(two.out), neutral(three.out));
      assert.equal(neutral(two.err), neutral(three.err));
      assert.equal(neutral(two.error), neutral(three.error));
    });
  }

  it("name commands as each major has them", async () => {
    const [three, two] = await both("gov show", { proposal: "first" });
    assert.match(three.error ?? "", /npx hardhat dualstack gov list --network/);
    assert.match(two.error ?? "", /npx hardhat dualstack gov:list --network/);
  });

  it("transfer the same, and report the same", async () => {
    const args = { to: ACCOUNTS[1], amount: "0.25", json: true };
    const [three, two] = (await whileMining(() => both("transfer", args))).map(
      ({ out }) => JSON.parse(out),
    );
    for (const key of [
      "network",
      "from",
      "to",
      "toAccount",
      "amount",
      "dryRun",
    ]) {
      assert.deepEqual(two[key], three[key], key);
    }
    assert.deepEqual(Object.keys(two), Object.keys(three));
    assert.equal(two.gas.limit, three.gas.limit);
    assert.equal(two.gas.estimate, three.gas.estimate);
  });

  it("create a validator, and change it", async () => {
    const send = async (name: string, args: Args) =>
      (await whileMining(() => both(name, { ...args, json: true }))).map(
        ({ out, error }) => {
          assert.equal(error, undefined);
          const { transaction, block, paid, ...report } = JSON.parse(out);
          assert.ok(transaction && block && paid);
          return report;
        },
      );
    for (const [name, args] of [
      ["staking create", VALIDATOR],
      ["staking edit", { details: "New" }],
    ] as const) {
      const [three, two] = await send(name, args);
      assert.equal(three.validator.moniker, "Mine");
      assert.deepEqual(two.validator, three.validator);
      assert.deepEqual(two.changes, three.changes);
      assert.deepEqual(Object.keys(two), Object.keys(three));
    }
    const [shown] = await both("staking validator", {
      validator: ACCOUNTS[0],
      json: true,
    });
    const { commission, details } = JSON.parse(shown.out);
    assert.deepEqual(
      { commission, details },
      { commission: "5", details: "New" },
    );
  });

  const codeAt = async (address: string) =>
    String(
      await node.chain.request({
        method: "eth_getCode",
        params: [address, "latest"],
      }),
    );

  it("deploy contracts that Hardhat 2 compiles", async (t) => {
    const root = await createProject();
    await mkdir(path.join(root, "contracts"));
    await writeFile(
      path.join(root, "contracts/Box.sol"),
      "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract Box { uint256 public content; constructor(uint256 c) { content = c; } }\n",
    );
    // Use the compiler that is installed.
    await writeFile(
      path.join(root, "solc.cjs"),
      `const { subtask } = require("hardhat/config");
      const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
      subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({ compilerPath: require.resolve("solc/soljson.js"), isSolcJs: true, version: "0.8.30", longVersion: "0.8.30" }));`,
    );
    const explorer = await Explorer.start(codeAt);
    t.after(() => explorer.close());
    const { testnet, ...rest } = settings();
    const load = async (...plugins: readonly string[]) =>
      await loadHardhat2({
        network: "testnet",
        plugins: ["hardhat-dualstack/hardhat2", "./solc.cjs", ...plugins],
        config: {
          dualstack: {
            ...rest,
            testnet: { ...testnet, explorerUrl: explorer.url },
          },
          solidity: "0.8.30",
        },
        root,
      });
    let hre = await load();
    const deploy = async (contract: string, verify = false) => {
      const { exitCode } = process;
      const { out } = await whileMining(() =>
        printed(() =>
          hre.run(
            { scope: "dualstack", task: "deploy" },
            { contract, constructorArguments: ["7"], verify, json: true },
          ),
        ),
      );
      const failed = process.exitCode === 1;
      process.exitCode = exitCode;
      return { failed, report: JSON.parse(out) };
    };
    const { report, failed } = await deploy("Box");
    assert.equal(failed, false);
    assert.equal(report.contract, "contracts/Box.sol:Box");
    assert.equal(
      BigInt(report.gas.limit),
      (BigInt(report.gas.estimate) * 12n + 9n) / 10n,
    );
    const code = await node.chain.request({
      method: "eth_getCode",
      params: [report.address, "latest"],
    });
    assert.notEqual(code, "0x");
    const other = await deploy("Nothing");
    assert.equal(other.failed, true);
    assert.match(other.report.error.message, /Nothing/);

    const bare = await deploy("Box", true);
    assert.match(bare.report.error.fix, /install .*hardhat-verify@2/);
    hre = await load("@nomicfoundation/hardhat-verify");
    const verified = await deploy("Box", true);
    assert.equal(verified.report.verified, true);
    assert.deepEqual(
      explorer.submissions.map(({ address, contract }) => [address, contract]),
      [[verified.report.address, "contracts/Box.sol:Box"]],
    );

    // Ignition's own flag asks the same explorer.
    await mkdir(path.join(root, "ignition/modules"), { recursive: true });
    await writeFile(
      path.join(root, "ignition/modules/Box.js"),
      `const { buildModule } = require("@nomicfoundation/hardhat-ignition/modules");
      module.exports = buildModule("Box", (m) => ({ box: m.contract("Box", [8]) }));`,
    );
    hre = await load(
      "@nomicfoundation/hardhat-verify",
      "@nomicfoundation/hardhat-ignition-ethers",
    );
    const { HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: confirm } = process.env;
    let ran: Printed;
    process.env["HARDHAT_IGNITION_CONFIRM_DEPLOYMENT"] = "false";
    try {
      ran = await whileMining(() =>
        printed(() =>
          hre.run(
            { scope: "ignition", task: "deploy" },
            {
              modulePath: path.join(root, "ignition/modules/Box.js"),
              verify: true,
            },
          ),
        ),
      );
    } finally {
      if (confirm === undefined) {
        delete process.env["HARDHAT_IGNITION_CONFIRM_DEPLOYMENT"];
      } else {
        process.env["HARDHAT_IGNITION_CONFIRM_DEPLOYMENT"] = confirm;
      }
    }
    assert.equal(explorer.verified, 2, `${ran.out}${ran.err}${ran.error}`);
  });

  it("are all there, with their options, under one scope", async () => {
    const hre = (await loadHardhat2()) as unknown as {
      readonly scopes: {
        readonly dualstack: {
          readonly tasks: Readonly<
            Record<
              string,
              {
                paramDefinitions: object;
                positionalParamDefinitions: readonly { name: string }[];
              }
            >
          >;
        };
      };
    };
    const { tasks } = hre.scopes.dualstack;
    assert.deepEqual(
      Object.keys(tasks).toSorted(),
      TASKS.map((task) => task.path.join(":")).toSorted(),
    );
    for (const { path: name, arguments: given = [], options = [] } of TASKS) {
      const task = tasks[name.join(":")];
      assert.deepEqual(Object.keys(task?.paramDefinitions ?? {}), [
        ...options.map((option) => option.name),
        "quiet",
      ]);
      assert.deepEqual(
        task?.positionalParamDefinitions.map((p) => p.name),
        given.map((g) => g.name),
      );
    }
  });
});
