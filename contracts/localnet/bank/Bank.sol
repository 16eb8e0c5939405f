// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBank} from "../../IBank.sol";
import {Abi} from "../codec/Abi.sol";
import {Module} from "../common/Module.sol";
import {Native} from "../common/Native.sol";
import {IStakingKeeper, RESERVE} from "../common/Types.sol";

/// The bank precompile. Only the native coin is an ERC-20 token here as well; balances are the accounts' own.
contract Bank is Module {
    /// The native coin's token, as on a new chain of the family.
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    address private immutable BANK;

    constructor(address staking, address distribution, address governance, address bank) Module(staking, distribution, governance) {
        BANK = bank;
    }

    function self() internal view override returns (address) {
        return BANK;
    }

    function kindOf(bytes4 s) internal pure override returns (Kind) {
        return s == IBank.balances.selector || s == IBank.supplyOf.selector || s == IBank.totalSupply.selector ? Kind.View : Kind.Unknown;
    }

    function run(bytes4 s, bytes memory args) internal view override returns (bytes memory) {
        IStakingKeeper keeper = IStakingKeeper(STAKING);
        if (s == IBank.totalSupply.selector) return abi.encode(coins(keeper.supply(uint64(block.timestamp))));
        Abi.checkNotEmpty(args);
        address account = Abi.addr(args, 0);
        if (s == IBank.balances.selector) return abi.encode(coins(account == RESERVE ? 0 : Native.spendable(account, keeper.owed(account))));
        return abi.encode(account == NATIVE ? keeper.supply(uint64(block.timestamp)) : 0);
    }

    /// The bank does not list coins without any supply.
    function coins(uint256 amount) private pure returns (IBank.Balance[] memory list) {
        if (amount == 0) return list;
        list = new IBank.Balance[](1);
        list[0] = IBank.Balance(NATIVE, amount);
    }
}
