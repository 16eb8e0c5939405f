import { AsyncLocalStorage } from "node:async_hooks";

import type { HttpNetworkConfig } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import type { NetworkDescription } from "../../config/network-description.js";
import { createNodePipeline, shareNode } from "../../node/node-pipeline.js";
import { failureNotice, multiplierNotice } from "../../node/notices.js";
import type { Exchange } from "../../rpc/pipeline.js";
import { RpcError } from "../../rpc/provider.js";
import { explainMissing } from "../../sending/explain-missing.js";
import { PLUGIN_ID } from "../constants.js";
import { toPluginError } from "../errors.js";
import type { DualstackNetworkOptions } from "../types.js";
import type { AnyConnection, NextRequest, RequestHandler } from "./handler.js";
import { forward, placeOf, toErrorResponse } from "./forward.js";
import { namingCaller, Wallet } from "./wallet.js";

/** The connection whose own requests are under way: these do not pass the layers again. */
const asking = new AsyncLocalStorage<AnyConnection>();

const warned = new Set<string>();

/** Handles the requests of a connection to one of the chain's networks. */
export async function createChainHandler(
  context: HookContext,
  connection: AnyConnection,
  config: HttpNetworkConfig,
  options: DualstackNetworkOptions,
  network: NetworkDescription,
): Promise<RequestHandler> {
  const url = await config.url.getUrl();
  const place = placeOf(connection.networkName, url);
  const node = shareNode(url, network.chainId, network.precompiles);
  const ask = (method: string, params: unknown[] = []) =>
    asking.run(connection, () =>
      connection.provider.request({ method, params }),
    );
  const wallet =
    options.lazyAccounts === true
      ? new Wallet(context, connection, config, options, ask)
      : undefined;

  await warnOnce(
    context,
    `${connection.networkName} multiplier`,
    multiplierNotice(options.gas, connection.networkName),
  );

  const { layer, gas, sending } = createNodePipeline({
    chainId: config.chainId ?? network.chainId,
    gas: options.gas,
    precompiles: network.precompiles,
    node,
    ask,
    place,
    timeoutMs: config.timeout,
    again: (method, params) =>
      asking.exit(() => connection.provider.request({ method, params })),
    // Hardhat's own accounts and the ledger plugin's ask for a nonce; a node's
    // must be given one.
    signerAsksForNonce: config.accounts !== "remote",
    defaultSender: async () => config.from ?? (await firstAccount(connection)),
    explainMissing: (hash) =>
      explainMissing(network.endpoints.nodeRpcUrl, hash, config.httpHeaders),
    onFailure: async (hash, failure) =>
      await context.interruptions.displayMessage(
        PLUGIN_ID,
        failureNotice(
          hash,
          { name: connection.networkName, kind: network.kind },
          failure,
        ),
      ),
  });

  const run = async (
    request: JsonRpcRequest,
    next: NextRequest,
  ): Promise<JsonRpcResponse> => {
    const exchange: Exchange = {
      method: request.method,
      params: Array.isArray(request.params) ? request.params : [],
    };
    const send = (x: Exchange) =>
      forward(wallet === undefined ? x : namingCaller(x), request, next, place);
    try {
      const result =
        asking.getStore() === connection
          ? await send(exchange)
          : await layer.handle(exchange, send);
      return { jsonrpc: "2.0", id: request.id, result };
    } catch (error) {
      if (error instanceof RpcError) {
        return toErrorResponse(request.id, error);
      }
      throw asking.getStore() === connection ? error : toPluginError(error);
    }
  };

  return {
    handle: async (request, next) => {
      if (request.method === "hardhat_getAutomine") {
        // Blocks are final at once on this chain. Ignition takes this to mean
        // that one confirmation is enough.
        return { jsonrpc: "2.0", id: request.id, result: true };
      }
      return (
        (await wallet?.handle(request, next)) ?? (await run(request, next))
      );
    },
    estimateBehind: (call, limit) => gas.estimateBehind(call, limit),
    turns: sending,
    close: async () => {
      sending.close();
      await wallet?.close();
    },
  };
}

async function firstAccount(
  connection: AnyConnection,
): Promise<string | undefined> {
  const accounts = await asking.exit(() =>
    connection.provider.request({ method: "eth_accounts" }),
  );
  return Array.isArray(accounts) && typeof accounts[0] === "string"
    ? accounts[0]
    : undefined;
}

async function warnOnce(
  context: HookContext,
  key: string,
  text: string | undefined,
): Promise<void> {
  if (text !== undefined && !warned.has(key)) {
    warned.add(key);
    await context.interruptions.displayMessage(PLUGIN_ID, text);
  }
}
