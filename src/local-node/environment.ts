import type { LocalNode, LocalNodeOptions } from "./index.js";

/** What the plugin offers beside connections, at `hre.dualstack`. */
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
