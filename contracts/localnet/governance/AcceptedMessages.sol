// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Account} from "../codec/Account.sol";
import {KnownMessages} from "./KnownMessages.sol";
import {Action, Message, Proposal} from "./Messages.sol";
import {Settings} from "../common/Settings.sol";
import {Text} from "../codec/Text.sol";
import {GOVERNANCE_ACCOUNT} from "../common/Types.sol";

/// The messages of a proposal that is submitted, and the form in which they are stored until it passes.
library AcceptedMessages {
    string private constant NOT_GOVERNANCE = "expected gov account as only signer for proposal message";

    /// The messages as they are stored, if the chain accepts them.
    function pack(Proposal memory p) internal pure returns (bytes memory out) {
        string memory base = Settings.prefix();
        Read memory signed;
        Read memory paid;
        for (uint256 i = 0; i < p.messages.length; i++) {
            Message memory m = p.messages[i];
            if (bytes(m.invalid).length != 0) Text.fail(string.concat(m.invalid, ": invalid proposal message"));
            if (m.signers != 1) Text.fail(NOT_GOVERNANCE);
            signed = read(base, m.signer, signed);
            if (bytes(signed.failure).length != 0) Text.fail(signed.failure);
            address signer = signed.account;
            if (signer != GOVERNANCE_ACCOUNT) Text.fail(string.concat(Account.text(base, signer), ": ", NOT_GOVERNANCE));
            if (m.known == KnownMessages.LEGACY_CONTENT) Text.panic();
            out = bytes.concat(out, packOne(m, effectOf(m, base, paid)));
        }
    }

    /// Refuses messages that a chain would carry out, but nothing here does.
    function requireRunnable(Proposal memory p) internal pure {
        for (uint256 i = 0; i < p.messages.length; i++) {
            if (p.messages[i].action != Action.None) continue;
            Text.fail(
                string.concat(
                    "local precompiles: ", KnownMessages.at(p.messages[i].known).typeUrl,
                    " is not carried out on a simulated network; set dualstack.localnet.governance.ignoreUnknownMessages to submit it anyway"
                )
            );
        }
    }

    /// An account's text, decoded; the messages of a proposal often have the same one.
    struct Read {
        string text;
        string failure;
        address account;
    }

    function read(string memory base, string memory text, Read memory last) private pure returns (Read memory r) {
        if (bytes(text).length != 0 && Text.equal(text, last.text)) return last;
        r.text = text;
        (r.failure, r.account) = Account.read(base, text);
    }

    /// What can be known now about a message that pays: nobody owns a coin other than the native one. Empty: it fails.
    function effectOf(Message memory m, string memory base, Read memory paid) private pure returns (bytes memory) {
        if (m.action == Action.None) return "";
        if (m.action >= Action.UpdateStaking) return m.update;
        address recipient;
        if (m.action != Action.FundPool) {
            Read memory r = read(base, m.recipient, paid);
            (paid.text, paid.failure, paid.account) = (r.text, r.failure, r.account);
            recipient = r.account;
            if (bytes(r.failure).length != 0 || Account.blocked(recipient)) return "";
        }
        if (m.negative || m.amount.length != 1 || m.amount[0].amount == 0 || !Text.equal(m.amount[0].denom, Settings.denom())) return "";
        return abi.encodePacked(recipient, Text.trimmed(m.amount[0].amount));
    }

    /// One message, as they are stored one after another.
    function packOne(Message memory m, bytes memory effect) internal pure returns (bytes memory) {
        return abi.encodePacked(m.known, uint8(m.action), uint24(effect.length), effect);
    }
}
