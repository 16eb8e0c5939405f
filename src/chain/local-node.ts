import { type ChainFacts, GRPC_PORT, type StableToken } from "./facts.js";

/** The defaults of `dualstack node`: where it serves, and what it gives to accounts. */
export const LOCAL_NODE = {
  hostname: "127.0.0.1",
  /** The port of all endpoints except gRPC. */
  port: 8545,
  grpcPort: GRPC_PORT,
  /** How many accounts have funds. */
  accounts: 20,
  /** The mnemonic that keys are derived from: Hardhat's own, publicly known. */
  mnemonic: "test test test test test test test test test test test junk",
  /** Whole tokens that each account has. */
  balance: "10000",
  /** Seconds between blocks. */
  blockTime: 1,
  /** The second token, unless the configuration has one. */
  stableToken: {
    symbol: "STABLE",
    decimals: 6,
    address: "0xFcd80c0F8EDa36dAeCbfFb0846f96BEf49e50847",
  },
} as const;

/** The base URL of a local network that is started with default options. */
export const LOCAL_BASE_URL = `http://${LOCAL_NODE.hostname}:${LOCAL_NODE.port}`;

/** The chain's stable token as a local network has it: always an ERC-20 contract. */
export function localStableToken({
  stableToken,
}: Pick<ChainFacts, "stableToken">): StableToken & {
  readonly address: `0x${string}`;
} {
  const { symbol, decimals, address } = LOCAL_NODE.stableToken;
  return {
    symbol: stableToken?.symbol ?? symbol,
    decimals: stableToken?.decimals ?? decimals,
    address: stableToken?.address ?? address,
  };
}
