// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Account} from "../codec/Account.sol";
import {Gas} from "../common/Gas.sol";
import {Math} from "../common/Math.sol";
import {Native} from "../common/Native.sol";
import {Queue} from "../common/Queue.sol";
import {StakingStore} from "./StakingStore.sol";
import {Text} from "../codec/Text.sol";
import {BONDED, BONDED_POOL, Bond, Clock, IDistributionKeeper, NOT_BONDED_POOL, ONE, UNBONDED, UNBONDING} from "../common/Types.sol";

/// Delegations, unbonding entries and redelegations, as the framework's staking keeper manages them: created and
/// changed by transactions, completed at the end of the block in which they mature.
abstract contract Delegations is StakingStore {
    using Queue for Queue.Heap;

    /// Where the tokens of a new delegation come from.
    enum Source {
        Account,
        BondedPool,
        NotBondedPool
    }

    /// Delegates `amount` to a validator in the delegator's name, and returns the new shares.
    function delegateTokens(address delegator, address operator, uint256 amount, Source source, Clock memory clock) internal returns (uint256 newShares) {
        Validator storage v = validators[operator];
        Bond memory bond = Bond(v.status != 0, v.status, v.tokens, allShares(v), v.rate);
        if (bond.tokens == 0 && bond.shares > 0) Text.fail("cannot delegate to validators with invalid (zero) ex-rate");
        uint256 old = sharesOf(delegator, operator);
        if (old == 0) Gas.charge(Gas.FIRST);
        // Nothing is added of more than it can have: that it cannot be paid is said first.
        uint256 added = amount <= MOST_TOKENS ? amount : 0;
        newShares = bond.shares == 0 ? added * ONE : Math.mulDiv(bond.shares, added, bond.tokens);
        if (tellAdded(delegator, operator, old, bond, clock, newShares, added)) Gas.charge(Gas.REWARDS);
        if (source == Source.Account) {
            takeFromAccount(delegator, poolOf(bond.status), amount);
        } else if ((source == Source.BondedPool) != (bond.status == BONDED)) {
            Native.pay(source == Source.BondedPool ? BONDED_POOL : NOT_BONDED_POOL, poolOf(bond.status), amount);
        }
        require(amount <= MOST_TOKENS, "local precompiles: a number is too large");
        setBond(v, bond.tokens + amount, bond.shares + newShares);
        noteChange(v);
        hold(delegator, operator, v.number, old + newShares);
    }

    /// Calls distribution().sharesAdded, in few steps: `bond` and `clock` lie in memory as they are encoded.
    function tellAdded(address delegator, address operator, uint256 old, Bond memory bond, Clock memory clock, uint256 newShares, uint256 added)
        private
        returns (bool paid)
    {
        address to = address(distribution());
        bytes4 selector = IDistributionKeeper.sharesAdded.selector;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, selector)
            mstore(add(input, 0x04), shr(96, shl(96, delegator)))
            mstore(add(input, 0x24), shr(96, shl(96, operator)))
            mstore(add(input, 0x44), old)
            mcopy(add(input, 0x64), bond, 0xa0)
            mcopy(add(input, 0x104), clock, 0x40)
            mstore(add(input, 0x144), add(old, newShares))
            mstore(add(input, 0x164), add(mload(add(bond, 0x40)), added))
            mstore(add(input, 0x184), add(mload(add(bond, 0x60)), newShares))
            if iszero(call(gas(), to, 0, input, 0x1a4, 0, 0x20)) {
                returndatacopy(input, 0, returndatasize())
                revert(input, returndatasize())
            }
            paid := mload(0)
        }
    }

    function hold(address delegator, address operator, uint256 number, uint256 amount) private {
        require(amount <= type(uint160).max, "local precompiles: a number is too large");
        Held storage h = held[delegator][operator];
        if (!h.exists) {
            noteDelegation(delegator, number, true);
            h.exists = true;
        }
        h.shares = uint160(amount);
    }

    function takeFromAccount(address delegator, address pool, uint256 amount) private {
        uint256 spendable = Native.spendable(delegator, owed(delegator));
        if (spendable < amount) {
            Text.fail(string.concat("failed to delegate; ", coinText(spendable), " is smaller than ", coinText(amount), ": insufficient funds"));
        }
        Native.debit(STAKING, delegator, pool, amount);
    }

    /// The shares that `amount` is worth, checked as the chain does before it takes anything from a delegation.
    function sharesToTake(address delegator, address operator, uint256 amount) internal view returns (uint256 wanted) {
        Validator storage v = validators[operator];
        if (v.status == 0) Text.fail("validator does not exist");
        if (!held[delegator][operator].exists) Text.fail("no delegation for (address, validator) tuple");
        if (v.tokens == 0) Text.fail("insufficient delegation shares");
        uint256 owned = sharesOf(delegator, operator);
        // the chain's decimals have 315 bits
        if (tooLong(allShares(v), amount)) Text.panic();
        // an amount worth more than everything may not fit into the number
        if (amount > v.tokens) Text.fail("invalid shares amount: invalid request");
        wanted = sharesFromTokens(v, amount);
        if (wanted > owned) Text.fail("invalid shares amount: invalid request");
    }

    /// Whether a product has more than 315 bits.
    function tooLong(uint256 a, uint256 b) private pure returns (bool) {
        if (b == 0 || a <= type(uint256).max / b) return false;
        return Math.high(a, b) >> 59 != 0;
    }

    /// Takes shares from a delegation and returns the tokens that they were worth; the tokens stay in their pool.
    function unbond(address delegator, address operator, uint256 amount, Clock memory clock) internal returns (uint256 tokens) {
        Validator storage v = validators[operator];
        uint256 old = sharesOf(delegator, operator);
        if (distribution().delegationChanging(delegator, operator, old, bondOf(operator), clock)) Gas.charge(Gas.REWARDS_OF_UNBONDING);
        if (old < amount) Text.fail("not enough delegation shares");
        uint256 left = old - amount;
        Held storage h = held[delegator][operator];
        h.shares = uint160(left);
        if (delegator == operator && !v.jailed && tokensFromShares(v, left) < v.minSelfDelegation) v.jailed = true;
        if (left == 0) {
            Gas.charge(Gas.LAST);
            noteDelegation(delegator, v.number, false);
            h.exists = false;
        } else {
            distribution().delegationChanged(delegator, operator, left, bondOf(operator), clock);
        }

        uint256 all = allShares(v);
        tokens = all == amount ? v.tokens : tokensFromShares(v, amount);
        setBond(v, v.tokens - tokens, all - amount);
        noteChange(v);
        if (all == amount && v.status == UNBONDED) removeValidator(operator);
    }

    function removeValidator(address operator) internal virtual;

    // ---- undelegating

    function undelegateTokens(address delegator, address operator, uint256 amount, Clock memory clock) internal returns (uint64 completionTime) {
        uint256 wanted = sharesToTake(delegator, operator, amount);
        if (held[delegator][operator].unbondings >= maxEntries_) {
            Text.fail("too many unbonding delegation entries for (delegator, validator) tuple");
        }
        Validator storage v = validators[operator];
        (bool bonded, uint16 number) = (v.status == BONDED, v.number);
        uint256 tokens = unbond(delegator, operator, wanted, clock);
        if (bonded) Native.pay(BONDED_POOL, NOT_BONDED_POOL, tokens);
        completionTime = clock.time + unbondingTime_;
        addUnbonding(delegator, operator, number, tokens, completionTime, clock.height);
    }

    function addUnbonding(address delegator, address operator, uint16 number, uint256 tokens, uint64 completionTime, uint64 height) private {
        uint40 id = lastId + 1;
        (unbondingTotal, lastId) = (unbondingTotal + uint112(tokens), id);
        mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, operator)];
        uint256 count = held[delegator][operator].unbondings;
        for (uint256 i = 0; i < count; i++) {
            UnbondingEntry storage entry = entries[i];
            if (entry.creationHeight == height && entry.completionTime == completionTime) {
                if (entry.reduced) initialBalances[entry.id] += uint128(tokens);
                entry.balance += uint128(tokens);
                return; // the queue has it already
            }
        }
        entries[count] = UnbondingEntry(uint128(tokens), uint40(height), uint40(completionTime), id, false);
        held[delegator][operator].unbondings = uint32(count + 1);
        unbondingQueue.add(completionTime, pairOf(delegator, number));
    }

    function removeUnbondingEntry(address delegator, address operator, uint256 index) internal {
        mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, operator)];
        uint256 last = held[delegator][operator].unbondings - 1;
        for (uint256 i = index; i < last; i++) entries[i] = entries[i + 1];
        delete entries[last];
        held[delegator][operator].unbondings = uint32(last);
    }

    function completeUnbondings(uint64 time) internal {
        while (unbondingQueue.next() <= time) {
            (, uint192 pair) = unbondingQueue.pop();
            (address delegator, address operator) = splitPair(pair);
            mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, operator)];
            uint256 due = 0;
            uint256 count = held[delegator][operator].unbondings;
            uint256 kept = 0;
            for (uint256 i = 0; i < count; i++) {
                if (entries[i].completionTime <= time) due += entries[i].balance;
                else if (kept++ < i) entries[kept - 1] = entries[i];
            }
            for (uint256 i = kept; i < count; i++) delete entries[i];
            if (kept < count) held[delegator][operator].unbondings = uint32(kept);
            unbondingTotal -= uint112(due);
            Native.pay(NOT_BONDED_POOL, delegator, due);
        }
    }

    function cancelUnbonding(address delegator, address operator, uint256 amount, int64 height, string memory operatorText, Clock memory clock)
        internal
    {
        Validator storage v = validators[operator];
        if (v.status == 0) Text.fail("validator does not exist");
        if (v.tokens == 0 && allShares(v) > 0) Text.fail("cannot delegate to validators with invalid (zero) ex-rate");
        if (v.jailed) Text.fail("validator for this address is currently jailed");
        mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, operator)];
        uint256 count = held[delegator][operator].unbondings;
        if (count == 0) {
            Text.fail(
                string.concat(
                    "rpc error: code = NotFound desc = unbonding delegation with delegator ", Account.text(chainPrefix(), delegator), " not found for validator ", operatorText
                )
            );
        }
        uint256 index = 0;
        while (index < count && int64(uint64(entries[index].creationHeight)) != height) index++;
        if (index == count) {
            Text.fail(string.concat("unbonding delegation entry is not found at block height ", Text.number(uint64(height)), ": not found"));
        }
        UnbondingEntry storage entry = entries[index];
        if (entry.balance < amount) Text.fail("amount is greater than the unbonding delegation entry balance: invalid request");
        if (entry.completionTime < clock.time) Text.fail("unbonding delegation is already processed: invalid request");
        delegateTokens(delegator, operator, amount, Source.NotBondedPool, clock);
        unbondingTotal -= uint112(amount);
        if (entry.reduced) initialBalances[entry.id] -= uint128(amount);
        entry.balance -= uint128(amount);
        if (entry.balance == 0) removeUnbondingEntry(delegator, operator, index);
    }

    // ---- redelegating

    /// completionTime: Go's zero time if the redelegation is complete at once.
    function redelegateTokens(address delegator, address source, address destination, uint256 amount, Clock memory clock) internal returns (int64 completionTime) {
        uint256 wanted = sharesToTake(delegator, source, amount);
        if (source == destination) Text.fail("cannot redelegate to the same validator");
        if (validators[destination].status == 0) Text.fail("redelegation destination validator not found");
        uint16 number = validators[source].number;
        requireMovable(delegator, number, validators[destination].number);
        uint8 statusBefore = validators[source].status;
        uint256 tokens = unbond(delegator, source, wanted, clock);
        if (tokens == 0) Text.fail("too few tokens to redelegate (truncates to zero tokens)");
        uint256 newShares = delegateTokens(delegator, destination, tokens, statusBefore == BONDED ? Source.BondedPool : Source.NotBondedPool, clock);
        return addRedelegation(delegator, source, number, validators[destination].number, tokens, newShares, clock);
    }

    function requireMovable(address delegator, uint16 source, uint16 destination) private view {
        Redelegation[] storage list = redelegations[delegator];
        uint256 entries = 0;
        for (uint256 i = 0; i < list.length; i++) {
            Redelegation storage r = list[i];
            if (sameOperator(r.destination, source)) {
                Text.fail("redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation");
            }
            if (sameOperator(r.source, source) && sameOperator(r.destination, destination)) entries++;
        }
        if (entries >= maxEntries_) {
            Text.fail("too many redelegation entries for (delegator, src-validator, dst-validator) tuple");
        }
    }

    function addRedelegation(address delegator, address source, uint16 from, uint16 to, uint256 tokens, uint256 newShares, Clock memory clock)
        private
        returns (int64)
    {
        Validator storage v = validators[source];
        // The chain looks for the source again, which the last delegation has taken with it if it was not bonded.
        if (v.status == 0) Text.fail("validator does not exist");
        if (v.status == UNBONDED) return -62135596800;
        (uint64 height, uint64 time) = (clock.height, clock.time + unbondingTime_);
        if (v.status == UNBONDING) (height, time) = (v.unbondingHeight, v.unbondingTime);
        require(tokens <= type(uint112).max, "local precompiles: a number is too large");
        uint40 id = ++lastId;
        bool apart = newShares != tokens * ONE;
        if (apart) redelegatedShares[id] = newShares;
        redelegations[delegator].push(
            Redelegation(uint112(tokens), uint40(height), uint40(time), from, to, apart ? uint32(id) : 0)
        );
        redelegationQueue.add(time, uint160(delegator));
        return int64(time);
    }

    function completeRedelegations(uint64 time) internal {
        while (redelegationQueue.next() <= time) {
            (, uint192 delegator) = redelegationQueue.pop();
            Redelegation[] storage list = redelegations[address(uint160(delegator))];
            uint256 kept = 0;
            uint256 length = list.length;
            for (uint256 i = 0; i < length; i++) {
                if (list[i].completionTime <= time) continue;
                if (kept != i) list[kept] = list[i];
                kept++;
            }
            for (uint256 i = kept; i < length; i++) list.pop();
        }
    }
}
