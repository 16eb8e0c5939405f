// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ONE} from "./Types.sol";

/// The chain's decimals, for shares, rewards and votes: integers with 18 places, rounded half to even where the chain rounds.
library Math {
    /// The upper 256 bits of a product.
    function high(uint256 a, uint256 b) internal pure returns (uint256 upper) {
        assembly ("memory-safe") {
            let low := mul(a, b)
            let m := mulmod(a, b, not(0))
            upper := sub(sub(m, low), lt(m, low))
        }
    }

    /// floor(a * b / d) over 512 bits; reverts if the result does not fit.
    function mulDiv(uint256 a, uint256 b, uint256 d) internal pure returns (uint256 result) {
        unchecked {
            uint256 low = a * b;
            uint256 upper = high(a, b);
            if (upper == 0) return low / d;
            require(d > upper, "local precompiles: a number is too large");
            uint256 rest;
            assembly ("memory-safe") {
                rest := mulmod(a, b, d)
                upper := sub(upper, gt(rest, low))
                low := sub(low, rest)
            }
            uint256 twos = d & (~d + 1);
            assembly ("memory-safe") {
                d := div(d, twos)
                low := div(low, twos)
                twos := add(div(sub(0, twos), twos), 1)
            }
            low |= upper * twos;
            uint256 inverse = (3 * d) ^ 2;
            inverse *= 2 - d * inverse;
            inverse *= 2 - d * inverse;
            inverse *= 2 - d * inverse;
            inverse *= 2 - d * inverse;
            inverse *= 2 - d * inverse;
            inverse *= 2 - d * inverse;
            return low * inverse;
        }
    }

    /// Drops 18 places, rounding half to even.
    function round(uint256 value) internal pure returns (uint256 whole) {
        whole = value / ONE;
        uint256 rest = value % ONE;
        if (rest > ONE / 2 || (rest == ONE / 2 && whole & 1 == 1)) whole++;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        return round(a * b);
    }

    function mulTruncate(uint256 a, uint256 b) internal pure returns (uint256) {
        return mulDiv(a, b, ONE);
    }

    function quo(uint256 a, uint256 b) internal pure returns (uint256) {
        return round(mulDiv(a, ONE * ONE, b));
    }

    function quoTruncate(uint256 a, uint256 b) internal pure returns (uint256) {
        return mulDiv(a, ONE, b);
    }

    function quoRoundUp(uint256 a, uint256 b) internal pure returns (uint256) {
        return (mulDiv(a, ONE * ONE, b) + ONE - 1) / ONE;
    }
}
