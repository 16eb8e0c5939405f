// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Coin} from "../../Types.sol";
import {Json} from "../codec/Json.sol";
import {Text} from "../codec/Text.sol";
import {DistributionUpdate, GovernanceUpdate, StakingUpdate} from "../common/Types.sol";

/// For submitting a proposal: decodes values in a message's JSON, and the parameters that a message may change, like the
/// chain's codec. `failure` is empty if a value was understood. Whether parameters make sense is checked when they are
/// changed.
library Params {
    // ---- values

    function wrongKind(bytes memory d, uint256 at, string memory goType) internal pure returns (string memory) {
        return string.concat("json: cannot unmarshal ", Json.kind(d, at), " into Go value of type ", goType);
    }

    function textAt(bytes memory d, uint256 at) internal pure returns (string memory failure, string memory text) {
        if (d[at] != '"') return (wrongKind(d, at, "string"), text);
        text = Json.text(d, at);
    }

    function coinsAt(bytes memory d, uint256 list) internal pure returns (string memory failure, Coin[] memory coins, bool negative) {
        if (d[list] != "[") return (wrongKind(d, list, "[]json.RawMessage"), coins, negative);
        uint256 count = 0;
        for (uint256 at = Json.first(d, list); at != 0; at = Json.next(d, at)) count++;
        coins = new Coin[](count);
        count = 0;
        for (uint256 at = Json.first(d, list); at != 0; at = Json.next(d, at)) {
            bool below;
            (failure, below) = coinAt(d, at, coins[count++]);
            if (bytes(failure).length != 0) return (failure, coins, negative);
            negative = negative || below;
        }
    }

    function coinAt(bytes memory d, uint256 at, Coin memory coin) private pure returns (string memory failure, bool negative) {
        if (d[at] != "{") return (wrongKind(d, at, "map[string]json.RawMessage"), negative);
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            string memory name = Json.text(d, at);
            at = Json.valueOf(d, at);
            bool isDenom = keccak256(bytes(name)) == keccak256("denom");
            if (!isDenom && keccak256(bytes(name)) != keccak256("amount")) return (string.concat("unknown field \"", name, "\" in types.Coin"), negative);
            string memory text;
            (failure, text) = textAt(d, at);
            if (bytes(failure).length != 0) return (failure, negative);
            if (isDenom) {
                coin.denom = text;
                continue;
            }
            bool ok;
            bool fits;
            (ok, negative, fits, coin.amount) = Text.parseInteger(text);
            if (!ok) return (string.concat("math/big: cannot unmarshal \"", text, "\" into a *big.Int"), negative);
            if (!fits) return (string.concat("integer out of range: ", text), negative);
            negative = negative && coin.amount != 0;
        }
    }

    /// Nanoseconds.
    function durationAt(bytes memory d, uint256 at) internal pure returns (string memory failure, int256 duration) {
        string memory text;
        (failure, text) = textAt(d, at);
        if (bytes(failure).length != 0) return (failure, 0);
        (failure, duration) = parseDuration(bytes(text));
        if (bytes(failure).length != 0) failure = string.concat("bad Duration: time: ", failure);
    }

    /// Go's time.ParseDuration: numbers with units, one after the other.
    function parseDuration(bytes memory s) private pure returns (string memory failure, int256 sum) {
        uint256 at = 0;
        if (s.length > 0 && (s[0] == "-" || s[0] == "+")) at = 1;
        if (s.length == at + 1 && s[at] == "0") return ("", 0);
        if (s.length == at) return (invalid(s), 0);
        while (at < s.length) {
            uint256 value = 0; // with 9 places more
            uint256 place = 1e9;
            bool digits = false;
            bool point = false;
            for (; at < s.length && (isDigit(s[at]) || (s[at] == "." && !point)); at++) {
                if (s[at] == ".") {
                    point = true;
                    continue;
                }
                digits = true;
                if (!point) value = value * 10 + uint256(uint8(s[at]) - 48) * 1e9;
                else value += uint256(uint8(s[at]) - 48) * (place /= 10);
                if (value > 1e28) return (invalid(s), 0);
            }
            if (!digits) return (invalid(s), 0);
            uint256 from = at;
            while (at < s.length && s[at] != "." && !isDigit(s[at])) at++;
            string memory unit = Text.slice(s, from, at - from);
            if (at == from) return (string.concat("missing unit in duration ", quoted(string(s))), 0);
            uint256 size = sizeOf(unit);
            if (size == 0) return (string.concat("unknown unit ", quoted(unit), " in duration ", quoted(string(s))), 0);
            sum += int256((value * size) / 1e9);
            if (sum > int256(type(int64).max)) return (invalid(s), 0);
        }
        if (s[0] == "-") sum = -sum;
    }

    function invalid(bytes memory s) private pure returns (string memory) {
        return string.concat("invalid duration ", quoted(string(s)));
    }

    function sizeOf(string memory unit) private pure returns (uint256) {
        if (Text.equal(unit, "s")) return 1e9;
        if (Text.equal(unit, "m")) return 60e9;
        if (Text.equal(unit, "h")) return 3600e9;
        if (Text.equal(unit, "ms")) return 1e6;
        if (Text.equal(unit, "us") || Text.equal(unit, unicode"µs") || Text.equal(unit, unicode"μs")) return 1e3;
        return Text.equal(unit, "ns") ? 1 : 0;
    }

    function isDigit(bytes1 c) private pure returns (bool) {
        return c >= "0" && c <= "9";
    }

    function quoted(string memory text) private pure returns (string memory) {
        return string.concat('"', text, '"');
    }

    /// A decimal with 18 places. `set`: whether there is one.
    function decimalAt(bytes memory d, uint256 at) private pure returns (string memory failure, bool set, bool negative, uint256 value) {
        string memory text;
        (failure, text) = textAt(d, at);
        if (bytes(failure).length != 0) return (failure, false, false, 0);
        if (bytes(text).length == 0) return ("decimal string cannot be empty", false, false, 0);
        (set, negative, value) = Text.parseDecimal(text);
        if (!set) failure = string.concat("failed to set decimal string with base 10: ", text, "000000000000000000");
    }

    function u32At(bytes memory d, uint256 at) private pure returns (string memory failure, uint256 value) {
        if (d[at] == '"' || Text.equal(Json.kind(d, at), "number") == false) return (wrongKind(d, at, "uint32"), 0);
        string memory text = Text.slice(d, at, Json.end(d, at) - at);
        (bool ok, bool negative, bool fits, uint256 number) = Text.parseInteger(text);
        if (ok && fits && !negative && number <= type(uint32).max) return ("", number);
        return (string.concat("json: cannot unmarshal number ", text, " into Go value of type uint32"), 0);
    }

    function boolAt(bytes memory d, uint256 at) private pure returns (string memory failure, bool value) {
        if (d[at] != "t" && d[at] != "f") return (wrongKind(d, at, "bool"), false);
        value = d[at] == "t";
    }

    // ---- fields

    /// The field that a key means: its name in the definition, or that in camel case. Empty: none. No field has more than 32
    /// letters.
    function fieldNamed(string memory fields, string memory key) internal pure returns (string memory) {
        bytes memory list = bytes(fields);
        for (uint256 at = 0; at < list.length;) {
            uint256 to = Text.until(list, at, ",");
            if (Text.startsWith(list, at, key) && to - at == bytes(key).length) return key;
            at = to + 1;
        }
        for (uint256 at = 0; at < list.length;) {
            uint256 to = Text.until(list, at, ",");
            string memory field = Text.slice(list, at, to - at);
            if (Text.equal(camel(field), key)) return field;
            at = to + 1;
        }
        return "";
    }

    function camel(string memory field) private pure returns (string memory) {
        bytes memory s = bytes(field);
        bytes memory out = new bytes(s.length);
        uint256 length = 0;
        for (uint256 i = 0; i < s.length; i++) {
            if (s[i] == "_" && i + 1 < s.length) out[length++] = bytes1(uint8(s[++i]) - 32);
            else out[length++] = s[i];
        }
        return Text.slice(out, 0, length);
    }

    /// The field whose key begins at `at`, and where its value begins; 0: it has none.
    function fieldAt(bytes memory d, uint256 at, string memory fields, string memory goType)
        private
        pure
        returns (string memory failure, bytes32 field, uint256 value)
    {
        string memory key = Json.text(d, at);
        string memory name = fieldNamed(fields, key);
        if (bytes(name).length == 0) return (string.concat("unknown field \"", key, "\" in ", goType), 0, 0);
        return ("", bytes32(bytes(name)), Json.valueOf(d, at));
    }

    // ---- parameters

    function staking(bytes memory d, uint256 at) internal pure returns (string memory failure, bytes memory) {
        if (d[at] != "{") return (wrongKind(d, at, "map[string]json.RawMessage"), "");
        StakingUpdate memory u;
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            bytes32 field;
            (failure, field, at) = fieldAt(
                d, at, "unbonding_time,max_validators,max_entries,historical_entries,bond_denom,min_commission_rate", "types.Params"
            );
            if (bytes(failure).length != 0) return (failure, "");
            if (d[at] == "n") continue;
            if (field == "unbonding_time") (failure, u.unbondingTime) = durationAt(d, at);
            else if (field == "max_validators") (failure, u.maxValidators) = u32At(d, at);
            else if (field == "max_entries") (failure, u.maxEntries) = u32At(d, at);
            else if (field == "historical_entries") (failure,) = u32At(d, at);
            else if (field == "bond_denom") (failure, u.bondDenom) = textAt(d, at);
            else (failure,, u.negative, u.minCommissionRate) = decimalAt(d, at);
            if (bytes(failure).length != 0) return (failure, "");
        }
        return ("", abi.encode(u));
    }

    function distribution(bytes memory d, uint256 at) internal pure returns (string memory failure, bytes memory) {
        if (d[at] != "{") return (wrongKind(d, at, "map[string]json.RawMessage"), "");
        DistributionUpdate memory u;
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            bytes32 field;
            (failure, field, at) =
                fieldAt(d, at, "community_tax,base_proposer_reward,bonus_proposer_reward,withdraw_addr_enabled", "types.Params");
            if (bytes(failure).length != 0) return (failure, "");
            if (d[at] == "n") continue;
            if (field == "withdraw_addr_enabled") {
                (failure, u.withdrawAddressEnabled) = boolAt(d, at);
            } else {
                bool set;
                bool negative;
                uint256 value;
                (failure, set, negative, value) = decimalAt(d, at);
                if (field == "community_tax") (u.hasTax, u.negative, u.communityTax) = (set, negative, value);
                else if (value != 0) u.hasProposerReward = true;
            }
            if (bytes(failure).length != 0) return (failure, "");
        }
        return ("", abi.encode(u));
    }

    string private constant GOVERNANCE =
        "min_deposit,max_deposit_period,voting_period,quorum,threshold,veto_threshold,min_initial_deposit_ratio,proposal_cancel_ratio,proposal_cancel_dest,expedited_voting_period,expedited_threshold,expedited_min_deposit,burn_vote_quorum,burn_proposal_deposit_prevote,burn_vote_veto,min_deposit_ratio";

    function governance(bytes memory d, uint256 at) internal pure returns (string memory failure, bytes memory) {
        if (d[at] != "{") return (wrongKind(d, at, "map[string]json.RawMessage"), "");
        GovernanceUpdate memory u;
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            bytes32 field;
            (failure, field, at) = fieldAt(d, at, GOVERNANCE, "v1.Params");
            if (bytes(failure).length == 0 && d[at] != "n") failure = readGovernance(u, field, d, at);
            if (bytes(failure).length != 0) return (failure, "");
        }
        return ("", abi.encode(u));
    }

    function readGovernance(GovernanceUpdate memory u, bytes32 field, bytes memory d, uint256 at) private pure returns (string memory failure) {
        bool negative;
        if (field == "min_deposit") (failure, u.minDeposit, negative) = coinsAt(d, at);
        else if (field == "expedited_min_deposit") (failure, u.expeditedMinDeposit, negative) = coinsAt(d, at);
        else if (field == "max_deposit_period") (failure, u.depositPeriod) = durationAt(d, at);
        else if (field == "voting_period") (failure, u.votingPeriod) = durationAt(d, at);
        else if (field == "expedited_voting_period") (failure, u.expeditedVotingPeriod) = durationAt(d, at);
        else if (field == "burn_vote_quorum") (failure, u.burnVoteQuorum) = boolAt(d, at);
        else if (field == "burn_proposal_deposit_prevote") (failure, u.burnProposalDepositPrevote) = boolAt(d, at);
        else if (field == "burn_vote_veto") (failure, u.burnVoteVeto) = boolAt(d, at);
        else if (field == "proposal_cancel_dest") (failure, u.proposalCancelDest) = textAt(d, at);
        else if (field == "quorum") (failure, u.ratios[0]) = textAt(d, at);
        else if (field == "threshold") (failure, u.ratios[1]) = textAt(d, at);
        else if (field == "veto_threshold") (failure, u.ratios[2]) = textAt(d, at);
        else if (field == "expedited_threshold") (failure, u.ratios[3]) = textAt(d, at);
        else if (field == "min_initial_deposit_ratio") (failure, u.ratios[4]) = textAt(d, at);
        else if (field == "proposal_cancel_ratio") (failure, u.ratios[5]) = textAt(d, at);
        else (failure, u.ratios[6]) = textAt(d, at);
        u.negative = u.negative || negative;
    }
}
