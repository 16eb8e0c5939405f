// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Text} from "./Text.sol";

/// BIP-173 with the errors of the chain's decoder.
library Bech32Codec {
    bytes32 private constant CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    uint256 private constant MAX_LENGTH = 1023;

    /// Checksum polynomial for each value of the five bits that leave the register: 32 numbers of 4 bytes.
    bytes private constant POLYNOMIAL =
        hex"000000003b6a57b226508e6d1d3ad9df1ea119fa25cb4e4838f19797039bc025"
        hex"3d4233dd0628646f1b12bdb02078ea0223e32a2718897d9505b3a44a3ed9f3f8"
        hex"2a1462b3117e35010c44ecde372ebb6c34b57b490fdf2cfb12e5f524298fa296"
        hex"1756516e2c3c06dc3106df030a6c88b109f74894329d1f262fa7c6f914cd914b";

    /// Value of each ASCII character in the charset, 0xff where it is no part of it.
    bytes private constant VALUES =
        hex"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        hex"ffffffffffffffffffffffffffffffff0fff0a1115141a1e0705ffffffffffff"
        hex"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        hex"ff1dff180d19090817ff12161f1b13ff010003100b1c0c0e060402ffffffffff";

    /// The prefix in lower case, "1", 32 words of five bits and six of the checksum.
    function encode(string memory hrp, address account) internal pure returns (string memory out) {
        uint256 prefixLength = bytes(hrp).length;
        out = new string(prefixLength + 39);
        bytes32 charset = CHARSET;
        bytes memory polynomial = POLYNOMIAL;
        assembly ("memory-safe") {
            let table := add(polynomial, 0x20)
            let text := add(out, 0x20)
            let c := 1
            for { let i := 0 } lt(i, prefixLength) { i := add(i, 1) } {
                let char := byte(0, mload(add(add(hrp, 0x20), i)))
                if and(gt(char, 0x40), lt(char, 0x5b)) { char := add(char, 0x20) }
                mstore8(add(text, i), char)
                c := xor(xor(shl(5, and(c, 0x1ffffff)), shr(5, char)), shr(224, mload(add(table, shl(2, shr(25, c))))))
            }
            c := xor(shl(5, and(c, 0x1ffffff)), shr(224, mload(add(table, shl(2, shr(25, c))))))
            for { let i := 0 } lt(i, prefixLength) { i := add(i, 1) } {
                c := xor(xor(shl(5, and(c, 0x1ffffff)), and(byte(0, mload(add(text, i))), 31)), shr(224, mload(add(table, shl(2, shr(25, c))))))
            }
            text := add(text, prefixLength)
            mstore8(text, 0x31)
            text := add(text, 1)
            for { let shift := 155 } lt(shift, 160) { shift := sub(shift, 5) } {
                let value := and(shr(shift, account), 31)
                mstore8(text, byte(value, charset))
                text := add(text, 1)
                c := xor(xor(shl(5, and(c, 0x1ffffff)), value), shr(224, mload(add(table, shl(2, shr(25, c))))))
            }
            for { let i := 0 } lt(i, 6) { i := add(i, 1) } {
                c := xor(shl(5, and(c, 0x1ffffff)), shr(224, mload(add(table, shl(2, shr(25, c))))))
            }
            c := xor(c, 1)
            for { let shift := 25 } lt(shift, 30) { shift := sub(shift, 5) } {
                mstore8(text, byte(and(shr(shift, c), 31), charset))
                text := add(text, 1)
            }
        }
    }

    /// The usual case, quickly: `text` is hrp, "1", and 20 bytes with a right checksum, all in lower case.
    function decodeUsual(string memory hrp, string memory input) internal pure returns (bool ok, address account) {
        uint256 prefixLength = bytes(hrp).length;
        if (bytes(input).length != prefixLength + 39) return (false, account);
        bytes memory values = VALUES;
        bytes memory polynomial = POLYNOMIAL;
        assembly ("memory-safe") {
            let table := add(polynomial, 0x20)
            let text := add(input, 0x20)
            ok := eq(keccak256(text, prefixLength), keccak256(add(hrp, 0x20), prefixLength))
            ok := and(ok, eq(byte(0, mload(add(text, prefixLength))), 0x31))
            let c := 1
            for { let i := 0 } lt(i, prefixLength) { i := add(i, 1) } {
                c := xor(xor(shl(5, and(c, 0x1ffffff)), shr(5, byte(0, mload(add(text, i))))), shr(224, mload(add(table, shl(2, shr(25, c))))))
            }
            c := xor(shl(5, and(c, 0x1ffffff)), shr(224, mload(add(table, shl(2, shr(25, c))))))
            for { let i := 0 } lt(i, prefixLength) { i := add(i, 1) } {
                c := xor(xor(shl(5, and(c, 0x1ffffff)), and(byte(0, mload(add(text, i))), 31)), shr(224, mload(add(table, shl(2, shr(25, c))))))
            }
            text := add(text, add(prefixLength, 1))
            let bad := 0
            for { let i := 0 } lt(i, 38) { i := add(i, 1) } {
                // above ASCII the table has no entry: such a byte makes `bad` large
                let char := byte(0, mload(add(text, i)))
                let value := byte(0, mload(add(add(values, 0x20), and(char, 0x7f))))
                bad := or(bad, or(and(value, 0xe0), and(char, 0x80)))
                c := xor(xor(shl(5, and(c, 0x1ffffff)), value), shr(224, mload(add(table, shl(2, shr(25, c))))))
                if lt(i, 32) { account := or(shl(5, account), value) }
            }
            ok := and(ok, and(iszero(bad), eq(c, 1)))
        }
    }

    /// failure: empty where the text is well-formed, else the chain's words.
    function decode(string memory input) internal pure returns (string memory failure, string memory hrp, bytes memory data) {
        bytes memory text = bytes(input);
        if (text.length < 8 || text.length > MAX_LENGTH) {
            return (string.concat("decoding bech32 failed: invalid bech32 string length ", Text.number(text.length)), hrp, data);
        }
        bool hasLower;
        bool hasUpper;
        uint256 one; // position after the last '1'
        for (uint256 i = 0; i < text.length; i++) {
            uint8 c = uint8(text[i]);
            if (c < 33 || c > 126) {
                return (string.concat("decoding bech32 failed: invalid character in string: '", string(abi.encodePacked(text[i])), "'"), hrp, data);
            }
            if (c > 96 && c < 123) hasLower = true;
            else if (c > 64 && c < 91) hasUpper = true;
            else if (c == 0x31) one = i + 1;
        }
        if (hasLower && hasUpper) return ("decoding bech32 failed: string not all lowercase or all uppercase", hrp, data);
        if (hasUpper) text = lower(text);
        if (one < 2 || one + 6 > text.length) {
            string memory index = one == 0 ? "-1" : Text.number(one - 1);
            return (string.concat("decoding bech32 failed: invalid separator index ", index), hrp, data);
        }
        bytes memory prefix = bytes(Text.slice(text, 0, one - 1));
        bytes memory values = bytes(Text.slice(text, one, text.length - one));
        bytes memory valueOf = VALUES;
        for (uint256 i = 0; i < values.length; i++) {
            bytes1 value = valueOf[uint8(values[i])];
            if (value == 0xff) {
                string memory character = Text.number(uint8(values[i]));
                return (string.concat("decoding bech32 failed: failed converting data to bytes: invalid character not part of charset: ", character), hrp, data);
            }
            values[i] = value;
        }
        if (checksum(prefix, values) != 1) return (wrongChecksum(prefix, values, text), hrp, data);
        return fromWords(string(prefix), values);
    }

    function wrongChecksum(bytes memory prefix, bytes memory values, bytes memory text) private pure returns (string memory) {
        for (uint256 i = values.length - 6; i < values.length; i++) values[i] = 0;
        uint256 sum = checksum(prefix, values) ^ 1;
        bytes memory expected = new bytes(6);
        for (uint256 i = 0; i < 6; i++) expected[i] = CHARSET[(sum >> (5 * (5 - i))) & 31];
        return string.concat(
            "decoding bech32 failed: checksum failed. Expected ", string(expected), ", got ", Text.slice(text, text.length - 6, 6), "."
        );
    }

    /// Words of 5 bits, without the checksum's six -> bytes.
    function fromWords(string memory prefix, bytes memory values)
        private
        pure
        returns (string memory failure, string memory hrp, bytes memory data)
    {
        uint256 words = values.length - 6;
        data = new bytes((words * 5) / 8);
        uint256 register;
        uint256 bits;
        uint256 at;
        for (uint256 i = 0; i < words; i++) {
            register = ((register & 0xff) << 5) | uint8(values[i]);
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                data[at++] = bytes1(uint8(register >> bits));
            }
        }
        if (bits >= 5 || register & ((1 << bits) - 1) != 0) return ("decoding bech32 failed: invalid incomplete group", hrp, data);
        return ("", prefix, data);
    }

    function lower(bytes memory text) private pure returns (bytes memory out) {
        out = new bytes(text.length);
        for (uint256 i = 0; i < text.length; i++) {
            bytes1 c = text[i];
            out[i] = c > 0x40 && c < 0x5b ? bytes1(uint8(c) + 32) : c;
        }
    }

    /// The polynomial's remainder over prefix and values (the last six of which are the checksum or zero).
    function checksum(bytes memory prefix, bytes memory values) private pure returns (uint256 c) {
        bytes memory polynomial = POLYNOMIAL;
        assembly ("memory-safe") {
            function step(register, value, table) -> next {
                next := xor(xor(shl(5, and(register, 0x1ffffff)), value), shr(224, mload(add(table, shl(2, shr(25, register))))))
            }
            let table := add(polynomial, 0x20)
            let from := add(prefix, 0x20)
            let to := add(from, mload(prefix))
            c := 1
            for { let i := from } lt(i, to) { i := add(i, 1) } { c := step(c, shr(5, byte(0, mload(i))), table) }
            c := step(c, 0, table)
            for { let i := from } lt(i, to) { i := add(i, 1) } { c := step(c, and(byte(0, mload(i)), 31), table) }
            from := add(values, 0x20)
            to := add(from, mload(values))
            for { let i := from } lt(i, to) { i := add(i, 1) } { c := step(c, byte(0, mload(i)), table) }
        }
    }
}
