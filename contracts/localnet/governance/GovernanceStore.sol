// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Blob} from "../codec/Blob.sol";
import {Gas} from "../common/Gas.sol";
import {GovernanceConfig} from "../common/ISystem.sol";
import {Action, Proposal} from "./Messages.sol";
import {Module} from "../common/Module.sol";
import {Text} from "../codec/Text.sol";
import {Clock, WeightedVoteOption} from "../common/Types.sol";

/// The governance module's books: parameters, proposals, deposits and votes, the forms in which they are stored, and what
/// transactions write into them.
abstract contract GovernanceStore is Module {
    using Blob for Blob.Ref;

    uint32 internal constant DEPOSIT_PERIOD = 1;
    uint32 internal constant VOTING_PERIOD = 2;

    /// The weight of a vote for one option.
    string internal constant ALL = "1.000000000000000000";

    /// Whole base units, by option: yes, abstain, no, no with veto.
    struct Tally {
        uint128[4] power;
    }

    /// The part of a proposal that changes, in one word. The rest is in Content.
    struct Stored {
        uint8 status; // 0: no such proposal
        bool expedited;
        bool tallied;
        uint24 depositors;
        uint40 votingStartTime;
        uint40 end; // of the time for deposits, or for votes
        uint112 totalDeposit;
    }

    /// The part of a proposal that never changes: stored as code, see Blob.place.
    struct Content {
        address proposer;
        uint64 submitTime;
        uint64 depositEndTime;
        string metadata;
        string title;
        string summary;
        StoredMessage[] messages;
    }

    struct StoredMessage {
        uint8 known; // see KnownMessages
        Action action;
        bytes effect; // of a payment: recipient, and amount without leading zeros; nothing where it fails; of an update: see Params
    }

    /// Deposits of accounts other than the proposer, see depositsOf.
    struct Deposited {
        address depositor;
        uint96 amount;
    }

    // Numbers are packed; ratios: 1e18 is 1.
    struct Parameters {
        uint40 votingPeriod;
        uint40 expeditedVotingPeriod;
        uint40 depositPeriod;
        bool burnVoteQuorum;
        bool burnProposalDepositPrevote;
        bool burnVoteVeto;
        uint112 minDeposit;
        //
        uint112 expeditedMinDeposit;
        uint64 quorum;
        uint64 threshold;
        bool ignoreUnknownMessages;
        bool updated; // by a proposal: the ratios' texts are those that it had
        //
        uint64 expeditedThreshold;
        uint64 vetoThreshold;
        uint64 minInitialDepositRatio;
        uint64 minDepositRatio;
        //
        uint64 proposalCancelRatio;
        bool hasCancelDest;
        //
        Blob.Ref proposalCancelDest;
        Blob.Ref ratios;
        Blob.Ref constitution;
    }

    Parameters internal params;

    // one word
    uint48 internal lastId;
    uint48 internal ended; // up to this one none waits for an end
    uint32 internal open; // proposals that exist
    uint112 internal depositTotal;
    bool internal votingBegan; // in this block, for one of them or more
    bool private filled; // see lastVoter

    uint256 internal burnt;

    mapping(uint64 id => Stored) internal proposals;
    mapping(uint64 id => Tally) internal tallies;
    mapping(uint64 id => mapping(uint256 index => Deposited)) internal deposits;
    /// The last voter: the first of a chain of all voters, which ends with NOBODY or zero. The chain itself puts NOBODY there
    /// when voting begins, since the first change of a zero costs four times as much, and everybody's vote changes this.
    mapping(uint64 id => address) internal lastVoter;
    address internal constant NOBODY = address(1);
    /// From the lowest bit on: the previous voter, the option or where the details are, their length, and the details
    /// themselves.
    mapping(uint64 id => mapping(address voter => uint256)) internal votes;
    /// Options, weights and metadata of votes for more than one option or with metadata.
    mapping(uint64 id => mapping(address voter => Blob.Ref)) internal details;

    uint8 internal constant DETAILED = 0xff;
    /// The details are short enough for the upper part of the vote itself, above their length.
    uint8 private constant INLINE = 0xfe;
    uint256 private constant MAX_INLINE = 10;

    /// Why the messages of a proposal that passed were not carried out.
    mapping(uint64 id => string) internal failures;

    function self() internal view override returns (address) {
        return GOVERNANCE;
    }

    function setParameters(GovernanceConfig calldata c) internal {
        (params.votingPeriod, params.expeditedVotingPeriod) = (uint40(c.votingPeriod), uint40(c.expeditedVotingPeriod));
        params.depositPeriod = uint40(c.depositPeriod);
        (params.burnVoteQuorum, params.burnVoteVeto) = (c.burnVoteQuorum, c.burnVoteVeto);
        params.burnProposalDepositPrevote = c.burnProposalDepositPrevote;
        (params.minDeposit, params.expeditedMinDeposit) = (narrow(c.minDeposit), narrow(c.expeditedMinDeposit));
        (params.quorum, params.threshold) = (uint64(c.quorum), uint64(c.threshold));
        (params.expeditedThreshold, params.vetoThreshold) = (uint64(c.expeditedThreshold), uint64(c.vetoThreshold));
        (params.minInitialDepositRatio, params.minDepositRatio) = (uint64(c.minInitialDepositRatio), uint64(c.minDepositRatio));
        params.proposalCancelRatio = uint64(c.proposalCancelRatio);
        params.ignoreUnknownMessages = c.ignoreUnknownMessages;
        setCancelDest(c.proposalCancelDest);
        params.constitution.setWords(bytes(c.constitution));
        filled = true;
    }

    function setCancelDest(string memory account) internal {
        params.hasCancelDest = bytes(account).length != 0;
        params.proposalCancelDest.setWords(bytes(account));
    }

    function narrow(uint256 amount) internal pure returns (uint112) {
        require(amount <= type(uint112).max, "local precompiles: a number is too large");
        return uint112(amount);
    }

    // ---- what is stored as code

    function store(uint64 id, Proposal memory p, address proposer, bytes memory messages, Clock memory clock) internal {
        uint64 end = clock.time + params.depositPeriod;
        Blob.place(id, packedContent(p, proposer, clock.time, end, messages));
        proposals[id] = Stored(uint8(DEPOSIT_PERIOD), p.expedited, false, 0, 0, uint40(end), 0);
        open++;
    }

    function packedContent(Proposal memory p, address proposer, uint64 submitTime, uint64 depositEndTime, bytes memory messages)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(
            proposer,
            uint40(submitTime),
            uint40(depositEndTime),
            uint24(bytes(p.metadata).length),
            uint24(bytes(p.title).length),
            uint24(bytes(p.summary).length),
            uint16(p.messages.length),
            p.metadata,
            p.title,
            p.summary,
            messages
        );
    }

    function contentOf(uint64 id) internal view returns (Content memory c) {
        bytes memory d = Blob.placed(GOVERNANCE, id);
        c.proposer = address(uint160(numberAt(d, 0, 20)));
        (c.submitTime, c.depositEndTime) = (uint64(numberAt(d, 20, 5)), uint64(numberAt(d, 25, 5)));
        (uint256 first, uint256 second, uint256 third) = (numberAt(d, 30, 3), numberAt(d, 33, 3), numberAt(d, 36, 3));
        uint256 at = 41;
        (c.metadata, at) = (Text.slice(d, at, first), at + first);
        (c.title, at) = (Text.slice(d, at, second), at + second);
        (c.summary, at) = (Text.slice(d, at, third), at + third);
        c.messages = new StoredMessage[](numberAt(d, 39, 2));
        for (uint256 i = 0; i < c.messages.length; i++) {
            uint256 length = numberAt(d, at + 2, 3);
            c.messages[i] = StoredMessage(uint8(d[at]), Action(uint8(d[at + 1])), bytes(Text.slice(d, at + 5, length)));
            at += 5 + length;
        }
    }

    /// A number of `size` bytes.
    function numberAt(bytes memory d, uint256 at, uint256 size) internal pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(sub(256, shl(3, size)), mload(add(add(d, 0x20), at)))
        }
    }

    // ---- deposits

    function minDeposit(bool expedited) internal view returns (uint256) {
        return expedited ? params.expeditedMinDeposit : params.minDeposit;
    }

    /// Records a deposit that has been paid; voting begins once the deposits reach the minimum.
    function noteDeposit(uint64 id, address depositor, uint256 amount, Clock memory clock) internal {
        Stored storage p = proposals[id];
        if (amount > 0) putDeposit(id, depositor, amount);
        depositTotal += narrow(amount);
        uint112 total = p.totalDeposit + narrow(amount);
        p.totalDeposit = total;
        if (p.status != DEPOSIT_PERIOD || total < minDeposit(p.expedited)) return;
        Gas.charge(Gas.ACTIVATION);
        votingBegan = true;
        (p.status, p.votingStartTime) = (uint8(VOTING_PERIOD), uint40(clock.time));
        p.end = uint40(clock.time) + (p.expedited ? params.expeditedVotingPeriod : params.votingPeriod);
    }

    function putDeposit(uint64 id, address depositor, uint256 amount) internal {
        uint256 count = proposals[id].depositors;
        uint256 index = 0;
        while (index < count && deposits[id][index].depositor != depositor) index++;
        bool implied = index == count && depositor == proposerOf(id);
        uint256 sum = amount + (implied ? proposals[id].totalDeposit : deposits[id][index].amount);
        require(sum <= type(uint96).max, "local precompiles: a number is too large");
        if (implied) return;
        deposits[id][index] = Deposited(depositor, uint96(sum));
        if (index == count) proposals[id].depositors = uint24(count + 1);
    }

    /// What an account has deposited: the proposer may have deposited nothing.
    function findDeposit(uint64 id, address depositor) internal view returns (bool exists, uint256 amount) {
        Stored memory p = proposals[id];
        uint256 rest = p.totalDeposit;
        for (uint256 i = 0; i < p.depositors; i++) {
            Deposited memory d = deposits[id][i];
            if (d.depositor == depositor) return (true, d.amount);
            rest -= d.amount;
        }
        if (waits(p.status) && depositor == proposerOf(id) && hasImplied(depositor, rest)) return (true, rest);
    }

    /// All deposits on a proposal. The proposer's is what the others do not add up to.
    function depositsOf(uint64 id) internal view returns (Deposited[] memory list) {
        Stored memory p = proposals[id];
        list = new Deposited[](p.depositors + 1);
        uint256 rest = p.totalDeposit;
        for (uint256 i = 0; i < p.depositors; i++) {
            list[i] = deposits[id][i];
            rest -= list[i].amount;
        }
        bool implied = waits(p.status);
        if (implied) {
            address proposer = proposerOf(id);
            implied = hasImplied(proposer, rest);
            list[p.depositors] = Deposited(proposer, uint96(rest));
        }
        assembly ("memory-safe") {
            if iszero(implied) { mstore(list, sub(mload(list), 1)) }
        }
    }

    /// A proposal of a forked chain may be so old that it has no proposer.
    function hasImplied(address proposer, uint256 rest) private pure returns (bool) {
        return rest != 0 || proposer != address(0);
    }

    function proposerOf(uint64 id) internal view returns (address) {
        return address(bytes20(Blob.beginning(GOVERNANCE, id)));
    }

    function waits(uint8 status) internal pure returns (bool) {
        return status == DEPOSIT_PERIOD || status == VOTING_PERIOD;
    }

    // ---- votes

    function hasVoted(uint64 id, address voter) internal view returns (bool) {
        return votes[id][voter] != 0;
    }

    /// `detail`: empty for one option without metadata, otherwise see `packedVote`.
    function noteVote(uint64 id, address voter, uint8 option, bytes memory detail) internal {
        uint256 vote = votes[id][voter];
        address previous = address(uint160(vote));
        if (vote == 0) (previous, lastVoter[id]) = (lastVoter[id], voter);
        uint256 kind = option;
        if (detail.length > MAX_INLINE) {
            kind = DETAILED;
            details[id][voter].set(detail);
        } else if (detail.length != 0) {
            kind = INLINE | (detail.length << 8) | ((uint256(bytes32(detail)) >> 176) << 16);
        }
        votes[id][voter] = (kind << 160) | uint160(previous);
    }

    // A weight in a vote's details begins with a byte: two bits for the option, counted from 0; whether "0." precedes what
    // follows; and the length of what follows, or one of these two.
    uint8 internal constant FRACTION = 1 << 5;
    uint8 private constant WHOLE = 30; // nothing follows: it is ALL
    uint8 private constant LONG = 31; // two bytes with the length follow

    /// How many options; for each its weight; then the metadata. Short votes are kept short, so that they fit into a word.
    function packedVote(WeightedVoteOption[] memory options, string memory metadata) internal pure returns (bytes memory detail) {
        detail = abi.encodePacked(uint8(options.length));
        for (uint256 i = 0; i < options.length; i++) {
            bytes memory weight = bytes(options[i].weight);
            uint8 head = (options[i].option - 1) << 6;
            if (Text.equal(string(weight), ALL)) {
                detail = abi.encodePacked(detail, head | WHOLE);
                continue;
            }
            if (Text.startsWith(weight, 0, "0.")) (head, weight) = (head | FRACTION, bytes(Text.slice(weight, 2, weight.length - 2)));
            detail = weight.length < WHOLE
                ? abi.encodePacked(detail, head | uint8(weight.length), weight)
                : abi.encodePacked(detail, head | LONG, uint16(weight.length), weight);
        }
        detail = abi.encodePacked(detail, metadata);
    }

    /// A vote for one option without metadata has no details, see packedVote.
    function detailOf(uint64 id, address voter) internal view returns (uint8 option, bytes memory detail) {
        return detailIn(id, voter, votes[id][voter]);
    }

    /// The same of a vote as it is stored.
    function detailIn(uint64 id, address voter, uint256 vote) internal view returns (uint8 option, bytes memory detail) {
        option = uint8(vote >> 160);
        if (option < INLINE) return (option, detail);
        detail = option == DETAILED ? details[id][voter].get() : inlined(vote);
    }

    /// In details: the option at a position, its weight, and the position after it.
    function weightAt(bytes memory d, uint256 at) internal pure returns (uint8 option, string memory weight, uint256 next) {
        uint8 head = uint8(d[at]);
        (option, next) = ((head >> 6) + 1, at + 1);
        uint256 length = head & 31;
        if (length == WHOLE) return (option, ALL, next);
        if (length == LONG) (length, next) = (numberAt(d, next, 2), next + 2);
        weight = Text.slice(d, next, length);
        if (head & FRACTION != 0) weight = string.concat("0.", weight);
        next += length;
    }

    /// The same with the weight as a number with 18 places. Fast for the usual ones, such as 0.7.
    function numericWeightAt(bytes memory d, uint256 at) internal pure returns (uint8 option, uint256 weight, uint256 next) {
        uint256 head = numberAt(d, at, 1);
        uint256 places = head & 31;
        if (head & FRACTION == 0 || places > 18) {
            string memory text;
            (option, text, next) = weightAt(d, at);
            (,, weight) = Text.parseDecimal(text);
            return (option, weight, next);
        }
        unchecked {
            option = uint8(head >> 6) + 1;
            for (next = at + 1; next <= at + places; next++) weight = 10 * weight + numberAt(d, next, 1) - 48;
            weight *= 10 ** (18 - places);
        }
    }

    function inlined(uint256 vote) private pure returns (bytes memory) {
        return bytes(Text.slice(abi.encodePacked(vote), 0, uint8(vote >> 168)));
    }

    /// In no order.
    function votersOf(uint64 id) internal view returns (address[] memory list) {
        assembly ("memory-safe") {
            list := mload(0x40)
        }
        uint256 count = 0;
        for (address voter = lastVoter[id]; voter > NOBODY; voter = address(uint160(votes[id][voter]))) {
            assembly ("memory-safe") {
                count := add(count, 1)
                mstore(add(list, mul(32, count)), voter)
                mstore(0x40, add(list, mul(32, add(count, 1))))
            }
        }
        assembly ("memory-safe") {
            mstore(list, count)
            mstore(0x40, add(list, mul(32, add(count, 1))))
        }
    }

    /// See lastVoter.
    function beginChain(uint64 id) internal {
        if (proposals[id].status == VOTING_PERIOD && lastVoter[id] == address(0)) lastVoter[id] = NOBODY;
    }
}
