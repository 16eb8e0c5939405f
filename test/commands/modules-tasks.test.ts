import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { parseAddress } from "../../src/address/index.js";
import dualstack from "../../src/index.js";
import type { TaskEntry } from "../../src/tasks/entry.js";
import { MODULE_TASKS } from "../../src/tasks/module-tasks.js";
import { startNode, type StartedNode } from "../local-node/start.js";
import { EvmNode, simulatedChain } from "../servers/evm-node.js";
import { CLI, startHardhatNode } from "./hardhat-node.js";
import { createProject, PROJECT, runTask } from "./helpers.js";
import { LARGE, LOCALNET, MIDDLE, SMALL, TOKEN } from "./modules.js";

// The first account of Hardhat's public test mnemonic.
const KEY =
  "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const OWNER = parseAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
const OTHER = parseAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const EXPLORER = "https://explorer.dualstack.example";

/** The values that Hardhat fills in for arguments that are not given. */
const DEFAULTS: Record<string, unknown> = {
  json: true,
  dryRun: false,
  yes: false,
  status: undefined,
  address: undefined,
  creationHeight: undefined,
  max: undefined,
  deposit: undefined,
};

/** Runs a task with `--json`, and returns what it printed. */
async function run(
  hre: HardhatRuntimeEnvironment,
  task: string,
  args: Record<string, unknown> = {},
): Promise<any> {
  const name = task.split(" ");
  const tasks: readonly TaskEntry[] = MODULE_TASKS;
  const entry = tasks.find(({ path }) => path.join(" ") === task);
  assert.ok(entry, task);
  const known = [...(entry.arguments ?? []), ...(entry.options ?? [])].map(
    (parameter) => parameter.name,
  );
  const all = Object.fromEntries(
    known.map((key) => [key, key in args ? args[key] : DEFAULTS[key]]),
  );
  const { stdout, result } = await runTask(hre, name, all);
  assert.doesNotMatch(stdout, new RegExp(KEY.slice(2), "i"));
  const printed = JSON.parse(stdout);
  assert.equal(
    (result as { success: boolean } | undefined)?.success,
    "error" in printed ? false : undefined,
    stdout,
  );
  return printed;
}

type Accounts = readonly (
  | string
  | { _type: "ConfigurationVariable"; name: string }
)[];

/** Creates a project whose test network is at this URL. */
const projectAt = async (baseUrl: string, accounts: Accounts = [KEY]) =>
  await createProject(
    { dualstack: { testnet: { baseUrl, accounts, explorerUrl: EXPLORER } } },
    { network: "testnet" },
  );

// The node is as strict as a real one.
describe("tasks of the modules on a remote network", () => {
  let node: StartedNode;
  let hre: HardhatRuntimeEnvironment;
  const project = async (accounts?: Accounts) =>
    await projectAt(node.node.endpoints.baseUrl, accounts);
  before(async () => {
    node = await startNode({ likeChain: true }, { localnet: LOCALNET });
    hre = await project();
  });
  after(async () => await node[Symbol.asyncDispose]());

  const sentByOwner = async () =>
    Number(await node.evm("eth_getTransactionCount", OWNER.hex, "latest"));

  it("read without a key", async () => {
    const keyless = await project([
      { _type: "ConfigurationVariable", name: "DUALSTACK_NO_SUCH_KEY" },
    ]);
    const { validators } = await run(keyless, "staking validators");
    assert.deepEqual(
      validators.map((row: any) => [row.moniker, row.tokens.baseUnits]),
      [
        ["Large", String(5000n * TOKEN)],
        ["Middle", String(2000n * TOKEN)],
        ["Small", String(1000n * TOKEN)],
      ],
    );
    const bonded = await run(keyless, "staking validators", {
      status: "unbonded",
    });
    assert.deepEqual(bonded.validators, []);
    const validator = await run(keyless, "staking validator", {
      validator: MIDDLE.account,
    });
    assert.equal(validator.commission, "5");
    const of = { address: LARGE.account };
    const { delegations } = await run(keyless, "staking delegations", of);
    assert.equal(delegations[0].delegated.tokens, "5000");
    assert.equal((await run(keyless, "rewards show", of)).address, LARGE.hex);
    assert.deepEqual(
      (await run(keyless, "staking unbonding", of)).unbonding,
      [],
    );
    assert.equal(
      (await run(keyless, "rewards withdraw-address", of)).withdrawAccount,
      LARGE.account,
    );
    assert.deepEqual((await run(keyless, "gov list")).proposals, []);
    const params = await run(keyless, "gov params");
    assert.equal(params.minDeposit[0].symbol, "NATIVE");
    assert.equal(params.votingPeriod, 172_800);
    assert.equal(await sentByOwner(), 0);
  });

  it("delegate, redelegate and undelegate", async () => {
    const delegated = await run(hre, "staking delegate", {
      validator: LARGE.hex,
      amount: "100",
    });
    assert.equal(delegated.network, "testnet");
    assert.equal(delegated.from, OWNER.hex);
    assert.equal(delegated.validator.valoper, LARGE.valoper);
    assert.equal(delegated.amount.baseUnits, String(100n * TOKEN));
    assert.equal(delegated.explorer, `${EXPLORER}/tx/${delegated.transaction}`);
    const { gas } = delegated;
    const estimate = BigInt(gas.estimate);
    // The signed limit: 1.2 times the estimate plus the payment of rewards.
    assert.equal(BigInt(gas.limit), ((estimate + 22_300n) * 12n + 9n) / 10n);
    const transaction = await node.evm(
      "eth_getTransactionByHash",
      delegated.transaction,
    );
    assert.equal(BigInt(transaction.gas), BigInt(gas.limit));
    assert.equal(BigInt(transaction.to), 0x800n);
    assert.ok(BigInt(gas.used) <= BigInt(gas.limit));

    const moved = await run(hre, "staking redelegate", {
      validator: LARGE.valoper,
      to: SMALL.account,
      amount: "40",
    });
    assert.equal(moved.to.moniker, "Small");
    // People take longer than a block between two commands. In the block that
    // settled rewards, an estimate includes none, and the emulated chain
    // charges more than a real one to pay those of later blocks.
    await node.evm("evm_increaseTime", 5);
    await node.evm("evm_mine");
    const back = await run(hre, "staking undelegate", {
      validator: LARGE.valoper,
      amount: "all",
    });
    assert.equal(back.amount.tokens, "60");
    assert.match(back.completionTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const again = await run(hre, "staking cancel", {
      validator: LARGE.valoper,
      amount: "20",
    });
    assert.equal(again.creationHeight, back.block);
    const { unbonding, redelegations, total } = await run(
      hre,
      "staking unbonding",
    );
    assert.deepEqual(
      [unbonding.length, redelegations[0].balance.tokens, total.tokens],
      [1, "40", "40"],
    );
    const shown = await run(hre, "staking delegations", {
      address: OWNER.account,
    });
    assert.deepEqual(
      shown.delegations.map((row: any) => [row.moniker, row.delegated.tokens]),
      [
        ["Small", "40"],
        ["Large", "20"],
      ],
    );
  });

  it("pay rewards out", async () => {
    const withdrawn = await run(hre, "rewards withdraw", {
      validator: SMALL.hex,
    });
    assert.equal(withdrawn.received.symbol, "NATIVE");
    assert.equal(withdrawn.paidTo, OWNER.hex);
    const set = await run(hre, "rewards withdraw-address set", {
      address: OTHER.account,
    });
    assert.equal(set.withdrawAddress, OTHER.hex);
    const claimed = await run(hre, "rewards claim", { max: "5" });
    assert.deepEqual([claimed.validators, claimed.paidTo], [2, OTHER.hex]);
    const none = await run(hre, "rewards commission");
    assert.match(none.error.reason, /the account operates no validator/);
    assert.equal(none.error.address, OWNER.hex);
  });

  it("submit, deposit, vote and cancel", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "proposals-"));
    try {
      const file = path.join(folder, "light.json");
      await writeFile(
        file,
        JSON.stringify({ title: "Light", summary: "s", metadata: "m" }),
      );
      const submitted = await run(hre, "gov submit", { file, deposit: "1" });
      assert.deepEqual(
        [submitted.proposal, submitted.status, submitted.deposit.tokens],
        ["1", "deposit", "1"],
      );
      const proposal = submitted.proposal;
      const deposited = await run(hre, "gov deposit", {
        proposal,
        amount: "9",
      });
      assert.equal(deposited.status, "voting");
      const voted = await run(hre, "gov vote", {
        proposal,
        option: "yes=0.7,abstain=0.3",
      });
      assert.equal(voted.call, "governance.voteWeighted");
      const shown = await run(hre, "gov show", { proposal });
      assert.equal(shown.tally.yes.votes.tokens, "42");
      assert.equal(shown.depositors[0].account, OWNER.account);
      const { proposals } = await run(hre, "gov list", { status: "voting" });
      assert.equal(proposals.length, 1);
      const cancelled = await run(hre, "gov cancel", { proposal });
      assert.equal(cancelled.lostRatio, "0.5");
      const gone = await run(hre, "gov show", { proposal });
      assert.match(gone.error.message, /there is no proposal 1 \(network/);
      const unread = await run(hre, "gov submit", {
        file: path.join(folder, "dark.json"),
      });
      assert.match(unread.error.reason, /dark\.json cannot be read/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("explain the chain's refusal in plain words", async () => {
    const sent = await sentByOwner();
    const bound = await run(hre, "staking redelegate", {
      validator: SMALL.hex,
      to: MIDDLE.hex,
      amount: "1",
    });
    assert.match(
      bound.error.reason,
      /^redelegating 1 NATIVE would fail: these tokens were redelegated to the validator/,
    );
    assert.match(bound.error.fix, /staking unbonding --network testnet/);
    const unknown = await run(hre, "staking delegate", {
      validator: OTHER.hex,
      amount: "1",
    });
    assert.match(unknown.error.reason, /^there is no such validator$/);
    const poor = await run(hre, "staking delegate", {
      validator: LARGE.hex,
      amount: "123456",
    });
    assert.match(poor.error.reason, /^the balance is too low: delegating/);
    assert.equal(await sentByOwner(), sent);
  });
});

describe("tasks of the modules on a node that changes meanwhile", () => {
  let node: EvmNode;
  let hre: HardhatRuntimeEnvironment;
  before(async () => {
    node = await EvmNode.start({
      backend: {
        plugins: [dualstack],
        dualstack: { localnet: { ...LOCALNET, networks: { chain: true } } },
        networks: {
          chain: simulatedChain(),
        },
      },
    });
    hre = await projectAt(node.baseUrl);
  });
  after(() => node.close());

  it("say why a transaction failed in its block", async () => {
    const validator = SMALL.hex;
    // Estimates on a chain's first block include no rewards.
    await node.chain.request({ method: "evm_increaseTime", params: [5] });
    await node.mine();
    await run(hre, "staking delegate", { validator, amount: "40" });
    // The estimate no longer holds when the transaction is included.
    node.inject("eth_sendRawTransaction", () => {
      void node.chain.request({
        method: "dualstack_slashValidator",
        params: [SMALL.valoper, "0.5"],
      });
      return undefined;
    });
    const sent = node.count("eth_sendRawTransaction");
    const { error } = await run(hre, "staking undelegate", {
      validator: SMALL.hex,
      amount: "all",
    });
    node.clearFaults();
    assert.match(
      error.reason,
      /^undelegating 40 NATIVE failed in block \d+: it is more than the account has delegated there$/,
    );
    assert.equal(error.fix, 'Give less, or "all".');
    assert.match(error.transaction, /^0x[0-9a-f]{64}$/);
    assert.equal(node.count("eth_sendRawTransaction"), sent + 1);
  });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function hardhat(...args: string[]): Promise<Ended> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, "dualstack", ...args],
      { cwd: PROJECT, env: { ...env, NO_COLOR: "1" } },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === "number" ? error.code : 0,
          stdout,
          stderr,
        }),
    );
  });
}

const validatorsOf = async () => {
  const { stdout } = await hardhat(
    ...["staking", "validators", "--network", "localnet", "--json"],
  );
  return (JSON.parse(stdout) as { validators: { valoper: string }[] })
    .validators;
};

describe("tasks of the modules on the command line", () => {
  it("end with 0 on success, and say that the network ends with them", async () => {
    const [first] = await validatorsOf();
    const { code, stdout, stderr } = await hardhat(
      ...["staking", "delegate", first?.valoper ?? "", "5"],
      ...["--network", "localnet"],
    );
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^5 NATIVE delegated on localnet \(chain ID 31337\)/);
    assert.match(stdout, /Gas +estimate \d+, limit \d+, used \d+$/m);
    assert.match(stderr, /The network localnet exists only in this process/);
  });

  it("end with 1 on failure, as text and as JSON", async () => {
    const args = ["gov", "vote", "7", "yes", "--network", "localnet"];
    const text = await hardhat(...args);
    assert.equal(text.code, 1);
    assert.match(
      text.stdout + text.stderr,
      /hardhat-dualstack: there is no proposal 7 \(network localnet\)/,
    );
    assert.doesNotMatch(text.stdout + text.stderr, /report a bug/i);
    const json = await hardhat(...args, "--json");
    assert.equal(json.code, 1);
    const { error } = JSON.parse(json.stdout) as { error: { reason: string } };
    assert.equal(error.reason, "there is no proposal 7");
  });
});

describe("tasks of the modules on hardhat node", () => {
  it("work from another process, and their effects stay", async () => {
    await using node = await startHardhatNode();
    const { url } = node;
    const hre = await createProject(
      { networks: { devnet: { type: "http", url } } },
      { network: "devnet" },
    );
    const [first] = (await run(hre, "staking validators")).validators;
    const delegated = await run(hre, "staking delegate", {
      validator: first.operator,
      amount: "3",
    });
    assert.equal(delegated.network, "devnet");
    const undelegated = await run(hre, "staking undelegate", {
      validator: first.operator,
      amount: "1",
    });
    const { delegations } = await run(hre, "staking delegations");
    assert.deepEqual(
      delegations.map((row: any) => row.delegated.tokens),
      ["2"],
    );
    const { unbonding } = await run(hre, "staking unbonding");
    assert.equal(unbonding[0].creationHeight, undelegated.block);
    const refused = await run(hre, "gov deposit", {
      proposal: "3",
      amount: "1",
    });
    assert.match(refused.error.reason, /there is no proposal 3/);
  });

  it("report the estimate of a node that adds a buffer itself", async () => {
    await using node = await startHardhatNode("--network", "localnet");
    const hre = await createProject(
      { networks: { devnet: { type: "http", url: node.url } } },
      { network: "devnet" },
    );
    const [first] = (await run(hre, "staking validators")).validators;
    const { gas } = await run(hre, "staking delegate", {
      validator: first.operator,
      amount: "3",
    });
    const [estimate, limit] = [BigInt(gas.estimate), BigInt(gas.limit)];
    // The node adds a fifth to the estimate plus the payment of rewards.
    assert.equal(limit, ((estimate + 22_300n) * 12n + 9n) / 10n);
  });
});
