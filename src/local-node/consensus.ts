import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { bech32 } from "@scure/base";
import { PubKey } from "cosmjs-types/cosmos/crypto/ed25519/keys";
import type { Validator } from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { consensusOf } from "../live-state/slashing.js";

/** Returns a validator's consensus public key: 32 bytes (ed25519). */
export const consensusKey = ({
  consensusPubkey,
}: Pick<Validator, "consensusPubkey">): Uint8Array =>
  PubKey.decode(consensusPubkey?.value ?? new Uint8Array()).key;

/** Returns the consensus address of a public key in upper-case hex. */
export const consensusHash = (key: Uint8Array): string =>
  consensusOf(`0x${bytesToHex(key)}`)
    .slice(2)
    .toUpperCase();

/** Returns the bech32 prefix of consensus addresses, given that of accounts. */
export const consensusPrefix = (prefix: string): string => `${prefix}valcons`;

/**
 * Returns a consensus address in bech32, as the framework writes it.
 *
 * @param hex the address without 0x
 */
export const consensusAddress = (prefix: string, hex: string): string =>
  bech32.encode(
    consensusPrefix(prefix),
    bech32.toWords(hexToBytes(hex.toLowerCase())),
  );
