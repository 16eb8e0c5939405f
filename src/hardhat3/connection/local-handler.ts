import type { HookContext } from "hardhat/types/hooks";

import { ChainState } from "../../gas/chain-state.js";
import { GasBuffer } from "../../gas/gas-buffer.js";
import { RpcError } from "../../rpc/provider.js";
import { precompileAddresses } from "../config/describe.js";
import type { AnyConnection, RequestHandler } from "./attach.js";
import { forward, toErrorResponse } from "./forward.js";

/** Handles the requests of a simulated network: the gas buffer on ours, nothing on others. */
export async function createLocalHandler(
  context: HookContext,
  connection: AnyConnection,
): Promise<RequestHandler | undefined> {
  const options = connection.networkConfig.dualstack;
  if (options === undefined) {
    return undefined;
  }
  const precompiles = precompileAddresses(context.config);
  const buffer = new GasBuffer(
    options.gas,
    precompiles,
    new ChainState(precompiles),
    (method, params) => connection.provider.request({ method, params }),
  );
  return {
    handle: async (request, next) => {
      if (request.method !== "eth_estimateGas") {
        return await next(request);
      }
      try {
        const params = Array.isArray(request.params) ? request.params : [];
        const result = await buffer.handle(
          { method: request.method, params },
          (x) => forward(x, request, next, {}),
        );
        return { jsonrpc: "2.0", id: request.id, result };
      } catch (error) {
        if (error instanceof RpcError) {
          return toErrorResponse(request.id, error);
        }
        throw error;
      }
    },
    estimateBehind: (call, limit) => buffer.estimateBehind(call, limit),
    close: async () => undefined,
  };
}
