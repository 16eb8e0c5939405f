import { BackwardsCompatibilityProviderAdapter } from "hardhat/internal/core/providers/backwards-compatibility";
import { ProviderError } from "hardhat/internal/core/providers/errors";
import { HARDHAT_NETWORK_NAME, ProviderWrapper } from "hardhat/plugins";
import type { HardhatConfig } from "hardhat/types/config";
import type {
  EIP1193Provider,
  EthereumProvider,
  RequestArguments,
} from "hardhat/types/provider";

import { ZERO_ADDRESS } from "../address/zero.js";
import { activePrecompiles, precompileAddresses } from "../config/describe.js";
import type { ConnectionServices } from "../connection/extension.js";
import { ChainState } from "../gas/chain-state.js";
import { GasBuffer, isAboutEstimates } from "../gas/gas-buffer.js";
import type { LocalnetControl } from "../localnet/control/control.js";
import { LocalEngine } from "../localnet/engine.js";
import { type Forking, liveForkOf } from "../localnet/fork/live-fork.js";
import { resolveLocalnet } from "../localnet/settings/settings.js";
import { RpcError } from "../rpc/provider.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import { errorText } from "../support/text.js";
import { findEdr, providersIn } from "./edr/raw-trace.js";
import { EdrTracer } from "./edr/tracer.js";
import { isEmulated } from "./emulated.js";
import { gatewayOf, openGateway } from "./fork-gateway.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import { servicesOf } from "./services.js";

/** JSON-RPC's error code for a request that the node refuses. */
const REFUSED = -32000;

/** Wraps Hardhat's own network: emulates the precompiles, and applies the gas buffer. */
class LocalProvider extends ProviderWrapper implements ConnectionServices {
  readonly #engine: LocalEngine | undefined;
  readonly #tracer: EdrTracer | undefined;
  readonly #buffer: GasBuffer;
  readonly #config: HardhatConfig;
  /** What is forked, according to the configuration or the last `hardhat_reset`. */
  #forking: Forking | undefined;
  #installing: Promise<void> | undefined;

  constructor(provider: EIP1193Provider, config: HardhatConfig) {
    super(provider);
    const { dualstack } = config;
    const {
      mining,
      forking,
      gas,
      blockGasLimit,
      dualstack: options,
    } = config.networks[HARDHAT_NETWORK_NAME];
    const addresses = precompileAddresses(dualstack);
    this.#config = config;
    this.#forking =
      forking?.enabled === true
        ? {
            url: gatewayOf(config)?.forked ?? forking.url,
            headers: forking.httpHeaders,
            ...(forking.blockNumber === undefined
              ? {}
              : { cache: config.paths.cache }),
            ...throughGateway(config),
            snapshot: gatewayOf(config)?.snapshot,
          }
        : undefined;
    this.#buffer = new GasBuffer(
      options?.gas ?? dualstack.gas,
      addresses,
      new ChainState(),
      async (method, params) => await provider.request({ method, params }),
    );
    if (!isEmulated(config)) {
      return;
    }
    const { interval } = mining;
    this.#tracer = new EdrTracer(provider, addresses);
    this.#engine = new LocalEngine({
      provider: {
        request: async ({ method, params }) =>
          await provider.request({ method, params: [...(params ?? [])] }),
      },
      settings: resolveLocalnet(
        dualstack.localnet,
        dualstack.facts,
        addresses,
        activePrecompiles(dualstack),
      ),
      forked: this.#forking !== undefined,
      intervalMining: Array.isArray(interval) || interval > 0,
      // A trace gets the block's gas limit by itself.
      ...(gas === "auto" || gas === blockGasLimit
        ? {}
        : { defaultGas: BigInt(gas) }),
      estimatesLoosely: gas === "auto",
      tracer: this.#tracer,
    });
  }

  get engine(): LocalEngine | undefined {
    return this.#engine;
  }

  get localnet(): LocalnetControl | undefined {
    return this.#engine?.control;
  }

  estimateBehind(
    call: { readonly to?: string; readonly data?: string },
    limit: bigint,
  ): bigint | undefined {
    return this.#buffer.estimateBehind(call, limit);
  }

  async #installOnFork(engine: LocalEngine, forking: Forking): Promise<void> {
    const provider = this._wrappedProvider;
    try {
      await leaveForkedBlock(provider);
      const live = await liveForkOf(
        this.#config.dualstack,
        {
          request: async ({ method, params }) =>
            await provider.request({ method, params: [...(params ?? [])] }),
        },
        async () => await Promise.resolve(forking),
        (text) => console.warn(`[${PLUGIN_ID}] ${text}`),
      );
      if (live === undefined) {
        await engine.install();
        return;
      }
      const head = await provider.request({ method: "eth_blockNumber" });
      engine.fork(live, fromQuantity(head, "the head's number"));
    } catch (error) {
      this.#installing = undefined;
      throw error;
    }
  }

  /** Starts again, with another fork or none. */
  async #reset(params: readonly unknown[]): Promise<unknown> {
    const forking = forkingOf(params[0], this.#config.paths.cache);
    const gateway = await openGateway(this.#config, forking);
    const args = {
      method: "hardhat_reset",
      params:
        gateway === undefined ? params : [forkedBy(gateway.url, params[0])],
    };
    const pass = async () => await this._wrappedProvider.request(args);
    const result = await (this.#engine?.handle(args, pass) ?? pass());
    this.#installing = undefined;
    this.#forking =
      forking === undefined
        ? undefined
        : { ...forking, ...throughGateway(this.#config) };
    return result;
  }

  async request(args: RequestArguments): Promise<unknown> {
    const { method } = args;
    const params = this._getParams(args);
    const engine = this.#engine;
    try {
      if (method === "hardhat_reset") return await this.#reset(params);
      if (this.#forking !== undefined && engine !== undefined) {
        await (this.#installing ??= this.#installOnFork(engine, this.#forking));
      }
      const pass = async () =>
        engine === undefined || engine.passes(method, params)
          ? await this._wrappedProvider.request(args)
          : await engine.handle({ method, params }, () =>
              this._wrappedProvider.request(args),
            );
      return isAboutEstimates(method)
        ? await this.#buffer.handle({ method, params: [...params] }, pass)
        : await pass();
    } catch (error) {
      if (error instanceof RpcError) throw refusalOf(error);
      engine?.nameFrames(error);
      throw DualstackError.is(error)
        ? new ProviderError(error.message, REFUSED, error)
        : error;
    } finally {
      this.#tracer?.tidy();
    }
  }
}

/** The parts of a fork that use the gateway to the chain, if there is one. */
const throughGateway = (
  config: HardhatConfig,
): Pick<Forking, "prefetch" | "onOtherBlock"> => ({
  prefetch: async (words, height) =>
    await gatewayOf(config)?.prefetch(words, height),
  onOtherBlock: async () => await gatewayOf(config)?.forget(),
});

/** The error for what the forked chain itself refuses. */
function refusalOf(error: RpcError): ProviderError {
  const refusal = new ProviderError(error.serverMessage, error.code, error);
  refusal.data = error.data;
  return refusal;
}

/** The options of `hardhat_reset` with another URL. */
function forkedBy(jsonRpcUrl: string, options: unknown): object {
  const { forking, ...rest } = isRecord(options) ? options : {};
  return {
    ...rest,
    forking: { ...(isRecord(forking) ? forking : {}), jsonRpcUrl },
  };
}

/** What `hardhat_reset` is asked to fork. */
function forkingOf(
  options: unknown,
  cache: string,
): (Forking & { readonly height?: bigint }) | undefined {
  const forking = isRecord(options) ? options.forking : undefined;
  if (!isRecord(forking) || typeof forking.jsonRpcUrl !== "string") {
    return undefined;
  }
  return {
    url: forking.jsonRpcUrl,
    ...(isRecord(forking.httpHeaders)
      ? { headers: forking.httpHeaders as Record<string, string> }
      : {}),
    ...(typeof forking.blockNumber === "number"
      ? { cache, height: BigInt(forking.blockNumber) }
      : {}),
  };
}

/**
 * Mines a block on top of the forked one. Hardhat 2.29 does not pass on the
 * hard forks that a configuration has for a chain, so nothing can run on a
 * block of the forked chain itself.
 */
async function leaveForkedBlock(provider: EIP1193Provider): Promise<void> {
  try {
    const call = { to: ZERO_ADDRESS };
    await provider.request({ method: "eth_call", params: [call, "latest"] });
  } catch (error) {
    if (!/No known hardfork/i.test(errorText(error))) {
      throw error;
    }
    await provider.request({ method: "evm_mine", params: [] });
  }
}

export function extendLocalProvider(
  provider: EIP1193Provider,
  config: HardhatConfig,
): LocalProvider {
  const local = new LocalProvider(provider, config);
  servicesOf(config, HARDHAT_NETWORK_NAME).current = local;
  return local;
}

/** Does the same for an existing provider of Hardhat's own network; returns any other as it is. */
export function adoptLocalProvider(
  provider: EthereumProvider,
  config: HardhatConfig,
): EthereumProvider {
  const stack = [...providersIn(provider)];
  const isForeign =
    findEdr(provider) !== undefined &&
    !stack.some((inner) => inner instanceof LocalProvider);
  return isForeign
    ? new BackwardsCompatibilityProviderAdapter(
        extendLocalProvider(provider, config),
      )
    : provider;
}
