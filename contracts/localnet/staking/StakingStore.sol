// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Account} from "../codec/Account.sol";
import {Directory} from "../common/Directory.sol";
import {Math} from "../common/Math.sol";
import {Module} from "../common/Module.sol";
import {Native} from "../common/Native.sol";
import {Paging} from "../common/Paging.sol";
import {Queue} from "../common/Queue.sol";
import {StakingState} from "./StakingState.sol";
import {Text} from "../codec/Text.sol";
import {
    BONDED,
    BONDED_POOL,
    Bond,
    Clock,
    Delegation,
    IDistributionKeeper,
    IStakingKeeper,
    NOT_BONDED_POOL,
    ONE,
    RESERVE
} from "../common/Types.sol";

/// What all of the staking module does with its state, and what the other modules may ask it.
abstract contract StakingStore is Module, IStakingKeeper, StakingState {
    using Queue for Queue.Heap;

    /// What accounts that pay after the transaction owe in it.
    bytes32 private constant OWED = keccak256("hardhat-dualstack.owed");

    function self() internal view override returns (address) {
        return STAKING;
    }

    function now_() internal view returns (Clock memory) {
        return Clock(uint64(block.number), uint64(block.timestamp));
    }

    function distribution() internal view returns (IDistributionKeeper) {
        return IDistributionKeeper(DISTRIBUTION);
    }

    // ---- amounts and shares

    function bondOf(address operator) internal view returns (Bond memory) {
        Validator storage v = validators[operator];
        return Bond(v.status != 0, v.status, v.tokens, allShares(v), v.rate);
    }

    /// All shares of a validator.
    function allShares(Validator storage v) internal view returns (uint256) {
        return v.apart ? v.shares : v.tokens * ONE;
    }

    /// What a validator can have, in base units.
    uint256 internal constant MOST_TOKENS = type(uint104).max;

    function setBond(Validator storage v, uint256 tokens, uint256 shares_) internal {
        require(tokens <= MOST_TOKENS, "local precompiles: a number is too large");
        bool apart = shares_ != tokens * ONE;
        v.tokens = uint104(tokens);
        if (apart != v.apart) v.apart = apart;
        if (apart) v.shares = shares_;
    }

    function tokensFromShares(Validator storage v, uint256 shares_) internal view returns (uint256) {
        if (!v.apart) return shares_ / ONE;
        return Math.quo(shares_ * v.tokens, v.shares) / ONE;
    }

    function sharesOf(address delegator, address operator) internal view returns (uint256) {
        return held[delegator][operator].shares;
    }

    /// Rounded down. The chain refuses to compute it for a validator without tokens.
    function sharesFromTokens(Validator storage v, uint256 amount) internal view returns (uint256) {
        if (v.tokens == 0) Text.fail("insufficient delegation shares");
        return Math.mulDiv(allShares(v), amount, v.tokens);
    }

    /// Whole tokens, which a validator's voting power counts.
    function powerOf(Validator storage v) internal view returns (uint256) {
        return v.tokens / ONE;
    }

    /// To be called when a validator's tokens, shares or jailing have changed: the bonded set may change with them.
    function noteChange(Validator storage v) internal {
        if (setChanged) return;
        bool wanted = !v.jailed && powerOf(v) > 0;
        if (wanted != (v.status == BONDED) || validatorCount > maxValidators_) setChanged = true;
    }

    // ---- lists

    /// All validators, ascending.
    function operators() internal view returns (address[] memory list) {
        uint256 last = lastNumber;
        bool found;
        (found, list) = Directory.all(directory_(), last, validatorCount);
        if (found) return list;
        list = new address[](validatorCount);
        uint256 count = 0;
        for (uint256 number = 1; number <= last; number++) {
            address operator = operatorAt[number];
            if (validators[operator].number == number) list[count++] = operator;
        }
        Paging.sort(list);
    }

    /// The operator with a number.
    function numbered(Directory.Book book, uint256 number) internal view returns (address operator) {
        operator = Directory.operatorAt(book, number);
        if (operator == address(0)) operator = operatorAt[number];
    }

    /// Whether two numbers are of the same operator, who gets another one when its validator was removed and is created again.
    function sameOperator(uint16 a, uint16 b) internal view returns (bool) {
        return a == b || (lastNumber != validatorCount && operatorAt[a] == operatorAt[b]);
    }

    function noteDelegation(address delegator, uint256 number, bool there) internal {
        uint256 bit = 1 << (number & 0xff);
        uint256 bits = delegatedTo[delegator][number >> 8];
        delegatedTo[delegator][number >> 8] = there ? bits | bit : bits & ~bit;
    }

    /// Ascending.
    function validatorsOf(address delegator) public view returns (address[] memory list) {
        uint256 last = lastNumber;
        uint256 count = 0;
        list = new address[](last);
        Directory.Book book = directory_();
        for (uint256 word = 0; word <= last >> 8; word++) {
            uint256 bits = delegatedTo[delegator][word];
            for (uint256 number = word << 8; bits != 0; (bits, number) = (bits >> 1, number + 1)) {
                if (bits & 1 == 1) list[count++] = numbered(book, number);
            }
        }
        assembly ("memory-safe") {
            mstore(list, count)
        }
        Paging.sort(list);
    }

    function initialBalanceOf(UnbondingEntry storage entry) internal view returns (uint256) {
        return entry.reduced ? initialBalances[entry.id] : entry.balance;
    }

    function sharesDstOf(Redelegation memory r) internal view returns (uint256) {
        return r.id == 0 ? r.initialBalance * ONE : redelegatedShares[r.id];
    }

    function pairOf(address delegator, uint16 number) internal pure returns (uint192) {
        return (uint192(number) << 160) | uint160(delegator);
    }

    function splitPair(uint192 pair) internal view returns (address delegator, address operator) {
        return (address(uint160(pair)), operatorAt[pair >> 160]);
    }

    // ---- pools

    function poolOf(uint8 status) internal pure returns (address) {
        return status == BONDED ? BONDED_POOL : NOT_BONDED_POOL;
    }

    function burn(address pool, uint256 amount) internal {
        burnt += amount;
        Native.pay(pool, RESERVE, amount);
    }

    // ---- payments settled after the transaction

    function defer(address actor, address to, uint256 amount) external onlyModules {
        bytes32 slot = owedSlot(actor);
        uint256 sum = owed(actor) + amount;
        assembly ("memory-safe") {
            tstore(slot, sum)
        }
        debts = keccak256(abi.encode(debts, actor, amount));
        Native.pay(RESERVE, to, amount);
    }

    function owed(address actor) public view returns (uint256 amount) {
        bytes32 slot = owedSlot(actor);
        assembly ("memory-safe") {
            amount := tload(slot)
        }
    }

    function owedSlot(address actor) private pure returns (bytes32 slot) {
        bytes32 name = OWED;
        assembly ("memory-safe") {
            mstore(0, name)
            mstore(0x20, shr(96, shl(96, actor)))
            slot := keccak256(0, 0x40)
        }
    }

    // ---- for the other modules

    function bond(address operator) external view returns (Bond memory) {
        return bondOf(operator);
    }

    function position(address delegator, address operator) external view returns (Bond memory, uint256 owned) {
        return (bondOf(operator), sharesOf(delegator, operator));
    }

    function maxValidators() external view returns (uint32) {
        return maxValidators_;
    }

    function delegations(address delegator) external view returns (Delegation[] memory list) {
        address[] memory sorted = validatorsOf(delegator);
        list = new Delegation[](sorted.length);
        for (uint256 i = 0; i < sorted.length; i++) list[i] = Delegation(sorted[i], sharesOf(delegator, sorted[i]));
    }

    function bondedValidators() external view returns (address[] memory list, Bond[] memory bonds, uint256 total) {
        list = operators();
        bonds = new Bond[](list.length);
        uint256 count = 0;
        for (uint256 i = 0; i < list.length; i++) {
            address operator = list[i];
            if (validators[operator].status != BONDED) continue;
            list[count] = operator;
            bonds[count] = bondOf(operator);
            total += bonds[count].tokens;
            count++;
        }
        assembly ("memory-safe") {
            mstore(list, count)
            mstore(bonds, count)
        }
    }

    /// What a bonded validator's vote counts.
    struct Seat {
        address operator; // zero: this validator is not bonded
        uint256 tokens;
        uint256 shares;
        uint256 left; // shares whose owners have not voted
        bool apart; // see Validator
    }

    function tally(bytes calldata votes) external view returns (uint256[4] memory results, uint256 total, uint256 bonded) {
        Directory.Book book = directory_();
        uint256 last = lastNumber;
        bytes memory seats = new bytes((last + 1) * SEAT); // by number
        unchecked {
            for (uint256 number = 1; number <= last; number++) bonded += take(seatAt(seats, number), numbered(book, number), number);
            for (uint256 i = 0; i < votes.length; i += 64) {
                (address voter, uint256 weights) = voteAt(votes, i);
                for (uint256 at = 0; at <= last >> 8; at++) {
                    uint256 bits = delegatedTo[voter][at];
                    for (uint256 number = at << 8; bits != 0; (bits, number) = (bits >> 1, number + 1)) {
                        if (bits & 1 == 0) continue;
                        Seat memory seat = seatAt(seats, number);
                        if (seat.operator == address(0)) continue;
                        uint256 owned = sharesOf(voter, seat.operator);
                        seat.left -= owned;
                        total += count_(results, powerOfShares(seat, owned), weights);
                    }
                }
            }
            for (uint256 i = 0; i < votes.length; i += 64) {
                (address voter, uint256 weights) = voteAt(votes, i);
                Seat memory seat = seatAt(seats, Directory.rows(book) == last ? Directory.numberOf(book, voter) : validators[voter].number);
                if (seat.operator == voter) total += count_(results, powerOfShares(seat, seat.left), weights);
            }
        }
    }

    uint256 private constant SEAT = 0xa0;

    function seatAt(bytes memory seats, uint256 place) private pure returns (Seat memory seat) {
        assembly ("memory-safe") {
            seat := add(add(seats, 0x20), mul(place, SEAT))
        }
    }

    /// Fills the seat of the validator with a number, if it is bonded. Returns its tokens.
    function take(Seat memory seat, address operator, uint256 number) private view returns (uint256 tokens) {
        Validator storage v = validators[operator];
        bool apart;
        (tokens, apart) = (v.tokens, v.apart);
        if (v.status != BONDED || v.number != number) return 0;
        (seat.operator, seat.tokens, seat.apart) = (operator, tokens, apart);
        unchecked {
            seat.shares = seat.left = apart ? v.shares : tokens * ONE;
        }
    }

    function voteAt(bytes calldata votes, uint256 at) private pure returns (address voter, uint256 weights) {
        assembly ("memory-safe") {
            voter := calldataload(add(votes.offset, at))
            weights := calldataload(add(votes.offset, add(at, 0x20)))
        }
    }

    /// 18 places.
    function powerOfShares(Seat memory seat, uint256 shares_) private pure returns (uint256) {
        return seat.apart ? Math.quo(shares_ * seat.tokens, seat.shares) : shares_;
    }

    /// Adds a vote to the results, and returns what it counts.
    function count_(uint256[4] memory results, uint256 power, uint256 weights) private pure returns (uint256) {
        unchecked {
            for (uint256 i = 0; weights != 0; (weights, i) = (weights >> 64, i + 1)) {
                uint256 weight = uint64(weights);
                if (weight != 0) results[i] += weight == ONE ? power : Math.mul(power, weight);
            }
        }
        return power;
    }

    function unbondingKey(address delegator, address operator) internal pure returns (bytes32) {
        return keccak256(abi.encode(delegator, operator));
    }

    /// Decodes an operator's address like the modules do; the error contains `what`.
    function operatorArgument(string memory what, string memory text) internal view returns (address operator) {
        string memory failure;
        (failure, operator) = readOperator(text);
        if (bytes(failure).length != 0) Text.fail(string.concat(what, failure, ": invalid address"));
    }

    /// Events read the operator's address again, as bech32 only.
    function requireBech32(string memory text) internal pure {
        if (bytes(text)[0] != "0" && bytes(text).length > 42) return;
        (string memory failure,) = Account.readStrict(string.concat(chainPrefix(), "valoper"), text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }
}
