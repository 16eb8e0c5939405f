import { ProviderError } from "hardhat/internal/core/providers/errors";
import { HARDHAT_NETWORK_NAME, ProviderWrapper } from "hardhat/plugins";
import type { HardhatConfig } from "hardhat/types/config";
import type { EIP1193Provider, RequestArguments } from "hardhat/types/provider";

import { precompileAddresses } from "../config/describe.js";
import type { ConnectionServices } from "../connection/extension.js";
import type { LocalnetControl } from "../localnet/control.js";
import { LocalEngine } from "../localnet/engine.js";
import { resolveLocalnet } from "../localnet/settings.js";
import { DualstackError } from "../support/errors.js";
import { EdrTracer } from "./edr/tracer.js";
import { isEmulated } from "./emulated.js";
import { servicesOf } from "./services.js";

/** JSON-RPC's code for what the node does not do. */
const REFUSED = -32000;

/** Emulates the precompiles on Hardhat's own network. */
class LocalProvider extends ProviderWrapper implements ConnectionServices {
  readonly #engine: LocalEngine;
  #ready: Promise<void> | undefined;

  constructor(provider: EIP1193Provider, config: HardhatConfig) {
    super(provider);
    const { dualstack } = config;
    const { mining, forking } = config.networks[HARDHAT_NETWORK_NAME];
    const { interval } = mining;
    const forked = forking?.enabled === true;
    this.#engine = new LocalEngine({
      provider: {
        request: async ({ method, params }) =>
          await provider.request({ method, params: [...(params ?? [])] }),
      },
      settings: resolveLocalnet(
        dualstack.localnet,
        dualstack.facts,
        precompileAddresses(dualstack),
      ),
      forked,
      intervalMining: Array.isArray(interval) || interval > 0,
      tracer: new EdrTracer(provider),
    });
    this.#ready = forked ? this.#engine.install() : undefined;
  }

  get localnet(): LocalnetControl {
    return this.#engine.control;
  }

  async request(args: RequestArguments): Promise<unknown> {
    try {
      if (this.#ready !== undefined) {
        await this.#ready;
        this.#ready = undefined;
      }
      const { method } = args;
      return await this.#engine.handle(
        { method, params: this._getParams(args) },
        async () => await this._wrappedProvider.request(args),
      );
    } catch (error) {
      throw DualstackError.is(error)
        ? new ProviderError(error.message, REFUSED, error)
        : error;
    }
  }
}

export function extendLocalProvider(
  provider: EIP1193Provider,
  config: HardhatConfig,
): EIP1193Provider {
  if (!isEmulated(config)) {
    return provider;
  }
  const local = new LocalProvider(provider, config);
  servicesOf(config, HARDHAT_NETWORK_NAME).current = local;
  return local;
}
