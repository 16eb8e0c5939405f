// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// How the engine calls the modules, outside transactions: configuration, state, and what the chain does by itself.

/// A validator of the configuration. Rates: 1e18 is 100 %. Amounts are in base units.
struct ValidatorConfig {
    address operator;
    string moniker;
    string identity;
    string website;
    string securityContact;
    string details;
    string pubkey; // base64 of the 32 bytes of the ed25519 consensus key
    uint256 stake; // self-delegation
    uint256 rate;
    uint256 maxRate;
    uint256 maxChangeRate;
    uint256 minSelfDelegation;
}

/// Governance parameters. Periods in seconds, amounts in base units, ratios: 1e18 is 1.
struct GovernanceConfig {
    uint64 votingPeriod;
    uint64 expeditedVotingPeriod;
    uint64 depositPeriod;
    uint256 minDeposit;
    uint256 expeditedMinDeposit;
    uint256 quorum;
    uint256 threshold;
    uint256 expeditedThreshold;
    uint256 vetoThreshold;
    uint256 minInitialDepositRatio;
    uint256 minDepositRatio;
    uint256 proposalCancelRatio;
    string proposalCancelDest; // bech32 account, empty: burnt
    bool burnVoteQuorum;
    bool burnProposalDepositPrevote;
    bool burnVoteVeto;
    string constitution;
    bool ignoreUnknownMessages; // proposals may have messages that nothing here carries out
}

/// Parameters of the slashing module. Fractions: 1e18 is 1.
struct SlashingConfig {
    uint64 signedBlocksWindow; // blocks
    uint64 minSignedPerWindow;
    uint64 downtimeJailDuration; // seconds
    uint64 doubleSignFraction;
    uint64 downtimeFraction;
}

struct Config {
    string prefix; // bech32 prefix of accounts, for example "cosmos"
    string denom;
    uint64 unbondingTime; // seconds
    uint32 maxValidators;
    uint32 maxEntries; // unbonding and redelegation entries for one pair or triple
    uint256 rewardRate; // a year, on bonded stake: 1e18 is 100 %
    GovernanceConfig governance;
    SlashingConfig slashing;
    uint256 supply; // what accounts have besides
    ValidatorConfig[] validators;
}

/// What the engine reports, and what property tests compare. Amounts in base units.
struct State {
    uint256 bondedTokens; // tokens of bonded validators
    uint256 notBondedTokens; // tokens of other validators
    uint256 unbondingTokens; // in unbonding entries
    uint256 outstandingRewards; // owed to delegators and validators, whole units, with what has accrued until `time`
    uint256 communityPool; // whole units
    uint256 deposits; // of proposals
    uint256 accrued; // paid out of the reserve by time or by depositRewards, until now
    uint256 burnt; // gone back to the reserve by slashes and burnt deposits
    uint256 supply; // all there is of the native coin, with what has accrued; fees change nothing
    uint256 rewardRate;
    uint64 unbondingTime;
    uint64 validators;
    uint64 proposals;
    uint64 nextDue;
}

/// A message of a proposal, as far as it is stored.
struct ProposalMessage {
    string typeUrl;
    uint8 action; // see Action in Messages.sol
    address recipient;
    uint256 amount; // of the native coin
}

/// What the chain does by itself. All functions are at the staking precompile; only SYSTEM
/// (0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE) may call those that write. `height` and `time` are those of the block at
/// whose end, or after which, the change happens; the block environment is not read. Errors are `Error(string)`.
interface ISystem {
    /// Genesis. The reserve pays the validators' stake into the bonded pool, so it must be funded before.
    /// Validators are bonded at once.
    function configure(Config calldata config, uint64 height, uint64 time) external;

    /// End of a block: proposals, validator set, matured entries.
    function endBlock(uint64 height, uint64 time) external;

    /// The earliest time at which endBlock has something to do; 0: at the end of this block; max uint64: nothing is due.
    function nextDue() external view returns (uint64);

    /// Adds a validator, whose stake the reserve pays; bonded at once if it is among the strongest.
    function addValidator(ValidatorConfig calldata validator, uint64 height, uint64 time) external;

    /// Adds several validators, which are bonded once all of them are there.
    function addValidators(ValidatorConfig[] calldata validators, uint64 height, uint64 time) external;

    /// Burns `fraction` (1e18 is all) of the validator's power in whole tokens, as the chain does. Entries and redelegations
    /// created at or after `infractionHeight` are slashed too; none of them if infractionHeight == height.
    /// With `jailIt` the validator is jailed, as for having missed too many blocks.
    function slash(address operator, uint256 fraction, uint64 infractionHeight, bool jailIt, uint64 height, uint64 time) external;

    function jail(address operator, uint64 height, uint64 time) external;

    function unjail(address operator, uint64 height, uint64 time) external;

    /// Sets a new yearly rate from `time` on.
    function setRewardRate(uint256 rate, uint64 time) external;

    /// Gives rewards to a validator and its delegators out of the reserve; commission is taken.
    function depositRewards(address operator, uint256 amount, uint64 height, uint64 time) external;

    function setUnbondingTime(uint64 unbondingTime) external;

    /// Whether the governance module's account has exactly the tokens that the books say.
    function areDepositsThere() external view returns (bool);

    function state(uint64 time) external view returns (State memory);

    /// What the engine appends to the staking precompile's code, see Directory.sol.
    function directory() external view returns (bytes memory);

    /// What the engine appends to the governance precompile's code, see Copies.sol.
    function proposalCopies() external view returns (bytes memory);

    /// What the precompile's views lack about a validator: the limits of its commission, and when it was last set.
    function commissionLimits(address operator) external view returns (uint64 maxRate, uint64 maxChangeRate, uint64 time);

    /// What the precompile's views lack about a proposal; `failure`: why its messages were not carried out.
    function proposalContents(uint64 id)
        external
        view
        returns (bool expedited, ProposalMessage[] memory messages, string memory failure);

    /// The community tax: 1e18 is 100 %.
    function distributionParams() external view returns (uint64 communityTax, bool withdrawAddressEnabled);
}
