// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Account} from "./Account.sol";
import {Gas} from "./Gas.sol";
import {GovernanceConfig} from "./ISystem.sol";
import {Math} from "./Math.sol";
import {Action} from "./Messages.sol";
import {Module} from "./Module.sol";
import {Native} from "./Native.sol";
import {Queue} from "./Queue.sol";
import {Text} from "./Text.sol";
import {
    Bond,
    Clock,
    Coin,
    Delegation,
    DISTRIBUTION_ACCOUNT,
    GOVERNANCE_ACCOUNT,
    IDistributionKeeper,
    IGovernanceKeeper,
    IStakingKeeper,
    ONE,
    RESERVE,
    WeightedVoteOption
} from "./Types.sol";

/// Proposals from their first deposit to their end, as the framework's governance keeper leads them.
abstract contract Proposals is Module, IGovernanceKeeper {
    using Queue for Queue.Heap;

    uint32 internal constant DEPOSIT_PERIOD = 1;
    uint32 internal constant VOTING_PERIOD = 2;
    uint32 internal constant PASSED = 3;
    uint32 internal constant REJECTED = 4;
    uint32 internal constant FAILED = 5;

    /// Whole base units, by option: yes, abstain, no, no with veto.
    struct Tally {
        uint256[4] power;
    }

    struct StoredMessage {
        string typeUrl;
        Action action;
        address recipient;
        uint256 amount;
        bool broken; // its execution fails
    }

    struct Stored {
        uint32 status; // 0: no such proposal
        bool expedited;
        address proposer;
        uint64 submitTime;
        uint64 depositEndTime;
        uint64 votingStartTime;
        uint64 votingEndTime;
        uint256 totalDeposit;
        Tally tally;
        string metadata;
        string title;
        string summary;
        StoredMessage[] messages;
    }

    struct StoredVote {
        WeightedVoteOption[] options;
        string metadata;
    }

    GovernanceConfig internal params;
    uint64 internal lastId;
    uint64 internal open; // proposals that exist
    uint256 internal depositTotal;
    uint256 private burnt;

    mapping(uint64 id => Stored) internal proposals;
    mapping(uint64 id => address[]) internal voters;
    mapping(uint64 id => mapping(address voter => StoredVote)) internal votes;
    mapping(uint64 id => address[]) internal depositors;
    mapping(uint64 id => mapping(address depositor => uint256)) internal deposits;

    Queue.Heap internal depositQueue;
    Queue.Heap internal votingQueue;

    function self() internal view override returns (address) {
        return GOVERNANCE;
    }

    function staking() internal view returns (IStakingKeeper) {
        return IStakingKeeper(STAKING);
    }

    function configure(GovernanceConfig calldata config) external onlyModules {
        params = config;
    }

    // ---- deposits

    function minDeposit(bool expedited) internal view returns (uint256) {
        return expedited ? params.expeditedMinDeposit : params.minDeposit;
    }

    function open_(Stored storage p, uint64 id, Clock memory clock) internal {
        p.status = DEPOSIT_PERIOD;
        (p.submitTime, p.depositEndTime) = (clock.time, clock.time + params.depositPeriod);
        depositQueue.add(p.depositEndTime, id);
        open++;
    }

    /// Notes a deposit that has been paid; one that reaches the minimum opens the voting period.
    function noteDeposit(uint64 id, address depositor, uint256 amount, Clock memory clock) internal {
        Stored storage p = proposals[id];
        if (amount > 0 && deposits[id][depositor] == 0) depositors[id].push(depositor);
        deposits[id][depositor] += amount;
        depositTotal += amount;
        p.totalDeposit += amount;
        if (p.status != DEPOSIT_PERIOD || p.totalDeposit < minDeposit(p.expedited)) return;
        Gas.charge(Gas.ACTIVATION);
        p.status = VOTING_PERIOD;
        p.votingStartTime = clock.time;
        setVotingEnd(id, clock.time + (p.expedited ? params.expeditedVotingPeriod : params.votingPeriod));
    }

    function setVotingEnd(uint64 id, uint64 time) private {
        proposals[id].votingEndTime = time;
        votingQueue.add(time, id);
    }

    /// Returns or burns every deposit of a proposal.
    function closeDeposits(uint64 id, bool burn) private {
        address[] memory list = depositors[id];
        uint256 gone = 0;
        for (uint256 i = 0; i < list.length; i++) {
            uint256 amount = deposits[id][list[i]];
            delete deposits[id][list[i]];
            if (burn) gone += amount;
            else payBack(list[i], amount);
        }
        delete depositors[id];
        burnDeposit(gone);
    }

    function payBack(address depositor, uint256 amount) private {
        depositTotal -= amount;
        Native.pay(GOVERNANCE_ACCOUNT, depositor, amount);
    }

    function burnDeposit(uint256 amount) private {
        depositTotal -= amount;
        burnt += amount;
        Native.pay(GOVERNANCE_ACCOUNT, RESERVE, amount);
    }

    // ---- the end

    /// Cancelling costs a part of each deposit, which is burnt or goes where the parameters say.
    function cancel(uint64 id) internal {
        address[] memory list = depositors[id];
        uint256 charges = 0;
        for (uint256 i = 0; i < list.length; i++) {
            uint256 amount = deposits[id][list[i]];
            uint256 charge = Math.mul(amount * ONE, params.proposalCancelRatio) / ONE;
            charges += charge;
            delete deposits[id][list[i]];
            payBack(list[i], amount - charge);
        }
        delete depositors[id];
        string memory destination = params.proposalCancelDest;
        if (bytes(destination).length == 0) {
            burnDeposit(charges);
        } else {
            depositTotal -= charges;
            (, address account) = Account.read(chainPrefix(), destination);
            if (account == DISTRIBUTION_ACCOUNT) IDistributionKeeper(DISTRIBUTION).fundCommunityPool(charges);
            else Native.pay(GOVERNANCE_ACCOUNT, account, charges);
        }
        removeVotes(id);
        remove(id);
    }

    function remove(uint64 id) private {
        delete proposals[id];
        open--;
    }

    function removeVotes(uint64 id) private {
        address[] memory list = voters[id];
        for (uint256 i = 0; i < list.length; i++) delete votes[id][list[i]];
        delete voters[id];
    }

    function endBlock(Clock calldata clock) external onlyModules {
        while (depositQueue.next() <= clock.time) {
            (, uint192 what) = depositQueue.pop();
            uint64 id = uint64(what);
            if (proposals[id].status != DEPOSIT_PERIOD) continue;
            closeDeposits(id, params.burnProposalDepositPrevote);
            remove(id);
        }
        while (votingQueue.next() <= clock.time) {
            (uint64 time, uint192 what) = votingQueue.pop();
            uint64 id = uint64(what);
            if (proposals[id].status == VOTING_PERIOD && proposals[id].votingEndTime == time) endVoting(id);
        }
    }

    function endVoting(uint64 id) private {
        Stored storage p = proposals[id];
        (Tally memory result, bool passes, bool burn) = tally(id);
        removeVotes(id);
        // an expedited proposal that fails goes on as an ordinary one
        bool goesOn = p.expedited && !passes && !burn;
        p.tally = result;
        if (goesOn) {
            p.expedited = false;
            setVotingEnd(id, p.votingStartTime + params.votingPeriod);
            return;
        }
        closeDeposits(id, burn);
        if (!passes) {
            p.status = REJECTED;
            return;
        }
        (bool ok,) = GOVERNANCE.call(abi.encodeCall(Proposals.execute, (id)));
        p.status = ok ? PASSED : FAILED;
    }

    /// All messages of a proposal, or none: called by this contract itself.
    function execute(uint64 id) external onlyModules {
        StoredMessage[] storage messages = proposals[id].messages;
        for (uint256 i = 0; i < messages.length; i++) {
            StoredMessage storage m = messages[i];
            if (m.action == Action.None) continue;
            require(!m.broken, "the message is not valid");
            if (m.action == Action.Send) Native.pay(GOVERNANCE_ACCOUNT, m.recipient, m.amount);
            else if (m.action == Action.FundPool) IDistributionKeeper(DISTRIBUTION).fundCommunityPool(m.amount);
            else require(IDistributionKeeper(DISTRIBUTION).spendCommunityPool(m.recipient, m.amount), "the community pool has less");
        }
    }

    function nextDue() external view returns (uint64) {
        (uint64 a, uint64 b) = (depositQueue.next(), votingQueue.next());
        return a < b ? a : b;
    }

    function totals() external view returns (uint256, uint64, uint256) {
        return (depositTotal, open, burnt);
    }

    // ---- counting votes

    struct Count {
        address[] operators;
        Bond[] bonds;
        uint256[] voted; // shares whose owners voted themselves
        uint256[4] results; // 18 places
        uint256 total; // 18 places
    }

    /// Who has voted decides about its own stake; a validator decides about the stake of its delegators that have not.
    function tally(uint64 id) internal view returns (Tally memory result, bool passes, bool burn) {
        Count memory c;
        uint256 bonded;
        (c.operators, c.bonds, bonded) = staking().bondedValidators();
        c.voted = new uint256[](c.operators.length);
        address[] memory list = voters[id];
        for (uint256 i = 0; i < list.length; i++) {
            Delegation[] memory delegations = staking().delegations(list[i]);
            for (uint256 j = 0; j < delegations.length; j++) {
                (bool found, uint256 at) = find(c.operators, delegations[j].validator);
                if (!found) continue;
                c.voted[at] += delegations[j].shares;
                countVote(c, votes[id][list[i]], delegations[j].shares, c.bonds[at]);
            }
        }
        for (uint256 i = 0; i < c.operators.length; i++) {
            StoredVote storage v = votes[id][c.operators[i]];
            if (v.options.length > 0) countVote(c, v, c.bonds[i].shares - c.voted[i], c.bonds[i]);
        }
        for (uint256 i = 0; i < 4; i++) result.power[i] = c.results[i] / ONE;
        (passes, burn) = outcome(c, bonded, proposals[id].expedited);
    }

    function countVote(Count memory c, StoredVote storage v, uint256 shares, Bond memory bond) private view {
        uint256 power = Math.quo(shares * bond.tokens, bond.shares);
        for (uint256 i = 0; i < v.options.length; i++) {
            (,, uint256 weight) = Text.parseDecimal(v.options[i].weight);
            c.results[v.options[i].option - 1] += Math.mul(power, weight);
        }
        c.total += power;
    }

    function outcome(Count memory c, uint256 bonded, bool expedited) private view returns (bool passes, bool burn) {
        if (bonded == 0) return (false, false);
        if (Math.quo(c.total, bonded * ONE) < params.quorum) return (false, params.burnVoteQuorum);
        (uint256 yes, uint256 abstain, uint256 veto) = (c.results[0], c.results[1], c.results[3]);
        if (c.total == abstain) return (false, false);
        if (Math.quo(veto, c.total) > params.vetoThreshold) return (false, params.burnVoteVeto);
        passes = Math.quo(yes, c.total - abstain) > (expedited ? params.expeditedThreshold : params.threshold);
    }

    /// The list is sorted.
    function find(address[] memory list, address wanted) private pure returns (bool, uint256) {
        uint256 from = 0;
        uint256 to = list.length;
        while (from < to) {
            uint256 middle = (from + to) / 2;
            if (list[middle] == wanted) return (true, middle);
            if (list[middle] < wanted) from = middle + 1;
            else to = middle;
        }
        return (false, 0);
    }
}
