import * as node from "cosmjs-types/cosmos/base/node/v1beta1/query";
import * as base from "cosmjs-types/cosmos/base/tendermint/v1beta1/query";
import { hexToBytes } from "@noble/hashes/utils";
import { PubKey } from "cosmjs-types/cosmos/crypto/ed25519/keys";

import { abciQuery, type QueryService } from "../abci.js";
import { consensusAddress } from "../consensus.js";
import { headerOf, validatorsAt } from "../node-rpc/blocks.js";
import { NODE } from "../node-facts.js";
import { blockAt, blockMessage, headerMessage } from "./blocks.js";
import { method, type Question, type Service } from "./method.js";
import { paginate } from "./paging.js";

async function validatorSet(
  { ledger }: Question,
  height: bigint,
  pagination: Parameters<typeof paginate>[1],
) {
  const all = await validatorsAt(ledger, height);
  const page = paginate(all, pagination, ({ address }) => hexToBytes(address));
  return {
    blockHeight: height,
    validators: page.items.map(({ address, key, power }) => ({
      address: consensusAddress(ledger.prefix, address),
      pubKey: {
        typeUrl: PubKey.typeUrl,
        value: PubKey.encode({
          key: new Uint8Array(Buffer.from(key, "base64")),
        }).finish(),
      },
      votingPower: power,
      proposerPriority: 0n,
    })),
    // The total is always counted here, and there is no next key.
    pagination: { nextKey: new Uint8Array(), total: BigInt(all.length) },
  };
}

/**
 * Queries of blocks, validators and the node.
 *
 * @param query answers the state queries inside ABCIQuery
 */
export const baseService = (query: QueryService): Service => ({
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
          protocolVersion: { p2p: 8n, block: 11n, app: 0n },
          defaultNodeId: NODE.id,
          listenAddr: NODE.listenAddress,
          network: ledger.chainId,
          version: NODE.version,
          channels: hexToBytes(NODE.channels),
          moniker: NODE.moniker,
          other: { txIndex: "on", rpcAddress: NODE.rpcAddress },
        },
        applicationVersion: {
          appName: NODE.app,
          goVersion: NODE.goVersion,
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
  GetLatestBlock: method(
    base.GetLatestBlockRequest,
    base.GetLatestBlockResponse,
    async ({ ledger }) => await blockMessage(ledger, ledger.head),
  ),
  GetBlockByHeight: method(
    base.GetBlockByHeightRequest,
    base.GetBlockByHeightResponse,
    async ({ ledger }, { height }) =>
      await blockMessage(ledger, await blockAt(ledger, height)),
  ),
  GetLatestValidatorSet: method(
    base.GetLatestValidatorSetRequest,
    base.GetLatestValidatorSetResponse,
    async (question, { pagination }) =>
      await validatorSet(question, question.ledger.height, pagination),
  ),
  GetValidatorSetByHeight: method(
    base.GetValidatorSetByHeightRequest,
    base.GetValidatorSetByHeightResponse,
    async (question, { height, pagination }) => {
      const block = await blockAt(question.ledger, height);
      return await validatorSet(question, block.height, pagination);
    },
  ),
  ABCIQuery: method(
    base.ABCIQueryRequest,
    base.ABCIQueryResponse,
    async ({ ledger }, { path, data, height }) => {
      const answer = await abciQuery(ledger, query, { path, data, height });
      const bytes = (value: Uint8Array | null) => value ?? new Uint8Array();
      return {
        ...answer,
        index: 0n,
        key: bytes(answer.key),
        value: bytes(answer.value),
      };
    },
  ),
});

/** Queries of the node's status and configuration. */
export const NODE_SERVICE: Service = {
  Status: method(
    node.StatusRequest,
    node.StatusResponse,
    async ({ ledger }) => {
      const header = headerMessage(await headerOf(ledger, ledger.head));
      return {
        earliestStoreHeight: ledger.firstHeight,
        height: header.height,
        timestamp: header.time,
        appHash: header.appHash,
        validatorHash: header.validatorsHash,
      };
    },
  ),
  Config: method(
    node.ConfigRequest,
    node.ConfigResponse,
    async () =>
      await Promise.resolve({
        minimumGasPrice: "",
        pruningKeepRecent: "0",
        pruningInterval: "0",
        haltHeight: 0n,
      }),
  ),
};
