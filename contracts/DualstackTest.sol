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

/// @dev Cheatcodes of Hardhat's Solidity tests: those that this file uses, and some that tests with it need.
interface DualstackVm {
    function assume(bool condition) external pure;

    function deal(address account, uint256 balance) external;

    function etch(address target, bytes calldata code) external;

    function label(address account, string calldata name) external;

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

/// @dev For tests without forge-std, whose `Test` brings its own:
/// `import {Dualstack, DualstackTest, vm} from "hardhat-dualstack/contracts/DualstackTest.sol";`
DualstackVm constant vm = DualstackVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

string constant DUALSTACK_NOT_INSTALLED = "Dualstack: the precompiles are not installed. Call Dualstack.install() in setUp, or super.setUp() if the test inherits DualstackTest";

/// @dev The code at the precompiles' addresses before {Dualstack.install}; see {Dualstack.expectInstall}.
contract DualstackNotInstalled {
    fallback() external payable {
        revert(DUALSTACK_NOT_INSTALLED);
    }
}

/// @title The chain's precompiles in Solidity tests
/// @notice Call `Dualstack.install()` in `setUp` to put the staking, distribution, governance and bech32 precompiles at
/// their addresses, with state, events and errors as on the chain, and native balances that move within the call. A test
/// without another base contract can inherit {DualstackTest} instead.
/// @dev Amounts are in base units, rates are 1e18 for 100 %, times are Unix seconds. A test function is one transaction;
/// the chain's limit of 20 precompile calls per transaction is not enforced.
library Dualstack {
    ILocalnetSystem private constant CHAIN = ILocalnetSystem(STAKING_ADDRESS);
    address private constant SYSTEM = 0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE;
    /// More than a chain ever mints.
    uint256 private constant RESERVE_FUNDS = 1 << 200;

    uint8 private constant NO_CALLER_SET = 0;
    uint8 private constant RECURRENT_PRANK = 4;

    /// @notice The default configuration of {install}: three bonded validators with 1,000 tokens each, rewards of 10 % a
    /// year, 21 days of unbonding. Change what the test needs and pass it to {install}.
    function defaults() internal pure returns (LocalnetConfig memory) {
        return abi.decode(EmulatorCode.defaults(), (LocalnetConfig));
    }

    /// @notice Installs the precompiles with the default configuration.
    function install() internal {
        install(defaults());
    }

    /// @notice Installs the precompiles with a configuration, whose validators are bonded at once.
    function install(LocalnetConfig memory config) internal {
        require(!hasCode(STAKING_ADDRESS), "Dualstack: the precompiles are installed already, or another contract is at their addresses");
        // the modules read prefix and denomination from the end of their code
        bytes memory behind = abi.encodePacked(config.prefix, config.denom, uint64(0), uint8(bytes(config.prefix).length), uint8(bytes(config.denom).length));
        put(STAKING_ADDRESS, "staking", EmulatorCode.staking(), behind);
        put(DISTRIBUTION_ADDRESS, "distribution", EmulatorCode.distribution(), behind);
        put(GOVERNANCE_ADDRESS, "governance", EmulatorCode.governance(), behind);
        put(address(BECH32), "bech32", EmulatorCode.bech32(), behind);
        bytes memory vault = EmulatorCode.vault();
        (address[6] memory vaults, string[6] memory names) = EmulatorCode.vaults();
        for (uint256 i = 0; i < vaults.length; i++) {
            put(vaults[i], names[i], vault, "");
            vm.deal(vaults[i], 0); // a fork brings balances along
        }
        vm.deal(RESERVE, RESERVE_FUNDS);
        asSystem(abi.encodeCall(CHAIN.configure, (config, height(), time())));
    }

    /// @notice Installs the slashing precompile, for chains on which it is active. Call it after {install}.
    function installSlashing() internal {
        requireInstalled();
        put(SLASHING_ADDRESS, "slashing", EmulatorCode.slashing(), texts());
    }

    /// @notice Installs the bank precompile, for chains on which it is active. Call it after {install}. The supply of the native
    /// coin is the configuration's `supply` plus the stake of its validators; `vm.deal` does not change it.
    function installBank() internal {
        requireInstalled();
        put(BANK_ADDRESS, "bank", EmulatorCode.bank(), texts());
    }

    /// Sets an account's code, and its name in Hardhat's traces.
    function put(address target, string memory name, bytes memory code, bytes memory behind) private {
        vm.etch(target, bytes.concat(code, behind));
        vm.label(target, name);
    }

    // ---- blocks and time

    /// @notice Does what the chain does at the end of a block: matured entries are paid out, proposals end, the validator
    /// set changes. Nothing matures without this, however late it is.
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

    /// @notice Ends this block, begins a new one `duration` seconds later, and ends that one, too.
    function advance(uint256 duration) internal {
        endBlock();
        vm.warp(vm.getBlockTimestamp() + duration);
        vm.roll(vm.getBlockNumber() + 1);
        endBlock();
    }

    /// @notice Advances to the next maturity or end of a vote. Does nothing if nothing is due.
    function advanceToNextDue() internal {
        endBlock();
        uint64 due = CHAIN.nextDue();
        if (due != type(uint64).max) advance(due > time() ? due - time() : 1);
    }

    /// @notice When the end of a block has something to do next, in Unix seconds; the largest uint64 for never.
    function nextDue() internal view returns (uint64) {
        requireInstalled();
        return CHAIN.nextDue();
    }

    // ---- control of the chain

    /// @notice Adds a bonded validator. No account pays its stake.
    function addValidator(ValidatorConfig memory validator) internal {
        asSystem(abi.encodeCall(CHAIN.addValidator, (validator, height(), time())));
        endBlock();
    }

    /// @notice Burns a fraction (1e18 is all) of a validator's stake and jails it, as the chain does for missed blocks.
    function slash(address operator, uint256 fraction) internal {
        slash(operator, fraction, true);
    }

    /// @notice Burns a fraction (1e18 is all) of a validator's stake. Unbonding entries are not slashed.
    function slash(address operator, uint256 fraction, bool jailIt) internal {
        asSystem(abi.encodeCall(CHAIN.slash, (operator, fraction, height(), jailIt, height(), time())));
        endBlock();
    }

    /// @notice Jails a validator, which leaves the active set and earns no rewards.
    function jail(address operator) internal {
        asSystem(abi.encodeCall(CHAIN.jail, (operator, height(), time())));
        endBlock();
    }

    /// @notice Releases a validator from jail.
    function unjail(address operator) internal {
        asSystem(abi.encodeCall(CHAIN.unjail, (operator, height(), time())));
        endBlock();
    }

    /// @notice Sets the yearly rewards on bonded stake from now on; 1e18 is 100 %.
    function setRewardRate(uint256 rate) internal {
        asSystem(abi.encodeCall(CHAIN.setRewardRate, (rate, time())));
    }

    /// @notice Gives rewards to a validator and its delegators, in base units. No account pays them.
    function depositRewards(address operator, uint256 amount) internal {
        asSystem(abi.encodeCall(CHAIN.depositRewards, (operator, amount, height(), time())));
    }

    // ---- queries

    /// @notice The totals of the emulated chain.
    function state() internal view returns (LocalnetState memory) {
        requireInstalled();
        return CHAIN.state(time());
    }

    /// @notice The operators of all validators, in the chain's order.
    function validators() internal view returns (address[] memory operators) {
        requireInstalled();
        (IStaking.Validator[] memory list,) = STAKING.validators("", PageRequest("", 0, 1000, false, false));
        operators = new address[](list.length);
        for (uint256 i = 0; i < list.length; i++) operators[i] = parseAddress(list[i].operatorAddress);
    }

    /// @notice An operator's address in the form that the precompiles take: `cosmosvaloper1…`.
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

    /// Prefix, denomination and their lengths, which follow the modules' code: see {install}.
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

    /// Whether there is code other than that of {DualstackNotInstalled}.
    function hasCode(address target) private view returns (bool) {
        return target.code.length > 0 && target.codehash != keccak256(type(DualstackNotInstalled).runtimeCode);
    }

    /// @notice Makes calls of the precompiles revert with a helpful message until they are installed. Otherwise they have
    /// no code, and Hardhat's error does not say what to do. {DualstackTest} calls this.
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

    /// Calls the staking module as the chain itself, whatever sender the test has set.
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

    /// Parses "0x…" with 40 digits.
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
/// @notice Write `contract VaultTest is Test, DualstackTest { … }`, with forge-std's `Test` or without it. A test that
/// overrides `setUp` calls `super.setUp()`, or installs its own configuration with `Dualstack.install(config)`. See
/// {Dualstack} for the rest.
abstract contract DualstackTest {
    constructor() {
        Dualstack.expectInstall();
    }

    function setUp() public virtual {
        Dualstack.install();
    }
}
