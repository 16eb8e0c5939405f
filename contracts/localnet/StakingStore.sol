// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Account} from "./Account.sol";
import {DeferredDebit} from "./ISystem.sol";
import {Math} from "./Math.sol";
import {Module} from "./Module.sol";
import {Native} from "./Native.sol";
import {Paging} from "./Paging.sol";
import {Queue} from "./Queue.sol";
import {Text} from "./Text.sol";
import {
    BONDED,
    BONDED_POOL,
    Bond,
    Clock,
    Delegation,
    Description,
    IDistributionKeeper,
    IStakingKeeper,
    NOT_BONDED_POOL,
    ONE,
    RESERVE
} from "./Types.sol";

/// State of the staking module, and what the other modules may ask it.
abstract contract StakingStore is Module, IStakingKeeper {
    using Queue for Queue.Heap;

    struct Validator {
        uint8 status; // 0: no such validator
        bool jailed;
        uint64 unbondingHeight;
        uint64 unbondingTime;
        uint64 commissionTime;
        uint64 rate;
        uint64 maxRate;
        uint64 maxChangeRate;
        uint256 tokens;
        uint256 shares; // 18 places
        uint256 minSelfDelegation;
        bytes32 pubkey;
        Description description;
    }

    struct Held {
        uint208 shares; // 18 places
        uint48 index; // in validatorsOf, from 1; 0: no delegation
    }

    struct UnbondingEntry {
        uint64 creationHeight;
        uint64 completionTime;
        uint64 id;
        uint128 initialBalance;
        uint128 balance;
    }

    struct Unbonding {
        address delegator; // 0: no such unbonding
        address validator;
        uint64 index; // in unbondingsFrom
        UnbondingEntry[] entries;
    }

    struct RedelegationEntry {
        uint64 creationHeight;
        uint64 completionTime;
        uint64 id;
        uint256 initialBalance;
        uint256 sharesDst; // 18 places
    }

    struct Redelegation {
        address delegator; // 0: no such redelegation
        address source;
        address destination;
        uint64 indexOfDelegator; // in redelegationsOf
        uint64 indexOfSource; // in redelegationsFrom
        RedelegationEntry[] entries;
    }

    // parameters
    string internal prefix_;
    string internal denom_;
    uint64 internal unbondingTime_;
    uint32 internal maxValidators_;
    uint32 internal maxEntries_;
    /// The validator set must be looked at when the block ends.
    bool internal setChanged;
    uint64 internal lastUnbondingId;

    mapping(address operator => Validator) internal validators;
    address[] internal operators; // ascending
    mapping(bytes32 pubkey => address operator) internal operatorOf;
    /// Operators by the hash of their bech32 text: spares reading the text.
    mapping(bytes32 hash => address operator) internal operatorByText;

    mapping(address delegator => mapping(address operator => Held)) internal held;
    mapping(address delegator => address[]) internal validatorsOf;

    mapping(bytes32 key => Unbonding) internal unbondings;
    mapping(address operator => bytes32[]) internal unbondingsFrom;
    Queue.Heap internal unbondingQueue;
    mapping(uint128 number => bytes32 key) internal unbondingAt;
    uint256 internal unbondingTotal;

    mapping(bytes32 key => Redelegation) internal redelegations;
    mapping(address delegator => bytes32[]) internal redelegationsOf;
    mapping(address operator => bytes32[]) internal redelegationsFrom;
    mapping(address delegator => mapping(address operator => uint256)) internal receiving; // redelegations that end there
    Queue.Heap internal redelegationQueue;
    mapping(uint128 number => bytes32 key) internal redelegationAt;

    Queue.Heap internal validatorQueue;
    mapping(uint128 number => address operator) internal validatorAt;

    uint256 internal burnt;
    DeferredDebit[] internal deferred;
    /// What accounts without code owe in this transaction.
    bytes32 private constant OWED = keccak256("hardhat-dualstack.owed");

    function self() internal view override returns (address) {
        return STAKING;
    }

    function chainPrefix() internal view override returns (string memory) {
        return prefix_;
    }

    function chainDenom() internal view override returns (string memory) {
        return denom_;
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
        return Bond(v.status != 0, v.status, v.tokens, v.shares, v.rate);
    }

    function tokensFromShares(Validator storage v, uint256 shares_) internal view returns (uint256) {
        return Math.quo(shares_ * v.tokens, v.shares) / ONE;
    }

    function sharesOf(address delegator, address operator) internal view returns (uint256) {
        return held[delegator][operator].shares;
    }

    /// Rounded down. The chain refuses to compute it for a validator without tokens.
    function sharesFromTokens(Validator storage v, uint256 amount) internal view returns (uint256) {
        if (v.tokens == 0) Text.fail("insufficient delegation shares");
        return Math.mulDiv(v.shares, amount, v.tokens);
    }

    /// Whole tokens: what a validator's voting power counts.
    function powerOf(Validator storage v) internal view returns (uint256) {
        return v.tokens / ONE;
    }

    /// To be called where tokens, shares or jailing of a validator have changed.
    function noteChange(Validator storage v) internal {
        if (setChanged) return;
        bool wanted = !v.jailed && powerOf(v) > 0;
        if (wanted != (v.status == BONDED) || operators.length > maxValidators_) setChanged = true;
    }

    // ---- pools

    function poolOf(uint8 status) internal pure returns (address) {
        return status == BONDED ? BONDED_POOL : NOT_BONDED_POOL;
    }

    function burn(address pool, uint256 amount) internal {
        burnt += amount;
        Native.pay(pool, RESERVE, amount);
    }

    // ---- payments that are settled after the transaction

    function defer(address actor, address to, uint256 amount) external onlyModules {
        bytes32 slot = owedSlot(actor);
        uint256 sum = owed(actor) + amount;
        assembly ("memory-safe") {
            tstore(slot, sum)
        }
        deferred.push(DeferredDebit(actor, amount));
        Native.pay(RESERVE, to, amount);
    }

    function owed(address actor) public view returns (uint256 amount) {
        bytes32 slot = owedSlot(actor);
        assembly ("memory-safe") {
            amount := tload(slot)
        }
    }

    function owedSlot(address actor) private pure returns (bytes32) {
        return keccak256(abi.encode(OWED, actor));
    }

    // ---- for the other modules

    function prefix() external view returns (string memory) {
        return prefix_;
    }

    function denom() external view returns (string memory) {
        return denom_;
    }

    function bond(address operator) external view returns (Bond memory) {
        return bondOf(operator);
    }

    function shares(address delegator, address operator) external view returns (uint256) {
        return sharesOf(delegator, operator);
    }

    function maxValidators() external view returns (uint32) {
        return maxValidators_;
    }

    function delegations(address delegator) external view returns (Delegation[] memory list) {
        address[] memory sorted = validatorsOf[delegator];
        Paging.sort(sorted);
        list = new Delegation[](sorted.length);
        for (uint256 i = 0; i < sorted.length; i++) list[i] = Delegation(sorted[i], sharesOf(delegator, sorted[i]));
    }

    function bondedValidators() external view returns (address[] memory list, Bond[] memory bonds, uint256 total) {
        uint256 count = 0;
        list = new address[](operators.length);
        bonds = new Bond[](operators.length);
        for (uint256 i = 0; i < operators.length; i++) {
            address operator = operators[i];
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

    function unbondingKey(address delegator, address operator) internal pure returns (bytes32) {
        return keccak256(abi.encode(delegator, operator));
    }

    function redelegationKey(address delegator, address source, address destination) internal pure returns (bytes32) {
        return keccak256(abi.encode(delegator, source, destination));
    }

    /// Reads an operator's address as the modules do; the error carries `what`.
    function operatorArgument(string memory what, string memory text) internal view returns (address operator) {
        operator = operatorByText[keccak256(bytes(text))];
        if (operator != address(0)) return operator;
        string memory failure;
        (failure, operator) = Account.readOperator(prefix_, text);
        if (bytes(failure).length != 0) Text.fail(string.concat(what, failure, ": invalid address"));
    }

    /// Events read the operator's address again, as bech32 only.
    function requireBech32(string memory text) internal view {
        if (bytes(text)[0] != "0" && bytes(text).length > 42) return;
        (string memory failure,) = Account.readStrict(string.concat(prefix_, "valoper"), text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }
}
