// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Math} from "./Math.sol";
import {Native} from "./Native.sol";
import {Queue} from "./Queue.sol";
import {StakingStore} from "./StakingStore.sol";
import {Text} from "./Text.sol";
import {BONDED, BONDED_POOL, Clock, NOT_BONDED_POOL, UNBONDED, UNBONDING} from "./Types.sol";

/// Delegations, unbonding entries and redelegations, as the framework's staking keeper keeps them.
abstract contract Delegations is StakingStore {
    using Queue for Queue.Heap;

    /// Where the tokens of a new delegation come from.
    enum Source {
        Account,
        BondedPool,
        NotBondedPool
    }

    /// Gives `amount` to a validator in the delegator's name and returns the new shares.
    function delegateTokens(address delegator, address operator, uint256 amount, Source source, Clock memory clock) internal returns (uint256 newShares) {
        Validator storage v = validators[operator];
        if (v.tokens == 0 && v.shares > 0) Text.fail("cannot delegate to validators with invalid (zero) ex-rate");
        uint256 old = sharesOf(delegator, operator);
        distribution().delegationChanging(delegator, operator, old, bondOf(operator), clock);
        if (source == Source.Account) {
            takeFromAccount(delegator, poolOf(v.status), amount);
        } else if ((source == Source.BondedPool) != (v.status == BONDED)) {
            Native.pay(source == Source.BondedPool ? BONDED_POOL : NOT_BONDED_POOL, poolOf(v.status), amount);
        }
        newShares = v.shares == 0 ? amount * 1e18 : sharesFromTokens(v, amount);
        v.tokens += amount;
        v.shares += newShares;
        noteChange(v);
        hold(delegator, operator, old + newShares);
        distribution().delegationChanged(delegator, operator, old + newShares, bondOf(operator), clock);
    }

    function hold(address delegator, address operator, uint256 amount) private {
        require(amount <= type(uint208).max, "number out of range");
        Held storage h = held[delegator][operator];
        if (h.index == 0) {
            address[] storage list = validatorsOf[delegator];
            list.push(operator);
            h.index = uint48(list.length);
        }
        h.shares = uint208(amount);
    }

    function takeFromAccount(address delegator, address pool, uint256 amount) private {
        uint256 spendable = Native.spendable(delegator, owed(delegator));
        if (spendable < amount) {
            Text.fail(string.concat("failed to delegate; ", coinText(spendable), " is smaller than ", coinText(amount), ": insufficient funds"));
        }
        Native.debit(STAKING, delegator, pool, amount);
    }

    /// The shares that `amount` is worth, as the chain checks them before it takes anything from a delegation.
    function sharesToTake(address delegator, address operator, uint256 amount) internal view returns (uint256 wanted) {
        Validator storage v = validators[operator];
        if (v.status == 0) Text.fail("validator does not exist");
        if (held[delegator][operator].index == 0) Text.fail("no delegation for (address, validator) tuple");
        if (v.tokens == 0) Text.fail("insufficient delegation shares");
        uint256 owned = sharesOf(delegator, operator);
        // an amount that is worth more than everything need not fit into the number
        if (amount > v.tokens) Text.fail("invalid shares amount: invalid request");
        wanted = sharesFromTokens(v, amount);
        if (wanted > owned) Text.fail("invalid shares amount: invalid request");
    }

    /// Takes shares out of a delegation and returns the tokens that they were worth; the tokens stay in their pool.
    function unbond(address delegator, address operator, uint256 amount, Clock memory clock) internal returns (uint256 tokens) {
        Validator storage v = validators[operator];
        uint256 old = sharesOf(delegator, operator);
        distribution().delegationChanging(delegator, operator, old, bondOf(operator), clock);
        if (old < amount) Text.fail("not enough delegation shares");
        uint256 left = old - amount;
        held[delegator][operator].shares = uint208(left);
        if (delegator == operator && !v.jailed && tokensFromShares(v, left) < v.minSelfDelegation) v.jailed = true;
        if (left == 0) removeDelegation(delegator, operator);
        else distribution().delegationChanged(delegator, operator, left, bondOf(operator), clock);

        tokens = v.shares == amount ? v.tokens : tokensFromShares(v, amount);
        v.shares -= amount;
        v.tokens -= tokens;
        noteChange(v);
        if (v.shares == 0 && v.status == UNBONDED) removeValidator(operator);
    }

    function removeDelegation(address delegator, address operator) private {
        address[] storage list = validatorsOf[delegator];
        uint48 index = held[delegator][operator].index;
        address last = list[list.length - 1];
        list[index - 1] = last;
        held[delegator][last].index = index;
        list.pop();
        delete held[delegator][operator];
    }

    function removeValidator(address operator) internal virtual;

    // ---- undelegating

    function undelegateTokens(address delegator, address operator, uint256 amount, Clock memory clock) internal returns (uint64 completionTime) {
        uint256 wanted = sharesToTake(delegator, operator, amount);
        bytes32 key = unbondingKey(delegator, operator);
        if (unbondings[key].entries.length >= maxEntries_) {
            Text.fail("too many unbonding delegation entries for (delegator, validator) tuple");
        }
        bool bonded = validators[operator].status == BONDED;
        uint256 tokens = unbond(delegator, operator, wanted, clock);
        if (bonded) Native.pay(BONDED_POOL, NOT_BONDED_POOL, tokens);
        completionTime = clock.time + unbondingTime_;
        addUnbonding(key, delegator, operator, tokens, completionTime, clock.height);
    }

    function addUnbonding(bytes32 key, address delegator, address operator, uint256 tokens, uint64 completionTime, uint64 height) private {
        Unbonding storage u = unbondings[key];
        if (u.delegator == address(0)) {
            (u.delegator, u.validator, u.index) = (delegator, operator, uint64(unbondingsFrom[operator].length));
            unbondingsFrom[operator].push(key);
        }
        unbondingTotal += tokens;
        uint64 id = ++lastUnbondingId;
        UnbondingEntry[] storage entries = u.entries;
        for (uint256 i = 0; i < entries.length; i++) {
            if (entries[i].creationHeight == height && entries[i].completionTime == completionTime) {
                entries[i].initialBalance += uint128(tokens);
                entries[i].balance += uint128(tokens);
                return; // the queue has it already
            }
        }
        entries.push(UnbondingEntry(height, completionTime, id, uint128(tokens), uint128(tokens)));
        unbondingAt[unbondingQueue.add(completionTime)] = key;
    }

    function removeUnbondingEntry(bytes32 key, uint256 index) internal {
        Unbonding storage u = unbondings[key];
        for (uint256 i = index + 1; i < u.entries.length; i++) u.entries[i - 1] = u.entries[i];
        u.entries.pop();
        if (u.entries.length > 0) return;
        bytes32[] storage list = unbondingsFrom[u.validator];
        bytes32 last = list[list.length - 1];
        list[u.index] = last;
        unbondings[last].index = u.index;
        list.pop();
        delete unbondings[key];
    }

    function completeUnbondings(uint64 time) internal {
        while (unbondingQueue.next() <= time) {
            (, uint128 number) = unbondingQueue.pop();
            bytes32 key = unbondingAt[number];
            delete unbondingAt[number];
            Unbonding storage u = unbondings[key];
            address delegator = u.delegator;
            uint256 i = 0;
            while (i < unbondings[key].entries.length) {
                UnbondingEntry memory entry = unbondings[key].entries[i];
                if (entry.completionTime > time) {
                    i++;
                    continue;
                }
                removeUnbondingEntry(key, i);
                unbondingTotal -= entry.balance;
                Native.pay(NOT_BONDED_POOL, delegator, entry.balance);
            }
        }
    }

    function cancelUnbonding(address delegator, address operator, uint256 amount, int64 height, string memory operatorText, string memory delegatorText, Clock memory clock)
        internal
    {
        Validator storage v = validators[operator];
        if (v.status == 0) Text.fail("validator does not exist");
        if (v.tokens == 0 && v.shares > 0) Text.fail("cannot delegate to validators with invalid (zero) ex-rate");
        if (v.jailed) Text.fail("validator for this address is currently jailed");
        bytes32 key = unbondingKey(delegator, operator);
        UnbondingEntry[] storage entries = unbondings[key].entries;
        if (entries.length == 0) {
            Text.fail(
                string.concat(
                    "rpc error: code = NotFound desc = unbonding delegation with delegator ", delegatorText, " not found for validator ", operatorText
                )
            );
        }
        uint256 index = 0;
        while (index < entries.length && int64(entries[index].creationHeight) != height) index++;
        if (index == entries.length) {
            Text.fail(string.concat("unbonding delegation entry is not found at block height ", Text.number(uint64(height)), ": not found"));
        }
        UnbondingEntry storage entry = entries[index];
        if (entry.balance < amount) Text.fail("amount is greater than the unbonding delegation entry balance: invalid request");
        if (entry.completionTime < clock.time) Text.fail("unbonding delegation is already processed: invalid request");
        delegateTokens(delegator, operator, amount, Source.NotBondedPool, clock);
        unbondingTotal -= amount;
        entry.balance -= uint128(amount);
        if (entry.balance == 0) removeUnbondingEntry(key, index);
        else entry.initialBalance -= uint128(amount);
    }

    // ---- redelegating

    /// completionTime: the zero time of Go where the redelegation is complete at once.
    function redelegateTokens(address delegator, address source, address destination, uint256 amount, Clock memory clock) internal returns (int64 completionTime) {
        uint256 wanted = sharesToTake(delegator, source, amount);
        if (source == destination) Text.fail("cannot redelegate to the same validator");
        if (validators[destination].status == 0) Text.fail("redelegation destination validator not found");
        if (receiving[delegator][source] > 0) {
            Text.fail("redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation");
        }
        bytes32 key = redelegationKey(delegator, source, destination);
        if (redelegations[key].entries.length >= maxEntries_) {
            Text.fail("too many redelegation entries for (delegator, src-validator, dst-validator) tuple");
        }
        uint8 statusBefore = validators[source].status;
        uint256 tokens = unbond(delegator, source, wanted, clock);
        if (tokens == 0) Text.fail("too few tokens to redelegate (truncates to zero tokens)");
        uint256 newShares = delegateTokens(delegator, destination, tokens, statusBefore == BONDED ? Source.BondedPool : Source.NotBondedPool, clock);
        return addRedelegation(key, delegator, source, destination, tokens, newShares, clock);
    }

    function addRedelegation(bytes32 key, address delegator, address source, address destination, uint256 tokens, uint256 newShares, Clock memory clock)
        private
        returns (int64)
    {
        Validator storage v = validators[source];
        RedelegationEntry memory entry = RedelegationEntry(clock.height, clock.time + unbondingTime_, 0, tokens, newShares);
        if (v.status == UNBONDED) return -62135596800;
        if (v.status == UNBONDING) (entry.creationHeight, entry.completionTime) = (v.unbondingHeight, v.unbondingTime);
        entry.id = ++lastUnbondingId;
        Redelegation storage r = redelegations[key];
        if (r.delegator == address(0)) {
            (r.delegator, r.source, r.destination) = (delegator, source, destination);
            r.indexOfDelegator = uint64(redelegationsOf[delegator].length);
            r.indexOfSource = uint64(redelegationsFrom[source].length);
            redelegationsOf[delegator].push(key);
            redelegationsFrom[source].push(key);
            receiving[delegator][destination]++;
        }
        r.entries.push(entry);
        redelegationAt[redelegationQueue.add(entry.completionTime)] = key;
        return int64(entry.completionTime);
    }

    function completeRedelegations(uint64 time) internal {
        while (redelegationQueue.next() <= time) {
            (, uint128 number) = redelegationQueue.pop();
            bytes32 key = redelegationAt[number];
            delete redelegationAt[number];
            RedelegationEntry[] storage entries = redelegations[key].entries;
            uint256 kept = 0;
            uint256 length = entries.length;
            for (uint256 i = 0; i < length; i++) {
                if (entries[i].completionTime <= time) continue;
                if (kept != i) entries[kept] = entries[i];
                kept++;
            }
            for (uint256 i = kept; i < length; i++) entries.pop();
            if (kept == 0 && length > 0) removeRedelegation(key);
        }
    }

    function removeRedelegation(bytes32 key) private {
        Redelegation storage r = redelegations[key];
        bytes32[] storage list = redelegationsOf[r.delegator];
        bytes32 last = list[list.length - 1];
        list[r.indexOfDelegator] = last;
        redelegations[last].indexOfDelegator = r.indexOfDelegator;
        list.pop();
        list = redelegationsFrom[r.source];
        last = list[list.length - 1];
        list[r.indexOfSource] = last;
        redelegations[last].indexOfSource = r.indexOfSource;
        list.pop();
        receiving[r.delegator][r.destination]--;
        delete redelegations[key];
    }
}
