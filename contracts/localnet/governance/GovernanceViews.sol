// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IGovernance} from "../../IGovernance.sol";
import {Coin, PageRequest, PageResponse} from "../../Types.sol";
import {Abi} from "../codec/Abi.sol";
import {Account} from "../codec/Account.sol";
import {Blob} from "../codec/Blob.sol";
import {Paging} from "../common/Paging.sol";
import {Proposals} from "./Proposals.sol";
import {Text} from "../codec/Text.sol";
import {WeightedVote, WeightedVoteOption} from "../common/Types.sol";

/// The queries of the governance precompile, at any time and in any frame.
abstract contract GovernanceViews is Proposals {
    using Blob for Blob.Ref;

    string private constant INVALID = "rpc error: code = InvalidArgument desc = ";
    string private constant NOT_FOUND = "rpc error: code = NotFound desc = ";
    int64 private constant NANOSECONDS = 1e9;

    function isView(bytes4 s) internal pure returns (bool) {
        if (
            s == IGovernance.getConstitution.selector || s == IGovernance.getParams.selector
            || s == IGovernance.getProposal.selector || s == IGovernance.getProposals.selector
            || s == IGovernance.getTallyResult.selector
        ) return true;
        return s == IGovernance.getVote.selector || s == IGovernance.getVotes.selector || s == IGovernance.getDeposit.selector
            || s == IGovernance.getDeposits.selector;
    }

    function answer(bytes4 s, bytes memory args) internal view returns (bytes memory) {
        if (s == IGovernance.getConstitution.selector) return abi.encode(string(params.constitution.get()));
        if (s == IGovernance.getParams.selector) return abi.encode(paramsData());
        Abi.checkNotEmpty(args);
        if (s == IGovernance.getProposals.selector) return getProposals(args);
        uint64 id = Abi.u64(args, 0);
        if (s == IGovernance.getProposal.selector) return getProposal(id);
        if (s == IGovernance.getTallyResult.selector) return getTallyResult(id);
        if (s == IGovernance.getVote.selector) return getVote(id, Abi.addr(args, 32));
        if (s == IGovernance.getDeposit.selector) return getDeposit(id, Abi.addr(args, 32));
        PageRequest memory page = Abi.page(args, 32);
        requireId(id);
        return s == IGovernance.getVotes.selector ? getVotes(id, page) : getDeposits(id, page);
    }

    function requireId(uint64 id) private pure {
        if (id == 0) Text.fail(string.concat(INVALID, "proposal id can not be 0"));
    }

    function paramsData() private view returns (IGovernance.Params memory p) {
        p.votingPeriod = int64(uint64(params.votingPeriod)) * NANOSECONDS;
        p.minDeposit = nativeCoins(params.minDeposit);
        p.maxDepositPeriod = int64(uint64(params.depositPeriod)) * NANOSECONDS;
        p.expeditedVotingPeriod = int64(uint64(params.expeditedVotingPeriod)) * NANOSECONDS;
        p.expeditedMinDeposit = nativeCoins(params.expeditedMinDeposit);
        if (params.hasCancelDest) p.proposalCancelDest = string(params.proposalCancelDest.get());
        p.burnVoteQuorum = params.burnVoteQuorum;
        p.burnProposalDepositPrevote = params.burnProposalDepositPrevote;
        p.burnVoteVeto = params.burnVoteVeto;
        if (params.updated) {
            string[7] memory ratios = abi.decode(params.ratios.get(), (string[7]));
            (p.quorum, p.threshold, p.vetoThreshold, p.expeditedThreshold) = (ratios[0], ratios[1], ratios[2], ratios[3]);
            (p.minInitialDepositRatio, p.proposalCancelRatio, p.minDepositRatio) = (ratios[4], ratios[5], ratios[6]);
            return p;
        }
        p.quorum = Text.decimal(params.quorum);
        p.threshold = Text.decimal(params.threshold);
        p.vetoThreshold = Text.decimal(params.vetoThreshold);
        p.expeditedThreshold = Text.decimal(params.expeditedThreshold);
        p.minInitialDepositRatio = Text.decimal(params.minInitialDepositRatio);
        p.proposalCancelRatio = Text.decimal(params.proposalCancelRatio);
        p.minDepositRatio = Text.decimal(params.minDepositRatio);
    }

    // ---- proposals

    function requireProposal(uint64 id) private view {
        requireId(id);
        if (proposals[id].status == 0) Text.fail(string.concat(NOT_FOUND, "proposal ", Text.number(id), " doesn't exist"));
    }

    function getProposal(uint64 id) private view returns (bytes memory) {
        requireProposal(id);
        return abi.encode(proposalData(id));
    }

    function proposalData(uint64 id) private view returns (IGovernance.ProposalData memory d) {
        Stored memory p = proposals[id];
        Content memory c = contentOf(id);
        d.id = id;
        d.messages = new string[](c.messages.length);
        for (uint256 i = 0; i < d.messages.length; i++) d.messages[i] = typeUrlOf(c.messages[i]);
        d.status = p.status;
        Tally memory result;
        if (p.tallied) result = tallies[id];
        d.finalTallyResult = tallyData(result);
        (d.submitTime, d.depositEndTime) = (c.submitTime, c.depositEndTime);
        if (p.totalDeposit > 0) d.totalDeposit = nativeCoins(p.totalDeposit);
        (d.votingStartTime, d.votingEndTime) = (p.votingStartTime, p.votingEndTime);
        (d.metadata, d.title, d.summary, d.proposer) = (c.metadata, c.title, c.summary, c.proposer);
    }

    function tallyData(Tally memory t) private pure returns (IGovernance.TallyResultData memory) {
        return IGovernance.TallyResultData(Text.number(t.power[0]), Text.number(t.power[1]), Text.number(t.power[2]), Text.number(t.power[3]));
    }

    function getProposals(bytes memory args) private view returns (bytes memory) {
        uint32 status = Abi.u32(args, 0);
        (address voter, address depositor) = (Abi.addr(args, 32), Abi.addr(args, 64));
        PageRequest memory page = Abi.page(args, 96);
        Paging.requireOneStart(page);
        uint64[] memory ids = existingIds();
        bytes[] memory keys = new bytes[](ids.length);
        bool[] memory hits = new bool[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) {
            keys[i] = abi.encodePacked(ids[i]);
            hits[i] = (status == 0 || status > FAILED || proposals[ids[i]].status == status)
                && (voter == address(0) || hasVoted(ids[i], voter))
                && (depositor == address(0) || deposited(ids[i], depositor) > 0);
        }
        (uint256[] memory chosen, PageResponse memory response) = Paging.select(keys, hits, page, false);
        IGovernance.ProposalData[] memory list = new IGovernance.ProposalData[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) list[i] = proposalData(ids[chosen[i]]);
        return abi.encode(list, response);
    }

    function existingIds() private view returns (uint64[] memory ids) {
        ids = new uint64[](lastId);
        uint256 count = 0;
        for (uint64 id = 1; id <= lastId; id++) if (proposals[id].status != 0) ids[count++] = id;
        assembly ("memory-safe") {
            mstore(ids, count)
        }
    }

    function getTallyResult(uint64 id) private view returns (bytes memory) {
        requireProposal(id);
        Tally memory result;
        if (proposals[id].status == VOTING_PERIOD) result = tallyNow(id);
        else if (proposals[id].tallied) result = tallies[id];
        return abi.encode(tallyData(result));
    }

    // ---- votes and deposits

    function getVote(uint64 id, address voter) private view returns (bytes memory) {
        requireId(id);
        if (!hasVoted(id, voter)) {
            Text.fail(string.concat(INVALID, "voter: ", Account.text(chainPrefix(), voter), " not found for proposal: ", Text.number(id)));
        }
        return abi.encode(voteData(id, voter));
    }

    function voteData(uint64 id, address voter) private view returns (WeightedVote memory) {
        (WeightedVoteOption[] memory options, string memory metadata) = voteOf(id, voter);
        return WeightedVote(id, voter, options, metadata);
    }

    function getVotes(uint64 id, PageRequest memory page) private view returns (bytes memory) {
        (address[] memory chosen, PageResponse memory response) = pageOf(votersOf(id), page);
        WeightedVote[] memory list = new WeightedVote[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) list[i] = voteData(id, chosen[i]);
        return abi.encode(list, response);
    }

    function getDeposit(uint64 id, address depositor) private view returns (bytes memory) {
        requireId(id);
        uint256 amount = deposited(id, depositor);
        if (amount == 0) {
            Text.fail(
                string.concat(
                    NOT_FOUND, "collections: not found: key '(\"", Text.number(id), "\", \"", Account.text(chainPrefix(), depositor),
                    "\")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit"
                )
            );
        }
        return abi.encode(IGovernance.DepositData(id, depositor, nativeCoins(amount)));
    }

    function deposited(uint64 id, address depositor) private view returns (uint256 amount) {
        (, amount) = findDeposit(id, depositor);
    }

    function getDeposits(uint64 id, PageRequest memory page) private view returns (bytes memory) {
        Deposited[] memory all = depositsOf(id);
        address[] memory accounts = new address[](all.length);
        for (uint256 i = 0; i < all.length; i++) accounts[i] = all[i].depositor;
        (address[] memory chosen, PageResponse memory response) = pageOf(accounts, page);
        IGovernance.DepositData[] memory list = new IGovernance.DepositData[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) {
            uint256 j = 0;
            while (all[j].depositor != chosen[i]) j++;
            list[i] = IGovernance.DepositData(id, chosen[i], nativeCoins(all[j].amount));
        }
        return abi.encode(list, response);
    }

    function pageOf(address[] memory accounts, PageRequest memory page) private pure returns (address[] memory out, PageResponse memory response) {
        Paging.requireOneStart(page);
        Paging.sort(accounts);
        bool all;
        (all, response) = Paging.isAll(page, accounts.length);
        if (all) return (accounts, response);
        bytes[] memory keys = new bytes[](accounts.length);
        for (uint256 i = 0; i < keys.length; i++) keys[i] = Paging.key(accounts[i]);
        uint256[] memory chosen;
        (chosen, response) = Paging.select(keys, new bool[](0), page, false);
        out = new address[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) out[i] = accounts[chosen[i]];
    }
}
