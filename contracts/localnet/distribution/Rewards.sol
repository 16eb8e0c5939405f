// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Math} from "../common/Math.sol";
import {Module} from "../common/Module.sol";
import {Native} from "../common/Native.sol";
import {RewardsState} from "./RewardsState.sol";
import {Text} from "../codec/Text.sol";
import {
    BONDED,
    Bond,
    Clock,
    DISTRIBUTION_ACCOUNT,
    DistributionUpdate,
    FEE_COLLECTOR,
    GOVERNANCE_ACCOUNT,
    IDistributionKeeper,
    IStakingKeeper,
    ONE,
    RESERVE
} from "../common/Types.sol";

/// Rewards by periods ("F1"), as the framework's distribution keeper computes them: a validator's period ends whenever one
/// of its delegations changes; what one token has earned until then is kept as a sum over the periods. Amounts of rewards
/// have 18 more places than base units. The framework keeps that sum for every period that something refers to. Here,
/// whatever refers to it keeps it: a delegation since its beginning, or a slash.
abstract contract Rewards is Module, IDistributionKeeper, RewardsState {
    uint256 private constant YEAR = 365 days;

    function self() internal view override returns (address) {
        return DISTRIBUTION;
    }

    function staking() internal view returns (IStakingKeeper) {
        return IStakingKeeper(STAKING);
    }

    // ---- rewards over time

    function configure(uint256 rewardRate) external onlyModules {
        (rate_, withdrawAddressEnabled) = (narrow(rewardRate), true);
    }

    function setRewardRate(uint256 rate, uint64 time) external onlyModules {
        settleAll(time);
        rate_ = narrow(rate);
    }

    function narrow(uint256 rate) private pure returns (uint80) {
        require(rate <= type(uint80).max, "local precompiles: a number is too large");
        return uint80(rate);
    }

    function fit(uint256 amount) internal pure returns (uint248) {
        require(amount <= type(uint248).max, "local precompiles: a number is too large");
        return uint248(amount);
    }

    /// Changed by a proposal. Until then the configured rate is what is left after tax.
    function updateParams(DistributionUpdate calldata u, uint64 time) external onlyModules {
        require(!u.hasProposerReward, "cannot update base or bonus proposer reward because these are deprecated fields: invalid request");
        string memory tax = Text.decimal(u.communityTax);
        if (u.negative && u.communityTax > 0) Text.fail(string.concat("community tax must be positive: -", tax));
        if (u.communityTax > ONE) Text.fail(string.concat("community tax too large: ", tax));
        settleAll(time);
        (communityTax, withdrawAddressEnabled) = (uint64(u.communityTax), u.withdrawAddressEnabled);
    }

    function params() external view returns (uint64, bool) {
        return (communityTax, withdrawAddressEnabled);
    }

    /// Base units that a validator has earned and that are not settled, the tax on them, and how much of both is fees.
    function pending(Record storage r, address operator, Bond memory bond, uint64 time)
        private
        view
        returns (uint256 amount, uint256 tax, uint256 paid)
    {
        uint256 settledAt = r.settledAt;
        if (bond.status == BONDED && time > settledAt) amount = Math.mulDiv(bond.tokens, rate_ * (time - settledAt), YEAR * ONE);
        if (r.hasFees && block.number > feesUntil) amount += paid = fees[operator];
        if (amount == 0) return (0, 0, 0);
        tax = Math.mulDiv(amount, communityTax, ONE);
        amount -= tax;
    }

    function settleAll(uint64 time) private {
        (address[] memory operators, Bond[] memory bonds,) = staking().bondedValidators();
        for (uint256 i = 0; i < operators.length; i++) {
            settleNow(operators[i], bonds[i], time);
            records[operators[i]].settledAt = uint40(time);
        }
    }

    function settle(address operator, Bond memory bond, Clock memory clock) external onlyModules {
        settleNow(operator, bond, clock.time);
    }

    function bondedSetChanging(address operator, Bond memory bond, Clock memory clock) external onlyModules {
        settleNow(operator, bond, clock.time);
        Record storage r = records[operator];
        (r.settledAt, r.commissionFilled, r.outstandingFilled) = (uint40(clock.time), true, true);
    }

    function settleNow(address operator, Bond memory bond, uint64 time) internal {
        uint256 current = earn(operator, bond, time);
        if (current > 0) records[operator].current += uint192(current);
    }

    /// Settles what a validator has earned, and returns the part that the current period gets, which is not noted.
    function earn(address operator, Bond memory bond, uint64 time) private returns (uint256 current) {
        Record storage r = records[operator];
        (uint256 amount, uint256 tax, uint256 paid) = pending(r, operator, bond, time);
        if (rate_ != 0) r.settledAt = uint40(time);
        if (amount + tax == 0) return 0;
        if (paid > 0) {
            delete fees[operator];
            r.hasFees = false;
            Native.pay(FEE_COLLECTOR, DISTRIBUTION_ACCOUNT, paid);
        }
        mint(amount + tax - paid);
        if (tax > 0) communityPool_ += uint248(tax * ONE);
        return share(r, bond, amount * ONE);
    }

    function mint(uint256 amount) private {
        require(amount <= type(uint112).max, "local precompiles: a number is too large");
        accrued_ += uint112(amount);
        Native.pay(RESERVE, DISTRIBUTION_ACCOUNT, amount);
    }

    function depositRewards(address operator, uint256 amount, Bond calldata bond, Clock calldata clock) external onlyModules {
        settleNow(operator, bond, clock.time);
        mint(amount);
        allocate(records[operator], bond, amount * ONE);
    }

    /// Distributes a validator's rewards: its commission to itself, the rest to all delegators.
    function allocate(Record storage r, Bond memory bond, uint256 amount) internal {
        r.current += uint192(share(r, bond, amount));
    }

    /// Does so, and returns the rest, which is not noted.
    function share(Record storage r, Bond memory bond, uint256 amount) private returns (uint256 rest) {
        uint256 commission = Math.mul(amount, bond.commission);
        if (commission > 0) r.commission += uint248(commission);
        r.outstanding += fit(amount);
        return amount - commission;
    }

    // ---- periods

    function validatorCreated(address operator) external onlyModules {
        Record storage r = records[operator];
        (r.period, r.ratio) = (1, 0);
    }

    /// What one token has earned if the current period ends now.
    function ratioAtEnd(Record storage r, Bond memory bond, uint256 current) private view returns (uint256) {
        return r.ratio + (bond.tokens == 0 ? 0 : current / bond.tokens);
    }

    /// Settles what a validator has earned, ends its current period, and returns the period's number.
    function endPeriod(Record storage r, address operator, Bond memory bond, uint64 time) private returns (uint48 ended) {
        uint256 earnedNow = earn(operator, bond, time);
        ended = r.period;
        uint256 before = r.current;
        uint256 current = before + earnedNow;
        uint256 ratio = ratioAtEnd(r, bond, current);
        if (bond.tokens == 0 && current > 0) {
            // there are no delegators to give it to
            communityPool_ += uint248(current);
            takeOutstanding(r, current);
        }
        require(ratio <= type(uint160).max, "local precompiles: a number is too large");
        (r.period, r.ratio) = (ended + 1, uint160(ratio));
        if (before > 0) r.current = 0;
    }

    function takeOutstanding(Record storage r, uint256 amount) private {
        if (amount > 0) r.outstanding -= uint248(amount);
    }

    function delegationChanging(address delegator, address operator, uint256 shares, Bond calldata bond, Clock calldata clock)
        external
        onlyModules
        returns (bool)
    {
        return end(delegator, operator, shares, bond, clock);
    }

    function sharesAdded(
        address delegator,
        address operator,
        uint256 shares,
        Bond calldata bond,
        Clock calldata clock,
        uint256 newShares,
        uint256 newTokens,
        uint256 newBondShares
    ) external onlyModules returns (bool paid) {
        paid = end(delegator, operator, shares, bond, clock);
        begin(delegator, operator, newShares, newTokens, newBondShares, clock.height);
    }

    /// Ends a delegation as it was; `shares` may be 0. Returns whether rewards were paid.
    function end(address delegator, address operator, uint256 shares, Bond memory bond, Clock memory clock) private returns (bool paid) {
        if (shares == 0) endPeriod(records[operator], operator, bond, clock.time);
        else paid = payOut(delegator, operator, shares, bond, clock) > 0;
    }

    function delegationChanged(address delegator, address operator, uint256 shares, Bond calldata bond, Clock calldata clock) external onlyModules {
        begin(delegator, operator, shares, bond, clock.height);
    }

    function begin(address delegator, address operator, uint256 shares, Bond memory bond, uint64 height) internal {
        begin(delegator, operator, shares, bond.tokens, bond.shares, height);
    }

    /// `tokens`, `bondShares`: of the validator.
    function begin(address delegator, address operator, uint256 shares, uint256 tokens, uint256 bondShares, uint64 height) private {
        Record storage r = records[operator];
        uint256 stake = shares;
        if (bondShares != tokens * ONE) stake = Math.quoTruncate(shares * tokens, bondShares);
        bool apart = stake != shares;
        if (apart) r.stakes[delegator] = stake;
        r.starts[delegator] = Start(r.ratio, uint40(r.period - 1), uint40(height), apart, false);
    }

    /// Pays a delegation's rewards to its withdraw address, and ends its period. Returns base units.
    function payOut(address delegator, address operator, uint256 shares, Bond memory bond, Clock memory clock) internal returns (uint256 whole) {
        Record storage r = records[operator];
        endPeriod(r, operator, bond, clock.time);
        uint256 amount = earned(r, delegator, shares, bond, clock.height, r.ratio);
        if (amount > r.outstanding) amount = r.outstanding;
        whole = amount / ONE;
        takeOutstanding(r, amount);
        if (amount % ONE != 0) communityPool_ += uint248(amount % ONE);
        Native.pay(DISTRIBUTION_ACCOUNT, withdrawAddressOf(delegator), whole);
    }

    function withdrawAddressOf(address delegator) internal view returns (address) {
        uint256 to = withdrawAddress[delegator];
        return to == 0 ? delegator : address(uint160(to));
    }

    function noteWithdrawAddress(address delegator, address to) internal {
        withdrawAddress[delegator] = (1 << 160) | uint160(to);
    }

    /// Rewards from the beginning of a delegation until one token's earnings were `endRatio`; every slash in between
    /// reduced its stake.
    function earned(Record storage r, address delegator, uint256 shares, Bond memory bond, uint64 height, uint256 endRatio)
        private
        view
        returns (uint256 rewards)
    {
        Start storage start = r.starts[delegator];
        if (start.height == height) return 0; // begun in this block
        if (start.carries) rewards = r.carried[delegator];
        if (endRatio == start.ratio) return rewards;
        uint256 stake = start.apart ? r.stakes[delegator] : shares;
        (uint256 period, uint256 ratio) = (start.period, start.ratio);
        uint256 length = r.slashCount;
        uint256 first = length;
        while (first > 0 && r.slashes[first - 1].height >= start.height) first--;
        for (uint256 i = first; i < length; i++) {
            SlashEvent memory slash = r.slashes[i];
            if (slash.period <= period) continue;
            rewards += Math.mulTruncate(slash.ratio - ratio, stake);
            stake = Math.mulTruncate(stake, ONE - slash.fraction);
            (period, ratio) = (slash.period, slash.ratio);
        }
        // rounding must not make the stake more than the shares are worth now
        uint256 worth = bond.shares == bond.tokens * ONE ? shares : Math.quo(shares * bond.tokens, bond.shares);
        if (stake > worth) stake = worth;
        rewards += Math.mulTruncate(endRatio - ratio, stake);
    }

    /// What a delegation could withdraw now.
    function rewardsOf(address delegator, address operator, uint256 shares, Bond memory bond) internal view returns (uint256) {
        Record storage r = records[operator];
        (uint256 amount,,) = pending(r, operator, bond, uint64(block.timestamp));
        uint256 current = r.current + amount * ONE - Math.mul(amount * ONE, bond.commission);
        return earned(r, delegator, shares, bond, uint64(block.number), ratioAtEnd(r, bond, current));
    }

    function commissionOf(address operator, Bond memory bond) internal view returns (uint256) {
        Record storage r = records[operator];
        (uint256 amount,,) = pending(r, operator, bond, uint64(block.timestamp));
        return r.commission + Math.mul(amount * ONE, bond.commission);
    }

    function outstandingOf(address operator, Bond memory bond) internal view returns (uint256) {
        Record storage r = records[operator];
        (uint256 amount,,) = pending(r, operator, bond, uint64(block.timestamp));
        return r.outstanding + amount * ONE;
    }

    function validatorSlashed(address operator, uint256 fraction, Bond calldata bond, Clock calldata clock) external onlyModules {
        Record storage r = records[operator];
        uint48 ended = endPeriod(r, operator, bond, clock.time);
        noteSlash(r, SlashEvent(uint48(clock.height), ended, r.ratio, uint64(fraction)));
    }

    function noteSlash(Record storage r, SlashEvent memory slash) internal {
        r.slashes[r.slashCount++] = slash;
    }

    /// Pays out its commission; dust that nobody owns any more goes to the community pool.
    function validatorRemoved(address operator) external onlyModules {
        Record storage r = records[operator];
        uint256 whole = takeCommission(r);
        communityPool_ += r.outstanding;
        takeOutstanding(r, r.outstanding);
        for (uint256 i = 0; i < r.slashCount; i++) delete r.slashes[i];
        r.slashCount = 0;
        (r.period, r.ratio, r.current, r.commission) = (0, 0, 0, 0);
        Native.pay(DISTRIBUTION_ACCOUNT, withdrawAddressOf(operator), whole);
    }

    /// The commission in whole units; the rest stays for a later withdrawal.
    function takeCommission(Record storage r) internal returns (uint256 whole) {
        whole = r.commission / ONE;
        if (whole > 0) r.commission -= uint248(whole * ONE);
        takeOutstanding(r, whole * ONE);
    }

    // ---- community pool

    function fundCommunityPool(uint256 amount) external onlyModules {
        Native.pay(GOVERNANCE_ACCOUNT, DISTRIBUTION_ACCOUNT, amount);
        communityPool_ += fit(amount * ONE);
    }

    /// Including what is not settled yet.
    function communityPoolNow() internal view returns (uint256 pool) {
        pool = communityPool_;
        if (communityTax == 0) return pool;
        (address[] memory operators, Bond[] memory bonds,) = staking().bondedValidators();
        for (uint256 i = 0; i < operators.length; i++) {
            (, uint256 tax,) = pending(records[operators[i]], operators[i], bonds[i], uint64(block.timestamp));
            pool += tax * ONE;
        }
    }

    function spendCommunityPool(address recipient, uint256 amount, uint64 time) external onlyModules returns (bool ok) {
        if (communityTax != 0) settleAll(time);
        if (communityPool_ / ONE < amount) return false;
        communityPool_ -= uint248(amount * ONE);
        Native.pay(DISTRIBUTION_ACCOUNT, recipient, amount);
        return true;
    }

    /// See IDistributionKeeper.
    function minted(uint64 time) external view returns (uint256 total) {
        total = accrued_;
        (address[] memory operators, Bond[] memory bonds,) = staking().bondedValidators();
        for (uint256 i = 0; i < operators.length; i++) {
            (uint256 amount, uint256 tax, uint256 fee) = pending(records[operators[i]], operators[i], bonds[i], time);
            total += amount + tax - fee;
        }
    }

    function totals(uint64 time, address[] calldata operators)
        external
        view
        returns (uint256 outstanding, uint256 pool, uint256 accrued, uint256 rate)
    {
        (uint256 waiting, uint256 paid) = (0, 0);
        for (uint256 i = 0; i < operators.length; i++) {
            Record storage r = records[operators[i]];
            outstanding += r.outstanding;
            (uint256 amount, uint256 tax, uint256 fee) = pending(r, operators[i], staking().bond(operators[i]), time);
            (waiting, pool, paid) = (waiting + amount, pool + tax, paid + fee);
        }
        return (outstanding / ONE + waiting, communityPool_ / ONE + pool, accrued_ + waiting + pool - paid, rate_);
    }
}
