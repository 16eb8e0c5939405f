import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { chainRegistry } from "./chain-registry.js";
import { chainlist } from "./chainlist.js";
import { eip3085 } from "./eip3085.js";
import { keplr } from "./keplr.js";
import type { FrameworkRecord, WalletRecord } from "./record.js";
import { viem } from "./viem.js";

export type Exporter =
  | { readonly make: (record: WalletRecord) => unknown }
  | {
      /** For formats that need facts from the chain's framework side. */
      readonly makeFromChain: (
        record: WalletRecord,
        framework: FrameworkRecord,
      ) => unknown;
    };

/** The formats of records. To add one, write a file beside this one and a line here. */
export const FORMATS = {
  eip3085: { make: eip3085 },
  keplr: { makeFromChain: keplr },
  viem: { make: viem },
  chainlist: { make: chainlist },
  "chain-registry": { makeFromChain: chainRegistry },
} as const satisfies Record<string, Exporter>;

export type WalletFormat = keyof typeof FORMATS;

/** @throws DualstackError for an unknown format */
export function checkFormat(text: string): WalletFormat {
  if (!Object.hasOwn(FORMATS, text)) {
    throw new DualstackError(
      `there is no format "${cleanText(text, 40)}" for wallets`,
      { fix: `Write --format ${Object.keys(FORMATS).join(", ")}.` },
    );
  }
  return text as WalletFormat;
}
