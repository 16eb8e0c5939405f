import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import type { LocalnetControl } from "../localnet/control/control.js";
import { servicesOf } from "./services.js";

/**
 * Controls the local network that exists when a method is called: Hardhat 2
 * creates it with the first request, and tools such as solidity-coverage
 * replace it.
 */
export function localControl({
  config,
  network,
}: HardhatRuntimeEnvironment): LocalnetControl {
  const control = async (): Promise<LocalnetControl> => {
    await network.provider.request({ method: "eth_chainId" });
    const { current } = servicesOf(config, network.name);
    if (current?.localnet === undefined) {
      throw new Error(`The network ${network.name} is not Hardhat's own.`);
    }
    return current.localnet;
  };
  return new Proxy({} as LocalnetControl, {
    // All methods are asynchronous. `then` must be absent, so that it is not
    // taken for a promise.
    get: (_, name) =>
      typeof name !== "string" || name === "then"
        ? undefined
        : async (...args: unknown[]): Promise<unknown> => {
            const target: object = await control();
            const method: unknown = Reflect.get(target, name);
            if (typeof method !== "function") {
              throw new TypeError(`localnet.${name} is not a function`);
            }
            return await (Reflect.apply(
              method,
              target,
              args,
            ) as Promise<unknown>);
          },
  });
}
