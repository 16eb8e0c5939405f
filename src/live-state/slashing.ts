import { createHash } from "node:crypto";

import type { View } from "./at-block.js";
import type { ReadContext } from "./context.js";
import { allPages } from "./pages.js";
import type { Hex, LiveBase, LiveSigner, LiveSlashing } from "./state.js";
import { SLASHING_KEYS } from "./store-keys.js";
import { UnreadError } from "./unreadable.js";
import * as values from "./values.js";

const SIGNING_INFOS: View = {
  precompile: "slashing",
  method: "getSigningInfos",
};

/** Decimals of the precompile's fractions. */
const PRECISION = 18n;

/**
 * Reads parameters and signing infos of the slashing module: from its store, or
 * else from the precompile's views.
 *
 * @throws UnreadError when they cannot be read
 */
export async function readSlashing(
  context: ReadContext,
  base: LiveBase,
): Promise<LiveSlashing> {
  return context.at.hasStores
    ? await fromStore(context, base)
    : await fromViews(context);
}

async function fromStore(
  { at }: ReadContext,
  { validators }: LiveBase,
): Promise<LiveSlashing> {
  // Validators that are gone have signing infos, too.
  const listed = await at.keysNow("slashing", SLASHING_KEYS.signingInfos);
  const keys = [
    ...new Set([
      ...validators.map(({ pubkey }) =>
        SLASHING_KEYS.signingInfo(consensusOf(pubkey)),
      ),
      ...listed,
    ]),
  ].sort();
  const [[stored, ...infos], { Params, ValidatorSigningInfo }] =
    await Promise.all([
      at.keys("slashing", [SLASHING_KEYS.params, ...keys]),
      import("cosmjs-types/cosmos/slashing/v1beta1/slashing"),
    ]);
  if (stored === undefined) {
    throw new UnreadError(
      `the parameters of slashing are not in its store at block ${at.height}`,
      {
        fix: "Check that the node RPC and the EVM endpoint are of the same chain.",
      },
    );
  }
  const params = values.stored(Params, stored);
  const fraction = (bytes: Uint8Array) =>
    values.rate(BigInt(Buffer.from(bytes).toString() || "0"));
  return {
    params: {
      signedBlocksWindow: values.count(params.signedBlocksWindow),
      minSignedPerWindow: fraction(params.minSignedPerWindow),
      downtimeJailDuration: values.count(params.downtimeJailDuration.seconds),
      doubleSignFraction: fraction(params.slashFractionDoubleSign),
      downtimeFraction: fraction(params.slashFractionDowntime),
    },
    signers: infos.flatMap((bytes, index): LiveSigner | [] => {
      if (bytes === undefined) return [];
      const info = values.stored(ValidatorSigningInfo, bytes);
      return {
        consensus: values.address(`0x${(keys[index] ?? "").slice(-40)}`),
        startHeight: values.count(info.startHeight),
        counted: values.count(info.indexOffset),
        jailedUntil: values.count(info.jailedUntil.seconds),
        tombstoned: info.tombstoned,
        missed: values.count(info.missedBlocksCounter),
      };
    }),
  };
}

async function fromViews({ at }: ReadContext): Promise<LiveSlashing> {
  const [answer, pages] = await Promise.all([
    at.view({ precompile: "slashing", method: "getParams" }),
    allPages(at, SIGNING_INFOS),
  ]);
  const params = values.fields(answer.params);
  const fraction = (value: unknown) => {
    const dec = values.fields(value);
    if (dec.precision !== PRECISION) {
      throw new UnreadError(
        "the node answered a fraction with another number of decimals than 18",
      );
    }
    return values.rate(dec.value);
  };
  return {
    params: {
      signedBlocksWindow: values.count(params.signedBlocksWindow),
      minSignedPerWindow: fraction(params.minSignedPerWindow),
      downtimeJailDuration: values.count(params.downtimeJailDuration),
      doubleSignFraction: fraction(params.slashFractionDoubleSign),
      downtimeFraction: fraction(params.slashFractionDowntime),
    },
    signers: pages
      .flatMap(({ signingInfos }) => values.list(signingInfos))
      .map((info) => ({
        consensus: values.address(info.validatorAddress),
        startHeight: values.count(info.startHeight),
        counted: values.count(info.indexOffset),
        jailedUntil: values.count(info.jailedUntil),
        tombstoned: info.tombstoned === true,
        missed: values.count(info.missedBlocksCounter),
      })),
  };
}

/** Returns the consensus address of a key: the first 20 bytes of its hash. */
export const consensusOf = (pubkey: Hex): Hex =>
  values.address(
    `0x${createHash("sha256")
      .update(Buffer.from(pubkey.slice(2), "hex"))
      .digest("hex")
      .slice(0, 40)}`,
  );
