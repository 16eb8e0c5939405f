import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { id, Interface, keccak256, Wallet } from "ethers";

import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import { governanceAbi } from "../../src/precompiles/index.js";
import { caller } from "./callers.js";
import {
  createEnvironment,
  createNetwork,
  createNetworkOn2,
  type LocalNetwork,
  type NetworkOn2,
} from "./network.js";
import {
  balanceOf,
  delegateRequest,
  deploy,
  NO_REWARDS,
  STAKING,
  staking,
  stakeOf,
  token,
  using,
  VALOPER,
} from "./actions.js";

describe("installing the precompiles", () => {
  it("mines no block, uses no nonce, sends no transaction, and shows no code", async () => {
    await using({}, async ({ rpc, control, accounts }) => {
      const { validators, bondedTokens } = await control.state();
      assert.deepEqual([validators, bondedTokens], [3n, token("3000")]);
      assert.equal(await rpc("eth_blockNumber"), "0x0");
      for (const account of accounts)
        assert.equal(
          await rpc("eth_getTransactionCount", account, "latest"),
          "0x0",
        );
      for (const address of [
        ...Object.values(PRECOMPILE_ADDRESSES),
        ...Object.values(MODULE_ACCOUNTS),
      ]) {
        assert.equal(
          await rpc("eth_getCode", address, "latest"),
          "0x",
          address,
        );
      }
      assert.equal(
        BigInt(
          await rpc("eth_getBalance", MODULE_ACCOUNTS.bondedPool, "latest"),
        ),
        token("3000"),
      );
    });
  });

  it("reports an address that already has other code", async () => {
    await using({}, async ({ rpc }) => {
      // Set past the engine before the modules are installed, as a fork would
      // bring it along.
      const { hre } = await createEnvironment({ bare: true });
      const bare = await hre.network.create();
      await bare.provider.request({
        method: "hardhat_setCode",
        params: [STAKING, "0x6001"],
      });
      const { LocalEngine } = await import("../../src/localnet/engine.js");
      const { resolveLocalnet } = await import(
        "../../src/localnet/settings/settings.js"
      );
      const { DEFAULT_FACTS } = await import("../../src/chain/facts.js");
      const engine = new LocalEngine({
        provider: bare.provider as never,
        settings: resolveLocalnet({}, DEFAULT_FACTS, PRECOMPILE_ADDRESSES),
      });
      await assert.rejects(
        engine.install(),
        /another contract's code is at the address \(address 0x0{37}800\)/,
      );
      assert.equal(await rpc("eth_chainId"), "0x7a69");
    });
  });

  it("works at other addresses", async () => {
    const addresses = {
      ...PRECOMPILE_ADDRESSES,
      governance: "0x0000000000000000000000000000000000000805",
      staking: "0x00000000000000000000000000000000000a0800",
    } as const;
    await using({ addresses, ...NO_REWARDS }, async (network) => {
      const { rpc, accounts } = network;
      const data = staking.encodeFunctionData("delegate", [
        accounts[0],
        VALOPER,
        token("2"),
      ]);
      await rpc("eth_sendTransaction", {
        from: accounts[0],
        to: addresses.staking,
        data,
      });
      assert.equal((await network.control.state()).bondedTokens, token("3002"));
      const gov = new Interface(JSON.stringify(governanceAbi));
      const params = await rpc(
        "eth_call",
        { to: addresses.governance, data: gov.encodeFunctionData("getParams") },
        "latest",
      );
      assert.equal(
        gov.decodeFunctionResult("getParams", params)[0].votingPeriod,
        172_800_000_000_000n,
      );
    });
  });
});

describe("who pays inside a transaction", () => {
  let network: LocalNetwork;
  let vault: Awaited<ReturnType<typeof deploy>>;
  before(async () => {
    network = await createNetwork(NO_REWARDS);
    vault = await deploy(network, "Vault", [VALOPER]);
    await network.rpc(
      "hardhat_setBalance",
      vault.address,
      `0x${token("10").toString(16)}`,
    );
  });
  after(() => network.close());

  it("an account that calls directly, by its own transaction and by a signed one", async () => {
    const [alice = ""] = network.accounts;
    const was = await balanceOf(network, alice);
    const hash = await network.rpc(
      "eth_sendTransaction",
      delegateRequest(alice, token("3")),
    );
    const receipt = await network.rpc("eth_getTransactionReceipt", hash);
    const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    assert.equal(was - (await balanceOf(network, alice)), token("3") + fee);
    assert.equal(await stakeOf(network, alice), token("3"));
    assert.equal(await network.rpc("eth_getCode", alice, "latest"), "0x");

    const wallet = Wallet.createRandom();
    await network.rpc(
      "hardhat_setBalance",
      wallet.address,
      `0x${token("5").toString(16)}`,
    );
    for (const type of [0, 1, 2]) {
      const raw = await wallet.signTransaction({
        type,
        chainId: type === 0 ? undefined : 31337,
        nonce: type,
        to: STAKING,
        data: delegateRequest(wallet.address, token("1")).data,
        gasLimit: 1_000_000,
        ...(type === 2
          ? { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
          : { gasPrice: 10n ** 10n }),
      });
      await network.rpc("eth_sendRawTransaction", raw);
    }
    assert.equal(await stakeOf(network, wallet.address), token("3"));
    assert.ok((await balanceOf(network, wallet.address)) < token("2"));
  });

  it("a contract, which sees its balance fall at once", async () => {
    const [before, later] = await vault.call("delegateAndLook", [token("1")]);
    assert.equal(before - later, token("1"));
    await vault.send("delegateAndLook", [token("1")]);
    assert.equal((await vault.call("seen"))[0], token("9"));
    assert.equal(await balanceOf(network, vault.address), token("9"));
    assert.equal((await vault.call("staked"))[0], token("1"));
  });

  it("a contract that has too little for the second of two payments pays nothing", async () => {
    await assert.rejects(
      vault.send("delegateTwice", [token("6")]),
      /insufficient funds/,
    );
    assert.equal(await balanceOf(network, vault.address), token("9"));
  });

  it("a contract gets its tokens back when an inner call is reverted", async () => {
    const [before, later] = await vault.call("tryDelegate", [token("4")]);
    assert.equal(before, later);
    await vault.send("tryDelegate", [token("4")]);
    assert.equal((await vault.call("seen"))[0], token("9"));
    assert.equal((await vault.call("staked"))[0], token("1"));
  });

  it("a contract called by another one, and a minimal proxy", async () => {
    const other = await deploy(network, "Vault", [VALOPER]);
    await vault.send("passOn", [other.address], token("2"));
    assert.equal((await other.call("staked"))[0], token("2"));
    const target = await deploy(network, "CloneTarget");
    const cloner = await deploy(network, "Cloner");
    const hash = await cloner.send("clone", [target.address]);
    const [log] = (await network.rpc("eth_getTransactionReceipt", hash)).logs;
    const clone = cloner.abi.parseLog(log)?.args[0] as string;
    const request = {
      ...target.request("act", [VALOPER, token("1")], token("3")),
      to: clone,
    };
    const [left] = target.abi.decodeFunctionResult(
      "act",
      await network.rpc("eth_call", request, "latest"),
    );
    assert.equal(left, token("2"));
    await network.rpc("eth_sendTransaction", request);
    assert.equal(await stakeOf(network, clone), token("1"));
    assert.equal(await stakeOf(network, target.address), 0n);
    assert.equal(await balanceOf(network, clone), token("2"));
  });

  it("an account that delegates to another's code (EIP-7702)", async () => {
    const target = await deploy(network, "CloneTarget");
    const account = Wallet.createRandom().address;
    const designator = `0xef0100${target.address.slice(2).toLowerCase()}`;
    await network.rpc("hardhat_setCode", account, designator);
    await network.rpc(
      "hardhat_setBalance",
      account,
      `0x${token("2").toString(16)}`,
    );
    const request = {
      ...target.request("act", [VALOPER, token("1")]),
      to: account,
    };
    await network.rpc("eth_sendTransaction", request);
    assert.equal(await stakeOf(network, account), token("1"));
    assert.equal(await balanceOf(network, account), token("1"));
    assert.equal(
      await network.rpc("eth_getCode", account, "latest"),
      designator,
    );
  });

  it("an account costs no more in its next transaction, in which it does not pay", async () => {
    await using(NO_REWARDS, async (network) => {
      const vault = await deploy(network, "Vault", [VALOPER]);
      const gasOf = async (hash: string) => {
        const receipt = await network.rpc("eth_getTransactionReceipt", hash);
        return BigInt(receipt.gasUsed);
      };
      await vault.send("deposit", [], token("1"));
      const other = await deploy(network, "Vault", [VALOPER]);
      await vault.send("touch", [other.address]);
      const before = await gasOf(await vault.send("touch", [other.address]));
      await vault.send("deposit", [], token("1"));
      const after = await gasOf(await vault.send("touch", [other.address]));
      assert.equal(after, before);
    });
  });

  it("codes stay as they were, and estimates are enough", async () => {
    const code = await network.rpc("eth_getCode", vault.address, "latest");
    const request = vault.request("deposit", [], token("1"));
    const gas = await network.rpc("eth_estimateGas", request);
    const hash = await network.rpc("eth_sendTransaction", { ...request, gas });
    assert.equal(
      (await network.rpc("eth_getTransactionReceipt", hash)).status,
      "0x1",
    );
    assert.equal(
      await network.rpc("eth_getCode", vault.address, "latest"),
      code,
    );
    const number = await network.rpc("eth_blockNumber");
    assert.equal(
      await network.rpc(
        "eth_getCode",
        vault.address,
        `0x${(BigInt(number) - 1n).toString(16)}`,
      ),
      code,
    );
  });
});

describe("what others see of those who pay", () => {
  it("an account has no code, in its transaction's block and after it", async () => {
    await using(NO_REWARDS, async (network) => {
      const { rpc, accounts } = network;
      const [, alice = "", bob = ""] = accounts;
      const looks = at(`0x73${alice.slice(2)}3b5f5260205ff3`);
      await rpc("hardhat_setCode", looks.address, looks.code);
      const size = async () =>
        BigInt(await rpc("eth_call", { to: looks.address }, "latest"));
      await rpc("eth_sendTransaction", delegateRequest(alice, token("1")));
      assert.equal(await size(), 0n);
      // The same within the block: a contract stores the size that it sees.
      const notes = at(`0x73${alice.slice(2)}3b5f5500`);
      await rpc("hardhat_setCode", notes.address, notes.code);
      await rpc("hardhat_setStorageAt", notes.address, "0x0", word(7n));
      await rpc("evm_setAutomine", false);
      const gas = "0x200000";
      for (const request of [
        { ...delegateRequest(alice, token("1")), gas },
        { from: bob, to: notes.address, gas },
        { ...delegateRequest(alice, token("1")), gas },
      ])
        await rpc("eth_sendTransaction", request);
      await rpc("evm_mine");
      assert.equal(await stakeOf(network, alice), token("3"));
      const seen = [
        "eth_getStorageAt",
        notes.address,
        "0x0",
        "latest",
      ] as const;
      assert.equal(await rpc(...seen), word(0n));
    });
  });

  it("a contract has its own code and gas between two payments, for which nothing is set", async () => {
    await using(NO_REWARDS, async (network) => {
      const { connection, rpc } = network;
      const vault = await deploy(network, "Vault", [VALOPER]);
      const other = await deploy(network, "Vault", [VALOPER]);
      const account = vault.address.slice(2).toLowerCase();
      const code = await rpc("eth_getCode", vault.address, "latest");
      // Returns, and writes down, the hash of the vault's code, and the gas of
      // a view that it asks.
      const looks = at(`0x73${account}3f5f555f545f5260205ff3`);
      const selector = id("total()").slice(2, 10);
      const asks = at(
        `0x63${selector}5f525a5f5f6004601c73${account}5afa505a90035f555f545f5260205ff3`,
      );
      for (const one of [looks, asks])
        await rpc("hardhat_setCode", one.address, one.code);
      const noted = async (by: string) => {
        await rpc("eth_sendTransaction", {
          from: network.accounts[0],
          to: by,
        });
        return await rpc("eth_getStorageAt", by, "0x0", "latest");
      };
      const gasOf = async (request: object) => {
        const hash = await rpc("eth_sendTransaction", request);
        return (await rpc("eth_getTransactionReceipt", hash)).gasUsed;
      };
      const sights = {
        code: () => rpc("eth_getCode", vault.address, "latest"),
        proof: async () =>
          (await rpc("eth_getProof", vault.address, [], "latest")).codeHash,
        hash: () => rpc("eth_call", { to: looks.address }, "latest"),
        hashInTransaction: () => noted(looks.address),
        gas: () => rpc("eth_call", { to: asks.address }, "latest"),
        gasInTransaction: () => noted(asks.address),
        estimate: () => rpc("eth_estimateGas", { to: asks.address }),
        gasUsed: () => gasOf(other.request("touch", [vault.address])),
      };
      const request = vault.request("deposit", [], token("1"));
      await rpc("eth_sendTransaction", request);
      await rpc("eth_sendTransaction", request);
      // From now on no word of storage is written for the first time.
      for (const see of Object.values(sights)) await see();
      await rpc("evm_mine");
      const { provider } = connection;
      const ask = provider.request.bind(provider);
      for (const [name, see] of Object.entries(sights)) {
        const before: unknown = await see();
        await rpc("eth_sendTransaction", request);
        const asked: string[] = [];
        provider.request = async (one) => {
          asked.push(one.method);
          return await ask(one);
        };
        await rpc("eth_sendTransaction", request);
        provider.request = ask;
        assert.ok(asked.includes("eth_sendTransaction"));
        assert.ok(!asked.includes("hardhat_setCode"), asked.join());
        assert.equal(await see(), before, name);
      }
      assert.equal(await rpc("eth_getCode", vault.address, "latest"), code);
      await rpc("eth_sendTransaction", request);
      const past = await rpc("eth_blockNumber");
      await rpc("eth_sendTransaction", request);
      const views = async (block: string) =>
        await Promise.all(
          [looks, asks].map(({ address }) =>
            rpc("eth_call", { to: address }, block),
          ),
        );
      // At the end of that block the payer stood: it was used again in the next.
      assert.deepEqual(await views(past), await views("latest"));
      const replaced = { [vault.address]: { code: "0x60ff" } };
      assert.equal(
        await rpc("eth_call", { to: looks.address }, past, replaced),
        keccak256("0x60ff"),
      );
      const deposits = BigInt(4 + 2 * Object.keys(sights).length);
      assert.equal(
        await stakeOf(network, vault.address),
        deposits * token("1"),
      );
    });
  });

  it("tokens are collected also when they depend on a fee, which a trace does not know", async () => {
    await using(NO_REWARDS, async (network) => {
      const { rpc, accounts } = network;
      const { assemble } = await import("./programs.js");
      for (const sensor of ["gasPrice", "baseFee"] as const) {
        const step = { sensor, modulus: 997, looks: true } as const;
        const code = assemble([{ ...step, action: "delegate" }], VALOPER);
        const { address } = at(code);
        await rpc("hardhat_setCode", address, code);
        await rpc(
          "hardhat_setBalance",
          address,
          `0x${token("9").toString(16)}`,
        );
        await rpc("eth_sendTransaction", {
          from: accounts[1],
          to: address,
          gas: "0x200000",
        });
        const staked = await stakeOf(network, address);
        assert.ok(staked > 0n, sensor);
        assert.equal(await balanceOf(network, address), token("9") - staked);
      }
    });
  });

  it("a limit that Hardhat fills in is enough at the block's own time", async () => {
    await using({ ...NO_REWARDS, ticks: true }, async (network) => {
      const { rpc, accounts } = network;
      const { assemble } = await import("./programs.js");
      const step = { sensor: "time", modulus: 2, looks: false } as const;
      const { address, code } = at(
        assemble([{ ...step, action: "delegate" }], VALOPER),
      );
      await rpc("hardhat_setCode", address, code);
      await rpc("hardhat_setBalance", address, `0x${token("9").toString(16)}`);
      const send = async () =>
        await rpc("eth_sendTransaction", { from: accounts[1], to: address });
      let odd = 0n;
      for (let count = 0; count < 4; count++) {
        const hash = await send();
        const { blockNumber } = await rpc("eth_getTransactionReceipt", hash);
        const { timestamp } = await rpc(
          "eth_getBlockByNumber",
          blockNumber,
          false,
        );
        odd += BigInt(timestamp) % 2n;
        assert.equal(await stakeOf(network, address), odd * 10n ** 15n);
      }
      assert.ok(odd > 0n);
    });
  });

  it("a precompile is first called after a call ran out of the gas limit that Hardhat fills in", async () => {
    const stakes = async (local: NetworkOn2) => {
      const { rpc, accounts } = local;
      // Expands memory, for 29.4 million gas.
      const heavy = at("0x623b80005150");
      // call{gas: 32 million}(heavy) || delegate(its calldata) || revert()
      const hasty = at(
        `0x5f5f5f5f5f73${heavy.address.slice(2)}6301e84800f1603757` +
          "365f5f375f5f365f5f6108005af16037575f5ffd5b",
      );
      for (const { address, code } of [heavy, hasty])
        await rpc("hardhat_setCode", address, code);
      const to = hasty.address;
      await rpc("hardhat_setBalance", to, `0x${token("9").toString(16)}`);
      const data = staking.encodeFunctionData("delegate", [
        ...[to, VALOPER, token("1")],
      ]);
      await rpc("eth_sendTransaction", { from: accounts[1], to, data });
      assert.equal(await stakeOf(local, to), token("1"));
      assert.equal(await balanceOf(local, to), token("8"));
    };
    for (const network of [
      { gasEstimationMode: "topLevelSuccess" },
      { gas: 29_500_000n },
    ] as const)
      await using(
        { ...NO_REWARDS, network: { blockGasLimit: 10n ** 8n, ...network } },
        stakes,
      );
    for (const gas of [29_500_000, "auto"] as const)
      await stakes(
        await createNetworkOn2({
          ...NO_REWARDS,
          multiplier: 1,
          network: { blockGasLimit: 10 ** 8, gas },
        }),
      );
  });

  it("a contract that only reads finds the precompiles on first use, and after going back to before it", async () => {
    await using(NO_REWARDS, async ({ rpc, accounts }) => {
      const data = staking.encodeFunctionData("delegation", [
        accounts[1],
        VALOPER,
      ]);
      // Returns what staticcall(gas(), 0x800, 0, calldatasize(), 0, 0) answers.
      const reader = at("0x365f5f375f5f365f6108005afa503d5f5f3e3d5ff3");
      await rpc("hardhat_setCode", reader.address, reader.code);
      const read = async () =>
        await rpc("eth_call", { to: reader.address, data }, "latest");
      const before = await rpc("evm_snapshot");
      const answer = await read();
      assert.ok(staking.decodeFunctionResult("delegation", answer).length > 0);
      await rpc("evm_revert", before);
      assert.equal(await read(), answer);
    });
  });

  it("a call at a block before the first use finds the precompiles in their initial state", async () => {
    await using(NO_REWARDS, async ({ rpc, accounts }) => {
      const data = staking.encodeFunctionData("validators", [
        "",
        { key: "0x", offset: 0, limit: 0, countTotal: false, reverse: false },
      ]);
      const reader = at("0x365f5f375f5f365f6108005afa503d5f5f3e3d5ff3");
      await rpc("hardhat_setCode", reader.address, reader.code);
      await rpc("hardhat_mine", "0x3");
      const unused = await rpc("evm_snapshot");
      const stake = async () =>
        await rpc(
          "eth_sendTransaction",
          delegateRequest(accounts[1] ?? "", token("5")),
        );
      await stake();
      const ask = async (to: string, block: unknown) => {
        const answer = await rpc("eth_call", { to, data }, block);
        const [validators] = staking.decodeFunctionResult("validators", answer);
        return validators.reduce(
          (sum: bigint, { tokens }: { tokens: bigint }) => sum + tokens,
          0n,
        );
      };
      const begun = await ask(STAKING, "0x2");
      assert.ok(begun > 0n);
      const byHash = async (number: string) => ({
        blockHash: (await rpc("eth_getBlockByNumber", number, false)).hash,
      });
      const check = async () => {
        for (const block of [
          "0x2",
          { blockNumber: "0x1" },
          await byHash("0x2"),
          "earliest",
        ]) {
          assert.equal(await ask(STAKING, block), begun);
          assert.equal(await ask(reader.address, block), begun);
        }
        for (const block of ["latest", await byHash("latest")])
          assert.equal(await ask(STAKING, block), begun + token("5"));
      };
      await check();
      // The same after going back, to a block after the first use and to one
      // before.
      const used = await rpc("evm_snapshot");
      await rpc("hardhat_mine", "0x2");
      await rpc("evm_revert", used);
      await check();
      await rpc("evm_revert", unused);
      await rpc("hardhat_mine", "0x2");
      await stake();
      await check();
    });
  });

  it("code in a call's state overrides reaches the precompiles", async () => {
    await using(NO_REWARDS, async ({ rpc, accounts }) => {
      const [from] = accounts;
      const to = `0x${"c0de".repeat(10)}`;
      // Returns what call(gas(), 0x800, 0, 0, calldatasize(), 0, 0) answers.
      const code = "0x365f5f375f5f365f5f6108005af1503d5f5f3e3d5ff3";
      const overrides = { [to]: { code, balance: "0x56bc75e2d63100000" } };
      const read = staking.encodeFunctionData("delegation", [from, VALOPER]);
      const pay = staking.encodeFunctionData("delegate", [to, VALOPER, 1n]);
      const ask = async (data: string) =>
        await rpc("eth_call", { from, to, data }, "latest", overrides);
      assert.equal(
        staking.decodeFunctionResult("delegation", await ask(read))[0],
        0n,
      );
      assert.equal(
        staking.decodeFunctionResult("delegate", await ask(pay))[0],
        true,
      );
    });
  });

  it("the balance of a module's account cannot be set", async () => {
    await using(NO_REWARDS, async ({ rpc }) => {
      await assert.rejects(
        rpc("hardhat_setBalance", MODULE_ACCOUNTS.bondedPool, "0x1"),
        /is what its books say, and cannot be set/,
      );
    });
  });
});

/** Code, at an address that is derived from it. */
function at(code: string) {
  return { code, address: `0x${id(code).slice(26)}` };
}

const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;

describe("contracts that pay in the transaction that creates them", () => {
  it("a constructor sees its balance fall, and so do its storage, its code and its caller", async () => {
    await using(NO_REWARDS, async (network) => {
      const { abi, bytecode } = caller("Builder");
      const data = bytecode + abi.encodeDeploy([VALOPER, token("2")]).slice(2);
      const request = {
        from: network.accounts[0],
        data,
        value: `0x${token("3").toString(16)}`,
      };
      const code = await network.rpc("eth_call", request, "latest");
      const hash = await network.rpc("eth_sendTransaction", request);
      const { contractAddress } = await network.rpc(
        "eth_getTransactionReceipt",
        hash,
      );
      assert.equal(
        await network.rpc("eth_getCode", contractAddress, "latest"),
        code,
      );
      const read = async (name: string) =>
        abi.decodeFunctionResult(
          name,
          await network.rpc(
            "eth_call",
            { to: contractAddress, data: abi.encodeFunctionData(name) },
            "latest",
          ),
        )[0];
      assert.equal(await read("left"), token("1"));
      assert.equal(await read("stored"), token("1"));
      assert.equal(await balanceOf(network, contractAddress), token("1"));
      assert.equal(await stakeOf(network, contractAddress), token("2"));
      assert.equal((await network.control.state()).bondedTokens, token("3002"));
    });
  });

  it("a child made by CREATE2 pays when the transaction ends", async () => {
    await using(NO_REWARDS, async (network) => {
      const factory = await deploy(network, "Factory");
      const salt = `0x${"11".repeat(32)}`;
      const hash = await factory.send(
        "make",
        [VALOPER, token("2"), salt],
        token("5"),
      );
      const receipt = await network.rpc("eth_getTransactionReceipt", hash);
      const child = factory.abi.parseLog(receipt.logs.at(-1))
        ?.args[0] as string;
      assert.equal(await balanceOf(network, child), token("3"));
      assert.equal(await stakeOf(network, child), token("2"));
      assert.equal(
        await balanceOf(network, MODULE_ACCOUNTS.bondedPool),
        token("3002"),
      );
    });
  });

  it("a child that could see that is refused, and nothing is sent", async () => {
    await using(NO_REWARDS, async (network) => {
      const factory = await deploy(network, "Factory");
      const height = await network.rpc("eth_blockNumber");
      await assert.rejects(
        factory.send("makeAndLook", [VALOPER, token("2")], token("5")),
        /its balance is read or spent after that/,
      );
      const sink = network.accounts[5];
      await assert.rejects(
        factory.send(
          "makeAndSend",
          [VALOPER, token("4"), sink, token("2")],
          token("5"),
        ),
        /its balance is read or spent after that/,
      );
      assert.equal(await network.rpc("eth_blockNumber"), height);
      await factory.send(
        "makeAndSend",
        [VALOPER, token("4"), sink, token("1")],
        token("5"),
      );
    });
  });

  it("a child is not called by others before its block, if blocks are mined by hand", async () => {
    await using(NO_REWARDS, async (network) => {
      const { rpc, accounts } = network;
      const factory = await deploy(network, "Factory");
      const request = factory.request(
        "make",
        [VALOPER, token("2"), `0x${"33".repeat(32)}`],
        token("5"),
      );
      const hash = await rpc("eth_sendTransaction", request);
      const { logs } = await rpc("eth_getTransactionReceipt", hash);
      assert.equal(logs.length > 0, true);
      await rpc("evm_setAutomine", false);
      const waits = await rpc("eth_sendTransaction", {
        ...factory.request(
          "make",
          [VALOPER, token("2"), `0x${"44".repeat(32)}`],
          token("5"),
        ),
        gas: "0x200000",
      });
      const { getCreate2Address, keccak256 } = await import("ethers");
      const child = getCreate2Address(
        factory.address,
        `0x${"44".repeat(32)}`,
        keccak256(caller("Child").bytecode),
      );
      const pay = {
        from: accounts[2],
        to: child,
        data: caller("Child").abi.encodeFunctionData("act", [
          VALOPER,
          token("3"),
        ]),
        gas: "0x200000",
      };
      await assert.rejects(
        rpc("eth_sendTransaction", pay),
        /Mine a block first/,
      );
      await rpc("evm_mine");
      assert.equal(
        (await rpc("eth_getTransactionReceipt", waits)).status,
        "0x1",
      );
      assert.equal(await balanceOf(network, child), token("3"));
      await rpc("eth_sendTransaction", pay);
      await rpc("evm_mine");
      assert.equal(await balanceOf(network, child), 0n);
      assert.equal(await stakeOf(network, child), token("5"));
    });
  });
});
