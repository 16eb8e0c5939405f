// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PageRequest} from "../../Types.sol";
import {ISlashing} from "../../ISlashing.sol";
import {PageResponse} from "../../Types.sol";
import {Abi} from "../codec/Abi.sol";
import {Bech32Codec} from "../codec/Bech32Codec.sol";
import {Text} from "../codec/Text.sol";
import {Module} from "../common/Module.sol";
import {Paging} from "../common/Paging.sol";
import {Clock, IStakingKeeper} from "../common/Types.sol";

/// The slashing precompile, which has no state of its own: see Signatures.sol.
contract Slashing is Module {
    address private immutable SLASHING;

    constructor(address staking, address distribution, address governance, address slashing) Module(staking, distribution, governance) {
        SLASHING = slashing;
    }

    function self() internal view override returns (address) {
        return SLASHING;
    }

    function kindOf(bytes4 s) internal pure override returns (Kind) {
        if (s == ISlashing.unjail.selector) return Kind.Transaction;
        return s == ISlashing.getParams.selector || s == ISlashing.getSigningInfo.selector || s == ISlashing.getSigningInfos.selector ? Kind.View : Kind.Unknown;
    }

    function run(bytes4 s, bytes memory args) internal override returns (bytes memory) {
        if (s == ISlashing.getParams.selector) return abi.encode(keeper().slashingParams());
        Abi.checkNotEmpty(args);
        if (s == ISlashing.unjail.selector) return unjail(args);
        return s == ISlashing.getSigningInfo.selector ? getSigningInfo(args) : getSigningInfos(args);
    }

    function keeper() private view returns (IStakingKeeper) {
        return IStakingKeeper(STAKING);
    }

    function unjail(bytes memory args) private returns (bytes memory) {
        address operator = Abi.addr(args, 0);
        requireSender(operator);
        keeper().leaveJail(operator, Clock(uint64(block.number), uint64(block.timestamp)));
        emit ISlashing.ValidatorUnjailed(operator);
        return abi.encode(true);
    }

    function getSigningInfo(bytes memory args) private view returns (bytes memory) {
        address consensus = Abi.addr(args, 0);
        if (consensus == address(0)) Text.fail("invalid consensus address");
        (bool known, ISlashing.SigningInfo memory info) = keeper().signingInfo(consensus, uint64(block.number));
        if (known) return abi.encode(info);
        string memory text = Bech32Codec.encode(string.concat(chainPrefix(), "valcons"), consensus);
        Text.fail(string.concat("rpc error: code = NotFound desc = SigningInfo not found for validator ", text));
    }

    function getSigningInfos(bytes memory args) private view returns (bytes memory) {
        PageRequest memory page = Abi.page(args, 0);
        Paging.requireOneStart(page, "");
        ISlashing.SigningInfo[] memory all = keeper().signingInfos(uint64(block.number));
        bytes[] memory keys = new bytes[](all.length);
        for (uint256 i = 0; i < keys.length; i++) keys[i] = Paging.key(all[i].validatorAddress);
        (uint256[] memory chosen, PageResponse memory response) = Paging.select(keys, page);
        ISlashing.SigningInfo[] memory list = new ISlashing.SigningInfo[](chosen.length);
        for (uint256 i = 0; i < chosen.length; i++) list[i] = all[chosen[i]];
        return abi.encode(list, response);
    }
}
