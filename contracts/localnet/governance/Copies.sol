// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Settings} from "../common/Settings.sol";

/// Appended to the governance precompile's code by the engine, because reading code is nearly free: the answers of
/// `getProposal` about the newest proposals, as they were when the last one was submitted. Most of a proposal never changes;
/// the rest is overwritten with what storage has.
///
/// Answers ‖ for each proposal 4 bytes: how far before these rows its answer begins, and 3 bytes: its length ‖ 5 bytes: the
/// first one's number ‖ 2 bytes: how many; the texts of Settings follow.
library Copies {
    uint256 private constant TAIL = 7;
    uint256 private constant ROW = 7;

    /// How many of the newest proposals have one.
    uint256 internal constant MOST = 64;

    /// Empty if there is none.
    function answerOf(uint64 id) internal pure returns (bytes memory answer) {
        uint256 end = Settings.begin() - TAIL;
        unchecked {
            uint256 tail = sevenBytes(end);
            uint256 count = tail & 0xffff;
            uint256 place = id - (tail >> 16);
            if (place >= count) return answer;
            uint256 rows = end - ROW * count;
            uint256 row = sevenBytes(rows + ROW * place);
            uint256 length = row & 0xffffff;
            uint256 at = rows - (row >> 24);
            assembly ("memory-safe") {
                answer := mload(0x40)
                mstore(answer, length)
                mstore(0x40, and(add(add(answer, length), 0x3f), not(31)))
                codecopy(add(answer, 0x20), at, length)
            }
        }
    }

    function sevenBytes(uint256 at) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            codecopy(0, at, 0x20)
            value := shr(200, mload(0))
        }
    }

    /// For proposals from `first` on; an answer is empty if it is not to be copied.
    function encode(uint64 first, bytes[] memory answers) internal pure returns (bytes memory out) {
        uint256 back = 0;
        for (uint256 i = 0; i < answers.length; i++) back += answers[i].length;
        bytes memory rows;
        for (uint256 i = 0; i < answers.length; i++) {
            out = bytes.concat(out, answers[i]);
            rows = abi.encodePacked(rows, uint32(back), uint24(answers[i].length));
            back -= answers[i].length;
        }
        return abi.encodePacked(out, rows, uint40(first), uint16(answers.length));
    }
}
