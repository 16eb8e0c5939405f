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

    function closing(address[] calldata known) external view returns (bytes32, bool, uint16, bool, uint256, address[] memory operators) {
        bool balanced;
        (balanced, operators) = look(known);
        return (debts, setChanged, edition, balanced, GOVERNANCE_ACCOUNT.balance, operators);
    }

    /// Whether the pools and the distribution module's account have what the books say.
    function look(address[] calldata known) private view returns (bool balanced, address[] memory operators) {
        uint256 bonded = 0;
        uint256 notBonded = unbondingTotal;
        uint256 last = lastNumber;
        address[] memory live = new address[](last);
        uint256 count = 0;
        bool right = known.length == last;
        operators = new address[](last);
        for (uint256 i = 0; i < last; i++) {
            address operator = i < known.length ? known[i] : address(0);
            // a number belongs to one operator, so a validator with this number is the right one
            if (validators[operator].number != i + 1) {
                operator = operatorAt[i + 1];
                if (right && operator != known[i]) right = false;
            }
            operators[i] = operator;
            Validator storage v = validators[operator];
            if (v.number != i + 1) continue; // gone
            if (v.status == BONDED) bonded += v.tokens;
            else notBonded += v.tokens;
            live[count++] = operator;
        }
        assembly ("memory-safe") {
            mstore(live, count)
            if right { mstore(operators, 0) }
        }
        balanced = bonded == BONDED_POOL.balance && notBonded == NOT_BONDED_POOL.balance
            && IDistributionClosing(DISTRIBUTION).booked(live) == DISTRIBUTION_ACCOUNT.balance;
    }
}
