// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

/// @dev The bank precompile's address, on networks that have it.
address constant BANK_ADDRESS = 0x0000000000000000000000000000000000000804;

/// @dev The bank precompile: `BANK.balances(address(this))`.
IBank constant BANK = IBank(BANK_ADDRESS);

/// @title The bank module of the chain
/// @notice Only has coins that are ERC-20 tokens as well: each is listed by its token's address, the native coin by
/// 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE. Amounts are base units. Errors revert with a text, as `Error(string)`.
/// @dev Not active on every network of the family. The address has no code, so where the precompile is missing a low-level
/// call succeeds with no data.
interface IBank {
    /// @param contractAddress the coin's ERC-20 token
    /// @param amount          base units
    struct Balance {
        address contractAddress;
        uint256 amount;
    }

    /// @notice The balances of an account.
    function balances(address account) external view returns (Balance[] memory balances);

    /// @notice The total supply of every coin.
    function totalSupply() external view returns (Balance[] memory totalSupply);

    /// @notice The total supply of one coin; zero for an address that is not a coin's token.
    /// @param erc20Address the coin's ERC-20 token
    /// @return totalSupply base units
    function supplyOf(address erc20Address) external view returns (uint256 totalSupply);
}
