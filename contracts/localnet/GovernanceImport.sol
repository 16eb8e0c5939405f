// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {GovernanceConfig} from "./ISystem.sol";
import {Module} from "./Module.sol";
import {Proposals} from "./Proposals.sol";
import {GOVERNANCE_ACCOUNT, IGovernanceKeeper} from "./Types.sol";

/// Writes parameters of another chain's governance module into the books of this one; see StakingImport. Its proposals are not
/// here, only what was deposited for them.
contract GovernanceImport is Proposals {
    constructor(address staking_, address distribution, address governance) Module(staking_, distribution, governance) {}

    function kindOf(bytes4) internal pure override returns (Kind) {
        return Kind.Unknown;
    }

    /// Never reached: there are no methods.
    function run(bytes4, bytes memory) internal pure override returns (bytes memory) {
        return "";
    }

    /// Deposits are all that the module's account has.
    function importGovernance(GovernanceConfig calldata config) external onlySystem {
        IGovernanceKeeper(self()).configure(config);
        depositTotal = uint128(GOVERNANCE_ACCOUNT.balance);
    }
}
