// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SYSTEM} from "./Types.sol";

/// Bytes that one storage word stands for: up to 31 in the word itself, more in the code of an account of their own, where 32
/// bytes cost 6,400 gas instead of 22,100. The chain's own calls are taken over as storage, so they write storage.
library Blob {
    uint256 private constant IN_STORAGE = 0xfe;
    uint256 private constant IN_CODE = 0xff;

    struct Ref {
        bytes32 word; // its last byte: the length, or where the bytes are
        mapping(uint256 index => bytes32) more;
    }

    function set(Ref storage ref, bytes memory data) internal {
        if (data.length < 32) {
            bytes32 word;
            assembly ("memory-safe") {
                let rest := sub(256, shl(3, mload(data)))
                word := or(shl(rest, shr(rest, mload(add(data, 0x20)))), mload(data))
            }
            ref.word = word;
        } else if (msg.sender == SYSTEM) {
            for (uint256 i = 0; 32 * i < data.length; i++) {
                bytes32 part;
                assembly ("memory-safe") {
                    part := mload(add(data, mul(add(i, 1), 0x20)))
                }
                ref.more[i] = part;
            }
            ref.word = bytes32((data.length << 8) | IN_STORAGE);
        } else {
            ref.word = bytes32((uint256(uint160(create(data))) << 8) | IN_CODE);
        }
    }

    function get(Ref storage ref) internal view returns (bytes memory data) {
        bytes32 word = ref.word;
        uint256 kind = uint8(uint256(word));
        if (kind == IN_CODE) return read(address(uint160(uint256(word) >> 8)));
        if (kind != IN_STORAGE) {
            data = new bytes(kind);
            assembly ("memory-safe") {
                mstore(add(data, 0x20), and(word, not(0xff)))
            }
            return data;
        }
        data = new bytes(uint256(word) >> 8);
        for (uint256 i = 0; 32 * i < data.length; i++) {
            bytes32 part = ref.more[i];
            assembly ("memory-safe") {
                mstore(add(data, mul(add(i, 1), 0x20)), part)
            }
        }
    }

    /// Code that begins with STOP: nobody can run it.
    function create(bytes memory data) private returns (address account) {
        // PUSH3 length DUP1 PUSH1 11 PUSH0 CODECOPY PUSH0 RETURN, then the code
        bytes memory init = abi.encodePacked(hex"62", uint24(data.length + 1), hex"80600b5f395ff3", bytes1(0), data);
        assembly ("memory-safe") {
            account := create(0, add(init, 0x20), mload(init))
        }
        require(account != address(0), "local precompiles: a text could not be stored");
    }

    function read(address account) private view returns (bytes memory data) {
        uint256 length = account.code.length - 1;
        data = new bytes(length);
        assembly ("memory-safe") {
            extcodecopy(account, add(data, 0x20), 1, length)
        }
    }
}
