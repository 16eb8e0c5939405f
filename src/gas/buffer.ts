import type { GasSettings } from "./settings.js";

/** A factor as a fraction, so that gas is never computed with floats. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** @example toRatio(1.2) // { numerator: 12n, denominator: 10n } */
export function toRatio(factor: number): Ratio {
  const [whole = "0", fraction = ""] = factor
    .toFixed(6)
    .replace(/0+$/, "")
    .split(".");
  return {
    numerator: BigInt(whole + fraction),
    denominator: 10n ** BigInt(fraction.length),
  };
}

/** Applies a factor and rounds up. */
export function scaleUp(
  amount: bigint,
  { numerator, denominator }: Ratio,
): bigint {
  return (amount * numerator + denominator - 1n) / denominator;
}

/** The gas of a transfer without data, which never varies. */
export const TRANSFER_GAS = 21_000n;

/** The highest refund, as a fraction of the gas used (EIP-3529). */
const MAX_REFUND_QUOTIENT = 5n;

export interface BufferOptions {
  readonly settings: Pick<GasSettings, "multiplier" | "transactionGasCap">;
  /** Gas that the estimate may lack (see rewards.ts). */
  readonly allowance?: bigint;
  /** Whether the call may get a refund, of up to a fifth of the gas used. */
  readonly refunds?: boolean;
  /** The gas limit of a block, if known. */
  readonly blockGasLimit?: bigint;
}

/**
 * The gas limit for an estimate: the allowance added, multiplied and rounded
 * up. The allowance never raises it so far that unused gas costs something. At
 * most what a block or the node allows, and never below the estimate.
 *
 * @param estimate the node's estimate, in gas
 * @example bufferGas(100_001n, { settings: { multiplier: 1.2, transactionGasCap: undefined } }) // 120_002n
 */
export function bufferGas(
  estimate: bigint,
  { settings, allowance = 0n, refunds = false, blockGasLimit }: BufferOptions,
): bigint {
  if (estimate === TRANSFER_GAS) {
    return estimate;
  }
  const ratio = toRatio(settings.multiplier);
  const plain = scaleUp(estimate, ratio);
  let limit = plain;
  if (allowance > 0n) {
    // The chain charges at least half of the limit, so a limit of twice the
    // used gas costs nothing extra.
    const corrected = scaleUp(estimate + allowance, ratio);
    const used = refunds ? estimate - estimate / MAX_REFUND_QUOTIENT : estimate;
    const free = 2n * used;
    limit = corrected < free ? corrected : free > plain ? free : plain;
  }
  for (const cap of [blockGasLimit, settings.transactionGasCap]) {
    if (cap !== undefined && limit > cap) {
      limit = cap;
    }
  }
  return limit < estimate ? estimate : limit;
}
