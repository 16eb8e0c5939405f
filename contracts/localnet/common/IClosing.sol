// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IStakingClosing {
    /// What the engine reads after a transaction: the hash of the postponed payments, whether the end of this block updates
    /// the validator set, the edition of the Directory, whether all module accounts but that of the governance module have
    /// what the books say, and what that one has. `known`: the operators of validators by number, as far as the caller knows
    /// them, which spares reading them; `operators`: these if they were not right, otherwise none.
    function closing(address[] calldata known)
        external
        view
        returns (bytes32 debts, bool setChanged, uint16 edition, bool balanced, uint256 deposits, address[] memory operators);
}

interface IDistributionClosing {
    /// What the distribution module's account must hold, in base units, including the rewards of these validators.
    function booked(address[] calldata operators) external view returns (uint256);
}
