// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Text} from "./Text.sol";

/// Standard base64 with padding, for validators' keys; errors like Go's.
library Base64 {
    bytes private constant ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    /// 32 bytes as text.
    function encode(bytes32 key) internal pure returns (string memory) {
        bytes memory alphabet = ALPHABET;
        bytes memory out = new bytes(44);
        uint256 value = uint256(key);
        assembly ("memory-safe") {
            for { let i := 0 } lt(i, 42) { i := add(i, 1) } {
                let digit := and(shr(sub(250, mul(6, i)), value), 63)
                mstore8(add(add(out, 0x20), i), byte(0, mload(add(add(alphabet, 0x20), digit))))
            }
        }
        out[42] = alphabet[(value << 2) & 63];
        out[43] = "=";
        return string(out);
    }

    /// Value of each ASCII character from "+" on in the alphabet, 0xff if it is not in it.
    bytes private constant VALUES =
        hex"3effffff3f3435363738393a3b3c3dffffffffffffff000102030405060708090a0b0c0d0e0f10111213141516171819ffffffffffff1a1b1c1d1e1f202122232425262728292a2b2c2d2e2f30313233"
        hex"ffffffffff";

    /// The usual case, fast: a key of 32 bytes.
    function decodeKey(string memory input) private pure returns (bool ok, uint256 key) {
        if (bytes(input).length != 44) return (false, 0);
        bytes memory values = VALUES;
        assembly ("memory-safe") {
            let table := sub(add(values, 0x20), 43)
            let text := add(input, 0x20)
            let bad := 0
            function digit(at, values_) -> value {
                let c := byte(0, mload(at))
                value := or(byte(0, mload(add(values_, c))), mul(255, or(lt(c, 43), gt(c, 127))))
            }
            for { let i := 0 } lt(i, 42) { i := add(i, 1) } {
                let value := digit(add(text, i), table)
                bad := or(bad, value)
                key := or(shl(6, key), value)
            }
            // the last two bits are surplus, and Go ignores them
            let last := digit(add(text, 42), table)
            bad := gt(or(bad, last), 63)
            key := or(shl(4, key), shr(2, last))
            ok := and(iszero(bad), eq(byte(0, mload(add(text, 43))), 0x3d))
        }
    }

    function decode(string memory input) internal pure returns (bytes memory out) {
        (bool ok, uint256 key) = decodeKey(input);
        if (ok) return abi.encodePacked(key);
        bytes memory s = bytes(input);
        out = new bytes((s.length * 3) / 4 + 3);
        uint256 length = 0;
        uint256 group = 0;
        uint256 count = 0;
        uint256 at = 0;
        bool done = false;
        while (at < s.length && !done) {
            uint8 c = uint8(s[at++]);
            if (c == 10 || c == 13) continue;
            uint256 value = valueOf(c);
            if (value < 64) {
                group = (group << 6) | value;
                if (++count < 4) continue;
                for (uint256 i = 0; i < 3; i++) out[length++] = bytes1(uint8(group >> (16 - 8 * i)));
                (group, count) = (0, 0);
                continue;
            }
            if (c != 61 || count < 2) illegal(at - 1);
            if (count == 2) {
                at = skipLines(s, at);
                if (at == s.length) illegal(s.length);
                if (s[at] != "=") illegal(at);
                at++;
            }
            at = skipLines(s, at);
            if (at < s.length) illegal(at);
            out[length++] = bytes1(uint8(group >> (count == 2 ? 4 : 10)));
            if (count == 3) out[length++] = bytes1(uint8(group >> 2));
            done = true;
        }
        if (!done && count != 0) illegal(at - count);
        assembly ("memory-safe") {
            mstore(out, length)
        }
    }

    function skipLines(bytes memory s, uint256 at) private pure returns (uint256) {
        while (at < s.length && (s[at] == 0x0a || s[at] == 0x0d)) at++;
        return at;
    }

    function valueOf(uint8 c) private pure returns (uint256) {
        if (c > 64 && c < 91) return c - 65;
        if (c > 96 && c < 123) return c - 71;
        if (c > 47 && c < 58) return c + 4;
        if (c == 43) return 62;
        if (c == 47) return 63;
        return 64;
    }

    function illegal(uint256 at) private pure {
        Text.fail(string.concat("illegal base64 data at input byte ", Text.number(at)));
    }
}
