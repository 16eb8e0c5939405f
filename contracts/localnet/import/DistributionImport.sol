// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Module} from "../common/Module.sol";
import {Rewards} from "../distribution/Rewards.sol";
import {IDistributionKeeper} from "../common/Types.sol";

/// Writes another chain's distribution state into the books here; see StakingImport. Amounts of rewards have 18 more places
/// than base units.
contract DistributionImport is Rewards {
    struct ImportedSlash {
        uint64 height;
        uint64 period;
        uint256 ratio;
        uint256 fraction;
    }

    struct ImportedRecord {
        address operator;
        uint64 period;
        uint256 ratio;
        uint256 current;
        uint256 commission;
        uint256 outstanding;
        uint256 fees; // its part of those that the chain's last block paid, base units
        ImportedSlash[] slashes;
    }

    /// A delegation's beginning. If only its rewards until now are known, and not their history, they are `carried`, and it
    /// begins now.
    struct ImportedStart {
        address operator;
        uint256 ratio;
        uint64 period;
        uint64 height;
        uint256 shares;
        uint256 stake;
        uint256 carried;
    }

    constructor(address staking_, address distribution, address governance) Module(staking_, distribution, governance) {}

    function kindOf(bytes4) internal pure override returns (Kind) {
        return Kind.Unknown;
    }

    /// Never reached: there are no methods.
    function run(bytes4, bytes memory) internal pure override returns (bytes memory) {
        return "";
    }

    struct ImportedRate {
        uint256 rewardRate;
        uint64 time;
        uint64 communityTax;
        uint48 height;
    }

    /// `rate`: what is earned from then on, including tax; `height`: of the chain's last block.
    function importDistribution(ImportedRate calldata rate, uint256 communityPool, ImportedRecord[] calldata list) external onlySystem {
        IDistributionKeeper(self()).configure(rate.rewardRate);
        (communityPool_, communityTax, feesUntil) = (fit(communityPool), rate.communityTax, rate.height);
        for (uint256 i = 0; i < list.length; i++) {
            ImportedRecord calldata from = list[i];
            require(from.ratio <= type(uint160).max && from.current <= type(uint192).max, "local precompiles: a number is too large");
            Record storage r = records[from.operator];
            (r.period, r.ratio, r.current) = (uint48(from.period), uint160(from.ratio), uint192(from.current));
            (r.settledAt, r.commissionFilled, r.outstandingFilled) = (uint40(rate.time), true, true);
            (r.commission, r.outstanding) = (fit(from.commission), fit(from.outstanding));
            if (from.fees > 0) (fees[from.operator], r.hasFees) = (from.fees, true);
            for (uint256 j = 0; j < from.slashes.length; j++) {
                ImportedSlash calldata s = from.slashes[j];
                require(s.ratio <= type(uint160).max && s.fraction <= type(uint64).max, "local precompiles: a number is too large");
                noteSlash(r, SlashEvent(uint48(s.height), uint48(s.period), uint160(s.ratio), uint64(s.fraction)));
            }
        }
    }

    /// `account`: who gets the rewards, if that was set.
    function importDelegator(address delegator, bool set, address account, ImportedStart[] calldata list) external onlySystem {
        if (set) noteWithdrawAddress(delegator, account);
        for (uint256 i = 0; i < list.length; i++) {
            ImportedStart calldata from = list[i];
            require(from.ratio <= type(uint160).max, "local precompiles: a number is too large");
            Record storage r = records[from.operator];
            bool apart = from.stake != from.shares;
            bool carries = from.carried != 0;
            if (apart) r.stakes[delegator] = from.stake;
            if (carries) r.carried[delegator] = from.carried;
            r.starts[delegator] = Start(uint160(from.ratio), uint40(from.period), uint40(from.height), apart, carries);
        }
    }
}
