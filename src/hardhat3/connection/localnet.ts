import type { ChainType, NetworkConnection } from "hardhat/types/network";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import { type EngineOptions, LocalEngine } from "../../localnet/engine.js";
import type { LocalnetControl } from "../../localnet/control/control.js";
import type { LiveFork } from "../../localnet/fork/live-fork.js";
import type { LocalnetSettings } from "../../localnet/settings/settings.js";
import { RpcError } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { toErrorResponse } from "./forward.js";

type AnyConnection = NetworkConnection<ChainType | string>;
type NextRequest = (request: JsonRpcRequest) => Promise<JsonRpcResponse>;

/** An error answered by the node, on its way through the engine. */
class FailedAnswer extends Error {
  readonly response: JsonRpcResponse;

  constructor(response: JsonRpcResponse) {
    super("the node answered with an error");
    this.response = response;
  }
}

/** JSON-RPC's error code for a request that the node refuses. */
const REFUSED = -32000;

const engines = new WeakMap<AnyConnection, LocalEngine>();

/**
 * Emulates the precompiles on a simulated connection from now on. A fork of the
 * chain reads state as it is met; on a fork of any other chain they are
 * installed at once.
 */
export async function attachLocalnet(
  connection: AnyConnection,
  settings: LocalnetSettings,
  {
    live,
    ...options
  }: Pick<EngineOptions, "onlyInstructions"> & {
    /** The forked chain, if its own state is to be read into the emulation. */
    readonly live?: LiveFork;
  } = {},
): Promise<LocalnetControl> {
  const { networkConfig } = connection;
  const simulated =
    networkConfig.type === "edr-simulated" ? networkConfig : undefined;
  const interval = simulated?.mining.interval ?? 0;
  const forked = simulated?.forking?.enabled === true;
  const engine = new LocalEngine({
    provider: {
      request: ({ method, params }) =>
        connection.provider.request({ method, params: [...(params ?? [])] }),
    },
    ...options,
    settings,
    forked,
    ...(simulated === undefined || simulated.gas === "auto"
      ? {}
      : { defaultGas: simulated.gas }),
    // Versions of Hardhat without the setting search in that way.
    estimatesLoosely: simulated?.gasEstimationMode !== "noInternalOutOfGas",
    intervalMining: Array.isArray(interval) || interval > 0,
  });
  engines.set(connection, engine);
  if (live !== undefined) engine.fork(live, live.height);
  else if (forked) await engine.install();
  return engine.control;
}

/** The engine that emulates the precompiles on a connection, if there is one. */
export const engineOf = (connection: AnyConnection): LocalEngine | undefined =>
  engines.get(connection);

/** Handles a request in the connection's onRequest hook. */
export function handleLocalnet(
  connection: AnyConnection,
  request: JsonRpcRequest,
  next: NextRequest,
): Promise<JsonRpcResponse> {
  const engine = engines.get(connection);
  // Nearly all requests end here, so nothing is copied before.
  if (engine === undefined) return next(request);
  return engine.passes(request.method, paramsOf(request))
    ? next(request).catch((error: unknown) => {
        engine.nameFrames(error);
        throw error;
      })
    : handle(engine, request, next);
}

async function handle(
  engine: LocalEngine,
  request: JsonRpcRequest,
  next: NextRequest,
): Promise<JsonRpcResponse> {
  try {
    const result = await engine.handle(
      { method: request.method, params: paramsOf(request) },
      async () => {
        const response = await next(anew(request));
        if ("error" in response) throw new FailedAnswer(response);
        return response.result;
      },
    );
    return { jsonrpc: "2.0", id: request.id, result };
  } catch (error) {
    if (error instanceof FailedAnswer) return error.response;
    // The forked chain itself refused.
    if (error instanceof RpcError) return toErrorResponse(request.id, error);
    // Hardhat makes its ProviderError of it, whose text also reaches clients of
    // `hardhat node`.
    if (DualstackError.is(error)) {
      return {
        jsonrpc: "2.0",
        id: request.id,
        error: { code: REFUSED, message: error.message },
      };
    }
    engine.nameFrames(error);
    throw error;
  }
}

/**
 * A fresh copy: Hardhat's handlers fill missing fields, such as gas, into the
 * request, which may run again.
 */
const anew = (request: JsonRpcRequest): JsonRpcRequest => ({
  ...request,
  ...(Array.isArray(request.params)
    ? {
        params: request.params.map((one) => (isRecord(one) ? { ...one } : one)),
      }
    : {}),
});

/** Waits for requests under way, and refuses all later ones. */
export async function closeLocalnet(connection: AnyConnection): Promise<void> {
  const engine = engines.get(connection);
  engines.delete(connection);
  await engine?.close();
}

const paramsOf = ({ params }: JsonRpcRequest): readonly unknown[] =>
  Array.isArray(params) ? params : [];
