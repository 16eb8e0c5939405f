// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "hardhat-dualstack/contracts/DualstackTest.sol";
import {BECH32} from "hardhat-dualstack/contracts/IBech32.sol";
import {STAKING} from "hardhat-dualstack/contracts/IStaking.sol";

interface Vm {
    function deal(address account, uint256 balance) external;

    function expectRevert(bytes calldata data) external;
}

/// @dev What tests inherit from forge-std, as far as names could collide.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public IS_TEST = true;

    function deal(address to, uint256 give) internal virtual {
        vm.deal(to, give);
    }
}

contract WithForgeStdTest is Test, DualstackTest {
    function test_Stakes() public {
        deal(address(this), 2 ether);
        STAKING.delegate(address(this), Dualstack.valoper(Dualstack.validators()[0]), 1 ether);
        assert(address(this).balance == 1 ether);
    }
}

/// @dev Overrides `setUp` without installing anything.
contract OverridingTest is Test, DualstackTest {
    function setUp() public override {}

    function test_IsToldToInstallByThePrecompiles() public {
        vm.expectRevert(bytes.concat(bytes4(keccak256("Error(string)")), abi.encode(DUALSTACK_NOT_INSTALLED)));
        STAKING.delegate(address(this), "cosmosvaloper1", 1);
        vm.expectRevert(bytes.concat(bytes4(keccak256("Error(string)")), abi.encode(DUALSTACK_NOT_INSTALLED)));
        BECH32.hexToBech32(address(this), "cosmos");
    }

    function test_InstallsLater() public {
        Dualstack.install();
        deal(address(this), 2 ether);
        STAKING.delegate(address(this), Dualstack.valoper(Dualstack.validators()[0]), 1 ether);
        assert(address(this).balance == 1 ether);
    }
}

contract ForgetfulTest is Test {
    function ask() external view returns (address[] memory) {
        return Dualstack.validators();
    }

    function slash() external {
        Dualstack.slash(address(1), 1);
    }

    function refuses(bytes memory call) private {
        (bool ok, bytes memory reason) = address(this).call(call);
        assert(!ok);
        assert(
            keccak256(reason) ==
                keccak256(
                    abi.encodeWithSignature(
                        "Error(string)",
                        "Dualstack: the precompiles are not installed. Call Dualstack.install() in setUp, or super.setUp() if the test inherits DualstackTest"
                    )
                )
        );
    }

    function test_IsToldToInstall() public {
        refuses(abi.encodeCall(this.ask, ()));
        refuses(abi.encodeCall(this.slash, ()));
    }
}
