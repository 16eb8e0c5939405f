import type { UserInterruptionHooks } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

const ON_STDERR: Partial<UserInterruptionHooks> = {
  displayMessage: async (_context, interruptor, message) => {
    console.error(`[${interruptor}] ${message}`);
    await Promise.resolve();
  },
};

/**
 * Sends messages of plugins, such as that a transaction failed, to standard
 * error while a task runs: standard output is only for its result, which may be
 * JSON.
 */
export async function keepingResultAlone<T>(
  hre: HardhatRuntimeEnvironment,
  run: () => Promise<T>,
): Promise<T> {
  hre.hooks.registerHandlers("userInterruptions", ON_STDERR);
  try {
    return await run();
  } finally {
    hre.hooks.unregisterHandlers("userInterruptions", ON_STDERR);
  }
}
