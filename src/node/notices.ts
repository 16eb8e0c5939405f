import { FREE_MULTIPLIER, type GasSettings } from "../gas/settings.js";
import type { Failure } from "../sending/failure.js";

/** The notice for a transaction that failed in its block. */
export function failureNotice(
  hash: string,
  network: { readonly name: string; readonly kind: string },
  { kind, reason, fix }: Failure,
): string {
  const { name } = network;
  const told = `Transaction ${hash} failed on ${name}: ${reason}.${fix === undefined ? "" : ` ${fix}`}`;
  // A local node cannot be forked, so its transactions cannot be traced.
  return kind === "missing" || network.kind === "localnode"
    ? told
    : `${told} To see where: npx hardhat dualstack trace ${hash} --network ${name}`;
}

/** The notice for a gas multiplier so high that unused gas costs something. */
export const multiplierNotice = (
  { multiplier }: GasSettings,
  network: string,
): string | undefined =>
  multiplier > FREE_MULTIPLIER
    ? `The gas multiplier of ${network} is ${multiplier}. The chain charges at least half of every gas limit, so from ${FREE_MULTIPLIER} on you pay for gas that is not used.`
    : undefined;
