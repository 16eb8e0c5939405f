import * as base from "cosmjs-types/cosmos/base/tendermint/v1beta1/query";
import * as tx from "cosmjs-types/cosmos/tx/v1beta1/service";

import { NODE } from "../node-facts.js";
import { method, type Service } from "./method.js";

/** The queries of the node itself. */
export const BASE: Service = {
  GetSyncing: method(
    base.GetSyncingRequest,
    base.GetSyncingResponse,
    async () => await Promise.resolve({ syncing: false }),
  ),
  GetNodeInfo: method(
    base.GetNodeInfoRequest,
    base.GetNodeInfoResponse,
    async ({ ledger }) =>
      await Promise.resolve({
        defaultNodeInfo: {
          network: ledger.chainId,
          version: NODE.version,
          moniker: NODE.moniker,
        },
        applicationVersion: {
          appName: NODE.app,
          cosmosSdkVersion: NODE.frameworkVersion,
          buildDeps: [
            {
              path: "github.com/cosmos/evm",
              version: NODE.evmVersion,
              sum: "",
            },
          ],
        },
      }),
  ),
};

/** Simulation of transactions. */
export const TX: Service = {
  Simulate: method(
    tx.SimulateRequest,
    tx.SimulateResponse,
    async ({ ledger }, { txBytes }) => ({
      gasInfo: { gasWanted: 0n, gasUsed: await ledger.simulate(txBytes) },
    }),
  ),
};
