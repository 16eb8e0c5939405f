// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Coin} from "../../Types.sol";
import {Json} from "../codec/Json.sol";
import {Paging} from "../common/Paging.sol";
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

    /// Null leaves a text, a list, a number or a bool as it is, like Go's encoding/json.
    function textAt(bytes memory d, uint256 at) internal pure returns (string memory failure, string memory text) {
        if (d[at] == '"') return ("", Json.text(d, at));
        if (d[at] != "n") failure = wrongKind(d, at, "string");
    }

    function coinsAt(bytes memory d, uint256 list) internal pure returns (string memory failure, Coin[] memory coins, bool negative) {
        if (d[list] != "[") return (d[list] == "n" ? "" : wrongKind(d, list, "[]json.RawMessage"), coins, negative);
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
        (string memory wrong, Members memory m) = membersOf(d, at, "denom,amount", false);
        if (bytes(wrong).length == 0 && m.values[0] != 0) (wrong, coin.denom) = textAt(d, m.values[0]);
        if (bytes(wrong).length == 0 && m.values[1] != 0) (wrong, negative, coin.amount) = integerAt(d, m.values[1]);
        failure = bytes(wrong).length == 0 ? unknownField(m, "types.Coin") : wrong;
    }

    /// Null is an empty text here, and thus no number.
    function integerAt(bytes memory d, uint256 at) private pure returns (string memory failure, bool negative, uint256 value) {
        string memory text;
        (failure, text) = textAt(d, at);
        if (bytes(failure).length != 0) return (failure, false, 0);
        bool ok;
        bool fits;
        (ok, negative, fits, value) = Text.parseInteger(text);
        if (!ok) return (string.concat("math/big: cannot unmarshal ", Text.quoted(text), " into a *big.Int"), false, 0);
        if (!fits) return (string.concat("integer out of range: ", text), false, 0);
        negative = negative && value != 0;
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

    /// As the package writes a text that it refuses.
    function quoted(string memory text) private pure returns (string memory) {
        bytes memory s = bytes(text);
        bytes memory out = '"';
        for (uint256 i = 0; i < s.length; i++) {
            bool plain = uint8(s[i]) > 31 && uint8(s[i]) < 128;
            out = bytes.concat(out, plain ? Text.escaped(s[i], '"') : Text.escapedByte(s[i]));
        }
        return string(bytes.concat(out, '"'));
    }

    /// A decimal with 18 places. One of more than 256 bits is as large as possible: nothing takes it anyway.
    function decimalAt(bytes memory d, uint256 at) private pure returns (string memory failure, bool negative, uint256 value) {
        string memory text;
        (failure, text) = textAt(d, at);
        if (bytes(failure).length != 0) return (failure, false, 0);
        bool ok;
        (ok, negative, value) = Text.parseDecimal(text);
        if (!ok) (failure, value) = (wrongDecimal(bytes(text)), type(uint256).max);
    }

    /// Why a text is no decimal of the chain; empty if it is one that is too large.
    function wrongDecimal(bytes memory s) private pure returns (string memory) {
        uint256 from = s.length != 0 && s[0] == "-" ? 1 : 0;
        if (s.length == from) return "decimal string cannot be empty";
        uint256 point = Text.until(s, from, ".");
        uint256 places = 0;
        if (point != s.length) {
            if (Text.until(s, point + 1, ".") != s.length) return "invalid decimal string";
            places = s.length - point - 1;
            if (places == 0 || point == from) return "invalid decimal length";
        }
        string memory value = Text.slice(s, from, s.length - from);
        if (places > 18) {
            return string.concat("value '", value, "' exceeds max precision by -", Text.number(places - 18), " decimal places: max precision 18");
        }
        string memory digits = Text.slice(s, from, point - from);
        if (places != 0) digits = string.concat(digits, Text.slice(s, point + 1, places));
        for (uint256 i = 0; i < bytes(digits).length; i++) {
            bytes1 c = bytes(digits)[i];
            bool isSign = i == 0 && (c == "+" || c == "-") && bytes(digits).length > 1;
            if (isDigit(c) || isSign) continue;
            return string.concat("failed to set decimal string with base 10: ", digits, Text.slice("000000000000000000", 0, 18 - places));
        }
        return "";
    }

    /// The chain also takes a number between quotation marks.
    function u32At(bytes memory d, uint256 at) private pure returns (string memory failure, uint256 value) {
        if (d[at] == "n") return ("", 0);
        if (d[at] == '"') {
            (failure, d) = Json.check(bytes(Text.slice(d, at + 1, Json.end(d, at) - at - 2)));
            return bytes(failure).length != 0 ? (failure, 0) : u32At(d, Json.skipSpace(d, 0));
        }
        if (!Text.equal(Json.kind(d, at), "number")) return (wrongKind(d, at, "uint32"), 0);
        string memory text = Text.slice(d, at, Json.end(d, at) - at);
        (bool ok, bool negative, bool fits, uint256 number) = Text.parseInteger(text);
        if (ok && fits && !negative && number <= type(uint32).max) return ("", number);
        return (string.concat("json: cannot unmarshal number ", text, " into Go value of type uint32"), 0);
    }

    function boolAt(bytes memory d, uint256 at) private pure returns (string memory failure, bool value) {
        if (d[at] == "n") return ("", false);
        if (d[at] != "t" && d[at] != "f") return (wrongKind(d, at, "bool"), false);
        value = d[at] == "t";
    }

    // ---- fields

    /// The members of an object, which the chain reads in the order of its fields, and not as they come.
    struct Members {
        uint256[16] values; // where a field's value begins; 0: it has none
        bool hasUnknown;
        string unknown; // of the other names, the first in their order
    }

    uint256 private constant UNKNOWN = 0xff;

    /// The last member of a name counts, and a name in camel case more than its other form. Null has no members. `typed`:
    /// whether one of them is the type.
    function membersOf(bytes memory d, uint256 at, string memory fields, bool typed)
        internal
        pure
        returns (string memory failure, Members memory m)
    {
        if (d[at] != "{") return (d[at] == "n" ? "" : wrongKind(d, at, "map[string]json.RawMessage"), m);
        bytes memory list = bytes(fields);
        uint256 camels = 0;
        // members mostly come in the order of the fields: the next one, and where its name begins
        (uint256 next, uint256 place) = (0, 0);
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            uint256 length = Json.end(d, at) - at - 2;
            if (Json.isPlain(d, at) && isField(list, place, d, at + 1, length)) {
                at = Json.valueOf(d, at);
                if (camels & (1 << next) == 0) m.values[next] = at;
                (next, place) = (next + 1, place + length + 1);
                continue;
            }
            string memory name = Json.text(d, at);
            at = Json.valueOf(d, at);
            if (typed && Text.equal(name, "@type")) continue;
            (uint256 field, bool isCamel) = fieldNamed(list, name);
            if (field == UNKNOWN) {
                if (!m.hasUnknown || Paging.less(bytes(name), bytes(m.unknown))) (m.hasUnknown, m.unknown) = (true, name);
                continue;
            }
            if (isCamel) camels |= 1 << field;
            else if (camels & (1 << field) != 0) continue;
            m.values[field] = at;
        }
    }

    /// It is reported after all that is wrong with the known fields.
    function unknownField(Members memory m, string memory goType) internal pure returns (string memory) {
        return m.hasUnknown ? string.concat("unknown field ", Text.quoted(m.unknown), " in ", goType) : "";
    }

    /// Whether the name that begins at a place of the list is a part of a text. No field has more than 32 letters.
    function isField(bytes memory list, uint256 place, bytes memory text, uint256 from, uint256 length) private pure returns (bool same) {
        assembly ("memory-safe") {
            let end := add(place, length)
            let begin := add(list, 0x20)
            let ends := or(eq(end, mload(list)), and(lt(end, mload(list)), eq(byte(0, mload(add(begin, end))), 0x2c)))
            let differs := shr(sub(256, shl(3, length)), xor(mload(add(begin, place)), mload(add(add(text, 0x20), from))))
            same := and(and(ends, lt(length, 33)), iszero(differs))
        }
    }

    /// The number of the field that a key means, by its name in the definition or by that in camel case.
    function fieldNamed(bytes memory list, string memory key) private pure returns (uint256 field, bool isCamel) {
        for (uint256 at = 0; at < list.length; at = Text.until(list, at, ",") + 1) {
            if (isField(list, at, bytes(key), 0, bytes(key).length)) return (field, false);
            field++;
        }
        field = 0;
        for (uint256 at = 0; at < list.length; field++) {
            uint256 to = Text.until(list, at, ",");
            if (Text.equal(camel(Text.slice(list, at, to - at)), key)) return (field, true);
            at = to + 1;
        }
        return (UNKNOWN, false);
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

    // ---- parameters

    string private constant STAKING = "unbonding_time,max_validators,max_entries,historical_entries,bond_denom,min_commission_rate";

    /// A parameter that is missing is zero, false or an empty text.
    function staking(bytes memory d, uint256 at) internal pure returns (string memory failure, bytes memory) {
        Members memory m;
        (failure, m) = membersOf(d, at, STAKING, false);
        if (bytes(failure).length != 0) return (failure, "");
        StakingUpdate memory u;
        for (uint256 field = 0; field < 16; field++) {
            at = m.values[field];
            if (at == 0) continue;
            if (field == 0) (failure, u.unbondingTime) = durationAt(d, at);
            else if (field == 1) (failure, u.maxValidators) = u32At(d, at);
            else if (field == 2) (failure, u.maxEntries) = u32At(d, at);
            else if (field == 3) (failure,) = u32At(d, at);
            else if (field == 4) (failure, u.bondDenom) = textAt(d, at);
            else (failure, u.negative, u.minCommissionRate) = decimalAt(d, at);
            if (bytes(failure).length != 0) return (failure, "");
        }
        return (unknownField(m, "types.Params"), abi.encode(u));
    }

    function distribution(bytes memory d, uint256 at) internal pure returns (string memory failure, bytes memory) {
        Members memory m;
        (failure, m) = membersOf(d, at, "community_tax,base_proposer_reward,bonus_proposer_reward,withdraw_addr_enabled", false);
        if (bytes(failure).length != 0) return (failure, "");
        DistributionUpdate memory u;
        for (uint256 field = 0; field < 16; field++) {
            at = m.values[field];
            if (at == 0) continue;
            uint256 reward = 0;
            if (field == 0) (failure, u.negative, u.communityTax) = decimalAt(d, at);
            else if (field == 3) (failure, u.withdrawAddressEnabled) = boolAt(d, at);
            else (failure,, reward) = decimalAt(d, at);
            if (bytes(failure).length != 0) return (failure, "");
            if (reward != 0) u.hasProposerReward = true;
        }
        return (unknownField(m, "types.Params"), abi.encode(u));
    }

    string private constant GOVERNANCE =
        "min_deposit,max_deposit_period,voting_period,quorum,threshold,veto_threshold,min_initial_deposit_ratio,proposal_cancel_ratio,proposal_cancel_dest,expedited_voting_period,expedited_threshold,expedited_min_deposit,burn_vote_quorum,burn_proposal_deposit_prevote,burn_vote_veto,min_deposit_ratio";

    function governance(bytes memory d, uint256 at) internal pure returns (string memory failure, bytes memory) {
        Members memory m;
        (failure, m) = membersOf(d, at, GOVERNANCE, false);
        if (bytes(failure).length != 0) return (failure, "");
        GovernanceUpdate memory u;
        for (uint256 field = 0; field < 16; field++) {
            if (m.values[field] == 0) continue;
            failure = readGovernance(u, field, d, m.values[field]);
            if (bytes(failure).length != 0) return (failure, "");
        }
        return (unknownField(m, "v1.Params"), abi.encode(u));
    }

    function readGovernance(GovernanceUpdate memory u, uint256 field, bytes memory d, uint256 at) private pure returns (string memory failure) {
        bool negative;
        if (field == 0) (failure, u.minDeposit, negative) = coinsAt(d, at);
        else if (field == 1) (failure, u.depositPeriod) = optionalDurationAt(d, at);
        else if (field == 2) (failure, u.votingPeriod) = optionalDurationAt(d, at);
        else if (field == 3) (failure, u.ratios[0]) = textAt(d, at);
        else if (field == 4) (failure, u.ratios[1]) = textAt(d, at);
        else if (field == 5) (failure, u.ratios[2]) = textAt(d, at);
        else if (field == 6) (failure, u.ratios[4]) = textAt(d, at);
        else if (field == 7) (failure, u.ratios[5]) = textAt(d, at);
        else if (field == 8) (failure, u.proposalCancelDest) = textAt(d, at);
        else if (field == 9) (failure, u.expeditedVotingPeriod) = optionalDurationAt(d, at);
        else if (field == 10) (failure, u.ratios[3]) = textAt(d, at);
        else if (field == 11) (failure, u.expeditedMinDeposit, negative) = coinsAt(d, at);
        else if (field == 12) (failure, u.burnVoteQuorum) = boolAt(d, at);
        else if (field == 13) (failure, u.burnProposalDepositPrevote) = boolAt(d, at);
        else if (field == 14) (failure, u.burnVoteVeto) = boolAt(d, at);
        else (failure, u.ratios[6]) = textAt(d, at);
        u.negative = u.negative || negative;
    }

    /// Null is no duration for governance; elsewhere it is one that cannot be read.
    function optionalDurationAt(bytes memory d, uint256 at) private pure returns (string memory failure, int256 duration) {
        if (d[at] != "n") (failure, duration) = durationAt(d, at);
    }
}
