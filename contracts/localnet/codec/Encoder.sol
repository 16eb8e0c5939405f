// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Encodes one dynamic tuple piece by piece: its head is set field by field, dynamic parts follow in any order.
/// Positions are relative to the tuple's beginning, after the word that points to it.
library Encoder {
    /// `fields`: how many the tuple has. `room`: the bytes that will follow them, at most.
    function begin(uint256 fields, uint256 room) internal pure returns (bytes memory out) {
        assembly ("memory-safe") {
            out := mload(0x40)
            let size := add(0x20, mul(32, fields))
            // fresh memory may have been used before
            calldatacopy(add(out, 0x20), calldatasize(), size)
            mstore(add(out, 0x20), 0x20)
            mstore(out, size)
            mstore(0x40, and(add(add(add(out, size), room), 0x5f), not(31)))
        }
    }

    function set(bytes memory out, uint256 field, uint256 value) internal pure {
        assembly ("memory-safe") {
            mstore(add(add(out, 0x40), shl(5, field)), value)
        }
    }

    /// What is written next belongs to this field.
    function place(bytes memory out, uint256 field) internal pure {
        assembly ("memory-safe") {
            mstore(add(add(out, 0x40), shl(5, field)), sub(mload(out), 0x20))
        }
    }

    /// Overwrites a word; `at` is the value of `out.length` when that word was written.
    function put(bytes memory out, uint256 at, uint256 value) internal pure {
        assembly ("memory-safe") {
            mstore(add(add(out, 0x20), at), value)
        }
    }

    function word(bytes memory out, uint256 value) internal pure returns (bytes memory) {
        assembly ("memory-safe") {
            let length := mload(out)
            mstore(add(add(out, 0x20), length), value)
            mstore(out, add(length, 0x20))
        }
        return out;
    }

    /// A tuple of four strings that all contain the same character.
    function four(bytes memory out, bytes1 character) internal pure {
        assembly ("memory-safe") {
            let length := mload(out)
            let to := add(add(out, 0x20), length)
            for { let i := 0 } lt(i, 4) { i := add(i, 1) } {
                let at := add(0x80, shl(6, i))
                mstore(add(to, shl(5, i)), at)
                mstore(add(to, at), 1)
                mstore(add(add(to, at), 0x20), character)
            }
            mstore(out, add(length, 0x180))
        }
    }

    /// A part of `from`, as a string or bytes.
    function text(bytes memory out, bytes memory from, uint256 at, uint256 length) internal pure {
        assembly ("memory-safe") {
            let used := mload(out)
            let to := add(add(out, 0x20), used)
            mstore(to, length)
            to := add(to, 0x20)
            mcopy(to, add(add(from, 0x20), at), length)
            mstore(add(to, length), 0)
            mstore(out, add(used, and(add(length, 0x3f), not(31))))
        }
    }
}
