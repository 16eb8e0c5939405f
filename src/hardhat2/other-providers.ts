import { TASK_NODE_GET_PROVIDER } from "hardhat/builtin-tasks/task-names";
import { subtask } from "hardhat/config";
import type { HardhatConfig } from "hardhat/types/config";
import type { EthereumProvider } from "hardhat/types/provider";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

// Some tools create a provider of Hardhat's own network without asking plugins:
// solidity-coverage, and `hardhat node` if another network is the default.

/** Emulates the precompiles on networks that replace the first one. */
export function adoptProviders({
  config,
  network,
}: HardhatRuntimeEnvironment): void {
  let current = network.provider;
  Object.defineProperty(network, "provider", {
    configurable: true,
    enumerable: true,
    get: () => current,
    set: (provider: EthereumProvider) => {
      current = adopted(provider, config);
    },
  });
}

/** Does the same for the network that `hardhat node` serves. */
export function adoptNode(): void {
  subtask(TASK_NODE_GET_PROVIDER, async (_, { config }, runSuper) =>
    adopted((await runSuper()) as EthereumProvider, config),
  );
}

function adopted(
  provider: EthereumProvider,
  config: HardhatConfig,
): EthereumProvider {
  // An assignment has to be synchronous.
  const { adoptLocalProvider } =
    require("./local-provider.js") as typeof import("./local-provider.js");
  return adoptLocalProvider(provider, config);
}
