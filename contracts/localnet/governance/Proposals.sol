// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Coin} from "../../Types.sol";
import {Account} from "../codec/Account.sol";
import {Blob} from "../codec/Blob.sol";
import {GovernanceConfig, ProposalMessage} from "../common/ISystem.sol";
import {GovernanceStore} from "./GovernanceStore.sol";
import {KnownMessages} from "./KnownMessages.sol";
import {Math} from "../common/Math.sol";
import {Action} from "./Messages.sol";
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
    StakingUpdate
} from "../common/Types.sol";

/// What becomes of proposals, as the framework's governance keeper decides it: the end of a block counts votes, returns
/// deposits and carries out what has passed.
abstract contract Proposals is GovernanceStore, IGovernanceKeeper {
    using Blob for Blob.Ref;

    uint32 internal constant PASSED = 3;
    uint32 internal constant REJECTED = 4;
    uint32 internal constant FAILED = 5;

    function distribution() internal view returns (IDistributionKeeper) {
        return IDistributionKeeper(DISTRIBUTION);
    }

    function staking() internal view returns (IStakingKeeper) {
        return IStakingKeeper(STAKING);
    }

    // ---- parameters

    function configure(GovernanceConfig calldata config) external onlyModules {
        setParameters(config);
    }

    /// A proposal's change of them.
    function update(GovernanceUpdate memory u) private {
        uint256[7] memory ratios;
        for (uint256 i = 0; i < 7; i++) {
            bool ok;
            bool negative;
            (ok, negative, ratios[i]) = Text.parseDecimal(u.ratios[i]);
            // most thresholds must not be zero; the chain has no limit for the expedited one, which then never passes
            require(ok && !negative && (ratios[i] <= ONE || i == 3) && (ratios[i] != 0 || i == 0 || i > 3), "a ratio is not valid");
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
        (params.vetoThreshold, params.expeditedThreshold) = (uint64(ratios[2]), uint64(ratios[3] > ONE ? ONE : ratios[3]));
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

    // ---- the end of a proposal

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

    /// Cancelling charges a part of each deposit, which is burnt or goes to the parameters' recipient.
    function cancel(uint64 id) internal {
        uint256 charges = closeDeposits(id, params.proposalCancelRatio);
        if (!params.hasCancelDest) {
            burn(charges);
        } else {
            (, address account) = Account.read(chainPrefix(), string(params.proposalCancelDest.get()));
            if (account == DISTRIBUTION_ACCOUNT) IDistributionKeeper(DISTRIBUTION).fundCommunityPool(charges);
            else payCharges(account, charges);
        }
        removeVotes(id);
        remove(id);
    }

    function payCharges(address account, uint256 charges) private {
        if (charges != 0 && Account.blocked(account)) {
            Text.fail(string.concat(Account.text(chainPrefix(), account), " is not allowed to receive funds: unauthorized"));
        }
        Native.pay(GOVERNANCE_ACCOUNT, account, charges);
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

    /// The proposal whose period for deposits, or for votes, ends first; max uint64 if there is none. Only the chain itself
    /// looks: a queue would cost each proposal two storage words.
    function earliest(uint32 status) private view returns (uint64 time, uint64 id) {
        time = type(uint64).max;
        for (uint64 i = ended + 1; i <= lastId; i++) {
            Stored storage p = proposals[i];
            if (p.status == status && p.end < time) (time, id) = (p.end, i);
        }
    }

    function endVoting(uint64 id, Clock calldata clock) private {
        Stored storage p = proposals[id];
        (Tally memory result, bool passes, bool burns) = tally(id);
        removeVotes(id);
        tallies[id] = result;
        p.tallied = true;
        // an expedited proposal that fails continues as an ordinary one, with its deposits even after a veto
        if (p.expedited && !passes) {
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
