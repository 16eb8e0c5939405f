// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IGovernance} from "../../IGovernance.sol";
import {Coin, PageRequest, PageResponse} from "../../Types.sol";
import {Abi} from "../codec/Abi.sol";
import {Account} from "../codec/Account.sol";
import {Blob} from "../codec/Blob.sol";
import {Encoder} from "../codec/Encoder.sol";
import {Copies} from "./Copies.sol";
import {KnownMessages} from "./KnownMessages.sol";
import {Paging} from "../common/Paging.sol";
import {Proposals} from "./Proposals.sol";
import {Text} from "../codec/Text.sol";
import {WeightedVoteOption} from "../common/Types.sol";

/// The governance precompile's queries, at any time and in any frame.
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
        return proposalAnswer(id);
    }

    function proposalAnswer(uint64 id) private view returns (bytes memory out) {
        Stored storage p = proposals[id];
        if (p.tallied || p.totalDeposit == 0) return wholeAnswer(id);
        out = Copies.answerOf(id);
        if (out.length == 0) return wholeAnswer(id);
        Encoder.set(out, 2, p.status);
        Encoder.set(out, 7, p.votingStartTime);
        Encoder.set(out, 8, p.votingStartTime == 0 ? 0 : p.end);
        uint256 amount = p.totalDeposit;
        assembly ("memory-safe") {
            // in the list's only coin: its number of coins, the coin's place, the denomination's place, the amount
            mstore(add(add(add(out, 0x40), mload(add(out, 0x100))), 0x60), amount)
        }
    }

    /// See Copies.
    function copies() external view onlyModules returns (bytes memory) {
        uint64 first = lastId < Copies.MOST ? 1 : uint64(lastId - Copies.MOST + 1);
        bytes[] memory answers = new bytes[](lastId + 1 - first);
        for (uint256 i = 0; i < answers.length; i++) {
            Stored storage p = proposals[first + uint64(i)];
            if (p.status != 0 && !p.tallied && p.totalDeposit != 0) answers[i] = wholeAnswer(first + uint64(i));
        }
        return Copies.encode(first, answers);
    }

    /// abi.encode of a ProposalData, written in place: structs in memory, encoded by the compiler, cost three times as much.
    function wholeAnswer(uint64 id) private view returns (bytes memory out) {
        bytes memory d = Blob.placed(GOVERNANCE, id);
        uint256 messages = numberAt(d, 39, 2);
        Stored memory p = proposals[id];
        out = Encoder.begin(13, 2 * d.length + 256 * messages + 0x600);
        Encoder.set(out, 0, id);
        Encoder.set(out, 2, p.status);
        Encoder.set(out, 4, numberAt(d, 20, 5));
        Encoder.set(out, 5, numberAt(d, 25, 5));
        if (p.votingStartTime != 0) {
            Encoder.set(out, 7, p.votingStartTime);
            Encoder.set(out, 8, p.end);
        }
        Encoder.set(out, 12, numberAt(d, 0, 20));
        // dynamic parts are in the order of the fields
        putMessages(out, d, 41 + numberAt(d, 30, 3) + numberAt(d, 33, 3) + numberAt(d, 36, 3), messages);
        Encoder.place(out, 3);
        if (p.tallied) putTally(out, tallied(id));
        else Encoder.four(out, "0");
        Encoder.place(out, 6);
        if (p.totalDeposit == 0) Encoder.word(out, 0);
        else putCoin(out, p.totalDeposit);
        uint256 at = 41;
        for (uint256 i = 0; i < 3; i++) {
            uint256 length = numberAt(d, 30 + 3 * i, 3);
            Encoder.place(out, 9 + i);
            Encoder.text(out, d, at, length);
            at += length;
        }
    }

    /// The type URLs of the messages from `at` on.
    function putMessages(bytes memory out, bytes memory d, uint256 at, uint256 count) private pure {
        Encoder.place(out, 1);
        Encoder.word(out, count);
        uint256 places = out.length;
        for (uint256 i = 0; i < count; i++) Encoder.word(out, 0);
        for (uint256 i = 0; i < count; i++) {
            Encoder.put(out, places + 32 * i, out.length - places);
            (uint8 known, uint256 length) = (uint8(d[at]), numberAt(d, at + 2, 3));
            at += 5;
            if (known == KnownMessages.OTHER) {
                Encoder.text(out, d, at, length);
            } else {
                bytes memory typeUrl = bytes(KnownMessages.at(known).typeUrl);
                Encoder.text(out, typeUrl, 0, typeUrl.length);
            }
            at += length;
        }
    }

    function putTally(bytes memory out, uint256[4] memory power) private pure {
        uint256 places = out.length;
        Encoder.word(Encoder.word(out, 0), 0);
        Encoder.word(Encoder.word(out, 0), 0);
        unchecked {
            for (uint256 i = 0; i < 4; i++) {
                Encoder.put(out, places + 32 * i, out.length - places);
                bytes memory number = bytes(Text.number(power[i]));
                Encoder.text(out, number, 0, number.length);
            }
        }
    }

    function getProposals(bytes memory args) private view returns (bytes memory) {
        uint32 status = Abi.u32(args, 0);
        (address voter, address depositor) = (Abi.addr(args, 32), Abi.addr(args, 64));
        PageRequest memory page = Abi.page(args, 96);
        Paging.requireOneStart(page);
        uint64[] memory ids = existingIds();
        if (status == 0 && voter == address(0) && depositor == address(0)) {
            (bool all, PageResponse memory whole) = Paging.isAll(page, ids.length);
            if (all) return proposalList(ids, whole);
        }
        bytes[] memory keys = new bytes[](ids.length);
        bool[] memory hits = new bool[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) {
            keys[i] = abi.encodePacked(ids[i]);
            hits[i] = (status == 0 || status > FAILED || proposals[ids[i]].status == status)
                && (voter == address(0) || hasVoted(ids[i], voter))
                && (depositor == address(0) || hasDeposited(ids[i], depositor));
        }
        (uint256[] memory chosen, PageResponse memory response) = Paging.select(keys, hits, page, false);
        uint64[] memory list = new uint64[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) list[i] = ids[chosen[i]];
        return proposalList(list, response);
    }

    function hasDeposited(uint64 id, address depositor) private view returns (bool exists) {
        (exists,) = findDeposit(id, depositor);
    }

    function proposalList(uint64[] memory ids, PageResponse memory response) private view returns (bytes memory) {
        bytes[] memory list = new bytes[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) list[i] = proposalAnswer(ids[i]);
        return Paging.encoded(list, response);
    }

    function existingIds() private view returns (uint64[] memory ids) {
        ids = new uint64[](lastId);
        uint256 count = 0;
        for (uint64 id = 1; id <= lastId; id++) if (proposals[id].status != 0) ids[count++] = id;
        assembly ("memory-safe") {
            mstore(ids, count)
        }
    }

    /// abi.encode of a TallyResultData.
    function getTallyResult(uint64 id) private view returns (bytes memory out) {
        requireProposal(id);
        Stored storage p = proposals[id];
        (uint8 status, bool isTallied) = (p.status, p.tallied);
        uint256[4] memory result;
        if (status == VOTING_PERIOD) result = tallyNow(id);
        else if (isTallied) result = tallied(id);
        out = Encoder.begin(0, 0x280);
        putTally(out, result);
    }

    // ---- votes and deposits

    function getVote(uint64 id, address voter) private view returns (bytes memory) {
        requireId(id);
        if (!hasVoted(id, voter)) {
            Text.fail(string.concat(INVALID, "voter: ", Account.text(chainPrefix(), voter), " not found for proposal: ", Text.number(id)));
        }
        return voteAnswer(id, voter);
    }

    /// abi.encode of a WeightedVote.
    function voteAnswer(uint64 id, address voter) private view returns (bytes memory out) {
        (uint8 option, bytes memory d) = detailOf(id, voter);
        bool plain = d.length == 0;
        uint256 count = plain ? 1 : uint8(d[0]);
        out = Encoder.begin(4, 0x100 + 192 * count + d.length);
        Encoder.set(out, 0, id);
        Encoder.set(out, 1, uint160(voter));
        Encoder.place(out, 2);
        Encoder.word(out, count);
        if (plain) {
            bytes memory all = bytes(ALL);
            Encoder.word(Encoder.word(Encoder.word(out, 0x20), option), 0x40);
            Encoder.text(out, all, 0, all.length);
            Encoder.place(out, 3);
            Encoder.word(out, 0);
            return out;
        }
        uint256 places = out.length;
        for (uint256 i = 0; i < count; i++) Encoder.word(out, 0);
        uint256 at = 1;
        for (uint256 i = 0; i < count; i++) {
            string memory weight;
            (option, weight, at) = weightAt(d, at);
            Encoder.put(out, places + 32 * i, out.length - places);
            Encoder.word(Encoder.word(out, option), 0x40);
            Encoder.text(out, bytes(weight), 0, bytes(weight).length);
        }
        Encoder.place(out, 3);
        Encoder.text(out, d, at, d.length - at);
    }

    function getVotes(uint64 id, PageRequest memory page) private view returns (bytes memory) {
        (address[] memory chosen, PageResponse memory response) = pageOf(votersOf(id), page);
        bytes[] memory list = new bytes[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) list[i] = voteAnswer(id, chosen[i]);
        return Paging.encoded(list, response);
    }

    function getDeposit(uint64 id, address depositor) private view returns (bytes memory) {
        requireId(id);
        (bool exists, uint256 amount) = findDeposit(id, depositor);
        if (!exists) {
            Text.fail(
                string.concat(
                    NOT_FOUND, "collections: not found: key '(\"", Text.number(id), "\", \"", Account.text(chainPrefix(), depositor),
                    "\")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit"
                )
            );
        }
        return depositAnswer(id, depositor, amount);
    }

    function getDeposits(uint64 id, PageRequest memory page) private view returns (bytes memory) {
        Deposited[] memory all = depositsOf(id);
        address[] memory accounts = new address[](all.length);
        for (uint256 i = 0; i < all.length; i++) accounts[i] = all[i].depositor;
        (address[] memory chosen, PageResponse memory response) = pageOf(accounts, page);
        bytes[] memory list = new bytes[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) {
            uint256 j = 0;
            while (all[j].depositor != chosen[i]) j++;
            list[i] = depositAnswer(id, chosen[i], all[j].amount);
        }
        return Paging.encoded(list, response);
    }

    /// abi.encode of a DepositData.
    function depositAnswer(uint64 id, address depositor, uint256 amount) private pure returns (bytes memory out) {
        out = Encoder.begin(3, 0x200);
        Encoder.set(out, 0, id);
        Encoder.set(out, 1, uint160(depositor));
        Encoder.place(out, 2);
        if (amount == 0) Encoder.word(out, 0);
        else putCoin(out, amount);
    }

    /// A list of one coin.
    function putCoin(bytes memory out, uint256 amount) private pure {
        Encoder.word(Encoder.word(Encoder.word(Encoder.word(out, 1), 0x20), 0x40), amount);
        bytes memory denom = bytes(chainDenom());
        Encoder.text(out, denom, 0, denom.length);
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
