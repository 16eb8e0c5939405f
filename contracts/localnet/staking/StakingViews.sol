// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IStaking} from "../../IStaking.sol";
import {Coin, PageRequest, PageResponse} from "../../Types.sol";
import {Abi} from "../codec/Abi.sol";
import {Account} from "../codec/Account.sol";
import {Base64} from "../codec/Base64.sol";
import {Encoder} from "../codec/Encoder.sol";
import {Directory} from "../common/Directory.sol";
import {Paging} from "../common/Paging.sol";
import {Queue} from "../common/Queue.sol";
import {Text} from "../codec/Text.sol";
import {BONDED, SYSTEM, UNBONDED, UNBONDING} from "../common/Types.sol";
import {Validators} from "./Validators.sol";

/// The staking precompile's queries, at any time and in any frame.
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
        (address delegator, address operator) = pairArgument(directory_(), args);
        uint256 owned = sharesOf(delegator, operator);
        uint256 tokens = owned == 0 ? 0 : tokensFromShares(validators[operator], owned);
        return abi.encode(owned, Coin(chainDenom(), tokens));
    }

    function pairArgument(Directory.Book book, bytes memory args) private view returns (address delegator, address operator) {
        string memory text;
        (delegator, text) = (Abi.addr(args, 0), Abi.text(args, 32));
        requireAddress(delegator, "invalid delegator address: ");
        if (bytes(text).length == 0) Text.fail("rpc error: code = InvalidArgument desc = validator address cannot be empty");
        string memory failure;
        (failure, operator) = readOperator(book, text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }

    /// abi.encode of an UnbondingDelegationOutput.
    function unbondingDelegation(bytes memory args) private view returns (bytes memory out) {
        Directory.Book book = directory_();
        (address delegator, address operator) = pairArgument(book, args);
        uint256 count = held[delegator][operator].unbondings;
        if (count == 0) {
            IStaking.UnbondingDelegationOutput memory none;
            return abi.encode(none);
        }
        mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, operator)];
        string memory validatorText = operatorText(book, operator);
        string memory delegatorText = Account.text(chainPrefix(), delegator);
        out = Encoder.begin(3, 0x100 + 2 * bytes(validatorText).length + 192 * count);
        putName(out, 0, delegatorText);
        putName(out, 1, validatorText);
        Encoder.place(out, 2);
        Encoder.word(out, count);
        for (uint256 i = 0; i < count; i++) {
            UnbondingEntry storage e = entries[i];
            (uint256 balance, uint256 height, uint256 time, uint256 id) = (e.balance, e.creationHeight, e.completionTime, e.id);
            Encoder.word(Encoder.word(out, height), time);
            Encoder.word(Encoder.word(out, e.reduced ? initialBalances[id] : balance), balance);
            Encoder.word(Encoder.word(out, id), 0);
        }
    }

    // ---- validators

    function validator(bytes memory args) private view returns (bytes memory) {
        address operator = Abi.addr(args, 0);
        requireAddress(operator, "invalid validator address: ");
        return validatorAnswer(directory_(), operator);
    }

    /// A validator, as `validator` returns it.
    function validatorAnswer(Directory.Book book, address operator) private view returns (bytes memory out) {
        Validator storage v = validators[operator];
        if (v.edition < MAX_EDITION) out = Directory.answer(book, v.number, v.edition);
        if (out.length == 0) return abi.encode(validatorInfo(operator));
        (bool jailed, uint8 status, uint256 tokens, uint256 rate, uint256 shares_) = (v.jailed, v.status, v.tokens, v.rate, allShares(v));
        assembly ("memory-safe") {
            // after the length and the tuple's pointer: what changes often
            mstore(add(out, 0x80), jailed)
            mstore(add(out, 0xa0), status)
            mstore(add(out, 0xc0), tokens)
            mstore(add(out, 0xe0), shares_)
            mstore(add(out, 0x160), rate)
        }
    }

    /// See Directory.
    function directoryNow() internal view returns (bytes memory) {
        uint256 count = lastNumber;
        address[] memory list = new address[](count);
        uint8[] memory editions = new uint8[](count);
        bytes[] memory answers = new bytes[](count);
        string[] memory texts = new string[](count);
        address[] memory sorted = new address[](count);
        uint256 present = 0;
        for (uint256 i = 0; i < count; i++) {
            address operator = operatorAt[i + 1];
            list[i] = operator;
            texts[i] = Account.operatorText(chainPrefix(), operator);
            editions[i] = MAX_EDITION;
            Validator storage v = validators[operator];
            if (v.number != i + 1) continue;
            (editions[i], answers[i], sorted[present++]) = (v.edition, abi.encode(validatorInfo(operator)), operator);
        }
        assembly ("memory-safe") {
            mstore(sorted, present)
        }
        Paging.sort(sorted);
        uint16[] memory live = new uint16[](present);
        for (uint256 i = 0; i < present; i++) live[i] = validators[sorted[i]].number;
        return Directory.encode(list, editions, answers, texts, live);
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
        (bool whole, PageResponse memory response) = Paging.isAll(page, all.length);
        if (whole && wanted == 0) return validatorList(all, response);
        bytes[] memory keys = new bytes[](all.length);
        bool[] memory hits = new bool[](all.length);
        for (uint256 i = 0; i < keys.length; i++) {
            keys[i] = Paging.key(all[i]);
            hits[i] = wanted == 0 || validators[all[i]].status == wanted;
        }
        uint256[] memory chosen;
        (chosen, response) = Paging.select(keys, hits, page, true);
        address[] memory list = new address[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) list[i] = all[chosen[i]];
        return validatorList(list, response);
    }

    function validatorList(address[] memory list, PageResponse memory response) private view returns (bytes memory) {
        bytes[] memory answers = new bytes[](list.length);
        Directory.Book book = directory_();
        for (uint256 i = 0; i < answers.length; i++) answers[i] = validatorAnswer(book, list[i]);
        return Paging.encoded(answers, response);
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

    /// abi.encode of a RedelegationOutput.
    function redelegation(bytes memory args) private view returns (bytes memory out) {
        (address delegator, string memory sourceText, string memory destinationText) = (Abi.addr(args, 0), Abi.text(args, 32), Abi.text(args, 64));
        requireAddress(delegator, "invalid delegator address: ");
        Directory.Book book = directory_();
        (address source, address destination) = (strict(book, sourceText), strict(book, destinationText));
        Moves[] memory found = movesBetween(book, delegator, source, destination);
        if (found.length == 0) {
            IStaking.Redelegation memory none;
            return abi.encode(none);
        }
        Redelegation[] memory list = found[0].entries;
        uint256 count = list.length;
        out = Encoder.begin(4, 0x180 + 3 * bytes(sourceText).length + 128 * count);
        putName(out, 0, Account.text(chainPrefix(), delegator));
        putName(out, 1, operatorText(book, source));
        putName(out, 2, operatorText(book, destination));
        Encoder.place(out, 3);
        Encoder.word(out, count);
        for (uint256 i = 0; i < count; i++) {
            Redelegation memory r = list[i];
            Encoder.word(Encoder.word(out, r.creationHeight), r.completionTime);
            Encoder.word(Encoder.word(out, r.initialBalance), sharesDstOf(r));
        }
    }

    function putName(bytes memory out, uint256 field, string memory name) private pure {
        Encoder.place(out, field);
        Encoder.text(out, bytes(name), 0, bytes(name).length);
    }

    /// A delegator's redelegations from one validator to another.
    struct Moves {
        address delegator;
        address source;
        address destination;
        Redelegation[] entries;
    }

    /// A delegator's redelegations, grouped by pairs of validators.
    function movesOf(Directory.Book book, address delegator) private view returns (Moves[] memory found) {
        Redelegation[] memory list = redelegations[delegator];
        uint256 length = list.length;
        uint256 count = 0;
        assembly ("memory-safe") {
            found := mload(0x40)
            mstore(0x40, add(found, mul(32, add(length, 1))))
        }
        unchecked {
            for (uint256 i = 0; i < length; i++) {
                (uint16 source, uint16 destination) = (list[i].source, list[i].destination);
                if (source == 0) continue; // in a group already
                Redelegation[] memory entries;
                uint256 size = 0;
                assembly ("memory-safe") {
                    entries := mload(0x40)
                    mstore(0x40, add(entries, mul(32, add(sub(length, i), 1))))
                }
                for (uint256 j = i; j < length; j++) {
                    Redelegation memory r = list[j];
                    if (!sameOperator(r.source, source) || !sameOperator(r.destination, destination)) continue;
                    r.source = 0;
                    size++;
                    assembly ("memory-safe") {
                        mstore(add(entries, mul(32, size)), r)
                    }
                }
                Moves memory m = Moves(delegator, numbered(book, source), numbered(book, destination), entries);
                count++;
                assembly ("memory-safe") {
                    mstore(entries, size)
                    mstore(add(found, mul(32, count)), m)
                }
            }
        }
        assembly ("memory-safe") {
            mstore(found, count)
        }
    }

    /// One or none.
    function movesBetween(Directory.Book book, address delegator, address source, address destination) private view returns (Moves[] memory found) {
        Moves[] memory all = movesOf(book, delegator);
        for (uint256 i = 0; i < all.length; i++) {
            if (all[i].source != source || all[i].destination != destination) continue;
            found = new Moves[](1);
            found[0] = all[i];
        }
    }

    /// The redelegations of all delegators.
    function movesFrom(Directory.Book book, address source) private view returns (Moves[] memory found) {
        uint192[] memory delegators = redelegationQueue.all();
        Moves[][] memory each = new Moves[][](delegators.length);
        uint256 total = 0;
        for (uint256 i = 0; i < delegators.length; i++) {
            each[i] = movesOf(book, address(uint160(delegators[i])));
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

    function strict(Directory.Book book, string memory text) private view returns (address operator) {
        string memory failure;
        (failure, operator) = readStrictOperator(book, text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }

    /// The framework's three ways: one redelegation, all from a validator, or all of a delegator (whatever the other
    /// arguments are).
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
        Directory.Book book = directory_();
        if (delegator != address(0) && hasSource && hasDestination) {
            found = exact(book, delegator, sourceText, destinationText);
        } else if (delegator == address(0) && !hasDestination) {
            (found, response) = pageOf(movesFrom(book, queried(sourceText)), page, false);
        } else {
            if (delegator == address(0)) internalError("empty address string is not allowed: invalid address");
            (found, response) = pageOf(movesOf(book, delegator), page, true);
        }
        bytes[] memory list = new bytes[](found.length);
        for (uint256 i = 0; i < found.length; i++) list[i] = redelegationAnswer(book, found[i]);
        return Paging.encoded(list, response);
    }

    function exact(Directory.Book book, address delegator, string memory sourceText, string memory destinationText)
        private
        view
        returns (Moves[] memory found)
    {
        address source = queried(sourceText);
        found = movesBetween(book, delegator, source, queried(destinationText));
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

    function queried(string memory text) private view returns (address operator) {
        string memory failure;
        (failure, operator) = readOperator(text);
        if (bytes(failure).length != 0) internalError(failure);
    }

    function internalError(string memory reason) private pure {
        Text.fail(string.concat("rpc error: code = Internal desc = ", reason));
    }

    /// Keys of the store: for a delegator by source and destination, for a source by delegator and destination.
    function pageOf(Moves[] memory list, PageRequest memory page, bool ofDelegator)
        private
        pure
        returns (Moves[] memory found, PageResponse memory response)
    {
        Paging.requireOneStart(page);
        bool all;
        (all, response) = Paging.isAll(page, list.length);
        if (all && list.length < 2) return (list, response);
        bytes[] memory keys = new bytes[](list.length);
        for (uint256 i = 0; i < list.length; i++) {
            Moves memory m = list[i];
            bytes memory key = abi.encodePacked(Paging.key(ofDelegator ? m.source : m.delegator), Paging.key(m.destination));
            uint256 j = i;
            for (; j > 0 && Paging.less(key, keys[j - 1]); j--) (keys[j], list[j]) = (keys[j - 1], list[j - 1]);
            (keys[j], list[j]) = (key, m);
        }
        if (all) return (list, response);
        uint256[] memory chosen;
        (chosen, response) = Paging.select(keys, page);
        found = new Moves[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) found[i] = list[chosen[i]];
    }

    /// abi.encode of a RedelegationResponse.
    function redelegationAnswer(Directory.Book book, Moves memory m) private view returns (bytes memory out) {
        Validator storage target = validators[m.destination];
        // The chain has no answer for what is worth nothing any more; it knows it all the same.
        if (msg.sender != SYSTEM) {
            if (target.status == 0) internalError("validator does not exist");
            if (allShares(target) == 0) Text.panic(); // it divides by them
        }
        uint256 count = m.entries.length;
        string memory delegator = Account.text(chainPrefix(), m.delegator);
        (string memory source, string memory destination) = (operatorText(book, m.source), operatorText(book, m.destination));
        unchecked {
            out = Encoder.begin(2, 0x200 + 3 * (bytes(source).length + 64) + 288 * count);
            Encoder.place(out, 0);
            uint256 places = out.length;
            Encoder.word(Encoder.word(out, 0x80), 0);
            Encoder.word(Encoder.word(out, 0), 0);
            Encoder.text(out, bytes(delegator), 0, bytes(delegator).length);
            Encoder.put(out, places + 32, out.length - places);
            Encoder.text(out, bytes(source), 0, bytes(source).length);
            Encoder.put(out, places + 64, out.length - places);
            Encoder.text(out, bytes(destination), 0, bytes(destination).length);
            // its entries follow beside it, with their balances
            Encoder.put(out, places + 96, out.length - places);
            Encoder.word(out, 0);
            Encoder.place(out, 1);
            Encoder.word(out, count);
            for (uint256 i = 0; i < count; i++) {
                Redelegation memory r = m.entries[i];
                uint256 moved = sharesDstOf(r);
                Encoder.word(Encoder.word(out, r.creationHeight), r.completionTime);
                Encoder.word(Encoder.word(out, r.initialBalance), moved);
                Encoder.word(out, tokensFromShares(target, moved));
            }
        }
    }
}
