// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// What the modules know about each other: accounts, parameters that proposals change, and the questions that they ask
// during a call. The structs of the ABIs are those of the interfaces that users import.

import {ISlashing} from "../../ISlashing.sol";
import {Coin} from "../../Types.sol";
import {GovernanceConfig, ProposalMessage} from "./ISystem.sol";

// ---- votes as the chain decodes them: an option may be any number until it is checked

struct WeightedVoteOption {
    uint8 option;
    string weight;
}

struct WeightedVote {
    uint64 proposalId;
    address voter;
    WeightedVoteOption[] options;
    string metadata;
}

// ---- bond status of a validator, as the ABI counts

uint8 constant UNBONDED = 1;
uint8 constant UNBONDING = 2;
uint8 constant BONDED = 3;

// ---- accounts of the chain

address constant SYSTEM = 0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE;
// Pays what is minted, and receives what is burnt; not an account of the chain.
address constant RESERVE = address(uint160(uint256(keccak256("hardhat-dualstack.reserve"))));
address constant BONDED_POOL = 0x4feA76427B8345861e80A3540a8a9D936FD39391;
address constant NOT_BONDED_POOL = 0x5911B844d7BC224654FE0DCd16BAbD2D253f2fdF;
address constant DISTRIBUTION_ACCOUNT = 0x93354845030274cD4bf1686Abd60AB28EC52e1a7;
address constant GOVERNANCE_ACCOUNT = 0x7b5Fe22B5446f7C62Ea27B8BD71CeF94e03f3dF2;
address constant FEE_COLLECTOR = 0xf1829676DB577682E944fc3493d451B67Ff3E29F;

// First word of the calldata that asks an account to pay, and of that payment.
bytes32 constant PAY_MAGIC = keccak256("hardhat-dualstack.pay");

// Calldata with which a module asks whether its frame may write.
bytes32 constant TOUCH = keccak256("hardhat-dualstack.touch");

// 1.0 as a decimal of the chain: 18 places.
uint256 constant ONE = 1e18;

// ---- parameters that a message changes, as in its JSON; what is missing is zero or empty

struct StakingUpdate {
    int256 unbondingTime; // nanoseconds
    uint256 maxValidators;
    uint256 maxEntries;
    string bondDenom;
    bool negative;
    uint256 minCommissionRate;
}

struct DistributionUpdate {
    bool negative;
    uint256 communityTax;
    bool hasProposerReward; // the chain no longer takes any
    bool withdrawAddressEnabled;
}

struct GovernanceUpdate {
    Coin[] minDeposit;
    Coin[] expeditedMinDeposit;
    bool negative; // one of the amounts
    int256 depositPeriod; // nanoseconds
    int256 votingPeriod;
    int256 expeditedVotingPeriod;
    // quorum, threshold, veto threshold, expedited threshold, min initial deposit, proposal cancel, min deposit
    string[7] ratios;
    string proposalCancelDest;
    bool burnVoteQuorum;
    bool burnProposalDepositPrevote;
    bool burnVoteVeto;
}

// ---- the modules' questions to each other

/// A validator as the other modules see it.
struct Bond {
    bool exists;
    uint8 status;
    uint256 tokens;
    uint256 shares;
    uint256 commission;
}

struct Delegation {
    address validator;
    uint256 shares;
}

/// Implemented by the staking module.
interface IStakingKeeper {
    function bond(address operator) external view returns (Bond memory);

    /// The validator, and how many of its shares the delegator has.
    function position(address delegator, address operator) external view returns (Bond memory, uint256 owned);

    /// Sorted by operator.
    function delegations(address delegator) external view returns (Delegation[] memory);

    /// The validators that it delegates to, sorted.
    function validatorsOf(address delegator) external view returns (address[] memory);

    /// The bonded validators, sorted by operator, and the sum of their tokens.
    function bondedValidators() external view returns (address[] memory operators, Bond[] memory bonds, uint256 total);

    /// Counts votes: voters decide about their own stake; a validator decides about the stake of its delegators that have not
    /// voted. `votes`: see Proposals.votesOn and weightsOf. `results` and `total` have 18 places; `bonded`: tokens of bonded
    /// validators.
    function tally(bytes calldata votes) external view returns (uint256[4] memory results, uint256 total, uint256 bonded);

    function maxValidators() external view returns (uint32);

    /// Of all validators that were ever bonded, sorted by consensus address, as of a block.
    function signingInfos(uint64 height) external view returns (ISlashing.SigningInfo[] memory);

    /// Of one of them.
    function signingInfo(address consensus, uint64 height) external view returns (bool known, ISlashing.SigningInfo memory);

    function slashingParams() external view returns (ISlashing.Params memory);

    /// Called by the slashing module for the operator itself. Reverts if the chain would not release it.
    function leaveJail(address operator, Clock calldata clock) external;

    /// The total supply of the native coin.
    function supply(uint64 time) external view returns (uint256);

    /// Reverts if the chain would refuse them.
    function updateParams(StakingUpdate calldata update) external;

    /// Records that `actor` owes `amount` at the end of the transaction, and pays `to` in advance.
    function defer(address actor, address to, uint256 amount) external;

    /// What `actor` owes in this transaction.
    function owed(address actor) external view returns (uint256);
}

/// The block in which something happens.
struct Clock {
    uint64 height;
    uint64 time;
}

/// The staking module's hooks, implemented by the distribution module, and what the chain does there by itself.
interface IDistributionKeeper {
    function params() external view returns (uint64 communityTax, bool withdrawAddressEnabled);

    function configure(uint256 rewardRate) external;

    function validatorCreated(address operator) external;

    /// A bonded validator's commission is about to change: its accrued rewards are settled.
    function settle(address operator, Bond calldata bond, Clock calldata clock) external;

    /// A validator is about to enter or leave the bonded set: its accrued rewards are settled, and later ones count from now
    /// on. Called by the chain itself.
    function bondedSetChanging(address operator, Bond calldata bond, Clock calldata clock) external;

    /// A delegation is about to change (shares 0: to begin): its rewards are paid out.
    function delegationChanging(address delegator, address operator, uint256 shares, Bond calldata bond, Clock calldata clock)
        external
        returns (bool paid);

    /// delegationChanging and delegationChanged in one, for a delegation that grows: its new shares, and the validator's tokens
    /// and shares as they will be. A simulator looks at all bytes of a code whenever it is called; and this selector comes
    /// early among those that the code compares with, in order.
    function sharesAdded(
        address delegator,
        address operator,
        uint256 shares,
        Bond calldata bond,
        Clock calldata clock,
        uint256 newShares,
        uint256 newTokens,
        uint256 newBondShares
    ) external returns (bool paid);

    /// A delegation has changed: new shares, and the validator as it is now.
    function delegationChanged(address delegator, address operator, uint256 shares, Bond calldata bond, Clock calldata clock) external;

    function validatorSlashed(address operator, uint256 fraction, Bond calldata bond, Clock calldata clock) external;

    function validatorRemoved(address operator) external;

    function setRewardRate(uint256 rate, uint64 time) external;

    function depositRewards(address operator, uint256 amount, Bond calldata bond, Clock calldata clock) external;

    /// Reverts if the chain would refuse them.
    function updateParams(DistributionUpdate calldata update, uint64 time) external;

    /// Paid by the governance account.
    function fundCommunityPool(uint256 amount) external;

    /// ok is false if the pool has less.
    function spendCommunityPool(address recipient, uint256 amount, uint64 time) external returns (bool ok);

    /// All that rewards have added to the supply until `time`.
    function minted(uint64 time) external view returns (uint256);

    /// The totals of these validators.
    function totals(uint64 time, address[] calldata operators)
        external
        view
        returns (uint256 outstanding, uint256 pool, uint256 accrued, uint256 rate);
}

interface IGovernanceKeeper {
    function configure(GovernanceConfig calldata config) external;

    function endBlock(Clock calldata clock) external;

    function nextDue() external view returns (uint64);

    function totals() external view returns (uint256 deposits, uint64 proposals, uint256 burnt);

    /// See Copies.sol.
    function copies() external view returns (bytes memory);

    /// What the precompile's views lack about a proposal.
    function contents(uint64 id)
        external
        view
        returns (bool expedited, ProposalMessage[] memory messages, string memory failure);
}
