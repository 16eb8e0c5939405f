import type { NetworkKind } from "../chain/index.js";
import type { GasSettings } from "../gas/settings.js";

import type { LocalNode, LocalNodeOptions } from "../local-node/index.js";

export type * from "../connection/types.js";
export type {
  LocalNode,
  LocalNodeAccount,
  LocalNodeOptions,
} from "../local-node/index.js";
export type { LocalNodeEndpoints } from "../local-node/start.js";

/** `hre.dualstack`. */
export interface DualstackEnvironment {
  /**
   * Starts a local network with every endpoint of the chain, for tests of what
   * runs beside Hardhat: bots, front ends.
   *
   * @throws HardhatPluginError for wrong options, and where a port is taken
   * @example
   * const node = await hre.dualstack.startLocalNode({ port: 0 });
   * // … node.endpoints.restUrl …
   * await node.close();
   */
  startLocalNode(options?: LocalNodeOptions): Promise<LocalNode>;
}

/** What the plugin keeps of one of its networks in the resolved configuration. */
export interface DualstackNetworkOptions {
  readonly gas: GasSettings;
  /** Absent on the local network. */
  readonly kind?: NetworkKind;
  /** Whether the accounts are ours to find, on first use. */
  readonly lazyAccounts?: boolean;
  /** Whether the URL follows from the endpoints that are configured. */
  readonly derivedUrl?: boolean;
}
