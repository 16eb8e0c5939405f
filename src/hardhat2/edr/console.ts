import { ConsoleLogger } from "hardhat/internal/hardhat-network/stack-traces/consoleLogger";

/** Whether what a request logs now concerns nobody, for each such request. */
const hushed = new Set<() => boolean>();
let isInstalled = false;

/**
 * Runs a request whose `console.log` is not printed: one that the user did not
 * make, or that will run again. The network prints at the end of a request.
 *
 * @param when tells whether that applies to what has run so far
 */
export async function hush<T>(
  request: () => Promise<T>,
  when = () => true,
): Promise<T> {
  install();
  // One function may be used for several requests at once.
  const mine = () => when();
  hushed.add(mine);
  try {
    return await request();
  } finally {
    hushed.delete(mine);
  }
}

function install(): void {
  if (isInstalled) {
    return;
  }
  isInstalled = true;
  const decode = ConsoleLogger.getDecodedLogs.bind(ConsoleLogger);
  ConsoleLogger.getDecodedLogs = (messages) =>
    [...hushed].some((when) => when()) ? [] : decode(messages);
}
