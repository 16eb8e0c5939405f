// Validates `dualstack.localnet` and converts it to the emulator's units when
// the configuration is read.

import { parseAddress } from "../../address/codec.js";
import type { ChainFacts } from "../../chain/facts.js";
import {
  type PrecompileAddresses,
  type PrecompileName,
  USUAL_PRECOMPILES,
} from "../../precompiles/addresses.js";
import { DualstackError } from "../../support/errors.js";
import {
  defaultKey,
  DEFAULT_GOVERNANCE,
  DEFAULT_LOCALNET,
  DEFAULT_SLASHING,
  DEFAULT_VALIDATORS,
} from "./defaults.js";
import { toAmount, toRate } from "./quantities.js";
import { localnetSchema, validatorSchema } from "./schema.js";

export { localnetSchema };

/** An amount: whole tokens as a string ("1.5"), or base units as a bigint. */
export type AmountInput = string | bigint;
/** A rate: 0.1 or "0.1" is 10 %. Strings are exact. */
export type RateInput = string | number;

/** A validator in the configuration, or to be added by `addValidator`. */
export interface ValidatorUserSettings {
  /** Operator address as 0x… or …valoper1…. */
  readonly operator: string;
  readonly moniker?: string;
  /** Self-delegation; default 1,000 tokens. */
  readonly stake?: AmountInput;
  /** Default: rate 0.1, maxRate 0.2, maxChangeRate 0.01. */
  readonly commission?: {
    readonly rate?: RateInput;
    readonly maxRate?: RateInput;
    readonly maxChangeRate?: RateInput;
  };
  /** Default: one base unit. */
  readonly minSelfDelegation?: AmountInput;
  /**
   * Ed25519 consensus key, 32 bytes in base64; default: derived from the
   * operator.
   */
  readonly pubkey?: string;
  readonly identity?: string;
  readonly website?: string;
  readonly securityContact?: string;
  readonly details?: string;
}

/** Governance parameters of the local network; periods in seconds. */
export interface GovernanceUserSettings {
  readonly votingPeriod?: number;
  readonly expeditedVotingPeriod?: number;
  readonly depositPeriod?: number;
  readonly minDeposit?: AmountInput;
  readonly expeditedMinDeposit?: AmountInput;
  readonly quorum?: RateInput;
  readonly threshold?: RateInput;
  readonly expeditedThreshold?: RateInput;
  readonly vetoThreshold?: RateInput;
  readonly minInitialDepositRatio?: RateInput;
  readonly minDepositRatio?: RateInput;
  readonly proposalCancelRatio?: RateInput;
  /**
   * Account that receives the part of the deposits which cancelling a proposal
   * costs; by default it is burnt.
   */
  readonly proposalCancelDest?: string;
  readonly burnVoteQuorum?: boolean;
  readonly burnProposalDepositPrevote?: boolean;
  readonly burnVoteVeto?: boolean;
  readonly constitution?: string;
  /**
   * Whether a proposal may contain messages that a real chain executes and the
   * emulation does not, such as `MsgSoftwareUpgrade`. By default the emulation
   * refuses such a proposal.
   */
  readonly ignoreUnknownMessages?: boolean;
}

/**
 * `dualstack.localnet`: the chain parameters and the initial state of the
 * emulated precompiles.
 */
export interface LocalnetUserSettings {
  /** Networks by name: `false` turns the emulation off on that network. */
  readonly networks?: { readonly [network: string]: boolean };
  /**
   * File written by `dualstack snapshot` to start from, which replaces all
   * settings below; relative to the project.
   */
  readonly state?: string;
  /** Default: `dualstack.bech32Prefix`. */
  readonly bech32Prefix?: string;
  /** Default: `dualstack.baseDenom`. */
  readonly denom?: string;
  /** Default: three validators with a stake of 1,000 tokens each. */
  readonly validators?: readonly ValidatorUserSettings[];
  /** Seconds; default 21 days. */
  readonly unbondingTime?: number;
  /** Default 100. */
  readonly maxValidators?: number;
  /**
   * Most unbonding entries of a delegator with a validator, or redelegation
   * entries between two validators; default 7.
   */
  readonly maxEntries?: number;
  /**
   * How long `advance…` waits at most on a network whose time cannot be set, in
   * seconds; default 600.
   */
  readonly longestWait?: number;
  /** Yearly rewards on bonded stake; default 0.1. 0 turns rewards off. */
  readonly rewardRate?: RateInput;
  readonly slashing?: {
    /**
     * Fraction of the stake that `slash` and `dualstack_slashValidator` burn if
     * none is given; default 0.01.
     */
    readonly downtimeFraction?: RateInput;
    /** How long a slashed validator stays in jail, in seconds; default 600. */
    readonly downtimeJailDuration?: number;
  };
  readonly governance?: GovernanceUserSettings;
}

/** A validator in the emulator's units. */
export interface ValidatorSettings {
  readonly operator: `0x${string}`;
  readonly moniker: string;
  readonly identity: string;
  readonly website: string;
  readonly securityContact: string;
  readonly details: string;
  readonly pubkey: string;
  /** Self-delegation in base units. */
  readonly stake: bigint;
  /** Commission rates, scaled by 10^18. */
  readonly rate: bigint;
  readonly maxRate: bigint;
  readonly maxChangeRate: bigint;
  /** Base units. */
  readonly minSelfDelegation: bigint;
}

/** Governance parameters, in the units of {@link DEFAULT_GOVERNANCE}. */
export type GovernanceSettings = {
  readonly [field in keyof typeof DEFAULT_GOVERNANCE]: (typeof DEFAULT_GOVERNANCE)[field] extends bigint
    ? bigint
    : (typeof DEFAULT_GOVERNANCE)[field] extends boolean
      ? boolean
      : string;
};

/**
 * Settings in the emulator's units: seconds, base units, rates scaled by 10^18.
 */
export interface LocalnetSettings {
  readonly addresses: PrecompileAddresses;
  /** The emulated precompiles. */
  readonly active: readonly PrecompileName[];
  readonly prefix: string;
  readonly denom: string;
  readonly unbondingTime: bigint;
  readonly maxValidators: bigint;
  readonly maxEntries: bigint;
  readonly rewardRate: bigint;
  readonly slashing: {
    readonly [field in keyof typeof DEFAULT_SLASHING]: bigint;
  };
  readonly governance: GovernanceSettings;
  readonly validators: readonly ValidatorSettings[];
}

/** A validation error and where in the configuration it occurs. */
export interface SettingsIssue {
  readonly path: (string | number)[];
  readonly message: string;
}

type Facts = Pick<ChainFacts, "bech32Prefix" | "baseDenom">;

/**
 * Validates the settings; the issues' paths are relative to
 * `dualstack.localnet`.
 */
export function validateLocalnet(
  user: LocalnetUserSettings,
  facts: Facts,
): SettingsIssue[] {
  const shape = localnetSchema.safeParse(user);
  if (!shape.success) {
    return shape.error.issues.map(({ path, message }) => ({ path, message }));
  }
  const prefix = user.bech32Prefix ?? facts.bech32Prefix;
  const issues: SettingsIssue[] = [];
  const operators = new Map<string, number>();
  const keys = new Map<string, number>();
  (user.validators ?? []).forEach((given, index) => {
    const path = ["validators", index];
    let settings: ValidatorSettings;
    try {
      settings = resolveValidator(given, prefix);
    } catch (error) {
      issues.push({
        path: [...path, "operator"],
        message: DualstackError.is(error) ? error.reason : String(error),
      });
      return;
    }
    const twice = (
      seen: Map<string, number>,
      value: string,
      field: string,
      what: string,
    ) => {
      const first = seen.get(value);
      if (first !== undefined) {
        issues.push({
          path: [...path, field],
          message: `the same ${what} as validator ${first}`,
        });
      }
      seen.set(value, first ?? index);
    };
    twice(operators, settings.operator, "operator", "operator");
    twice(keys, settings.pubkey, "pubkey", "consensus key");
    if (settings.stake < 10n ** 18n) {
      issues.push({
        path: [...path, "stake"],
        message:
          "the stake must be at least one whole token: less has no voting power",
      });
    }
    if (settings.stake < settings.minSelfDelegation) {
      issues.push({
        path: [...path, "stake"],
        message: "the stake is below the minimum self-delegation",
      });
    }
    if (settings.rate > settings.maxRate) {
      issues.push({
        path: [...path, "commission", "rate"],
        message: "the commission is higher than its highest rate",
      });
    }
    if (settings.maxChangeRate > settings.maxRate) {
      issues.push({
        path: [...path, "commission", "maxChangeRate"],
        message: "the change is higher than the highest rate",
      });
    }
  });
  const destination = user.governance?.proposalCancelDest;
  if (destination !== undefined && destination !== "") {
    try {
      parseAddress(destination, { prefix, what: "account" });
    } catch (error) {
      issues.push({
        path: ["governance", "proposalCancelDest"],
        message: DualstackError.is(error) ? error.reason : String(error),
      });
    }
  }
  return issues;
}

/**
 * Fills in the defaults and converts the settings to the emulator's units.
 *
 * @throws DualstackError with the path of the first invalid setting
 */
export function resolveLocalnet(
  user: LocalnetUserSettings | undefined,
  facts: Facts,
  addresses: PrecompileAddresses,
  active = USUAL_PRECOMPILES,
): LocalnetSettings {
  const given = user ?? {};
  const [issue] = validateLocalnet(given, facts);
  if (issue !== undefined) {
    throw new DualstackError(`${pathText(issue.path)}: ${issue.message}`);
  }
  const prefix = given.bech32Prefix ?? facts.bech32Prefix;
  const g = given.governance ?? {};
  const d = DEFAULT_GOVERNANCE;
  const period = (value: number | undefined, standard: bigint) =>
    value === undefined ? standard : BigInt(value);
  const tokens = (value: AmountInput | undefined, standard: bigint) =>
    value === undefined ? standard : toAmount(value);
  const part = (value: RateInput | undefined, standard: bigint) =>
    value === undefined ? standard : toRate(value);
  const votingPeriod = period(g.votingPeriod, d.votingPeriod);
  const halfOfVoting = votingPeriod / 2n === 0n ? 1n : votingPeriod / 2n;
  return {
    addresses,
    active,
    prefix,
    denom: given.denom ?? facts.baseDenom,
    unbondingTime: period(given.unbondingTime, DEFAULT_LOCALNET.unbondingTime),
    maxValidators: BigInt(
      given.maxValidators ?? DEFAULT_LOCALNET.maxValidators,
    ),
    maxEntries: BigInt(given.maxEntries ?? DEFAULT_LOCALNET.maxEntries),
    rewardRate: part(given.rewardRate, DEFAULT_LOCALNET.rewardRate),
    slashing: {
      ...DEFAULT_SLASHING,
      downtimeJailDuration: period(
        given.slashing?.downtimeJailDuration,
        DEFAULT_SLASHING.downtimeJailDuration,
      ),
      downtimeFraction: part(
        given.slashing?.downtimeFraction,
        DEFAULT_SLASHING.downtimeFraction,
      ),
    },
    governance: {
      votingPeriod,
      expeditedVotingPeriod: period(
        g.expeditedVotingPeriod,
        d.expeditedVotingPeriod < votingPeriod
          ? d.expeditedVotingPeriod
          : halfOfVoting,
      ),
      depositPeriod: period(g.depositPeriod, d.depositPeriod),
      minDeposit: tokens(g.minDeposit, d.minDeposit),
      expeditedMinDeposit: tokens(g.expeditedMinDeposit, d.expeditedMinDeposit),
      quorum: part(g.quorum, d.quorum),
      threshold: part(g.threshold, d.threshold),
      expeditedThreshold: part(g.expeditedThreshold, d.expeditedThreshold),
      vetoThreshold: part(g.vetoThreshold, d.vetoThreshold),
      minInitialDepositRatio: part(
        g.minInitialDepositRatio,
        d.minInitialDepositRatio,
      ),
      minDepositRatio: part(g.minDepositRatio, d.minDepositRatio),
      proposalCancelRatio: part(g.proposalCancelRatio, d.proposalCancelRatio),
      proposalCancelDest: g.proposalCancelDest
        ? parseAddress(g.proposalCancelDest, { prefix }).account
        : d.proposalCancelDest,
      burnVoteQuorum: g.burnVoteQuorum ?? d.burnVoteQuorum,
      burnProposalDepositPrevote:
        g.burnProposalDepositPrevote ?? d.burnProposalDepositPrevote,
      burnVoteVeto: g.burnVoteVeto ?? d.burnVoteVeto,
      constitution: g.constitution ?? d.constitution,
      ignoreUnknownMessages: g.ignoreUnknownMessages ?? d.ignoreUnknownMessages,
    },
    validators: (given.validators ?? DEFAULT_VALIDATORS).map((one) =>
      resolveValidator(one, prefix),
    ),
  };
}

/**
 * Fills in a validator's defaults and converts it to the emulator's units.
 *
 * @throws DualstackError when the operator address, an amount or a rate is
 * invalid
 */
export function resolveValidator(
  given: ValidatorUserSettings,
  prefix: string,
): ValidatorSettings {
  const { hex } = parseAddress(given.operator, { prefix, what: "operator" });
  const maxRate = toRate(
    given.commission?.maxRate ?? DEFAULT_LOCALNET.commission.maxRate,
  );
  return {
    operator: hex,
    moniker: given.moniker ?? `validator ${hex.slice(0, 8)}`,
    identity: given.identity ?? "",
    website: given.website ?? "",
    securityContact: given.securityContact ?? "",
    details: given.details ?? "",
    pubkey: given.pubkey ?? defaultKey(hex),
    stake: toAmount(given.stake ?? DEFAULT_LOCALNET.stake),
    rate: toRate(given.commission?.rate ?? DEFAULT_LOCALNET.commission.rate),
    maxRate,
    maxChangeRate: toRate(
      given.commission?.maxChangeRate ??
        DEFAULT_LOCALNET.commission.maxChangeRate,
    ),
    minSelfDelegation: toAmount(given.minSelfDelegation ?? 1n),
  };
}

/**
 * Parses a validator from a request's parameter.
 *
 * @throws DualstackError that names the invalid field
 */
export function parseValidator(
  input: unknown,
  prefix: string,
): ValidatorSettings {
  const result = validatorSchema.safeParse(input);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new DualstackError(
      `the validator is wrong: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "invalid"}`,
    );
  }
  return resolveValidator(result.data, prefix);
}

/** Returns whether the precompiles are emulated on a simulated network. */
export const emulatedOn = (
  user: LocalnetUserSettings | undefined,
  network: string,
): boolean => user?.networks?.[network] ?? true;

const pathText = (path: readonly (string | number)[]) =>
  path.reduce<string>(
    (text, part) =>
      text + (typeof part === "number" ? `[${part}]` : `.${part}`),
    "dualstack.localnet",
  );
