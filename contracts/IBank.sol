// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

/// @dev Where the bank precompile lives, on networks that have it.
address constant BANK_ADDRESS = 0x0000000000000000000000000000000000000804;

/// @dev The bank precompile: `BANK.balances(address(this))`.
IBank constant BANK = IBank(BANK_ADDRESS);

/// @title The bank module of the chain
/// @notice Coins that are also ERC-20 tokens: each stands under its token's address, the native coin under
/// 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE. Coins without a token are left out. Amounts are base units.
/// Errors revert with a text, as `Error(string)`.
/// @dev Not every network of the family has it active. There is no code at the address, so a low-level call succeeds with no
/// data where the precompile is missing.
interface IBank {
    /// @param contractAddress the coin's ERC-20 token
    /// @param amount          base units
    struct Balance {
        address contractAddress;
        uint256 amount;
    }

    /// @notice What an account holds.
    function balances(address account) external view returns (Balance[] memory balances);

    /// @notice All there is of every coin.
    function totalSupply() external view returns (Balance[] memory totalSupply);

    /// @notice All there is of one coin; zero for an address that is no coin's token.
    /// @param erc20Address the coin's ERC-20 token
    /// @return totalSupply base units
    function supplyOf(address erc20Address) external view returns (uint256 totalSupply);
}
