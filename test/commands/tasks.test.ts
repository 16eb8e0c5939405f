import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import ignitionEthers from "@nomicfoundation/hardhat-ignition-ethers";
import verifyPlugin from "@nomicfoundation/hardhat-verify";
import { HardhatPluginError } from "hardhat/plugins";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { toJson } from "../../src/commands/shared/output.js";
import dualstack from "../../src/index.js";
import { EvmNode } from "../servers/evm-node.js";
import { Explorer } from "../servers/explorer.js";
import { FaucetServer } from "../servers/faucet.js";
import { createProject, PROJECT, runTask } from "./helpers.js";

// The first account of Hardhat's public test mnemonic.
const KEY =
  "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const PLAIN = { json: false };
const BALANCE = { addresses: [] as string[], file: undefined, json: true };
const SENDING = { from: undefined, dryRun: false, yes: false, json: true };
const DEPLOY = {
  ...SENDING,
  value: undefined,
  libraries: undefined,
  verify: false,
};
const TRANSFER = { ...SENDING, async: false, force: false };

let node: EvmNode;
let faucet: FaucetServer;

before(async () => {
  node = await EvmNode.start();
  faucet = await FaucetServer.start({
    speaks: "cosmjs",
    grant: async (to) => {
      const accounts = (await node.chain.request({
        method: "eth_accounts",
      })) as string[];
      const value = `0x${(100n * 10n ** 18n).toString(16)}`;
      return String(
        await node.chain.request({
          method: "eth_sendTransaction",
          params: [{ from: accounts[3], to, value }],
        }),
      );
    },
  });
});
after(async () => {
  await node.close();
  await faucet.close();
});

async function onTestnet(
  accounts: readonly (
    | string
    | { _type: "ConfigurationVariable"; name: string }
  )[] = [KEY],
  baseUrl = node.baseUrl,
): Promise<HardhatRuntimeEnvironment> {
  return await createProject(
    {
      dualstack: {
        testnet: {
          baseUrl,
          accounts,
          faucetUrl: faucet.url,
          explorerUrl: "https://explorer.dualstack.example",
        },
      },
    },
    { network: "testnet" },
  );
}

async function json(
  hre: HardhatRuntimeEnvironment,
  name: string,
  args: Record<string, unknown>,
): Promise<any> {
  const { stdout, result } = await runTask(hre, name, { json: true, ...args });
  assert.doesNotMatch(stdout, new RegExp(KEY.slice(2), "i"));
  // Code that runs the task gets the report that is printed.
  assert.deepEqual(JSON.parse(toJson(result)), JSON.parse(stdout));
  return JSON.parse(stdout);
}

async function failure(
  hre: HardhatRuntimeEnvironment,
  name: string,
  args: Record<string, unknown>,
): Promise<any> {
  const { stdout, result } = await runTask(hre, name, { json: true, ...args });
  assert.doesNotMatch(stdout, new RegExp(KEY.slice(2), "i"));
  assert.equal((result as { success: boolean }).success, false);
  return (JSON.parse(stdout) as { error: unknown }).error;
}

describe("tasks that read", () => {
  const withoutKey = [
    { _type: "ConfigurationVariable", name: "DUALSTACK_NO_SUCH_KEY" },
  ] as const;

  it("need no key", async () => {
    const hre = await onTestnet(withoutKey);
    const { networks } = await json(hre, "networks", {});
    assert.equal(networks.length, 1, "only the one of --network");
    assert.equal(networks[0].endpoints[0].address, node.evmUrl);
    const balances = await json(hre, "balance", {
      ...BALANCE,
      addresses: [OTHER],
    });
    assert.equal(balances.balances[0].address, OTHER);
    assert.equal(balances.balances[0].native.symbol, "NATIVE");
    const address = await json(hre, "address", {
      address: OTHER,
      prefix: undefined,
    });
    assert.equal(address.hex, OTHER);
    const { networks: all } = await json(await createProject(), "networks", {});
    assert.deepEqual(
      all.map(({ name }: { name: string }) => name),
      ["testnet", "mainnet", "localnode", "localnet"],
    );
  });

  it("put many addresses into few requests", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "addresses-"));
    try {
      const file = path.join(folder, "list.txt");
      const lines = Array.from(
        { length: 250 },
        (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`,
      );
      await writeFile(file, `# a list\n${lines.join("\n")}\n`);
      const hre = await onTestnet(withoutKey);
      const { balances } = await json(hre, "balance", { ...BALANCE, file });
      assert.equal(balances.length, 250);
      assert.equal(balances[249].address.toLowerCase(), lines[249]);
      const error = await failure(hre, "balance", {
        ...BALANCE,
        file: path.join(folder, "other.txt"),
      });
      assert.match(
        error.reason,
        /other\.txt cannot be read: it does not exist$/,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("show the configured accounts by default", async () => {
    const { balances } = await json(await onTestnet(), "balance", BALANCE);
    assert.deepEqual(
      balances.map(({ address }: { address: string }) => address),
      [OWNER],
    );
    const none = await failure(await onTestnet([]), "balance", BALANCE);
    assert.match(none.message, /no address was given/);
  });

  it("refuse a node of another chain", async () => {
    const other = await EvmNode.start({ chainId: 26217 });
    try {
      const error = await failure(
        await onTestnet([KEY], other.baseUrl),
        "balance",
        {
          ...BALANCE,
          addresses: [OTHER],
        },
      );
      assert.match(
        error.reason,
        /chain ID is 26217, but the network's is 26218/,
      );
      assert.equal(other.count("eth_getBalance"), 0);
      await failure(await onTestnet([KEY], other.baseUrl), "transfer", {
        ...TRANSFER,
        to: OTHER,
        amount: "1",
      });
      assert.equal(other.count("eth_sendRawTransaction"), 0);
    } finally {
      await other.close();
    }
  });

  it("say which variable is missing", async () => {
    const hre = await createProject({}, { network: "testnet" });
    const error = await failure(hre, "balance", {
      ...BALANCE,
      addresses: [OTHER],
    });
    assert.match(error.message, /DUALSTACK_TESTNET_BASE_URL/);
  });
});

describe("tasks that change something", () => {
  const codeAt = async (address: string) =>
    String(
      await node.chain.request({
        method: "eth_getCode",
        params: [address, "latest"],
      }),
    );

  it("get tokens from the faucet, without a key", async () => {
    const recipient = "0x00000000000000000000000000000000000a11ce";
    const report = await json(await onTestnet([]), "faucet", {
      address: recipient,
      token: "native",
    });
    assert.equal(report.protocol, "cosmjs");
    assert.equal(report.received.tokens, "100");
    assert.equal(report.agreement, "documented");
    const error = await failure(await onTestnet(), "faucet", {
      address: recipient,
      token: "gold",
    });
    assert.match(
      error.message,
      /no token "gold".*--token native or --token stable/,
    );
  });

  it("deploy, and verify the source at the explorer", async (t) => {
    let code = codeAt;
    const explorer = await Explorer.start((address) => code(address));
    t.after(() => explorer.close());
    const project = async (
      { url: explorerUrl }: { url?: string } = explorer,
      plugins = [dualstack, verifyPlugin],
    ) => {
      const { baseUrl } = node;
      const testnet = { baseUrl, accounts: [KEY] };
      return await createProject(
        {
          plugins,
          dualstack: {
            testnet:
              explorerUrl === undefined ? testnet : { ...testnet, explorerUrl },
          },
        },
        { network: "testnet" },
      );
    };
    const args = {
      ...DEPLOY,
      contract: "Stable",
      constructorArguments: [OTHER, "12"],
      verify: true,
    };
    const sent = () =>
      node.requests.filter(({ method }) => method.startsWith("eth_sendRaw"))
        .length;
    const before = sent();
    const bare = await failure(
      await project(explorer, [dualstack]),
      "deploy",
      args,
    );
    assert.match(bare.message, /npm install .*hardhat-verify@3/);
    const nowhere = await failure(await project({}), "deploy", args);
    assert.match(nowhere.message, /DUALSTACK_TESTNET_EXPLORER_URL/);
    assert.equal(sent(), before);

    const deployed = await json(await project(), "deploy", args);
    assert.equal(deployed.verified, true);
    assert.deepEqual(explorer.submissions, [
      {
        address: deployed.address,
        contract: "project/contracts/Vault.sol:Stable",
        constructorArguments:
          OTHER.slice(2).toLowerCase().padStart(64, "0") +
          "c".padStart(64, "0"),
      },
    ]);

    // When the explorer refuses, the error still names the deployed contract.
    code = async () => await Promise.resolve("0x");
    const refused = await failure(await project(), "deploy", args);
    assert.match(refused.message, /is deployed, but could not be verified/);
    assert.match(refused.message, /address 0x[0-9a-fA-F]{40}/);

    // A linked contract is verified with the addresses of its libraries.
    code = codeAt;
    const hre = await project();
    const library = await json(hre, "deploy", {
      ...DEPLOY,
      contract: "Shares",
    });
    const linked = await json(hre, "deploy", {
      ...DEPLOY,
      contract: "Split",
      constructorArguments: ["[1,2]"],
      libraries: `Shares=${library.address}`,
      verify: true,
    });
    assert.equal(linked.verified, true);
    assert.equal(explorer.verified, 2);
    assert.equal(
      explorer.submissions.at(-1)?.contract,
      "project/contracts/Vault.sol:Split",
    );
  });

  it("leave it to Ignition to verify what it deploys", async (t) => {
    const explorer = await Explorer.start(codeAt);
    const root = await mkdtemp(path.join(PROJECT, "ignition-"));
    const { HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: confirm = "true" } =
      process.env;
    process.env["HARDHAT_IGNITION_CONFIRM_DEPLOYMENT"] = "false";
    t.after(async () => {
      explorer.close();
      process.env["HARDHAT_IGNITION_CONFIRM_DEPLOYMENT"] = confirm;
      await rm(root, { recursive: true });
    });
    await mkdir(path.join(root, "modules"));
    const file = path.join(root, "modules/Stable.ts");
    await writeFile(
      file,
      `import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
      export default buildModule("Stable", (m) => ({ stable: m.contract("Stable", ["${OTHER}", 12n]) }));`,
    );
    const hre = await createProject(
      {
        plugins: [dualstack, ignitionEthers, verifyPlugin],
        paths: {
          ignition: root,
          artifacts: path.join(root, "artifacts"),
          cache: path.join(root, "cache"),
        },
        verify: {
          etherscan: { enabled: false },
          sourcify: { enabled: false },
        },
        dualstack: {
          testnet: {
            baseUrl: node.baseUrl,
            accounts: [KEY],
            explorerUrl: explorer.url,
          },
        },
      },
      { network: "testnet" },
    );
    await hre.tasks
      .getTask(["ignition", "deploy"])
      .run({ modulePath: file, verify: true });
    assert.deepEqual(
      explorer.submissions.map(({ contract }) => contract),
      ["project/contracts/Vault.sol:Stable"],
    );
    assert.equal(explorer.verified, 1);
  });

  it("deploy, and transfer", async () => {
    const hre = await onTestnet();
    const deployed = await json(hre, "deploy", {
      ...DEPLOY,
      contract: "Stable",
      constructorArguments: [OTHER, "12"],
    });
    assert.match(deployed.address, /^0x[0-9a-fA-F]{40}$/);
    assert.equal(
      deployed.explorer.address,
      `https://explorer.dualstack.example/address/${deployed.address}`,
    );
    const estimate = BigInt(deployed.gas.estimate);
    assert.equal(BigInt(deployed.gas.limit), (estimate * 12n + 9n) / 10n);
    const transaction = (await node.chain.request({
      method: "eth_getTransactionByHash",
      params: [deployed.transaction],
    })) as { gas: string };
    assert.equal(BigInt(transaction.gas), BigInt(deployed.gas.limit));

    const sent = node.count("eth_sendRawTransaction");
    const transferred = await json(hre, "transfer", {
      ...TRANSFER,
      to: OTHER,
      amount: "0.5",
    });
    assert.equal(transferred.amount.baseUnits, "500000000000000000");
    assert.ok(BigInt(transferred.block) > BigInt(deployed.block));
    assert.equal(node.count("eth_sendRawTransaction"), sent + 1);
    const refusal = await failure(hre, "transfer", {
      ...TRANSFER,
      to: "0x0000000000000000000000000000000000000900",
      amount: "1",
    });
    assert.match(refusal.reason, /the recipient is the governance precompile/);
    assert.equal(node.count("eth_sendRawTransaction"), sent + 1);
  });

  it("end with an error of the plugin without --json", async () => {
    const hre = await onTestnet();
    await assert.rejects(
      runTask(hre, "address", { ...PLAIN, address: "0x12", prefix: undefined }),
      (error) =>
        HardhatPluginError.isHardhatPluginError(error) &&
        error.pluginId === "hardhat-dualstack" &&
        /is not 0x followed by 40/.test(error.message),
    );
  });
});
