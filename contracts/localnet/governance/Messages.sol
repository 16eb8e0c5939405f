// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// Decodes the messages of a proposal when it is submitted; Proposals.sol carries them out when it passes.

import {Coin} from "../../Types.sol";
import {Json} from "../codec/Json.sol";
import {Known, KnownMessages} from "./KnownMessages.sol";
import {Params} from "./Params.sol";
import {Text} from "../codec/Text.sol";

/// What a proposal does when it passes.
enum Action {
    None, // nothing here, something on a chain
    Send,
    SpendPool,
    FundPool,
    UpdateStaking,
    UpdateDistribution,
    UpdateGovernance,
    Unread // of a forked chain: something that could not be read
}

struct Message {
    uint8 known; // see KnownMessages
    Action action;
    uint256 signers;
    string signer; // the first one
    string recipient;
    Coin[] amount;
    bool negative; // one of the amounts
    bytes update; // see Params
    string invalid; // why the chain refuses it when it is submitted
}

struct Proposal {
    Message[] messages;
    string metadata;
    string title;
    string summary;
    bool expedited;
}

/// Decodes a proposal's JSON, and refuses it like the chain does.
library Messages {
    string private constant ENVELOPE =
        "struct { Messages []json.RawMessage \"json:\\\"messages\\\"\"; Metadata string \"json:\\\"metadata\\\"\"; Title string \"json:\\\"title\\\"\"; Summary string \"json:\\\"summary\\\"\"; Expedited bool \"json:\\\"expedited\\\"\" }";

    // ---- the envelope

    function read(bytes memory json) internal pure returns (Proposal memory p) {
        (string memory failure, bytes memory d) = Json.check(json);
        if (bytes(failure).length != 0) Text.fail(string.concat("invalid proposal JSON: ", failure));
        uint256 at = Json.skipSpace(d, 0);
        if (d[at] == "n") return p;
        if (d[at] != "{") Text.fail(string.concat("invalid proposal JSON: json: cannot unmarshal ", Json.kind(d, at), " into Go value of type ", ENVELOPE));
        uint256 messages = 0;
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            bytes32 key = keccak256(bytes(lower(Json.text(d, at))));
            at = Json.valueOf(d, at);
            if (d[at] == "n") {
                // a list is lost, anything else stays as it is
                if (key == keccak256("messages")) messages = 0;
                continue;
            }
            if (key == keccak256("messages")) {
                if (d[at] != "[") wrongField(d, at, "messages", "[]json.RawMessage");
                messages = at;
            } else if (key == keccak256("metadata")) {
                if (d[at] != '"') wrongField(d, at, "metadata", "string");
                p.metadata = Json.text(d, at);
            } else if (key == keccak256("title")) {
                if (d[at] != '"') wrongField(d, at, "title", "string");
                p.title = Json.text(d, at);
            } else if (key == keccak256("summary")) {
                if (d[at] != '"') wrongField(d, at, "summary", "string");
                p.summary = Json.text(d, at);
            } else if (key == keccak256("expedited")) {
                if (d[at] != "t" && d[at] != "f") wrongField(d, at, "expedited", "bool");
                p.expedited = d[at] == "t";
            }
        }
        if (messages != 0) p.messages = readMessages(d, messages);
    }

    function wrongField(bytes memory d, uint256 at, string memory field, string memory goType) private pure {
        Text.fail(
            string.concat("invalid proposal JSON: json: cannot unmarshal ", Json.kind(d, at), " into Go struct field .", field, " of type ", goType)
        );
    }

    /// Lower-cases ASCII letters, 32 characters at a time, in place.
    function lower(string memory text) private pure returns (string memory) {
        assembly ("memory-safe") {
            let low := 0x7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f
            let length := mload(text)
            for { let i := 0 } lt(i, length) { i := add(i, 32) } {
                let at := add(add(text, 0x20), i)
                let word := mload(at)
                let bits := and(word, low)
                // the highest bit of each byte: set from "A" on; set from "[" on
                let from := add(bits, 0x3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f)
                let beyond := add(bits, 0x2525252525252525252525252525252525252525252525252525252525252525)
                let capitals := and(and(from, not(or(beyond, word))), not(low))
                mstore(at, or(word, shr(2, capitals)))
            }
        }
        return text;
    }

    /// Metadata in the recommended form must have the same title and summary.
    function checkMetadata(Proposal memory p) internal pure {
        if (bytes(p.metadata).length == 0) return;
        (string memory failure, bytes memory d) = Json.check(bytes(p.metadata));
        if (bytes(failure).length != 0) return;
        uint256 at = Json.skipSpace(d, 0);
        if (d[at] != "n" && d[at] != "{") return;
        string memory title;
        string memory summary;
        if (d[at] == "{") {
            for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
                string memory key = lower(Json.text(d, at));
                at = Json.valueOf(d, at);
                if (d[at] == "n") continue;
                bool isText = d[at] == '"';
                if (Text.equal(key, "authors")) {
                    if (!isListOfTexts(d, at)) return;
                } else if (Text.equal(key, "title")) {
                    if (!isText) return;
                    title = Json.text(d, at);
                } else if (Text.equal(key, "summary")) {
                    if (!isText) return;
                    summary = Json.text(d, at);
                } else if (Text.equal(key, "details") || Text.equal(key, "proposal_forum_url") || Text.equal(key, "vote_option_context")) {
                    if (!isText) return;
                }
            }
        }
        requireSame("title", title, p.title);
        requireSame("summary", summary, p.summary);
    }

    function isListOfTexts(bytes memory d, uint256 at) private pure returns (bool) {
        if (d[at] != "[") return false;
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            if (d[at] != '"' && d[at] != "n") return false;
        }
        return true;
    }

    function requireSame(string memory what, string memory inMetadata, string memory inProposal) private pure {
        if (Text.equal(inMetadata, inProposal)) return;
        Text.fail(
            string.concat(
                "metadata ", what, " '", inMetadata, "' must equal proposal ", what, " '", inProposal, "': invalid proposal content"
            )
        );
    }

    // ---- the messages

    function readMessages(bytes memory d, uint256 list) private pure returns (Message[] memory messages) {
        messages = new Message[](count(d, list));
        uint256 i = 0;
        for (uint256 at = Json.first(d, list); at != 0; at = Json.next(d, at)) {
            string memory failure = readMessage(d, at, messages[i]);
            if (bytes(failure).length != 0) Text.fail(string.concat("message ", Text.number(i), ": ", failure));
            i++;
        }
    }

    /// Elements of an array.
    function count(bytes memory d, uint256 list) private pure returns (uint256 elements) {
        for (uint256 at = Json.first(d, list); at != 0; at = Json.next(d, at)) elements++;
    }

    function readMessage(bytes memory d, uint256 at, Message memory m) private pure returns (string memory failure) {
        if (d[at] != "{" && d[at] != "n") return Params.wrongKind(d, at, "map[string]*json.RawMessage");
        uint256 typeAt = d[at] == "n" ? 0 : member(d, at, "@type");
        if (typeAt == 0 || d[typeAt] == "n") return "Any JSON doesn't have '@type'";
        if (d[typeAt] != '"') {
            return string.concat("can't unmarshal Any's '@type': ", Text.quoted(Text.slice(d, typeAt, Json.end(d, typeAt) - typeAt)));
        }
        string memory typeUrl = Json.text(d, typeAt);
        m.known = KnownMessages.indexOf(typeUrl);
        if (m.known == 0) return string.concat("unable to resolve type URL ", typeUrl);
        Known memory known = KnownMessages.at(m.known);
        m.action = actionOf(m.known);
        m.signers = m.known == KnownMessages.MULTI_SEND ? 0 : 1;
        if (m.known == KnownMessages.FEE_MARKET_PARAMS) m.invalid = "base fee change denominator cannot be 0";
        failure = readFields(d, at, known, m);
        if (bytes(failure).length != 0) failure = string.concat("can't unmarshal Any nested proto *", known.goType, ": ", failure);
    }

    function actionOf(uint8 known) private pure returns (Action) {
        if (known == KnownMessages.SEND) return Action.Send;
        if (known == KnownMessages.MULTI_SEND) return Action.Send;
        if (known == KnownMessages.SPEND_POOL) return Action.SpendPool;
        if (known == KnownMessages.FUND_POOL) return Action.FundPool;
        if (known == KnownMessages.STAKING_PARAMS) return Action.UpdateStaking;
        if (known == KnownMessages.DISTRIBUTION_PARAMS) return Action.UpdateDistribution;
        return known == KnownMessages.GOVERNANCE_PARAMS ? Action.UpdateGovernance : Action.None;
    }

    function readFields(bytes memory d, uint256 at, Known memory known, Message memory m) private pure returns (string memory failure) {
        (, Params.Members memory members) = Params.membersOf(d, at, known.fields, true);
        bytes memory fields = bytes(known.fields);
        uint256 from = 0;
        for (uint256 i = 0; from < fields.length; i++) {
            uint256 to = Text.until(fields, from, ",");
            uint256 value = members.values[i];
            if (value != 0) {
                bytes32 name;
                assembly ("memory-safe") {
                    name := keccak256(add(add(fields, 0x20), from), sub(to, from))
                }
                failure = readField(d, value, known, name, m);
                if (bytes(failure).length != 0) return failure;
            }
            from = to + 1;
        }
        if (members.hasUnknown) failure = Params.unknownField(members, known.goType);
    }

    /// `field`: the hash of its name.
    function readField(bytes memory d, uint256 at, Known memory known, bytes32 field, Message memory m)
        private
        pure
        returns (string memory failure)
    {
        if (m.known == KnownMessages.MULTI_SEND) {
            failure = field == keccak256("inputs") ? readInputs(d, at, m) : readOutputs(d, at, m);
        } else if (field == keccak256("recipient") || field == keccak256("to_address")) {
            (failure, m.recipient) = Params.textAt(d, at);
        } else if (field == keccak256("amount") && m.action != Action.None) {
            (failure, m.amount, m.negative) = Params.coinsAt(d, at);
        } else if (field == keccak256(bytes(known.signerField))) {
            (failure, m.signer) = Params.textAt(d, at);
        } else if (m.action == Action.UpdateStaking) {
            (failure, m.update) = Params.staking(d, at);
        } else if (m.action == Action.UpdateDistribution) {
            (failure, m.update) = Params.distribution(d, at);
        } else if (m.action == Action.UpdateGovernance) {
            (failure, m.update) = Params.governance(d, at);
        } else if (m.known == KnownMessages.FEE_MARKET_PARAMS) {
            uint256 denominator = d[at] == "{" ? member(d, at, "base_fee_change_denominator") : 0;
            if (denominator != 0 && d[denominator] != "0" && d[denominator] != "n") m.invalid = "";
        } else if (m.known == KnownMessages.SLASHING_PARAMS || m.known == KnownMessages.CONSENSUS_PARAMS) {
            failure = checkDurations(d, at);
        }
    }

    function checkDurations(bytes memory d, uint256 at) private pure returns (string memory failure) {
        if (d[at] != "{") return "";
        uint256 duration = member(d, at, "downtime_jail_duration");
        if (duration == 0) duration = member(d, at, "max_age_duration");
        if (duration != 0) (failure,) = Params.durationAt(d, duration);
    }

    /// The signers of the inputs of a MsgMultiSend.
    function readInputs(bytes memory d, uint256 at, Message memory m) private pure returns (string memory failure) {
        if (d[at] == "n") return failure;
        if (d[at] != "[") return Params.wrongKind(d, at, "[]json.RawMessage");
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            string memory signer;
            bool negative;
            (failure, signer,, negative) = partyAt(d, at, "types.Input");
            if (bytes(failure).length != 0) return failure;
            if (m.signers++ == 0) m.signer = signer;
            m.negative = m.negative || negative;
        }
    }

    /// One output is a payment like a MsgSend; more are not carried out here.
    function readOutputs(bytes memory d, uint256 at, Message memory m) private pure returns (string memory failure) {
        if (d[at] == "n") return failure;
        if (d[at] != "[") return Params.wrongKind(d, at, "[]json.RawMessage");
        if (count(d, at) > 1) m.action = Action.None;
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            bool negative;
            (failure, m.recipient, m.amount, negative) = partyAt(d, at, "types.Output");
            if (bytes(failure).length != 0) return failure;
            m.negative = m.negative || negative;
        }
    }

    function partyAt(bytes memory d, uint256 at, string memory goType)
        private
        pure
        returns (string memory failure, string memory account, Coin[] memory coins, bool negative)
    {
        (string memory wrong, Params.Members memory members) = Params.membersOf(d, at, "address,coins", false);
        if (bytes(wrong).length == 0 && members.values[0] != 0) (wrong, account) = Params.textAt(d, members.values[0]);
        if (bytes(wrong).length == 0 && members.values[1] != 0) (wrong, coins, negative) = Params.coinsAt(d, members.values[1]);
        failure = bytes(wrong).length == 0 ? Params.unknownField(members, goType) : wrong;
    }

    /// The value of an object's last member with a name; 0: there is none.
    function member(bytes memory d, uint256 at, string memory name) private pure returns (uint256 value) {
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            uint256 c = Json.charAt(d, at + 1);
            // a name that is escaped begins with a backslash, or with the same letter
            bool same = (c == Json.charAt(bytes(name), 0) || c == 0x5c) && Text.equal(Json.text(d, at), name);
            at = Json.valueOf(d, at);
            if (same) value = at;
        }
    }
}
