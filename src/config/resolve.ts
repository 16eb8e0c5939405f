import type { Endpoints } from "../chain/endpoints.js";
import {
  type ChainFacts,
  DEFAULT_FACTS,
  type NetworkKind,
  type StableToken,
} from "../chain/facts.js";
import { localStableToken } from "../chain/local-node.js";
import { variableName } from "../chain/variables.js";
import type { FaucetUserSettings } from "../faucet/settings.js";
import { DEFAULT_GAS, type GasSettings } from "../gas/settings.js";
import type { LocalnetUserSettings } from "../localnet/settings/settings.js";
import {
  ofPrecompiles,
  PRECOMPILE_ADDRESSES,
  PRECOMPILE_NAMES,
  type PrecompileName,
  USUAL_PRECOMPILES,
} from "../precompiles/addresses.js";
import { DualstackError } from "../support/errors.js";
import type { Accounts } from "./accounts.js";
import { chainIdOf } from "./networks.js";
import { type Pattern, PATTERNS } from "./patterns.js";
import type {
  DualstackUserConfig,
  NetworkUserSettings,
  PrecompileUserSettings,
  ValueFetcher,
} from "./user-config.js";

// Every run of Hardhat loads this file, so endpoints, accounts and ABIs are
// imported only where they are used.

export interface ResolvedPrecompile {
  readonly address: `0x${string}`;
  /** The configured ABI, if it replaces this package's. */
  readonly abi: PrecompileUserSettings["abi"];
  /** Whether the chain has it according to the configuration. */
  readonly active: boolean;
}

/** One of the chain's networks, with everything configured about it. */
export interface DualstackNetworkConfig {
  readonly kind: NetworkKind;
  /** The network's name in Hardhat. */
  readonly name: string;
  readonly chainId: number;
  readonly allowInsecure: boolean;
  /** Fetched on use, since variables may ask for a password; absent if not configured. */
  readonly endpoints: () => Promise<Endpoints>;
  /** Keys, fetched only to sign something; `undefined` if there are none. */
  readonly accounts: () => Promise<Accounts | undefined>;
  /** Whether the configuration says that the node itself holds the accounts. */
  readonly remoteAccounts: boolean;
  readonly faucet: FaucetUserSettings | undefined;
}

/** `dualstack` in the resolved configuration. */
export interface DualstackConfig {
  readonly facts: ChainFacts;
  readonly precompiles: {
    readonly [name in PrecompileName]: ResolvedPrecompile;
  };
  readonly gas: GasSettings;
  readonly networks: { readonly [kind in NetworkKind]: DualstackNetworkConfig };
  readonly localnet: LocalnetUserSettings | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Combines the user's configuration, the environment and the defaults. Fetches
 * nothing that may be secret or slow.
 *
 * @throws DualstackError for a malformed environment variable
 */
export function resolveConfig(
  user: DualstackUserConfig,
  env: Environment,
  fetchValue: ValueFetcher,
): DualstackConfig {
  const facts = resolveFacts(user, env);
  const network = (kind: NetworkKind): DualstackNetworkConfig => {
    const settings: NetworkUserSettings & {
      readonly faucet?: FaucetUserSettings;
    } = user[kind] ?? {};
    const name = settings.name ?? kind;
    const allowInsecure = settings.allowInsecure ?? false;
    return {
      kind,
      name,
      chainId: chainIdOf(user, kind),
      allowInsecure,
      endpoints: async () => {
        const { fetchEndpoints } = await import("./endpoints.js");
        return await fetchEndpoints(settings, fetchValue, {
          network: name,
          kind,
          allowInsecure,
        });
      },
      accounts: async () => {
        const { fetchAccounts } = await import("./accounts.js");
        return await fetchAccounts(settings.accounts, kind, fetchValue);
      },
      remoteAccounts: settings.accounts === "remote",
      faucet:
        settings.faucet ??
        (kind === "localnode" ? localFaucet(facts) : undefined),
    };
  };
  return {
    facts,
    precompiles: resolvePrecompiles(user, env),
    gas: resolveGas(user, env),
    networks: {
      testnet: network("testnet"),
      mainnet: network("mainnet"),
      localnode: network("localnode"),
    },
    localnet: user.localnet,
  };
}

/** How to ask the faucet of a local network. */
const localFaucet = (facts: ChainFacts): FaucetUserSettings => ({
  protocol: "cosmjs",
  denoms: { stable: localStableToken(facts).symbol },
});

/** Facts that a variable may set. */
export const FACT_FIELDS = [
  "currencyName",
  "currencySymbol",
  "baseDenom",
  "stableTokenSymbol",
  "stableTokenDecimals",
  "stableTokenAddress",
  "stableTokenDenom",
  "bech32Prefix",
  "frameworkPrefix",
  "networkPrefix",
] as const;

const FACT_PATTERNS: Readonly<Record<string, Pattern>> = {
  ...PATTERNS,
  stableTokenAddress: PATTERNS.address,
};

function fromEnvironment(env: Environment, field: string): string | undefined {
  const text = env[variableName(field)]?.trim();
  return text === "" ? undefined : text;
}

function resolveFacts(user: DualstackUserConfig, env: Environment): ChainFacts {
  const get = (field: (typeof FACT_FIELDS)[number]) => {
    const text = fromEnvironment(env, field);
    return text === undefined ? undefined : checked(text, field);
  };
  const stableToken = resolveStableToken(user, get);
  return {
    currency: {
      name:
        user.currency?.name ??
        get("currencyName") ??
        DEFAULT_FACTS.currency.name,
      symbol:
        user.currency?.symbol ??
        get("currencySymbol") ??
        DEFAULT_FACTS.currency.symbol,
      decimals: 18,
    },
    baseDenom: user.baseDenom ?? get("baseDenom") ?? DEFAULT_FACTS.baseDenom,
    ...(stableToken === undefined ? {} : { stableToken }),
    bech32Prefix:
      user.bech32Prefix ?? get("bech32Prefix") ?? DEFAULT_FACTS.bech32Prefix,
    moduleAccounts: [
      ...DEFAULT_FACTS.moduleAccounts,
      ...(user.moduleAccounts ?? []),
    ],
    frameworkPrefix:
      user.frameworkPrefix ??
      get("frameworkPrefix") ??
      DEFAULT_FACTS.frameworkPrefix,
    networkPrefix:
      user.networkPrefix ?? get("networkPrefix") ?? DEFAULT_FACTS.networkPrefix,
  };
}

function resolveStableToken(
  user: DualstackUserConfig,
  get: (field: (typeof FACT_FIELDS)[number]) => string | undefined,
): StableToken | undefined {
  const given = user.stableToken;
  const address = given?.address ?? get("stableTokenAddress");
  const denom = given?.denom ?? get("stableTokenDenom");
  const decimals = given?.decimals ?? Number(get("stableTokenDecimals") ?? 6);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 36) {
    throw new DualstackError(
      `${variableName("stableTokenDecimals")} must be a whole number from 0 to 36`,
    );
  }
  if (given === undefined && address === undefined && denom === undefined) {
    return undefined;
  }
  return {
    symbol: given?.symbol ?? get("stableTokenSymbol") ?? "STABLE",
    decimals,
    ...(address === undefined ? {} : { address: address as `0x${string}` }),
    ...(denom === undefined ? {} : { denom }),
  };
}

function resolvePrecompiles(
  user: DualstackUserConfig,
  env: Environment,
): DualstackConfig["precompiles"] {
  const resolved = ofPrecompiles((name): ResolvedPrecompile => {
    const given = user.precompiles?.[name];
    const field = `${name}Address`;
    const text = fromEnvironment(env, field);
    const address =
      given?.address ??
      (text === undefined ? undefined : checked(text, field, PATTERNS.address));
    return {
      address:
        address === undefined
          ? PRECOMPILE_ADDRESSES[name]
          : (address as `0x${string}`),
      abi: given?.abi,
      active: given?.active ?? USUAL_PRECOMPILES.includes(name),
    };
  });
  const taken = new Map<string, PrecompileName>();
  for (const name of PRECOMPILE_NAMES) {
    const { address, active } = resolved[name];
    if (!active) continue;
    const other = taken.get(address.toLowerCase());
    if (other !== undefined) {
      throw new DualstackError(
        `dualstack.precompiles.${other}.address and dualstack.precompiles.${name}.address are both ${address}`,
        { fix: "Give each precompile the address that the chain has it at." },
      );
    }
    taken.set(address.toLowerCase(), name);
  }
  return resolved;
}

// The configuration is checked elsewhere, field by field; this checks variables.
function checked(
  text: string,
  field: string,
  pattern: Pattern | undefined = FACT_PATTERNS[field],
): string {
  if (pattern !== undefined && !pattern.regex.test(text)) {
    throw new DualstackError(`${variableName(field)} ${pattern.message}`);
  }
  return text;
}

function resolveGas(user: DualstackUserConfig, env: Environment): GasSettings {
  const text = fromEnvironment(env, "gasMultiplier");
  const multiplier =
    user.gas?.multiplier ??
    (text === undefined ? DEFAULT_GAS.multiplier : Number(text));
  if (!(multiplier >= 1 && multiplier <= 10)) {
    throw new DualstackError(
      `${variableName("gasMultiplier")} must be a number from 1 to 10`,
    );
  }
  const cap = user.gas?.transactionGasCap;
  return {
    multiplier,
    rewardsAllowance:
      user.gas?.rewardsAllowance ?? DEFAULT_GAS.rewardsAllowance,
    transactionGasCap: cap === undefined ? undefined : BigInt(cap),
  };
}
