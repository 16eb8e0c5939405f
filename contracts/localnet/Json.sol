// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Text} from "./Text.sol";

/// JSON as Go's encoding/json reads it.
library Json {
    enum State {
        Value, // a value begins
        ValueOrEnd, // a value, or the array ends
        Key, // a key begins
        KeyOrEnd, // a key, or the object ends
        After // a value (or key) is complete
    }

    // what the scanner is in
    bytes1 private constant KEY = "k"; // an object, before the colon
    bytes1 private constant MEMBER = "v"; // an object, after the colon
    bytes1 private constant ARRAY = "[";

    uint256 private constant MAX_DEPTH = 1000;

    /// Empty where `d` is one well-formed value, else Go's words for what is wrong.
    function check(bytes memory d) internal pure returns (string memory failure) {
        bytes memory stack = new bytes(MAX_DEPTH);
        uint256 depth = 0;
        uint256 at = 0;
        State state = State.Value;
        while (true) {
            at = skipSpace(d, at);
            if (at == d.length) return depth == 0 && state == State.After ? "" : "unexpected end of JSON input";
            bytes1 c = d[at];
            if (state == State.After) {
                if (depth == 0) return wrong(d, at, "after top-level value");
                bytes1 inside = stack[depth - 1];
                if (inside == KEY) {
                    if (c != ":") return wrong(d, at, "after object key");
                    (stack[depth - 1], state) = (MEMBER, State.Value);
                } else if (c == ",") {
                    if (inside == MEMBER) (stack[depth - 1], state) = (KEY, State.Key);
                    else state = State.Value;
                } else if (c == (inside == MEMBER ? bytes1("}") : bytes1("]"))) {
                    depth--;
                } else {
                    return wrong(d, at, inside == MEMBER ? "after object key:value pair" : "after array element");
                }
                at++;
            } else if (state == State.Key || state == State.KeyOrEnd) {
                if (c == "}" && state == State.KeyOrEnd) {
                    depth--;
                    at++;
                } else {
                    if (c != '"') return wrong(d, at, "looking for beginning of object key string");
                    (failure, at) = checkString(d, at);
                    if (bytes(failure).length != 0) return failure;
                }
                state = State.After;
            } else if (c == "]" && state == State.ValueOrEnd) {
                depth--;
                at++;
                state = State.After;
            } else if (c == "{" || c == "[") {
                if (depth == MAX_DEPTH) return "exceeded max depth";
                stack[depth++] = c == "{" ? KEY : ARRAY;
                state = c == "{" ? State.KeyOrEnd : State.ValueOrEnd;
                at++;
            } else {
                (failure, at) = checkScalar(d, at);
                if (bytes(failure).length != 0) return failure;
                state = State.After;
            }
        }
    }

    function checkScalar(bytes memory d, uint256 at) private pure returns (string memory, uint256) {
        bytes1 c = d[at];
        if (c == '"') return checkString(d, at);
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
        at++;
        while (at < d.length && d[at] != '"') {
            if (uint8(d[at]) < 0x20) return (wrong(d, at, "in string literal"), at);
            if (d[at++] != "\\") continue;
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
        return at >= d.length ? ("unexpected end of JSON input", at) : ("", at + 1);
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

    /// A character between single quotes, escaped as Go does it.
    function quoted(bytes1 c) private pure returns (string memory) {
        bytes memory inner;
        uint8 code = uint8(c);
        if (c == "'") inner = "\\'";
        else if (c == "\\") inner = "\\\\";
        else if (code == 7) inner = "\\a";
        else if (code == 8) inner = "\\b";
        else if (code == 9) inner = "\\t";
        else if (code == 10) inner = "\\n";
        else if (code == 11) inner = "\\v";
        else if (code == 12) inner = "\\f";
        else if (code == 13) inner = "\\r";
        else if (code < 32 || code == 127) inner = abi.encodePacked("\\x", Text.slice(bytes(Text.hexadecimal(abi.encodePacked(c))), 2, 2));
        else if (code < 127) inner = abi.encodePacked(c);
        else if (code < 161 || code == 173) inner = abi.encodePacked("\\u00", Text.slice(bytes(Text.hexadecimal(abi.encodePacked(c))), 2, 2));
        else inner = bytes(Text.latin(code));
        return string(abi.encodePacked("'", inner, "'"));
    }

    // ---- reading what has been checked; positions point at the first character of a value

    function skipSpace(bytes memory d, uint256 at) internal pure returns (uint256) {
        while (at < d.length && (d[at] == 0x20 || d[at] == 0x09 || d[at] == 0x0a || d[at] == 0x0d)) at++;
        return at;
    }

    /// Position after the value.
    function end(bytes memory d, uint256 at) internal pure returns (uint256) {
        uint256 depth = 0;
        while (true) {
            bytes1 c = d[at];
            if (c == '"') {
                at++;
                while (d[at] != '"') at += d[at] == "\\" ? 2 : 1;
                at++;
            } else if (c == "{" || c == "[") {
                depth++;
                at++;
            } else if (c == "}" || c == "]") {
                depth--;
                at++;
            } else if (depth > 0) {
                at++;
            } else {
                while (at < d.length && !isDelimiter(d[at])) at++;
            }
            if (depth == 0) return at;
        }
        return at;
    }

    /// Kind of a value in Go's words.
    function kind(bytes memory d, uint256 at) internal pure returns (string memory) {
        bytes1 c = d[at];
        if (c == '"') return "string";
        if (c == "{") return "object";
        if (c == "[") return "array";
        if (c == "n") return "null";
        return c == "t" || c == "f" ? "bool" : "number";
    }

    /// First element of an array or first key of an object that begins at `at`; 0: there is none.
    function first(bytes memory d, uint256 at) internal pure returns (uint256) {
        at = skipSpace(d, at + 1);
        return d[at] == "]" || d[at] == "}" ? 0 : at;
    }

    /// What follows the element or member whose value begins at `at`; 0: nothing.
    function next(bytes memory d, uint256 at) internal pure returns (uint256) {
        at = skipSpace(d, end(d, at));
        return d[at] == "," ? skipSpace(d, at + 1) : 0;
    }

    /// The value of the member whose key begins at `at`.
    function valueOf(bytes memory d, uint256 at) internal pure returns (uint256) {
        return skipSpace(d, skipSpace(d, end(d, at)) + 1);
    }

    function text(bytes memory d, uint256 at) internal pure returns (string memory) {
        uint256 to = end(d, at) - 1;
        bytes memory out = new bytes(to - at);
        uint256 length = 0;
        for (uint256 i = at + 1; i < to; i++) {
            if (d[i] != "\\") {
                out[length++] = d[i];
                continue;
            }
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
        return string(out);
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

    function isDelimiter(bytes1 c) private pure returns (bool) {
        return c == "," || c == "}" || c == "]" || c == ":" || c == 0x20 || c == 0x09 || c == 0x0a || c == 0x0d;
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
