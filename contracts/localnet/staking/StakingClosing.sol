// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {StakingState} from "./StakingState.sol";
import {IDistributionClosing, IStakingClosing} from "../common/IClosing.sol";
import {BONDED, BONDED_POOL, DISTRIBUTION_ACCOUNT, GOVERNANCE_ACCOUNT, NOT_BONDED_POOL} from "../common/Types.sol";

/// What the engine reads after each transaction. For this one call it puts this code in the place of the staking precompile's,
/// and DistributionClosing in that of the distribution precompile's: the longer a code is, the longer a simulator takes to
/// call it.
contract StakingClosing is StakingState, IStakingClosing {
    address private immutable DISTRIBUTION;

    constructor(address distribution) {
        DISTRIBUTION = distribution;
    }

    function closing() external view returns (bytes32, bool, uint16, bool, uint256) {
        return (debts, setChanged, edition, isStakeThere(), GOVERNANCE_ACCOUNT.balance);
    }

    /// Whether the pools and the distribution module's account have what the books say.
    function isStakeThere() private view returns (bool) {
        uint256 bonded = 0;
        uint256 notBonded = unbondingTotal;
        address[] memory operators = new address[](validatorCount);
        uint256 count = 0;
        for (uint256 number = 1; number <= lastNumber; number++) {
            address operator = operatorAt[number];
            Validator storage v = validators[operator];
            if (v.number != number) continue; // gone
            if (v.status == BONDED) bonded += v.tokens;
            else notBonded += v.tokens;
            operators[count++] = operator;
        }
        return bonded == BONDED_POOL.balance && notBonded == NOT_BONDED_POOL.balance
            && IDistributionClosing(DISTRIBUTION).booked(operators) == DISTRIBUTION_ACCOUNT.balance;
    }
}
