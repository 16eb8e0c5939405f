// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {AcceptedMessages} from "../governance/AcceptedMessages.sol";
import {Blob} from "../codec/Blob.sol";
import {GovernanceConfig} from "../common/ISystem.sol";
import {GovernanceStore} from "../governance/GovernanceStore.sol";
import {KnownMessages} from "../governance/KnownMessages.sol";
import {Action, Message, Messages, Proposal} from "../governance/Messages.sol";
import {Module} from "../common/Module.sol";
import {Text} from "../codec/Text.sol";
import {GOVERNANCE_ACCOUNT, WeightedVoteOption} from "../common/Types.sol";

/// Writes another chain's governance state into the books here; see StakingImport. Times in seconds, amounts in base units.
contract GovernanceImport is GovernanceStore {
    struct ImportedContent {
        uint64 id;
        address proposer;
        uint64 submitTime;
        uint64 depositEndTime;
        string metadata;
        string title;
        string summary;
        string[] types; // type URLs of its messages
        bytes json; // a proposal's JSON with just these messages; empty: they could not be read
    }

    struct ImportedDeposit {
        address depositor;
        uint96 amount;
    }

    struct ImportedVote {
        address voter;
        WeightedVoteOption[] options;
        string metadata;
    }

    struct ImportedProposal {
        uint64 id;
        uint8 status;
        bool expedited;
        uint64 votingStartTime;
        uint64 votingEndTime;
        uint64 depositEndTime;
        uint112 totalDeposit;
        uint128[4] tally;
        ImportedDeposit[] deposits;
        ImportedVote[] votes;
    }

    constructor(address staking_, address distribution, address governance) Module(staking_, distribution, governance) {}

    function kindOf(bytes4) internal pure override returns (Kind) {
        return Kind.Unknown;
    }

    function run(bytes4, bytes memory) internal pure override returns (bytes memory) {
        return "";
    }

    /// The module's account has nothing but deposits.
    function importGovernance(GovernanceConfig calldata config) external onlySystem {
        setParameters(config);
        depositTotal = narrow(GOVERNANCE_ACCOUNT.balance);
    }

    /// The next proposal gets the number after this one.
    function importLastProposal(uint64 id) external onlySystem {
        if (id > lastId) lastId = uint48(id);
    }

    /// The unchanging part of a proposal, as code: its address and content.
    function contentCode(ImportedContent calldata from) external view returns (address account, bytes memory code) {
        Proposal memory p;
        (p.metadata, p.title, p.summary) = (from.metadata, from.title, from.summary);
        bytes memory messages;
        if (from.json.length != 0) {
            p.messages = Messages.read(from.json).messages;
            messages = AcceptedMessages.pack(p);
        } else {
            p.messages = new Message[](from.types.length);
            for (uint256 i = 0; i < from.types.length; i++) {
                Message memory m = p.messages[i];
                (m.known, m.action) = (KnownMessages.indexOf(from.types[i]), Action.Unread);
                bool other = m.known == 0;
                if (other) m.known = KnownMessages.OTHER;
                messages = bytes.concat(messages, AcceptedMessages.packOne(m, other ? bytes(from.types[i]) : bytes("")));
            }
        }
        return (
            Blob.placeOf(self(), from.id),
            bytes.concat(bytes1(0), packedContent(p, from.proposer, from.submitTime, from.depositEndTime, messages))
        );
    }

    function importProposal(ImportedProposal calldata from) external onlySystem {
        uint64 id = from.id;
        uint64 end = from.status == DEPOSIT_PERIOD ? from.depositEndTime : from.votingEndTime;
        // an open proposal was tallied, too, if it was expedited before
        bool isTallied = from.status > VOTING_PERIOD || (from.tally[0] | from.tally[1] | from.tally[2] | from.tally[3]) != 0;
        proposals[id] =
            Stored(from.status, from.expedited, isTallied, 0, uint40(from.votingStartTime), uint40(end), from.totalDeposit);
        open++;
        if (id > lastId) lastId = uint48(id);
        if (id <= ended) ended = uint48(id) - 1;
        if (isTallied) tallies[id] = Tally(from.tally);
        for (uint256 i = 0; i < from.deposits.length; i++) putDeposit(id, from.deposits[i].depositor, from.deposits[i].amount);
        beginChain(id);
        for (uint256 i = 0; i < from.votes.length; i++) importVote(id, from.votes[i]);
    }

    function importVote(uint64 id, ImportedVote calldata from) private {
        bool plain = from.options.length == 1 && bytes(from.metadata).length == 0 && Text.equal(from.options[0].weight, ALL);
        noteVote(id, from.voter, plain ? from.options[0].option : 0, plain ? bytes("") : packedVote(from.options, from.metadata));
    }
}
