import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";

import { quoteGas } from "../../src/gas/quote.js";
import { ACCOUNTS } from "../helpers/chain.js";
import { compile, COUNTER } from "../helpers/contracts.js";
import {
  type Hardhat2,
  loadHardhat2,
  requireFromToolbox,
} from "../helpers/hardhat2.js";

const TOKEN = 10n ** 18n;
const DAY = 86_400;
const PAGE = {
  key: "0x",
  offset: 0n,
  limit: 0n,
  countTotal: false,
  reverse: false,
};
const PLUGINS = [
  "@nomicfoundation/hardhat-chai-matchers",
  "@nomicfoundation/hardhat-ethers",
  "hardhat-dualstack/hardhat2",
];

/** Delegates the value that it is sent, and can fail after that. */
const STAKER = compile(
  `interface IStaking { function delegate(address d, string calldata v, uint256 a) external returns (bool); }
  contract Staker {
    error Regret(uint256 balance);
    function stake(string calldata v, bool regret) external payable {
      IStaking(0x0000000000000000000000000000000000000800).delegate(address(this), v, msg.value);
      if (regret) revert Regret(address(this).balance);
    }
  }`,
  "Staker",
);

/** Calls other contracts, creates some, and calls a standard precompile. */
const OUTER = compile(
  `interface IStaker { function stake(string calldata v, bool regret) external payable; }
  contract Child {}
  contract Reader {
    function read() external view returns (uint256) {
      (bool ok, bytes memory data) = address(0x0800).staticcall(abi.encodeWithSignature("validator(address)", address(1)));
      return ok ? data.length : 0;
    }
  }
  contract Outer {
    Reader public reader = new Reader();
    uint256 public answers;
    function stake(IStaker staker, string calldata v) external payable { staker.stake{value: msg.value}(v, false); }
    function read() external view returns (uint256) { return reader.read(); }
    function note() external { answers = reader.read(); }
    function apart(address other) external returns (address) {
      ecrecover(bytes32(0), 27, bytes32(0), bytes32(0));
      Outer(other).answers();
      new Child();
      return address(new Child());
    }
  }`,
  "Outer",
);

async function firstValidator({ precompiles }: Hardhat2): Promise<string> {
  const [[validator]] = (await precompiles.staking.validators(
    "BOND_STATUS_BONDED",
    PAGE,
  )) as unknown as [[{ operatorAddress: string }]];
  return validator.operatorAddress;
}

describe("the precompiles on Hardhat 2's own network", () => {
  let hre: Hardhat2;
  let validator: string;
  before(async () => {
    hre = await loadHardhat2({ plugins: PLUGINS });
    validator = await firstValidator(hre);
  });

  const delegated = async (account: string) =>
    (await hre.precompiles.staking.delegation(account, validator)).balance
      .amount;
  const balance = async (account: string): Promise<bigint> =>
    await hre.ethers.provider.getBalance(account);

  it("are typed contracts that sign with the first account", async () => {
    const before = await balance(ACCOUNTS[0]);
    const sent = await hre.precompiles.staking.delegate(
      ACCOUNTS[0],
      validator,
      3n * TOKEN,
    );
    const receipt = await sent.wait();
    assert.equal(await delegated(ACCOUNTS[0]), 3n * TOKEN);
    assert.equal(
      before - (await balance(ACCOUNTS[0])),
      3n * TOKEN + (receipt?.fee ?? 0n),
    );
    assert.equal(
      await hre.network.provider.request({
        method: "eth_getCode",
        params: ["0x0000000000000000000000000000000000000800", "latest"],
      }),
      "0x",
    );
  });

  it("take part in snapshots, loadFixture and the clock", async () => {
    const { loadFixture, takeSnapshot, time } = requireFromToolbox(
      "@nomicfoundation/hardhat-network-helpers",
    );
    const snapshot = await takeSnapshot();
    const start = await delegated(ACCOUNTS[1]);
    const fixture = async () => {
      const signer = await hre.ethers.getSigner(ACCOUNTS[1]);
      const staking = hre.precompiles.at("staking", signer);
      await (await staking.delegate(ACCOUNTS[1], validator, TOKEN)).wait();
      return staking;
    };
    const staking = await loadFixture(fixture);
    assert.equal(await delegated(ACCOUNTS[1]), start + TOKEN);
    await (await staking.undelegate(ACCOUNTS[1], validator, TOKEN)).wait();
    assert.equal(await delegated(ACCOUNTS[1]), start);
    const had = await balance(ACCOUNTS[1]);
    await time.increase(21 * DAY + 1);
    assert.equal((await balance(ACCOUNTS[1])) - had, TOKEN);
    await loadFixture(fixture);
    assert.equal(await delegated(ACCOUNTS[1]), start + TOKEN);
    await snapshot.restore();
    assert.equal(await delegated(ACCOUNTS[1]), start);
  });

  it("are controlled by hre.dualstack.localnet and JSON-RPC", async () => {
    const { localnet } = hre.dualstack;
    const { time: from } = await localnet.state();
    await localnet.advance(DAY);
    assert.equal((await localnet.state()).time, from + BigInt(DAY));
    await localnet.setRewardRate("0.5");
    await hre.network.provider.request({
      method: "dualstack_jailValidator",
      params: [validator],
    });
    const { jailed } = (await hre.precompiles.staking.validator(
      validator as `0x${string}`,
    )) as { jailed: boolean };
    assert.equal(jailed, true);
    await localnet.unjail(validator);
    await assert.rejects(localnet.slash("0x12"), /validator/);
    await localnet.setRewardRate(0);
  });

  it("let contracts pay, and leave errors and matchers as they are", async () => {
    const { expect } = requireFromToolbox("chai");
    const staker = await (
      await hre.ethers.getContractFactory(STAKER.abi, STAKER.bytecode)
    ).deploy();
    const address = await staker.getAddress();
    const valoper = hre.dualstack.valoper(validator);
    await expect(staker.stake(valoper, false, { value: TOKEN }))
      .to.emit(hre.precompiles.staking, "Delegate")
      .withArgs(address, validator, TOKEN, TOKEN * 10n ** 18n);
    assert.equal(await delegated(address), TOKEN);
    assert.equal(await balance(address), 0n);
    await expect(staker.stake(valoper, true, { value: TOKEN }))
      .to.be.revertedWithCustomError(staker, "Regret")
      .withArgs(0n);
    assert.equal(await delegated(address), TOKEN);
    await expect(
      staker.stake(valoper, false, { value: 2n * TOKEN }),
    ).to.changeEtherBalance(
      await hre.ethers.getSigner(ACCOUNTS[0]),
      -2n * TOKEN,
    );
  });

  for (const first of [true, false]) {
    it(`share the network's callback with a mock library that came ${first ? "first" : "later"}`, async () => {
      const own = await loadHardhat2({ plugins: PLUGINS });
      const { staking } = own.precompiles;
      let edr: any = own.network.provider;
      await edr.request({ method: "eth_chainId" });
      while (!("_node" in edr)) edr = edr._wrapped;
      const mocked = "0x00000000000000000000000000000000000abcde";
      const mock = async () =>
        await edr._setCallOverrideCallback(async (to: Buffer) =>
          to.toString("hex") === mocked.slice(2)
            ? { result: Buffer.from("c0ffee", "hex"), shouldRevert: false }
            : undefined,
        );
      const delegate = async () => {
        const staker = await (
          await own.ethers.getContractFactory(STAKER.abi, STAKER.bytecode)
        ).deploy();
        const valoper = own.dualstack.valoper(validator);
        await staker.stake(valoper, false, { value: TOKEN });
        const { balance } = await staking.delegation(staker, validator);
        assert.equal(balance.amount, TOKEN);
        assert.equal(await own.ethers.provider.getBalance(staker), 0n);
      };
      if (!first) await delegate();
      await mock();
      await delegate();
      assert.equal(await own.ethers.provider.call({ to: mocked }), "0xc0ffee");
    });
  }

  it("leave everything unrelated as it is", async () => {
    const counter = await (
      await hre.ethers.getContractFactory(COUNTER.abi, COUNTER.bytecode)
    ).deploy(1);
    await (await counter.add(2)).wait();
    assert.equal(await counter.count(), 3n);
    await assert.rejects(
      counter.add(0),
      /VM Exception while processing transaction: reverted with reason string 'nothing to add'/,
    );
  });

  it("are absent where the user turns them off", async () => {
    const bare = await loadHardhat2({
      config: { dualstack: { localnet: { networks: { hardhat: false } } } },
    });
    await assert.rejects(firstValidator(bare), /nothing lives at the address/);
    assert.throws(
      () => bare.dualstack.localnet,
      /switched off on the network hardhat/,
    );
  });
});

describe("the precompiles on Hardhat 2's own network before their first use", () => {
  let hre: Hardhat2;
  let outer: any;
  beforeEach(async () => {
    hre = await loadHardhat2({ plugins: PLUGINS });
    const factory = await hre.ethers.getContractFactory(
      OUTER.abi,
      OUTER.bytecode,
    );
    outer = await (await factory.deploy()).waitForDeployment();
  });

  /**
   * Whether code is at the staking module's address, which users are not shown.
   */
  const isInstalled = async () => {
    let inner: any = hre.network.provider;
    while (!("_node" in inner)) {
      inner = inner._wrapped;
    }
    const params = ["0x0000000000000000000000000000000000000800", "latest"];
    return (await inner.request({ method: "eth_getCode", params })) !== "0x";
  };

  it("are not installed until something calls them", async () => {
    await (await outer.apart(outer)).wait();
    await outer.apart.staticCall(outer);
    await outer.apart.estimateGas(outer);
    assert.equal(await isInstalled(), false);
  });

  it("are installed for a transaction that calls them indirectly", async () => {
    const { data } = await outer.note.populateTransaction();
    await hre.ethers.provider.send("eth_sendTransaction", [
      { from: ACCOUNTS[0], to: outer.target, data, gas: "0x2dc6c0" },
    ]);
    assert.equal(await isInstalled(), true);
    assert.ok((await outer.answers()) > 500n);
  });

  it("are installed for an indirect call", async () => {
    assert.ok((await outer.read()) > 500n);
    assert.equal(await isInstalled(), true);
  });

  it("are installed for an indirect estimate, and for contracts that pay", async () => {
    const validators = "cosmosvaloper1pja2yemmmz35ndg3ay82g65pqgxgkr8wur9urm";
    const factory = await hre.ethers.getContractFactory(
      STAKER.abi,
      STAKER.bytecode,
    );
    const staker = await (await factory.deploy()).waitForDeployment();
    assert.equal(await isInstalled(), false);
    await (await outer.stake(staker, validators, { value: TOKEN })).wait();
    const { balance } = await hre.precompiles.staking.delegation(
      staker.target,
      validators,
    );
    assert.equal(balance.amount, TOKEN);
    assert.equal(await hre.ethers.provider.getBalance(staker), 0n);
  });
});

describe("estimates on Hardhat 2's own network", () => {
  it("are buffered once, for ethers.Wallet too", async () => {
    const hre = await loadHardhat2();
    const { Wallet } = requireFromToolbox("ethers");
    const wallet = Wallet.createRandom(hre.ethers.provider);
    const [signer] = await hre.ethers.getSigners();
    await (
      await signer.sendTransaction({ to: wallet.address, value: TOKEN })
    ).wait();
    const { gasLimit } = await wallet.sendTransaction({
      to: ACCOUNTS[1],
      value: 1n,
    });
    assert.equal(gasLimit, 25_202n);
    assert.equal(
      hre.dualstack.estimateBehind({ to: ACCOUNTS[1], data: "0x" }, gasLimit),
      21_001n,
    );
    const unbuffered = await loadHardhat2({
      config: { networks: { hardhat: { gasMultiplier: 1 } } },
    });
    assert.equal(
      await unbuffered.ethers.provider.estimateGas({
        from: ACCOUNTS[0],
        to: ACCOUNTS[1],
      }),
      21_001n,
    );
  });
});

describe("hardhat node on Hardhat 2", () => {
  let hre: Hardhat2;
  before(async () => {
    // With another default network, Hardhat creates its own one past all
    // plugins.
    hre = await loadHardhat2({ network: "localhost", plugins: PLUGINS });
  });

  it("serves the precompiles whatever the default network is", async () => {
    const provider = await hre.run("node:get-provider", {});
    await provider.request({
      method: "hardhat_setLoggingEnabled",
      params: [false],
    });
    const call = { from: ACCOUNTS[0], to: ACCOUNTS[1] };
    assert.deepEqual(await quoteGas(provider, call), {
      estimate: 21_001n,
      limit: 25_202n,
    });
    const data = hre.precompiles.staking.interface.encodeFunctionData(
      "validators",
      ["BOND_STATUS_BONDED", PAGE],
    );
    const answer = await provider.request({
      method: "eth_call",
      params: [
        { to: "0x0000000000000000000000000000000000000800", data },
        "latest",
      ],
    });
    assert.ok(answer.length > 1000);
    assert.ok(
      BigInt(
        (await provider.request({ method: "dualstack_state" })).validators,
      ) > 0n,
    );
  });
});
