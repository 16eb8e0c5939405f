import type { ReadContext } from "./context.js";
import type { Hex, LiveBase } from "./state.js";
import {
  DISTRIBUTION_KEYS,
  MINT_KEYS,
  SLASHING_KEYS,
  STAKING_KEYS,
} from "./store-keys.js";
import { UnreadError } from "./unreadable.js";
import * as values from "./values.js";

/** What a chain allocates and slashes at the begin of the next block. */
export interface NextBlock {
  /** Minted tokens, in base units. */
  readonly minted: bigint;
  /** Fees of the block before, in base units. */
  readonly fees: bigint;
  /** Fraction of both that goes to the community pool, scaled by 10^18. */
  readonly tax: bigint;
  /** Voting power in the block before, by operator address. */
  readonly powers: ReadonlyMap<Hex, bigint>;
  /** Operators of validators that are slashed for missed blocks. */
  readonly punished: readonly Hex[];
  /** Fraction of the stake that they lose, scaled by 10^18. */
  readonly slashFraction: bigint;
}

/** Blocks until a change of the validator set takes effect. */
export const POWER_DELAY = 2n;

/**
 * Reads from the stores how the next block begins.
 *
 * @param base state of the block before it
 * @returns `undefined` if the stores cannot be read
 * @throws UnreadError when the node no longer has that block, or not yet
 */
export async function readNextBlock(
  { at, prefix }: ReadContext,
  base: LiveBase,
): Promise<NextBlock | undefined> {
  if (!at.hasStores) return undefined;
  const next = at.of(at.height + 1n);
  const past = at.height - POWER_DELAY;
  const before = at.of(past > 1n ? past : 1n);
  const operators = base.validators.map(({ operator }) => operator);
  const [
    [minter, mintParams],
    [slashParams],
    [distributionParams],
    powers,
    records,
    mint,
    slashing,
    distribution,
    { Validator },
    { BinaryReader },
  ] = await Promise.all([
    next.keys("mint", [MINT_KEYS.minter, MINT_KEYS.params]),
    next.keys("slashing", [SLASHING_KEYS.params]),
    at.keys("distribution", [DISTRIBUTION_KEYS.params]),
    before.keys("staking", operators.map(STAKING_KEYS.power)),
    next.keys("staking", operators.map(STAKING_KEYS.validator)),
    import("cosmjs-types/cosmos/mint/v1beta1/mint"),
    import("cosmjs-types/cosmos/slashing/v1beta1/slashing"),
    import("cosmjs-types/cosmos/distribution/v1beta1/distribution"),
    import("cosmjs-types/cosmos/staking/v1beta1/staking"),
    import("cosmjs-types/binary"),
  ]);
  // google.protobuf.Int64Value
  const wrappedNumber = {
    decode: (bytes: Uint8Array) => {
      const reader = new BinaryReader(bytes);
      if (reader.pos < reader.len) reader.tag();
      return reader.pos < reader.len ? reader.int64() : 0n;
    },
  };
  const there = (value: Uint8Array | undefined, what: string) => {
    if (value === undefined) {
      throw new UnreadError(
        `${what} cannot be read at block ${at.height + 1n}`,
      );
    }
    return value;
  };
  const { annualProvisions } = values.stored(
    mint.Minter,
    there(minter, "what is minted"),
  );
  const { blocksPerYear } = values.stored(
    mint.Params,
    there(mintParams, "what is minted"),
  );
  const { communityTax } = values.stored(
    distribution.Params,
    there(distributionParams, "the community tax"),
  );
  const { slashFractionDowntime } = values.stored(
    slashing.Params,
    there(slashParams, "what missed blocks cost"),
  );
  const jailed = new Set(
    records.flatMap((record) => {
      if (record === undefined) return [];
      const one = values.stored(Validator, record);
      return one.jailed ? [values.address(one.operatorAddress, prefix)] : [];
    }),
  );
  return {
    minted:
      blocksPerYear === 0n
        ? 0n
        : values.decimalAmount(annualProvisions) / blocksPerYear / ONE,
    fees: base.fees,
    tax: values.rate(communityTax),
    powers: new Map(
      operators.map((operator, index) => {
        const value = powers[index];
        const power =
          value === undefined ? 0n : values.stored(wrappedNumber, value);
        return [operator, values.count(power)];
      }),
    ),
    punished: base.validators
      .filter((one) => !one.jailed && jailed.has(one.operator))
      .map(({ operator }) => operator),
    slashFraction: values.rate(
      BigInt(Buffer.from(slashFractionDowntime).toString()),
    ),
  };
}

const ONE = 10n ** 18n;
