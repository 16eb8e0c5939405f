import { FREE_MULTIPLIER, type GasSettings } from "../gas/settings.js";
import type { Failure } from "../sending/failure.js";

/** The notice for a transaction that failed in its block. */
export const failureNotice = (
  hash: string,
  network: string,
  { reason, fix }: Failure,
): string =>
  `Transaction ${hash} failed on ${network}: ${reason}.${fix === undefined ? "" : ` ${fix}`} To see where: npx hardhat dualstack trace ${hash} --network ${network}`;

/** The notice for a gas multiplier so high that unused gas costs something. */
export const multiplierNotice = (
  { multiplier }: GasSettings,
  network: string,
): string | undefined =>
  multiplier > FREE_MULTIPLIER
    ? `The gas multiplier of ${network} is ${multiplier}. The chain charges at least half of every gas limit, so from ${FREE_MULTIPLIER} on you pay for gas that is not used.`
    : undefined;
