// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IStaking} from "../../IStaking.sol";
import {SlashingConfig} from "../common/ISystem.sol";
import {Module} from "../common/Module.sol";
import {Queue} from "../common/Queue.sol";
import {Clock, NOT_BONDED_POOL, ONE, StakingUpdate, UNBONDING, BONDED} from "../common/Types.sol";
import {Validators} from "../staking/Validators.sol";

/// Writes another chain's staking state into the books here. On a fork its code is at the staking precompile during a
/// single call by the chain itself; it inherits the books, so that they have the module's layout.
contract StakingImport is Validators {
    using Queue for Queue.Heap;

    struct ImportedParams {
        uint64 unbondingTime; // seconds
        uint32 maxValidators;
        uint32 maxEntries;
        uint40 lastUnbondingId;
    }

    struct ImportedValidator {
        address operator;
        bytes32 pubkey;
        uint8 status;
        bool jailed;
        uint256 tokens;
        uint256 shares;
        uint256 rate;
        uint256 maxRate;
        uint256 maxChangeRate;
        uint64 commissionTime;
        uint256 minSelfDelegation;
        uint64 unbondingHeight;
        uint64 unbondingTime;
        IStaking.Description description;
    }

    struct ImportedSigner {
        address consensus;
        uint40 startHeight;
        uint40 jailedUntil;
        uint40 firstCounted; // see Signatures
        uint40 lastCounted;
        uint40 counted;
        uint32 missed;
        bool tombstoned;
    }

    struct ImportedDelegation {
        address operator;
        uint256 shares;
    }

    struct ImportedUnbonding {
        address operator;
        IStaking.UnbondingDelegationEntry[] entries;
    }

    struct ImportedRedelegation {
        address source;
        address destination;
        IStaking.RedelegationEntry[] entries;
    }

    constructor(address staking, address distribution_, address governance) Module(staking, distribution_, governance) {}

    function kindOf(bytes4) internal pure override returns (Kind) {
        return Kind.Unknown;
    }

    /// Never reached: there are no methods.
    function run(bytes4, bytes memory) internal pure override returns (bytes memory) {
        return "";
    }

    /// Never called: no proposal ends during an import.
    function updateParams(StakingUpdate calldata) external onlyModules {}

    /// Never called: during an import nobody leaves jail, or asks for the supply.
    function leaveJail(address, Clock calldata) external {}

    function supply(uint64) external pure returns (uint256) {}

    /// Parameters and all validators. Whatever the pool of unbonding tokens has besides the tokens of validators is in
    /// entries.
    function importStaking(ImportedParams calldata params, ImportedValidator[] calldata list) external onlySystem {
        (unbondingTime_, maxValidators_, maxEntries_) = (params.unbondingTime, params.maxValidators, params.maxEntries);
        uint256 notBonded = 0;
        for (uint256 i = 0; i < list.length; i++) {
            importValidator(list[i]);
            if (list[i].status != BONDED) notBonded += list[i].tokens;
        }
        unbondingTotal = uint112(NOT_BONDED_POOL.balance - notBonded);
        (lastId, debts) = (params.lastUnbondingId, NO_DEBTS);
    }

    function importValidator(ImportedValidator calldata from) private {
        addValidatorRecord(
            from.operator,
            from.description,
            IStaking.CommissionRates(from.rate, from.maxRate, from.maxChangeRate),
            from.minSelfDelegation,
            from.pubkey,
            Clock(0, from.commissionTime)
        );
        Validator storage v = validators[from.operator];
        (v.status, v.jailed) = (from.status, from.jailed);
        setBond(v, from.tokens, from.shares);
        (v.unbondingHeight, v.unbondingTime) = (from.unbondingHeight, from.unbondingTime);
        setChanged = false;
        if (from.status == UNBONDING) validatorQueue.add(from.unbondingTime, uint160(from.operator));
    }

    function importUnbondingTime(uint64 time) external onlySystem {
        unbondingTime_ = time;
    }

    /// The state of the slashing module, on forks with its precompile.
    function importSlashing(SlashingConfig calldata params, ImportedSigner[] calldata list) external onlySystem {
        slashing = params;
        for (uint256 i = 0; i < list.length; i++) {
            ImportedSigner calldata s = list[i];
            signers.push(Signer(s.consensus, s.startHeight, s.jailedUntil, s.firstCounted, s.lastCounted, s.counted, s.missed, s.tombstoned));
        }
    }

    /// The supply of the native coin, on forks with the bank's precompile.
    function importSupply(uint256 amount) external onlySystem {
        given = amount;
    }

    /// An account's delegations, with its unbonding entries and redelegations.
    function importDelegator(
        address delegator,
        ImportedDelegation[] calldata delegations_,
        ImportedUnbonding[] calldata unbonding,
        ImportedRedelegation[] calldata moving
    ) external onlySystem {
        for (uint256 i = 0; i < delegations_.length; i++) {
            ImportedDelegation calldata from = delegations_[i];
            require(from.shares <= type(uint160).max, "local precompiles: a number is too large");
            Held storage h = held[delegator][from.operator];
            (h.exists, h.shares) = (true, uint160(from.shares));
            noteDelegation(delegator, validators[from.operator].number, true);
        }
        for (uint256 i = 0; i < unbonding.length; i++) importUnbonding(delegator, unbonding[i]);
        for (uint256 i = 0; i < moving.length; i++) importRedelegation(delegator, moving[i]);
    }

    function importUnbonding(address delegator, ImportedUnbonding calldata from) private {
        mapping(uint256 => UnbondingEntry) storage entries = unbondings[unbondingKey(delegator, from.operator)];
        for (uint256 i = 0; i < from.entries.length; i++) {
            IStaking.UnbondingDelegationEntry calldata e = from.entries[i];
            bool reduced = e.initialBalance != e.balance;
            uint64 completionTime = uint64(e.completionTime);
            require(e.balance <= type(uint128).max && e.initialBalance <= type(uint128).max, "local precompiles: a number is too large");
            entries[i] = UnbondingEntry(
                uint128(e.balance), uint40(uint64(e.creationHeight)), uint40(completionTime), uint40(e.unbondingId), reduced
            );
            if (reduced) initialBalances[e.unbondingId] = uint128(e.initialBalance);
            unbondingQueue.add(completionTime, pairOf(delegator, validators[from.operator].number));
        }
        held[delegator][from.operator].unbondings = uint32(from.entries.length);
    }

    function importRedelegation(address delegator, ImportedRedelegation calldata from) private {
        for (uint256 i = 0; i < from.entries.length; i++) {
            IStaking.RedelegationEntry calldata e = from.entries[i];
            require(e.initialBalance <= type(uint112).max, "local precompiles: a number is too large");
            bool apart = e.sharesDst != e.initialBalance * ONE;
            // No view shows its ID. IDs given here continue from the last one, and never get close.
            uint32 id = apart ? uint32(uint256(keccak256(abi.encode(delegator, from.source, from.destination, i)))) | 1 << 31 : 0;
            if (apart) redelegatedShares[id] = e.sharesDst;
            redelegations[delegator].push(
                Redelegation(
                    uint112(e.initialBalance),
                    uint40(uint64(e.creationHeight)),
                    uint40(uint64(e.completionTime)),
                    validators[from.source].number,
                    validators[from.destination].number,
                    id
                )
            );
            redelegationQueue.add(uint64(e.completionTime), uint160(delegator));
        }
    }
}
