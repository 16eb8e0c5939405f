// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Of the same name as the interface of a precompile.
interface IStaking {
    function own() external;
}
