// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Settings} from "../common/Settings.sol";
import {Text} from "./Text.sol";

/// BIP-173 with the errors of the chain's decoder, for all addresses.
library Bech32Codec {
    bytes32 private constant CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    uint256 private constant MAX_LENGTH = 1023;
    bytes32 private constant HIGH_BITS = 0x8080808080808080808080808080808080808080808080808080808080808080;

    /// For each value of the five bits that leave the register: what they add to it, and themselves, so that they are gone.
    /// 32 numbers of 5 bytes.
    bytes private constant POLYNOMIAL =
        hex"0000000000007b6a57b200a6508e6d00dd3ad9df"
        hex"011ea119fa0165cb4e4801b8f1979701c39bc025"
        hex"023d4233dd024628646f029b12bdb002e078ea02"
        hex"0323e32a270358897d950385b3a44a03fed9f3f8"
        hex"042a1462b304517e3501048c44ecde04f72ebb6c"
        hex"0534b57b49054fdf2cfb0592e5f52405e98fa296"
        hex"061756516e066c3c06dc06b106df0306ca6c88b1"
        hex"0709f7489407729d1f2607afa7c6f907d4cd914b";

    /// The same for five bits that leave it one step later, so that two steps are one.
    bytes private constant POLYNOMIAL_NEXT =
        hex"0000000000081fd7e966103d3f76cc1822e89faa"
        hex"202afaccb828352d25de3017c5ba743808125312"
        hex"4007e1bd59481836543f503adecb9558250922f3"
        hex"602d1b71e16832cc9887701024072d780ff3ee4b"
        hex"800d537a9b88128493fd90306c0c57982fbbe531"
        hex"a027a9b623a8387e5f45b01a96c0efb805412989"
        hex"c00ab2c7c2c815652ea4d0378db10ed8285a5868"
        hex"e020480b7ae83f9fe21cf01d777db6f802a094d0";

    /// Value of each ASCII character in the charset, 0xff if it is not in it.
    bytes private constant VALUES =
        hex"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        hex"ffffffffffffffffffffffffffffffff0fff0a1115141a1e0705ffffffffffff"
        hex"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        hex"ff1dff180d19090817ff12161f1b13ff010003100b1c0c0e060402ffffffffff";

    /// What the address contributes to the checksum: the remainder of its 32 words of five bits.
    function sumOf(address account) private pure returns (uint256 sum) {
        (bytes memory polynomial, bytes memory later) = (POLYNOMIAL, POLYNOMIAL_NEXT);
        assembly ("memory-safe") {
            polynomial := add(polynomial, 0x20)
            later := add(later, 0x20)
            // the first six words fill the register
            sum := shr(130, and(account, 0xffffffffffffffffffffffffffffffffffffffff))
            // then two at a time, and at last six zeros in their place
            for { let rest := shl(126, account) let i := 0 } lt(i, 16) { i := add(i, 1) } {
                let first := shr(216, mload(add(later, mul(5, shr(25, sum)))))
                let second := shr(216, mload(add(polynomial, mul(5, and(shr(20, sum), 31)))))
                sum := xor(xor(shl(10, sum), shr(246, rest)), xor(first, second))
                rest := shl(10, rest)
            }
        }
    }

    /// The checksum of a zero address with this prefix, which is in lower case. Those of the chain's own prefixes follow
    /// the code, if it has any: see Settings.
    function sumOf(string memory hrp) private pure returns (uint256 sum) {
        sum = Settings.checksum(hrp);
        if (sum == 0) sum = checksum(bytes(hrp), new bytes(38)) ^ 1;
    }

    /// The prefix in lower case, "1", 32 words of five bits and six of the checksum.
    function encode(string memory hrp, address account) internal pure returns (string memory out) {
        uint256 sum = Settings.checksum(hrp);
        if (sum == 0) {
            hrp = string(lower(bytes(hrp)));
            sum = sumOf(hrp);
        }
        out = string.concat(hrp, "1                                      ");
        sum ^= sumOf(account);
        bytes32 charset = CHARSET;
        assembly ("memory-safe") {
            // the last character first
            let text := sub(add(add(out, 0x20), mload(out)), 1)
            let rest := or(shl(30, and(account, 0xffffffffffffffffffffffffffffffffffffffff)), sum)
            for { let end := sub(text, 38) } gt(text, end) { text := sub(text, 2) } {
                mstore8(text, byte(and(rest, 31), charset))
                mstore8(sub(text, 1), byte(and(shr(5, rest), 31), charset))
                rest := shr(10, rest)
            }
        }
    }

    /// The usual case, fast: `text` is hrp, "1", and 20 bytes with a correct checksum, all in lower case.
    function decodeUsual(string memory hrp, string memory input) internal pure returns (bool ok, address account) {
        uint256 prefixLength = bytes(hrp).length;
        if (bytes(input).length != prefixLength + 39) return (false, account);
        bytes memory values = VALUES;
        uint256 all = 0; // 38 times five bits
        assembly ("memory-safe") {
            let valueOf := add(values, 0x20)
            let text := add(input, 0x20)
            ok := eq(keccak256(text, prefixLength), keccak256(add(hrp, 0x20), prefixLength))
            text := add(text, prefixLength)
            ok := and(ok, eq(byte(0, mload(text)), 0x31))
            text := add(text, 1)
            // characters above ASCII are not in the table
            ok := and(ok, iszero(and(or(mload(text), mload(add(text, 6))), HIGH_BITS)))
            let bad := 0
            for { let end := add(text, 38) } lt(text, end) { text := add(text, 2) } {
                let pair := mload(text)
                let value := byte(0, mload(add(valueOf, and(byte(0, pair), 0x7f))))
                let next := byte(0, mload(add(valueOf, and(byte(1, pair), 0x7f))))
                bad := or(bad, or(value, next))
                all := or(shl(10, all), or(shl(5, value), next))
            }
            ok := and(ok, lt(bad, 32))
        }
        account = address(uint160(all >> 30));
        ok = ok && sumOf(hrp) ^ sumOf(account) == all & 0x3fffffff;
    }

    /// failure: empty if the text is well-formed, otherwise the chain's error.
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
                return (string.concat("decoding bech32 failed: invalid character in string: '", Text.latin(c), "'"), hrp, data);
            }
            if (c > 96 && c < 123) hasLower = true;
            else if (c > 64 && c < 91) hasUpper = true;
            else if (c == 0x31) one = i + 1;
            if (hasLower && hasUpper) return ("decoding bech32 failed: string not all lowercase or all uppercase", hrp, data);
        }
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
                return (string.concat("decoding bech32 failed: invalid character not part of charset: ", character), hrp, data);
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
            "decoding bech32 failed: invalid checksum (expected ", string(expected), " got ", Text.slice(text, text.length - 6, 6), ")"
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

    /// The last 20 bytes; fewer are padded with zeros on the left.
    function lastBytes(bytes memory data) internal pure returns (address) {
        uint256 from = data.length > 20 ? data.length - 20 : 0;
        uint160 value = 0;
        for (uint256 i = from; i < data.length; i++) value = (value << 8) | uint8(data[i]);
        return address(value);
    }

    function lower(bytes memory text) private pure returns (bytes memory out) {
        for (uint256 i = 0; i < text.length; i++) {
            bytes1 c = text[i];
            if (c < 0x41 || c > 0x5a) continue;
            if (out.length == 0) out = bytes(Text.slice(text, 0, text.length));
            out[i] = bytes1(uint8(c) + 32);
        }
        if (out.length == 0) out = text;
    }

    /// The polynomial's remainder over prefix and values, of which the last six are the checksum or zero.
    function checksum(bytes memory prefix, bytes memory values) private pure returns (uint256 c) {
        bytes memory polynomial = POLYNOMIAL;
        assembly ("memory-safe") {
            function step(register, value, table) -> next {
                next := xor(xor(shl(5, register), value), shr(216, mload(add(table, mul(5, shr(25, register))))))
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
