import type { Abi } from "abitype";
import { Interface } from "ethers";

import type { localStableToken } from "../chain/local-node.js";
import { stableTokenCode } from "../localnet/generated/emulator.js";
import { accountWithoutKey } from "../address/without-key.js";
import type { RpcProvider } from "../rpc/provider.js";
import { toQuantity } from "../rpc/quantities.js";

/**
 * The account that grants tokens and mints the stable token; nobody holds its
 * key.
 */
export const FAUCET = accountWithoutKey("faucet");

/** Storage slots of StableToken.sol's variables. */
const WORDS = { symbol: 3n, decimalsAndMinter: 4n } as const;

const CODEC = new Interface([
  "function mint(address to, uint256 value)",
  "function balanceOf(address) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
  "function approve(address spender, uint256 value) returns (bool)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Approval(address indexed owner, address indexed spender, uint256 value)",
]);

/** The token's ABI. */
export const stableTokenAbi = JSON.parse(CODEC.formatJson()) as Abi;

/** Encodes a string of less than 32 bytes as Solidity stores it. */
function shortText(text: string): string {
  const bytes = Buffer.from(text).subarray(0, 31);
  const word = Buffer.alloc(32);
  bytes.copy(word);
  word[31] = 2 * bytes.length;
  return `0x${word.toString("hex")}`;
}

/**
 * Installs the stable token at its address.
 *
 * @returns whether the faucet can grant it: on a fork, another contract may
 *   stand at that address, and stays
 */
export async function placeStableToken(
  provider: RpcProvider,
  { symbol, decimals, address }: ReturnType<typeof localStableToken>,
): Promise<boolean> {
  const request = async (method: string, ...params: unknown[]) =>
    await provider.request({ method, params });
  const numbers = (BigInt(FAUCET) << 8n) | BigInt(decimals);
  const code = await request("eth_getCode", address, "latest");
  if (code !== "0x" && code !== stableTokenCode) return false;
  await request("hardhat_setCode", address, stableTokenCode);
  await request(
    "hardhat_setStorageAt",
    address,
    toQuantity(WORDS.symbol),
    shortText(symbol),
  );
  await request(
    "hardhat_setStorageAt",
    address,
    toQuantity(WORDS.decimalsAndMinter),
    `0x${numbers.toString(16).padStart(64, "0")}`,
  );
  return true;
}

/**
 * Encodes a call that mints.
 *
 * @param amount in the token's base units
 */
export const mintCall = (to: string, amount: bigint): string =>
  CODEC.encodeFunctionData("mint", [to, amount]);

/** Encodes a call that reads a balance. */
export const balanceCall = (of: string): string =>
  CODEC.encodeFunctionData("balanceOf", [of]);
