// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IStaking} from "../../IStaking.sol";
import {Coin, PageRequest} from "../../Types.sol";
import {WeightedVoteOption} from "../common/Types.sol";
import {Text} from "./Text.sol";

/// Decodes arguments like go-ethereum's abi package, with its errors: it ignores trailing bytes and the bits above an
/// address, and names what is missing. `data` is the calldata without the selector (or part of it, for dynamic tuples),
/// `at` the position of the argument's head word.
library Abi {
    function checkNotEmpty(bytes memory data) internal pure {
        if (data.length == 0) Text.fail("abi: attempting to unmarshal an empty string while arguments are expected");
    }

    function word(bytes memory data, uint256 at) internal pure returns (uint256 value) {
        unchecked {
            if (at + 32 > data.length) insufficient(data.length, at + 32);
        }
        assembly ("memory-safe") {
            value := mload(add(add(data, 0x20), at))
        }
    }

    function insufficient(uint256 length, uint256 required) private pure {
        Text.fail(string.concat("abi: cannot marshal in to go type: length insufficient ", Text.number(length), " require ", Text.number(required)));
    }

    function addr(bytes memory data, uint256 at) internal pure returns (address) {
        return address(uint160(word(data, at)));
    }

    function u64(bytes memory data, uint256 at) internal pure returns (uint64 value) {
        uint256 w = word(data, at);
        if (w > type(uint64).max) Text.fail("abi: improperly encoded uint64 value");
        return uint64(w);
    }

    function u32(bytes memory data, uint256 at) internal pure returns (uint32 value) {
        uint256 w = word(data, at);
        if (w > type(uint32).max) Text.fail("abi: improperly encoded uint32 value");
        return uint32(w);
    }

    function u8(bytes memory data, uint256 at) internal pure returns (uint8 value) {
        uint256 w = word(data, at);
        if (w > type(uint8).max) Text.fail("abi: improperly encoded uint8 value");
        return uint8(w);
    }

    function boolean(bytes memory data, uint256 at) internal pure returns (bool) {
        uint256 w = word(data, at);
        if (w > 1) Text.fail("abi: improperly encoded boolean value");
        return w == 1;
    }

    /// Where a string, bytes or list begins, and its length.
    function prefixed(bytes memory data, uint256 at) internal pure returns (uint256 start, uint256 length) {
        uint256 offset = word(data, at);
        unchecked {
            // the usual case, fast: it is within the data
            if (offset < data.length && offset + 32 <= data.length) {
                (start, length) = (offset + 32, word(data, offset));
                if (length <= data.length - start) return (start, length);
            }
        }
        bool wraps = offset > type(uint256).max - 32;
        if (wraps || offset + 32 > data.length) {
            string memory end = wraps ? sumText(offset, 32) : Text.number(offset + 32);
            overBoundary(end, data.length);
        }
        start = offset + 32;
        length = word(data, offset);
        bool tooLong = length > type(uint256).max - start;
        if (tooLong || start + length > uint256(uint64(type(int64).max))) {
            Text.fail(string.concat("abi: length larger than int64: ", tooLong ? sumText(length, start) : Text.number(start + length)));
        }
        if (start + length > data.length) insufficient(data.length, start + length);
    }

    function overBoundary(string memory offset, uint256 length) private pure {
        Text.fail(string.concat("abi: cannot marshal in to go slice: offset ", offset, " would go over slice boundary (len=", Text.number(length), ")"));
    }

    /// a + b, even if the sum has 257 bits.
    function sumText(uint256 a, uint256 b) private pure returns (string memory) {
        // 2^256 = 10 * q + 6
        unchecked {
            uint256 low = a + b;
            uint256 q = type(uint256).max / 10;
            uint256 last = (low % 10) + 6;
            return string.concat(Text.number(q + low / 10 + last / 10), Text.number(last % 10));
        }
    }

    function text(bytes memory data, uint256 at) internal pure returns (string memory) {
        (uint256 start, uint256 length) = prefixed(data, at);
        return Text.slice(data, start, length);
    }

    /// The part of the data that a dynamic tuple's offsets are relative to.
    function tuple(bytes memory data, uint256 at) internal pure returns (bytes memory) {
        uint256 offset = word(data, at);
        if (offset > data.length) overBoundary(Text.number(offset), data.length);
        return bytes(Text.slice(data, offset, data.length - offset));
    }

    /// A list of dynamic elements: the position of its first head word.
    function list(bytes memory data, uint256 at) private pure returns (uint256 start, uint256 length) {
        (start, length) = prefixed(data, at);
        if (32 * length > data.length - start) {
            Text.fail(
                string.concat(
                    "abi: cannot marshal into go array: offset ", Text.number(data.length - start), " would go over slice boundary (len=", Text.number(32 * length), ")"
                )
            );
        }
    }

    /// The offsets of a list's elements are relative to the list's beginning.
    function rest(bytes memory data, uint256 from) private pure returns (bytes memory) {
        return bytes(Text.slice(data, from, data.length - from));
    }

    function coins(bytes memory data, uint256 at) internal pure returns (Coin[] memory out) {
        (uint256 start, uint256 length) = list(data, at);
        bytes memory elements = rest(data, start);
        out = new Coin[](length);
        for (uint256 i = 0; i < length; i++) {
            bytes memory coin = tuple(elements, 32 * i);
            out[i] = Coin(text(coin, 0), word(coin, 32));
        }
    }

    function voteOptions(bytes memory data, uint256 at) internal pure returns (WeightedVoteOption[] memory out) {
        (uint256 start, uint256 length) = list(data, at);
        bytes memory elements = rest(data, start);
        out = new WeightedVoteOption[](length);
        for (uint256 i = 0; i < length; i++) {
            bytes memory option = tuple(elements, 32 * i);
            out[i] = WeightedVoteOption(u8(option, 0), text(option, 32));
        }
    }

    function page(bytes memory data, uint256 at) internal pure returns (PageRequest memory) {
        bytes memory t = tuple(data, at);
        return PageRequest(bytes(text(t, 0)), u64(t, 32), u64(t, 64), boolean(t, 96), boolean(t, 128));
    }

    function description(bytes memory data, uint256 at) internal pure returns (IStaking.Description memory) {
        bytes memory t = tuple(data, at);
        return IStaking.Description(text(t, 0), text(t, 32), text(t, 64), text(t, 96), text(t, 128));
    }

    function rates(bytes memory data, uint256 at) internal pure returns (IStaking.CommissionRates memory) {
        return IStaking.CommissionRates(word(data, at), word(data, at + 32), word(data, at + 64));
    }
}
