// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Blob} from "../codec/Blob.sol";
import {Queue} from "../common/Queue.sol";

/// The state of the staking module.
abstract contract StakingState {
    // Numbers are packed, since every new storage word costs 22,100 gas.

    struct Validator {
        uint8 status; // 0: no such validator
        bool jailed;
        bool apart; // whether `shares` is something else than the tokens with 18 places
        uint16 number; // place in operatorAt
        uint64 rate;
        uint104 tokens;
        uint40 commissionTime;
        uint8 edition; // of the rest of what `validator` answers, see Directory; MAX_EDITION: there were too many
        // from here on, what few methods read
        uint128 minSelfDelegation;
        uint64 maxRate;
        uint64 maxChangeRate;
        uint64 unbondingHeight;
        uint64 unbondingTime;
        bytes32 pubkey;
        uint256 shares; // 18 places
        Blob.Ref description;
    }

    struct Held {
        uint160 shares; // 18 places
        bool exists; // whether there is a delegation
        uint32 unbondings; // entries that unbond, which may outlive the delegation
    }

    struct UnbondingEntry {
        uint128 balance;
        uint40 creationHeight;
        uint40 completionTime;
        uint40 id;
        bool reduced; // by a slash: what it was at first is in initialBalances
    }

    struct Redelegation {
        uint112 initialBalance;
        uint40 creationHeight;
        uint40 completionTime;
        uint16 source; // numbers of validators
        uint16 destination;
        uint32 id; // 0: its shares are the balance with 18 places, else they are in redelegatedShares
    }

    uint8 internal constant MAX_EDITION = 255;

    // parameters
    uint64 internal unbondingTime_;
    uint32 internal maxEntries_;
    uint64 internal minCommissionRate;

    // one word, which most changes write
    uint112 internal unbondingTotal; // tokens in entries that unbond
    uint40 internal lastId; // of unbonding entries and redelegations
    uint32 internal maxValidators_;
    uint16 internal lastNumber; // of validators that were ever there
    uint16 internal validatorCount; // that are there
    /// The validator set must be updated at the end of the block.
    bool internal setChanged;
    uint16 internal keysNoted; // validators up to this number are in operatorOf
    uint16 internal edition; // changes of what the Directory shows

    mapping(address operator => Validator) internal validators;
    mapping(uint256 number => address operator) internal operatorAt; // kept when it goes
    mapping(bytes32 pubkey => address operator) internal operatorOf; // see noteKeys

    mapping(address delegator => mapping(address operator => Held)) internal held;
    /// A delegator's validators by number, one bit each, 256 per word.
    mapping(address delegator => mapping(uint256 word => uint256 bits)) internal delegatedTo;

    mapping(bytes32 key => mapping(uint256 index => UnbondingEntry)) internal unbondings; // see unbondingKey
    mapping(uint256 id => uint128) internal initialBalances;
    Queue.Heap internal unbondingQueue; // of pairs, see pairOf

    mapping(address delegator => Redelegation[]) internal redelegations;
    mapping(uint256 id => uint256) internal redelegatedShares;
    Queue.Heap internal redelegationQueue; // of delegators

    Queue.Heap internal validatorQueue; // of operators

    uint256 internal burnt;
    /// Native coins that were not minted: those of accounts, and the stake of configured validators.
    uint256 internal given;
    /// Hash of all postponed payments, in order; the engine knows what it must be after each block.
    bytes32 internal debts;
    /// What it begins with: the first change of a zero would cost a transaction four times as much.
    bytes32 internal constant NO_DEBTS = keccak256("hardhat-dualstack.debts");
}
