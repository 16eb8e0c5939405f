import * as node from "cosmjs-types/cosmos/base/node/v1beta1/query";
import * as base from "cosmjs-types/cosmos/base/tendermint/v1beta1/query";
import { hexToBytes } from "@noble/hashes/utils";
import { PubKey } from "cosmjs-types/cosmos/crypto/ed25519/keys";

import { abciQuery, type QueryService } from "../abci.js";
import { consensusAddress } from "../consensus.js";
import { headerOf, validatorsAt } from "../node-rpc/blocks.js";
import { invalidArgument, plainFault } from "../fault.js";
import { NODE } from "../node-facts.js";
import { blockAt, blockMessage, headerMessage } from "./blocks.js";
import { given, method, type Question, type Service } from "./method.js";
import { DEFAULT_LIMIT, type PageRequest } from "./paging.js";

/** Most validators that a node lists at once. */
const MOST_VALIDATORS = 100n;

const isNegative = (value: bigint) => BigInt.asIntN(64, value) < 0n;

/**
 * Returns the page of validators that the framework asks its node for: pages
 * begin at multiples of the limit.
 *
 * @throws Fault when the page is beyond the last validator
 */
async function validatorSet(
  { ledger }: Question,
  height: bigint,
  pagination: PageRequest | undefined,
) {
  const { offset = 0n, limit: asked = DEFAULT_LIMIT } = pagination ?? {};
  if (isNegative(offset)) throw invalidArgument("offset must greater than 0");
  if (isNegative(asked)) throw invalidArgument("limit must greater than 0");
  const limit = asked === 0n ? DEFAULT_LIMIT : asked;
  const page = offset / limit + 1n;
  const size = Number(limit > MOST_VALIDATORS ? MOST_VALIDATORS : limit);
  const all = await validatorsAt(ledger, height);
  const pages = Math.max(1, Math.ceil(all.length / size));
  if (page > BigInt(pages)) {
    throw plainFault(
      `page should be within [1, ${pages}] range, given ${page}`,
    );
  }
  const from = (Number(page) - 1) * size;
  return {
    blockHeight: height,
    validators: all.slice(from, from + size).map(({ address, key, power }) => ({
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
      const block = await blockAt(
        question.ledger,
        height,
        "requested block height is bigger then the chain length",
      );
      return await validatorSet(question, block.height, pagination);
    },
  ),
  ABCIQuery: method(
    base.ABCIQueryRequest,
    base.ABCIQueryResponse,
    async ({ ledger }, { path, data, height }) => {
      given(path, "empty query path");
      if (!/^\/?(?:app|store|p2p|custom)(?:\/|$)/.test(path)) {
        throw invalidArgument(
          `unsupported ABCI query path: ${path.slice(0, 200)}`,
        );
      }
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
