// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISlashing} from "../../ISlashing.sol";
import {Dec} from "../../Types.sol";
import {SlashingConfig} from "../common/ISystem.sol";
import {StakingStore} from "./StakingStore.sol";
import {Clock} from "../common/Types.sol";

/// The state of the chain's slashing module about validators, written when they are bonded, leave, or are punished, which
/// happens at the end of a block. It is kept here because it exists whether or not the network has the slashing precompile.
/// Every validator signs all blocks: one is only jailed on request.
abstract contract Signatures is StakingStore {
    struct Signer {
        address consensus;
        uint40 startHeight; // at which it was bonded last
        uint40 jailedUntil;
        uint40 firstCounted; // the first block that counts since then
        uint40 lastCounted; // the last one, where it is no longer bonded; 0: none
        uint40 counted; // blocks before the first one
        uint32 missed; // of those, as another chain had it
        bool tombstoned; // as another chain had it
    }

    /// A validator signs from the second block after the one at whose end it is bonded; its signatures are in the block after.
    uint40 private constant DELAY = 3;

    Signer[] internal signers; // in the order in which they were bonded first
    SlashingConfig internal slashing;

    function bonded(bytes32 pubkey, Clock memory clock) internal {
        address consensus = consensusOf(pubkey);
        (bool known, uint256 at) = find(consensus);
        if (!known) signers.push().consensus = consensus;
        Signer storage s = signers[at];
        uint40 height = uint40(clock.height);
        s.counted = countedAt(s, clock.height);
        // the genesis validators sign the first block
        (s.startHeight, s.firstCounted, s.lastCounted) = (height, height == 0 ? 2 : height + DELAY, 0);
    }

    /// One that leaves the set signs until the others know it. In jail, what it signs no longer counts.
    function left(bytes32 pubkey, bool jailed, Clock memory clock) internal {
        (bool known, uint256 at) = find(consensusOf(pubkey));
        if (known) signers[at].lastCounted = uint40(clock.height) + (jailed ? 0 : DELAY - 1);
    }

    /// Notes that a validator is jailed for having missed too many blocks. The chain's count starts again then.
    function jailedForDowntime(bytes32 pubkey, Clock memory clock) internal {
        (bool known, uint256 at) = find(consensusOf(pubkey));
        if (!known) return;
        Signer storage s = signers[at];
        s.jailedUntil = uint40(clock.time + slashing.downtimeJailDuration);
        (s.counted, s.missed, s.firstCounted) = (0, 0, uint40(clock.height) + 1);
    }

    /// Unix seconds; 0 for a validator that was never bonded.
    function jailedUntil(bytes32 pubkey) internal view returns (uint40) {
        (bool known, uint256 at) = find(consensusOf(pubkey));
        return known ? signers[at].jailedUntil : 0;
    }

    /// See IStakingKeeper.
    function signingInfos(uint64 height) external view returns (ISlashing.SigningInfo[] memory list) {
        uint256 count = signers.length;
        list = new ISlashing.SigningInfo[](count);
        for (uint256 i = 0; i < count; i++) {
            ISlashing.SigningInfo memory info = infoOf(signers[i], height);
            uint256 j = i;
            for (; j > 0 && list[j - 1].validatorAddress > info.validatorAddress; j--) list[j] = list[j - 1];
            list[j] = info;
        }
    }

    /// See IStakingKeeper.
    function signingInfo(address consensus, uint64 height) external view returns (bool known, ISlashing.SigningInfo memory info) {
        uint256 at;
        (known, at) = find(consensus);
        if (known) info = infoOf(signers[at], height);
    }

    function infoOf(Signer storage s, uint64 height) private view returns (ISlashing.SigningInfo memory) {
        return ISlashing.SigningInfo(
            s.consensus, int64(uint64(s.startHeight)), int64(uint64(countedAt(s, height))), int64(uint64(s.jailedUntil)), s.tombstoned, int64(uint64(s.missed))
        );
    }

    /// See IStakingKeeper.
    function slashingParams() external view returns (ISlashing.Params memory) {
        return ISlashing.Params(
            int64(slashing.signedBlocksWindow),
            Dec(slashing.minSignedPerWindow, 18),
            int64(slashing.downtimeJailDuration),
            Dec(slashing.doubleSignFraction, 18),
            Dec(slashing.downtimeFraction, 18)
        );
    }

    function countedAt(Signer storage s, uint64 height) private view returns (uint40) {
        uint40 last = s.lastCounted != 0 && s.lastCounted < height ? s.lastCounted : uint40(height);
        return s.firstCounted == 0 || last < s.firstCounted ? s.counted : s.counted + last - s.firstCounted + 1;
    }

    /// The position of a validator, or the one that a new validator gets.
    function find(address consensus) private view returns (bool known, uint256 at) {
        while (at < signers.length && signers[at].consensus != consensus) at++;
        known = at < signers.length;
    }

    function consensusOf(bytes32 pubkey) private pure returns (address) {
        return address(bytes20(sha256(abi.encodePacked(pubkey))));
    }
}
