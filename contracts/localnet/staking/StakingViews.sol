// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IStaking} from "../../IStaking.sol";
import {Coin, PageRequest, PageResponse} from "../../Types.sol";
import {Abi} from "../codec/Abi.sol";
import {Account} from "../codec/Account.sol";
import {Base64} from "../codec/Base64.sol";
import {Paging} from "../common/Paging.sol";
import {Queue} from "../common/Queue.sol";
import {Text} from "../codec/Text.sol";
import {BONDED, UNBONDED, UNBONDING} from "../common/Types.sol";
import {Validators} from "./Validators.sol";

/// The queries of the staking precompile, at any time and in any frame.
abstract contract StakingViews is Validators {
    using Queue for Queue.Heap;

    function isView(bytes4 s) internal pure returns (bool) {
        return s == IStaking.delegation.selector || s == IStaking.unbondingDelegation.selector || s == IStaking.validator.selector
            || s == IStaking.validators.selector || s == IStaking.redelegation.selector || s == IStaking.redelegations.selector;
    }

    function answer(bytes4 s, bytes memory args) internal view returns (bytes memory) {
        if (s == IStaking.delegation.selector) return delegation(args);
        if (s == IStaking.unbondingDelegation.selector) return unbondingDelegation(args);
        if (s == IStaking.validator.selector) return validator(args);
        if (s == IStaking.validators.selector) return validatorsPage(args);
        if (s == IStaking.redelegation.selector) return redelegation(args);
        return redelegationsPage(args);
    }

    function delegation(bytes memory args) private view returns (bytes memory) {
        (address delegator, address operator) = pairArgument(args);
        uint256 owned = sharesOf(delegator, operator);
        uint256 tokens = owned == 0 ? 0 : tokensFromShares(validators[operator], owned);
        return abi.encode(owned, Coin(chainDenom(), tokens));
    }

    function pairArgument(bytes memory args) private pure returns (address delegator, address operator) {
        string memory text;
        (delegator, text) = (Abi.addr(args, 0), Abi.text(args, 32));
        requireAddress(delegator, "invalid delegator address: ");
        if (bytes(text).length == 0) Text.fail("rpc error: code = InvalidArgument desc = validator address cannot be empty");
        string memory failure;
        (failure, operator) = Account.readOperator(chainPrefix(), text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }

    function unbondingDelegation(bytes memory args) private view returns (bytes memory) {
        (address delegator, address operator) = pairArgument(args);
        mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, operator)];
        uint256 count = held[delegator][operator].unbondings;
        IStaking.UnbondingDelegationOutput memory info;
        if (count == 0) return abi.encode(info);
        info.delegatorAddress = Account.text(chainPrefix(), delegator);
        info.validatorAddress = Account.operatorText(chainPrefix(), operator);
        info.entries = new IStaking.UnbondingDelegationEntry[](count);
        for (uint256 i = 0; i < count; i++) {
            UnbondingEntry storage e = entries[i];
            info.entries[i] =
                IStaking.UnbondingDelegationEntry(int64(uint64(e.creationHeight)), int64(uint64(e.completionTime)), initialBalanceOf(e), e.balance, e.id, 0);
        }
        return abi.encode(info);
    }

    // ---- validators

    function validator(bytes memory args) private view returns (bytes memory) {
        address operator = Abi.addr(args, 0);
        requireAddress(operator, "invalid validator address: ");
        return abi.encode(validatorInfo(operator));
    }

    function validatorInfo(address operator) private view returns (IStaking.Validator memory info) {
        Validator storage v = validators[operator];
        if (v.status == 0) return info;
        info.operatorAddress = Text.checksummed(operator);
        info.consensusPubkey = Base64.encode(v.pubkey);
        (info.jailed, info.status, info.tokens, info.delegatorShares) = (v.jailed, IStaking.BondStatus(v.status), v.tokens, allShares(v));
        info.description = descriptionOf(v);
        (info.unbondingHeight, info.unbondingTime) = (int64(v.unbondingHeight), int64(v.unbondingTime));
        (info.commission, info.minSelfDelegation) = (v.rate, v.minSelfDelegation);
    }

    function validatorsPage(bytes memory args) private view returns (bytes memory) {
        (string memory status, PageRequest memory page) = (Abi.text(args, 0), Abi.page(args, 32));
        if (page.key.length == 1 && page.key[0] == 0) page.key = "";
        uint8 wanted = statusArgument(status);
        Paging.requireOneStart(page);
        address[] memory all = operators();
        bytes[] memory keys = new bytes[](all.length);
        bool[] memory hits = new bool[](all.length);
        for (uint256 i = 0; i < keys.length; i++) {
            keys[i] = Paging.key(all[i]);
            hits[i] = wanted == 0 || validators[all[i]].status == wanted;
        }
        (uint256[] memory chosen, PageResponse memory response) = Paging.select(keys, hits, page, true);
        IStaking.Validator[] memory list = new IStaking.Validator[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) list[i] = validatorInfo(all[chosen[i]]);
        return abi.encode(list, response);
    }

    function statusArgument(string memory status) private pure returns (uint8) {
        if (bytes(status).length == 0) return 0;
        if (Text.equal(status, "BOND_STATUS_BONDED")) return BONDED;
        if (Text.equal(status, "BOND_STATUS_UNBONDED")) return UNBONDED;
        if (!Text.equal(status, "BOND_STATUS_UNBONDING")) {
            Text.fail(string.concat("rpc error: code = InvalidArgument desc = invalid validator status ", status));
        }
        return UNBONDING;
    }

    // ---- redelegations

    function redelegation(bytes memory args) private view returns (bytes memory) {
        (address delegator, string memory sourceText, string memory destinationText) = (Abi.addr(args, 0), Abi.text(args, 32), Abi.text(args, 64));
        requireAddress(delegator, "invalid delegator address: ");
        Moves[] memory found = movesBetween(delegator, strict(sourceText), strict(destinationText));
        IStaking.Redelegation memory info;
        if (found.length == 0) return abi.encode(info);
        Moves memory m = found[0];
        info = redelegationNames(m);
        info.entries = new IStaking.RedelegationEntry[](m.entries.length);
        for (uint256 i = 0; i < m.entries.length; i++) info.entries[i] = entryInfo(m.entries[i]);
        return abi.encode(info);
    }

    /// What a delegator moves from one validator to another.
    struct Moves {
        address delegator;
        address source;
        address destination;
        Redelegation[] entries;
    }

    /// A delegator's redelegations, those between two validators together.
    function movesOf(address delegator) private view returns (Moves[] memory found) {
        Redelegation[] memory list = redelegations[delegator];
        uint256 count = 0;
        found = new Moves[](list.length);
        for (uint256 i = 0; i < list.length; i++) {
            (address source, address destination) = (operatorAt[list[i].source], operatorAt[list[i].destination]);
            uint256 k = 0;
            while (k < count && (found[k].source != source || found[k].destination != destination)) k++;
            if (k == count) found[count++] = Moves(delegator, source, destination, new Redelegation[](0));
            found[k].entries = appended(found[k].entries, list[i]);
        }
        assembly ("memory-safe") {
            mstore(found, count)
        }
    }

    /// One or none.
    function movesBetween(address delegator, address source, address destination) private view returns (Moves[] memory found) {
        Moves[] memory all = movesOf(delegator);
        for (uint256 i = 0; i < all.length; i++) {
            if (all[i].source != source || all[i].destination != destination) continue;
            found = new Moves[](1);
            found[0] = all[i];
        }
    }

    function appended(Redelegation[] memory list, Redelegation memory r) private pure returns (Redelegation[] memory longer) {
        longer = new Redelegation[](list.length + 1);
        for (uint256 i = 0; i < list.length; i++) longer[i] = list[i];
        longer[list.length] = r;
    }

    /// Of all delegators.
    function movesFrom(address source) private view returns (Moves[] memory found) {
        uint192[] memory delegators = redelegationQueue.all();
        Moves[][] memory each = new Moves[][](delegators.length);
        uint256 total = 0;
        for (uint256 i = 0; i < delegators.length; i++) {
            each[i] = movesOf(address(uint160(delegators[i])));
            total += each[i].length;
        }
        found = new Moves[](total);
        uint256 count = 0;
        for (uint256 i = 0; i < each.length; i++) {
            for (uint256 j = 0; j < each[i].length; j++) if (each[i][j].source == source) found[count++] = each[i][j];
        }
        assembly ("memory-safe") {
            mstore(found, count)
        }
    }

    function strict(string memory text) private pure returns (address operator) {
        string memory failure;
        (failure, operator) = Account.readStrict(string.concat(chainPrefix(), "valoper"), text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }

    function redelegationNames(Moves memory m) private pure returns (IStaking.Redelegation memory info) {
        string memory base = chainPrefix();
        info.delegatorAddress = Account.text(base, m.delegator);
        info.validatorSrcAddress = Account.operatorText(base, m.source);
        info.validatorDstAddress = Account.operatorText(base, m.destination);
    }

    function entryInfo(Redelegation memory r) private view returns (IStaking.RedelegationEntry memory) {
        return IStaking.RedelegationEntry(int64(uint64(r.creationHeight)), int64(uint64(r.completionTime)), r.initialBalance, sharesDstOf(r));
    }

    /// Three ways of the framework: one redelegation, all from a validator, or all of a delegator (whatever the others say).
    function redelegationsPage(bytes memory args) private view returns (bytes memory) {
        address delegator = Abi.addr(args, 0);
        (string memory sourceText, string memory destinationText) = (Abi.text(args, 32), Abi.text(args, 64));
        PageRequest memory page = Abi.page(args, 96);
        bool hasSource = bytes(sourceText).length != 0;
        bool hasDestination = bytes(destinationText).length != 0;
        if (delegator == address(0) && !hasSource) {
            Text.fail("invalid query. Need to specify at least a source validator address or delegator address");
        }
        Moves[] memory found;
        PageResponse memory response;
        if (delegator != address(0) && hasSource && hasDestination) {
            found = exact(delegator, sourceText, destinationText);
        } else if (delegator == address(0) && !hasDestination) {
            (found, response) = pageOf(movesFrom(queried(sourceText)), page, false);
        } else {
            if (delegator == address(0)) internalError("empty address string is not allowed: invalid address");
            (found, response) = pageOf(movesOf(delegator), page, true);
        }
        IStaking.RedelegationResponse[] memory list = new IStaking.RedelegationResponse[](found.length);
        for (uint256 i = 0; i < found.length; i++) list[i] = redelegationResponse(found[i]);
        return abi.encode(list, response);
    }

    function exact(address delegator, string memory sourceText, string memory destinationText) private view returns (Moves[] memory found) {
        address source = queried(sourceText);
        found = movesBetween(delegator, source, queried(destinationText));
        if (found.length == 0) {
            internalError(
                string.concat(
                    "rpc error: code = NotFound desc = redelegation not found for delegator address ",
                    Account.text(chainPrefix(), delegator),
                    " from validator address ",
                    sourceText
                )
            );
        }
    }

    function queried(string memory text) private pure returns (address operator) {
        string memory failure;
        (failure, operator) = Account.readOperator(chainPrefix(), text);
        if (bytes(failure).length != 0) internalError(failure);
    }

    function internalError(string memory reason) private pure {
        Text.fail(string.concat("rpc error: code = Internal desc = ", reason));
    }

    /// Keys of the store: of a delegator by source and destination, of a source by delegator and destination.
    function pageOf(Moves[] memory list, PageRequest memory page, bool ofDelegator)
        private
        pure
        returns (Moves[] memory found, PageResponse memory response)
    {
        Paging.requireOneStart(page);
        bytes[] memory keys = new bytes[](list.length);
        for (uint256 i = 0; i < list.length; i++) {
            Moves memory m = list[i];
            bytes memory key = abi.encodePacked(Paging.key(ofDelegator ? m.source : m.delegator), Paging.key(m.destination));
            uint256 j = i;
            for (; j > 0 && Paging.less(key, keys[j - 1]); j--) (keys[j], list[j]) = (keys[j - 1], list[j - 1]);
            (keys[j], list[j]) = (key, m);
        }
        uint256[] memory chosen;
        (chosen, response) = Paging.select(keys, page);
        found = new Moves[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) found[i] = list[chosen[i]];
    }

    function redelegationResponse(Moves memory m) private view returns (IStaking.RedelegationResponse memory response) {
        response.redelegation = redelegationNames(m);
        response.entries = new IStaking.RedelegationEntryResponse[](m.entries.length);
        for (uint256 i = 0; i < m.entries.length; i++) {
            uint256 balance = tokensFromShares(validators[m.destination], sharesDstOf(m.entries[i]));
            response.entries[i] = IStaking.RedelegationEntryResponse(entryInfo(m.entries[i]), balance);
        }
    }
}
