// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Text} from "./Text.sol";

/// Reads the JSON of a submitted proposal like Go's encoding/json.
library Json {
    enum State {
        Value, // a value begins
        ValueOrEnd, // a value, or the array ends
        Key, // a key begins
        KeyOrEnd, // a key, or the object ends
        After // a value (or key) is complete
    }

    // what contains the scanner's position
    uint256 private constant KEY = 1; // an object, before the colon
    uint256 private constant MEMBER = 2; // an object, after the colon
    uint256 private constant ARRAY = 3;

    uint256 private constant QUOTE = 0x22;
    uint256 private constant BACKSLASH = 0x5c;
    uint256 private constant COLON = 0x3a;
    uint256 private constant COMMA = 0x2c;
    uint256 private constant BRACE = 0x7b;
    uint256 private constant CLOSING_BRACE = 0x7d;
    uint256 private constant BRACKET = 0x5b;
    uint256 private constant CLOSING_BRACKET = 0x5d;

    uint256 private constant MAX_DEPTH = 10_000;

    /// The character at a position, without checking the length: anything may follow the text.
    function charAt(bytes memory d, uint256 at) internal pure returns (uint256 c) {
        assembly ("memory-safe") {
            c := byte(0, mload(add(add(d, 0x20), at)))
        }
    }

    // ---- checking. The results are written down, so that nothing is read twice: three bytes for each character follow
    // the text. Where a string, object or array begins, they say where it ends.

    /// `failure`: empty if `text_` is one well-formed value, otherwise Go's error. `d`: what the functions below read.
    function check(bytes memory text_) internal pure returns (string memory failure, bytes memory d) {
        d = withRoom(text_);
        uint256 open = 0; // the innermost object or array begins before this position
        uint256 inside = 0;
        uint256 depth = 0;
        uint256 at = 0;
        uint256 length = d.length;
        State state = State.Value;
        unchecked {
            while (true) {
                at = skipSpace(d, at);
                if (at == length) return (depth == 0 && state == State.After ? "" : "unexpected end of JSON input", d);
                uint256 c = charAt(d, at);
                if (state == State.After) {
                    if (depth == 0) return (wrong(d, at, "after top-level value"), d);
                    if (inside == KEY) {
                        if (c != COLON) return (wrong(d, at, "after object key"), d);
                        (state, inside) = (State.Value, MEMBER);
                    } else if (c == COMMA) {
                        if (inside == MEMBER) (state, inside) = (State.Key, KEY);
                        else state = State.Value;
                    } else if (c == (inside == MEMBER ? CLOSING_BRACE : CLOSING_BRACKET)) {
                        depth--;
                        (open, inside) = close(d, open, at + 1);
                    } else {
                        return (wrong(d, at, inside == MEMBER ? "after object key:value pair" : "after array element"), d);
                    }
                    at++;
                } else if (c == QUOTE) {
                    uint256 from = at;
                    (failure, at) = checkString(d, at);
                    if (bytes(failure).length != 0) return (failure, d);
                    note(d, from, at);
                    state = State.After;
                } else if (state == State.Key || state == State.KeyOrEnd) {
                    if (c != CLOSING_BRACE || state != State.KeyOrEnd) return (wrong(d, at, "looking for beginning of object key string"), d);
                    depth--;
                    (open, inside) = close(d, open, ++at);
                    state = State.After;
                } else if (c == CLOSING_BRACKET && state == State.ValueOrEnd) {
                    depth--;
                    (open, inside) = close(d, open, ++at);
                    state = State.After;
                } else if (c == BRACE || c == BRACKET) {
                    if (depth++ == MAX_DEPTH) return (wrong(d, at, "exceeded max depth"), d);
                    note(d, at, open);
                    open = ++at;
                    (inside, state) = c == BRACE ? (KEY, State.KeyOrEnd) : (ARRAY, State.ValueOrEnd);
                } else {
                    (failure, at) = checkScalar(d, at);
                    if (bytes(failure).length != 0) return (failure, d);
                    state = State.After;
                }
            }
        }
    }

    function withRoom(bytes memory text_) private pure returns (bytes memory d) {
        assembly ("memory-safe") {
            d := mload(0x40)
            let length := mload(text_)
            mcopy(d, text_, add(length, 0x20))
            mstore(0x40, and(add(add(d, shl(2, length)), 0x9f), not(31)))
            // after all that: whether characters may have several bytes
            let begin := add(d, 0x20)
            let bits := 0
            for { let i := 0 } lt(i, length) { i := add(i, 32) } { bits := or(bits, mload(add(begin, i))) }
            mstore(add(begin, shl(2, length)), and(bits, 0x8080808080808080808080808080808080808080808080808080808080808080))
        }
    }

    function note(bytes memory d, uint256 at, uint256 end_) private pure {
        assembly ("memory-safe") {
            let place := add(add(add(d, 0x20), mload(d)), mul(3, at))
            mstore(place, or(shl(232, end_), shr(24, shl(24, mload(place)))))
        }
    }

    function noted(bytes memory d, uint256 at) private pure returns (uint256 end_) {
        assembly ("memory-safe") {
            end_ := shr(232, mload(add(add(add(d, 0x20), mload(d)), mul(3, at))))
        }
    }

    /// What contains an object or array, once it has ended.
    function close(bytes memory d, uint256 open, uint256 end_) private pure returns (uint256 parent, uint256 inside) {
        unchecked {
            parent = noted(d, open - 1);
            note(d, open - 1, end_);
            if (parent != 0) inside = charAt(d, parent - 1) == BRACE ? MEMBER : ARRAY;
        }
    }

    function checkScalar(bytes memory d, uint256 at) private pure returns (string memory, uint256) {
        bytes1 c = d[at];
        if (c == "t") return checkLiteral(d, at, "true");
        if (c == "f") return checkLiteral(d, at, "false");
        if (c == "n") return checkLiteral(d, at, "null");
        if (c == "-" || isDigit(c)) return checkNumber(d, at);
        return (wrong(d, at, "looking for beginning of value"), at);
    }

    function checkLiteral(bytes memory d, uint256 at, bytes memory word) private pure returns (string memory, uint256) {
        for (uint256 i = 1; i < word.length; i++) {
            if (at + i == d.length) return ("unexpected end of JSON input", at);
            if (d[at + i] != word[i]) {
                string memory context = string.concat("in literal ", string(word), " (expecting '", string(abi.encodePacked(word[i])), "')");
                return (wrong(d, at + i, context), at);
            }
        }
        return ("", at + word.length);
    }

    function checkString(bytes memory d, uint256 at) private pure returns (string memory, uint256) {
        uint256 from = ++at;
        note(d, from, 0);
        while (true) {
            at = plainEnd(d, at);
            if (at == d.length) break;
            uint256 hit = charAt(d, at++);
            if (hit == QUOTE) return ("", at);
            if (hit != BACKSLASH) return (wrong(d, at - 1, "in string literal"), at);
            note(d, from, 1); // there is something to be unescaped
            if (at == d.length) break;
            bytes1 c = d[at++];
            if (c == "u") {
                for (uint256 i = 0; i < 4; i++) {
                    if (at == d.length) return ("unexpected end of JSON input", at);
                    if (hexValue(d[at]) > 15) return (wrong(d, at, "in \\u hexadecimal character escape"), at);
                    at++;
                }
            } else if (c != '"' && c != "\\" && c != "/" && c != "b" && c != "f" && c != "n" && c != "r" && c != "t") {
                return (wrong(d, at - 1, "in string escape code"), at);
            }
        }
        return ("unexpected end of JSON input", at);
    }

    /// Position of the first quote, backslash or control character at or after `at`, 32 characters at a time; the length if
    /// there is none.
    function plainEnd(bytes memory d, uint256 at) private pure returns (uint256) {
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
            // the highest bit of each byte that is zero
            function zeros(word) -> bits {
                let low := 0x7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f
                bits := not(or(or(add(and(word, low), low), word), low))
            }
            let length := mload(d)
            let begin := add(d, 0x20)
            for {} lt(at, length) { at := add(at, 32) } {
                let word := mload(add(begin, at))
                let hits := or(
                    zeros(and(word, 0xe0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0)),
                    or(
                        zeros(xor(word, 0x2222222222222222222222222222222222222222222222222222222222222222)),
                        zeros(xor(word, 0x5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c))
                    )
                )
                if hits {
                    at := add(at, before(hits))
                    break
                }
            }
            if gt(at, length) { at := length }
        }
        return at;
    }

    function checkNumber(bytes memory d, uint256 at) private pure returns (string memory, uint256) {
        if (d[at] == "-") {
            at++;
            if (at == d.length) return ("unexpected end of JSON input", at);
            if (!isDigit(d[at])) return (wrong(d, at, "in numeric literal"), at);
        }
        if (d[at] == "0") at++;
        else at = skipDigits(d, at);
        if (at < d.length && d[at] == ".") {
            at++;
            if (at == d.length) return ("unexpected end of JSON input", at);
            if (!isDigit(d[at])) return (wrong(d, at, "after decimal point in numeric literal"), at);
            at = skipDigits(d, at);
        }
        if (at < d.length && (d[at] == "e" || d[at] == "E")) {
            at++;
            if (at < d.length && (d[at] == "+" || d[at] == "-")) at++;
            if (at == d.length) return ("unexpected end of JSON input", at);
            if (!isDigit(d[at])) return (wrong(d, at, "in exponent of numeric literal"), at);
            at = skipDigits(d, at);
        }
        return ("", at);
    }

    function wrong(bytes memory d, uint256 at, string memory context) private pure returns (string memory) {
        return string.concat("invalid character ", quoted(d[at]), " ", context);
    }

    /// A character between single quotes, escaped like Go does.
    function quoted(bytes1 c) private pure returns (string memory) {
        bytes memory inner;
        uint8 code = uint8(c);
        if (code < 128) inner = Text.escaped(c, "'");
        else if (code < 161 || code == 173) inner = bytes.concat("\\u00", bytes(Text.slice(bytes(Text.hexadecimal(bytes.concat(c))), 2, 2)));
        else inner = bytes(Text.latin(code));
        return string(abi.encodePacked("'", inner, "'"));
    }

    // ---- reading a checked text; positions point at the first character of a value

    function skipSpace(bytes memory d, uint256 at) internal pure returns (uint256) {
        return charAt(d, at) > 0x20 ? at : skipSpaces(d, at);
    }

    function skipSpaces(bytes memory d, uint256 at) private pure returns (uint256) {
        assembly ("memory-safe") {
            let begin := add(d, 0x20)
            for { let length := mload(d) } lt(at, length) { at := add(at, 1) } {
                let c := byte(0, mload(add(begin, at)))
                if gt(c, 0x20) { break }
                // a space, a tab or the end of a line
                if iszero(and(shr(c, 0x100002600), 1)) { break }
            }
        }
        return at;
    }

    /// Position after the value.
    function end(bytes memory d, uint256 at) internal pure returns (uint256) {
        uint256 c = charAt(d, at);
        if (c == QUOTE || c == BRACE || c == BRACKET) return noted(d, at);
        unchecked {
            for (uint256 length = d.length; at < length && !isDelimiter(charAt(d, at)); at++) {}
        }
        return at;
    }

    /// Kind of a value, as Go names it.
    function kind(bytes memory d, uint256 at) internal pure returns (string memory) {
        bytes1 c = d[at];
        if (c == '"') return "string";
        if (c == "{") return "object";
        if (c == "[") return "array";
        if (c == "n") return "null";
        return c == "t" || c == "f" ? "bool" : "number";
    }

    /// First element of an array, or first key of an object, that begins at `at`; 0: there is none.
    function first(bytes memory d, uint256 at) internal pure returns (uint256) {
        at = skipSpace(d, at + 1);
        uint256 c = charAt(d, at);
        return c == CLOSING_BRACKET || c == CLOSING_BRACE ? 0 : at;
    }

    /// What follows the element or member whose value begins at `at`; 0: nothing.
    function next(bytes memory d, uint256 at) internal pure returns (uint256) {
        at = skipSpace(d, end(d, at));
        return charAt(d, at) == COMMA ? skipSpace(d, at + 1) : 0;
    }

    /// The value of the member whose key begins at `at`.
    function valueOf(bytes memory d, uint256 at) internal pure returns (uint256) {
        return skipSpace(d, skipSpace(d, end(d, at)) + 1);
    }

    /// Whether a text is as it is written, without escapes.
    function isPlain(bytes memory d, uint256 at) internal pure returns (bool) {
        return noted(d, at + 1) == 0;
    }

    function text(bytes memory d, uint256 at) internal pure returns (string memory) {
        uint256 to = end(d, at) - 1;
        if (noted(d, at + 1) == 0) return repaired(d, Text.slice(d, at + 1, to - at - 1));
        bytes memory out = new bytes(to - at);
        uint256 length = 0;
        for (uint256 i = at + 1; i < to; i++) {
            uint256 run = plainEnd(d, i) - i;
            assembly ("memory-safe") {
                mcopy(add(add(out, 0x20), length), add(add(d, 0x20), i), run)
            }
            (length, i) = (length + run, i + run);
            if (i == to) break;
            bytes1 c = d[++i];
            if (c == "u") {
                uint256 code = codePoint(d, i + 1);
                i += 4;
                if (code >= 0xd800 && code < 0xdc00 && i + 6 < to && d[i + 1] == "\\" && d[i + 2] == "u") {
                    uint256 low = codePoint(d, i + 3);
                    if (low >= 0xdc00 && low < 0xe000) {
                        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                        i += 6;
                    }
                }
                length = putUtf8(out, length, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
            } else if (c == "b") {
                out[length++] = 0x08;
            } else if (c == "f") {
                out[length++] = 0x0c;
            } else if (c == "n") {
                out[length++] = 0x0a;
            } else if (c == "r") {
                out[length++] = 0x0d;
            } else if (c == "t") {
                out[length++] = 0x09;
            } else {
                out[length++] = c;
            }
        }
        assembly ("memory-safe") {
            mstore(out, length)
        }
        return repaired(d, string(out));
    }

    /// Go replaces each byte that is no part of a character in UTF-8.
    function repaired(bytes memory d, string memory text_) private pure returns (string memory) {
        bool ascii;
        assembly ("memory-safe") {
            ascii := iszero(mload(add(add(d, 0x20), shl(2, mload(d)))))
        }
        bytes memory s = bytes(text_);
        if (ascii || wellFormed(s)) return text_;
        bytes memory out = new bytes(3 * s.length);
        uint256 length = 0;
        for (uint256 i = 0; i < s.length;) {
            uint256 size = characterSize(s, i);
            if (size == 0) (length, i) = (putUtf8(out, length, 0xfffd), i + 1);
            for (; size > 0; size--) out[length++] = s[i++];
        }
        return Text.slice(out, 0, length);
    }

    function wellFormed(bytes memory s) private pure returns (bool) {
        uint256 length = s.length;
        unchecked {
            for (uint256 i = 0; i < length;) {
                uint256 word;
                assembly ("memory-safe") {
                    word := mload(add(add(s, 0x20), i))
                }
                if (word & 0x8080808080808080808080808080808080808080808080808080808080808080 == 0) {
                    i += 32;
                    continue;
                }
                uint256 size = characterSize(s, i);
                if (size == 0) return false;
                i += size;
            }
        }
        return true;
    }

    /// How many bytes the character at a position has; 0: there is none.
    function characterSize(bytes memory s, uint256 at) private pure returns (uint256 size) {
        unchecked {
            uint256 head = charAt(s, at);
            if (head < 0x80) return 1;
            if (head < 0xc2 || head > 0xf4) return 0;
            size = head < 0xe0 ? 2 : head < 0xf0 ? 3 : 4;
            if (at + size > s.length) return 0;
            // no longer forms than necessary, no surrogates, nothing beyond U+10FFFF
            uint256 second = charAt(s, at + 1);
            if (second < (head == 0xe0 ? 0xa0 : head == 0xf0 ? 0x90 : 0x80)) return 0;
            if (second > (head == 0xed ? 0x9f : head == 0xf4 ? 0x8f : 0xbf)) return 0;
            for (uint256 i = 2; i < size; i++) if (charAt(s, at + i) >> 6 != 2) return 0;
        }
    }

    function codePoint(bytes memory d, uint256 at) private pure returns (uint256 code) {
        for (uint256 i = 0; i < 4; i++) code = (code << 4) | hexValue(d[at + i]);
    }

    function putUtf8(bytes memory out, uint256 at, uint256 code) private pure returns (uint256) {
        if (code < 0x80) {
            out[at++] = bytes1(uint8(code));
            return at;
        }
        uint256 more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        uint8 head = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
        out[at++] = bytes1(head | uint8(code >> (6 * more)));
        for (; more > 0; more--) out[at++] = bytes1(0x80 | uint8((code >> (6 * (more - 1))) & 0x3f));
        return at;
    }

    function isDelimiter(uint256 c) private pure returns (bool) {
        return c == COMMA || c == CLOSING_BRACE || c == CLOSING_BRACKET || c == COLON || c == 0x20 || c == 0x09 || c == 0x0a || c == 0x0d;
    }

    function isDigit(bytes1 c) private pure returns (bool) {
        return c >= "0" && c <= "9";
    }

    function skipDigits(bytes memory d, uint256 at) private pure returns (uint256) {
        while (at < d.length && isDigit(d[at])) at++;
        return at;
    }

    function hexValue(bytes1 c) private pure returns (uint256) {
        uint8 code = uint8(c);
        if (code > 47 && code < 58) return code - 48;
        if (code > 96 && code < 103) return code - 87;
        if (code > 64 && code < 71) return code - 55;
        return 16;
    }
}
