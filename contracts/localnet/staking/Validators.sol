// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IStaking} from "../../IStaking.sol";
import {Blob} from "../codec/Blob.sol";
import {Delegations} from "./Delegations.sol";
import {Signatures} from "./Signatures.sol";
import {Math} from "../common/Math.sol";
import {Native} from "../common/Native.sol";
import {Queue} from "../common/Queue.sol";
import {Text} from "../codec/Text.sol";
import {BONDED, BONDED_POOL, Clock, NOT_BONDED_POOL, ONE, SYSTEM, UNBONDED, UNBONDING} from "../common/Types.sol";

/// Validators: created and changed by transactions; bonded, unbonded, punished and removed at the end of blocks.
abstract contract Validators is Delegations, Signatures {
    using Blob for Blob.Ref;
    using Queue for Queue.Heap;

    string private constant KEEP = "[do-not-modify]";
    int256 internal constant KEEP_NUMBER = -1;

    // ---- creating and changing

    function requireRates(IStaking.CommissionRates memory rates) internal pure {
        if (rates.maxRate > ONE) Text.fail("commission cannot be more than 100%");
        if (rates.rate > rates.maxRate) Text.fail("commission cannot be more than the max rate");
        if (rates.maxChangeRate > rates.maxRate) Text.fail("commission change rate cannot be more than the max rate");
    }

    function requireDescription(IStaking.Description memory d) internal pure {
        if (isEmpty(d.moniker) && isEmpty(d.identity) && isEmpty(d.website) && isEmpty(d.securityContact) && isEmpty(d.details)) {
            Text.fail("empty description: invalid request");
        }
    }

    function isEmpty(string memory text) private pure returns (bool) {
        return bytes(text).length == 0;
    }

    function requireLengths(IStaking.Description memory d) internal pure {
        requireLength("moniker", d.moniker, 70);
        requireLength("identity", d.identity, 3000);
        requireLength("website", d.website, 140);
        requireLength("security contact", d.securityContact, 140);
        requireLength("details", d.details, 280);
    }

    function requireLength(string memory what, string memory text, uint256 max) private pure {
        uint256 length = bytes(text).length;
        if (length <= max) return;
        Text.fail(string.concat("invalid ", what, " length; got: ", Text.number(length), ", max: ", Text.number(max), ": invalid request"));
    }

    /// A new validator without tokens, which is not bonded.
    function addValidatorRecord(
        address operator,
        IStaking.Description memory description,
        IStaking.CommissionRates memory rates,
        uint256 minSelfDelegation,
        bytes32 pubkey,
        Clock memory clock
    ) internal {
        if (validators[operator].status != 0) {
            Text.fail("validator already exist for this operator address; must use new validator operator address");
        }
        if (isUsed(pubkey)) Text.fail("validator already exist for this pubkey; must use new validator pubkey");
        requireLengths(description);
        uint16 number = lastNumber + 1;
        // work left for the end of the block costs the transaction nothing
        (lastNumber, validatorCount, setChanged) = (number, validatorCount + 1, true);
        noteEdition();
        Validator storage v = validators[operator];
        (v.status, v.number, v.rate) = (UNBONDED, number, uint64(rates.rate));
        (v.maxRate, v.maxChangeRate, v.commissionTime) = (uint64(rates.maxRate), uint64(rates.maxChangeRate), uint40(clock.time));
        require(minSelfDelegation <= type(uint128).max, "local precompiles: a number is too large");
        v.minSelfDelegation = uint128(minSelfDelegation);
        v.pubkey = pubkey;
        v.description.set(pack(description));
        operatorAt[number] = operator;
        if (msg.sender == SYSTEM) noteKeys();
        distribution().validatorCreated(operator);
    }

    function isUsed(bytes32 pubkey) private view returns (bool used) {
        used = operatorOf[pubkey] != address(0);
        for (uint256 number = keysNoted + 1; !used && number <= lastNumber; number++) used = validators[operatorAt[number]].pubkey == pubkey;
    }

    /// Done by the chain itself: records which key belongs to whom.
    function noteKeys() private {
        for (uint16 number = keysNoted + 1; number <= lastNumber; number++) {
            address operator = operatorAt[number];
            if (validators[operator].number == number) operatorOf[validators[operator].pubkey] = operator;
        }
        keysNoted = lastNumber;
    }

    /// Records a change of what the Directory shows about a validator.
    function noteEdition(Validator storage v) internal {
        if (v.edition < MAX_EDITION) v.edition++;
        noteEdition();
    }

    function noteEdition() private {
        unchecked {
            edition++;
        }
    }

    function changeDescription(Validator storage v, IStaking.Description memory change) internal {
        IStaking.Description memory d = descriptionOf(v);
        d = IStaking.Description(
            choose(d.moniker, change.moniker),
            choose(d.identity, change.identity),
            choose(d.website, change.website),
            choose(d.securityContact, change.securityContact),
            choose(d.details, change.details)
        );
        requireLengths(d);
        v.description.set(pack(d));
        noteEdition(v);
    }

    /// The lengths of the first four texts, then all five.
    function pack(IStaking.Description memory d) private pure returns (bytes memory) {
        return abi.encodePacked(
            uint8(bytes(d.moniker).length),
            uint16(bytes(d.identity).length),
            uint8(bytes(d.website).length),
            uint8(bytes(d.securityContact).length),
            d.moniker,
            d.identity,
            d.website,
            d.securityContact,
            d.details
        );
    }

    function descriptionOf(Validator storage v) internal view returns (IStaking.Description memory d) {
        bytes memory packed = v.description.get();
        (uint256 at, uint256 length) = (5, uint8(packed[0]));
        d.moniker = Text.slice(packed, at, length);
        (at, length) = (at + length, uint256(uint8(packed[1])) << 8 | uint8(packed[2]));
        d.identity = Text.slice(packed, at, length);
        (at, length) = (at + length, uint8(packed[3]));
        d.website = Text.slice(packed, at, length);
        (at, length) = (at + length, uint8(packed[4]));
        d.securityContact = Text.slice(packed, at, length);
        at += length;
        d.details = Text.slice(packed, at, packed.length - at);
    }

    function choose(string memory old, string memory change) private pure returns (string memory) {
        return Text.equal(change, KEEP) ? old : change;
    }

    function changeCommission(address operator, uint256 rate, Clock memory clock) internal {
        Validator storage v = validators[operator];
        if (clock.time - v.commissionTime < 24 hours) Text.fail("commission cannot be changed more than once in 24h");
        if (rate > v.maxRate) Text.fail("commission cannot be more than the max rate");
        if (rate > v.rate && rate - v.rate > v.maxChangeRate) Text.fail("commission cannot be changed more than max change rate");
        distribution().settle(operator, bondOf(operator), clock);
        (v.rate, v.commissionTime) = (uint64(rate), uint40(clock.time));
    }

    function removeValidator(address operator) internal override {
        Validator storage v = validators[operator];
        require(v.tokens == 0, "attempting to remove a validator which still contains tokens");
        delete operatorOf[v.pubkey];
        delete validators[operator];
        validatorCount--;
        noteEdition();
        distribution().validatorRemoved(operator);
    }

    // ---- the bonded set

    /// Bonds the strongest validators and unbonds the others; tokens change pools with them.
    function updateValidatorSet(Clock memory clock) internal {
        if (!setChanged) return;
        setChanged = false;
        noteKeys();
        address[] memory all = operators();
        bool[] memory chosen = chooseStrongest(all);
        uint256 entering = 0;
        uint256 leaving = 0;
        for (uint256 i = 0; i < all.length; i++) {
            Validator storage v = validators[all[i]];
            if (chosen[i] == (v.status == BONDED)) continue;
            distribution().bondedSetChanging(all[i], bondOf(all[i]), clock);
            if (chosen[i]) {
                v.status = BONDED;
                entering += v.tokens;
                bonded(v.pubkey, clock);
            } else {
                left(v.pubkey, v.jailed, clock);
                leaving += v.tokens;
                v.status = UNBONDING;
                (v.unbondingHeight, v.unbondingTime) = (clock.height, clock.time + unbondingTime_);
                lastId++;
                noteEdition(v);
                validatorQueue.add(v.unbondingTime, uint160(all[i]));
            }
        }
        if (entering > leaving) Native.pay(NOT_BONDED_POOL, BONDED_POOL, entering - leaving);
        else Native.pay(BONDED_POOL, NOT_BONDED_POOL, leaving - entering);
    }

    /// Among those that are not jailed and have power: the strongest first, of equal ones the one with the lower address.
    function chooseStrongest(address[] memory all) private view returns (bool[] memory chosen) {
        chosen = new bool[](all.length);
        uint256[] memory power = new uint256[](all.length);
        uint256 candidates = 0;
        for (uint256 i = 0; i < all.length; i++) {
            Validator storage v = validators[all[i]];
            power[i] = v.jailed ? 0 : powerOf(v);
            chosen[i] = power[i] > 0;
            if (chosen[i]) candidates++;
        }
        for (; candidates > maxValidators_; candidates--) {
            uint256 weakest = type(uint256).max;
            for (uint256 i = 0; i < all.length; i++) {
                if (chosen[i] && (weakest == type(uint256).max || power[i] <= power[weakest])) weakest = i;
            }
            chosen[weakest] = false;
        }
    }

    function completeValidatorUnbondings(uint64 time) internal {
        while (validatorQueue.next() <= time) {
            (uint64 due, uint192 what) = validatorQueue.pop();
            address operator = address(uint160(what));
            Validator storage v = validators[operator];
            if (v.status != UNBONDING || v.unbondingTime != due) continue; // bonded again meanwhile
            v.status = UNBONDED;
            if (allShares(v) == 0) removeValidator(operator);
        }
    }

    // ---- punishing

    /// See ISystem.slash.
    function slashValidator(address operator, uint256 fraction, uint64 infractionHeight, Clock memory clock) internal {
        Validator storage v = validators[operator];
        if (v.status == UNBONDED) Text.fail("should not be slashing unbonded validator");
        uint256 remaining = (powerOf(v) * fraction); // power in whole tokens times 18 places: base units
        if (infractionHeight < clock.height) {
            uint256 taken = slashUnbondings(operator, fraction, infractionHeight, clock);
            taken += slashRedelegations(operator, fraction, infractionHeight, clock);
            remaining = remaining > taken ? remaining - taken : 0;
        }
        uint256 amount = remaining < v.tokens ? remaining : v.tokens;
        if (amount == 0) return;
        distribution().validatorSlashed(operator, effectiveFraction(amount, v.tokens), bondOf(operator), clock);
        setBond(v, v.tokens - amount, allShares(v));
        noteChange(v);
        burn(poolOf(v.status), amount);
    }

    function effectiveFraction(uint256 amount, uint256 tokens) private pure returns (uint256 fraction) {
        fraction = (amount * ONE + tokens - 1) / tokens;
        if (fraction > ONE) fraction = ONE;
    }

    function slashUnbondings(address operator, uint256 fraction, uint64 infractionHeight, Clock memory clock) private returns (uint256 total) {
        uint192[] memory pairs = unbondingQueue.all();
        uint256 gone = 0;
        uint256 first = 0; // the operator's lowest number
        for (uint256 k = 0; k < pairs.length; k++) {
            (address delegator, address from) = splitPair(pairs[k]);
            if (from != operator) continue;
            if (first == 0) first = pairs[k] >> 160;
            if (pairs[k] >> 160 != first && isKnown(pairs, k)) continue;
            mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, operator)];
            uint256 count = held[delegator][operator].unbondings;
            for (uint256 i = 0; i < count; i++) {
                UnbondingEntry storage entry = entries[i];
                if (entry.creationHeight < infractionHeight || entry.completionTime <= clock.time) continue;
                uint256 amount = (initialBalanceOf(entry) * fraction) / ONE;
                total += amount;
                gone += reduce(entry, amount);
            }
        }
        loseUnbonding(gone);
    }

    /// Whether an earlier pair is of the same accounts: an operator who created a validator again has several numbers.
    function isKnown(uint192[] memory pairs, uint256 at) private view returns (bool known) {
        (address delegator, address operator) = splitPair(pairs[at]);
        for (uint256 i = 0; i < at && !known; i++) {
            (address other, address from) = splitPair(pairs[i]);
            known = other == delegator && from == operator;
        }
    }

    /// Takes up to `amount` from an entry, which remembers its initial amount.
    function reduce(UnbondingEntry storage entry, uint256 amount) private returns (uint256 taken) {
        uint128 balance = entry.balance;
        taken = amount < balance ? amount : balance;
        if (taken > 0 && !entry.reduced) (entry.reduced, initialBalances[entry.id]) = (true, balance);
        entry.balance = balance - uint128(taken);
    }

    function loseUnbonding(uint256 amount) private {
        unbondingTotal -= uint112(amount);
        burn(NOT_BONDED_POOL, amount);
    }

    function slashRedelegations(address operator, uint256 fraction, uint64 infractionHeight, Clock memory clock) private returns (uint256 total) {
        uint192[] memory delegators = redelegationQueue.all();
        for (uint256 k = 0; k < delegators.length; k++) {
            address delegator = address(uint160(delegators[k]));
            Redelegation[] memory list = redelegations[delegator];
            for (uint256 i = 0; i < list.length; i++) {
                Redelegation memory r = list[i];
                if (operatorAt[r.source] != operator || r.creationHeight < infractionHeight || r.completionTime <= clock.time) continue;
                uint256 amount = (r.initialBalance * fraction) / ONE;
                total += amount;
                slashMoved(delegator, operatorAt[r.destination], amount, Math.mul(fraction, sharesDstOf(r)), infractionHeight, clock);
            }
        }
    }

    /// Slashes what was redelegated where it is now: first what is unbonding there, then the delegation.
    function slashMoved(address delegator, address destination, uint256 amount, uint256 sharesDst, uint64 infractionHeight, Clock memory clock) private {
        mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, destination)];
        uint256 count = held[delegator][destination].unbondings;
        uint256 gone = 0;
        for (uint256 i = 0; i < count; i++) {
            UnbondingEntry storage entry = entries[i];
            if (entry.creationHeight < infractionHeight || entry.completionTime <= clock.time) continue;
            uint256 part = reduce(entry, amount);
            amount -= part;
            gone += part;
        }
        loseUnbonding(gone);

        uint256 owned = sharesOf(delegator, destination);
        if (amount == 0 || sharesDst == 0 || owned == 0) return;
        address pool = poolOf(validators[destination].status);
        burn(pool, unbond(delegator, destination, sharesDst < owned ? sharesDst : owned, clock));
    }

    function jailValidator(address operator) internal {
        Validator storage v = validators[operator];
        if (v.jailed) return;
        v.jailed = true;
        noteChange(v);
    }

    /// Does not check whether its time in jail is over.
    function unjailValidator(address operator) internal {
        Validator storage v = validators[operator];
        uint256 own = sharesOf(operator, operator);
        if (own == 0) Text.fail("no delegation for (address, validator) tuple");
        uint256 tokens = tokensFromShares(v, own);
        if (tokens < v.minSelfDelegation) {
            Text.fail(
                string.concat(
                    Text.number(tokens), " less than ", Text.number(v.minSelfDelegation), ": validator's self delegation less than minimum; cannot be unjailed"
                )
            );
        }
        if (!v.jailed) Text.fail("validator not jailed; cannot be unjailed");
        v.jailed = false;
        noteChange(v);
    }
}
