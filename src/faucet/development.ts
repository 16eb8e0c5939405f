import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

import { type RpcProvider, rpcErrorOf } from "../rpc/provider.js";
import { toQuantity } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";

/** Nodes on which balances can be set, by the beginning of `web3_clientVersion`. */
const NODES = { hardhat: /^HardhatNetwork\//i, anvil: /^anvil\//i } as const;
export type DevelopmentNode = keyof typeof NODES;

/** Token contracts keep their balances in one of the first slots. */
const SLOTS_TRIED = 64;
const BALANCE_OF = "0x70a08231";

/** The kind of development node that answers, if it is one. */
export async function developmentNode(
  provider: RpcProvider,
): Promise<DevelopmentNode | undefined> {
  let version: unknown;
  try {
    version = await provider.request({ method: "web3_clientVersion" });
  } catch (error) {
    if (rpcErrorOf(error) === undefined) {
      throw error;
    }
    return undefined;
  }
  return (Object.keys(NODES) as DevelopmentNode[]).find((name) =>
    NODES[name].test(String(version)),
  );
}

/**
 * Adds to an address's native balance on a development node.
 *
 * @param balance the address's balance, in base units
 * @param amount how much to add, in base units
 */
export async function grantNative(
  provider: RpcProvider,
  node: DevelopmentNode,
  address: string,
  balance: bigint,
  amount: bigint,
): Promise<void> {
  await provider.request({
    method: `${node}_setBalance`,
    params: [address, toQuantity(balance + amount)],
  });
}

/**
 * Adds to an address's balance of an ERC-20 token on a development node, by
 * writing to the contract's storage.
 *
 * @throws DualstackError if the contract does not keep balances in a plain
 * mapping
 */
export async function grantErc20(
  provider: RpcProvider,
  node: DevelopmentNode,
  token: string,
  address: string,
  balance: bigint,
  amount: bigint,
): Promise<void> {
  const wanted = word(balance + amount);
  const call = { to: token, data: balanceOfCall(address) };
  for (let slot = 0n; slot < SLOTS_TRIED; slot++) {
    const key = mappingKey(address, slot);
    // Tried in a simulated call first, so that no other storage is overwritten.
    const seen = await provider.request({
      method: "eth_call",
      params: [call, "latest", { [token]: { stateDiff: { [key]: wanted } } }],
    });
    if (seen === wanted) {
      await provider.request({
        method: `${node}_setStorageAt`,
        params: [token, key, wanted],
      });
      return;
    }
  }
  throw new DualstackError(
    "the token's contract does not keep its balances where they can be set",
    {
      address: token,
      fix: "Mint or transfer the tokens with the contract's own functions.",
    },
  );
}

/** The call data of `balanceOf(address)`. */
export function balanceOfCall(address: string): string {
  return `${BALANCE_OF}${word(BigInt(address)).slice(2)}`;
}

const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;

// Solidity's storage layout: keccak256(key ‖ slot).
function mappingKey(address: string, slot: bigint): string {
  const position = word(BigInt(address)).slice(2) + word(slot).slice(2);
  return `0x${bytesToHex(keccak_256(hexToBytes(position)))}`;
}
