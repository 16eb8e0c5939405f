import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { LOCALNET } from "../chain/facts.js";
import { compiledContracts } from "../framework/contracts.js";
import type { SimulatedNetwork } from "../local-node/chain.js";
import {
  type LocalNode,
  type LocalNodeOptions,
  type SimulationSettings,
  startLocalNode as start,
} from "../local-node/index.js";
import { DualstackError } from "../support/errors.js";
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
  {
    chainId,
    mnemonic,
    accounts,
    balance,
    blockGasLimit,
    baseFee,
  }: SimulationSettings,
): Promise<SimulatedNetwork> {
  const connection = await network.create({
    network: NETWORK,
    override: {
      chainId,
      hardfork: LOCALNET.hardfork,
      accounts: { mnemonic, count: accounts, accountsBalance: balance },
      blockGasLimit,
      initialBaseFeePerGas: baseFee,
      mining: { auto: true, interval: 0 },
      loggingEnabled: false,
    },
  });
  const engine = engineOf(connection);
  if (engine === undefined) {
    await connection.close();
    throw new DualstackError(
      "the precompiles are switched off on the network that a local node runs on",
      {
        network: NETWORK,
        fix: `Remove dualstack.localnet.networks.${NETWORK} from the configuration.`,
      },
    );
  }
  const { provider } = connection;
  return {
    provider: {
      request: async ({ method, params }) =>
        await provider.request({ method, params: [...(params ?? [])] }),
    },
    engine,
    contracts: async () => await compiledContracts(artifacts),
    close: async () => {
      await connection.close();
    },
  };
}
