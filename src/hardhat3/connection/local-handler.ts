import path from "node:path";

import type { EdrNetworkConfig } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";

import { ChainState } from "../../gas/chain-state.js";
import { GasBuffer, isAboutEstimates } from "../../gas/gas-buffer.js";
import type { ForkGateway } from "../../localnet/fork/gateway.js";
import { type LiveFork, liveForkOf } from "../../localnet/fork/live-fork.js";
import { resolveLocalnet } from "../../localnet/settings/settings.js";
import { isEmulated } from "../config/emulated.js";
import { PLUGIN_ID } from "../constants.js";
import type { RequestHandler, AnyConnection, NextRequest } from "./handler.js";
import { forward, toErrorResponse } from "./forward.js";
import {
  activePrecompiles,
  precompileAddresses,
} from "../../config/describe.js";
import { RpcError } from "../../rpc/provider.js";
import { attachLocalnet, closeLocalnet, handleLocalnet } from "./localnet.js";

/**
 * Handles the requests of a simulated network: emulates the precompiles, and
 * applies the gas buffer on ours.
 */
export async function createLocalHandler(
  context: HookContext,
  connection: AnyConnection,
  config: EdrNetworkConfig,
  gateway: ForkGateway | undefined,
): Promise<RequestHandler | undefined> {
  const { dualstack } = context.config;
  const addresses = precompileAddresses(dualstack);
  const chosen = dualstack.localnet?.networks?.[connection.networkName];
  const live =
    chosen === false
      ? undefined
      : await liveFork(context, connection, config, gateway);
  const emulated =
    live !== undefined || isEmulated(dualstack, connection.networkName);
  const localnet = emulated
    ? await attachLocalnet(
        connection,
        resolveLocalnet(
          dualstack.localnet,
          dualstack.facts,
          addresses,
          activePrecompiles(dualstack),
        ),
        { live },
      )
    : undefined;
  const buffer =
    config.dualstack === undefined
      ? undefined
      : new GasBuffer(
          config.dualstack.gas,
          addresses,
          new ChainState(),
          (method, params) => connection.provider.request({ method, params }),
        );
  if (localnet === undefined && buffer === undefined) {
    return undefined;
  }
  const emulate: (
    request: Parameters<NextRequest>[0],
    next: NextRequest,
  ) => ReturnType<NextRequest> =
    localnet === undefined
      ? (request, next) => next(request)
      : (request, next) => handleLocalnet(connection, request, next);

  return {
    localnet,
    handle: async (request, next) => {
      if (buffer === undefined || !isAboutEstimates(request.method)) {
        return await emulate(request, next);
      }
      try {
        const params = Array.isArray(request.params) ? request.params : [];
        const exchange = { method: request.method, params };
        const result = await buffer.handle(exchange, (x) =>
          forward(x, request, (r) => emulate(r, next), {}),
        );
        return { jsonrpc: "2.0", id: request.id, result };
      } catch (error) {
        if (error instanceof RpcError) {
          return toErrorResponse(request.id, error);
        }
        throw error;
      }
    },
    estimateBehind: (call, limit) => buffer?.estimateBehind(call, limit),
    close: async () => await closeLocalnet(connection),
  };
}

async function liveFork(
  { config: { dualstack }, interruptions }: HookContext,
  { provider }: AnyConnection,
  { forking }: EdrNetworkConfig,
  gateway: ForkGateway | undefined,
): Promise<LiveFork | undefined> {
  if (forking?.enabled !== true) return undefined;
  const { url, httpHeaders, blockNumber, cacheDir } = forking;
  return await liveForkOf(
    dualstack,
    {
      request: async ({ method, params }) =>
        await provider.request({ method, params: [...(params ?? [])] }),
    },
    async () => ({
      // While a snapshot is written, the URL would open another gateway.
      url: gateway?.forked ?? (await url.getUrl()),
      headers: httpHeaders,
      // Next to Hardhat's own cache of forks.
      ...(blockNumber === undefined
        ? {}
        : { cache: gateway?.cache ?? path.dirname(cacheDir) }),
      snapshot: gateway?.snapshot,
      prefetch: async (words, height) => await gateway?.prefetch(words, height),
      onOtherBlock: async () => await gateway?.forget(),
    }),
    (text) => void interruptions.displayMessage(PLUGIN_ID, text),
  );
}
