import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { ContractFactory } from "ethers";

import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { ACCOUNTS } from "../helpers/chain.js";
import { COUNTER } from "../helpers/contracts.js";
import type { Client, Major, Started } from "../helpers/majors.js";
import { compile } from "../localnet/compile.js";
import type { EvmNode } from "../servers/evm-node.js";

const [SENDER, OTHER] = ACCOUNTS;
const { staking, distribution } = PRECOMPILE_ADDRESSES;

/**
 * Staking and distribution with the gas costs that were measured on a real
 * node. Rewards accrue in each block and are paid at most once in it, for
 * 20,781 to 20,784 gas per validator. Calls and estimates run on the final
 * state of the newest block, with its number: if that block touched the
 * delegation, they find its rewards paid.
 */
const CONTRACTS = compile(`
  // SPDX-License-Identifier: MIT
  pragma solidity ^0.8.20;
  abstract contract Metered {
    function burn(uint256 amount) internal view {
      uint256 start = gasleft();
      if (start < amount) assembly { invalid() }
      while (start - gasleft() < amount) {}
    }
  }
  contract Distribution is Metered {
    mapping(address => uint256) validators;
    mapping(address => mapping(uint256 => uint256)) paidIn;
    event ClaimRewards(address indexed delegatorAddress, uint256 amount);
    function touch(address delegator, uint256 validator) external {
      if (validator == validators[delegator]) validators[delegator]++;
      paidIn[delegator][validator] = block.number;
    }
    function pay(address delegator) private {
      uint256 start = gasleft();
      // Some contracts here accept no tokens.
      (bool ok,) = delegator.call{value: 1 gwei}("");
      ok;
      burn(17_982 - (start - gasleft()));
    }
    function claimRewards(address delegator, uint32 maxRetrieve) external returns (bool) {
      require(msg.sender == delegator, "does not match the requester address");
      uint256 count = validators[delegator] < maxRetrieve ? validators[delegator] : maxRetrieve;
      for (uint256 i; i < count; i++) {
        burn(47_500);
        // Writing another number costs 2,800 gas more than writing the same.
        if (paidIn[delegator][i] < block.number) pay(delegator);
        paidIn[delegator][i] = block.number;
      }
      emit ClaimRewards(delegator, count);
      return true;
    }
    struct DecCoin { string denom; uint256 amount; uint8 precision; }
    struct Reward { string validatorAddress; DecCoin[] reward; }
    mapping(address => bool) shown;
    function show() external { shown[msg.sender] = true; }
    // As if there were no delegations, unless a contract has its rewards shown.
    function delegationTotalRewards(address delegator) external view returns (Reward[] memory rewards, DecCoin[] memory total) {
      rewards = new Reward[](shown[delegator] ? validators[delegator] : 0);
      for (uint256 i; i < rewards.length; i++) {
        rewards[i].validatorAddress = "cosmosvaloper1xyz";
        rewards[i].reward = new DecCoin[](paidIn[delegator][i] < block.number ? 1 : 0);
      }
      return (rewards, total);
    }
    function delegatorValidators(address delegator) external view returns (string[] memory list) {
      list = new string[](validators[delegator]);
      for (uint256 i; i < list.length; i++) list[i] = "cosmosvaloper1xyz";
    }
  }
  contract Staking is Metered {
    event Delegate(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount, uint256 newShares);
    // Validators are numbers here, and the amount is sent as value.
    function delegate(address delegator, string memory, uint256 validator) external payable returns (bool) {
      burn(90_000);
      Distribution(${distribution}).touch(delegator, validator);
      emit Delegate(delegator, address(uint160(validator + 1)), msg.value, msg.value);
      return true;
    }
  }
  contract Vault {
    mapping(uint256 => uint256) slots;
    function join(uint256 from, uint256 to) external {
      for (; from < to; from++) Staking(${staking}).delegate(address(this), "", from);
    }
    receive() external payable {}
    function compound(uint256 validators) external {
      Distribution(${distribution}).claimRewards(address(this), 100);
      for (uint256 i; address(this).balance > 0 && i < validators; i++) {
        Staking(${staking}).delegate{value: address(this).balance / (validators - i)}(address(this), "", i);
      }
    }
    function claim() external { Distribution(${distribution}).claimRewards(address(this), 100); }
    function fill(uint256 n) external { for (uint256 i; i < n; i++) slots[i] = 1; }
    function clear(uint256 n) external { for (uint256 i; i < n; i++) delete slots[i]; }
  }
  contract Harvester {
    constructor() { Distribution(${distribution}).show(); }
    receive() external payable {}
    function join() external { Staking(${staking}).delegate(address(this), "", 0); }
    function harvest() external {
      uint256 before = address(this).balance;
      Distribution(${distribution}).claimRewards(address(this), 100);
      uint256 paid = address(this).balance - before;
      if (paid > 0) Staking(${staking}).delegate{value: paid}(address(this), "", 0);
    }
  }
  contract Router {
    Vault vault;
    constructor(Vault vault_) { vault = vault_; }
    function claim() external { vault.claim(); }
  }
  contract Worker {
    mapping(uint256 => uint256) slots;
    uint256 next;
    function work() external { for (uint256 i; i < 8; i++) slots[next++] = 1; }
  }
`);

/**
 * Tests gas limits for contracts that settle rewards, on one major of Hardhat.
 */
export function testContractRewards<C extends Client>({
  name: major,
  libraries: { Contract },
  start,
}: Major<C>): void {
  describe(`rewards settled by contracts on ${major}`, () => {
    let started: Started<C>;
    let node: EvmNode;
    let c: C;
    let miner: NodeJS.Timeout;

    // Mines only for transactions, so that each estimate runs on the block that
    // settled rewards.
    before(async () => {
      started = await start({ blockTimeMs: 0 });
      ({ node } = started);
      for (const [address, name] of [
        [staking, "Staking"],
        [distribution, "Distribution"],
      ] as const) {
        const at = await deployByOther(name);
        const code = await ask("eth_getCode", at, "latest");
        await ask("hardhat_setCode", address, code);
        await ask("hardhat_setBalance", address, "0xde0b6b3a7640000");
      }
      miner = setInterval(() => void mineWhatWaits(), 15);
      c = await started.connect();
    });
    after(async () => {
      clearInterval(miner);
      await c.close();
      await started.close();
    });

    /** Makes the next debug_traceCall fail. */
    const withoutTraces = () =>
      node.inject("debug_traceCall", {
        error: { code: -32000, message: "tracing is busy" },
      });

    const ask = async (method: string, ...params: unknown[]): Promise<any> =>
      await node.chain.request({ method, params });

    // One at a time: an extra block would follow the one that settled rewards.
    let mining: Promise<void> = Promise.resolve();
    async function mineWhatWaits(): Promise<void> {
      mining = mining.then(async () => {
        if (((await ask("eth_pendingTransactions")) as unknown[]).length > 0) {
          await node.mine();
        }
      });
      await mining;
    }

    /** Sends a transaction as another process would, unknown to this one. */
    async function sendByOther(transaction: object): Promise<any> {
      const hash = await ask("eth_sendTransaction", {
        from: OTHER,
        gas: "0x1c00000",
        ...transaction,
      });
      await mineWhatWaits();
      const receipt = await ask("eth_getTransactionReceipt", hash);
      assert.equal(receipt.status, "0x1");
      return receipt;
    }

    async function deployByOther(
      name: string,
      ...args: unknown[]
    ): Promise<string> {
      const { abi, bytecode } = CONTRACTS[name] ?? assert.fail(name);
      const { data } = await new ContractFactory(
        abi,
        bytecode,
      ).getDeployTransaction(...args);
      return (await sendByOther({ data })).contractAddress;
    }

    const at = async (address: string, name: string) =>
      new Contract(
        address,
        CONTRACTS[name]?.abi.formatJson(),
        await c.ethers.getSigner(SENDER),
      );
    const dataOf = (contract: any, method: string, ...args: unknown[]) =>
      contract.interface.encodeFunctionData(method, args);

    async function vaultOf(validators: number) {
      const address = await deployByOther("Vault");
      const vault = await at(address, "Vault");
      await sendByOther({
        to: address,
        data: dataOf(vault, "join", 0, validators),
      });
      return vault;
    }

    const receiptOf = async (sent: { hash: string }): Promise<any> => {
      for (;;) {
        const receipt = await c.provider.request({
          method: "eth_getTransactionReceipt",
          params: [sent.hash],
        });
        if (receipt !== null) {
          return receipt;
        }
      }
    };

    async function expectFree(sent: any): Promise<void> {
      const receipt = await receiptOf(sent);
      assert.equal(receipt.status, "0x1");
      assert.ok(
        sent.gasLimit <= 2n * BigInt(receipt.gasUsed),
        `the limit ${sent.gasLimit} costs nothing beyond the gas used, ${BigInt(receipt.gasUsed)}`,
      );
    }

    it("claims from 1 to 10 validators pass, the first of a process and later ones", async () => {
      for (let validators = 1; validators <= 10; validators++) {
        const vault = await vaultOf(validators);
        for (let i = 0; i < 3; i++) {
          await expectFree(await vault.claim());
        }
      }
    });

    it("claims that also stake what they are paid pass, though no estimate includes that", async () => {
      for (const validators of [1, 4, 10]) {
        const vault = await vaultOf(validators);
        for (let i = 0; i < 2; i++) {
          await expectFree(await vault.compound(validators));
        }
      }
    });

    it("claims that stake just what they are paid pass, after one look at a later block", async () => {
      const harvester = await at(await deployByOther("Harvester"), "Harvester");
      const to = await harvester.getAddress();
      await sendByOther({ to, data: dataOf(harvester, "join") });
      const later = setTimeout(() => void node.mine(), 300);
      await expectFree(await harvester.harvest());
      clearTimeout(later);
      for (let i = 0; i < 2; i++) {
        node.clear();
        await expectFree(await harvester.harvest());
        assert.equal(node.count("eth_estimateGas"), 2);
      }
    });

    it("claims would fail with the buffer alone", async () => {
      const vault = await vaultOf(4);
      const to = await vault.getAddress();
      const data = dataOf(vault, "claim");
      await sendByOther({ to, data });
      const estimate = BigInt(
        await ask("eth_estimateGas", { from: SENDER, to, data }, "latest"),
      );
      const sent = await vault.claim({ gasLimit: (estimate * 6n) / 5n });
      assert.equal((await receiptOf(sent)).status, "0x0");
    });

    it("a contract of a chain that is set back is not taken for the next one at its address", async () => {
      const snapshot = await ask("evm_snapshot");
      const old = await vaultOf(1);
      await expectFree(await old.claim());
      await ask("evm_revert", snapshot);
      node.inject("evm_revert", { result: true });
      await c.provider.request({ method: "evm_revert", params: [snapshot] });
      const vault = await vaultOf(8);
      assert.equal(await vault.getAddress(), await old.getAddress());
      await expectFree(await vault.claim());
    });

    it("a validator that is added counts at once", async () => {
      const vault = await vaultOf(1);
      await expectFree(await vault.claim());
      await expectFree(await vault.join(1, 8));
      await expectFree(await vault.claim());
    });

    it("a limit never costs anything beyond the gas used, refunds counted", async () => {
      const vault = await vaultOf(10);
      await expectFree(await vault.claim());
      await expectFree(await vault.fill(40));
      await expectFree(await vault.clear(40));
    });

    it("a process's first calls of a vault through another contract pass", async () => {
      for (const validators of [1, 4, 7, 10]) {
        const vault = await vaultOf(validators);
        const router = await at(
          await deployByOther("Router", await vault.getAddress()),
          "Router",
        );
        const to = await router.getAddress();
        await sendByOther({ to, data: dataOf(router, "claim") });
        await expectFree(await router.claim());
        await expectFree(await router.claim());
      }
    });

    it("a contract in between is known after its first transaction, where the node does not trace", async () => {
      withoutTraces();
      const vault = await vaultOf(6);
      const router = await at(
        await deployByOther("Router", await vault.getAddress()),
        "Router",
      );
      await receiptOf(await router.claim({ gasLimit: 2_000_000n }));
      await expectFree(await router.claim());
    });

    it("a contract in between is known after a failed transaction, by its trace", async () => {
      withoutTraces();
      const vault = await vaultOf(6);
      const router = await at(
        await deployByOther("Router", await vault.getAddress()),
        "Router",
      );
      const [to, from] = [await router.getAddress(), await vault.getAddress()];
      const data = dataOf(router, "claim");
      await sendByOther({ to, data });
      node.inject("debug_traceTransaction", {
        result: {
          type: "CALL",
          from: SENDER,
          to,
          input: data,
          calls: [
            {
              type: "CALL",
              from: to,
              to: from,
              input: data,
              calls: [
                { type: "CALL", from, to: distribution, input: "0x2efe8a5f" },
              ],
            },
          ],
        },
      });
      assert.equal((await receiptOf(await router.claim())).status, "0x0");
      await expectFree(await router.claim());
      // Reported as out of gas, though a part of the limit was left.
      assert.match(
        started.messages.at(-1) ?? "",
        /out of gas: \d+ of the limit of \d+ was used, which left too little for a call inside; the block needed more than the estimate of \d+\. Set dualstack\.gas\.multiplier/,
      );
    });

    it("calls that settle nothing need no extra requests", async () => {
      const counter = await (
        await c.ethers.getContractFactory(COUNTER.abi, COUNTER.bytecode)
      ).deploy(1);
      await counter.waitForDeployment();
      node.clear();
      await receiptOf(await counter.add(1));
      assert.equal(node.count("eth_call") + node.count("debug_traceCall"), 0);

      // A call that needs as much gas as a claim is traced once.
      const worker = await at(await deployByOther("Worker"), "Worker");
      for (let i = 0; i < 3; i++) {
        await expectFree(await worker.work());
      }
      assert.equal(node.count("eth_call") + node.count("debug_traceCall"), 1);
    });
  });
}
