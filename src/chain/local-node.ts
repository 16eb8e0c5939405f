import { type ChainFacts, GRPC_PORT, type StableToken } from "./facts.js";

/** Where `dualstack node` serves its network unless it is told otherwise, and what it gives to accounts. */
export const LOCAL_NODE = {
  hostname: "127.0.0.1",
  /** Of all endpoints but gRPC. */
  port: 8545,
  grpcPort: GRPC_PORT,
  /** How many accounts have funds. */
  accounts: 20,
  /** What their keys are derived from: Hardhat's own, known to everybody. */
  mnemonic: "test test test test test test test test test test test junk",
  /** Whole tokens that each of them has. */
  balance: "10000",
  /** Seconds between blocks. */
  blockTime: 1,
  /** The test network's second token, where the configuration says nothing of it. */
  stableToken: {
    symbol: "STABLE",
    decimals: 6,
    address: "0xFcd80c0F8EDa36dAeCbfFb0846f96BEf49e50847",
  },
} as const;

/** The base URL of a local network that is started without options. */
export const LOCAL_BASE_URL = `http://${LOCAL_NODE.hostname}:${LOCAL_NODE.port}`;

/** The chain's stable token as a local network has it: always a contract. */
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
