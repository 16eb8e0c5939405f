// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Account} from "./Account.sol";
import {Json} from "./Json.sol";
import {Text} from "./Text.sol";
import {Coin} from "./Types.sol";

/// What a proposal does when it passes.
enum Action {
    None, // accepted, and without an effect here
    Send,
    SpendPool,
    FundPool
}

struct Message {
    string typeUrl;
    string signer;
    Action action;
    string recipient;
    Coin[] amount;
}

struct Proposal {
    Message[] messages;
    string metadata;
    string title;
    string summary;
    bool expedited;
}

/// The JSON of a proposal, read and refused as the chain does it.
library Messages {
    string private constant ENVELOPE =
        "struct { Messages []json.RawMessage \"json:\\\"messages\\\"\"; Metadata string \"json:\\\"metadata\\\"\"; Title string \"json:\\\"title\\\"\"; Summary string \"json:\\\"summary\\\"\"; Expedited bool \"json:\\\"expedited\\\"\" }";

    /// Messages that the chain knows: type URL, Go type, the field that names the signer, then all fields.
    string private constant KNOWN =
        "/cosmos.bank.v1beta1.MsgSend|types.MsgSend|from_address|from_address,to_address,amount\n"
        "/cosmos.bank.v1beta1.MsgMultiSend|types.MsgMultiSend|inputs|inputs,outputs\n"
        "/cosmos.bank.v1beta1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.bank.v1beta1.MsgSetSendEnabled|types.MsgSetSendEnabled|authority|authority,send_enabled,use_default_for\n"
        "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend|types.MsgCommunityPoolSpend|authority|authority,recipient,amount\n"
        "/cosmos.distribution.v1beta1.MsgFundCommunityPool|types.MsgFundCommunityPool|depositor|amount,depositor\n"
        "/cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool|types.MsgDepositValidatorRewardsPool|depositor|depositor,validator_address,amount\n"
        "/cosmos.distribution.v1beta1.MsgSetWithdrawAddress|types.MsgSetWithdrawAddress|delegator_address|delegator_address,withdraw_address\n"
        "/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward|types.MsgWithdrawDelegatorReward|delegator_address|delegator_address,validator_address\n"
        "/cosmos.distribution.v1beta1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.staking.v1beta1.MsgDelegate|types.MsgDelegate|delegator_address|delegator_address,validator_address,amount\n"
        "/cosmos.staking.v1beta1.MsgUndelegate|types.MsgUndelegate|delegator_address|delegator_address,validator_address,amount\n"
        "/cosmos.staking.v1beta1.MsgBeginRedelegate|types.MsgBeginRedelegate|delegator_address|delegator_address,validator_src_address,validator_dst_address,amount\n"
        "/cosmos.staking.v1beta1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.slashing.v1beta1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.mint.v1beta1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.auth.v1beta1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.consensus.v1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,block,evidence,validator,abci\n"
        "/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade|types.MsgSoftwareUpgrade|authority|authority,plan\n"
        "/cosmos.upgrade.v1beta1.MsgCancelUpgrade|types.MsgCancelUpgrade|authority|authority\n"
        "/cosmos.gov.v1.MsgUpdateParams|v1.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.gov.v1.MsgExecLegacyContent|v1.MsgExecLegacyContent|authority|content,authority\n"
        "/cosmos.gov.v1.MsgVote|v1.MsgVote|voter|proposal_id,voter,option,metadata\n"
        "/cosmos.gov.v1.MsgDeposit|v1.MsgDeposit|depositor|proposal_id,depositor,amount\n"
        "/cosmos.evm.vm.v1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.evm.vm.v1.MsgRegisterPreinstalls|types.MsgRegisterPreinstalls|authority|authority,preinstalls\n"
        "/cosmos.evm.feemarket.v1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.evm.erc20.v1.MsgUpdateParams|types.MsgUpdateParams|authority|authority,params\n"
        "/cosmos.evm.erc20.v1.MsgRegisterERC20|types.MsgRegisterERC20|signer|signer,erc20addresses\n"
        "/cosmos.evm.erc20.v1.MsgToggleConversion|types.MsgToggleConversion|authority|authority,token\n";

    struct Known {
        string goType;
        string signerField;
        string fields;
    }

    // ---- the envelope

    function read(bytes memory d) internal pure returns (Proposal memory p) {
        string memory failure = Json.check(d);
        if (bytes(failure).length != 0) Text.fail(string.concat("invalid proposal JSON: ", failure));
        uint256 at = Json.skipSpace(d, 0);
        if (d[at] == "n") return p;
        if (d[at] != "{") Text.fail(string.concat("invalid proposal JSON: json: cannot unmarshal ", Json.kind(d, at), " into Go value of type ", ENVELOPE));
        uint256 messages = 0;
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            string memory key = lower(Json.text(d, at));
            at = Json.valueOf(d, at);
            if (d[at] == "n") continue;
            if (Text.equal(key, "messages")) {
                requireKind(d, at, "array", "messages", "[]json.RawMessage");
                messages = at;
            } else if (Text.equal(key, "metadata")) {
                p.metadata = textField(d, at, "metadata");
            } else if (Text.equal(key, "title")) {
                p.title = textField(d, at, "title");
            } else if (Text.equal(key, "summary")) {
                p.summary = textField(d, at, "summary");
            } else if (Text.equal(key, "expedited")) {
                requireKind(d, at, "bool", "expedited", "bool");
                p.expedited = d[at] == "t";
            }
        }
        if (messages != 0) p.messages = readMessages(d, messages);
    }

    function textField(bytes memory d, uint256 at, string memory name) private pure returns (string memory) {
        requireKind(d, at, "string", name, "string");
        return Json.text(d, at);
    }

    function requireKind(bytes memory d, uint256 at, string memory wanted, string memory field, string memory goType) private pure {
        string memory kind = Json.kind(d, at);
        if (Text.equal(kind, wanted)) return;
        Text.fail(string.concat("invalid proposal JSON: json: cannot unmarshal ", kind, " into Go struct field .", field, " of type ", goType));
    }

    function lower(string memory text) private pure returns (string memory) {
        bytes memory s = bytes(text);
        for (uint256 i = 0; i < s.length; i++) {
            if (s[i] > 0x40 && s[i] < 0x5b) s[i] = bytes1(uint8(s[i]) + 32);
        }
        return text;
    }

    /// Metadata that is JSON of the recommended form must name the same title and summary.
    function checkMetadata(Proposal memory p) internal pure {
        bytes memory d = bytes(p.metadata);
        if (d.length == 0 || bytes(Json.check(d)).length != 0) return;
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
        uint256 count = 0;
        for (uint256 at = Json.first(d, list); at != 0; at = Json.next(d, at)) count++;
        messages = new Message[](count);
        count = 0;
        for (uint256 at = Json.first(d, list); at != 0; at = Json.next(d, at)) {
            string memory failure;
            (failure, messages[count]) = readMessage(d, at);
            if (bytes(failure).length != 0) Text.fail(string.concat("message ", Text.number(count), ": ", failure));
            count++;
        }
    }

    function readMessage(bytes memory d, uint256 at) private pure returns (string memory, Message memory m) {
        if (d[at] != "{") {
            return (string.concat("json: cannot unmarshal ", Json.kind(d, at), " into Go value of type map[string]json.RawMessage"), m);
        }
        uint256 typeAt = member(d, at, "@type");
        if (typeAt == 0) return ("Any JSON doesn't have '@type'", m);
        if (d[typeAt] != '"') return ("can't unmarshal Any's '@type'", m);
        m.typeUrl = Json.text(d, typeAt);
        (bool found, Known memory known) = lookUp(m.typeUrl);
        if (!found) return (string.concat("unable to resolve type URL ", m.typeUrl), m);
        string memory failure = readFields(d, at, known, m);
        if (bytes(failure).length != 0) failure = string.concat("can't unmarshal Any nested proto *", known.goType, ": ", failure);
        return (failure, m);
    }

    function readFields(bytes memory d, uint256 at, Known memory known, Message memory m) private pure returns (string memory failure) {
        m.action = actionOf(m.typeUrl);
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            string memory key = Json.text(d, at);
            at = Json.valueOf(d, at);
            if (Text.equal(key, "@type")) continue;
            string memory field = fieldNamed(known.fields, key);
            if (bytes(field).length == 0) return string.concat("unknown field \"", key, "\" in ", known.goType);
            if (d[at] == "n") continue;
            bool isSigner = Text.equal(field, known.signerField);
            if (isSigner || Text.equal(field, "recipient") || Text.equal(field, "to_address")) {
                if (d[at] != '"') {
                    if (Text.equal(field, "inputs")) continue;
                    return string.concat("json: cannot unmarshal ", Json.kind(d, at), " into Go value of type string");
                }
                if (isSigner) m.signer = Json.text(d, at);
                else m.recipient = Json.text(d, at);
            } else if (Text.equal(field, "amount") && m.action != Action.None) {
                (failure, m.amount) = readCoins(d, at);
                if (bytes(failure).length != 0) return failure;
            }
        }
    }

    function actionOf(string memory typeUrl) private pure returns (Action) {
        if (Text.equal(typeUrl, "/cosmos.bank.v1beta1.MsgSend")) return Action.Send;
        if (Text.equal(typeUrl, "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend")) return Action.SpendPool;
        if (Text.equal(typeUrl, "/cosmos.distribution.v1beta1.MsgFundCommunityPool")) return Action.FundPool;
        return Action.None;
    }

    function readCoins(bytes memory d, uint256 list) private pure returns (string memory failure, Coin[] memory coins) {
        if (d[list] != "[") return (string.concat("json: cannot unmarshal ", Json.kind(d, list), " into Go value of type []json.RawMessage"), coins);
        uint256 count = 0;
        for (uint256 at = Json.first(d, list); at != 0; at = Json.next(d, at)) count++;
        coins = new Coin[](count);
        count = 0;
        for (uint256 at = Json.first(d, list); at != 0; at = Json.next(d, at)) {
            if (d[at] != "{") {
                return (string.concat("json: cannot unmarshal ", Json.kind(d, at), " into Go value of type map[string]json.RawMessage"), coins);
            }
            for (uint256 key = Json.first(d, at); key != 0; key = Json.next(d, key)) {
                string memory name = Json.text(d, key);
                key = Json.valueOf(d, key);
                bool isDenom = Text.equal(name, "denom");
                if (!isDenom && !Text.equal(name, "amount")) return (string.concat("unknown field \"", name, "\" in types.Coin"), coins);
                if (d[key] != '"') return (string.concat("json: cannot unmarshal ", Json.kind(d, key), " into Go value of type string"), coins);
                string memory text = Json.text(d, key);
                if (isDenom) {
                    coins[count].denom = text;
                    continue;
                }
                (bool ok, bool negative, uint256 amount) = Text.parseDecimal(text);
                if (!ok || negative || until(bytes(text), 0, ".") != bytes(text).length) return (string.concat("math/big: cannot unmarshal \"", text, "\" into a *big.Int"), coins);
                coins[count].amount = amount / 1e18;
            }
            count++;
        }
    }

    /// Value of an object's member; 0: there is none.
    function member(bytes memory d, uint256 at, string memory name) private pure returns (uint256) {
        for (at = Json.first(d, at); at != 0; at = Json.next(d, at)) {
            bool same = Text.equal(Json.text(d, at), name);
            at = Json.valueOf(d, at);
            if (same) return at;
        }
        return 0;
    }

    // ---- the table

    function lookUp(string memory typeUrl) private pure returns (bool, Known memory known) {
        bytes memory table = bytes(KNOWN);
        bytes memory wanted = bytes(typeUrl);
        uint256 at = 0;
        while (at < table.length) {
            uint256 line = at;
            uint256 to = until(table, at, "|");
            at = until(table, at, "\n") + 1;
            if (to - line != wanted.length || !Text.equal(Text.slice(table, line, to - line), typeUrl)) continue;
            uint256 goEnd = until(table, to + 1, "|");
            uint256 signerEnd = until(table, goEnd + 1, "|");
            known.goType = Text.slice(table, to + 1, goEnd - to - 1);
            known.signerField = Text.slice(table, goEnd + 1, signerEnd - goEnd - 1);
            known.fields = Text.slice(table, signerEnd + 1, at - 2 - signerEnd);
            return (true, known);
        }
        return (false, known);
    }

    function until(bytes memory text, uint256 at, bytes1 mark) private pure returns (uint256) {
        while (at < text.length && text[at] != mark) at++;
        return at;
    }

    /// The field that a key means: its name in the definition, or that in camel case. Empty: none.
    function fieldNamed(string memory fields, string memory key) private pure returns (string memory) {
        bytes memory list = bytes(fields);
        uint256 at = 0;
        while (at < list.length) {
            uint256 to = until(list, at, ",");
            string memory field = Text.slice(list, at, to - at);
            if (Text.equal(field, key) || Text.equal(camel(field), key)) return field;
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
}
