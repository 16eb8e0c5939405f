import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { LOCALNET } from "../chain/facts.js";
import { compiledContracts } from "../framework/contracts.js";
import type { SimulatedNetwork } from "../local-node/chain.js";
import {
  type LocalNode,
  type LocalNodeOptions,
  type SimulationSettings,
  simulatedNetwork,
  startLocalNode as start,
} from "../local-node/index.js";
import { engineOf } from "./connection/localnet.js";
import { toPluginError } from "./errors.js";

/** The network that `hardhat node` serves too. */
const NETWORK = "node";

/** A local network over a simulated one of Hardhat 3. */
export async function startLocalNode(
  hre: HardhatRuntimeEnvironment,
  options: LocalNodeOptions = {},
): Promise<LocalNode> {
  try {
    return await start(
      hre.config.dualstack,
      options,
      async (settings) => await simulate(hre, settings),
    );
  } catch (error) {
    throw toPluginError(error);
  }
}

async function simulate(
  { network, artifacts }: HardhatRuntimeEnvironment,
  { chainId, privateKeys, balance, blockGasLimit, baseFee }: SimulationSettings,
): Promise<SimulatedNetwork> {
  const connection = await network.create({
    network: NETWORK,
    override: {
      chainId,
      hardfork: LOCALNET.hardfork,
      accounts: privateKeys.map((privateKey) => ({ privateKey, balance })),
      blockGasLimit,
      initialBaseFeePerGas: baseFee,
      mining: { auto: true, interval: 0 },
      loggingEnabled: false,
    },
  });
  return await simulatedNetwork({
    name: NETWORK,
    provider: connection.provider,
    engine: engineOf(connection),
    contracts: async () => await compiledContracts(artifacts),
    close: async () => {
      await connection.close();
    },
  });
}
