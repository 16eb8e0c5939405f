import { HARDHAT_NETWORK_NAME } from "hardhat/plugins";
import type { HardhatConfig } from "hardhat/types/config";

/** Whether the precompiles are emulated; the configuration can switch them off. */
export const isEmulated = ({ dualstack }: HardhatConfig): boolean =>
  dualstack.localnet?.networks?.[HARDHAT_NETWORK_NAME] ?? true;
