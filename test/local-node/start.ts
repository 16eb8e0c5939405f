import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { ProjectPathsUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import plugin from "../../src/index.js";
import type { DualstackUserConfig } from "../../src/config/user-config.js";
import {
  createFrameworkClients,
  type FrameworkClients,
} from "../../src/framework/index.js";
import type {
  LocalNode,
  LocalNodeOptions,
} from "../../src/local-node/index.js";
import { HttpClient } from "../../src/rpc/http-client.js";

/** Seconds; short, so that tests need not wait. */
const BLOCK_TIME = 0.1;

export interface StartedNode extends AsyncDisposable {
  readonly hre: HardhatRuntimeEnvironment;
  readonly node: LocalNode;
  /** The plugin's own clients, which only use the network. */
  readonly clients: FrameworkClients;
  evm(method: string, ...params: unknown[]): Promise<any>;
}

export async function startNode(
  options: LocalNodeOptions = {},
  dualstack: DualstackUserConfig = {},
  paths: Pick<ProjectPathsUserConfig, "artifacts"> = {},
): Promise<StartedNode> {
  const hre = await createHardhatRuntimeEnvironment({
    plugins: [plugin],
    dualstack,
    paths,
  });
  const node = await hre.dualstack.startLocalNode({
    port: 0,
    grpcPort: 0,
    blockTime: BLOCK_TIME,
    ...options,
  });
  const { evmUrl } = node.endpoints;
  const http = new HttpClient({ url: evmUrl, network: "localnode" });
  const clients = createFrameworkClients({
    network: "localnode",
    kind: "local",
    endpoints: node.endpoints,
    facts: hre.config.dualstack.facts,
    provider: http,
  });
  return {
    hre,
    node,
    clients,
    evm: async (method, ...params) => await http.request({ method, params }),
    async [Symbol.asyncDispose]() {
      await clients.close();
      await node.close();
    },
  };
}
