import type { EdrNetworkConfig } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";

import { LOCALNET, NETWORK_KINDS } from "../../chain/facts.js";
import { ChainState } from "../../gas/chain-state.js";
import { GasBuffer, isAboutEstimates } from "../../gas/gas-buffer.js";
import { resolveLocalnet } from "../../localnet/settings.js";
import type { RequestHandler, AnyConnection, NextRequest } from "./handler.js";
import { forward, toErrorResponse } from "./forward.js";
import { precompileAddresses } from "../../config/describe.js";
import { RpcError } from "../../rpc/provider.js";
import { attachLocalnet, closeLocalnet, handleLocalnet } from "./localnet.js";

/** Simulated networks on which the precompiles are there unless the user says otherwise. */
const EMULATED = new Set<string>([LOCALNET.name, "default", "node"]);

/** Handles the requests of a simulated network: emulated precompiles, and the gas buffer on ours. */
export async function createLocalHandler(
  context: HookContext,
  connection: AnyConnection,
  config: EdrNetworkConfig,
): Promise<RequestHandler | undefined> {
  const { dualstack } = context.config;
  const addresses = precompileAddresses(dualstack);
  const emulated = await isEmulated(context, connection.networkName, config);
  const localnet = emulated
    ? await attachLocalnet(
        connection,
        resolveLocalnet(dualstack.localnet, dualstack.facts, addresses),
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

// A fork of the real chain lacks the precompiles too: they have no code that a fork could fetch.
async function isEmulated(
  context: HookContext,
  name: string,
  { forking }: EdrNetworkConfig,
): Promise<boolean> {
  const { localnet, networks } = context.config.dualstack;
  const chosen = localnet?.networks?.[name];
  if (chosen !== undefined || EMULATED.has(name)) {
    return chosen ?? true;
  }
  if (forking === undefined || !forking.enabled) {
    return false;
  }
  const url = await forking.url.getUrl();
  for (const kind of NETWORK_KINDS) {
    const { evmUrl } = await networks[kind].endpoints();
    if (evmUrl !== undefined && url.replace(/\/+$/, "") === evmUrl) {
      return true;
    }
  }
  return false;
}
