import type { LocalNode, LocalNodeOptions } from "./index.js";

/** What the plugin offers outside connections, at `hre.dualstack`. */
export interface DualstackEnvironment {
  /**
   * Starts a local network with every endpoint of the chain, for tests of
   * software outside Hardhat, such as bots and front ends.
   *
   * @throws HardhatPluginError when an option is invalid or a port is taken
   * @example
   * const node = await hre.dualstack.startLocalNode({ port: 0 });
   * // … node.endpoints.restUrl …
   * await node.close();
   */
  startLocalNode(options?: LocalNodeOptions): Promise<LocalNode>;
}
