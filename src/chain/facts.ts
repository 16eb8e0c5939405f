/**
 * What the network's interface document fixes, and defaults for what it leaves
 * open. All other files take these facts from here.
 */

/** The two public networks of the chain. */
export const PUBLIC_NETWORK_KINDS = ["testnet", "mainnet"] as const;
/** One of the two public networks. */
export type PublicNetworkKind = (typeof PUBLIC_NETWORK_KINDS)[number];

/** Networks with all endpoints: the two public ones, and a local one that `dualstack node` serves. */
export const NETWORK_KINDS = [...PUBLIC_NETWORK_KINDS, "localnode"] as const;
/** One of the networks with all endpoints. */
export type NetworkKind = (typeof NETWORK_KINDS)[number];

/** Whether a network has all endpoints, unlike a development node or another chain. */
export const isNetworkKind = (kind: string): kind is NetworkKind =>
  NETWORK_KINDS.some((known) => known === kind);

/** The networks with all endpoints: title, default chain ID, and whether there is a faucet. */
export const NETWORKS = {
  testnet: { title: "Test network", chainId: 26218, hasFaucet: true },
  mainnet: { title: "Main network", chainId: 26217, hasFaucet: false },
  localnode: { title: "Local node", chainId: 26218, hasFaucet: true },
} as const satisfies Record<
  NetworkKind,
  { title: string; chainId: number; hasFaucet: boolean }
>;

/** The default port of gRPC. */
export const GRPC_PORT = 9090;

/** The simulated network that stands in for the chain locally. */
export const LOCALNET = {
  name: "localnet",
  title: "Local network",
  /** Hardhat's own chain ID, so tools treat the network as local. */
  chainId: 31337,
  /** The EVM rules of the chain: Prague on, Osaka off. */
  hardfork: "prague",
} as const;

/** The derivation path of keys from a mnemonic: the EVM's, since one key serves both stacks. */
export const DERIVATION_PATH = "m/44'/60'/0'/0";

/**
 * Whole tokens per faucet request; the chain's documentation gives two figures
 * for the native token.
 */
export const FAUCET_GRANT = {
  native: 100n,
  nativeInQuickStart: 10n,
  stable: 1000n,
} as const;

/** The factor on gas estimates that the chain recommends. */
export const RECOMMENDED_GAS_MULTIPLIER = 1.2;

/** The native token; it always has 18 decimals. */
export interface Currency {
  readonly name: string;
  /** At most 6 characters, or browser wallets refuse it. */
  readonly symbol: string;
  /** The chain's document formats amounts like ether. */
  readonly decimals: 18;
}

/** The test network's second token: an ERC-20 contract or a denomination of the framework. */
export interface StableToken {
  readonly symbol: string;
  readonly decimals: number;
  readonly address?: `0x${string}`;
  readonly denom?: string;
}

/** The chain's facts that can be configured. */
export interface ChainFacts {
  readonly currency: Currency;
  /** The smallest unit of the native token on the framework's side. */
  readonly baseDenom: string;
  readonly stableToken?: StableToken;
  /** Prefix of account addresses; operator addresses add `valoper`. */
  readonly bech32Prefix: string;
  /** Names of modules with accounts, in addition to staking, distribution, governance and fees. */
  readonly moduleAccounts: readonly string[];
  /** First part of the framework's REST paths and gRPC services. */
  readonly frameworkPrefix: string;
  /** First parts of the network's own REST paths and gRPC services. */
  readonly networkPrefix: string;
}

/** The default facts; symbol and denomination are placeholders. */
export const DEFAULT_FACTS: ChainFacts = {
  currency: { name: "Native Token", symbol: "NATIVE", decimals: 18 },
  baseDenom: "anative",
  bech32Prefix: "cosmos",
  moduleAccounts: ["erc20", "evm", "feemarket", "mint", "transfer"],
  frameworkPrefix: "cosmos",
  networkPrefix: "cosmos.evm",
};
