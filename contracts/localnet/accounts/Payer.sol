// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Account} from "../codec/Account.sol";
import {PAY_MAGIC, RESERVE} from "../common/Types.sol";

/// The code that the engine puts at an account that has to pay a module, for one request only. When a module calls it with
/// (PAY_MAGIC, amount, module account), the account pays.
abstract contract Paying {
    address private immutable STAKING;
    address private immutable DISTRIBUTION;
    address private immutable GOVERNANCE;

    constructor(address staking, address distribution, address governance) {
        (STAKING, DISTRIBUTION, GOVERNANCE) = (staking, distribution, governance);
    }

    /// Pays if this call asks for it. True also for a silent payment by a module account.
    function payIfAsked() internal returns (bool) {
        if (msg.data.length == 32 && bytes32(msg.data) == PAY_MAGIC && (Account.isModule(msg.sender) || msg.sender == RESERVE)) return true;
        if (msg.sender != STAKING && msg.sender != DISTRIBUTION && msg.sender != GOVERNANCE) return false;
        if (msg.data.length != 96 || bytes32(msg.data[:32]) != PAY_MAGIC) return false;
        (uint256 amount, address module) = abi.decode(msg.data[32:], (uint256, address));
        (bool paid,) = module.call{value: amount}(abi.encodePacked(PAY_MAGIC));
        require(paid, "local precompiles: the account that has to pay cannot");
        return true;
    }
}

/// The code that an account's EIP-7702 designator points to, for one request. Otherwise the account behaves as without code.
contract Payer is Paying {
    constructor(address staking, address distribution, address governance) Paying(staking, distribution, governance) {}

    fallback() external payable {
        payIfAsked();
    }
}

/// The code behind the minimal proxy that stands at a contract for one transaction, while the contract's own code is at
/// SHADOW.
contract ShadowPayer is Paying {
    address private immutable SHADOW;

    constructor(address staking, address distribution, address governance, address shadow) Paying(staking, distribution, governance) {
        SHADOW = shadow;
    }

    fallback() external payable {
        if (payIfAsked()) return;
        address shadow = SHADOW;
        assembly ("memory-safe") {
            let p := mload(0x40)
            calldatacopy(p, 0, calldatasize())
            let ok := delegatecall(gas(), shadow, p, calldatasize(), 0, 0)
            returndatacopy(p, 0, returndatasize())
            if ok { return(p, returndatasize()) }
            revert(p, returndatasize())
        }
    }
}
