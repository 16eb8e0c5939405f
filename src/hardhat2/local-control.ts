import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import type { LocalnetControl } from "../localnet/control/control.js";
import { servicesOf } from "./services.js";

/**
 * The control of the local network as it stands when one of its methods is
 * called: Hardhat 2 makes the network with the first request, and tools such
 * as solidity-coverage put another one in its place.
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
    // All its methods are asynchronous. It is no promise, whoever asks.
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
