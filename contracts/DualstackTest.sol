// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {BANK_ADDRESS} from "./IBank.sol";
import {BECH32, IBech32} from "./IBech32.sol";
import {DISTRIBUTION_ADDRESS} from "./IDistribution.sol";
import {GOVERNANCE_ADDRESS} from "./IGovernance.sol";
import {SLASHING_ADDRESS} from "./ISlashing.sol";
import {IStaking, STAKING, STAKING_ADDRESS} from "./IStaking.sol";
import {PageRequest} from "./Types.sol";
import {EmulatorCode, ILocalnetSystem, LocalnetConfig, LocalnetState, RESERVE, ValidatorConfig} from "./generated/Emulator.sol";

/// @dev The cheatcodes of Hardhat's Solidity tests that are used here, and some that tests like these need.
interface DualstackVm {
    function assume(bool condition) external pure;

    function deal(address account, uint256 balance) external;

    function etch(address target, bytes calldata code) external;

    function expectRevert() external;

    function expectRevert(bytes calldata data) external;

    function prank(address sender) external;

    function prank(address sender, address origin) external;

    function startPrank(address sender) external;

    function startPrank(address sender, address origin) external;

    function stopPrank() external;

    function readCallers() external returns (uint8 mode, address sender, address origin);

    function getBlockNumber() external view returns (uint256);

    function getBlockTimestamp() external view returns (uint256);

    function roll(uint256 number) external;

    function warp(uint256 timestamp) external;
}

/// @dev For tests without forge-std, whose `Test` has one of its own:
/// `import {Dualstack, DualstackTest, vm} from "hardhat-dualstack/contracts/DualstackTest.sol";`
DualstackVm constant vm = DualstackVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

string constant DUALSTACK_NOT_INSTALLED = "Dualstack: the precompiles are not installed. Call Dualstack.install() in setUp, or super.setUp() where DualstackTest is inherited";

/// @dev Stands at the addresses of the precompiles before {Dualstack.install}.
contract DualstackNotInstalled {
    fallback() external payable {
        revert(DUALSTACK_NOT_INSTALLED);
    }
}

/// @title The chain's precompiles in Solidity tests
/// @notice `Dualstack.install()` in `setUp` puts the staking, distribution, governance and bech32 precompiles at their addresses,
/// as they are on the chain: state, events, errors, and native balances that move inside the call.
/// Tests without another base contract may inherit {DualstackTest} instead.
/// @dev Amounts are base units, rates 1e18 for 100 %, times Unix seconds. A test function is one transaction; the chain's limit of 20
/// calls of precompiles in one is not enforced there.
library Dualstack {
    ILocalnetSystem private constant CHAIN = ILocalnetSystem(STAKING_ADDRESS);
    address private constant SYSTEM = 0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE;
    /// More than a chain will ever mint.
    uint256 private constant RESERVE_FUNDS = 1 << 200;

    uint8 private constant NO_CALLER_SET = 0;
    uint8 private constant RECURRENT_PRANK = 4;

    /// @notice The configuration that {install} takes without one: three bonded validators of 1,000 tokens, rewards of 10 % a year,
    /// 21 days of unbonding. Change what the test needs and give it to {install}.
    function defaults() internal pure returns (LocalnetConfig memory) {
        return abi.decode(EmulatorCode.defaults(), (LocalnetConfig));
    }

    /// @notice Installs the precompiles with their defaults.
    function install() internal {
        install(defaults());
    }

    /// @notice Installs the precompiles, with validators that are bonded at once.
    function install(LocalnetConfig memory config) internal {
        require(!hasCode(STAKING_ADDRESS), "Dualstack: the precompiles are installed already, or another contract is at their addresses");
        // the modules read prefix and denomination from behind their code
        bytes memory behind = abi.encodePacked(config.prefix, config.denom, uint64(0), uint8(bytes(config.prefix).length), uint8(bytes(config.denom).length));
        vm.etch(STAKING_ADDRESS, abi.encodePacked(EmulatorCode.staking(), behind));
        vm.etch(DISTRIBUTION_ADDRESS, abi.encodePacked(EmulatorCode.distribution(), behind));
        vm.etch(GOVERNANCE_ADDRESS, abi.encodePacked(EmulatorCode.governance(), behind));
        vm.etch(address(BECH32), abi.encodePacked(EmulatorCode.bech32(), behind));
        bytes memory vault = EmulatorCode.vault();
        address[6] memory vaults = EmulatorCode.vaults();
        for (uint256 i = 0; i < vaults.length; i++) {
            vm.etch(vaults[i], vault);
            vm.deal(vaults[i], 0); // a fork brings balances along
        }
        vm.deal(RESERVE, RESERVE_FUNDS);
        asSystem(abi.encodeCall(CHAIN.configure, (config, height(), time())));
    }

    /// @notice Installs the slashing precompile, for chains that have it made active. Call it after {install}.
    function installSlashing() internal {
        installMore(SLASHING_ADDRESS, EmulatorCode.slashing());
    }

    /// @notice Installs the bank precompile, for chains that have it made active. Call it after {install}. What there is of the
    /// native coin is the configuration's `supply` and the stake of its validators; `vm.deal` does not change it.
    function installBank() internal {
        installMore(BANK_ADDRESS, EmulatorCode.bank());
    }

    function installMore(address target, bytes memory code) private {
        requireInstalled();
        vm.etch(target, abi.encodePacked(code, texts()));
    }

    // ---- blocks and time

    /// @notice What the chain does at the end of a block: matured entries are paid, proposals end, the validator set changes.
    /// Without this nothing matures, however late it is.
    function endBlock() internal {
        requireInstalled();
        uint64 due = CHAIN.nextDue();
        while (due <= time()) {
            asSystem(abi.encodeCall(CHAIN.endBlock, (height(), time())));
            uint64 next = CHAIN.nextDue();
            if (next <= due) return;
            due = next;
        }
    }

    /// @notice Ends this block, begins one that is `duration` seconds later, and ends that too.
    function advance(uint256 duration) internal {
        endBlock();
        vm.warp(vm.getBlockTimestamp() + duration);
        vm.roll(vm.getBlockNumber() + 1);
        endBlock();
    }

    /// @notice Advances to the next maturity or end of a vote. Nothing happens where nothing waits.
    function advanceToNextDue() internal {
        endBlock();
        uint64 due = CHAIN.nextDue();
        if (due != type(uint64).max) advance(due > time() ? due - time() : 1);
    }

    /// @notice When the end of a block next has something to do: seconds, or the largest uint64 for never.
    function nextDue() internal view returns (uint64) {
        requireInstalled();
        return CHAIN.nextDue();
    }

    // ---- what tests do to the chain

    /// @notice Adds a bonded validator; its stake comes from nobody's balance.
    function addValidator(ValidatorConfig memory validator) internal {
        asSystem(abi.encodeCall(CHAIN.addValidator, (validator, height(), time())));
        endBlock();
    }

    /// @notice Burns a part of a validator's stake and jails it, as the chain does for missed blocks.
    function slash(address operator, uint256 fraction) internal {
        slash(operator, fraction, true);
    }

    /// @notice Burns a part of a validator's stake. Entries that are unbonding are left alone.
    function slash(address operator, uint256 fraction, bool jailIt) internal {
        asSystem(abi.encodeCall(CHAIN.slash, (operator, fraction, height(), jailIt, height(), time())));
        endBlock();
    }

    function jail(address operator) internal {
        asSystem(abi.encodeCall(CHAIN.jail, (operator, height(), time())));
        endBlock();
    }

    function unjail(address operator) internal {
        asSystem(abi.encodeCall(CHAIN.unjail, (operator, height(), time())));
        endBlock();
    }

    /// @notice Rewards a year on bonded stake from now on; 1e18 is 100 %.
    function setRewardRate(uint256 rate) internal {
        asSystem(abi.encodeCall(CHAIN.setRewardRate, (rate, time())));
    }

    /// @notice Gives rewards to a validator and its delegators; they come from nobody's balance.
    function depositRewards(address operator, uint256 amount) internal {
        asSystem(abi.encodeCall(CHAIN.depositRewards, (operator, amount, height(), time())));
    }

    // ---- what tests ask

    /// @notice Totals of the emulated chain.
    function state() internal view returns (LocalnetState memory) {
        requireInstalled();
        return CHAIN.state(time());
    }

    /// @notice All validators' operators, sorted as the chain lists them.
    function validators() internal view returns (address[] memory operators) {
        requireInstalled();
        (IStaking.Validator[] memory list,) = STAKING.validators("", PageRequest("", 0, 1000, false, false));
        operators = new address[](list.length);
        for (uint256 i = 0; i < list.length; i++) operators[i] = parseAddress(list[i].operatorAddress);
    }

    /// @notice An operator's address as the precompiles take it: `cosmosvaloper1…`.
    function valoper(address operator) internal returns (string memory) {
        requireInstalled();
        return BECH32.hexToBech32(operator, string.concat(chainPrefix(), "valoper"));
    }

    function chainPrefix() private view returns (string memory prefix) {
        bytes memory behind = texts();
        uint256 length = uint8(behind[behind.length - 2]);
        assembly ("memory-safe") {
            mstore(behind, length)
            prefix := behind
        }
    }

    /// Prefix, denomination and their lengths, which stand behind the code of the modules: see {install}.
    function texts() private view returns (bytes memory behind) {
        address staking = STAKING_ADDRESS;
        assembly ("memory-safe") {
            let size := extcodesize(staking)
            extcodecopy(staking, 0, sub(size, 2), 2)
            let length := add(add(byte(0, mload(0)), byte(1, mload(0))), 10)
            behind := mload(0x40)
            mstore(behind, length)
            extcodecopy(staking, add(behind, 0x20), sub(size, length), length)
            mstore(0x40, and(add(add(behind, length), 0x3f), not(0x1f)))
        }
    }

    // ----

    function requireInstalled() private view {
        require(hasCode(STAKING_ADDRESS), DUALSTACK_NOT_INSTALLED);
    }

    /// Whether there is other code than that of {DualstackNotInstalled}.
    function hasCode(address target) private view returns (bool) {
        return target.code.length > 0 && target.codehash != keccak256(type(DualstackNotInstalled).runtimeCode);
    }

    /// @notice Lets calls of the precompiles say what to do until they are installed; without it they have no code, and Hardhat's own
    /// error says no more. {DualstackTest} does this.
    function expectInstall() internal {
        address[4] memory targets = [STAKING_ADDRESS, DISTRIBUTION_ADDRESS, GOVERNANCE_ADDRESS, address(BECH32)];
        for (uint256 i = 0; i < targets.length; i++) {
            if (targets[i].code.length == 0) vm.etch(targets[i], type(DualstackNotInstalled).runtimeCode);
        }
    }

    function height() private view returns (uint64) {
        return uint64(vm.getBlockNumber());
    }

    function time() private view returns (uint64) {
        return uint64(vm.getBlockTimestamp());
    }

    /// Calls the staking module as the chain itself, whoever the test is at the moment.
    function asSystem(bytes memory data) private {
        requireInstalled();
        (uint8 mode, address sender, address origin) = vm.readCallers();
        if (mode != NO_CALLER_SET) vm.stopPrank();
        vm.prank(SYSTEM);
        (bool ok, bytes memory result) = STAKING_ADDRESS.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
        if (mode == RECURRENT_PRANK) vm.startPrank(sender, origin);
        else if (mode != NO_CALLER_SET) vm.prank(sender, origin);
    }

    /// "0x…" of 40 digits.
    function parseAddress(string memory text) private pure returns (address) {
        bytes memory digits = bytes(text);
        uint160 value = 0;
        for (uint256 i = 2; i < 42; i++) {
            uint8 digit = uint8(digits[i]);
            value = value * 16 + (digit >= 97 ? digit - 87 : digit >= 65 ? digit - 55 : digit - 48);
        }
        return address(value);
    }
}

/// @title A Solidity test on the emulated chain
/// @notice `contract VaultTest is Test, DualstackTest { … }`, with forge-std's `Test` or without. A test that overrides `setUp` calls
/// `super.setUp()`, or installs a configuration of its own with `Dualstack.install(config)`. Everything else is in {Dualstack}.
abstract contract DualstackTest {
    constructor() {
        Dualstack.expectInstall();
    }

    function setUp() public virtual {
        Dualstack.install();
    }
}
