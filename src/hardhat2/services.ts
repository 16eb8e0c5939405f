import type { HardhatConfig } from "hardhat/types/config";

import type { ConnectionServices } from "../connection/extension.js";

/** What stands between Hardhat and a network; Hardhat makes it with the first request, and may make another later. */
interface Slot {
  current: ConnectionServices | undefined;
}

const slots = new WeakMap<HardhatConfig, Map<string, Slot>>();

/** Where the provider of a network and what is offered for it meet. */
export function servicesOf(config: HardhatConfig, network: string): Slot {
  const ofConfig = slots.get(config) ?? new Map<string, Slot>();
  slots.set(config, ofConfig);
  const slot = ofConfig.get(network) ?? { current: undefined };
  ofConfig.set(network, slot);
  return slot;
}
