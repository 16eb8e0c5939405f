// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBech32} from "../../IBech32.sol";
import {Bech32Codec} from "../codec/Bech32Codec.sol";
import {Settings} from "../common/Settings.sol";
import {Text} from "../codec/Text.sol";

/// The bech32 precompile, which converts addresses and has no state. It is of an older kind than the others: an error
/// uses up all gas and returns no data.
contract Bech32 {
    fallback(bytes calldata input) external payable returns (bytes memory) {
        if (msg.value != 0 || input.length < 4) broken();
        bytes4 selector = bytes4(input);
        if (selector == IBech32.hexToBech32.selector) return abi.encode(hexToBech32(input[4:]));
        if (selector != IBech32.bech32ToHex.selector) broken();
        return abi.encode(bech32ToHex(input[4:]));
    }

    function hexToBech32(bytes calldata args) private pure returns (string memory) {
        if (args.length < 64) broken();
        address account = address(uint160(uint256(bytes32(args))));
        string memory prefix = textArgument(args, 32);
        if (bytes(Text.trim(prefix)).length == 0) broken();
        return Bech32Codec.encode(prefix, account);
    }

    function bech32ToHex(bytes calldata args) private pure returns (address) {
        string memory text = textArgument(args, 0);
        (bool usual, address account) = ownAddress(text);
        if (usual) return account;
        (string memory failure, string memory hrp, bytes memory data) = Bech32Codec.decode(text);
        if (bytes(failure).length != 0 || data.length == 0 || data.length > 255) broken();
        // the prefix is what precedes the first "1", letter by letter
        for (uint256 i = 0; i < bytes(hrp).length; i++) {
            if (bytes(hrp)[i] != bytes(text)[i] || bytes(text)[i] == "1") broken();
        }
        return Bech32Codec.lastBytes(data);
    }

    /// The usual case, fast: an address with one of the chain's own prefixes.
    function ownAddress(string memory text) private pure returns (bool, address) {
        uint256 length = bytes(text).length;
        if (length < 40) return (false, address(0));
        string memory hrp = Text.slice(bytes(text), 0, length - 39);
        if (Settings.checksum(hrp) == 0) return (false, address(0));
        return Bech32Codec.decodeUsual(hrp, text);
    }

    function textArgument(bytes calldata args, uint256 at) private pure returns (string memory) {
        if (args.length < at + 32) broken();
        uint256 offset = uint256(bytes32(args[at:]));
        if (offset >= args.length || args.length - offset < 32) broken();
        uint256 length = uint256(bytes32(args[offset:]));
        if (length > args.length - offset - 32) broken();
        return string(args[offset + 32:offset + 32 + length]);
    }

    function broken() private pure {
        assembly ("memory-safe") {
            invalid()
        }
    }
}
