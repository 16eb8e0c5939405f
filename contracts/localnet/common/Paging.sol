// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PageRequest, PageResponse} from "../../Types.sol";
import {Text} from "../codec/Text.sol";

/// Pages of list queries, over keys in ascending order, as the framework makes them.
library Paging {
    uint64 private constant DEFAULT_LIMIT = 100;

    /// Selects the keys on the page. `hits`: those that pass the filter (empty: all).
    /// The framework reads stores and collections in two ways: `isStore` says which one it is.
    function select(bytes[] memory keys, bool[] memory hits, PageRequest memory page, bool isStore)
        internal
        pure
        returns (uint256[] memory chosen, PageResponse memory response)
    {
        if (page.limit == 0) (page.limit, page.countTotal) = (DEFAULT_LIMIT, true);
        bool byKey = page.key.length != 0;
        if (isStore && !byKey) return window(keys, hits, page);
        uint256 at = byKey ? start(keys, page.key, page.reverse, isStore) : 0;
        uint256 found = 0;
        uint256 skipped = 0;
        uint256 taken = 0;
        chosen = new uint256[](keys.length);
        for (; at < keys.length; at++) {
            uint256 i = page.reverse ? keys.length - 1 - at : at;
            bool passes = hits.length == 0 || hits[i];
            // read by key, a collection names the next entry that passes; else the next one is named, whether it passes or
            // not, but replaced until one passes if the rest is counted
            if (found == page.limit && (passes || isStore || !byKey)) {
                response.nextKey = keys[i];
                if (byKey || !page.countTotal) break;
            }
            if (!passes) continue;
            if (skipped < page.offset) {
                skipped++;
                continue;
            }
            if (found++ < page.limit) chosen[taken++] = i;
        }
        if (page.countTotal && !byKey) {
            // collections treat the whole offset as skipped
            unchecked {
                response.total = uint64(found) + page.offset;
            }
        }
        shorten(chosen, taken);
    }

    /// A page of a store that begins after a number of entries. On the chain, the page's end is a sum of 64 bits that may
    /// overflow: a page of the most entries then has none, or ends before the first entry that does not pass.
    function window(bytes[] memory keys, bool[] memory hits, PageRequest memory page)
        private
        pure
        returns (uint256[] memory chosen, PageResponse memory response)
    {
        uint64 end;
        uint64 next;
        unchecked {
            end = page.offset + page.limit;
            next = end + 1;
        }
        bool filtered = hits.length != 0;
        uint64 found = 0;
        uint256 taken = 0;
        chosen = new uint256[](keys.length);
        for (uint256 at = 0; at < keys.length; at++) {
            uint256 i = page.reverse ? keys.length - 1 - at : at;
            if (!filtered || hits[i]) {
                if (found >= page.offset && found < end) chosen[taken++] = i;
                found++;
            }
            if (found == next && (filtered || found > page.offset) && response.nextKey.length == 0) {
                response.nextKey = keys[i];
                if (!page.countTotal) break;
            }
        }
        if (page.countTotal) response.total = found;
        shorten(chosen, taken);
    }

    function shorten(uint256[] memory list, uint256 length) private pure {
        assembly ("memory-safe") {
            mstore(list, length)
        }
    }

    function select(bytes[] memory keys, PageRequest memory page) internal pure returns (uint256[] memory, PageResponse memory) {
        return select(keys, new bool[](0), page, true);
    }

    /// Whether a page has all entries, from the first to the last, and its response in that case.
    function isAll(PageRequest memory page, uint256 count) internal pure returns (bool all, PageResponse memory response) {
        uint64 limit = page.limit == 0 ? DEFAULT_LIMIT : page.limit;
        all = page.key.length == 0 && page.offset == 0 && !page.reverse && count <= limit;
        if (page.limit == 0 || page.countTotal) response.total = uint64(count);
    }

    /// abi.encode(T[], PageResponse) of dynamic tuples that are already encoded one by one.
    function encoded(bytes[] memory tuples, PageResponse memory response) internal pure returns (bytes memory out) {
        bytes memory end = abi.encode(response);
        assembly ("memory-safe") {
            let count := mload(tuples)
            let length := add(0x60, mul(32, count))
            for { let i := 1 } iszero(gt(i, count)) { i := add(i, 1) } {
                length := add(length, sub(mload(mload(add(tuples, mul(32, i)))), 0x20))
            }
            out := mload(0x40)
            let size := sub(add(length, mload(end)), 0x20)
            mstore(out, size)
            mstore(0x40, add(out, add(size, 0x20)))
            // without the word before it that points to the tuple
            function put(to, tuple) -> next {
                let rest := sub(mload(tuple), 0x20)
                mcopy(to, add(tuple, 0x40), rest)
                next := add(to, rest)
            }
            mstore(add(out, 0x20), 0x40)
            mstore(add(out, 0x40), length)
            mstore(add(out, 0x60), count)
            let places := add(out, 0x80)
            let at := add(places, mul(32, count))
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                mstore(add(places, mul(32, i)), sub(at, places))
                at := put(at, mload(add(add(tuples, 0x20), mul(32, i))))
            }
            at := put(at, end)
        }
    }

    function requireOneStart(PageRequest memory page) internal pure {
        requireOneStart(page, "rpc error: code = Internal desc = ");
    }

    function requireOneStart(PageRequest memory page, string memory before) internal pure {
        if (page.offset == 0 || page.key.length == 0) return;
        Text.fail(string.concat(before, "invalid request, either offset or key is expected, got both"));
    }

    /// Position, in reading direction, of the first key that is not before `key`.
    function start(bytes[] memory keys, bytes memory from, bool reverse, bool isStore) private pure returns (uint256 at) {
        uint256 below = 0;
        while (below < keys.length && less(keys[below], from)) below++;
        if (!reverse) return below;
        if (!isStore) {
            // a collection also reads the keys that begin with the given one
            while (below < keys.length && begins(keys[below], from)) below++;
            return keys.length - below;
        }
        // backwards, a store reads from the first key that is not below the given one; it panics if that is the last one
        if (below + 1 == keys.length) Text.panic();
        return below >= keys.length ? 0 : keys.length - 1 - below;
    }

    function begins(bytes memory key_, bytes memory with) private pure returns (bool) {
        return key_.length >= with.length && Text.equal(Text.slice(key_, 0, with.length), string(with));
    }

    function less(bytes memory a, bytes memory b) internal pure returns (bool) {
        for (uint256 i = 0; i < a.length && i < b.length; i++) {
            if (a[i] != b[i]) return a[i] < b[i];
        }
        return a.length < b.length;
    }

    /// Key of an account in a store: its length, then its bytes.
    function key(address account) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(20), account);
    }

    /// The position of an account in a sorted list.
    function find(address[] memory list, address wanted) internal pure returns (bool, uint256) {
        uint256 from = 0;
        uint256 to = list.length;
        while (from < to) {
            uint256 middle = (from + to) / 2;
            if (list[middle] == wanted) return (true, middle);
            if (list[middle] < wanted) from = middle + 1;
            else to = middle;
        }
        return (false, 0);
    }

    /// Insertion sort: lists are short.
    function sort(address[] memory list) internal pure {
        for (uint256 i = 1; i < list.length; i++) {
            address item = list[i];
            uint256 j = i;
            for (; j > 0 && list[j - 1] > item; j--) list[j] = list[j - 1];
            list[j] = item;
        }
    }
}
