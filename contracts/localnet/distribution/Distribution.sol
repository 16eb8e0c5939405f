// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IDistribution} from "../../IDistribution.sol";
import {Coin, Dec, PageRequest, PageResponse} from "../../Types.sol";
import {Abi} from "../codec/Abi.sol";
import {Account} from "../codec/Account.sol";
import {Directory} from "../common/Directory.sol";
import {Gas} from "../common/Gas.sol";
import {Module} from "../common/Module.sol";
import {Native} from "../common/Native.sol";
import {Paging} from "../common/Paging.sol";
import {Rewards} from "./Rewards.sol";
import {Text} from "../codec/Text.sol";
import {Bond, Clock, Delegation, DISTRIBUTION_ACCOUNT, ONE} from "../common/Types.sol";

/// The distribution precompile: its calls, from arguments to events and answers.
contract Distribution is Rewards {
    string private constant DELEGATOR = "invalid delegator address: ";
    string private constant VALIDATOR = "invalid validator address: ";
    string private constant DEPOSITOR = "invalid hex address address: ";
    string private constant INVALID = "rpc error: code = InvalidArgument desc = ";

    constructor(address staking_, address distribution, address governance) Module(staking_, distribution, governance) {}

    function kindOf(bytes4 s) internal pure override returns (Kind) {
        if (
            s == IDistribution.claimRewards.selector || s == IDistribution.setWithdrawAddress.selector
            || s == IDistribution.withdrawDelegatorRewards.selector || s == IDistribution.withdrawValidatorCommission.selector
            || s == IDistribution.fundCommunityPool.selector || s == IDistribution.depositValidatorRewardsPool.selector
        ) {
            return Kind.Transaction;
        }
        if (
            s == IDistribution.delegationRewards.selector || s == IDistribution.delegationTotalRewards.selector
            || s == IDistribution.delegatorValidators.selector || s == IDistribution.delegatorWithdrawAddress.selector
            || s == IDistribution.communityPool.selector
        ) return Kind.View;
        return s == IDistribution.validatorCommission.selector || s == IDistribution.validatorDistributionInfo.selector
            || s == IDistribution.validatorOutstandingRewards.selector || s == IDistribution.validatorSlashes.selector ? Kind.View : Kind.Unknown;
    }

    function run(bytes4 s, bytes memory args) internal override returns (bytes memory) {
        if (s == IDistribution.communityPool.selector) return decCoinsAnswer(communityPoolNow());
        Abi.checkNotEmpty(args);
        if (s == IDistribution.claimRewards.selector) return claimRewards(args);
        if (s == IDistribution.setWithdrawAddress.selector) return setWithdrawAddress(args);
        if (s == IDistribution.withdrawDelegatorRewards.selector) return withdrawDelegatorRewards(args);
        if (s == IDistribution.withdrawValidatorCommission.selector) return withdrawValidatorCommission(args);
        if (s == IDistribution.fundCommunityPool.selector) return fundCommunityPool(args);
        if (s == IDistribution.depositValidatorRewardsPool.selector) return depositValidatorRewardsPool(args);
        if (s == IDistribution.delegationRewards.selector) return delegationRewards(args);
        if (s == IDistribution.delegationTotalRewards.selector) return delegationTotalRewards(args);
        if (s == IDistribution.delegatorValidators.selector) return delegatorValidators(args);
        if (s == IDistribution.delegatorWithdrawAddress.selector) return delegatorWithdrawAddress(args);
        if (s == IDistribution.validatorDistributionInfo.selector) return validatorDistributionInfo(args);
        if (s == IDistribution.validatorSlashes.selector) return validatorSlashes(args);
        address operator = queriedValidator(Abi.text(args, 0));
        Bond memory bond = existing(operator);
        return decCoinsAnswer(s == IDistribution.validatorCommission.selector ? commissionOf(operator, bond) : outstandingOf(operator, bond));
    }

    // ---- transactions

    function claimRewards(bytes memory args) private returns (bytes memory) {
        (address delegator, uint32 maxRetrieve) = (Abi.addr(args, 0), Abi.u32(args, 32));
        requireAddress(delegator, DELEGATOR);
        uint32 most = staking().maxValidators();
        if (maxRetrieve > most) {
            Text.fail(
                string.concat(
                    "maxRetrieve (", Text.number(maxRetrieve), ") parameter exceeds the maximum number of validators (", Text.number(most), ")"
                )
            );
        }
        requireSender(delegator);
        Delegation[] memory list = staking().delegations(delegator);
        uint256 total = 0;
        for (uint256 i = 0; i < list.length && i < maxRetrieve; i++) {
            Gas.charge(Gas.CLAIM);
            total += withdraw(delegator, list[i].validator, list[i].shares, staking().bond(list[i].validator));
        }
        emit IDistribution.ClaimRewards(delegator, total);
        return abi.encode(true);
    }

    function withdraw(address delegator, address operator, uint256 shares, Bond memory bond) private returns (uint256 amount) {
        Clock memory clock = Clock(uint64(block.number), uint64(block.timestamp));
        amount = payOut(delegator, operator, shares, bond, clock);
        begin(delegator, operator, shares, bond, clock.height);
        if (amount > 0) Gas.charge(Gas.REWARDS);
    }

    function setWithdrawAddress(bytes memory args) private returns (bytes memory) {
        (address delegator, string memory text) = (Abi.addr(args, 0), Abi.text(args, 32));
        requireAddress(delegator, DELEGATOR);
        requireSender(delegator);
        (string memory failure, address to) = Account.read(chainPrefix(), text);
        if (bytes(failure).length != 0) Text.fail(string.concat("invalid withdraw address: ", failure, ": invalid address"));
        if (Account.blocked(to) || to == STAKING || to == DISTRIBUTION || to == GOVERNANCE) {
            Text.fail(string.concat(Account.text(chainPrefix(), to), " is not allowed to receive external funds: unauthorized"));
        }
        if (!withdrawAddressEnabled) Text.fail("set withdraw address disabled");
        noteWithdrawAddress(delegator, to);
        (bool isHex,) = Text.parseHexAddress(text);
        emit IDistribution.SetWithdrawerAddress(delegator, isHex ? Account.text(chainPrefix(), to) : text);
        return abi.encode(true);
    }

    function withdrawDelegatorRewards(bytes memory args) private returns (bytes memory) {
        (address delegator, string memory text) = (Abi.addr(args, 0), Abi.text(args, 32));
        requireAddress(delegator, DELEGATOR);
        requireSender(delegator);
        address operator = operatorArgument(text);
        (Bond memory bond, uint256 shares) = existingShares(delegator, operator);
        uint256 amount = withdraw(delegator, operator, shares, bond);
        requireStrict(text);
        emit IDistribution.WithdrawDelegatorReward(delegator, operator, amount);
        return abi.encode(nativeCoins(amount));
    }

    function withdrawValidatorCommission(bytes memory args) private returns (bytes memory) {
        string memory text = Abi.text(args, 0);
        (string memory failure, address account) = readAny(text);
        if (bytes(failure).length != 0) Text.fail(string.concat("failed to convert bech32 string to address: ", failure));
        requireSender(account);
        address operator = operatorArgument(text);
        Record storage r = records[operator];
        Bond memory bond = staking().bond(operator);
        if (bond.exists) settleNow(operator, bond, uint64(block.timestamp));
        // less than a base unit: on the chain the precompile fails afterwards
        if (r.commission < ONE) Text.fail("no validator commission to withdraw");
        uint256 amount = takeCommission(r);
        Native.pay(DISTRIBUTION_ACCOUNT, withdrawAddressOf(operator), amount);
        emit IDistribution.WithdrawValidatorCommission(text, amount);
        return abi.encode(nativeCoins(amount));
    }

    function fundCommunityPool(bytes memory args) private returns (bytes memory) {
        (address depositor, Coin[] memory coins) = (Abi.addr(args, 0), Abi.coins(args, 32));
        requireAddress(depositor, DEPOSITOR);
        (bool ok,) = sortCoins(coins);
        if (!ok) Text.fail("invalid amount amount arg");
        requireSender(depositor);
        requireValidCoins(coins);
        communityPool_ += fit(collect(depositor, DISTRIBUTION_ACCOUNT, coins) * ONE);
        for (uint256 i = 0; i < coins.length; i++) emit IDistribution.FundCommunityPool(depositor, coins[i].denom, coins[i].amount);
        return abi.encode(true);
    }

    function depositValidatorRewardsPool(bytes memory args) private returns (bytes memory) {
        (address depositor, string memory text, Coin[] memory coins) = (Abi.addr(args, 0), Abi.text(args, 32), Abi.coins(args, 64));
        requireAddress(depositor, DEPOSITOR);
        requireNamed(coins);
        (bool ok, string memory badDenom) = sortCoins(coins);
        if (!ok) Text.fail(string.concat("invalid amount: invalid denom: ", badDenom));
        requireSender(depositor);
        requireValidCoins(coins);
        uint256 amount = collect(depositor, DISTRIBUTION_ACCOUNT, coins);
        address operator = validatorArgument(text);
        Bond memory bond = existing(operator);
        settleNow(operator, bond, uint64(block.timestamp));
        allocate(records[operator], bond, amount * ONE);
        requireStrict(text);
        for (uint256 i = 0; i < coins.length; i++) emit IDistribution.DepositValidatorRewardsPool(depositor, operator, coins[i].denom, coins[i].amount);
        return abi.encode(true);
    }

    // ---- addresses, and what must exist

    function operatorArgument(string memory text) private view returns (address operator) {
        string memory failure;
        (failure, operator) = readOperator(text);
        if (bytes(failure).length != 0) Text.fail(string.concat(VALIDATOR, failure, ": invalid address"));
    }

    function readAny(string memory text) private view returns (string memory failure, address account) {
        bool found;
        (found, account) = Directory.operatorOf(directory_(), text);
        if (!found) (failure, account) = Account.readAny(chainPrefix(), text);
    }

    function queriedValidator(string memory text) private view returns (address operator) {
        if (bytes(text).length == 0) Text.fail(string.concat(INVALID, "empty validator address"));
        return validatorArgument(text);
    }

    function validatorArgument(string memory text) private view returns (address operator) {
        string memory failure;
        (failure, operator) = readOperator(text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }

    /// An empty denomination is refused together with all coins, in Go's notation.
    function requireNamed(Coin[] memory coins) private pure {
        string memory all;
        bool named = true;
        for (uint256 i = 0; i < coins.length; i++) {
            if (bytes(coins[i].denom).length == 0) named = false;
            all = string.concat(all, i == 0 ? "{" : " {", coins[i].denom, " ", Text.number(coins[i].amount), "}");
        }
        if (!named) Text.fail(string.concat("invalid amount: [", all, "]"));
    }

    /// Events read the operator's address again, as bech32 only.
    function requireStrict(string memory text) private pure {
        (bool isHex,) = Text.parseHexAddress(text);
        if (!isHex) return;
        (string memory failure,) = Account.readStrict(string.concat(chainPrefix(), "valoper"), text);
        if (bytes(failure).length != 0) Text.fail(failure);
    }

    function existing(address operator) private view returns (Bond memory bond) {
        bond = staking().bond(operator);
        if (!bond.exists) Text.fail("validator does not exist");
    }

    function existingShares(address delegator, address operator) private view returns (Bond memory bond, uint256 shares) {
        (bond, shares) = staking().position(delegator, operator);
        if (!bond.exists) Text.fail("validator does not exist");
        if (shares == 0) Text.fail("no delegation for (address, validator) tuple");
    }

    // ---- queries

    function delegationRewards(bytes memory args) private view returns (bytes memory) {
        (address delegator, string memory text) = (Abi.addr(args, 0), Abi.text(args, 32));
        requireAddress(delegator, DELEGATOR);
        address operator = queriedValidator(text);
        (Bond memory bond, uint256 shares) = existingShares(delegator, operator);
        return decCoinsAnswer(rewardsOf(delegator, operator, shares, bond));
    }

    function delegationTotalRewards(bytes memory args) private view returns (bytes memory) {
        address delegator = Abi.addr(args, 0);
        requireAddress(delegator, DELEGATOR);
        Delegation[] memory list = staking().delegations(delegator);
        IDistribution.DelegationDelegatorReward[] memory rewards = new IDistribution.DelegationDelegatorReward[](list.length);
        uint256 total = 0;
        for (uint256 i = 0; i < list.length; i++) {
            address operator = list[i].validator;
            uint256 amount = rewardsOf(delegator, operator, list[i].shares, staking().bond(operator));
            total += amount;
            rewards[i] = IDistribution.DelegationDelegatorReward(operatorText(operator), decCoins(amount));
        }
        return abi.encode(rewards, decCoins(total));
    }

    function delegatorValidators(bytes memory args) private view returns (bytes memory) {
        address delegator = Abi.addr(args, 0);
        requireAddress(delegator, DELEGATOR);
        address[] memory list = staking().validatorsOf(delegator);
        string[] memory out = new string[](list.length);
        Directory.Book book = directory_();
        for (uint256 i = 0; i < list.length; i++) out[i] = operatorText(book, list[i]);
        return abi.encode(out);
    }

    function delegatorWithdrawAddress(bytes memory args) private view returns (bytes memory) {
        address delegator = Abi.addr(args, 0);
        requireAddress(delegator, DELEGATOR);
        return abi.encode(Account.text(chainPrefix(), withdrawAddressOf(delegator)));
    }

    function validatorDistributionInfo(bytes memory args) private view returns (bytes memory) {
        address operator = queriedValidator(Abi.text(args, 0));
        (Bond memory bond, uint256 shares) = existingShares(operator, operator);
        IDistribution.ValidatorDistributionInfo memory info;
        info.selfBondRewards = decCoins(rewardsOf(operator, operator, shares, bond));
        info.operatorAddress = Account.text(chainPrefix(), operator);
        info.commission = decCoins(commissionOf(operator, bond));
        return abi.encode(info);
    }

    /// The framework compares the period, not the height, with the two given heights.
    function validatorSlashes(bytes memory args) private view returns (bytes memory) {
        string memory text = Abi.text(args, 0);
        (uint64 from, uint64 to) = (Abi.u64(args, 32), Abi.u64(args, 64));
        PageRequest memory page = Abi.page(args, 96);
        if (bytes(text).length == 0) Text.fail(string.concat(INVALID, "empty validator address"));
        if (to < from) {
            Text.fail(
                string.concat(INVALID, "starting height greater than ending height (", Text.number(from), " > ", Text.number(to), ")")
            );
        }
        (string memory failure, address operator) = readOperator(text);
        if (bytes(failure).length != 0) Text.fail(string.concat(INVALID, "invalid validator address"));
        Paging.requireOneStart(page, "");
        Record storage r = records[operator];
        uint256 count = r.slashCount;
        bytes[] memory keys = new bytes[](count);
        bool[] memory hits = new bool[](count);
        for (uint256 i = 0; i < keys.length; i++) {
            SlashEvent memory slash = r.slashes[i];
            keys[i] = abi.encodePacked(uint64(slash.height), uint64(slash.period));
            hits[i] = slash.period >= from && slash.period <= to;
        }
        (uint256[] memory chosen, PageResponse memory response) = Paging.select(keys, hits, page, true);
        IDistribution.ValidatorSlashEvent[] memory list = new IDistribution.ValidatorSlashEvent[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) {
            SlashEvent memory slash = r.slashes[chosen[i]];
            list[i] = IDistribution.ValidatorSlashEvent(slash.period, Dec(slash.fraction, 18));
        }
        return abi.encode(list, response);
    }
}
