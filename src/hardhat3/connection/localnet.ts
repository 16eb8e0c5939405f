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

/** An error that the node answered with, on its way through the engine. */
class FailedAnswer extends Error {
  readonly response: JsonRpcResponse;

  constructor(response: JsonRpcResponse) {
    super("the node answered with an error");
    this.response = response;
  }
}

/** JSON-RPC's code for what the node does not do. */
const REFUSED = -32000;

const engines = new WeakMap<AnyConnection, LocalEngine>();

/**
 * Emulates the precompiles on a simulated connection from now on. A fork of the
 * chain reads what is met there; on a fork of another one they are installed at
 * once.
 */
export async function attachLocalnet(
  connection: AnyConnection,
  settings: LocalnetSettings,
  {
    live,
    ...options
  }: Pick<EngineOptions, "onlyInstructions"> & {
    /** The chain that is forked, where its own state is to be in the books. */
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
    intervalMining: Array.isArray(interval) || interval > 0,
  });
  engines.set(connection, engine);
  if (live !== undefined) engine.fork(live, live.height);
  else if (forked) await engine.install();
  return engine.control;
}

/** What emulates the precompiles on a connection, if they are. */
export const engineOf = (connection: AnyConnection): LocalEngine | undefined =>
  engines.get(connection);

/** What the connection's onRequest hook does with a request. */
export function handleLocalnet(
  connection: AnyConnection,
  request: JsonRpcRequest,
  next: NextRequest,
): Promise<JsonRpcResponse> {
  const engine = engines.get(connection);
  // Nearly all requests end here: nothing is copied.
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
    // What the forked chain itself refuses.
    if (error instanceof RpcError) return toErrorResponse(request.id, error);
    // Hardhat makes its ProviderError of it, which also reaches clients of `hardhat node` with its text.
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

/** Hardhat's handlers write what is missing, such as gas, into the request: one that runs again is to be filled in again. */
const anew = (request: JsonRpcRequest): JsonRpcRequest => ({
  ...request,
  ...(Array.isArray(request.params)
    ? {
        params: request.params.map((one) => (isRecord(one) ? { ...one } : one)),
      }
    : {}),
});

/** Waits for what is running; the connection's requests are refused from then on. */
export async function closeLocalnet(connection: AnyConnection): Promise<void> {
  const engine = engines.get(connection);
  engines.delete(connection);
  await engine?.close();
}

const paramsOf = ({ params }: JsonRpcRequest): readonly unknown[] =>
  Array.isArray(params) ? params : [];
