import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Interface, Wallet } from "ethers";

import { compileJson } from "../helpers/solc.js";
import { STAKING, token, using, VALOPER } from "./actions.js";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IStaking {
  function delegate(address, string memory, uint256) external returns (bool);
}

contract Staker {
  function stake(string memory to, uint256 amount, bool fails) external payable {
    IStaking(${STAKING}).delegate(address(this), to, amount);
    require(!fails, "after the stake");
  }
}
`;

/** Returns what a project's build of the contract gives to Hardhat. */
function build() {
  const input = {
    language: "Solidity",
    sources: { "contracts/Staker.sol": { content: SOURCE } },
    settings: {
      evmVersion: "prague",
      outputSelection: {
        "*": {
          "": ["ast"],
          "*": [
            "abi",
            "evm.bytecode",
            "evm.deployedBytecode",
            "evm.methodIdentifiers",
          ],
        },
      },
    },
  };
  const output = JSON.parse(compileJson(JSON.stringify(input)));
  const { abi, evm } = output.contracts["contracts/Staker.sol"].Staker;
  return {
    input,
    output,
    abi: new Interface(abi),
    bytecode: `0x${evm.bytecode.object}`,
  };
}

const linesOf = (error: unknown) =>
  String((error as Error).stack)
    .split("\n")
    .filter((line) => /\(0x|\.sol:|Unrecognized/.test(line))
    .map((line) => line.trim());

describe("the stack trace of a failure", () => {
  const { input, output, abi, bytecode } = build();
  const line = (text: string) =>
    SOURCE.split("\n").findIndex((each) => each.includes(text)) + 1;

  it("names precompiles, and the user's contract once, with file and line", async () => {
    await using({}, async ({ connection, rpc, accounts: [from = ""] }) => {
      const { provider } = connection as any;
      await provider.addCompilationResult("0.8.30", input, output);
      const hash = await rpc("eth_sendTransaction", { from, data: bytecode });
      const { contractAddress: to } = await rpc(
        "eth_getTransactionReceipt",
        hash,
      );
      const stake = async (validator: string, fails: boolean) =>
        await rpc("eth_sendTransaction", {
          from,
          to,
          value: `0x${token("1").toString(16)}`,
          data: abi.encodeFunctionData("stake", [validator, token("1"), fails]),
        }).then(
          () => assert.fail("it went well"),
          (error: unknown) => linesOf(error),
        );
      // The module refuses before anything is paid.
      assert.deepEqual(await stake("nobody", false), [
        `at staking (${STAKING})`,
        `at Staker.stake (contracts/Staker.sol:${line(".delegate(address")})`,
      ]);
      // The contract fails after it has paid, in its own code.
      assert.deepEqual(await stake(VALOPER, true), [
        `at Staker.stake (contracts/Staker.sol:${line("require(")})`,
      ]);
    });
  });

  it("names a precompile that is called directly, and leaves other contracts unknown", async () => {
    await using({}, async ({ rpc, accounts: [from = ""] }) => {
      await assert.rejects(
        rpc("eth_call", { from, to: STAKING, data: "0x12345678" }, "latest"),
        (error) => {
          assert.deepEqual(linesOf(error), [`at staking (${STAKING})`]);
          return true;
        },
      );
      const other = Wallet.createRandom().address.toLowerCase();
      await rpc("hardhat_setCode", other, "0x5f5ffd");
      await assert.rejects(
        rpc("eth_call", { from, to: other }, "latest"),
        (error) => {
          assert.deepEqual(linesOf(error), [
            `at <UnrecognizedContract>.<unknown> (${other})`,
          ]);
          return true;
        },
      );
    });
  });
});
