// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Settings} from "./Settings.sol";

/// Appended to the staking precompile's code by the engine: every validator's address as text, and the answer of `validator`.
/// Reading code is nearly free, while a storage word costs 2,100 gas. It is a copy, which may be old. A validator keeps its
/// number, address and text forever; the rest is used only if its edition is the one in storage. Without a copy, as in
/// Solidity tests, everything comes from storage.
///
/// Answers ‖ a row for each number from 1 on ‖ the numbers of existing validators, sorted by address ‖ slots ‖ how many
/// rows, numbers and slots, 2 bytes each ‖ length of a text, 1 byte; the texts of Settings follow. A row: address ‖ edition
/// ‖ 4 bytes: how far before the rows its answer begins ‖ 3 bytes: length of the answer ‖ 4 bytes ‖ the address as text.
/// Numbers have 2 bytes. A validator's number is in the first free slot, counted from the slot that follows from its
/// address.
library Directory {
    uint256 private constant TAIL = 7;
    uint256 private constant ROW = 32; // without the text
    bytes32 private constant CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

    /// Where it is: the precompile (160 bits) ‖ where the rows begin in its code (32) ‖ how many rows, live numbers and slots
    /// (16 each) ‖ the length of a text (8); the first in the lowest bits. A struct in memory takes far more steps.
    type Book is uint256;

    function open(address staking) internal view returns (Book) {
        uint256 end = Settings.begin();
        assembly ("memory-safe") {
            // the texts are equally long in every precompile
            if xor(staking, address()) { end := sub(extcodesize(staking), sub(codesize(), end)) }
        }
        unchecked {
            uint256 tail = uint256(word(staking, end - TAIL)) >> (256 - 8 * TAIL);
            (uint256 rowCount, uint256 liveCount, uint256 slotCount) = (tail >> 40, (tail >> 24) & 0xffff, (tail >> 8) & 0xffff);
            uint256 length = tail & 0xff;
            uint256 at = end - TAIL - 2 * (slotCount + liveCount) - rowCount * (ROW + length);
            return Book.wrap(uint160(staking) | (at << 160) | (rowCount << 192) | (liveCount << 208) | (slotCount << 224) | (length << 240));
        }
    }

    function stakingOf(Book b) private pure returns (address) {
        return address(uint160(Book.unwrap(b)));
    }

    function rowsAt(Book b) private pure returns (uint256) {
        return uint32(Book.unwrap(b) >> 160);
    }

    /// How many rows it has.
    function rows(Book b) internal pure returns (uint256) {
        return uint16(Book.unwrap(b) >> 192);
    }

    function liveCountOf(Book b) private pure returns (uint256) {
        return uint16(Book.unwrap(b) >> 208);
    }

    function slotCountOf(Book b) private pure returns (uint256) {
        return uint16(Book.unwrap(b) >> 224);
    }

    function textLengthOf(Book b) private pure returns (uint256) {
        return Book.unwrap(b) >> 240;
    }

    function liveAt(Book b) private pure returns (uint256) {
        unchecked {
            return rowsAt(b) + rows(b) * (ROW + textLengthOf(b));
        }
    }

    function slotsAt(Book b) private pure returns (uint256) {
        unchecked {
            return liveAt(b) + 2 * liveCountOf(b);
        }
    }

    /// 32 bytes of the code.
    function word(address staking, uint256 at) private view returns (bytes32 value) {
        assembly ("memory-safe") {
            switch eq(staking, address())
            case 1 { codecopy(0, at, 0x20) }
            default { extcodecopy(staking, 0, at, 0x20) }
            value := mload(0)
        }
    }

    function part(address staking, uint256 at, uint256 length) private view returns (bytes memory out) {
        assembly ("memory-safe") {
            out := mload(0x40)
            mstore(out, length)
            mstore(0x40, and(add(add(out, length), 0x3f), not(31)))
            switch eq(staking, address())
            case 1 { codecopy(add(out, 0x20), at, length) }
            default { extcodecopy(staking, add(out, 0x20), at, length) }
        }
    }

    function rowAt(Book b, uint256 number) private pure returns (uint256) {
        unchecked {
            return rowsAt(b) + (number - 1) * (ROW + textLengthOf(b));
        }
    }

    function numberAt(Book b, uint256 at) private view returns (uint256) {
        return uint256(word(stakingOf(b), at)) >> 240;
    }

    /// The last four characters of an address before its checksum.
    function lastOf(address operator) private pure returns (uint256 characters) {
        bytes32 charset = CHARSET;
        assembly ("memory-safe") {
            characters := byte(and(operator, 31), charset)
            characters := or(characters, shl(8, byte(and(shr(5, operator), 31), charset)))
            characters := or(characters, shl(16, byte(and(shr(10, operator), 31), charset)))
            characters := or(characters, shl(24, byte(and(shr(15, operator), 31), charset)))
        }
    }

    function slotOf(uint256 characters, uint256 slots) private pure returns (uint256) {
        unchecked {
            return ((characters * 0x9e3779b1) >> 16) & (slots - 1);
        }
    }

    /// The last number of the validator with an address, zero if it has no row.
    function numberOf(Book b, address operator) internal view returns (uint256 number) {
        if (rows(b) == 0) return 0;
        unchecked {
            for (uint256 slot = slotOf(lastOf(operator), slotCountOf(b));; slot = (slot + 1) & (slotCountOf(b) - 1)) {
                number = numberAt(b, slotsAt(b) + 2 * slot);
                if (number == 0 || address(bytes20(word(stakingOf(b), rowAt(b, number)))) == operator) return number;
            }
        }
    }

    /// The text of the validator with an address. `found`: whether it has a row.
    function textOf(Book b, address operator) internal view returns (bool found, string memory text) {
        uint256 number = numberOf(b, operator);
        if (number == 0) return (false, text);
        return (true, string(part(stakingOf(b), rowAt(b, number) + ROW, textLengthOf(b))));
    }

    /// The operator with an address as text.
    function operatorOf(Book b, string memory text) internal view returns (bool found, address operator) {
        if (rows(b) == 0 || bytes(text).length != textLengthOf(b)) return (false, operator);
        uint256 characters;
        assembly ("memory-safe") {
            characters := and(shr(48, mload(add(text, mload(text)))), 0xffffffff)
        }
        unchecked {
            for (uint256 slot = slotOf(characters, slotCountOf(b));; slot = (slot + 1) & (slotCountOf(b) - 1)) {
                uint256 number = numberAt(b, slotsAt(b) + 2 * slot);
                if (number == 0) return (false, operator);
                uint256 at = rowAt(b, number);
                if (keccak256(part(stakingOf(b), at + ROW, textLengthOf(b))) == keccak256(bytes(text))) return (true, address(bytes20(word(stakingOf(b), at))));
            }
        }
    }

    /// The operator with a number, zero if there is no row.
    function operatorAt(Book b, uint256 number) internal view returns (address) {
        return number == 0 || number > rows(b) ? address(0) : address(bytes20(word(stakingOf(b), rowAt(b, number))));
    }

    /// The answer of `validator` at an edition; empty if it is not there.
    function answer(Book b, uint256 number, uint8 edition) internal view returns (bytes memory) {
        if (number == 0 || number > rows(b)) return "";
        uint256 row = uint256(word(stakingOf(b), rowAt(b, number)));
        if (uint8(row >> 88) != edition) return "";
        return part(stakingOf(b), rowsAt(b) - uint32(row >> 56), uint24(row >> 32));
    }

    /// All validators, sorted by address, unless one was added or removed since the copy was made. `count`: how many there are.
    function all(Book b, uint256 lastNumber, uint256 count) internal view returns (bool found, address[] memory list) {
        if (rows(b) == 0 || rows(b) != lastNumber || liveCountOf(b) != count) return (false, list);
        list = new address[](liveCountOf(b));
        uint256 at = liveAt(b);
        unchecked {
            for (uint256 i = 0; i < list.length; i++) {
                list[i] = address(bytes20(word(stakingOf(b), rowAt(b, numberAt(b, at + 2 * i)))));
            }
        }
        found = true;
    }

    // ---- encoding

    /// `operators`, `editions`, `answers` and `texts`: by number, from 1 on, the first at index 0; an answer is empty if
    /// the validator is gone. `live`: the numbers of the others, sorted by address.
    function encode(address[] memory operators, uint8[] memory editions, bytes[] memory answers, string[] memory texts, uint16[] memory live)
        internal
        pure
        returns (bytes memory)
    {
        uint256 slots = 2;
        while (slots < 2 * operators.length) slots *= 2;
        bytes[] memory parts = new bytes[](2 * operators.length + 3);
        uint256 back = 0;
        uint256 count = 0;
        for (uint256 i = 0; i < answers.length; i++) back += (parts[count++] = answers[i]).length;
        bytes memory table = new bytes(2 * slots);
        for (uint256 i = 0; i < operators.length; i++) {
            parts[count++] =
                abi.encodePacked(operators[i], editions[i], uint32(back), uint24(answers[i].length), uint32(0), texts[i]);
            back -= answers[i].length;
            uint256 slot = slotOf(lastOf(operators[i]), slots);
            for (;; slot = (slot + 1) & (slots - 1)) {
                uint256 number = (uint256(uint8(table[2 * slot])) << 8) | uint8(table[2 * slot + 1]);
                // whoever creates a validator again is found by the last number
                if (number == 0 || operators[number - 1] == operators[i]) break;
            }
            (table[2 * slot], table[2 * slot + 1]) = (bytes1(uint8((i + 1) >> 8)), bytes1(uint8(i + 1)));
        }
        bytes memory numbers = new bytes(2 * live.length);
        for (uint256 i = 0; i < live.length; i++) {
            (numbers[2 * i], numbers[2 * i + 1]) = (bytes1(uint8(live[i] >> 8)), bytes1(uint8(live[i])));
        }
        uint8 textLength = operators.length == 0 ? 0 : uint8(bytes(texts[0]).length);
        (parts[count], parts[count + 1]) = (numbers, table);
        parts[count + 2] = abi.encodePacked(uint16(operators.length), uint16(live.length), uint16(slots), textLength);
        return joined(parts);
    }

    function joined(bytes[] memory parts) private pure returns (bytes memory out) {
        uint256 length = 0;
        for (uint256 i = 0; i < parts.length; i++) length += parts[i].length;
        out = new bytes(length);
        uint256 at = 0;
        for (uint256 i = 0; i < parts.length; i++) {
            bytes memory one = parts[i];
            assembly ("memory-safe") {
                mcopy(add(add(out, 0x20), at), add(one, 0x20), mload(one))
            }
            at += one.length;
        }
    }
}
