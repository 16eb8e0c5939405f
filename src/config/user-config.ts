import type { EndpointName } from "../chain/endpoints.js";
import type { Abi } from "abitype";
import type { FaucetUserSettings } from "../faucet/settings.js";
import type { LocalnetUserSettings } from "../localnet/settings/settings.js";
import type { PrecompileName } from "../precompiles/addresses.js";

/** A variable of the environment or the keystore, as Hardhat's `configVariable` makes it. */
export interface VariableReference {
  readonly _type: "ConfigurationVariable";
  readonly name: string;
  readonly format?: string;
  readonly default?: string;
}

/** A text, or the variable that holds it. */
export type ConfigValue = string | VariableReference;

/** Fetches a value of the configuration; `undefined` where it is not set or empty. */
export type ValueFetcher = (value: ConfigValue) => Promise<string | undefined>;

/** Keys of local accounts, or a mnemonic that they are derived from. */
export type AccountsUserSettings =
  | "remote"
  | readonly ConfigValue[]
  | {
      readonly mnemonic: ConfigValue;
      readonly passphrase?: ConfigValue;
      readonly path?: string;
      readonly initialIndex?: number;
      readonly count?: number;
    };

/** The addresses of a network: one base URL, and single endpoints where they differ. */
export type EndpointUserSettings = { readonly baseUrl?: ConfigValue } & {
  readonly [name in EndpointName]?: ConfigValue;
};

export interface NetworkUserSettings extends EndpointUserSettings {
  /** The network's name in Hardhat; default: `testnet`, `mainnet` or `localnode`. */
  readonly name?: string;
  /** For another chain built like this one; default: 26218 and 26217, on `localnode` that of the test network. */
  readonly chainId?: number;
  /** Default: the private key in DUALSTACK_PRIVATE_KEY, if there is one; on `localnode` the accounts that it funds. */
  readonly accounts?: AccountsUserSettings;
  /** Allows http and ws to hosts other than this machine. */
  readonly allowInsecure?: boolean;
}

export interface TestnetUserSettings extends NetworkUserSettings {
  readonly faucet?: FaucetUserSettings;
}

export interface GasUserSettings {
  /** Factor on every gas estimate, 1 to 2; default 1.2. */
  readonly multiplier?: number;
  /** Adds the gas of paying out rewards to estimates of calls that settle them; default true. */
  readonly rewardsAllowance?: boolean;
  /** Highest gas limit of one transaction, where the node enforces one; default none. */
  readonly transactionGasCap?: number | bigint;
}

export interface PrecompileUserSettings {
  readonly address?: string;
  /**
   * Another ABI. For staking also `"string-description"`, the shape that
   * `validator` and `validators` had before v0.5 of cosmos/evm.
   */
  readonly abi?: "string-description" | Abi;
  /**
   * Whether the chain has it; what is not active, local networks do not
   * emulate. Default: `false` for slashing and bank, `true` for the others.
   * Staking, distribution and governance are always active.
   */
  readonly active?: boolean;
}

/** `dualstack` in the Hardhat configuration. */
export interface DualstackUserConfig {
  readonly testnet?: TestnetUserSettings;
  readonly mainnet?: NetworkUserSettings;
  /** The local network that `dualstack node` serves. */
  readonly localnode?: TestnetUserSettings;
  /** The simulated network with emulated precompiles. */
  readonly localnet?: LocalnetUserSettings;
  readonly currency?: { readonly name?: string; readonly symbol?: string };
  readonly baseDenom?: string;
  readonly stableToken?: {
    readonly symbol?: string;
    readonly decimals?: number;
    readonly address?: string;
    readonly denom?: string;
  };
  readonly bech32Prefix?: string;
  /** Names of further modules that have accounts, which nobody should send to. */
  readonly moduleAccounts?: readonly string[];
  readonly frameworkPrefix?: string;
  readonly networkPrefix?: string;
  readonly precompiles?: {
    readonly [name in PrecompileName]?: PrecompileUserSettings;
  };
  readonly gas?: GasUserSettings;
}
