import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Interface, type InterfaceAbi, type JsonRpcProvider } from "ethers";

import { stakingAbi } from "../../src/precompiles/index.js";
import { precompileContract } from "../../src/precompiles/ethers/contract.js";
import { ACCOUNTS } from "../helpers/chain.js";

const plain = new Interface(stakingAbi as unknown as InterfaceAbi);
const VALIDATOR = "cosmosvaloper1xzhweyxl9qc9y23kqhr5qarra9lggetq9pu6dd";

/** Returns a precompile that answers with these values. */
function answering(method: string, values: readonly unknown[]) {
  const provider = {
    call: async () =>
      await Promise.resolve(plain.encodeFunctionResult(method, values)),
    resolveName: async (name: string) => await Promise.resolve(name),
  } as unknown as JsonRpcProvider;
  Object.assign(provider, { provider });
  return precompileContract(
    {
      address: "0x0000000000000000000000000000000000000800",
      abi: stakingAbi,
      probe: "0x",
      prefix: "cosmos",
    },
    provider,
  );
}

describe("fields that are named like methods of lists", () => {
  it("have their values, and the rest of the result is ethers'", async () => {
    const staking = answering("unbondingDelegation", [
      ["cosmos1…", VALIDATOR, [[12, 34, 5n, 4n, 1, 0]]],
    ]);
    const found = await staking.unbondingDelegation(ACCOUNTS[0], VALIDATOR);
    assert.equal(found.validatorAddress, VALIDATOR);
    assert.equal(found.entries.length, 1);
    assert.equal(found.entries[0]?.completionTime, 34n);
    const { entries } = found;
    assert.deepEqual(
      entries.map(({ balance }) => balance),
      [4n],
    );
    const [account, operator, [entry]] = found as unknown as [
      string,
      string,
      [{ readonly balance: bigint }],
    ];
    assert.deepEqual(
      [account, operator, entry.balance],
      ["cosmos1…", VALIDATOR, 4n],
    );
    const result = found as unknown as { toObject(deep: boolean): object };
    assert.deepEqual(Object.keys(result.toObject(true)), [
      "delegatorAddress",
      "validatorAddress",
      "entries",
    ]);
  });

  it("have them within lists, too", async () => {
    const entry = [12, 34, 5n, 4n];
    const staking = answering("redelegations", [
      [[["cosmos1…", "a", "b", [entry]], [[entry, 3n]]]],
      ["0x", 1],
    ]);
    const page = {
      key: "0x",
      offset: 0,
      limit: 1,
      countTotal: false,
      reverse: false,
    };
    const { response, pageResponse } = await staking.redelegations(
      ACCOUNTS[0],
      VALIDATOR,
      "",
      page,
    );
    assert.equal(pageResponse.total, 1n);
    assert.deepEqual(
      response.map(({ redelegation, entries }) => [
        redelegation.entries[0]?.initialBalance,
        entries[0]?.balance,
      ]),
      [[5n, 3n]],
    );
  });
});
