// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Dualstack, DualstackTest, vm} from "hardhat-dualstack/contracts/DualstackTest.sol";
import {BANK, BANK_ADDRESS} from "hardhat-dualstack/contracts/IBank.sol";
import {SLASHING, SLASHING_ADDRESS} from "hardhat-dualstack/contracts/ISlashing.sol";
import {IStaking, STAKING, STAKING_ADDRESS} from "hardhat-dualstack/contracts/IStaking.sol";
import {DISTRIBUTION} from "hardhat-dualstack/contracts/IDistribution.sol";
import {Coin} from "hardhat-dualstack/contracts/Types.sol";
import {LocalnetConfig, LocalnetState, ValidatorConfig} from "hardhat-dualstack/contracts/generated/Emulator.sol";

contract Staker {
    receive() external payable {}

    function stake(string memory validator, uint256 amount) public returns (uint256 before, uint256 later) {
        before = address(this).balance;
        STAKING.delegate(address(this), validator, amount);
        later = address(this).balance;
    }

    function stakeThenRevert(string memory validator, uint256 amount) external {
        STAKING.delegate(address(this), validator, amount);
        revert("inner");
    }

    function tryStake(string memory validator, uint256 amount) external returns (uint256) {
        try this.stakeThenRevert(validator, amount) {} catch {}
        return address(this).balance;
    }

    function unstake(string memory validator, uint256 amount) external {
        STAKING.undelegate(address(this), validator, amount);
    }
}

contract StakesWhenMade {
    uint256 public immutable left;

    constructor(string memory validator, uint256 amount) payable {
        STAKING.delegate(address(this), validator, amount);
        left = address(this).balance;
    }
}

contract PrecompilesTest is DualstackTest {
    Staker internal staker;
    string internal validator;
    address internal operator;

    function setUp() public override {
        super.setUp();
        operator = Dualstack.validators()[0];
        validator = Dualstack.valoper(operator);
        staker = new Staker();
        vm.deal(address(staker), 100 ether);
    }

    function staked(address who) internal view returns (uint256) {
        (, Coin memory balance) = STAKING.delegation(who, validator);
        return balance.amount;
    }

    function test_ThreeBondedValidators() public view {
        require(Dualstack.validators().length == 3);
        require(Dualstack.state().bondedTokens == 3000 ether);
    }

    function test_BalanceFallsInside() public {
        (uint256 before, uint256 later) = staker.stake(validator, 7 ether);
        require(before - later == 7 ether && address(staker).balance == 93 ether);
        require(staked(address(staker)) == 7 ether);
    }

    function test_InnerRevertGivesBack() public {
        require(staker.tryStake(validator, 7 ether) == 100 ether);
        require(staked(address(staker)) == 0);
    }

    function test_SpendingTwiceFails() public {
        staker.stake(validator, 60 ether);
        try staker.stake(validator, 60 ether) {
            revert("spent twice");
        } catch Error(string memory reason) {
            require(bytes(reason).length > 0);
        }
        require(address(staker).balance == 40 ether);
    }

    function test_Constructor() public {
        StakesWhenMade made = new StakesWhenMade{value: 5 ether}(validator, 3 ether);
        require(made.left() == 2 ether && address(made).balance == 2 ether && staked(address(made)) == 3 ether);
    }

    function test_Prank() public {
        address alice = address(0xa11ce);
        vm.deal(alice, 10 ether);
        vm.prank(alice);
        STAKING.delegate(alice, validator, 4 ether);
        require(alice.balance == 6 ether && staked(alice) == 4 ether);
    }

    function test_StartPrank() public {
        address alice = address(0xa11ce);
        vm.deal(alice, 10 ether);
        vm.startPrank(alice);
        STAKING.delegate(alice, validator, 4 ether);
        STAKING.delegate(alice, validator, 1 ether);
        Dualstack.setRewardRate(0);
        Dualstack.advance(1 days);
        STAKING.delegate(alice, validator, 1 ether);
        vm.stopPrank();
        require(staked(alice) == 6 ether);
    }

    function test_UnbondingMatures() public {
        staker.stake(validator, 10 ether);
        staker.unstake(validator, 4 ether);
        uint256 before = address(staker).balance;
        Dualstack.advance(20 days);
        require(address(staker).balance == before);
        Dualstack.advanceToNextDue();
        require(address(staker).balance == before + 4 ether);
    }

    function test_SlashJailUnjail() public {
        staker.stake(validator, 10 ether);
        Dualstack.slash(operator, 0.1e18);
        require(staked(address(staker)) < 10 ether);
        require(STAKING.validator(operator).jailed);
        Dualstack.unjail(operator);
        require(!STAKING.validator(operator).jailed);
    }

    function test_SlashingWhereItIsInstalled() public {
        require(SLASHING_ADDRESS.code.length == 0, "it is there from the start");
        Dualstack.installSlashing();
        Dualstack.slash(operator, 0.01 ether);
        Dualstack.advance(uint64(SLASHING.getParams().downtimeJailDuration));
        vm.prank(operator);
        require(SLASHING.unjail(operator), "it stays in jail");
        require(!STAKING.validator(operator).jailed, "it is in jail");
    }

    function test_BankWhereItIsInstalled() public {
        require(BANK_ADDRESS.code.length == 0, "it is there from the start");
        Dualstack.installBank();
        require(BANK.balances(address(staker))[0].amount == 100 ether, "not its balance");
        require(BANK.totalSupply()[0].amount == 3_000 ether, "not what the validators have");
    }

    function test_Rewards() public {
        staker.stake(validator, 1000 ether / 100);
        Dualstack.advance(365 days);
        vm.prank(address(staker));
        DISTRIBUTION.withdrawDelegatorRewards(address(staker), validator);
        // 10 % of 10 tokens, less a commission of one tenth
        uint256 earned = address(staker).balance - 90 ether;
        require(earned > 0.89 ether && earned < 0.91 ether, "earned");
    }

    function test_ManyCallsInOneTest() public {
        for (uint256 i = 0; i < 30; i++) staker.stake(validator, 0.1 ether);
        require(staked(address(staker)) == 3 ether);
    }

    function testFuzz_TokensAreConserved(uint96 amount, uint96 back) public {
        uint256 stake = uint256(amount) % 100 ether;
        if (stake == 0) return;
        staker.stake(validator, stake);
        uint256 unstake = uint256(back) % (stake + 1);
        if (unstake > 0) staker.unstake(validator, unstake);
        LocalnetState memory s = Dualstack.state();
        require(address(staker).balance + s.bondedTokens + s.unbondingTokens == 3100 ether);
    }
}

contract ConfiguredTest is DualstackTest {
    function setUp() public override {
        LocalnetConfig memory config = Dualstack.defaults();
        config.prefix = "dual";
        config.denom = "adual";
        config.unbondingTime = 60;
        config.validators[0].moniker = "Mine";
        Dualstack.install(config);
    }

    function test_OtherConfiguration() public {
        address operator = Dualstack.defaults().validators[0].operator;
        require(keccak256(bytes(STAKING.validator(operator).description.moniker)) == keccak256("Mine"));
        require(bytes10(bytes(Dualstack.valoper(operator))) == bytes10("dualvalope"));
        ValidatorConfig memory another = Dualstack.defaults().validators[0];
        (another.operator, another.pubkey) = (address(0xbeef), "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
        Dualstack.addValidator(another);
        require(Dualstack.validators().length == 4 && Dualstack.state().bondedTokens == 4000 ether);
    }

    function test_SecondInstallationIsRefused() public {
        try this.installAgain() {
            revert("installed twice");
        } catch Error(string memory reason) {
            require(bytes(reason).length > 20);
        }
    }

    function installAgain() external {
        Dualstack.install();
    }
}

contract Handler {
    Staker internal immutable staker;
    string internal validator;

    constructor(Staker staker_, string memory validator_) {
        (staker, validator) = (staker_, validator_);
    }

    function stake(uint256 amount) external {
        amount %= address(staker).balance + 1;
        if (amount > 0) staker.stake(validator, amount);
    }

    function unstake(uint256 amount) external {
        (, Coin memory balance) = STAKING.delegation(address(staker), validator);
        amount %= balance.amount + 1;
        if (amount > 0) try staker.unstake(validator, amount) {} catch {}
    }

    function wait_(uint256 duration) external {
        Dualstack.advance(1 + (duration % 30 days));
    }
}

contract ConservationInvariantTest is DualstackTest {
    Staker internal staker;
    Handler internal handler;
    string internal validator;

    function setUp() public override {
        LocalnetConfig memory config = Dualstack.defaults();
        config.rewardRate = 0;
        Dualstack.install(config);
        validator = Dualstack.valoper(Dualstack.validators()[0]);
        staker = new Staker();
        vm.deal(address(staker), 100 ether);
        handler = new Handler(staker, validator);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_TokensAreConserved() public view {
        LocalnetState memory s = Dualstack.state();
        require(address(staker).balance + s.bondedTokens + s.unbondingTokens == 3100 ether);
    }
}
