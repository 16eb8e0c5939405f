import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import ignition from "@nomicfoundation/hardhat-ignition-ethers";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { buildModule } from "@nomicfoundation/ignition-core";
import {
  BrowserProvider,
  Contract,
  ContractFactory,
  Interface,
  Transaction,
  Wallet,
} from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { createWalletClient, custom } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { parseAddress } from "../../src/address/index.js";
import dualstack from "../../src/index.js";
import { DEFAULT_VALIDATORS } from "../../src/localnet/settings/defaults.js";
import {
  PRECOMPILE_ADDRESSES,
  stakingAbi,
} from "../../src/precompiles/index.js";
import { artifactOf, COUNTER } from "../helpers/contracts.js";
import {
  ACCOUNTS,
  type Chain,
  KEYS,
  startChain,
  viemChain,
} from "../helpers/chain.js";
import type { EvmNode } from "../servers/evm-node.js";

// Enough for every call below, and 1.2x is not a whole number: 600,001.2.
const ESTIMATE = 500_001n;
const BUFFERED = 600_002n;
const TO = ACCOUNTS[1];
const DATA = "0x12345678";
/** Returns the gas limits of the transactions that reached the node. */
function gasSent(node: EvmNode): bigint[] {
  return node.requests.flatMap(({ method, params }) => {
    if (method === "eth_sendRawTransaction") {
      return [Transaction.from(params[0]).gasLimit];
    }
    return method === "eth_sendTransaction" ? [BigInt(params[0].gas)] : [];
  });
}

type Path = (
  connection: NetworkConnection,
  counter: string,
) => Promise<unknown>;

const PATHS: Record<string, Path> = {
  "raw eth_sendTransaction": (c) =>
    c.provider.request({
      method: "eth_sendTransaction",
      params: [{ from: ACCOUNTS[0], to: TO, data: DATA }],
    }),
  "ethers signer": async (c) =>
    (await c.ethers.getSigner(ACCOUNTS[0])).sendTransaction({
      to: TO,
      data: DATA,
    }),
  "ethers contract call": async (c, counter) =>
    new Contract(counter, COUNTER.abi, await c.ethers.getSigner(ACCOUNTS[0]))
      .getFunction("add")
      .send(1),
  "ethers factory deploy": async (c) =>
    new ContractFactory(
      COUNTER.abi,
      COUNTER.bytecode,
      await c.ethers.getSigner(ACCOUNTS[0]),
    ).deploy(1),
  "hardhat-ethers factory deploy": async (c) =>
    (await c.ethers.getContractFactory(COUNTER.abi, COUNTER.bytecode)).deploy(
      1,
    ),
  "ethers.Wallet": (c) =>
    new Wallet(KEYS[0], c.ethers.provider).sendTransaction({
      to: TO,
      data: DATA,
    }),
  BrowserProvider: async (c) =>
    (
      await new BrowserProvider(c.provider).getSigner(ACCOUNTS[0])
    ).sendTransaction({ to: TO, data: DATA }),
  "contract estimateGas() as gasLimit": async (c, counter) => {
    const add = new Contract(
      counter,
      COUNTER.abi,
      await c.ethers.getSigner(ACCOUNTS[0]),
    ).getFunction("add");
    return await add.send(1, { gasLimit: await add.estimateGas(1) });
  },
  "viem JSON-RPC account": async (c) =>
    (await c.viem.getWalletClients({ chain: viemChain }))[0]?.sendTransaction({
      to: TO,
      data: DATA,
    }),
  "viem deployContract": async (c) =>
    (await c.viem.getWalletClients({ chain: viemChain }))[0]?.deployContract({
      abi: COUNTER.abi,
      bytecode: COUNTER.bytecode,
      args: [1n],
    }),
  "viem local account": (c) =>
    createWalletClient({
      account: privateKeyToAccount(KEYS[0]),
      chain: viemChain,
      transport: custom(c.provider),
    }).sendTransaction({ to: TO, data: DATA }),
  "viem publicClient.estimateGas as gas": async (c) => {
    const client = await c.viem.getPublicClient({ chain: viemChain });
    const gas = await client.estimateGas({
      account: ACCOUNTS[0],
      to: TO,
      data: DATA,
    });
    return (
      await c.viem.getWalletClients({ chain: viemChain })
    )[0]?.sendTransaction({ to: TO, data: DATA, gas });
  },
  Ignition: (c) =>
    c.ignition.deploy(
      buildModule(`Gas${c.id}`, (m) => ({
        counter: m.contract("Counter", artifactOf("Counter", COUNTER), [1]),
      })),
    ),
};

for (const accounts of ["local", "remote"] as const) {
  for (const fill of [false, true]) {
    describe(`gas that reaches the node: ${accounts} keys, ${fill ? "with" : "without"} eth_fillTransaction`, () => {
      let chain: Chain;
      let counter: string;

      before(async () => {
        chain = await startChain({
          accounts,
          fill,
          config: { plugins: [ignition, hardhatViem] },
        });
        const connection = await chain.hre.network.create("testnet");
        const factory = await connection.ethers.getContractFactory(
          COUNTER.abi,
          COUNTER.bytecode,
        );
        const deployed = await (await factory.deploy(1)).waitForDeployment();
        counter = await deployed.getAddress();
        await connection.close();
      });

      after(() => chain.close());

      const expectGas = async (path: Path, expected: bigint, override = {}) => {
        const { node, hre } = chain;
        const connection = await hre.network.create({
          network: "testnet",
          override,
        });
        // Ignition refuses to start while other transactions are pending.
        await node.mine();
        node.forcedEstimate = ESTIMATE;
        node.clear();
        try {
          await path(connection, counter);
          assert.deepEqual(gasSent(node), [expected]);
        } finally {
          node.forcedEstimate = undefined;
          await connection.close();
        }
      };

      for (const [name, path] of Object.entries(PATHS)) {
        it(`${name}: 1.2x once`, async () => {
          await expectGas(path, BUFFERED);
        });
      }

      it("a network's gasMultiplier is the factor, not a second one", async () => {
        await expectGas(PATHS["ethers signer"] as Path, 750_002n, {
          gasMultiplier: 1.5,
        });
        await expectGas(PATHS["ethers.Wallet"] as Path, 750_002n, {
          gasMultiplier: 1.5,
        });
      });

      it("other overrides of a connection keep the buffer", async () => {
        await expectGas(PATHS["ethers signer"] as Path, BUFFERED, {
          timeout: 20_000,
        });
      });

      it("explicit gas is not touched", async () => {
        await expectGas(
          async (c) =>
            (await c.ethers.getSigner(ACCOUNTS[0])).sendTransaction({
              to: TO,
              data: DATA,
              gasLimit: 200_000n,
            }),
          200_000n,
        );
        await expectGas(
          async (c) =>
            (
              await c.viem.getWalletClients({ chain: viemChain })
            )[0]?.sendTransaction({ to: TO, data: DATA, gas: 90_000n }),
          90_000n,
        );
      });

      it("a local account of viem calls a contract that genesis did not have", async () => {
        const connection = await chain.hre.network.create("testnet");
        const client = await connection.viem.getPublicClient({
          chain: viemChain,
        });
        const hash = await createWalletClient({
          account: privateKeyToAccount(KEYS[0]),
          chain: viemChain,
          transport: custom(connection.provider),
        }).writeContract({
          address: counter as `0x${string}`,
          abi: COUNTER.abi,
          functionName: "add",
          args: [1n],
        });
        const { status } = await client.waitForTransactionReceipt({ hash });
        await connection.close();
        assert.equal(status, "success");
      });

      it("the estimate behind the limit of a transaction is known", async () => {
        const connection = await chain.hre.network.create("testnet");
        const add = new Contract(
          counter,
          COUNTER.abi,
          await connection.ethers.getSigner(ACCOUNTS[0]),
        ).getFunction("add");
        const { data, gasLimit } = await add.send(1);
        const estimate = connection.dualstack.estimateBehind(
          { to: counter, data },
          gasLimit,
        );
        await connection.close();
        assert.ok(estimate);
        assert.equal((estimate * 12n + 9n) / 10n, gasLimit);
      });
    });
  }
}

const STAKING = new Interface(stakingAbi);
const [VALIDATOR = ""] = DEFAULT_VALIDATORS.map(
  ({ operator }) => parseAddress(operator).valoper,
);
const DELEGATION = {
  to: PRECOMPILE_ADDRESSES.staking,
  data: STAKING.encodeFunctionData("delegate", [
    ACCOUNTS[0],
    VALIDATOR,
    10n ** 18n,
  ]) as `0x${string}`,
};

/** The same delegation, through each library. */
const DELEGATING: Record<string, (c: NetworkConnection) => Promise<unknown>> = {
  "raw eth_sendTransaction": (c) =>
    c.provider.request({
      method: "eth_sendTransaction",
      params: [{ from: ACCOUNTS[0], ...DELEGATION }],
    }),
  "ethers signer": async (c) =>
    (await c.ethers.getSigner(ACCOUNTS[0])).sendTransaction(DELEGATION),
  "precompiles of the connection": (c) =>
    c.precompiles.staking.delegate(ACCOUNTS[0], VALIDATOR, 10n ** 18n),
  "ethers.Wallet": (c) =>
    new Wallet(KEYS[0], c.ethers.provider).sendTransaction(DELEGATION),
  BrowserProvider: async (c) =>
    (
      await new BrowserProvider(c.provider).getSigner(ACCOUNTS[0])
    ).sendTransaction(DELEGATION),
  "viem JSON-RPC account": async (c) =>
    (await c.viem.getWalletClients())[0]?.sendTransaction(DELEGATION),
  "viem local account": async (c) =>
    createWalletClient({
      account: privateKeyToAccount(KEYS[0]),
      chain: (await c.viem.getPublicClient()).chain,
      transport: custom(c.provider),
    }).sendTransaction(DELEGATION),
  Ignition: (c) =>
    c.ignition.deploy(
      buildModule(`Delegate${c.id}`, (m) => {
        const staking = m.contractAt(
          "IStaking",
          artifactOf("IStaking", { abi: [...stakingAbi], bytecode: "0x" }),
          DELEGATION.to,
        );
        m.call(staking, "delegate", [ACCOUNTS[0], VALIDATOR, 10n ** 18n]);
        return { staking };
      }),
    ),
};

for (const network of ["localnet", "default"]) {
  describe(`gas of a delegation on ${network}`, () => {
    let hre: HardhatRuntimeEnvironment;
    let root: string;

    before(async () => {
      root = await mkdtemp(path.join(tmpdir(), "dualstack-"));
      await writeFile(path.join(root, "package.json"), '{ "type": "module" }');
      hre = await createHardhatRuntimeEnvironment(
        { plugins: [dualstack, ignition, hardhatViem] },
        {},
        root,
      );
    });
    after(() => rm(root, { recursive: true, force: true }));

    for (const [name, delegate] of Object.entries(DELEGATING)) {
      it(`${name}: the limit is what eth_estimateGas says`, async () => {
        const connection = await hre.network.create(network);
        const { provider, dualstack: extension } = connection;
        try {
          const estimated = BigInt(
            (await provider.request({
              method: "eth_estimateGas",
              params: [{ from: ACCOUNTS[0], ...DELEGATION }],
            })) as string,
          );
          await delegate(connection);
          const { transactions } = (await provider.request({
            method: "eth_getBlockByNumber",
            params: ["latest", true],
          })) as { transactions: { gas: string }[] };
          assert.deepEqual(
            transactions.map(({ gas }) => BigInt(gas)),
            [estimated],
          );
          const plain = extension.estimateBehind(DELEGATION, estimated);
          assert.equal(
            estimated > (plain ?? estimated),
            network === "localnet",
          );
        } finally {
          await connection.close();
        }
      });
    }
  });
}
