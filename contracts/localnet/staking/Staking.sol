// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IStaking} from "../../IStaking.sol";
import {Abi} from "../codec/Abi.sol";
import {Base64} from "../codec/Base64.sol";
import {Config, ISystem, ProposalMessage, State, ValidatorConfig} from "../common/ISystem.sol";
import {Directory} from "../common/Directory.sol";
import {Module} from "../common/Module.sol";
import {Native} from "../common/Native.sol";
import {Queue} from "../common/Queue.sol";
import {StakingViews} from "./StakingViews.sol";
import {Text} from "../codec/Text.sol";
import {
    BONDED,
    Bond,
    Clock,
    GOVERNANCE_ACCOUNT,
    IGovernanceKeeper,
    NOT_BONDED_POOL,
    ONE,
    RESERVE,
    StakingUpdate
} from "../common/Types.sol";

/// The staking precompile: its transactions, from arguments to events and answers. Also the contract through which the chain
/// itself acts (ISystem): at genesis, at the end of each block, and when a test asks for something.
contract Staking is StakingViews, ISystem {
    using Queue for Queue.Heap;

    string private constant DELEGATOR = "invalid delegator address: ";
    string private constant VALIDATOR = "invalid validator address: ";

    address private immutable SLASHING;

    constructor(address staking, address distribution_, address governance, address slashing_) Module(staking, distribution_, governance) {
        SLASHING = slashing_;
    }

    function kindOf(bytes4 s) internal pure override returns (Kind) {
        if (
            s == IStaking.delegate.selector || s == IStaking.undelegate.selector || s == IStaking.redelegate.selector
            || s == IStaking.cancelUnbondingDelegation.selector || s == IStaking.createValidator.selector
            || s == IStaking.editValidator.selector
        ) {
            return Kind.Transaction;
        }
        return isView(s) ? Kind.View : Kind.Unknown;
    }

    function run(bytes4 s, bytes memory args) internal override returns (bytes memory) {
        Abi.checkNotEmpty(args);
        if (s == IStaking.delegate.selector) return delegate(args);
        if (s == IStaking.undelegate.selector) return undelegate(args);
        if (s == IStaking.redelegate.selector) return redelegate(args);
        if (s == IStaking.cancelUnbondingDelegation.selector) return cancelUnbondingDelegation(args);
        if (s == IStaking.createValidator.selector) return createValidator(args);
        if (s == IStaking.editValidator.selector) return editValidator(args);
        return answer(s, args);
    }

    // ---- transactions

    function delegate(bytes memory args) private returns (bytes memory) {
        (address delegator, string memory validatorText, uint256 amount) = (Abi.addr(args, 0), Abi.text(args, 32), Abi.word(args, 64));
        // the most frequent transaction: a text for an error is only made if it is needed
        if (delegator == address(0)) requireAddress(delegator, DELEGATOR);
        requireSender(delegator);
        (bool known, address operator) = Directory.operatorOf(directory_(), validatorText);
        if (!known) operator = operatorArgument(VALIDATOR, validatorText);
        if (amount == 0) Text.fail("invalid delegation amount: invalid request");
        if (validators[operator].status == 0) Text.fail("validator does not exist");
        delegateTokens(delegator, operator, amount, Source.Account, Clock(uint64(block.number), uint64(block.timestamp)));
        requireBech32(validatorText);
        emit IStaking.Delegate(delegator, operator, amount, sharesFromTokens(validators[operator], amount));
        return abi.encode(true);
    }

    function undelegate(bytes memory args) private returns (bytes memory) {
        (address delegator, string memory validatorText, uint256 amount) = (Abi.addr(args, 0), Abi.text(args, 32), Abi.word(args, 64));
        requireAddress(delegator, DELEGATOR);
        requireSender(delegator);
        address operator = operatorArgument(VALIDATOR, validatorText);
        if (amount == 0) Text.fail("invalid shares amount: invalid request");
        uint64 completionTime = undelegateTokens(delegator, operator, amount, now_());
        requireBech32(validatorText);
        emit IStaking.Unbond(delegator, operator, amount, completionTime);
        return abi.encode(completionTime);
    }

    function redelegate(bytes memory args) private returns (bytes memory) {
        address delegator = Abi.addr(args, 0);
        string[2] memory texts = [Abi.text(args, 32), Abi.text(args, 64)];
        uint256 amount = Abi.word(args, 96);
        requireAddress(delegator, DELEGATOR);
        requireSender(delegator);
        address source = operatorArgument("invalid source validator address: ", texts[0]);
        address destination = operatorArgument("invalid destination validator address: ", texts[1]);
        if (amount == 0) Text.fail("invalid shares amount: invalid request");
        int64 completionTime = redelegateTokens(delegator, source, destination, amount, now_());
        requireBech32(texts[0]);
        requireBech32(texts[1]);
        emit IStaking.Redelegate(delegator, source, destination, amount, uint256(int256(completionTime)));
        return abi.encode(completionTime);
    }

    function cancelUnbondingDelegation(bytes memory args) private returns (bytes memory) {
        (address delegator, string memory validatorText) = (Abi.addr(args, 0), Abi.text(args, 32));
        (uint256 amount, int64 height) = (Abi.word(args, 64), int64(uint64(Abi.word(args, 96))));
        requireAddress(delegator, DELEGATOR);
        requireSender(delegator);
        address operator = operatorArgument(VALIDATOR, validatorText);
        if (amount == 0) Text.fail("invalid amount: invalid request");
        if (height <= 0) Text.fail("invalid height: invalid request");
        cancelUnbonding(delegator, operator, amount, height, validatorText, now_());
        requireBech32(validatorText);
        emit IStaking.CancelUnbondingDelegation(delegator, operator, amount, uint64(height));
        return abi.encode(true);
    }

    function createValidator(bytes memory args) private returns (bytes memory) {
        IStaking.Description memory description = Abi.description(args, 0);
        IStaking.CommissionRates memory rates = Abi.rates(args, 32);
        uint256 minSelfDelegation = Abi.word(args, 128);
        address operator = Abi.addr(args, 160);
        string memory pubkey = Abi.text(args, 192);
        uint256 value = Abi.word(args, 224);
        requireAddress(operator, VALIDATOR);
        bytes32 key = readPubkey(pubkey);
        requireAccount();
        requireSender(operator);
        if (value == 0) Text.fail("invalid delegation amount: invalid request");
        requireDescription(description);
        requireRates(rates);
        if (minSelfDelegation == 0) Text.fail("minimum self delegation must be a positive integer: invalid request");
        if (value < minSelfDelegation) Text.fail("validator's self delegation must be greater than their minimum self delegation");
        if (rates.rate < minCommissionRate) {
            string memory least = Text.decimal(minCommissionRate);
            Text.fail(string.concat("cannot set validator commission to less than minimum rate of ", least, ": commission cannot be less than min rate"));
        }
        addValidatorRecord(operator, description, rates, minSelfDelegation, key, now_());
        delegateTokens(operator, operator, value, Source.Account, now_());
        emit IStaking.CreateValidator(operator, value);
        return abi.encode(true);
    }

    function readPubkey(string memory text) private pure returns (bytes32) {
        bytes memory key = Base64.decode(text);
        if (key.length != 32) Text.fail(string.concat("consensus pubkey len is invalid, got: ", Text.number(key.length), ", expected: 32"));
        return bytes32(key);
    }

    function editValidator(bytes memory args) private returns (bytes memory) {
        IStaking.Description memory description = Abi.description(args, 0);
        address operator = Abi.addr(args, 32);
        (int256 rate, int256 minSelfDelegation) = (int256(Abi.word(args, 64)), int256(Abi.word(args, 96)));
        requireAddress(operator, VALIDATOR);
        requireAccount();
        requireSender(operator);
        requireDescription(description);
        if (minSelfDelegation != KEEP_NUMBER && minSelfDelegation <= 0) {
            Text.fail("minimum self delegation must be a positive integer: invalid request");
        }
        if (rate != KEEP_NUMBER && (rate < 0 || rate > int256(ONE))) {
            Text.fail("commission rate must be between 0 and 1 (inclusive): invalid request");
        }
        if (rate != KEEP_NUMBER && uint256(rate) < minCommissionRate) {
            string memory least = Text.decimal(minCommissionRate);
            Text.fail(string.concat("commission rate cannot be less than the min commission rate ", least, ": invalid request"));
        }
        Validator storage v = validators[operator];
        if (v.status == 0) Text.fail("validator does not exist");
        changeDescription(v, description);
        if (rate != KEEP_NUMBER) changeCommission(operator, uint256(rate), now_());
        if (minSelfDelegation != KEEP_NUMBER) {
            if (uint256(minSelfDelegation) <= v.minSelfDelegation) Text.fail("minimum self delegation cannot be decreased");
            if (uint256(minSelfDelegation) > v.tokens) {
                Text.fail("validator's self delegation must be greater than their minimum self delegation");
            }
            v.minSelfDelegation = uint128(uint256(minSelfDelegation));
            noteEdition(v);
        }
        emit IStaking.EditValidator(operator, rate, minSelfDelegation);
        return abi.encode(true);
    }

    /// Contracts may not create or edit a validator; accounts that have delegated their code (EIP-7702) may.
    function requireAccount() private view {
        bytes memory code = msg.sender.code;
        bool delegated = code.length == 23 && bytes3(code) == 0xef0100;
        // without code, but not the origin: a contract in its own constructor
        bool account = code.length == 0 && (msg.sender == tx.origin || Native.inSolidityTest());
        if (!delegated && !account) Text.fail("this method can only be called directly to the precompile, not from a smart contract");
    }

    // ---- for the other modules

    function leaveJail(address operator, Clock calldata clock) external {
        if (msg.sender != SLASHING) noMethod(msg.sig);
        requireValidator(operator);
        unjailValidator(operator);
        if (clock.time < jailedUntil(validators[operator].pubkey)) Text.fail("validator still jailed; cannot be unjailed");
    }

    function supply(uint64 time) external view returns (uint256) {
        (,, uint256 burntDeposits) = IGovernanceKeeper(GOVERNANCE).totals();
        return supplyOf(distribution().minted(time), burnt + burntDeposits);
    }

    /// A fork only counts what has changed since, which may be negative.
    function supplyOf(uint256 minted, uint256 gone) private view returns (uint256) {
        unchecked {
            return given + minted - gone;
        }
    }

    // ---- what the chain does by itself

    function configure(Config calldata config, uint64 height, uint64 time) external onlySystem {
        (unbondingTime_, maxValidators_, maxEntries_) = (config.unbondingTime, config.maxValidators, config.maxEntries);
        distribution().configure(config.rewardRate);
        IGovernanceKeeper(GOVERNANCE).configure(config.governance);
        (slashing, given, debts) = (config.slashing, config.supply, NO_DEBTS);
        for (uint256 i = 0; i < config.validators.length; i++) newValidator(config.validators[i], Clock(height, time));
        updateValidatorSet(Clock(height, time));
    }

    /// Changed by a proposal. Historical entries have no effect here; lower commissions stay.
    function updateParams(StakingUpdate calldata u) external onlyModules {
        if (u.unbondingTime <= 0) {
            string memory time = Text.number(uint256(-u.unbondingTime));
            Text.fail(string.concat("unbonding time must be positive: ", u.unbondingTime < 0 ? "-" : "", time));
        }
        require(u.maxValidators > 0, "max validators must be positive: 0");
        require(u.maxEntries > 0, "max entries must be positive: 0");
        require(bytes(u.bondDenom).length > 0, "bond denom cannot be blank");
        bool ours = Text.equal(u.bondDenom, chainDenom());
        if (!ours && !validDenom(bytes(u.bondDenom))) Text.fail(string.concat("invalid denom: ", u.bondDenom));
        string memory rate = Text.decimal(u.minCommissionRate);
        if (u.negative && u.minCommissionRate > 0) Text.fail(string.concat("minimum commission rate cannot be negative: -", rate));
        if (u.minCommissionRate > ONE) Text.fail(string.concat("minimum commission rate cannot be greater than 100%: ", rate));
        require(ours, "local precompiles: only the native coin can be staked");
        unbondingTime_ = uint64((uint256(u.unbondingTime) + 1e9 - 1) / 1e9);
        (maxValidators_, maxEntries_, setChanged) = (uint32(u.maxValidators), uint32(u.maxEntries), true);
        minCommissionRate = uint64(u.minCommissionRate);
    }

    function addValidator(ValidatorConfig calldata validator, uint64 height, uint64 time) external onlySystem {
        newValidator(validator, Clock(height, time));
        updateValidatorSet(Clock(height, time));
    }

    function addValidators(ValidatorConfig[] calldata list, uint64 height, uint64 time) external onlySystem {
        for (uint256 i = 0; i < list.length; i++) newValidator(list[i], Clock(height, time));
        updateValidatorSet(Clock(height, time));
    }

    function newValidator(ValidatorConfig memory c, Clock memory clock) private {
        IStaking.Description memory description = IStaking.Description(c.moniker, c.identity, c.website, c.securityContact, c.details);
        IStaking.CommissionRates memory rates = IStaking.CommissionRates(c.rate, c.maxRate, c.maxChangeRate);
        requireRates(rates);
        if (c.stake == 0) Text.fail("invalid delegation amount: invalid request");
        addValidatorRecord(c.operator, description, rates, c.minSelfDelegation, readPubkey(c.pubkey), clock);
        Native.pay(RESERVE, NOT_BONDED_POOL, c.stake);
        given += c.stake;
        delegateTokens(c.operator, c.operator, c.stake, Source.NotBondedPool, clock);
    }

    function endBlock(uint64 height, uint64 time) external onlySystem {
        Clock memory clock = Clock(height, time);
        IGovernanceKeeper(GOVERNANCE).endBlock(clock);
        updateValidatorSet(clock);
        completeValidatorUnbondings(time);
        completeUnbondings(time);
        completeRedelegations(time);
    }

    function nextDue() public view returns (uint64 due) {
        if (setChanged) return 0;
        due = IGovernanceKeeper(GOVERNANCE).nextDue();
        due = earlier(due, unbondingQueue.next());
        due = earlier(due, redelegationQueue.next());
        due = earlier(due, validatorQueue.next());
    }

    function earlier(uint64 a, uint64 b) private pure returns (uint64) {
        return a < b ? a : b;
    }

    function slash(address operator, uint256 fraction, uint64 infractionHeight, bool jailIt, uint64 height, uint64 time) external onlySystem {
        requireValidator(operator);
        if (fraction > ONE) Text.fail("the fraction to slash is more than 1");
        if (infractionHeight > height) Text.fail("impossible attempt to slash future infraction");
        slashValidator(operator, fraction, infractionHeight, Clock(height, time));
        if (jailIt) {
            jailValidator(operator);
            jailedForDowntime(validators[operator].pubkey, Clock(height, time));
        }
        updateValidatorSet(Clock(height, time));
    }

    function jail(address operator, uint64 height, uint64 time) external onlySystem {
        requireValidator(operator);
        jailValidator(operator);
        updateValidatorSet(Clock(height, time));
    }

    function unjail(address operator, uint64 height, uint64 time) external onlySystem {
        requireValidator(operator);
        unjailValidator(operator);
        updateValidatorSet(Clock(height, time));
    }

    function setRewardRate(uint256 rate, uint64 time) external onlySystem {
        distribution().setRewardRate(rate, time);
    }

    function depositRewards(address operator, uint256 amount, uint64 height, uint64 time) external onlySystem {
        requireValidator(operator);
        distribution().depositRewards(operator, amount, bondOf(operator), Clock(height, time));
    }

    function setUnbondingTime(uint64 unbondingTime) external onlySystem {
        unbondingTime_ = unbondingTime;
    }

    function requireValidator(address operator) private view {
        if (validators[operator].status == 0) Text.fail("validator does not exist");
    }

    function areDepositsThere() external view returns (bool) {
        (uint256 deposits,,) = IGovernanceKeeper(GOVERNANCE).totals();
        return deposits == GOVERNANCE_ACCOUNT.balance;
    }

    function state(uint64 time) public view returns (State memory s) {
        address[] memory all = operators();
        for (uint256 i = 0; i < all.length; i++) {
            Validator storage v = validators[all[i]];
            if (v.status == BONDED) s.bondedTokens += v.tokens;
            else s.notBondedTokens += v.tokens;
        }
        s.unbondingTokens = unbondingTotal;
        (s.outstandingRewards, s.communityPool, s.accrued, s.rewardRate) = distribution().totals(time, all);
        (s.deposits, s.proposals, s.burnt) = IGovernanceKeeper(GOVERNANCE).totals();
        s.burnt += burnt;
        s.supply = supplyOf(s.accrued, s.burnt);
        s.unbondingTime = unbondingTime_;
        s.validators = uint64(all.length);
        s.nextDue = nextDue();
    }

    function directory() external view onlySystem returns (bytes memory) {
        return directoryNow();
    }

    function proposalCopies() external view onlySystem returns (bytes memory) {
        return IGovernanceKeeper(GOVERNANCE).copies();
    }

    function commissionLimits(address operator) external view onlySystem returns (uint64, uint64, uint64) {
        Validator storage v = validators[operator];
        return (v.maxRate, v.maxChangeRate, v.commissionTime);
    }

    function proposalContents(uint64 id) external view onlySystem returns (bool, ProposalMessage[] memory, string memory) {
        return IGovernanceKeeper(GOVERNANCE).contents(id);
    }

    function distributionParams() external view onlySystem returns (uint64, bool) {
        return distribution().params();
    }
}
