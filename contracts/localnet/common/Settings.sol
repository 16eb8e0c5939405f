// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The chain's fixed configuration, appended to the code, where reading it is nearly free:
/// prefix ‖ denomination ‖ two checksums of 4 bytes, see Bech32Codec (0: unknown) ‖ a byte for the length of each text.
library Settings {
    uint256 private constant FIXED = 10;
    bytes7 private constant OPERATOR = "valoper";

    function prefix() internal pure returns (string memory) {
        (uint256 end, uint256 denomLength, uint256 length) = places();
        return read(end - denomLength - length, length);
    }

    function denom() internal pure returns (string memory) {
        (uint256 end, uint256 length,) = places();
        return read(end - length, length);
    }

    /// The checksum of a zero address with this prefix, if it is the chain's for accounts or operators; otherwise 0.
    function checksum(string memory hrp) internal pure returns (uint256 sum) {
        (uint256 end, uint256 denomLength, uint256 length) = places();
        bool operator = bytes(hrp).length == length + 7;
        if (length == 0 || (bytes(hrp).length != length && !operator)) return 0;
        assembly ("memory-safe") {
            let free := mload(0x40)
            codecopy(free, sub(end, add(denomLength, length)), length)
            mstore(add(free, length), OPERATOR)
            let size := mload(hrp)
            if eq(keccak256(free, size), keccak256(add(hrp, 0x20), size)) {
                codecopy(free, add(end, mul(4, operator)), 4)
                sum := shr(224, mload(free))
            }
        }
    }

    /// Whether the checksums are missing: in Solidity tests, which have no engine to compute them.
    function inSolidityTest() internal pure returns (bool yes) {
        (uint256 end,,) = places();
        assembly ("memory-safe") {
            codecopy(0, end, 0x20)
            yes := iszero(shr(192, mload(0)))
        }
    }

    /// Where the texts begin in the code.
    function begin() internal pure returns (uint256) {
        (uint256 end, uint256 denomLength, uint256 prefixLength) = places();
        unchecked {
            return end - denomLength - prefixLength;
        }
    }

    /// Where the texts end in the code, and their lengths.
    function places() private pure returns (uint256 end, uint256 denomLength, uint256 prefixLength) {
        assembly ("memory-safe") {
            end := sub(codesize(), FIXED)
            codecopy(0, add(end, 8), 2)
            prefixLength := byte(0, mload(0))
            denomLength := byte(1, mload(0))
        }
    }

    function read(uint256 from, uint256 length) private pure returns (string memory text) {
        text = new string(length);
        assembly ("memory-safe") {
            codecopy(add(text, 0x20), from, length)
        }
    }
}
