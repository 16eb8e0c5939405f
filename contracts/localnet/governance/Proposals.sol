// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Coin} from "../../Types.sol";
import {Account} from "../codec/Account.sol";
import {Blob} from "../codec/Blob.sol";
import {Gas} from "../common/Gas.sol";
import {GovernanceConfig, ProposalMessage} from "../common/ISystem.sol";
import {KnownMessages} from "./KnownMessages.sol";
import {Math} from "../common/Math.sol";
import {Action, Message, Proposal} from "./Messages.sol";
import {Module} from "../common/Module.sol";
import {Native} from "../common/Native.sol";
import {Text} from "../codec/Text.sol";
import {
    Clock,
    DISTRIBUTION_ACCOUNT,
    DistributionUpdate,
    GOVERNANCE_ACCOUNT,
    GovernanceUpdate,
    IDistributionKeeper,
    IGovernanceKeeper,
    IStakingKeeper,
    ONE,
    RESERVE,
    StakingUpdate,
    WeightedVoteOption
} from "../common/Types.sol";

/// Proposals from their first deposit to their end, as the framework's governance keeper manages them: transactions make
/// deposits and votes, and the end of a block draws the consequences.
abstract contract Proposals is Module, IGovernanceKeeper {
    using Blob for Blob.Ref;

    uint32 internal constant DEPOSIT_PERIOD = 1;
    uint32 internal constant VOTING_PERIOD = 2;
    uint32 internal constant PASSED = 3;
    uint32 internal constant REJECTED = 4;
    uint32 internal constant FAILED = 5;

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
    bool private votingBegan; // in this block, for one of them or more
    bool private filled; // see lastVoter

    uint256 private burnt;

    mapping(uint64 id => Stored) internal proposals;
    mapping(uint64 id => Tally) internal tallies;
    mapping(uint64 id => mapping(uint256 index => Deposited)) private deposits;
    /// The last voter: the first of a chain of all voters, which ends with NOBODY or zero. The chain itself puts NOBODY there
    /// when voting begins, since the first change of a zero costs four times as much, and everybody's vote changes this.
    mapping(uint64 id => address) private lastVoter;
    address private constant NOBODY = address(1);
    /// From the lowest bit on: the previous voter, the option or where the details are, their length, and the details
    /// themselves.
    mapping(uint64 id => mapping(address voter => uint256)) private votes;
    /// Options, weights and metadata of votes for more than one option or with metadata.
    mapping(uint64 id => mapping(address voter => Blob.Ref)) private details;

    uint8 private constant DETAILED = 0xff;
    /// The details are short enough for the upper part of the vote itself, above their length.
    uint8 private constant INLINE = 0xfe;
    uint256 private constant MAX_INLINE = 10;

    /// Why the messages of a proposal that passed were not carried out.
    mapping(uint64 id => string) private failures;

    function self() internal view override returns (address) {
        return GOVERNANCE;
    }

    function distribution() internal view returns (IDistributionKeeper) {
        return IDistributionKeeper(DISTRIBUTION);
    }

    function staking() internal view returns (IStakingKeeper) {
        return IStakingKeeper(STAKING);
    }

    function configure(GovernanceConfig calldata c) external onlyModules {
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

    function setCancelDest(string memory account) private {
        params.hasCancelDest = bytes(account).length != 0;
        params.proposalCancelDest.setWords(bytes(account));
    }

    function narrow(uint256 amount) internal pure returns (uint112) {
        require(amount <= type(uint112).max, "local precompiles: a number is too large");
        return uint112(amount);
    }

    // ---- parameters that a proposal changes

    function update(GovernanceUpdate memory u) private {
        uint256[7] memory ratios;
        for (uint256 i = 0; i < 7; i++) {
            bool ok;
            bool negative;
            (ok, negative, ratios[i]) = Text.parseDecimal(u.ratios[i]);
            // most thresholds must not be zero
            require(ok && !negative && ratios[i] <= ONE && (ratios[i] != 0 || i == 0 || i > 3), "a ratio is not valid");
        }
        require(ratios[3] > ratios[1], "the expedited threshold must be greater than the threshold");
        require(!u.negative, "a deposit is negative");
        (uint256 least, uint256 expedited) = (depositOf(u.minDeposit), depositOf(u.expeditedMinDeposit));
        require(expedited > least, "the expedited deposit must be greater than the deposit");
        (uint40 voting, uint40 fast) = (periodOf(u.votingPeriod), periodOf(u.expeditedVotingPeriod));
        require(u.expeditedVotingPeriod / 1e9 < u.votingPeriod / 1e9, "the expedited voting period must be less than the voting period");
        if (bytes(u.proposalCancelDest).length != 0) {
            (string memory failure,) = Account.readStrict(chainPrefix(), u.proposalCancelDest);
            require(bytes(failure).length == 0, failure);
        }
        (params.votingPeriod, params.expeditedVotingPeriod, params.depositPeriod) = (voting, fast, periodOf(u.depositPeriod));
        (params.burnVoteQuorum, params.burnVoteVeto) = (u.burnVoteQuorum, u.burnVoteVeto);
        params.burnProposalDepositPrevote = u.burnProposalDepositPrevote;
        (params.minDeposit, params.expeditedMinDeposit) = (narrow(least), narrow(expedited));
        (params.quorum, params.threshold) = (uint64(ratios[0]), uint64(ratios[1]));
        (params.vetoThreshold, params.expeditedThreshold) = (uint64(ratios[2]), uint64(ratios[3]));
        (params.minInitialDepositRatio, params.proposalCancelRatio) = (uint64(ratios[4]), uint64(ratios[5]));
        (params.minDepositRatio, params.updated) = (uint64(ratios[6]), true);
        params.ratios.setWords(abi.encode(u.ratios));
        setCancelDest(u.proposalCancelDest);
    }

    /// Deposits are in the native coin.
    function depositOf(Coin[] memory coins) private pure returns (uint256) {
        require(coins.length == 1 && coins[0].amount != 0 && Text.equal(coins[0].denom, chainDenom()), "a deposit is not valid");
        return coins[0].amount;
    }

    /// Whole seconds, rounded up.
    function periodOf(int256 nanoseconds) private pure returns (uint40) {
        require(nanoseconds > 0, "a period must be positive");
        return uint40((uint256(nanoseconds) + 1e9 - 1) / 1e9);
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

    /// One message, encoded as `store` takes them one after another.
    function packed(Message memory m, bytes memory effect) internal pure returns (bytes memory) {
        return abi.encodePacked(m.known, uint8(m.action), uint24(effect.length), effect);
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

    /// What an account has deposited.
    function findDeposit(uint64 id, address depositor) internal view returns (uint256) {
        Stored memory p = proposals[id];
        uint256 rest = p.totalDeposit;
        for (uint256 i = 0; i < p.depositors; i++) {
            Deposited memory d = deposits[id][i];
            if (d.depositor == depositor) return d.amount;
            rest -= d.amount;
        }
        return rest != 0 && waits(p.status) && depositor == proposerOf(id) ? rest : 0;
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
        bool implied = rest != 0 && waits(p.status);
        if (implied) list[p.depositors] = Deposited(proposerOf(id), uint96(rest));
        assembly ("memory-safe") {
            if iszero(implied) { mstore(list, sub(mload(list), 1)) }
        }
    }

    function proposerOf(uint64 id) internal view returns (address) {
        return address(bytes20(Blob.beginning(GOVERNANCE, id)));
    }

    /// Returns the deposits of a proposal minus a charge, and the sum of the charges: a ratio of each, 1e18 is all.
    function closeDeposits(uint64 id, uint256 ratio) private returns (uint256 charges) {
        Deposited[] memory list = depositsOf(id);
        uint256 paid = 0;
        for (uint256 i = 0; i < list.length; i++) {
            uint256 charge = Math.mul(list[i].amount * ONE, ratio) / ONE;
            charges += charge;
            paid += list[i].amount - charge;
            delete deposits[id][i];
            Native.pay(GOVERNANCE_ACCOUNT, list[i].depositor, list[i].amount - charge);
        }
        depositTotal -= uint112(paid + charges);
        proposals[id].depositors = 0;
    }

    function burn(uint256 amount) private {
        if (amount == 0) return;
        burnt += amount;
        Native.pay(GOVERNANCE_ACCOUNT, RESERVE, amount);
    }

    // ---- the end of a proposal

    /// Cancelling charges a part of each deposit, which is burnt or goes to the parameters' recipient.
    function cancel(uint64 id) internal {
        uint256 charges = closeDeposits(id, params.proposalCancelRatio);
        if (!params.hasCancelDest) {
            burn(charges);
        } else {
            (, address account) = Account.read(chainPrefix(), string(params.proposalCancelDest.get()));
            if (account == DISTRIBUTION_ACCOUNT) IDistributionKeeper(DISTRIBUTION).fundCommunityPool(charges);
            else Native.pay(GOVERNANCE_ACCOUNT, account, charges);
        }
        removeVotes(id);
        remove(id);
    }

    function remove(uint64 id) private {
        if (proposals[id].tallied) delete tallies[id];
        delete proposals[id];
        open--;
    }

    function removeVotes(uint64 id) private {
        address[] memory list = votersOf(id);
        for (uint256 i = 0; i < list.length; i++) {
            if (uint8(votes[id][list[i]] >> 160) == DETAILED) delete details[id][list[i]].word;
            delete votes[id][list[i]];
        }
        if (lastVoter[id] != address(0)) delete lastVoter[id];
    }

    function endBlock(Clock calldata clock) external onlyModules {
        if (votingBegan) beginChains();
        while (true) {
            (uint64 time, uint64 id) = earliest(DEPOSIT_PERIOD);
            if (time > clock.time) break;
            burn(closeDeposits(id, params.burnProposalDepositPrevote ? ONE : 0));
            remove(id);
        }
        while (true) {
            (uint64 time, uint64 id) = earliest(VOTING_PERIOD);
            if (time > clock.time) break;
            endVoting(id, clock);
        }
        uint48 done = ended;
        while (done < lastId && !waits(proposals[done + 1].status)) done++;
        if (done != ended) ended = done;
    }

    function beginChains() private {
        for (uint64 id = ended + 1; id <= lastId; id++) beginChain(id);
        votingBegan = false;
    }

    /// See lastVoter.
    function beginChain(uint64 id) internal {
        if (proposals[id].status == VOTING_PERIOD && lastVoter[id] == address(0)) lastVoter[id] = NOBODY;
    }

    /// The proposal whose period for deposits, or for votes, ends first; max uint64 if there is none. Only the chain itself
    /// looks: a queue would cost each proposal two storage words.
    function earliest(uint32 status) private view returns (uint64 time, uint64 id) {
        time = type(uint64).max;
        for (uint64 i = ended + 1; i <= lastId; i++) {
            Stored storage p = proposals[i];
            if (p.status == status && p.end < time) (time, id) = (p.end, i);
        }
    }

    function waits(uint8 status) private pure returns (bool) {
        return status == DEPOSIT_PERIOD || status == VOTING_PERIOD;
    }

    function endVoting(uint64 id, Clock calldata clock) private {
        Stored storage p = proposals[id];
        (Tally memory result, bool passes, bool burns) = tally(id);
        removeVotes(id);
        // an expedited proposal that fails continues as an ordinary one
        bool goesOn = p.expedited && !passes && !burns;
        tallies[id] = result;
        p.tallied = true;
        if (goesOn) {
            p.expedited = false;
            p.end = p.votingStartTime + params.votingPeriod;
            return;
        }
        burn(closeDeposits(id, burns ? ONE : 0));
        if (!passes) {
            p.status = uint8(REJECTED);
            return;
        }
        requireRead(id);
        p.status = uint8(PASSED);
        try Proposals(payable(GOVERNANCE)).execute(id, clock) {}
        catch Error(string memory reason) {
            (p.status, failures[id]) = (uint8(FAILED), reason);
        } catch {
            p.status = uint8(FAILED);
        }
    }

    /// On a fork a proposal's messages may be missing.
    function requireRead(uint64 id) private view {
        StoredMessage[] memory messages = contentOf(id).messages;
        for (uint256 i = 0; i < messages.length; i++) {
            if (messages[i].action != Action.Unread) continue;
            Text.fail(string.concat("proposal ", Text.number(id), " passes, but what its ", typeUrlOf(messages[i]), " does cannot be read from the forked chain"));
        }
    }

    function typeUrlOf(StoredMessage memory m) internal pure returns (string memory) {
        return m.known == KnownMessages.OTHER ? string(m.effect) : KnownMessages.at(m.known).typeUrl;
    }

    /// Carries out all messages of a proposal, or none: called by this contract itself.
    function execute(uint64 id, Clock calldata clock) external onlyModules {
        StoredMessage[] memory messages = contentOf(id).messages;
        for (uint256 i = 0; i < messages.length; i++) {
            (Action action, bytes memory effect) = (messages[i].action, messages[i].effect);
            if (action == Action.None) continue;
            require(effect.length != 0, "the recipient or the amount of the message is not valid");
            if (action == Action.UpdateStaking) staking().updateParams(abi.decode(effect, (StakingUpdate)));
            else if (action == Action.UpdateDistribution) distribution().updateParams(abi.decode(effect, (DistributionUpdate)), clock.time);
            else if (action == Action.UpdateGovernance) update(abi.decode(effect, (GovernanceUpdate)));
            else pay(action, address(uint160(numberAt(effect, 0, 20))), numberAt(effect, 20, effect.length - 20), clock.time);
        }
    }

    /// The governance account holds the deposits of proposals. A chain would spend them, and halt for good when it has to
    /// return them; here such a message fails.
    function pay(Action action, address recipient, uint256 amount, uint64 time) private {
        if (action == Action.SpendPool) {
            require(
                distribution().spendCommunityPool(recipient, amount, time), "community pool does not have sufficient coins to distribute"
            );
            return;
        }
        if (amount > GOVERNANCE_ACCOUNT.balance) {
            Text.fail(
                string.concat(
                    "spendable balance ",
                    Text.number(GOVERNANCE_ACCOUNT.balance),
                    chainDenom(),
                    " is smaller than ",
                    Text.number(amount),
                    chainDenom(),
                    ": insufficient funds"
                )
            );
        }
        require(GOVERNANCE_ACCOUNT.balance >= depositTotal && GOVERNANCE_ACCOUNT.balance - depositTotal >= amount, "the governance account has no more than the deposits of proposals");
        if (action == Action.Send) Native.pay(GOVERNANCE_ACCOUNT, recipient, amount);
        else distribution().fundCommunityPool(amount);
    }

    function nextDue() external view returns (uint64) {
        if (votingBegan) return 0;
        (uint64 a,) = earliest(DEPOSIT_PERIOD);
        (uint64 b,) = earliest(VOTING_PERIOD);
        return a < b ? a : b;
    }

    function contents(uint64 id) external view onlyModules returns (bool, ProposalMessage[] memory messages, string memory) {
        StoredMessage[] memory stored = contentOf(id).messages;
        messages = new ProposalMessage[](stored.length);
        for (uint256 i = 0; i < stored.length; i++) {
            (Action action, bytes memory effect) = (stored[i].action, stored[i].effect);
            bool isPayment = action == Action.Send || action == Action.SpendPool || action == Action.FundPool;
            // nothing is stored for a payment that fails
            if (!isPayment || effect.length == 0) action = Action.None;
            messages[i].typeUrl = typeUrlOf(stored[i]);
            messages[i].action = uint8(action);
            if (action == Action.None) continue;
            (messages[i].recipient, messages[i].amount) = (address(uint160(numberAt(effect, 0, 20))), numberAt(effect, 20, effect.length - 20));
        }
        return (proposals[id].expedited, messages, failures[id]);
    }

    function totals() external view returns (uint256, uint64, uint256) {
        return (depositTotal, open, burnt);
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
    uint8 private constant FRACTION = 1 << 5;
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
    function detailIn(uint64 id, address voter, uint256 vote) private view returns (uint8 option, bytes memory detail) {
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
    function numericWeightAt(bytes memory d, uint256 at) private pure returns (uint8 option, uint256 weight, uint256 next) {
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

    // ---- counting votes

    /// See IStakingKeeper.tally.
    struct Count {
        uint256[4] results;
        uint256 total;
        uint256 bonded;
    }

    function tally(uint64 id) private view returns (Tally memory result, bool passes, bool burn_) {
        Count memory c = counted(id);
        (passes, burn_) = outcome(c, proposals[id].expedited);
        result = Tally(narrowed(powerOf(c)));
    }

    /// Whole base units, by option.
    function tallyNow(uint64 id) internal view returns (uint256[4] memory power) {
        return powerOf(counted(id));
    }

    /// Leaves nothing of the count's results but whole base units.
    function powerOf(Count memory c) private pure returns (uint256[4] memory power) {
        power = c.results;
        (power[0], power[1], power[2], power[3]) = (power[0] / ONE, power[1] / ONE, power[2] / ONE, power[3] / ONE);
    }

    function narrowed(uint256[4] memory power) private pure returns (uint128[4] memory) {
        return [uint128(power[0]), uint128(power[1]), uint128(power[2]), uint128(power[3])];
    }

    /// As a tally is stored when votes have been counted at the end.
    function tallied(uint64 id) internal view returns (uint256[4] memory) {
        uint128[4] memory power = tallies[id].power;
        return [uint256(power[0]), power[1], power[2], power[3]];
    }

    function counted(uint64 id) private view returns (Count memory c) {
        (c.results, c.total, c.bonded) = staking().tally(votesOn(id));
    }

    /// All votes, in no order: for each the voter, and the weights; 32 bytes each.
    function votesOn(uint64 id) private view returns (bytes memory list) {
        assembly ("memory-safe") {
            list := mload(0x40)
        }
        uint256 length = 0;
        for (address voter = lastVoter[id]; voter > NOBODY;) {
            uint256 vote = votes[id][voter];
            assembly ("memory-safe") {
                let at := add(add(list, 0x20), length)
                mstore(at, voter)
                mstore(add(at, 0x20), vote)
                mstore(0x40, add(at, 0x40))
                length := add(length, 0x40)
            }
            voter = address(uint160(vote));
        }
        assembly ("memory-safe") {
            mstore(list, length)
            mstore(0x40, add(add(list, 0x20), length))
        }
        unchecked {
            for (uint256 i = 0; i < length; i += 64) {
                uint256 at;
                address voter;
                uint256 vote;
                assembly ("memory-safe") {
                    at := add(add(list, 0x20), i)
                    voter := mload(at)
                    vote := mload(add(at, 0x20))
                }
                uint256 weights = weightsOf(id, voter, vote);
                assembly ("memory-safe") {
                    mstore(add(at, 0x20), weights)
                }
            }
        }
    }

    /// A vote's weight for each option, with 18 places, in 64 bits each, the first one lowest.
    function weightsOf(uint64 id, address voter, uint256 vote) private view returns (uint256 weights) {
        (uint8 option, bytes memory d) = detailIn(id, voter, vote);
        unchecked {
            if (d.length == 0) return ONE << (64 * (option - 1));
            uint256 at = 1;
            for (uint256 i = uint8(d[0]); i > 0; i--) {
                uint256 weight;
                (option, weight, at) = numericWeightAt(d, at);
                weights |= weight << (64 * (option - 1));
            }
        }
    }

    function outcome(Count memory c, bool expedited) private view returns (bool passes, bool burn_) {
        if (c.bonded == 0) return (false, false);
        if (Math.quo(c.total, c.bonded * ONE) < params.quorum) return (false, params.burnVoteQuorum);
        (uint256 yes, uint256 abstain, uint256 veto) = (c.results[0], c.results[1], c.results[3]);
        if (c.total == abstain) return (false, false);
        if (Math.quo(veto, c.total) > params.vetoThreshold) return (false, params.burnVoteVeto);
        passes = Math.quo(yes, c.total - abstain) > (expedited ? params.expeditedThreshold : params.threshold);
    }
}
