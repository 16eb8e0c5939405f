// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What waits for a time: the earliest first, of equal times the one that was added first. A binary heap, so that adding costs
/// the same however many wait (times nearly always grow).
library Queue {
    struct Heap {
        uint256[] items; // time ‖ number
        uint128 added;
    }

    /// Number under which the caller keeps what waits.
    function add(Heap storage heap, uint64 time) internal returns (uint128 number) {
        number = ++heap.added;
        uint256 item = (uint256(time) << 128) | number;
        uint256 at = heap.items.length;
        heap.items.push(item);
        while (at > 0) {
            uint256 parent = (at - 1) / 2;
            uint256 above = heap.items[parent];
            if (above <= item) break;
            heap.items[at] = above;
            at = parent;
        }
        heap.items[at] = item;
    }

    /// Time of the earliest, max uint64 where nothing waits.
    function next(Heap storage heap) internal view returns (uint64) {
        return heap.items.length == 0 ? type(uint64).max : uint64(heap.items[0] >> 128);
    }

    /// Takes the earliest out.
    function pop(Heap storage heap) internal returns (uint64 time, uint128 number) {
        uint256[] storage items = heap.items;
        (time, number) = (uint64(items[0] >> 128), uint128(items[0]));
        uint256 last = items[items.length - 1];
        items.pop();
        uint256 length = items.length;
        if (length == 0) return (time, number);
        uint256 at = 0;
        while (2 * at + 1 < length) {
            uint256 child = 2 * at + 1;
            if (child + 1 < length && items[child + 1] < items[child]) child++;
            if (items[child] >= last) break;
            items[at] = items[child];
            at = child;
        }
        items[at] = last;
    }
}
