// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Items that wait for the end of a block at or after their time, the earliest first. A binary heap, so that adding costs
/// the same however many wait (times nearly always grow).
library Queue {
    struct Heap {
        uint256[] items; // time ‖ what waits
    }

    function add(Heap storage heap, uint64 time, uint192 what) internal {
        uint256 item = (uint256(time) << 192) | what;
        uint256[] storage items = heap.items;
        uint256 at = items.length;
        items.push(item);
        uint256 began = at;
        while (at > 0) {
            uint256 parent = (at - 1) / 2;
            uint256 above = items[parent];
            if (above <= item) break;
            items[at] = above;
            at = parent;
        }
        if (at != began) items[at] = item;
    }

    /// The earliest time, max uint64 if nothing waits.
    function next(Heap storage heap) internal view returns (uint64) {
        return heap.items.length == 0 ? type(uint64).max : timeOf(heap.items[0]);
    }

    /// Removes the earliest item.
    function pop(Heap storage heap) internal returns (uint64 time, uint192 what) {
        uint256[] storage items = heap.items;
        (time, what) = (timeOf(items[0]), uint192(items[0]));
        uint256 last = items[items.length - 1];
        items.pop();
        uint256 length = items.length;
        if (length == 0) return (time, what);
        // all indexes are within the array; checking that for each item takes several times as long as the rest
        assembly ("memory-safe") {
            mstore(0, items.slot)
            let begin := keccak256(0, 0x20)
            let at := 0
            for { let child := 1 } lt(child, length) { child := add(mul(2, at), 1) } {
                let item := sload(add(begin, child))
                let other := add(child, 1)
                if lt(other, length) {
                    let second := sload(add(begin, other))
                    if lt(second, item) {
                        item := second
                        child := other
                    }
                }
                if iszero(lt(item, last)) { break }
                sstore(add(begin, at), item)
                at := child
            }
            sstore(add(begin, at), last)
        }
    }

    /// The waiting items, each once, in no order.
    function all(Heap storage heap) internal view returns (uint192[] memory list) {
        uint256[] memory items = heap.items;
        uint256 count = 0;
        for (uint256 i = 0; i < items.length; i++) items[i] &= type(uint192).max;
        sort(items, 0, items.length);
        for (uint256 i = 0; i < items.length; i++) if (i == 0 || items[i] != items[count - 1]) items[count++] = items[i];
        assembly ("memory-safe") {
            mstore(items, count)
            list := items
        }
    }

    function timeOf(uint256 item) private pure returns (uint64) {
        return uint64(item >> 192);
    }

    /// Quicksort of the items in [from, to).
    function sort(uint256[] memory list, uint256 from, uint256 to) private pure {
        while (to - from > 1) {
            uint256 pivot = list[(from + to) / 2];
            uint256 i = from;
            uint256 j = to - 1;
            while (true) {
                while (list[i] < pivot) i++;
                while (list[j] > pivot) j--;
                if (i >= j) break;
                (list[i], list[j]) = (list[j], list[i]);
                i++;
                j--;
            }
            sort(list, from, i);
            from = i;
        }
    }
}
