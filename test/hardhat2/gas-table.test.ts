import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { ACCOUNTS, KEYS } from "../helpers/chain.js";
import { artifactOf, COUNTER } from "../helpers/contracts.js";
import {
  type Chain2,
  type Hardhat2,
  requireFromToolbox,
  startChain2,
} from "../helpers/hardhat2.js";
import type { EvmNode } from "../servers/evm-node.js";

const { BrowserProvider, Contract, ContractFactory, Transaction, Wallet } =
  requireFromToolbox("ethers");
const { buildModule } = requireFromToolbox("@nomicfoundation/ignition-core");

// As in the table for Hardhat 3: 1.2x is 600,001.2.
const ESTIMATE = 500_001n;
const BUFFERED = 600_002n;
const TO = ACCOUNTS[1];
const DATA = "0x12345678";
const PLUGINS = [
  "@nomicfoundation/hardhat-ignition-ethers",
  "hardhat-dualstack/hardhat2",
];

/** Returns the gas limits of the transactions that reached the node. */
function gasSent(node: EvmNode): bigint[] {
  return node.requests.flatMap(({ method, params }) => {
    if (method === "eth_sendRawTransaction") {
      return [BigInt(Transaction.from(params[0]).gasLimit)];
    }
    return method === "eth_sendTransaction" ? [BigInt(params[0].gas)] : [];
  });
}

type Path = (hre: Hardhat2, counter: string) => Promise<unknown>;

let modules = 0;

const PATHS: Record<string, Path> = {
  "raw eth_sendTransaction": (hre) =>
    hre.network.provider.request({
      method: "eth_sendTransaction",
      params: [{ from: ACCOUNTS[0], to: TO, data: DATA }],
    }),
  "ethers signer": async ({ ethers }) =>
    (await ethers.getSigner(ACCOUNTS[0])).sendTransaction({
      to: TO,
      data: DATA,
    }),
  "ethers contract call": async ({ ethers }, counter) =>
    new Contract(counter, COUNTER.abi, await ethers.getSigner(ACCOUNTS[0])).add(
      1,
    ),
  "ethers factory deploy": async ({ ethers }) =>
    new ContractFactory(
      COUNTER.abi,
      COUNTER.bytecode,
      await ethers.getSigner(ACCOUNTS[0]),
    ).deploy(1),
  "hardhat-ethers factory deploy": async ({ ethers }) =>
    (await ethers.getContractFactory(COUNTER.abi, COUNTER.bytecode)).deploy(1),
  "ethers.Wallet": ({ ethers }) =>
    new Wallet(KEYS[0], ethers.provider).sendTransaction({
      to: TO,
      data: DATA,
    }),
  BrowserProvider: async ({ network }) =>
    (
      await new BrowserProvider(network.provider).getSigner(ACCOUNTS[0])
    ).sendTransaction({ to: TO, data: DATA }),
  "contract estimateGas() as gasLimit": async ({ ethers }, counter) => {
    const { add } = new Contract(
      counter,
      COUNTER.abi,
      await ethers.getSigner(ACCOUNTS[0]),
    );
    return await add(1, { gasLimit: await add.estimateGas(1) });
  },
  Ignition: ({ ignition }) =>
    ignition.deploy(
      buildModule(`Gas${++modules}`, (m: any) => ({
        counter: m.contract("Counter", artifactOf("Counter", COUNTER), [1]),
      })),
    ),
};

async function expectGas(
  { node, hre }: Chain2,
  path: Path,
  expected: bigint,
  counter = TO as string,
): Promise<void> {
  // Ignition refuses to start while other transactions are pending.
  await node.mine();
  node.forcedEstimate = ESTIMATE;
  node.clear();
  try {
    await path(hre, counter);
    assert.deepEqual(gasSent(node), [expected]);
  } finally {
    node.forcedEstimate = undefined;
  }
}

// "network": keys that Hardhat itself holds, in networks.testnet.accounts.
for (const accounts of ["local", "remote", "network"] as const) {
  for (const fill of [false, true]) {
    describe(`gas on Hardhat 2 that reaches the node: ${accounts} keys, ${fill ? "with" : "without"} eth_fillTransaction`, () => {
      let chain: Chain2;
      let counter: string;

      before(async () => {
        chain = await startChain2({ accounts, fill, plugins: PLUGINS });
        const factory = await chain.hre.ethers.getContractFactory(
          COUNTER.abi,
          COUNTER.bytecode,
        );
        const deployed = await (await factory.deploy(1)).waitForDeployment();
        counter = await deployed.getAddress();
      });

      after(() => chain.close());

      for (const [name, path] of Object.entries(PATHS)) {
        it(`${name}: 1.2x once`, async () => {
          await expectGas(chain, path, BUFFERED, counter);
        });
      }

      it("explicit gas is not touched", async () => {
        await expectGas(
          chain,
          async ({ ethers }) =>
            (await ethers.getSigner(ACCOUNTS[0])).sendTransaction({
              to: TO,
              data: DATA,
              gasLimit: 200_000n,
            }),
          200_000n,
        );
      });
    });
  }
}

describe("a gasMultiplier in the configuration of Hardhat 2", () => {
  it("is the factor, not a second one", async () => {
    const chain = await startChain2({
      accounts: "none",
      plugins: PLUGINS,
      config: {
        dualstack: {
          gas: { multiplier: 1.1 },
          testnet: { accounts: [...KEYS] },
        },
        networks: {
          testnet: { url: "http://127.0.0.1:1", gasMultiplier: 1.5 },
        },
      },
    });
    try {
      assert.equal(chain.hre.network.config.gasMultiplier, 1);
      assert.equal(chain.hre.network.config.dualstack.gas.multiplier, 1.5);
    } finally {
      await chain.close();
    }
  });
});
