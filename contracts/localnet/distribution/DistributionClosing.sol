// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RewardsState} from "./RewardsState.sol";
import {IDistributionClosing} from "../common/IClosing.sol";
import {ONE} from "../common/Types.sol";

/// The distribution module's part of StakingClosing.
contract DistributionClosing is RewardsState, IDistributionClosing {
    function booked(address[] calldata operators) external view returns (uint256) {
        uint256 sum = communityPool_;
        for (uint256 i = 0; i < operators.length; i++) sum += records[operators[i]].outstanding;
        return sum / ONE;
    }
}
