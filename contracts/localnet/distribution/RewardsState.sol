// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The state of the distribution module; see Rewards.sol.
abstract contract RewardsState {
    // Numbers are packed, so that a change of a delegation writes few storage words. Those that everybody's changes write are
    // never zero, since the first change of a zero costs four times as much: the chain itself fills them beforehand.

    struct SlashEvent {
        uint48 height;
        uint48 period;
        uint160 ratio; // of the end of that period
        uint64 fraction;
    }

    struct Record {
        uint48 period; // the current one; 0: no such validator
        uint160 ratio; // rewards of one token until the current period began
        uint48 slashCount;
        uint192 current; // rewards of the current period
        uint40 settledAt; // when the rewards of time were last settled
        bool hasFees; // whether there is something in `fees`
        uint248 commission;
        bool commissionFilled;
        uint248 outstanding;
        bool outstandingFilled;
        mapping(uint256 index => SlashEvent) slashes;
        mapping(address delegator => Start) starts;
        mapping(address delegator => uint256) stakes; // 18 places, where they are not the shares
        mapping(address delegator => uint256) carried; // rewards from before the start, see DistributionImport
    }

    struct Start {
        uint160 ratio;
        uint40 period; // the one that had ended before
        uint40 height;
        bool apart; // whether the stake is in `stakes`
        bool carries; // whether there is something in `carried`
    }

    mapping(address operator => Record) internal records;
    /// With a bit set above the address, so that the zero address can be one.
    mapping(address delegator => uint256) internal withdrawAddress;
    uint248 internal communityPool_;
    bool internal withdrawAddressEnabled; // setWithdrawAddress is allowed

    // one word, which every settlement reads
    uint80 internal rate_; // rewards of time, a year and token, 18 places
    uint112 internal accrued_; // all that was ever minted
    uint64 internal communityTax; // of rewards of time and of fees, 18 places

    uint48 internal feesUntil; // on a fork: the block that `fees` were paid in
    mapping(address operator => uint256) internal fees; // what it gets of them when the next block begins, base units
}
