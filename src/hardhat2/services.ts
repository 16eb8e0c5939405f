import type { HardhatConfig } from "hardhat/types/config";

import type { ConnectionServices } from "../connection/extension.js";

/**
 * What a network's provider offers; Hardhat creates the provider with the first
 * request, and may replace it later.
 */
interface Slot {
  current: ConnectionServices | undefined;
}

const slots = new WeakMap<HardhatConfig, Map<string, Slot>>();

/** Where a network's provider and the code that uses it meet. */
export function servicesOf(config: HardhatConfig, network: string): Slot {
  const ofConfig = slots.get(config) ?? new Map<string, Slot>();
  slots.set(config, ofConfig);
  const slot = ofConfig.get(network) ?? { current: undefined };
  ofConfig.set(network, slot);
  return slot;
}
