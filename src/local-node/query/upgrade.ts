import * as upgrade from "cosmjs-types/cosmos/upgrade/v1beta1/query";

import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { parseAddress } from "../../address/index.js";
import { notFound } from "../fault.js";
import { method, type Service } from "./method.js";

/**
 * The modules with their consensus versions in the framework release imitated
 * here.
 */
const MODULES: Readonly<Record<string, bigint>> = {
  auth: 6n,
  bank: 4n,
  consensus: 1n,
  distribution: 3n,
  evm: 1n,
  feemarket: 1n,
  gov: 5n,
  mint: 3n,
  slashing: 4n,
  staking: 5n,
  upgrade: 2n,
};

/** Queries of the upgrade module; no upgrade is ever planned here. */
export const UPGRADE: Service = {
  CurrentPlan: method(
    upgrade.QueryCurrentPlanRequest,
    upgrade.QueryCurrentPlanResponse,
    async () => await Promise.resolve({}),
  ),
  AppliedPlan: method(
    upgrade.QueryAppliedPlanRequest,
    upgrade.QueryAppliedPlanResponse,
    async () => await Promise.resolve({ height: 0n }),
  ),
  ModuleVersions: method(
    upgrade.QueryModuleVersionsRequest,
    upgrade.QueryModuleVersionsResponse,
    async (_question, { moduleName }) => {
      const moduleVersions = Object.entries(MODULES)
        .filter(([name]) => moduleName === "" || name === moduleName)
        .map(([name, version]) => ({ name, version }));
      if (moduleVersions.length === 0) {
        throw notFound(
          `x/upgrade: QueryModuleVersions module ${moduleName.slice(0, 60)} not found`,
        );
      }
      return await Promise.resolve({ moduleVersions });
    },
  ),
  Authority: method(
    upgrade.QueryAuthorityRequest,
    upgrade.QueryAuthorityResponse,
    async ({ ledger: { prefix } }) =>
      await Promise.resolve({
        address: parseAddress(MODULE_ACCOUNTS.governance, { prefix }).account,
      }),
  ),
};
