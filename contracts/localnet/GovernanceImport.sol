// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {GovernanceConfig} from "./ISystem.sol";
import {Action} from "./Messages.sol";
import {Module} from "./Module.sol";
import {Proposals} from "./Proposals.sol";
import {Queue} from "./Queue.sol";
import {GOVERNANCE_ACCOUNT, IGovernanceKeeper, WeightedVoteOption} from "./Types.sol";

/// Writes what another chain's governance module holds into the books of this one; see StakingImport.
contract GovernanceImport is Proposals {
    using Queue for Queue.Heap;

    struct ImportedMessage {
        string typeUrl;
        Action action;
        address recipient;
        uint256 amount;
        bool broken;
    }

    struct ImportedDeposit {
        address depositor;
        uint256 amount;
    }

    struct ImportedVote {
        address voter;
        WeightedVoteOption[] options;
        string metadata;
    }

    struct ImportedProposal {
        uint64 id;
        uint32 status;
        bool expedited;
        address proposer;
        uint64 submitTime;
        uint64 depositEndTime;
        uint64 votingStartTime;
        uint64 votingEndTime;
        uint256 totalDeposit;
        uint256[4] tally;
        string metadata;
        string title;
        string summary;
        ImportedMessage[] messages;
        ImportedDeposit[] deposits;
        ImportedVote[] votes;
    }

    constructor(address staking_, address distribution, address governance) Module(staking_, distribution, governance) {}

    function kindOf(bytes4) internal pure override returns (Kind) {
        return Kind.Unknown;
    }

    /// Never reached: there are no methods.
    function run(bytes4, bytes memory) internal pure override returns (bytes memory) {
        return "";
    }

    /// Deposits are all that the module's account has.
    function importGovernance(GovernanceConfig calldata config, uint64 lastProposal) external onlySystem {
        IGovernanceKeeper(self()).configure(config);
        lastId = lastProposal;
        depositTotal = GOVERNANCE_ACCOUNT.balance;
    }

    function importProposal(ImportedProposal calldata from) external onlySystem {
        Stored storage p = proposals[from.id];
        (p.status, p.expedited, p.proposer) = (from.status, from.expedited, from.proposer);
        (p.submitTime, p.depositEndTime) = (from.submitTime, from.depositEndTime);
        (p.votingStartTime, p.votingEndTime) = (from.votingStartTime, from.votingEndTime);
        (p.totalDeposit, p.tally.power) = (from.totalDeposit, from.tally);
        (p.metadata, p.title, p.summary) = (from.metadata, from.title, from.summary);
        for (uint256 i = 0; i < from.messages.length; i++) {
            ImportedMessage calldata m = from.messages[i];
            StoredMessage storage stored = p.messages.push();
            (stored.typeUrl, stored.action, stored.recipient) = (m.typeUrl, m.action, m.recipient);
            (stored.amount, stored.broken) = (m.amount, m.broken);
        }
        for (uint256 i = 0; i < from.deposits.length; i++) {
            ImportedDeposit calldata d = from.deposits[i];
            depositors[from.id].push(d.depositor);
            deposits[from.id][d.depositor] = d.amount;
        }
        for (uint256 i = 0; i < from.votes.length; i++) {
            ImportedVote calldata given = from.votes[i];
            voters[from.id].push(given.voter);
            StoredVote storage v = votes[from.id][given.voter];
            for (uint256 j = 0; j < given.options.length; j++) v.options.push(given.options[j]);
            v.metadata = given.metadata;
        }
        open++;
        if (from.status == DEPOSIT_PERIOD) depositQueue.add(from.depositEndTime, from.id);
        if (from.status == VOTING_PERIOD) votingQueue.add(from.votingEndTime, from.id);
    }
}
