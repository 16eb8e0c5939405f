// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The gas of precompile calls on the chain, and how calls that need less here are made to cost as much. Measured on a real
/// node: the rows of test/conformance/recordings/gas.json.gz minus the gas of the transaction itself and of the calldata,
/// which the chain charges itself: 2,000 and 30 per byte for transactions, 1,000 and 3 per byte for queries.
library Gas {
    // Additional gas of a change of a delegation, wherever it happens. `charge` adds it.

    /// A delegation that did not exist before.
    int256 internal constant FIRST = -20_970;
    /// A delegation of which nothing is left.
    int256 internal constant LAST = -22_804;
    /// Rewards paid out by a method that adds to a delegation or only withdraws.
    int256 internal constant REWARDS = 18_150;
    /// Rewards paid out by a method that takes from a delegation.
    int256 internal constant REWARDS_OF_UNBONDING = 23_119;
    /// Each delegation whose rewards are claimed.
    int256 internal constant CLAIM = 48_148;
    /// A deposit that starts the voting period.
    int256 internal constant ACTIVATION = 20_042;

    /// A calling contract needs this much more gas available than the call uses: the node counts the gas of reading the
    /// contract.
    uint256 private constant AT_HAND = 40_000;

    bytes32 private constant CHARGED = keccak256("hardhat-dualstack.charged");

    /// Begins a call that may write.
    function reset() internal {
        bytes32 slot = CHARGED;
        assembly ("memory-safe") {
            tstore(slot, 0)
        }
    }

    function charge(int256 amount) internal {
        bytes32 slot = CHARGED;
        assembly ("memory-safe") {
            tstore(slot, add(tload(slot), amount))
        }
    }

    function transaction(bytes4 selector, uint256 length) internal view returns (uint256) {
        bytes32 slot = CHARGED;
        int256 charged;
        assembly ("memory-safe") {
            charged := tload(slot)
        }
        int256 cost = int256(ofTransaction(selector, length) + 2000 + 30 * length) + charged;
        return cost > 0 ? uint256(cost) : 0;
    }

    function ofTransaction(bytes4 s, uint256 length) private pure returns (uint256) {
        if (s == 0x53266bbb) return 104_251; // delegate
        if (s == 0x3edab33c) return 139_608; // undelegate
        if (s == 0x54b826f5) return 208_145; // redelegate, where the second delegation was there before
        if (s == 0x12d58dfe) return 116_973; // cancelUnbondingDelegation
        if (s == 0xf7cd5516) return 120_922 + 20_970; // createValidator, with a first delegation
        if (s == 0xa50f05ac) return 13_362; // editValidator
        if (s == 0x2efe8a5f) return 7_253; // claimRewards
        if (s == 0x5a9d9a96) return 4_344; // setWithdrawAddress
        if (s == 0xb46a8d61) return 50_199; // withdrawDelegatorRewards
        if (s == 0x3ce4e3be) return 27_460; // withdrawValidatorCommission
        if (s == 0x2d2b079c) return 23_182; // fundCommunityPool
        if (s == 0x2eb1df52) return 38_056; // depositValidatorRewardsPool
        if (s == 0xa8fdc919) return 150 * length; // submitProposal: its text is stored
        if (s == 0xb24b0376) return 40_227; // deposit
        if (s == 0xa33e3086) return 59_150; // cancelProposal
        if (s == 0x9ec4d363) return 6_150; // vote
        if (s == 0x449ecfe6) return 24_000; // unjail: not measured, but counted from what it reads and writes
        return 5_910; // voteWeighted
    }

    /// `result`: length of the answer.
    function view_(bytes4 s, uint256 length, uint256 result) internal pure returns (uint256) {
        if (s == 0x27e235e3) return 2_851; // balances: the bank has a price for each token
        if (s == 0x62400e4c || s == 0x18160ddd) return 2_477; // supplyOf, totalSupply
        return ofView(s, result) + 1000 + 3 * length;
    }

    function ofView(bytes4 s, uint256 result) private pure returns (uint256) {
        if (s == 0x9ad563b4) return 20_702; // delegationRewards
        if (s == 0x54be1a28) return result < 300 ? 1_000 : 19_108 * ((result - 256) / 416); // delegationTotalRewards, by delegation
        if (s == 0x54212a89) return 21_921; // validatorDistributionInfo
        if (s == 0xba66a648) return 16_757; // getTallyResult
        if (s == 0x186b2167) return 3_870; // validators
        if (s == 0x241774e6) return 4_524; // delegation
        if (s == 0x3dd40f78 || s == 0x85b2d2da) return 3_113; // validatorCommission, validatorOutstandingRewards
        return 1_800; // the others: 1,003 to 3,790
    }

    /// Uses up the rest of `cost`, where `began` was the gas left at the beginning; out of gas if the caller gave less.
    function spend(uint256 began, uint256 cost) internal view {
        uint256 used = began - gasleft();
        if (msg.sender != tx.origin && began < cost + AT_HAND) outOfGas();
        if (cost < used + 700) return;
        uint256 rest = cost - used;
        if (rest > gasleft()) outOfGas();
        // memory of w words costs w²/512 + 3w, so one instruction can use up any amount
        assembly ("memory-safe") {
            let words := div(add(mload(0x40), 31), 32)
            let wanted := add(add(div(mul(words, words), 512), mul(3, words)), rest)
            let square := add(589824, mul(512, wanted))
            // not a loop, which takes more instructions
            let root := shr(1, add(8192, shr(13, square)))
            root := shr(1, add(root, div(square, root)))
            root := shr(1, add(root, div(square, root)))
            root := shr(1, add(root, div(square, root)))
            root := shr(1, add(root, div(square, root)))
            root := shr(1, add(root, div(square, root)))
            root := shr(1, add(root, div(square, root)))
            mstore(mul(32, sub(root, 769)), 0)
        }
    }

    function outOfGas() private pure {
        assembly ("memory-safe") {
            invalid()
        }
    }
}
