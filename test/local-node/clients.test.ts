import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";

import * as grpc from "@grpc/grpc-js";
import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import ignition from "@nomicfoundation/hardhat-ignition-ethers";
import { buildModule } from "@nomicfoundation/ignition-core";
import { QueryClientImpl as BankQueries } from "cosmjs-types/cosmos/bank/v1beta1/query";
import { QueryClientImpl as StakingQueries } from "cosmjs-types/cosmos/staking/v1beta1/query";
import {
  ContractFactory,
  JsonRpcProvider,
  Wallet,
  WebSocketProvider,
} from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import {
  type Abi,
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  parseEther,
  webSocket,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { artifactOf, COUNTER } from "../helpers/contracts.js";
import { loadHardhat2, requireFromToolbox } from "../helpers/hardhat2.js";
import { startNode, type StartedNode } from "./start.js";

const ONE = 10n ** 18n;
const same = (bytes: Buffer) => bytes;

// None of them knows this plugin: all that they get is a base URL.
describe("clients on a local node", () => {
  let started: StartedNode;
  before(async () => {
    started = await startNode({ blockTime: 0.1 });
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
  });

  const account = (i: number) => {
    const found = started.node.accounts[i];
    assert.ok(found);
    return found;
  };
  const networks = () => ({
    elsewhere: {
      type: "http" as const,
      url: started.node.endpoints.evmUrl,
      accounts: [account(0).privateKey, account(1).privateKey],
    },
  });
  const counters = (build: typeof buildModule, id: string) =>
    build(id, (m) => {
      const artifact = artifactOf("Counter", COUNTER) as never;
      const first = m.contract("Counter", artifact, [1], { id: "first" });
      const second = m.contract("Counter", artifact, [2], {
        id: "second",
        after: [first],
      });
      m.call(second, "add", [5]);
      return { first, second };
    });

  it("a bare Hardhat 3 project, with Ignition", async () => {
    // Ignition first, since it waits for its account's transactions. It also
    // records in the project what it deployed, and this folder is deleted after
    // the test.
    const root = await mkdtemp(path.join(tmpdir(), "bare-hardhat3-"));
    await writeFile(path.join(root, "package.json"), "{}");
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatEthers, ignition], networks: networks() },
      {},
      root,
    );
    const connection: any = await hre.network.create("elsewhere");
    try {
      const [signer] = await connection.ethers.getSigners();
      assert.equal(signer.address, account(0).address);
      const { second } = await connection.ignition.deploy(
        counters(buildModule, "OnHardhat3"),
      );
      assert.equal(await second.count(), 7n);
      const sent = await signer.sendTransaction({
        to: account(9).address,
        value: ONE,
      });
      assert.equal((await sent.wait()).status, 1);
    } finally {
      await connection.close();
      await rm(root, { recursive: true });
    }
  });

  it("a bare Hardhat 2 project, with Ignition", async () => {
    const hre: any = await loadHardhat2({
      network: "elsewhere",
      plugins: [
        "@nomicfoundation/hardhat-ethers",
        "@nomicfoundation/hardhat-ignition-ethers",
      ],
      config: {
        networks: { elsewhere: { ...networks().elsewhere, ignition: {} } },
      },
    });
    assert.equal(hre.dualstack, undefined);
    const [, signer] = await hre.ethers.getSigners();
    const { second } = await hre.ignition.deploy(
      counters(
        requireFromToolbox("@nomicfoundation/ignition-core").buildModule,
        "OnHardhat2",
      ),
      { defaultSender: signer.address },
    );
    assert.equal(await second.count(), 7n);
    const sent = await signer.sendTransaction({
      to: account(9).address,
      value: ONE,
    });
    assert.equal((await sent.wait()).status, 1);
  });

  it("ethers, over HTTP and over the WebSocket", async () => {
    const { evmUrl, wsUrl } = started.node.endpoints;
    for (const [i, provider] of [
      // These blocks are shorter than the time for which ethers caches answers.
      new JsonRpcProvider(evmUrl, undefined, {
        pollingInterval: 50,
        cacheTimeout: -1,
      }),
      new WebSocketProvider(wsUrl, undefined, { cacheTimeout: -1 }),
    ].entries()) {
      const wallet = new Wallet(account(2 + i).privateKey, provider);
      const contract: any = await new ContractFactory(
        COUNTER.abi as never,
        COUNTER.bytecode,
        wallet,
      ).deploy(3);
      await contract.waitForDeployment();
      const receipt = await (await contract.add(4)).wait();
      assert.equal(receipt.status, 1);
      assert.equal(await contract.count(), 7n);
      await provider.destroy();
    }
  });

  it("viem, over HTTP and over the WebSocket", async () => {
    const { evmUrl, wsUrl } = started.node.endpoints;
    const chain = defineChain({
      id: 26218,
      name: "Local",
      nativeCurrency: { name: "Native", symbol: "NATIVE", decimals: 18 },
      rpcUrls: { default: { http: [evmUrl], webSocket: [wsUrl] } },
    });
    const abi = COUNTER.abi as Abi;
    for (const [i, transport] of [http(), webSocket()].entries()) {
      const settings = { chain, transport, pollingInterval: 50 };
      const client = createPublicClient(settings);
      const wallet = createWalletClient({
        ...settings,
        account: privateKeyToAccount(account(4 + i).privateKey),
      });
      const sent = await wallet.sendTransaction({
        to: account(9).address,
        value: parseEther("1"),
      });
      await client.waitForTransactionReceipt({ hash: sent });
      const hash = await wallet.deployContract({
        abi,
        bytecode: COUNTER.bytecode,
        args: [3n],
      });
      const { contractAddress } = await client.waitForTransactionReceipt({
        hash,
      });
      assert.ok(contractAddress);
      const contract = { address: contractAddress, abi };
      const added = await wallet.writeContract({
        ...contract,
        functionName: "add",
        args: [4n],
      });
      await client.waitForTransactionReceipt({ hash: added });
      assert.equal(
        await client.readContract({ ...contract, functionName: "count" }),
        7n,
      );
      if (i === 1) {
        (await (client.transport as any).getRpcClient()).close();
      }
    }
  });

  it("grpc-js with the messages of cosmjs-types", async () => {
    const client = new grpc.Client(
      started.node.endpoints.grpcHost,
      grpc.credentials.createInsecure(),
    );
    const rpc = {
      request: async (service: string, method: string, data: Uint8Array) =>
        await new Promise<Uint8Array>((resolve, reject) => {
          client.makeUnaryRequest(
            `/${service}/${method}`,
            same,
            same,
            Buffer.from(data),
            (error, answer) => {
              if (error === null && answer !== undefined) resolve(answer);
              else reject(error ?? new Error("no answer"));
            },
          );
        }),
    };
    const { validators } = await new StakingQueries(rpc).Validators({
      status: "",
    });
    assert.equal(validators.length, 3);
    const { balance } = await new BankQueries(rpc).Balance({
      address: account(8).account,
      denom: "anative",
    });
    assert.equal(balance?.amount, String(10_000n * ONE));
    client.close();
  });

  it("curl, as the base URL prints it", async () => {
    const { baseUrl } = started.node.endpoints;
    const index = await (await fetch(baseUrl)).text();
    const commands = index
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.startsWith("curl "));
    assert.ok(commands.length >= 4, index);
    for (const command of commands) {
      const { stdout } = await promisify(exec)(command);
      assert.ok(JSON.parse(stdout), command);
      assert.doesNotMatch(stdout, /"error"/, command);
    }
  });
});
