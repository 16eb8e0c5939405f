// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Numbers and addresses as the chain prints and reads them, and the one function by which calls are refused.
library Text {
    function fail(string memory reason) internal pure {
        revert(reason);
    }

    /// For cases in which a node panics: no reason is returned, and nothing happens. The transaction never gets a receipt.
    function panic() internal pure {
        assembly ("memory-safe") {
            revert(0, 0)
        }
    }

    function number(uint256 value) internal pure returns (string memory out) {
        assembly ("memory-safe") {
            // 78 digits at most, the last one first
            let end := add(mload(0x40), 0x80)
            mstore(0x40, end)
            let at := end
            // eight at once: halves, quarters and digits beside each other
            for {} gt(value, 9999999) {} {
                let eight := mod(value, 100000000)
                value := div(value, 100000000)
                let part := div(eight, 10000)
                eight := add(shl(32, part), sub(eight, mul(10000, part)))
                part := and(shr(20, mul(10486, eight)), 0x7f0000007f)
                eight := add(shl(16, part), sub(eight, mul(100, part)))
                part := and(shr(10, mul(103, eight)), 0xf000f000f000f)
                eight := add(shl(8, part), sub(eight, mul(10, part)))
                at := sub(at, 8)
                mstore(sub(at, 24), or(eight, 0x3030303030303030))
            }
            for {} or(value, eq(at, end)) {} {
                at := sub(at, 1)
                mstore8(at, add(48, mod(value, 10)))
                value := div(value, 10)
            }
            out := sub(at, 0x20)
            mstore(out, sub(end, at))
        }
    }

    /// Its bytes without leading zeros.
    function trimmed(uint256 value) internal pure returns (bytes memory out) {
        uint256 size = 0;
        while (size < 32 && value >> (8 * size) != 0) size++;
        out = new bytes(size);
        assembly ("memory-safe") {
            mstore(add(out, 0x20), shl(sub(256, shl(3, size)), value))
        }
    }

    /// A decimal of 18 places, "0.334000000000000000".
    function decimal(uint256 value) internal pure returns (string memory out) {
        bytes32 digits = bytes18("000000000000000000");
        assembly ("memory-safe") {
            // the last place first; most decimals have few places
            let rest := mod(value, 1000000000000000000)
            let at := 112
            if iszero(mod(rest, 1000000000000)) {
                rest := div(rest, 1000000000000)
                at := 208
            }
            if iszero(mod(rest, 1000)) {
                rest := div(rest, 1000)
                at := add(at, 24)
            }
            for {} rest { rest := div(rest, 10) } {
                digits := add(digits, shl(at, mod(rest, 10)))
                at := add(at, 8)
            }
        }
        if (value >= 10e18) return string(abi.encodePacked(number(value / 1e18), ".", bytes18(digits)));
        assembly ("memory-safe") {
            out := mload(0x40)
            mstore(0x40, add(out, 0x40))
            mstore(out, 20)
            mstore(add(out, 0x20), or(shl(240, add(0x302e, shl(8, div(value, 1000000000000000000)))), shr(16, digits)))
        }
    }

    /// Reads a decimal string of the chain as a number with 18 places. ok is false if the chain would refuse it.
    /// A minus, then optionally a sign as in Go's numbers, digits, at most one point with digits on both sides, at most 18
    /// places.
    function parseDecimal(string memory text) internal pure returns (bool ok, bool negative, uint256 value) {
        uint256 length = bytes(text).length;
        uint256 whole = 0;
        uint256 places = 0;
        bool point = false;
        // a value below 1e59 cannot overflow when it gets its places
        unchecked {
            for (uint256 i = 0; i < length; i++) {
                uint256 c;
                assembly ("memory-safe") {
                    c := byte(0, mload(add(add(text, 0x20), i)))
                }
                uint256 digit = c - 48;
                if (digit < 10) {
                    if (value >= 1e58) return (false, false, 0);
                    value = value * 10 + digit;
                    if (point) places++;
                    else whole++;
                } else if (c == 46 && !point) {
                    point = true;
                } else if (c == 45 && i == 0) {
                    negative = true;
                } else if ((c == 43 || c == 45) && whole == 0 && !point) {
                    if (c == 45) negative = !negative;
                    whole = 1;
                } else {
                    return (false, false, 0);
                }
            }
            if (whole == 0 || (point && places == 0) || places > 18) return (false, false, 0);
            value *= 10 ** (18 - places);
        }
        ok = true;
    }

    /// EIP-55.
    function checksummed(address account) internal pure returns (string memory) {
        bytes memory out = bytes(hexadecimal(abi.encodePacked(account)));
        assembly ("memory-safe") {
            let digits := add(out, 0x22)
            let hash := keccak256(digits, 40)
            for { let i := 0 } lt(i, 40) { i := add(i, 1) } {
                let at := add(digits, i)
                let c := byte(0, mload(at))
                // a letter becomes a capital if the hash's digit at its place is 8 or more
                if and(gt(c, 96), shr(255, shl(shl(2, i), hash))) { mstore8(at, sub(c, 32)) }
            }
        }
        return string(out);
    }

    /// "0x" and lower-case digits.
    function hexadecimal(bytes memory data) internal pure returns (string memory) {
        bytes32 digits = "0123456789abcdef";
        bytes memory out = new bytes(2 + 2 * data.length);
        assembly ("memory-safe") {
            let at := add(out, 0x20)
            mstore8(at, 0x30)
            mstore8(add(at, 1), 0x78)
            at := add(at, 2)
            let from := add(data, 0x20)
            let to := add(from, mload(data))
            for {} lt(from, to) { from := add(from, 1) } {
                let value := byte(0, mload(from))
                mstore8(at, byte(shr(4, value), digits))
                mstore8(add(at, 1), byte(and(value, 0xf), digits))
                at := add(at, 2)
            }
        }
        return string(out);
    }

    /// 40 hexadecimal digits, with or without "0x" or "0X", like geth's IsHexAddress.
    function parseHexAddress(string memory text) internal pure returns (bool ok, address account) {
        bytes memory s = bytes(text);
        uint256 from = 0;
        if (s.length >= 2 && s[0] == "0" && (s[1] == "x" || s[1] == "X")) from = 2;
        if (s.length - from != 40) return (false, address(0));
        uint160 value = 0;
        for (uint256 i = from; i < s.length; i++) {
            uint8 c = uint8(s[i]);
            if (c >= 48 && c <= 57) c -= 48;
            else if (c >= 97 && c <= 102) c -= 87;
            else if (c >= 65 && c <= 70) c -= 55;
            else return (false, address(0));
            value = (value << 4) | c;
        }
        return (true, address(value));
    }

    /// A text between double quotes, as Go's %q writes it.
    function quoted(string memory text) internal pure returns (string memory) {
        bytes memory s = bytes(text);
        bytes memory out = '"';
        for (uint256 i = 0; i < s.length; i++) out = bytes.concat(out, s[i] < 0x80 ? escaped(s[i], '"') : bytes.concat(s[i]));
        return string(bytes.concat(out, '"'));
    }

    /// An ASCII character, as Go escapes it between two of `mark`.
    function escaped(bytes1 c, bytes1 mark) internal pure returns (bytes memory) {
        if (c == mark || c == "\\") return bytes.concat("\\", c);
        uint8 code = uint8(c);
        if (code > 31 && code < 127) return bytes.concat(c);
        if (code > 6 && code < 14) return bytes.concat("\\", bytes("abtnvfr")[code - 7]);
        return escapedByte(c);
    }

    function escapedByte(bytes1 c) internal pure returns (bytes memory) {
        return bytes.concat("\\x", bytes(slice(bytes(hexadecimal(bytes.concat(c))), 2, 2)));
    }

    /// A character below U+0100 in UTF-8.
    function latin(uint8 c) internal pure returns (string memory) {
        if (c < 128) return string(abi.encodePacked(c));
        return string(abi.encodePacked(bytes1(0xc0 | (c >> 6)), bytes1(0x80 | (c & 0x3f))));
    }

    /// Position of the first `mark` at or after `at`; the length if there is none.
    function until(bytes memory text, uint256 at, bytes1 mark) internal pure returns (uint256) {
        assembly ("memory-safe") {
            // how many bytes precede the first one whose highest bit is set
            function before(bits) -> count {
                let n := shl(7, gt(bits, 0xffffffffffffffffffffffffffffffff))
                n := or(n, shl(6, gt(shr(n, bits), 0xffffffffffffffff)))
                n := or(n, shl(5, gt(shr(n, bits), 0xffffffff)))
                n := or(n, shl(4, gt(shr(n, bits), 0xffff)))
                n := or(n, shl(3, gt(shr(n, bits), 0xff)))
                count := sub(31, shr(3, n))
            }
            let low := 0x7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f
            let begin := add(text, 0x20)
            // the mark in each of 32 bytes
            let wanted := mul(byte(0, mark), 0x0101010101010101010101010101010101010101010101010101010101010101)
            let length := mload(text)
            for {} lt(at, length) { at := add(at, 32) } {
                let word := xor(mload(add(begin, at)), wanted)
                // the highest bit of each byte that is zero
                let hits := not(or(or(add(and(word, low), low), word), low))
                if hits {
                    at := add(at, before(hits))
                    break
                }
            }
            if gt(at, length) { at := length }
        }
        return at;
    }

    /// Whether `text` has `part` at a position.
    function startsWith(bytes memory text, uint256 at, string memory part) internal pure returns (bool same) {
        assembly ("memory-safe") {
            let length := mload(part)
            same := lt(add(at, length), add(mload(text), 1))
            same := and(same, eq(keccak256(add(add(text, 0x20), at), length), keccak256(add(part, 0x20), length)))
        }
    }

    /// A whole number as Go's big.Int reads it: a sign, then digits in the base that the prefix says, with single underscores
    /// between them. `fits` is false beyond 256 bits.
    function parseInteger(string memory text) internal pure returns (bool ok, bool negative, bool fits, uint256 value) {
        bytes memory s = bytes(text);
        uint256 at = 0;
        if (s.length > 0 && (s[0] == "-" || s[0] == "+")) {
            negative = s[0] == "-";
            at = 1;
        }
        uint256 base = 10;
        bool digit = false; // whether a digit, or the mark of a base, comes before
        if (at + 1 < s.length && s[at] == "0") {
            bytes1 c = s[at + 1] | 0x20;
            base = c == "x" ? 16 : c == "b" ? 2 : 8;
            at += c == "x" || c == "b" || c == "o" ? 2 : 1;
            digit = true;
        }
        fits = true;
        for (; at < s.length; at++) {
            if (s[at] == "_" && digit && at + 1 < s.length) {
                digit = false;
                continue;
            }
            uint256 c = uint8(s[at]);
            if (c >= 48 && c <= 57) c -= 48;
            else if ((c | 32) >= 97 && (c | 32) <= 102) c = (c | 32) - 87;
            else return (false, false, false, 0);
            if (c >= base) return (false, false, false, 0);
            if (value > (type(uint256).max - c) / base) fits = false;
            unchecked {
                value = value * base + c;
            }
            (ok, digit) = (true, true);
        }
        ok = ok && digit;
    }

    function slice(bytes memory data, uint256 from, uint256 length) internal pure returns (string memory out) {
        assembly ("memory-safe") {
            out := mload(0x40)
            mstore(out, length)
            let to := add(out, 0x20)
            mcopy(to, add(add(data, 0x20), from), length)
            mstore(add(to, length), 0)
            mstore(0x40, add(to, and(add(length, 31), not(31))))
        }
    }

    /// Go's strings.TrimSpace, for ASCII.
    function trim(string memory text) internal pure returns (string memory) {
        bytes memory s = bytes(text);
        uint256 from = 0;
        uint256 to = s.length;
        while (from < to && isSpace(s[from])) from++;
        while (to > from && isSpace(s[to - 1])) to--;
        return from == 0 && to == s.length ? text : slice(s, from, to - from);
    }

    function isSpace(bytes1 c) private pure returns (bool) {
        return c == 0x20 || (uint8(c) >= 9 && uint8(c) <= 13);
    }

    function equal(string memory a, string memory b) internal pure returns (bool) {
        return bytes(a).length == bytes(b).length && keccak256(bytes(a)) == keccak256(bytes(b));
    }
}
