// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {Dec, PageRequest, PageResponse} from "./Types.sol";

/// @dev The slashing precompile's address, on networks that have it.
address constant SLASHING_ADDRESS = 0x0000000000000000000000000000000000000806;

/// @dev The slashing precompile: `SLASHING.unjail(address(this))`.
ISlashing constant SLASHING = ISlashing(SLASHING_ADDRESS);

/// @title The slashing module of the chain
/// @notice Which blocks validators have signed, and how they leave jail. Times are Unix seconds, heights are block heights.
/// Errors revert with a text, as `Error(string)`.
/// @dev Not active on every network of the family. The address has no code, so where the precompile is missing a low-level
/// call succeeds with no data.
interface ISlashing {
    /// @param validatorAddress    the consensus address: 20 bytes of the hash of the node's key, not the operator's
    /// @param startHeight         block height at which the validator was last bonded
    /// @param indexOffset         blocks counted since it was first bonded, or since it missed too many
    /// @param jailedUntil         Unix seconds before which it cannot leave jail
    /// @param tombstoned          whether it signed twice, so that it can never leave jail
    /// @param missedBlocksCounter how many of the last `signedBlocksWindow` blocks it did not sign
    struct SigningInfo {
        address validatorAddress;
        int64 startHeight;
        int64 indexOffset;
        int64 jailedUntil;
        bool tombstoned;
        int64 missedBlocksCounter;
    }

    /// @param signedBlocksWindow      how many of the latest blocks count
    /// @param minSignedPerWindow      the fraction of them that must be signed; 1e18 is all
    /// @param downtimeJailDuration    seconds in jail for missing too many
    /// @param slashFractionDoubleSign the fraction of the stake that is lost for signing twice; 1e18 is all
    /// @param slashFractionDowntime   the fraction of the stake that is lost for missing too many
    struct Params {
        int64 signedBlocksWindow;
        Dec minSignedPerWindow;
        int64 downtimeJailDuration;
        Dec slashFractionDoubleSign;
        Dec slashFractionDowntime;
    }

    event ValidatorUnjailed(address indexed validator);

    /// @notice Releases a jailed validator, once its time in jail is over.
    /// @param validatorAddress the validator's operator, who is the caller
    function unjail(address validatorAddress) external returns (bool success);

    /// @notice What a validator has signed; reverts if it was never bonded.
    /// @param consAddress its consensus address
    function getSigningInfo(address consAddress) external view returns (SigningInfo memory signingInfo);

    /// @notice What each validator has signed, ordered by consensus address.
    function getSigningInfos(PageRequest calldata pagination)
        external
        view
        returns (SigningInfo[] memory signingInfos, PageResponse memory pageResponse);

    /// @notice The module's parameters.
    function getParams() external view returns (Params memory params);
}
