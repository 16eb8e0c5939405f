// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SYSTEM} from "../common/Types.sol";

/// Bytes that one storage word refers to: up to 31 in the word itself, longer ones in the code of an account of their own,
/// where 32 bytes cost 6,400 gas instead of 22,100. Calls by the chain itself are copied as storage, so they write storage.
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
            setWords(ref, data);
        } else {
            ref.word = bytes32((uint256(uint160(create(data))) << 8) | IN_CODE);
        }
    }

    /// For calls by the chain itself: see above.
    function setWords(Ref storage ref, bytes memory data) internal {
        if (data.length < 32) return set(ref, data);
        for (uint256 i = 0; 32 * i < data.length; i++) {
            bytes32 part;
            assembly ("memory-safe") {
                part := mload(add(data, mul(add(i, 1), 0x20)))
            }
            ref.more[i] = part;
        }
        ref.word = bytes32((data.length << 8) | IN_STORAGE);
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

    /// Code that begins with STOP, so that nobody can run it.
    function create(bytes memory data) private returns (address account) {
        // PUSH3 length DUP1 PUSH1 11 PUSH0 CODECOPY PUSH0 RETURN, then the code
        bytes memory init = abi.encodePacked(hex"62", uint24(data.length + 1), hex"80600b5f395ff3", bytes1(0), data);
        assembly ("memory-safe") {
            account := create(0, add(init, 0x20), mload(init))
        }
        require(account != address(0), "local precompiles: a text could not be stored");
    }

    // ---- bytes without a word: the address of their account follows from the owner and a salt

    /// Init code that asks its creator for the bytes, and deploys STOP followed by them:
    /// PUSH0 ×4 CALLER GAS STATICCALL POP, RETURNDATASIZE PUSH0 PUSH1 1 RETURNDATACOPY, RETURNDATASIZE PUSH1 1 ADD PUSH0
    /// RETURN
    bytes private constant ASKING = hex"5f5f5f5f335afa503d5f60013e3d6001015ff3";
    bytes32 private constant ASKED = keccak256("hardhat-dualstack.blob");

    /// Works once for each salt. The owner's fallback must answer a call without data with `asked`.
    function place(uint256 salt, bytes memory data) internal {
        bytes memory init = ASKING;
        bytes32 slot = ASKED;
        address account;
        assembly ("memory-safe") {
            let length := mload(data)
            tstore(slot, add(length, 1))
            for { let i := 0 } lt(i, length) { i := add(i, 32) } { tstore(add(slot, add(i, 1)), mload(add(add(data, 0x20), i))) }
            account := create2(0, add(init, 0x20), mload(init), salt)
            tstore(slot, 0)
        }
        require(account != address(0), "local precompiles: a text could not be stored");
    }

    /// Whether an account is being created and asks for its bytes, and these bytes.
    function asked() internal view returns (bool asks, bytes memory data) {
        bytes32 slot = ASKED;
        uint256 size;
        assembly ("memory-safe") {
            size := tload(slot)
        }
        if (size == 0) return (false, data);
        data = new bytes(size - 1);
        assembly ("memory-safe") {
            for { let i := 0 } lt(i, mload(data)) { i := add(i, 32) } { mstore(add(add(data, 0x20), i), tload(add(slot, add(i, 1)))) }
        }
        asks = true;
    }

    function placed(address owner, uint256 salt) internal view returns (bytes memory) {
        return read(placeOf(owner, salt));
    }

    /// The first 32 of these bytes.
    function beginning(address owner, uint256 salt) internal view returns (bytes32 word) {
        address account = placeOf(owner, salt);
        assembly ("memory-safe") {
            extcodecopy(account, 0, 1, 0x20)
            word := mload(0)
        }
    }

    function placeOf(address owner, uint256 salt) internal pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", owner, salt, keccak256(ASKING))))));
    }

    function read(address account) private view returns (bytes memory data) {
        uint256 length = account.code.length - 1;
        data = new bytes(length);
        assembly ("memory-safe") {
            extcodecopy(account, add(data, 0x20), 1, length)
        }
    }
}
