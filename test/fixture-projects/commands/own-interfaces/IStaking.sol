// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Has the same name as a precompile's interface.
interface IStaking {
    function own() external;
}
