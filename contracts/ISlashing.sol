// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {Dec, PageRequest, PageResponse} from "./Types.sol";

/// @dev Where the slashing precompile lives, on networks that have it.
address constant SLASHING_ADDRESS = 0x0000000000000000000000000000000000000806;

/// @dev The slashing precompile: `SLASHING.unjail(address(this))`.
ISlashing constant SLASHING = ISlashing(SLASHING_ADDRESS);

/// @title The slashing module of the chain
/// @notice Which blocks validators have signed, and the way out of jail. Times are Unix seconds, heights are block heights.
/// Errors revert with a text, as `Error(string)`.
/// @dev Not every network of the family has it active. There is no code at the address, so a low-level call succeeds with no
/// data where the precompile is missing.
interface ISlashing {
    /// @param validatorAddress    the consensus address: 20 bytes of the hash of the node's key, not the operator's
    /// @param startHeight         block height at which the validator was bonded last
    /// @param indexOffset         blocks that were counted since it was bonded first, or since it missed too many
    /// @param jailedUntil         Unix seconds; before, it cannot leave jail
    /// @param tombstoned          whether it signed twice, and never leaves jail
    /// @param missedBlocksCounter blocks of the last `signedBlocksWindow` that it did not sign
    struct SigningInfo {
        address validatorAddress;
        int64 startHeight;
        int64 indexOffset;
        int64 jailedUntil;
        bool tombstoned;
        int64 missedBlocksCounter;
    }

    /// @param signedBlocksWindow      how many blocks are looked back
    /// @param minSignedPerWindow      part of them that has to be signed; 1e18 is all
    /// @param downtimeJailDuration    seconds in jail for having missed too many
    /// @param slashFractionDoubleSign part of the stake that is lost for signing twice; 1e18 is all
    /// @param slashFractionDowntime   part of the stake that is lost for having missed too many
    struct Params {
        int64 signedBlocksWindow;
        Dec minSignedPerWindow;
        int64 downtimeJailDuration;
        Dec slashFractionDoubleSign;
        Dec slashFractionDowntime;
    }

    event ValidatorUnjailed(address indexed validator);

    /// @notice Brings a jailed validator back, once its time in jail is over.
    /// @param validatorAddress its operator: the caller
    function unjail(address validatorAddress) external returns (bool success);

    /// @notice What is known of a validator's signatures; reverts where it was never bonded.
    /// @param consAddress its consensus address
    function getSigningInfo(address consAddress) external view returns (SigningInfo memory signingInfo);

    /// @notice The same of all validators, in the order of their consensus addresses.
    function getSigningInfos(PageRequest calldata pagination)
        external
        view
        returns (SigningInfo[] memory signingInfos, PageResponse memory pageResponse);

    /// @notice The module's parameters.
    function getParams() external view returns (Params memory params);
}
