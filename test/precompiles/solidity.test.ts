import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { EventFragment, FunctionFragment } from "ethers";

import { PRECOMPILES } from "../../src/precompiles/index.js";
import { COMPILERS, compileWith, IMPORTS, INTERFACES } from "./solidity.js";

/**
 * A user's contract that calls each interface; its own names must not clash
 * with ours.
 */
const USER = `${IMPORTS}
struct Validator { uint256 mine; }
struct Params { uint256 mine; }
contract User {
  function addresses() external pure returns (address[12] memory) {
    return [
      STAKING_ADDRESS, address(STAKING), DISTRIBUTION_ADDRESS, address(DISTRIBUTION),
      GOVERNANCE_ADDRESS, address(GOVERNANCE), BECH32_ADDRESS, address(BECH32),
      BANK_ADDRESS, address(BANK), SLASHING_ADDRESS, address(SLASHING)
    ];
  }
  function use(string calldata validator, uint64 proposal) external returns (uint256) {
    require(STAKING.delegate(address(this), validator, 1 ether));
    (uint256 shares, Coin memory balance) = STAKING.delegation(address(this), validator);
    IStaking.Validator memory v = STAKING.validator(address(this));
    require(v.status == IStaking.BondStatus.Bonded);
    Coin[] memory paid = DISTRIBUTION.withdrawDelegatorRewards(address(this), validator);
    DecCoin[] memory pool = DISTRIBUTION.communityPool();
    (IDistribution.DelegationDelegatorReward[] memory rewards, ) = DISTRIBUTION.delegationTotalRewards(address(this));
    require(GOVERNANCE.vote(address(this), proposal, IGovernance.VoteOption.Yes, ""));
    (IGovernance.ProposalData[] memory proposals, PageResponse memory page) =
      GOVERNANCE.getProposals(0, address(0), address(0), PageRequest("", 0, 10, false, false));
    require(BECH32.bech32ToHex(BECH32.hexToBech32(address(this), "cosmos")) == address(this));
    require(SLASHING.unjail(address(this)) && SLASHING.getParams().signedBlocksWindow > 0);
    IBank.Balance[] memory coins = BANK.balances(address(this));
    return coins.length + shares + balance.amount + paid.length + pool.length + rewards.length + proposals.length + page.total;
  }
}`;

for (const compiler of COMPILERS) {
  describe(`the interfaces for contracts, compiled by ${compiler}`, () => {
    it("compile without an error or a warning, alone and in a user's contract", async () => {
      const { messages, contracts, version } = await compileWith(
        compiler,
        USER,
      );
      assert.deepEqual(messages, [], version);
      assert.ok(
        (contracts["User.sol"]?.["User"]?.evm.bytecode.object.length ?? 0) > 0,
      );
    });

    for (const [name, contract] of Object.entries(INTERFACES) as [
      keyof typeof INTERFACES,
      string,
    ][]) {
      it(`${contract} is the ABI of ${name}`, async () => {
        const { contracts } = await compileWith(compiler, IMPORTS);
        const abi =
          contracts[`hardhat-dualstack/contracts/${contract}.sol`]?.[contract]
            ?.abi;
        assert.ok(abi !== undefined);
        // Names, types, order, mutability and indexed parameters; selectors and
        // topics follow from these.
        assert.deepEqual(shape(abi), shape(PRECOMPILES[name].abi));
      });
    }
  });
}

describe("the lowest and the newest compiler", () => {
  it("have the versions that they stand for", async () => {
    const [lowest, , newest] = await Promise.all(
      COMPILERS.map(async (c) => (await compileWith(c, IMPORTS)).version),
    );
    assert.match(lowest ?? "", /^0\.8\.20\+/);
    assert.ok(Number(/^0\.8\.(\d+)/.exec(newest ?? "")?.[1]) > 30, newest);
  });
});

function shape(abi: readonly any[]): string[] {
  return abi
    .map((entry) => {
      const fragment =
        entry.type === "event"
          ? EventFragment.from(entry)
          : FunctionFragment.from(entry);
      return fragment.format("full");
    })
    .sort();
}
