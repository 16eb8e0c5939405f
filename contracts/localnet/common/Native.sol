// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Settings} from "./Settings.sol";
import {IStakingKeeper, PAY_MAGIC} from "./Types.sol";

interface Vm {
    function readCallers() external returns (uint8 mode, address sender, address origin);

    function prank(address sender) external;

    function startPrank(address sender) external;

    function stopPrank() external;
}

/// Moves native tokens within the transaction, whenever a module takes or gives some.
library Native {
    Vm private constant VM = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    uint8 private constant RECURRENT_PRANK = 4;

    /// Whether this runs in a Solidity test, where cheatcodes are available and a test function is one long transaction.
    function inSolidityTest() internal pure returns (bool) {
        return Settings.inSolidityTest();
    }

    /// What `actor` can spend: its balance minus what it owes at the end of this transaction.
    function spendable(address actor, uint256 owed) internal view returns (uint256) {
        uint256 balance = actor.balance;
        return balance > owed ? balance - owed : 0;
    }

    /// Takes `amount` from `actor` for the module account `to`. The caller has checked that it is there.
    function debit(address staking, address actor, address to, uint256 amount) internal {
        if (amount == 0) return;
        uint256 before = to.balance;
        if (inSolidityTest()) prankedPayment(actor, to, amount);
        else if (carriesPayer(actor)) askForPayment(actor, to, amount);
        else IStakingKeeper(staking).defer(actor, to, amount);
        require(to.balance == before + amount, "local precompiles: the account that has to pay still has the tokens");
    }

    /// Whether `actor` runs a payer's code, which ends with PAY_MAGIC: through a designator (EIP-7702), or a minimal proxy
    /// (EIP-1167). Other code is never called, since it would be the user's.
    function carriesPayer(address actor) internal view returns (bool) {
        bytes32 magic = PAY_MAGIC;
        bytes32 end;
        assembly ("memory-safe") {
            extcodecopy(actor, 0, 0, 32)
            let begin := mload(0)
            let payer := 0
            if eq(shr(232, begin), 0xef0100) { payer := shr(96, shl(24, begin)) }
            if eq(shr(176, begin), 0x363d3d373d3d3d363d73) { payer := shr(96, shl(80, begin)) }
            if payer {
                let size := extcodesize(payer)
                if gt(size, 32) {
                    extcodecopy(payer, 0, sub(size, 32), 32)
                    end := mload(0)
                }
            }
        }
        return end == magic;
    }

    /// In Solidity tests: a payment in the actor's name.
    function prankedPayment(address actor, address to, uint256 amount) private {
        (uint8 mode,,) = VM.readCallers();
        if (mode == RECURRENT_PRANK) VM.startPrank(actor);
        else VM.prank(actor);
        (bool ok,) = to.call{value: amount}(abi.encodePacked(PAY_MAGIC));
        if (mode == RECURRENT_PRANK) VM.stopPrank();
        require(ok, "local precompiles: the account that has to pay could not");
    }

    /// For an actor that has a payer's code during this request.
    function askForPayment(address actor, address to, uint256 amount) private {
        require(ask(actor, amount, uint160(to)), "local precompiles: the account that has to pay did not");
    }

    /// A payment by a module account. No code of `to` runs.
    function pay(address from, address to, uint256 amount) internal {
        if (amount == 0) return;
        uint256 before = from.balance;
        bool ok = ask(from, uint160(to), amount);
        require(ok && from.balance + amount == before, "local precompiles: a module account cannot pay");
    }

    /// Calls an account with abi.encode(PAY_MAGIC, first, second), in few steps.
    function ask(address account, uint256 first, uint256 second) private returns (bool ok) {
        bytes32 magic = PAY_MAGIC;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, magic)
            mstore(add(input, 0x20), first)
            mstore(add(input, 0x40), second)
            ok := call(gas(), account, 0, input, 0x60, 0, 0)
        }
    }
}
