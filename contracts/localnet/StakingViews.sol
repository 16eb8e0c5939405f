// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Abi} from "./Abi.sol";
import {Account} from "./Account.sol";
import {Base64} from "./Base64.sol";
import {Paging} from "./Paging.sol";
import {Text} from "./Text.sol";
import {
    BONDED,
    Coin,
    PageRequest,
    PageResponse,
    RedelegationEntryInfo,
    RedelegationEntryResponse,
    RedelegationInfo,
    RedelegationResponse,
    UNBONDED,
    UNBONDING,
    UnbondingEntryInfo,
    UnbondingInfo,
    ValidatorInfo
} from "./Types.sol";
import {Validators} from "./Validators.sol";

/// The queries of the staking precompile.
abstract contract StakingViews is Validators {
    function isView(bytes4 s) internal pure returns (bool) {
        // delegation, unbondingDelegation, validator, validators, redelegation, redelegations
        return s == 0x241774e6 || s == 0xa03ffee1 || s == 0x223b3b7a || s == 0x186b2167 || s == 0x7d9f939c || s == 0x10a2851c;
    }

    function answer(bytes4 s, bytes memory args) internal view returns (bytes memory) {
        if (s == 0x241774e6) return delegation(args);
        if (s == 0xa03ffee1) return unbondingDelegation(args);
        if (s == 0x223b3b7a) return validator(args);
        if (s == 0x186b2167) return validatorsPage(args);
        if (s == 0x7d9f939c) return redelegation(args);
        return redelegationsPage(args);
    }

    function delegation(bytes memory args) private view returns (bytes memory) {
        (address delegator, address operator) = pairArgument(args);
        uint256 owned = sharesOf(delegator, operator);
        uint256 tokens = owned == 0 ? 0 : tokensFromShares(validators[operator], owned);
        return abi.encode(owned, Coin(denom_, tokens));
    }

    function pairArgument(bytes memory args) private view returns (address delegator, address operator) {
        string memory text;
        (delegator, text) = (Abi.addr(args, 0), Abi.text(args, 32));
        requireAddress(delegator, "invalid delegator address: ");
        if (bytes(text).length == 0) Text.fail("rpc error: code = InvalidArgument desc = validator address cannot be empty");
        operator = operatorByText[keccak256(bytes(text))];
        if (operator != address(0)) return (delegator, operator);
        string memory failure;
        (failure, operator) = Account.readOperator(prefix_, text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }

    function unbondingDelegation(bytes memory args) private view returns (bytes memory) {
        (address delegator, address operator) = pairArgument(args);
        UnbondingEntry[] storage entries = unbondings[unbondingKey(delegator, operator)].entries;
        UnbondingInfo memory info;
        if (entries.length == 0) return abi.encode(info);
        info.delegatorAddress = Account.text(prefix_, delegator);
        info.validatorAddress = Account.operatorText(prefix_, operator);
        info.entries = new UnbondingEntryInfo[](entries.length);
        for (uint256 i = 0; i < entries.length; i++) {
            UnbondingEntry storage e = entries[i];
            info.entries[i] = UnbondingEntryInfo(int64(e.creationHeight), int64(e.completionTime), e.initialBalance, e.balance, e.id, 0);
        }
        return abi.encode(info);
    }

    // ---- validators

    function validator(bytes memory args) private view returns (bytes memory) {
        address operator = Abi.addr(args, 0);
        requireAddress(operator, "invalid validator address: ");
        return abi.encode(validatorInfo(operator));
    }

    function validatorInfo(address operator) private view returns (ValidatorInfo memory info) {
        Validator storage v = validators[operator];
        if (v.status == 0) return info;
        info.operatorAddress = Text.checksummed(operator);
        info.consensusPubkey = Base64.encode(v.pubkey);
        (info.jailed, info.status, info.tokens, info.delegatorShares) = (v.jailed, v.status, v.tokens, v.shares);
        info.description = v.description;
        (info.unbondingHeight, info.unbondingTime) = (int64(v.unbondingHeight), int64(v.unbondingTime));
        (info.commission, info.minSelfDelegation) = (v.rate, v.minSelfDelegation);
    }

    function validatorsPage(bytes memory args) private view returns (bytes memory) {
        (string memory status, PageRequest memory page) = (Abi.text(args, 0), Abi.page(args, 32));
        if (page.key.length == 1 && page.key[0] == 0) page.key = "";
        uint8 wanted = statusArgument(status);
        Paging.requireOneStart(page);
        bytes[] memory keys = new bytes[](operators.length);
        bool[] memory hits = new bool[](operators.length);
        for (uint256 i = 0; i < keys.length; i++) {
            keys[i] = Paging.key(operators[i]);
            hits[i] = wanted == 0 || validators[operators[i]].status == wanted;
        }
        (uint256[] memory chosen, PageResponse memory response) = Paging.select(keys, hits, page, true);
        ValidatorInfo[] memory list = new ValidatorInfo[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) list[i] = validatorInfo(operators[chosen[i]]);
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
        Redelegation storage r = redelegations[redelegationKey(delegator, strict(sourceText), strict(destinationText))];
        RedelegationInfo memory info;
        if (r.delegator == address(0)) return abi.encode(info);
        info = redelegationNames(r);
        info.entries = new RedelegationEntryInfo[](r.entries.length);
        for (uint256 i = 0; i < r.entries.length; i++) info.entries[i] = entryInfo(r.entries[i]);
        return abi.encode(info);
    }

    function strict(string memory text) private view returns (address operator) {
        string memory failure;
        (failure, operator) = Account.readStrict(string.concat(prefix_, "valoper"), text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }

    function redelegationNames(Redelegation storage r) private view returns (RedelegationInfo memory info) {
        info.delegatorAddress = Account.text(prefix_, r.delegator);
        info.validatorSrcAddress = Account.operatorText(prefix_, r.source);
        info.validatorDstAddress = Account.operatorText(prefix_, r.destination);
    }

    function entryInfo(RedelegationEntry storage e) private view returns (RedelegationEntryInfo memory) {
        return RedelegationEntryInfo(int64(e.creationHeight), int64(e.completionTime), e.initialBalance, e.sharesDst);
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
        bytes32[] memory found;
        PageResponse memory response;
        if (delegator != address(0) && hasSource && hasDestination) {
            found = new bytes32[](1);
            found[0] = exact(delegator, sourceText, destinationText);
        } else if (delegator == address(0) && !hasDestination) {
            (found, response) = pageOf(redelegationsFrom[queried(sourceText)], page, false);
        } else {
            if (delegator == address(0)) internalError("empty address string is not allowed: invalid address");
            (found, response) = pageOf(redelegationsOf[delegator], page, true);
        }
        RedelegationResponse[] memory list = new RedelegationResponse[](found.length);
        for (uint256 i = 0; i < found.length; i++) list[i] = redelegationResponse(redelegations[found[i]]);
        return abi.encode(list, response);
    }

    function exact(address delegator, string memory sourceText, string memory destinationText) private view returns (bytes32 key) {
        address source = queried(sourceText);
        key = redelegationKey(delegator, source, queried(destinationText));
        if (redelegations[key].delegator == address(0)) {
            internalError(
                string.concat(
                    "rpc error: code = NotFound desc = redelegation not found for delegator address ",
                    Account.text(prefix_, delegator),
                    " from validator address ",
                    sourceText
                )
            );
        }
    }

    function queried(string memory text) private view returns (address operator) {
        string memory failure;
        (failure, operator) = Account.readOperator(prefix_, text);
        if (bytes(failure).length != 0) internalError(failure);
    }

    function internalError(string memory reason) private pure {
        Text.fail(string.concat("rpc error: code = Internal desc = ", reason));
    }

    /// Keys of the store: of a delegator by source and destination, of a source by delegator and destination.
    function pageOf(bytes32[] memory ids, PageRequest memory page, bool ofDelegator)
        private
        view
        returns (bytes32[] memory found, PageResponse memory response)
    {
        Paging.requireOneStart(page);
        bytes[] memory keys = new bytes[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) {
            Redelegation storage r = redelegations[ids[i]];
            bytes memory key = abi.encodePacked(Paging.key(ofDelegator ? r.source : r.delegator), Paging.key(r.destination));
            bytes32 id = ids[i];
            uint256 j = i;
            for (; j > 0 && Paging.less(key, keys[j - 1]); j--) (keys[j], ids[j]) = (keys[j - 1], ids[j - 1]);
            (keys[j], ids[j]) = (key, id);
        }
        uint256[] memory chosen;
        (chosen, response) = Paging.select(keys, page);
        found = new bytes32[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) found[i] = ids[chosen[i]];
    }

    function redelegationResponse(Redelegation storage r) private view returns (RedelegationResponse memory response) {
        response.redelegation = redelegationNames(r);
        response.entries = new RedelegationEntryResponse[](r.entries.length);
        for (uint256 i = 0; i < r.entries.length; i++) {
            uint256 balance = tokensFromShares(validators[r.destination], r.entries[i].sharesDst);
            response.entries[i] = RedelegationEntryResponse(entryInfo(r.entries[i]), balance);
        }
    }
}
