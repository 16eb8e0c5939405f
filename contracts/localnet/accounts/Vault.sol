// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Native} from "../common/Native.sol";
import {PAY_MAGIC, TOUCH} from "../common/Types.sol";
import {Text} from "../codec/Text.sol";

/// Pays its value to an account without running that account's code, for payments by a module.
contract SilentPayment {
    constructor(address payable to) payable {
        assembly ("memory-safe") {
            selfdestruct(to)
        }
    }
}

/// The code of the module accounts and of the reserve. A module makes it pay with the calldata (PAY_MAGIC, to, amount). It
/// accepts value only with PAY_MAGIC, as the chain accepts none from users for these accounts. To everything else it answers
/// like an account without code.
contract Vault {
    address private immutable STAKING;
    address private immutable DISTRIBUTION;
    address private immutable GOVERNANCE;

    constructor(address staking, address distribution, address governance) {
        (STAKING, DISTRIBUTION, GOVERNANCE) = (staking, distribution, governance);
    }

    fallback() external payable {
        bytes32 magic;
        assembly ("memory-safe") {
            magic := calldataload(0)
        }
        if (magic != PAY_MAGIC) {
            if (msg.value != 0) Text.fail("module accounts are not allowed to receive funds: unauthorized");
            if (magic == TOUCH) touch();
            return;
        }
        if (msg.data.length != 96 || (msg.sender != STAKING && msg.sender != DISTRIBUTION && msg.sender != GOVERNANCE)) return;
        (address to, uint256 amount) = abi.decode(msg.data[32:], (address, uint256));
        uint256 size;
        assembly ("memory-safe") {
            size := extcodesize(to)
        }
        if (size == 0) {
            (bool paid,) = to.call{value: amount, gas: 0}("");
            if (paid) return;
        } else if (to.codehash == address(this).codehash || Native.carriesPayer(to)) {
            // another module account, or an account that accepts value silently during this request
            (bool moved,) = to.call{value: amount}(abi.encodePacked(PAY_MAGIC));
            require(moved, "local precompiles: a payment between module accounts failed");
            return;
        }
        new SilentPayment{value: amount}(payable(to));
    }

    /// Writes, which fails in a static frame; see Module.isStatic.
    function touch() private {
        assembly ("memory-safe") {
            tstore(0, 1)
        }
    }
}
