import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";

import { STAKING, stakeOf, VALOPER } from "./actions.js";
import { compile } from "./compile.js";
import { createNetwork, createNetworkOn2, type NetworkOn2 } from "./network.js";
import { random } from "./random.js";

/** Seeds of {@link random}; another with DUALSTACK_SEED. */
const SEED = Number(process.env["DUALSTACK_SEED"] ?? 1);
const ETHER = 10n ** 18n;

// Calls an account from its storage: the staking precompile, or another that
// only counts.
const { Router, Target } = compile(`// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Target {
  uint256 public count;
  fallback(bytes calldata) external payable returns (bytes memory) { count++; return abi.encode(true); }
}

contract Router {
  address public target;
  string public validator;
  uint256 public done;
  uint256 public failed;
  uint256 public seen;
  event Went(bool ok, uint256 balance);
  constructor(address target_, string memory validator_) payable { target = target_; validator = validator_; }
  receive() external payable {}
  function aim(address target_) external { target = target_; }
  function stake(uint256 amount) private returns (bool ok) {
    (ok,) = target.call(abi.encodeWithSignature("delegate(address,string,uint256)", address(this), validator, amount));
  }
  function go(uint256 amount) external {
    bool ok = stake(amount);
    if (ok) done++;
    else failed++;
    emit Went(ok, 0);
  }
  function goAndSee(uint256 amount) external {
    bool ok = stake(amount);
    seen = address(this).balance;
    emit Went(ok, seen);
  }
  function tell(uint256 amount) external {
    stake(amount);
    revert(string(abi.encode(address(this).balance)));
  }
  function goInVain(uint256 amount) external {
    try this.tell(amount) {} catch (bytes memory reason) { seen = uint256(keccak256(reason)); }
  }
  function look() external {
    (bool ok, bytes memory data) = target.staticcall(abi.encodeWithSignature("delegation(address,string)", address(this), validator));
    seen = uint256(keccak256(abi.encode(ok, data)));
  }
  function fail(uint256 amount) external { stake(amount); revert("as it should"); }
  function peek() external returns (bool ok, uint256 length, uint256 balance) {
    bytes memory data;
    (ok, data) = target.call(abi.encodeWithSignature("delegation(address,string)", address(this), validator));
    if (data.length > 32) stake(1e17);
    return (ok, data.length, address(this).balance);
  }
  function log() external {
    (bool ok,) = target.call("");
    (ok,) = address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(abi.encodeWithSignature("log(string)", "heard once"));
  }
}`);

type Network = Pick<NetworkOn2, "rpc" | "accounts" | "close">;

async function deploy(
  { rpc, accounts }: Network,
  data: string | undefined,
  value = 0n,
): Promise<string> {
  const hash = await rpc("eth_sendTransaction", {
    from: accounts[0],
    data,
    value: `0x${value.toString(16)}`,
  });
  return (await rpc("eth_getTransactionReceipt", hash)).contractAddress;
}

const dataOf = (method: string, ...args: unknown[]) =>
  Router?.abi.encodeFunctionData(method, args);

async function world(network: Network) {
  const { rpc, accounts } = network;
  const target = await deploy(network, Target?.bytecode);
  const args = Router?.abi.encodeDeploy([target, VALOPER]).slice(2) ?? "";
  const init = `${Router?.bytecode}${args}`;
  const router = await deploy(network, init, 100n * ETHER);
  // A transaction without a limit would be estimated, which is not at issue.
  const request = (method: string, ...params: unknown[]) => ({
    from: accounts[1],
    to: router,
    gas: "0x200000",
    gasPrice: "0x77359400",
    data: dataOf(method, ...params),
  });
  const send = async (method: string, ...params: unknown[]) =>
    await rpc("eth_sendTransaction", request(method, ...params)).then(
      () => undefined,
      () => "failed",
    );
  const ask = async (method: string) =>
    await rpc("eth_call", request(method), "latest");
  const words = async (account: string, count: number) =>
    await Promise.all(
      Array.from({ length: count }, (_, slot) =>
        rpc("eth_getStorageAt", account, `0x${slot.toString(16)}`, "latest"),
      ),
    );
  const state = async () => {
    const block = await rpc("eth_getBlockByNumber", "latest", false);
    const query = { fromBlock: "0x0", address: router };
    const logs: { blockNumber: string; data: string }[] = await rpc(
      "eth_getLogs",
      query,
    );
    return {
      router: await words(router, 5),
      target: await words(target, 1),
      balance: await rpc("eth_getBalance", router, "latest"),
      spent: await rpc("eth_getBalance", accounts[1], "latest"),
      nonce: await rpc("eth_getTransactionCount", accounts[1], "latest"),
      stake: await stakeOf(network, router),
      block: [block.number, block.timestamp, block.gasUsed],
      transactions: block.transactions,
      logs: logs.map(({ blockNumber, data }) => [blockNumber, data]),
    };
  };
  return { ...network, router, target, send, ask, state, request };
}

type World = Awaited<ReturnType<typeof world>>;
type Step = (world: World, saved: Map<World, string>) => Promise<unknown>;

/** Mostly plain transactions, some of which suddenly stake. */
function stepsFrom(seed: number, count: number): [string, Step][] {
  const { below } = random(seed);
  const methods = ["go", "go", "go", "goAndSee", "goInVain", "fail"];
  return Array.from({ length: count }, (): [string, Step] => {
    switch (below(13)) {
      case 0:
        return ["stake", (one) => one.send("aim", STAKING)];
      case 1:
      case 2:
        return ["count", (one) => one.send("aim", one.target)];
      case 3:
        return ["look", (one) => one.send("look")];
      case 6:
        return ["peek", (one) => one.ask("peek")];
      case 4:
        return [
          "snapshot",
          async (one, saved) => saved.set(one, await one.rpc("evm_snapshot")),
        ];
      case 5:
        return [
          "revert",
          async (one, saved) => {
            const id = saved.get(one);
            saved.delete(one);
            if (id !== undefined) await one.rpc("evm_revert", id);
          },
        ];
      default: {
        const method = methods[below(methods.length)] ?? "go";
        const amount = BigInt(1 + below(9)) * (ETHER / 10n);
        return [method, (one) => one.send(method, amount)];
      }
    }
  });
}

describe("transactions that are run first and looked at afterwards", () => {
  it(`do on Hardhat 2 what they do on Hardhat 3, from seed ${SEED}`, async () => {
    const settings = { rewardRate: 0 };
    for (let seed = SEED; seed < SEED + 4; seed++) {
      const worlds = [
        await world(await createNetworkOn2({ settings })),
        await world(await createNetwork({ settings })),
      ];
      const saved = new Map<World, string>();
      const start = 4_000_000_000;
      const done: string[] = [];
      let time = start;
      for (const [name, step] of stepsFrom(seed, 60)) {
        time += 10;
        done.push(name);
        const states = [];
        for (const one of worlds) {
          await one.rpc("evm_setNextBlockTimestamp", time);
          const outcome = await step(one, saved);
          // Steps without a block leave the time to the next one.
          await one.rpc("evm_mine");
          states.push({
            outcome: outcome instanceof Map ? undefined : outcome,
            ...(await one.state()),
          });
        }
        assert.deepEqual(states[0], states[1], `${seed}: ${done.join(" ")}`);
      }
      for (const one of worlds) await one.close();
    }
  });

  it("stake the first time after a hundred that did not", async () => {
    const one = await world(await createNetworkOn2());
    for (let i = 0; i < 100; i++) await one.send("go", ETHER);
    assert.equal(await stakeOf(one, one.router), 0n);
    await one.send("aim", STAKING);
    const before = BigInt(await one.rpc("eth_blockNumber"));
    assert.equal(await one.send("go", ETHER), undefined);
    assert.equal(await stakeOf(one, one.router), ETHER);
    assert.equal(BigInt(await one.rpc("eth_blockNumber")), before + 1n);
    assert.equal(
      BigInt(await one.rpc("eth_getBalance", one.router, "latest")),
      99n * ETHER,
    );
  });

  it("keep what ran beside them when they are undone", async () => {
    const one = await world(await createNetworkOn2());
    const [, , from, to] = one.accounts;
    await one.send("aim", STAKING);
    const before = BigInt(await one.rpc("eth_blockNumber"));
    const seen: bigint[] = [];
    const transfer = { from, to, value: "0x1" };
    const count = async () =>
      seen.push(BigInt(await one.rpc("eth_blockNumber")));
    const hashes = await Promise.all([
      one.rpc("eth_sendTransaction", transfer),
      one.rpc("eth_sendTransaction", one.request("go", ETHER)),
      ...Array.from({ length: 20 }, count),
      one.rpc("eth_sendTransaction", transfer),
      ...Array.from({ length: 20 }, count),
    ]);
    const sent = hashes.filter((hash) => typeof hash === "string");
    for (const hash of sent) {
      const receipt = await one.rpc("eth_getTransactionReceipt", hash);
      assert.equal(receipt?.status, "0x1");
    }
    assert.equal(sent.length, 3);
    assert.equal(BigInt(await one.rpc("eth_blockNumber")), before + 3n);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => Number(a - b)),
    );
  });

  it("are not seen by filters before they count", async () => {
    const one = await world(await createNetworkOn2());
    await one.send("aim", STAKING);
    const blocks = await one.rpc("eth_newBlockFilter");
    const logs = await one.rpc("eth_newFilter", { address: one.router });
    await one.rpc("eth_getFilterChanges", blocks);
    await one.send("go", ETHER);
    assert.equal((await one.rpc("eth_getFilterChanges", blocks)).length, 1);
    assert.equal((await one.rpc("eth_getFilterChanges", logs)).length, 1);
    assert.equal(await stakeOf(one, one.router), ETHER);
  });

  it("log to the console as often as they are sent, whatever they reach", async () => {
    const one = await world(await createNetworkOn2());
    const log = mock.method(console, "log", () => undefined);
    const heard = async (request: () => Promise<unknown>) => {
      log.mock.resetCalls();
      await request();
      return log.mock.calls.map(({ arguments: [text] }) => text);
    };
    const call = one.request("log");
    const requests = [
      async () => await one.send("log"),
      async () => await one.rpc("eth_call", call),
    ];
    try {
      for (const target of [one.target, STAKING]) {
        await one.send("aim", target);
        for (const request of [...requests, ...requests])
          assert.deepEqual(await heard(request), ["heard once"], target);
      }
    } finally {
      log.mock.restore();
    }
  });
});
