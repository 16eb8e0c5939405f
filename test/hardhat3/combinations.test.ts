import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import ignitionEthers from "@nomicfoundation/hardhat-ignition-ethers";
import ignitionViem from "@nomicfoundation/hardhat-ignition-viem";
import keystore from "@nomicfoundation/hardhat-keystore";
import ledger from "@nomicfoundation/hardhat-ledger";
import networkHelpers from "@nomicfoundation/hardhat-network-helpers";
import toolboxEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import toolboxViem from "@nomicfoundation/hardhat-toolbox-viem";
import verify from "@nomicfoundation/hardhat-verify";
import { verifyContract } from "@nomicfoundation/hardhat-verify/verify";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { buildModule } from "@nomicfoundation/ignition-core";
import { Transaction, Wallet } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import type { HardhatPlugin } from "hardhat/types/plugins";

import dualstack from "../../src/index.js";
import { ACCOUNTS, KEYS } from "../helpers/chain.js";
import { artifactOf, COUNTER } from "../helpers/contracts.js";
import { EvmNode } from "../servers/evm-node.js";

const LEDGER = "0x000000000000000000000000000000000000dEaD";
const ESTIMATE = 500_001n;
const BUFFERED = 600_002n;

// Ignition stores its deployments in the project's folder.
const roots: string[] = [];
process.once("exit", () =>
  roots.forEach((root) => rmSync(root, { recursive: true, force: true })),
);
function createIn(
  config: HardhatUserConfig,
  options: { network?: string } = {},
): Promise<HardhatRuntimeEnvironment> {
  const root = mkdtempSync(path.join(tmpdir(), "dualstack-"));
  roots.push(root);
  writeFileSync(path.join(root, "package.json"), '{ "type": "module" }');
  return createHardhatRuntimeEnvironment(config, options, root);
}

interface Combination {
  readonly plugins: readonly HardhatPlugin[];
  /** Uses what the plugins add to a connection, on any network. */
  readonly use: (c: NetworkConnection) => Promise<void>;
  /** Uses what works only on simulated networks. */
  readonly useLocally?: (c: NetworkConnection) => Promise<void>;
}

const module_ = (id: string) =>
  buildModule(id, (m) => {
    const counter = m.contract("Counter", artifactOf("Counter", COUNTER), [3]);
    m.call(counter, "add", [4]);
    return { counter };
  });

const withEthers = async (c: NetworkConnection) => {
  const factory = await c.ethers.getContractFactory(
    COUNTER.abi,
    COUNTER.bytecode,
  );
  const counter = await (await factory.deploy(1)).waitForDeployment();
  await (await counter.getFunction("add").send(2)).wait();
  assert.equal(await counter.getFunction("count").staticCall(), 3n);
};
const withIgnitionEthers = async (c: NetworkConnection) => {
  const { counter } = await c.ignition.deploy(module_(`Ethers${c.id}`));
  assert.equal(await counter.getFunction("count").staticCall(), 7n);
};
const withViem = async (c: NetworkConnection) => {
  const chain = c.dualstack.viemChain;
  const reader = await c.viem.getPublicClient({ chain });
  const [writer] = await c.viem.getWalletClients({ chain });
  assert.ok(writer !== undefined);
  const hash = await writer.deployContract({
    abi: COUNTER.abi,
    bytecode: COUNTER.bytecode,
    args: [1n],
  });
  const { contractAddress, status } = await reader.waitForTransactionReceipt({
    hash,
  });
  assert.equal(status, "success");
  assert.ok(contractAddress);
  assert.equal(
    await reader.readContract({
      address: contractAddress,
      abi: COUNTER.abi,
      functionName: "count",
    }),
    1n,
  );
};
const withIgnitionViem = async (c: NetworkConnection) => {
  const deployed: any = await c.ignition.deploy(module_(`Viem${c.id}`));
  assert.match(deployed.counter.address, /^0x/);
};
const withHelpers = async (c: NetworkConnection) => {
  const { networkHelpers: helpers } = c;
  const address = "0x0000000000000000000000000000000000000123";
  const fixture = async () => {
    await helpers.setBalance(address, 5n);
    return await Promise.resolve(7);
  };
  const before = await helpers.time.latest();
  assert.equal(await helpers.loadFixture(fixture), 7);
  await helpers.mine(3);
  assert.equal(await helpers.loadFixture(fixture), 7);
  assert.equal(await c.ethers.provider.getBalance(address), 5n);
  await helpers.time.increase(1_000);
  assert.ok((await helpers.time.latest()) >= before + 1_000);
};
const withLedger = async (c: NetworkConnection) => {
  const accounts = await c.provider.request({ method: "eth_accounts" });
  assert.ok(Array.isArray(accounts));
  const own =
    c.networkConfig.type === "http"
      ? ACCOUNTS.map((a) => a.toLowerCase())
      : accounts.slice(0, -1);
  assert.deepEqual(
    accounts,
    [...own, LEDGER.toLowerCase()],
    "the device's account is added once",
  );
  const signer = await c.ethers.getSigner(ACCOUNTS[0]);
  // An account other than the device's needs no device.
  const sent = await signer.sendTransaction({
    to: ACCOUNTS[1],
    value: 1n,
    gasLimit: 30_000n,
  });
  assert.equal((await sent.wait())?.status, 1);
};
const all =
  (...uses: ((c: NetworkConnection) => Promise<void>)[]) =>
  async (c: NetworkConnection) => {
    for (const use of uses) {
      await use(c);
    }
  };

const COMBINATIONS: Record<string, Combination> = {
  "hardhat-toolbox-mocha-ethers": {
    plugins: [toolboxEthers],
    use: all(withEthers, withIgnitionEthers),
    useLocally: withHelpers,
  },
  "hardhat-toolbox-viem": {
    plugins: [toolboxViem],
    use: all(withViem, withIgnitionViem),
    useLocally: withHelpers,
  },
  "hardhat-ignition-ethers": {
    plugins: [ignitionEthers],
    use: withIgnitionEthers,
  },
  "hardhat-ignition-viem": { plugins: [ignitionViem], use: withIgnitionViem },
  "hardhat-keystore": { plugins: [keystore], use: withEthers },
  "hardhat-ledger": { plugins: [ledger], use: withLedger },
  "hardhat-network-helpers": {
    plugins: [networkHelpers],
    use: withEthers,
    useLocally: withHelpers,
  },
  "hardhat-verify": { plugins: [verify], use: withEthers },
  "all of them": {
    plugins: [toolboxEthers, hardhatViem, ledger],
    use: all(withEthers, withViem, withIgnitionEthers, withLedger),
    useLocally: withHelpers,
  },
};

const configOf = (
  node: EvmNode,
  plugins: readonly HardhatPlugin[],
): HardhatUserConfig => {
  const ledgerAccounts = plugins.includes(ledger)
    ? { ledgerAccounts: [LEDGER] }
    : {};
  return {
    plugins: [...plugins],
    networks: {
      testnet: { ...ledgerAccounts } as never,
      localnet: { type: "edr-simulated", ...ledgerAccounts },
      default: { type: "edr-simulated", ...ledgerAccounts },
    },
    dualstack: { testnet: { baseUrl: node.baseUrl, accounts: [...KEYS] } },
  };
};

for (const [name, { plugins, use, useLocally }] of Object.entries(
  COMBINATIONS,
)) {
  for (const first of [true, false]) {
    describe(`${name}, ${first ? "after" : "before"} this plugin`, () => {
      let node: EvmNode;
      let hre: HardhatRuntimeEnvironment;

      before(async () => {
        node = await EvmNode.start({ blockTimeMs: 100 });
        hre = await createIn(
          configOf(
            node,
            first ? [dualstack, ...plugins] : [...plugins, dualstack],
          ),
        );
      });
      after(() => node.close());

      it("on the test network: all features of both, and the buffer once", async () => {
        const c = await hre.network.create("testnet");
        await use(c);
        assert.equal(typeof c.precompiles.staking.delegate, "function");
        node.forcedEstimate = ESTIMATE;
        node.clear();
        const signer = await c.ethers.getSigner(ACCOUNTS[1]);
        await (
          await signer.sendTransaction({ to: ACCOUNTS[0], data: "0x12" })
        ).wait();
        node.forcedEstimate = undefined;
        const sent = node.requests.filter(
          ({ method }) => method === "eth_sendRawTransaction",
        );
        assert.deepEqual(
          sent.map(({ params }) => Transaction.from(params[0]).gasLimit),
          [BUFFERED],
        );
        await c.close();
      });

      for (const network of ["localnet", "default"]) {
        it(`on the simulated network ${network}`, async () => {
          const c = await hre.network.create(network);
          await use(c);
          await useLocally?.(c);
          assert.equal(typeof c.precompiles.staking.delegate, "function");
          await c.close();
        });
      }
    });
  }
}

describe("networks that are not ours", () => {
  let node: EvmNode;
  const networks = (): HardhatUserConfig["networks"] => ({
    other: {
      type: "http",
      url: node.evmUrl,
      accounts: [...KEYS],
      gasMultiplier: 1.3,
    },
    sim: {
      type: "edr-simulated",
      gasMultiplier: 1.3,
      initialDate: "2026-01-01T00:00:00Z",
    },
  });

  before(async () => {
    node = await EvmNode.start({ chainId: 5, blockTimeMs: 0 });
  });
  after(() => node.close());

  async function work(c: NetworkConnection): Promise<unknown[]> {
    const results: unknown[] = [];
    const ask = async (method: string, params: unknown[] = []) => {
      try {
        results.push([method, await c.provider.request({ method, params })]);
      } catch (error) {
        const { name, code, message } = error as {
          name: string;
          code?: number;
          message: string;
        };
        results.push([method, name, code, message]);
      }
    };
    // Senders wait until the node shows the transaction, which it does only in
    // a block.
    const isPending = async () => {
      const pending = await node.chain.request({
        method: "eth_pendingTransactions",
      });
      return Array.isArray(pending) && pending.length > 0;
    };
    const mined = async <T>(send: () => Promise<T>): Promise<T> => {
      const promise = send();
      if (c.networkName === "other") {
        for (let i = 0; i < 500 && !(await isPending()); i++) {
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        await node.mine();
      }
      return await promise;
    };
    await ask("eth_chainId");
    await ask("eth_accounts");
    await ask("eth_getBalance", [ACCOUNTS[1], "latest"]);
    await ask("eth_getBalance", [ACCOUNTS[1], "safe"]);
    await ask("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }]);
    await ask("eth_call", [{ to: ACCOUNTS[0], gas: "0x7530" }, "latest"]);
    await ask("eth_estimateGas", [
      { from: ACCOUNTS[0], to: ACCOUNTS[1], data: "0x1234" },
    ]);
    await ask("eth_fillTransaction", [{ from: ACCOUNTS[0], to: ACCOUNTS[1] }]);
    await ask("hardhat_getAutomine");
    await ask("eth_getTransactionCount", [ACCOUNTS[0], "pending"]);
    await mined(() =>
      ask("eth_sendTransaction", [
        { from: ACCOUNTS[0], to: ACCOUNTS[1], value: "0x1" },
      ]),
    );
    await ask("eth_getTransactionReceipt", [`0x${"12".repeat(32)}`]);
    await ask("no_such_method");
    const factory = await c.ethers.getContractFactory(
      COUNTER.abi,
      COUNTER.bytecode,
    );
    const deployed = await mined(() => factory.deploy(1));
    results.push(deployed.deploymentTransaction()?.gasLimit);
    const wallet = new Wallet(KEYS[1], c.ethers.provider);
    const sent = await mined(() =>
      wallet.sendTransaction({ to: ACCOUNTS[0], value: 2n }),
    );
    results.push(sent.gasLimit);
    await ask("eth_blockNumber");
    await ask("eth_getCode", [
      "0x0000000000000000000000000000000000000800",
      "latest",
    ]);
    return results;
  }

  for (const network of ["other", "sim"]) {
    it(`${network}: the same requests and the same results as without this plugin`, async () => {
      const seen: { results: unknown[]; requests: unknown[] }[] = [];
      for (const plugins of [
        [hardhatEthers],
        [hardhatEthers, dualstack],
        [dualstack, hardhatEthers],
      ]) {
        const hre = await createIn({
          plugins,
          networks: networks(),
        });
        const snapshot = await node.chain.request({ method: "evm_snapshot" });
        const c = await hre.network.create(network);
        node.clear();
        const results = await work(c);
        // How often a transaction is polled for depends on time.
        seen.push({
          results,
          requests: structuredClone(node.requests).filter(
            ({ method }) => method !== "eth_getTransactionByHash",
          ),
        });
        await c.close();
        await node.chain.request({ method: "evm_revert", params: [snapshot] });
      }
      const [without, after_, before_] = seen;
      assert.ok(without !== undefined && without.results.length > 15);
      assert.deepEqual(after_, without);
      assert.deepEqual(before_, without);
      assert.equal(without.requests.length > 0, network === "other");
    });
  }

  it("have contracts for precompiles as well, which say that nothing is there", async () => {
    const hre = await createIn({
      plugins: [dualstack],
      networks: networks(),
    });
    const c = await hre.network.create("other");
    await assert.rejects(
      c.precompiles.governance.getParams(),
      /nothing lives at the address.*other/,
    );
    assert.equal(c.dualstack.network.kind, "local");
    await c.close();
  });
});

describe("hardhat-verify", () => {
  let node: EvmNode;
  let explorer: Server;
  const asked: string[] = [];

  before(async () => {
    node = await EvmNode.start();
    explorer = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          status: "1",
          message: "OK",
          result: [{ SourceCode: "contract Counter {}" }],
        }),
      );
    });
    await new Promise<void>((resolve) =>
      explorer.listen(0, "127.0.0.1", resolve),
    );
  });
  after(async () => {
    explorer.closeAllConnections();
    explorer.close();
    await node.close();
  });

  for (const order of ["before", "after"]) {
    it(`${order} this plugin, asks the explorer that is configured`, async () => {
      const explorerUrl = `http://127.0.0.1:${(explorer.address() as AddressInfo).port}`;
      const hre = await createIn(
        {
          plugins:
            order === "before" ? [verify, dualstack] : [dualstack, verify],
          dualstack: {
            testnet: { baseUrl: node.baseUrl, explorerUrl: `${explorerUrl}/` },
          },
        },
        { network: "testnet" },
      );
      const lines: string[] = [];
      const { log } = console;
      console.log = (text: unknown) => void lines.push(String(text));
      asked.length = 0;
      try {
        assert.equal(
          await verifyContract(
            { address: ACCOUNTS[0], provider: "blockscout" },
            hre,
          ),
          true,
        );
      } finally {
        console.log = log;
      }
      assert.equal(asked.length, 1);
      assert.match(
        asked[0] ?? "",
        new RegExp(`^/api\\?.*address=${ACCOUNTS[0]}`),
      );
      assert.match(
        lines.join("\n"),
        new RegExp(
          `already been verified on Explorer[^]*${explorerUrl}/address/${ACCOUNTS[0]}`,
        ),
      );
    });
  }
});
