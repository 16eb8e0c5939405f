import type { EndpointName } from "../chain/endpoints.js";
import type { Abi } from "abitype";
import type { FaucetUserSettings } from "../faucet/settings.js";
import type { LocalnetUserSettings } from "../localnet/settings/settings.js";
import type { PrecompileName } from "../precompiles/addresses.js";

/** A variable of the environment or the keystore, as Hardhat's `configVariable` returns it. */
export interface VariableReference {
  readonly _type: "ConfigurationVariable";
  readonly name: string;
  readonly format?: string;
  readonly default?: string;
}

/** A text, or the variable that holds it. */
export type ConfigValue = string | VariableReference;

/** Fetches a value of the configuration; `undefined` if it is not set or empty. */
export type ValueFetcher = (value: ConfigValue) => Promise<string | undefined>;

/** Private keys of accounts, or a mnemonic that they are derived from. */
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

/** The addresses of a network: one base URL, and single endpoints that differ from it. */
export type EndpointUserSettings = { readonly baseUrl?: ConfigValue } & {
  readonly [name in EndpointName]?: ConfigValue;
};

export interface NetworkUserSettings extends EndpointUserSettings {
  /** The network's name in Hardhat; default: `testnet`, `mainnet` or `localnode`. */
  readonly name?: string;
  /**
   * The chain ID, for another chain built like this one; default: 26218 and
   * 26217, on `localnode` that of the test network.
   */
  readonly chainId?: number;
  /**
   * Default: the private key in DUALSTACK_PRIVATE_KEY, if set; on `localnode`
   * the accounts that it funds.
   */
  readonly accounts?: AccountsUserSettings;
  /** Allows http, ws and unencrypted gRPC to hosts other than this machine; default: false. */
  readonly allowInsecure?: boolean;
}

export interface TestnetUserSettings extends NetworkUserSettings {
  readonly faucet?: FaucetUserSettings;
}

export interface GasUserSettings {
  /** Factor on every gas estimate, 1 to 10; default: 1.2. Above 2, unused gas costs something. */
  readonly multiplier?: number;
  /**
   * Whether estimates of calls that settle rewards include the gas of paying
   * them; default: true.
   */
  readonly rewardsAllowance?: boolean;
  /** Highest gas limit of one transaction, if the node enforces one; default: none. */
  readonly transactionGasCap?: number | bigint;
}

export interface PrecompileUserSettings {
  readonly address?: string;
  /**
   * An ABI that replaces the plugin's. For staking also `"string-description"`,
   * the shape that `validator` and `validators` had before v0.5 of cosmos/evm.
   */
  readonly abi?: "string-description" | Abi;
  /**
   * Whether the chain has it; local networks emulate only active ones. Default:
   * `false` for slashing and bank, `true` for the others. Staking, distribution
   * and governance are always active.
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
  /** Names of further modules with accounts, which `transfer` must not send to. */
  readonly moduleAccounts?: readonly string[];
  readonly frameworkPrefix?: string;
  readonly networkPrefix?: string;
  readonly precompiles?: {
    readonly [name in PrecompileName]?: PrecompileUserSettings;
  };
  readonly gas?: GasUserSettings;
}
