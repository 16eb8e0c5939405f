// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Bech32Codec} from "./Bech32Codec.sol";
import {Text} from "./Text.sol";
import {BONDED_POOL, DISTRIBUTION_ACCOUNT, FEE_COLLECTOR, GOVERNANCE_ACCOUNT, NOT_BONDED_POOL} from "../common/Types.sol";

/// Addresses in the chain's forms: decoded from arguments as the chain does it, and encoded for answers. `failure` is
/// empty if the text was understood.
library Account {
    function operatorText(string memory prefix, address operator) internal pure returns (string memory) {
        return Bech32Codec.encode(string.concat(prefix, "valoper"), operator);
    }

    function text(string memory prefix, address account) internal pure returns (string memory) {
        return Bech32Codec.encode(prefix, account);
    }

    /// The modules' codec: bech32 with the expected prefix, or hexadecimal.
    function read(string memory hrp, string memory input) internal pure returns (string memory failure, address account) {
        bool usual;
        (usual, account) = Bech32Codec.decodeUsual(hrp, input);
        if (usual) return ("", account);
        if (bytes(Text.trim(input)).length == 0) return ("empty address string is not allowed: invalid address", account);
        bool isHex;
        (isHex, account) = Text.parseHexAddress(input);
        if (isHex) return ("", account);
        string memory got;
        bytes memory data;
        (failure, got, data) = Bech32Codec.decode(input);
        if (bytes(failure).length != 0) return (string.concat("unknown address format: ", input, ": unknown address"), account);
        if (!Text.equal(got, hrp)) return (wrongPrefix(hrp, got), account);
        return (wrongLength(data), fromBytes(data));
    }

    function wrongLength(bytes memory data) private pure returns (string memory) {
        if (data.length == 0) return "addresses cannot be empty: unknown address";
        if (data.length < 256) return "";
        return string.concat("address max length is 255, got ", Text.number(data.length), ": unknown address");
    }

    function wrongPrefix(string memory wanted, string memory got) private pure returns (string memory) {
        return string.concat("hrp does not match bech32 prefix: expected '", wanted, "' got '", got, "': internal logic error");
    }

    function readOperator(string memory prefix, string memory input) internal pure returns (string memory failure, address operator) {
        return read(string.concat(prefix, "valoper"), input);
    }

    /// The framework's strict decoder, for events and some queries: bech32 only.
    function readStrict(string memory hrp, string memory input) internal pure returns (string memory failure, address account) {
        bool usual;
        (usual, account) = Bech32Codec.decodeUsual(hrp, input);
        if (usual) return ("", account);
        if (bytes(Text.trim(input)).length == 0) return ("empty address string is not allowed", account);
        string memory got;
        bytes memory data;
        (failure, got, data) = Bech32Codec.decode(input);
        if (bytes(failure).length != 0) return (failure, account);
        if (!Text.equal(got, hrp)) return (string.concat("invalid Bech32 prefix; expected ", hrp, ", got ", got), account);
        return (wrongLength(data), fromBytes(data));
    }

    /// An account's, operator's or consensus address, in bech32 only; of more than 20 bytes only the last 20 are kept.
    function readAny(string memory prefix, string memory input) internal pure returns (string memory failure, address account) {
        bool usual;
        (usual, account) = Bech32Codec.decodeUsual(string.concat(prefix, "valoper"), input);
        if (usual) return ("", account);
        if (bytes(Text.trim(input)).length == 0) return ("empty address string is not allowed", account);
        string memory got;
        bytes memory data;
        (failure, got, data) = Bech32Codec.decode(input);
        if (bytes(failure).length != 0) return (failure, account);
        string memory consensus = string.concat(prefix, "valcons");
        if (!Text.equal(got, prefix) && !Text.equal(got, string.concat(prefix, "valoper")) && !Text.equal(got, consensus)) {
            return (string.concat("invalid Bech32 prefix; expected ", consensus, ", got ", got), account);
        }
        return (wrongLength(data), Bech32Codec.lastBytes(data));
    }

    /// The chain has accounts of other lengths than 20 bytes, but none of them has anything here.
    function fromBytes(bytes memory data) private pure returns (address) {
        return data.length == 20 ? address(bytes20(data)) : address(uint160(uint256(keccak256(data))));
    }

    /// Accounts that must not receive tokens from users: module accounts, and precompiles of the chain and of the EVM.
    function blocked(address account) internal pure returns (bool) {
        uint160 n = uint160(account);
        if ((n > 0 && n <= 0x11) || n == 0x100 || n == 0x400 || (n >= 0x800 && n <= 0x807) || n == 0x900) return true;
        return isModule(account);
    }

    function isModule(address account) internal pure returns (bool) {
        return account == BONDED_POOL || account == NOT_BONDED_POOL || account == DISTRIBUTION_ACCOUNT
            || account == GOVERNANCE_ACCOUNT || account == FEE_COLLECTOR;
    }
}
