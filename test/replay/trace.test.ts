import assert from "node:assert/strict";
import { cp, mkdtemp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it, mock } from "node:test";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import plugin from "../../src/index.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { isFailed } from "../../src/tasks/run.js";
import type { TraceReport } from "../../src/commands/trace/report.js";
import { archive, CHAIN_ID, FACTS } from "../forks/archive.js";
import {
  COMPOUND,
  callsStaking,
  DELEGATOR,
  delegationsOf,
  HEIGHT,
  MONIKER,
  REFUSAL,
  REFUSED,
  REFUSING,
  transaction,
  VAULT,
  VAULT_ABI,
  VAULT_NAME,
} from "../forks/cast.js";
import {
  createProject,
  HARDHAT2_PLUGINS,
  loadHardhat2,
  requireFromToolbox,
} from "../helpers/hardhat2.js";
import { recordedChain, type RecordedChain } from "./chain.js";

const ROOT = path.join(import.meta.dirname, "../..");
const SOLC = createRequire(import.meta.url).resolve("solc-latest/soljson.js");

/** Makes Hardhat 2 take the compiler that is installed. */
const LOCAL_SOLC = `
const { subtask } = require("hardhat/config");
subtask("compile:solidity:solc:get-build", async ({ solcVersion }) => ({
  compilerPath: ${JSON.stringify(SOLC)},
  isSolcJs: true,
  version: solcVersion,
  longVersion: solcVersion,
}));
`;

type Trace = (args: Record<string, unknown>) => Promise<TraceReport>;

interface Project {
  readonly trace: Trace;
  /** Returns the exit code of a trace with these arguments. */
  exitCode(args: Record<string, unknown>): Promise<number>;
  readonly connection: any;
}

interface Options {
  readonly url: string;
  readonly root: string;
  readonly nodeRpc?: boolean;
}

/** A transaction that comes after others in its block. */
const LATER = transaction(
  "calls a precompile after others in its block",
  (one) =>
    Number(one.fields.transactionIndex) > 0 &&
    Object.values<string>(PRECOMPILE_ADDRESSES).includes(one.fields.to),
);

const OUT_OF_GAS = transaction(
  "had too little gas for a precompile",
  (one) =>
    callsStaking(one, "delegate") && /out of gas/.test(one.outcome.vmError),
);

const dualstack = ({ url, nodeRpc = true }: Options) => ({
  ...FACTS,
  testnet: nodeRpc
    ? { baseUrl: url, chainId: CHAIN_ID }
    : { evmUrl: `${url}/evm`, chainId: CHAIN_ID },
});

const SOLIDITY = {
  version: "0.8.37",
  path: SOLC,
  settings: {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: "prague",
    metadata: { bytecodeHash: "none" },
  },
} as const;

const MAJORS: readonly {
  readonly name: string;
  /**
   * Creates a project's folder, in which contracts can import the package's.
   */
  createRoot(): Promise<string>;
  open(options: Options): Promise<Project>;
}[] = [
  {
    name: "Hardhat 3",
    createRoot: async () => {
      const root = await mkdtemp(path.join(tmpdir(), "trace-"));
      await writeFile(path.join(root, "package.json"), '{"type":"module"}');
      await mkdir(path.join(root, "node_modules"));
      await symlink(ROOT, path.join(root, "node_modules/hardhat-dualstack"));
      return root;
    },
    open: async (options) => {
      const hre = await createHardhatRuntimeEnvironment(
        {
          plugins: [plugin],
          solidity: SOLIDITY,
          dualstack: dualstack(options),
        },
        { network: "testnet" },
        options.root,
      );
      await hre.tasks.getTask("build").run({ quiet: true });
      const trace: Trace = async (args) =>
        await hre.tasks.getTask(["dualstack", "trace"]).run(args);
      return {
        trace,
        exitCode: async (args) => (isFailed(await trace(args)) ? 1 : 0),
        connection: await hre.network.create("testnet"),
      };
    },
  },
  {
    name: "Hardhat 2",
    createRoot: createProject,
    open: async ({ root, ...options }) => {
      await writeFile(path.join(root, "solc.cjs"), LOCAL_SOLC);
      const { version, settings } = SOLIDITY;
      const hre = await loadHardhat2({
        config: {
          solidity: { version, settings },
          dualstack: dualstack({ root, ...options }),
        },
        plugins: [...HARDHAT2_PLUGINS, "./solc.cjs"],
        network: "testnet",
        root,
      });
      // In this package's own folder, Hardhat 2 refuses to import the package.
      const folder = process.cwd();
      process.chdir(root);
      try {
        await hre.run("compile", { quiet: true });
      } finally {
        process.chdir(folder);
      }
      // As Hardhat 2's command line does, for the lines in stack traces.
      requireFromToolbox("source-map-support/register");
      const trace: Trace = async (args) =>
        await hre.run({ scope: "dualstack", task: "trace" }, args);
      return {
        trace,
        exitCode: async (args) => {
          const { exitCode } = process;
          process.exitCode = 0;
          try {
            await trace(args);
            return process.exitCode;
          } finally {
            process.exitCode = exitCode;
          }
        },
        connection: hre,
      };
    },
  },
];

for (const { name, createRoot, open } of MAJORS) {
  describe(`dualstack trace on ${name}`, () => {
    let chain: RecordedChain;
    let root: string;
    let project: Project;
    let abi: string;

    before(async () => {
      chain = await recordedChain();
      root = await createRoot();
      await mkdir(path.join(root, "contracts"));
      for (const file of ["StakingVault.sol", "ShareToken.sol"]) {
        await cp(
          path.join(ROOT, "fixtures/staking-vault/contracts", file),
          path.join(root, "contracts", file),
        );
      }
      abi = path.join(root, "Vault.json");
      await writeFile(abi, JSON.stringify(VAULT_ABI));
      project = await open({ url: chain.url, root });
    });
    after(async () => {
      await chain.close();
      await rm(root, { recursive: true, maxRetries: 5 });
    });

    const run = async (args: Record<string, unknown>) =>
      await project.trace({ quiet: true, abi, ...args });

    it("reports calls, events and changes, and that the chain agrees", async () => {
      const report = await run({ hash: COMPOUND.hash });
      assert.equal(report.agrees, true);
      assert.deepEqual(
        report.checks?.map(({ what, result }) => [what, result]),
        [
          ["status", "agrees"],
          ["logs", "agrees"],
          ["return data", "agrees"],
          ["gas", "differs"],
        ],
      );
      assert.equal(report.calls.method, "compound");
      const [claim, ...rest] = report.calls.calls;
      assert.equal(claim?.contract, "distribution");
      assert.equal(claim.method, "claimRewards");
      assert.deepEqual(claim.calls, []);
      const delegated = rest.filter(({ method }) => method === "delegate");
      const staked = delegationsOf(VAULT, Number(COMPOUND.fields.blockNumber));
      assert.equal(delegated.length, staked.length);
      const amounts = delegated.map(({ args }) => args?.amount);
      const [first] = report.changes.delegations;
      assert.ok(first !== undefined);
      assert.equal(first.delegator, VAULT.toLowerCase());
      assert.equal(first.after - first.before, amounts[0]);
      assert.equal(report.changes.rewards.length, staked.length);
    });

    it("prints a tree with names, amounts and gas", async () => {
      const printed: string[] = [];
      const log = mock.method(console, "log", (line: string) => {
        printed.push(line);
      });
      try {
        await project.trace({ hash: COMPOUND.hash, abi, gas: true });
      } finally {
        log.mock.restore();
      }
      const text = printed.join("\n");
      assert.match(
        text,
        /compound\(\) = amount \d+ {2}\[\d+ gas of \d+, \d+ its own\]/,
      );
      assert.match(
        text,
        new RegExp(
          `delegate\\(.*validatorAddress (?:${MONIKER}) \\(0x\\w+…\\w+\\), amount 0\\.\\d+ `,
        ),
      );
      assert.match(text, /event staking\.Delegate\(/);
      assert.match(
        text,
        new RegExp(
          `delegated +${VAULT} with (?:${MONIKER}) .* \\(\\+0\\.\\d+ `,
        ),
      );
      assert.match(text, /return data +the same/);
    });

    it("reports the contract's own error, and undoes what it had done", async () => {
      const report = await run({ hash: REFUSED.hash });
      assert.equal(report.success, false);
      assert.equal(report.agrees, true);
      assert.equal(report.calls.reason, REFUSAL);
      assert.deepEqual(report.changes.delegations, []);
      assert.deepEqual(report.calls.events, []);
      // The fee, as the chain charged it.
      const [fee, ...others] = report.changes.balances;
      assert.deepEqual(others, []);
      assert.ok(fee !== undefined && fee.after < fee.before);
      assert.match(
        report.failure?.stack[0] ?? "",
        new RegExp(
          `^${VAULT_NAME}\\.${REFUSING} \\(contracts/${VAULT_NAME}\\.sol:\\d+\\)$`,
        ),
      );
    });

    it("runs the block's earlier transactions first, or leaves them out", async () => {
      const hash = LATER.hash;
      const whole = await run({ hash });
      assert.equal(whole.earlier, whole.index);
      assert.equal(whole.agrees, true);
      const alone = await run({ hash, fromBlockStart: true });
      assert.equal(alone.earlier, 0);
    });

    it("reports what the framework's side did before it in the block", async () => {
      const { hash } = COMPOUND;
      const event = (type: string, key: string, value: string) => ({
        type,
        attributes: [{ key, value }],
      });
      const url = "/cosmos.staking.v1beta1.MsgDelegate";
      const ethereum = (of: string) =>
        event("ethereum_tx", "ethereumTxHash", of);
      chain.blockResults = [
        { code: 0, events: [event("message", "action", url)] },
        { code: 4, events: [ethereum(`0x${"12".repeat(32)}`)] },
        { code: 0, events: [ethereum(hash)] },
        { code: 0, events: [event("message", "action", url)] },
      ];
      const others = ["MsgDelegate", "a transaction without a receipt"];
      const printed: string[] = [];
      const log = mock.method(console, "log", (line: string) => {
        printed.push(line);
      });
      try {
        const report = await project.trace({ hash, abi });
        assert.deepEqual(report.others, others);
        assert.equal(report.agrees, true);
        // If something differs, that may be the reason.
        chain.onAnswer = (text) =>
          text.replaceAll('"status":"0x1"', '"status":"0x0"');
        const { exitCode } = process;
        const differing = await run({ hash });
        process.exitCode = exitCode;
        const [status] = differing.checks ?? [];
        assert.equal(status?.result, "differs");
        assert.match(status.why ?? "", /is not run here: MsgDelegate, a trans/);
      } finally {
        log.mock.restore();
        chain.blockResults = undefined;
        chain.onAnswer = undefined;
      }
      assert.match(
        printed.join("\n"),
        new RegExp(`not run +what came before it .*: ${others.join(", ")}`),
      );
    });

    it("runs a call that nobody sent", async () => {
      const question = {
        from: DELEGATOR,
        to: VAULT,
        method: "deposit",
        value: String(10n ** 18n),
        block: HEIGHT,
      };
      const report = await run({ call: JSON.stringify(question) });
      assert.equal(report.success, true);
      assert.equal(report.checks, undefined);
      assert.equal(report.calls.method, "deposit");
      assert.ok(report.changes.delegations.length > 0);
    });

    it("shows by the exit code whether it agrees", async () => {
      const { hash } = REFUSED;
      const exitCode = async () =>
        await project.exitCode({ hash, quiet: true });
      assert.equal(await exitCode(), 0);
      // Now the chain claims that it succeeded.
      chain.onAnswer = (text) =>
        text.replaceAll('"status":"0x0"', '"status":"0x1"');
      assert.equal(await exitCode(), 1);
      chain.onAnswer = undefined;
    });

    it("says what is known of a transaction without a receipt", async (t) => {
      const [lost] = archive.data.withoutReceipt ?? [];
      if (lost === undefined) return t.skip("the archive has none");
      await assert.rejects(run({ hash: lost.hash }), ({ message }: Error) => {
        assert.match(message, /has no receipt and ran in no block of the EVM/);
        const why = String(lost.log).split("\n")[0] ?? "";
        return message.includes(why.slice(-60));
      });
    });

    it("says what is wrong", async () => {
      await assert.rejects(
        run({ hash: `0x${"12".repeat(32)}` }),
        /does not know this transaction.*Check the hash and --network/,
      );
      await assert.rejects(run({ hash: "0x12" }), /is not the hash/);
      await assert.rejects(run({}), /nothing to trace.*or --call/);
      await assert.rejects(run({ call: "{" }), /--call is not JSON/);
      await assert.rejects(
        run({ call: '{"too": "0x"}' }),
        /has "too", which is none of from, to/,
      );
      const hash = COMPOUND.hash;
      await assert.rejects(run({ hash, depth: "0" }), /--depth "0"/);
      await assert.rejects(run({ hash, abi: "no.json" }), /no\.json cannot be/);
      chain.onRequest = (_, body) =>
        body.includes("eth_getTransactionByHash") ? 404 : undefined;
      await assert.rejects(run({ hash }), /404/);
      chain.onRequest = undefined;
    });

    it("can be run from code", async () => {
      const hash = OUT_OF_GAS.hash;
      const replay = await project.connection.dualstack.replay(hash);
      assert.equal(replay.success, false);
      assert.equal(replay.agrees, true);
      assert.equal(replay.earlier, replay.index);
    });
  });
}

const BEFORE = Number(COMPOUND.fields.blockNumber) - 1;

describe("what cannot be replayed", () => {
  let chain: RecordedChain;
  before(async () => {
    chain = await recordedChain();
  });
  after(async () => await chain.close());

  const replay = async (testnet: object, network = "testnet") => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [plugin],
      dualstack: { testnet: { chainId: CHAIN_ID, ...testnet } },
    });
    const connection = await hre.network.create(network);
    return await connection.dualstack.replay(COMPOUND.hash);
  };

  it("is reported if the node has pruned the state", async () => {
    chain.onAnswer = (text) =>
      text.replace(
        /"id":(\d+),"result":"0x[0-9a-f]{1,40}"/,
        '"id":$1,"error":{"code":-32000,"message":"version 1 does not exist"}',
      );
    await assert.rejects(
      replay({ baseUrl: chain.url }),
      new RegExp(
        `the state before the transaction cannot be read at block ${BEFORE}: the node no longer has that block's state.*archive node`,
      ),
    );
    chain.onAnswer = undefined;
  });

  it("is reported if no endpoint is configured", async () => {
    await assert.rejects(replay({}), /DUALSTACK_TESTNET_(?:BASE|EVM)_URL/);
  });

  it("is reported if nothing answers", async () => {
    await assert.rejects(
      replay({ evmUrl: "http://127.0.0.1:9/evm" }),
      /127\.0\.0\.1:9/,
    );
  });

  it("is reported on a simulated network", async () => {
    await assert.rejects(
      replay({ baseUrl: chain.url }, "localnet"),
      /of a simulated network are not replayed.*--network testnet/,
    );
  });

  it("agrees as far as it can without the node RPC", async () => {
    const { agrees, checks } = await replay({ evmUrl: `${chain.url}/evm` });
    const returned = checks.find(({ what }) => what === "return data");
    assert.equal(returned?.result, "unchecked");
    // Rewards are not exact then, and it says so.
    const logs = checks.find(({ what }) => what === "logs");
    assert.equal(agrees, logs?.result === "agrees");
    assert.ok(agrees || /rewards are not exact/.test(logs?.why ?? ""));
  });
});
