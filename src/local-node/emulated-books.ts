import { sha256 } from "@noble/hashes/sha2";
import { hexToBytes } from "@noble/hashes/utils";
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import type { Metadata } from "cosmjs-types/cosmos/bank/v1beta1/bank";
import type { Coin, DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import { PubKey } from "cosmjs-types/cosmos/crypto/ed25519/keys";
import type { ValidatorSlashEvent } from "cosmjs-types/cosmos/distribution/v1beta1/distribution";
import {
  MsgCommunityPoolSpend,
  MsgFundCommunityPool,
} from "cosmjs-types/cosmos/distribution/v1beta1/tx";
import {
  Params as GovernanceParams,
  Proposal,
  ProposalStatus,
  type TallyResult,
} from "cosmjs-types/cosmos/gov/v1/gov";
import type { Params as MintParams } from "cosmjs-types/cosmos/mint/v1beta1/mint";
import type { Params as SlashingParams } from "cosmjs-types/cosmos/slashing/v1beta1/slashing";
import {
  DelegationResponse,
  type Params as StakingParams,
  RedelegationResponse,
  type UnbondingDelegation,
  Validator,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";
import type { Any } from "cosmjs-types/google/protobuf/any";

import { type AddressForm, parseAddress } from "../address/index.js";
import type { Currency } from "../chain/facts.js";
import { UnreadError } from "../live-state/unreadable.js";
import type { LocalnetSettings } from "../localnet/settings/settings.js";
import { MODULE_ACCOUNTS } from "../precompiles/module-accounts.js";
import { fromQuantity } from "../rpc/quantities.js";
import { consensusHash, consensusKey } from "./consensus.js";
import type {
  Account,
  Books,
  DelegationReward,
  EvmAccount,
  Minted,
  SigningInfo,
} from "./books.js";
import type { ForkedChain } from "./forked-chain.js";
import type { Views } from "./views.js";

/** What the books need besides the modules' views. */
export interface Surroundings {
  readonly settings: LocalnetSettings;
  /** The forked chain. */
  readonly fork: ForkedChain | undefined;
  readonly currency: Currency;
  /**
   * Returns the supply that a fork starts with, in base units, which the
   * emulation does not count.
   *
   * @throws UnreadError when the forked chain does not tell it
   */
  readonly before: () => Promise<bigint>;
  /** Addresses of the genesis accounts, in genesis order. */
  readonly genesisAccounts: readonly string[];
  /** Addresses of all accounts seen so far, in lower-case hex. */
  readonly known: ReadonlySet<string>;
  /**
   * Returns every address that may have a delegation, in lower-case hex.
   *
   * @param operator limits them to possible delegators of this validator, as
   *   far as known
   * @throws UnreadError when the forked chain does not tell its delegators
   */
  delegators(operator?: string): Promise<Iterable<string>>;
  /**
   * The same, without delegators of the forked chain that were not seen since.
   */
  ownDelegators(): Promise<Iterable<string>>;
  /**
   * Returns the public key that an account has signed a framework transaction
   * with.
   */
  keyOf(address: string): Any | undefined;
  /** Base units per gas. */
  readonly minGasPrice: bigint;
  /** Times 10^18. */
  readonly minGasMultiplier: bigint;
}

const EVERYTHING = {
  key: "0x",
  offset: 0n,
  limit: 100_000n,
  countTotal: false,
  reverse: false,
};
const ONE = 10n ** 18n;
const BLOCKS_PER_YEAR = 6_311_520n;
const ZERO = `0x${"0".repeat(40)}`;

const MODULES: Readonly<
  Record<string, { name: string; permissions: string[] }>
> = {
  [MODULE_ACCOUNTS.bondedPool]: {
    name: "bonded_tokens_pool",
    permissions: ["burner", "staking"],
  },
  [MODULE_ACCOUNTS.notBondedPool]: {
    name: "not_bonded_tokens_pool",
    permissions: ["burner", "staking"],
  },
  [MODULE_ACCOUNTS.distribution]: { name: "distribution", permissions: [] },
  [MODULE_ACCOUNTS.governance]: { name: "gov", permissions: ["burner"] },
  [MODULE_ACCOUNTS.feeCollector]: { name: "fee_collector", permissions: [] },
};

/** Values of Action in contracts/localnet/governance/Messages.sol. */
const ACTIONS = { send: 1n, spendPool: 2n, fundPool: 3n } as const;

/** The reason that the chain gives for all rejected proposals. */
const TOO_FEW_VOTES = "proposal did not get enough votes to pass";

const time = (seconds: bigint) => ({ seconds, nanos: 0 });
/** The contracts store an absent time as 0. */
const optionalTime = (seconds: bigint) =>
  seconds > 0n ? time(seconds) : undefined;
const period = (nanoseconds: bigint) => ({
  seconds: nanoseconds / 1_000_000_000n,
  nanos: Number(nanoseconds % 1_000_000_000n),
});

// ethers does not derive types from the precompiles' ABIs.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Struct = any;

const coins = (list: readonly Struct[]): Coin[] =>
  list.map(({ denom, amount }) => ({ denom, amount: String(amount) }));
const decCoins = (list: readonly Struct[]): DecCoin[] => coins(list);
const tallyOf = (tally: Struct): TallyResult => ({
  yesCount: tally.yes,
  abstainCount: tally.abstain,
  noCount: tally.no,
  noWithVetoCount: tally.noWithVeto,
});

/** Reads a field by name, even where arrays have a method of that name. */
const fieldOf = (struct: Struct, name: string): readonly Struct[] =>
  struct.getValue(name);

const byAddress = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The books of the emulated modules at the end of one block. */
export class EmulatedBooks implements Books {
  readonly #views: Views;
  readonly #around: Surroundings;
  #validators: Promise<readonly Validator[]> | undefined;

  constructor(views: Views, around: Surroundings) {
    this.#views = views;
    this.#around = around;
  }

  #form(hex: string, form: Exclude<AddressForm, "hex">): string {
    return parseAddress(hex, { prefix: this.#around.settings.prefix })[form];
  }

  #hex(text: string): `0x${string}` {
    return parseAddress(text, { prefix: this.#around.settings.prefix }).hex;
  }

  // ---- staking

  async validators(): Promise<readonly Validator[]> {
    return await (this.#validators ??= this.#readValidators());
  }

  async #readValidators(): Promise<readonly Validator[]> {
    const [list] = await this.#views.call("staking", "validators", [
      "",
      EVERYTHING,
    ]);
    return await Promise.all(
      (list as readonly Struct[]).map(
        async (one) => await this.#validator(one),
      ),
    );
  }

  async #validator(v: Struct): Promise<Validator> {
    const { fork } = this.#around;
    const limits = await this.#commissionLimits(v.operatorAddress);
    // The emulation assigns unbonding IDs to entries only: a validator's come
    // from the forked chain.
    const unbonding =
      fork !== undefined && v.unbondingHeight <= fork.height
        ? await fork.validator(v.operatorAddress)
        : undefined;
    return Validator.fromPartial({
      operatorAddress: this.#form(v.operatorAddress, "valoper"),
      consensusPubkey: {
        typeUrl: "/cosmos.crypto.ed25519.PubKey",
        value: PubKey.encode({
          key: Buffer.from(v.consensusPubkey, "base64"),
        }).finish(),
      },
      jailed: v.jailed,
      status: Number(v.status),
      tokens: String(v.tokens),
      delegatorShares: String(v.delegatorShares),
      description: {
        moniker: v.description.moniker,
        identity: v.description.identity,
        website: v.description.website,
        securityContact: v.description.securityContact,
        details: v.description.details,
      },
      unbondingHeight: v.unbondingHeight,
      unbondingTime: time(v.unbondingTime > 0n ? v.unbondingTime : 0n),
      commission: {
        commissionRates: {
          rate: String(v.commission),
          maxRate: limits?.maxRate ?? "",
          maxChangeRate: limits?.maxChangeRate ?? "",
        },
        ...(limits === undefined ? {} : { updateTime: limits.updateTime }),
      },
      minSelfDelegation: String(v.minSelfDelegation),
      unbondingIds: unbonding?.unbondingIds ?? [],
    });
  }

  /**
   * Returns a validator's commission limits; `undefined` when the forked chain
   * does not tell them.
   */
  async #commissionLimits(operator: string) {
    const base = await this.#around.fork?.base();
    const read = base?.validators.find(
      (one) => one.operator.toLowerCase() === operator.toLowerCase(),
    );
    if (read !== undefined && read.limits === undefined) return undefined;
    const [maxRate, maxChangeRate, set] = await this.#views.call(
      "system",
      "commissionLimits",
      [operator],
    );
    return {
      maxRate: String(maxRate),
      maxChangeRate: String(maxChangeRate),
      updateTime: time(set),
    };
  }

  async delegationsOf(
    delegator: string,
  ): Promise<readonly DelegationResponse[]> {
    const account = this.#hex(delegator);
    if (account === ZERO) {
      return [];
    }
    const [validators] = await this.#views.call(
      "distribution",
      "delegatorValidators",
      [account],
    );
    return await Promise.all(
      (validators as readonly string[]).map(async (validatorAddress) => {
        const [shares, balance] = await this.#views.call(
          "staking",
          "delegation",
          [account, validatorAddress],
        );
        return DelegationResponse.fromPartial({
          delegation: {
            delegatorAddress: delegator,
            validatorAddress,
            shares: String(shares),
          },
          balance: { denom: balance.denom, amount: String(balance.amount) },
        });
      }),
    );
  }

  async delegators(): Promise<readonly string[]> {
    const delegators = await this.#around.ownDelegators();
    return [...delegators]
      .sort(byAddress)
      .map((hex) => this.#form(hex, "account"));
  }

  async delegationsTo(
    validator: string,
  ): Promise<readonly DelegationResponse[]> {
    const all = await this.#ofDelegators(validator, (delegator) =>
      this.delegationsOf(delegator),
    );
    return all.filter(
      ({ delegation }) => delegation.validatorAddress === validator,
    );
  }

  async #ofDelegators<T>(
    validator: string,
    task: (delegator: string) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const found = await this.#around.delegators(this.#hex(validator));
    const delegators = [...found].sort(byAddress);
    return (
      await Promise.all(
        delegators.map(async (hex) => await task(this.#form(hex, "account"))),
      )
    ).flat();
  }

  async unbondingsOf(
    delegator: string,
  ): Promise<readonly UnbondingDelegation[]> {
    const account = this.#hex(delegator);
    const found = await Promise.all(
      (await this.validators()).map(async ({ operatorAddress }) => {
        const [unbonding] = await this.#views.call(
          "staking",
          "unbondingDelegation",
          [account, operatorAddress],
        );
        const entries = fieldOf(unbonding, "entries").map((e) => ({
          creationHeight: BigInt(e.creationHeight),
          completionTime: time(e.completionTime),
          initialBalance: String(e.initialBalance),
          balance: String(e.balance),
          unbondingId: BigInt(e.unbondingId),
          unbondingOnHoldRefCount: BigInt(e.unbondingOnHoldRefCount),
        }));
        return {
          delegatorAddress: delegator,
          validatorAddress: operatorAddress,
          entries,
        };
      }),
    );
    return found.filter(({ entries }) => entries.length > 0);
  }

  async unbondingsFrom(
    validator: string,
  ): Promise<readonly UnbondingDelegation[]> {
    const all = await this.#ofDelegators(validator, (delegator) =>
      this.unbondingsOf(delegator),
    );
    return all.filter(({ validatorAddress }) => validatorAddress === validator);
  }

  async redelegationsOf(
    delegator: string,
  ): Promise<readonly RedelegationResponse[]> {
    const account = this.#hex(delegator);
    if (account === ZERO) {
      return [];
    }
    const [list] = await this.#views.call("staking", "redelegations", [
      account,
      "",
      "",
      EVERYTHING,
    ]);
    const entryOf = (e: Struct) => ({
      creationHeight: BigInt(e.creationHeight),
      completionTime: time(e.completionTime),
      initialBalance: String(e.initialBalance),
      sharesDst: String(e.sharesDst),
    });
    return (list as readonly Struct[]).map((one) =>
      RedelegationResponse.fromPartial({
        redelegation: {
          delegatorAddress: delegator,
          validatorSrcAddress: one.redelegation.validatorSrcAddress,
          validatorDstAddress: one.redelegation.validatorDstAddress,
          entries: [],
        },
        entries: fieldOf(one, "entries").map((response) => ({
          redelegationEntry: entryOf(response.redelegationEntry),
          balance: String(response.balance),
        })),
      }),
    );
  }

  async stakingParams() {
    const { maxValidators, maxEntries, denom } = this.#around.settings;
    const [{ unbondingTime }, read] = await Promise.all([
      this.#state(),
      this.#around.fork?.stakingParams(),
    ]);
    return {
      unbondingTime: time(BigInt(unbondingTime)),
      maxValidators: Number(maxValidators),
      maxEntries: Number(maxEntries),
      historicalEntries: 10_000,
      bondDenom: denom,
      minCommissionRate: "0",
      ...(read === undefined ? {} : withoutTime(read)),
    };
  }

  async #state(): Promise<Struct> {
    // The view accrues rewards up to this time, which must not precede the last
    // settlement.
    const time = await this.#views.time();
    const [state] = await this.#views.call("system", "state", [time]);
    return state;
  }

  async pool() {
    const [notBonded, bonded] = await Promise.all([
      this.#balance(MODULE_ACCOUNTS.notBondedPool),
      this.#balance(MODULE_ACCOUNTS.bondedPool),
    ]);
    return { notBondedTokens: String(notBonded), bondedTokens: String(bonded) };
  }

  // ---- distribution

  async rewardsOf(delegator: string): Promise<readonly DelegationReward[]> {
    const account = this.#hex(delegator);
    if (account === ZERO) {
      return [];
    }
    const [rewards] = await this.#views.call(
      "distribution",
      "delegationTotalRewards",
      [account],
    );
    return (rewards as readonly Struct[]).map((one) => ({
      validator: one.validatorAddress,
      reward: decCoins(one.reward),
    }));
  }

  async commissionOf(validator: string): Promise<readonly DecCoin[]> {
    return await this.#decCoins("validatorCommission", validator);
  }

  async outstandingOf(validator: string): Promise<readonly DecCoin[]> {
    return await this.#decCoins("validatorOutstandingRewards", validator);
  }

  // A validator that does not exist has no coins.
  async #decCoins(method: string, validator: string): Promise<DecCoin[]> {
    const found = await this.#views.find("distribution", method, [validator]);
    return decCoins((found?.[0] ?? []) as readonly Struct[]);
  }

  async slashesOf(
    validator: string,
    from: bigint,
    to: bigint,
  ): Promise<readonly ValidatorSlashEvent[]> {
    const found = await this.#views.find("distribution", "validatorSlashes", [
      validator,
      from,
      to,
      EVERYTHING,
    ]);
    return ((found?.[0] ?? []) as readonly Struct[]).map((one) => ({
      validatorPeriod: BigInt(one.validatorPeriod),
      fraction: String(one.fraction.value),
    }));
  }

  async communityPool(): Promise<readonly DecCoin[]> {
    const [pool] = await this.#views.call("distribution", "communityPool");
    return decCoins(pool);
  }

  async withdrawAddress(delegator: string): Promise<string> {
    const [address] = await this.#views.call(
      "distribution",
      "delegatorWithdrawAddress",
      [this.#hex(delegator)],
    );
    return String(address);
  }

  async distributionParams() {
    const { fork } = this.#around;
    if (fork !== undefined) return await fork.distributionParams();
    const [communityTax, withdrawAddressFixed] = await this.#views.call(
      "system",
      "distributionParams",
    );
    return {
      communityTax: String(communityTax),
      baseProposerReward: "0",
      bonusProposerReward: "0",
      withdrawAddrEnabled: !withdrawAddressFixed,
    };
  }

  // ---- governance

  async proposals(): Promise<readonly Proposal[]> {
    const [list] = await this.#views.call("governance", "getProposals", [
      0,
      ZERO,
      ZERO,
      EVERYTHING,
    ]);
    return await Promise.all(
      (list as readonly Struct[]).map(async (one) => await this.#proposal(one)),
    );
  }

  async #proposal(p: Struct): Promise<Proposal> {
    const [expedited, messages, failure] = await this.#views.call(
      "system",
      "proposalContents",
      [p.id],
    );
    return Proposal.fromPartial({
      id: p.id,
      messages: messages.map((message: Struct) => this.#message(message)),
      status: Number(p.status),
      finalTallyResult: tallyOf(p.finalTallyResult),
      submitTime: optionalTime(p.submitTime),
      depositEndTime: optionalTime(p.depositEndTime),
      totalDeposit: coins(p.totalDeposit),
      votingStartTime: optionalTime(p.votingStartTime),
      votingEndTime: optionalTime(p.votingEndTime),
      metadata: p.metadata,
      title: p.title,
      summary: p.summary,
      proposer: this.#form(p.proposer, "account"),
      expedited,
      failedReason:
        Number(p.status) === ProposalStatus.PROPOSAL_STATUS_REJECTED
          ? TOO_FEW_VOTES
          : String(failure),
    });
  }

  // The contracts keep only messages that have an effect here; of others, the
  // type.
  #message({ typeUrl, action, recipient, amount }: Struct): Any {
    const governance = this.#form(MODULE_ACCOUNTS.governance, "account");
    const { denom } = this.#around.settings;
    const sum = [{ denom, amount: String(amount) }];
    const value = () => {
      switch (action) {
        case ACTIONS.send:
          return MsgSend.encode({
            fromAddress: governance,
            toAddress: this.#form(recipient, "account"),
            amount: sum,
          });
        case ACTIONS.spendPool:
          return MsgCommunityPoolSpend.encode({
            authority: governance,
            recipient: this.#form(recipient, "account"),
            amount: sum,
          });
        case ACTIONS.fundPool:
          return MsgFundCommunityPool.encode({
            depositor: governance,
            amount: sum,
          });
        default:
          return undefined;
      }
    };
    return { typeUrl, value: value()?.finish() ?? new Uint8Array() };
  }

  async votes(proposal: bigint) {
    const [list] = await this.#views.call("governance", "getVotes", [
      proposal,
      EVERYTHING,
    ]);
    return (list as readonly Struct[]).map((vote) => ({
      proposalId: proposal,
      voter: this.#form(vote.voter, "account"),
      options: vote.options.map((one: Struct) => ({
        option: Number(one.option),
        weight: String(one.weight),
      })),
      metadata: String(vote.metadata),
    }));
  }

  async deposits(proposal: bigint) {
    const [list] = await this.#views.call("governance", "getDeposits", [
      proposal,
      EVERYTHING,
    ]);
    return (list as readonly Struct[]).map((deposit) => ({
      proposalId: proposal,
      depositor: this.#form(deposit.depositor, "account"),
      amount: coins(deposit.amount),
    }));
  }

  async tally(proposal: bigint): Promise<TallyResult | undefined> {
    const found = await this.#views.find("governance", "getTallyResult", [
      proposal,
    ]);
    return found === undefined ? undefined : tallyOf(found[0]);
  }

  async governanceParams(): Promise<GovernanceParams> {
    const [p] = await this.#views.call("governance", "getParams");
    return GovernanceParams.fromPartial({
      minDeposit: coins(p.minDeposit),
      maxDepositPeriod: period(p.maxDepositPeriod),
      votingPeriod: period(p.votingPeriod),
      quorum: p.quorum,
      threshold: p.threshold,
      vetoThreshold: p.vetoThreshold,
      minInitialDepositRatio: p.minInitialDepositRatio,
      proposalCancelRatio: p.proposalCancelRatio,
      proposalCancelDest: p.proposalCancelDest,
      expeditedVotingPeriod: period(p.expeditedVotingPeriod),
      expeditedThreshold: p.expeditedThreshold,
      expeditedMinDeposit: coins(p.expeditedMinDeposit),
      burnVoteQuorum: p.burnVoteQuorum,
      burnProposalDepositPrevote: p.burnProposalDepositPrevote,
      burnVoteVeto: p.burnVoteVeto,
      minDepositRatio: p.minDepositRatio,
    });
  }

  async constitution(): Promise<string> {
    const [text] = await this.#views.call("governance", "getConstitution");
    return String(text);
  }

  // ---- bank and auth

  async #balance(hex: string): Promise<bigint> {
    const answer = await this.#views.ask("eth_getBalance", [hex]);
    return fromQuantity(answer, "a balance");
  }

  async balances(account: string): Promise<readonly Coin[]> {
    const amount = await this.#balance(this.#hex(account));
    const { denom } = this.#around.settings;
    return amount === 0n ? [] : [{ denom, amount: String(amount) }];
  }

  async supply(): Promise<readonly Coin[]> {
    const { settings, before } = this.#around;
    const { supply } = await this.#state();
    // On a fork, the emulation's own count may be negative.
    const amount = (await before()) + BigInt.asIntN(256, BigInt(supply));
    return [{ denom: settings.denom, amount: String(amount) }];
  }

  async denominations(): Promise<readonly Metadata[]> {
    const { currency, settings, fork } = this.#around;
    if (fork !== undefined) {
      const read = await fork.metadata(settings.denom);
      return read === undefined ? [] : [read];
    }
    const display = currency.symbol.toLowerCase();
    return await Promise.resolve([
      {
        description: "The native staking token.",
        denomUnits: [
          { denom: settings.denom, exponent: 0, aliases: [] },
          { denom: display, exponent: currency.decimals, aliases: [] },
        ],
        base: settings.denom,
        display,
        name: currency.name,
        symbol: currency.symbol,
        uri: "",
        uriHash: "",
      },
    ]);
  }

  async account(address: string): Promise<Account | undefined> {
    const hex = this.#hex(address).toLowerCase();
    const sequence = fromQuantity(
      await this.#views.ask("eth_getTransactionCount", [hex]),
      "a nonce",
    );
    const { fork, genesisAccounts } = this.#around;
    const module = MODULES[hex];
    const place = fork === undefined ? genesisAccounts.indexOf(hex) : -1;
    const exists =
      module !== undefined ||
      place >= 0 ||
      sequence > 0n ||
      (await this.#balance(hex)) > 0n ||
      (await this.#views.ask("eth_getCode", [hex])) !== "0x";
    if (!exists) {
      return undefined;
    }
    const noted = await fork?.account(hex);
    const pubKey = this.#around.keyOf(hex) ?? noted?.pubKey;
    return {
      address,
      accountNumber:
        noted?.accountNumber ??
        (place >= 0 ? BigInt(place) : accountNumber(hex)),
      sequence,
      ...(pubKey === undefined ? {} : { pubKey }),
      ...(module === undefined ? {} : { module }),
    };
  }

  async accounts(): Promise<readonly Account[]> {
    this.#requireNoFork("which accounts there are");
    return await this.#accounts([
      ...new Set([...Object.keys(MODULES), ...this.#around.known]),
    ]);
  }

  async moduleAccounts(): Promise<readonly Account[]> {
    return await this.#accounts(Object.keys(MODULES));
  }

  /** @throws UnreadError on a fork */
  #requireNoFork(what: string): void {
    const { fork } = this.#around;
    if (fork === undefined) return;
    throw new UnreadError(
      `${what} cannot be told on a fork of block ${fork.height}: nobody tells it of the forked chain`,
      { fix: "Ask the forked chain." },
    );
  }

  async #accounts(all: readonly string[]): Promise<readonly Account[]> {
    const found = await Promise.all(
      [...all]
        .sort(byAddress)
        .map(async (hex) => await this.account(this.#form(hex, "account"))),
    );
    return found.filter((account) => account !== undefined);
  }

  // ---- minting and slashing

  async rewardRate(): Promise<bigint> {
    const { rewardRate } = await this.#state();
    return BigInt(rewardRate);
  }

  async minter(): Promise<Minted> {
    const { fork } = this.#around;
    if (fork !== undefined) return await fork.minter();
    // Rewards are a fraction of the bonded tokens here; yearly provisions
    // follow from it.
    const [rate, { bondedTokens }, [supply]] = await Promise.all([
      this.rewardRate(),
      this.pool(),
      this.supply(),
    ]);
    const provisions = rate * BigInt(bondedTokens);
    const all = BigInt(supply?.amount ?? 0);
    return {
      inflation: all === 0n ? 0n : provisions / all,
      annualProvisions: provisions,
    };
  }

  async nextDue(): Promise<bigint> {
    const { nextDue } = await this.#state();
    return BigInt(nextDue);
  }

  async mintParams(): Promise<MintParams> {
    const { fork, settings } = this.#around;
    return fork === undefined
      ? {
          mintDenom: settings.denom,
          inflationRateChange: "0",
          inflationMax: String(await this.rewardRate()),
          inflationMin: "0",
          goalBonded: String((67n * ONE) / 100n),
          blocksPerYear: BLOCKS_PER_YEAR,
        }
      : await fork.mintParams();
  }

  async slashingParams(): Promise<SlashingParams> {
    const { fork } = this.#around;
    if (fork !== undefined) return await fork.slashingParams();
    const part = ({ value }: Struct) => new TextEncoder().encode(String(value));
    const [params] = await this.#views.call("system", "slashingParams");
    return {
      signedBlocksWindow: params.signedBlocksWindow,
      minSignedPerWindow: part(params.minSignedPerWindow),
      downtimeJailDuration: { seconds: params.downtimeJailDuration, nanos: 0 },
      slashFractionDoubleSign: part(params.slashFractionDoubleSign),
      slashFractionDowntime: part(params.slashFractionDowntime),
    };
  }

  async signingInfos(): Promise<readonly SigningInfo[]> {
    const { fork } = this.#around;
    const height = await this.#views.height();
    if (fork !== undefined) {
      const infos = (await this.validators()).map(
        async (validator) => await this.#signedOn(fork, validator, height),
      );
      return await Promise.all(infos);
    }
    const [list] = await this.#views.call("system", "signingInfos", [height]);
    return (list as readonly Struct[]).map((info) => ({
      consensus: info.validatorAddress.slice(2).toUpperCase(),
      startHeight: info.startHeight,
      indexOffset: info.indexOffset,
      jailedUntil: time(info.jailedUntil),
      tombstoned: info.tombstoned,
      missedBlocksCounter: info.missedBlocksCounter,
    }));
  }

  /**
   * Continues a validator's signing record of the forked chain. Every validator
   * signs all of a fork's blocks; one that is jailed since is treated as jailed
   * for downtime, which resets its counters.
   */
  async #signedOn(
    fork: ForkedChain,
    validator: Validator,
    height: bigint,
  ): Promise<SigningInfo> {
    const consensus = consensusHash(consensusKey(validator));
    const { jailedUntil = time(0n), ...info } = (await fork.signingInfo(
      consensus,
    )) ?? {
      startHeight: 0n,
      indexOffset: 0n,
      tombstoned: false,
      missedBlocksCounter: 0n,
    };
    if (!validator.jailed) {
      const indexOffset = info.indexOffset + height - fork.height;
      return { ...info, consensus, indexOffset, jailedUntil };
    }
    if (validator.unbondingHeight <= fork.height) {
      return { ...info, consensus, jailedUntil };
    }
    const { unbondingTime } = await this.stakingParams();
    const { downtimeJailDuration } = await this.slashingParams();
    const jailed = validator.unbondingTime.seconds - unbondingTime.seconds;
    return {
      ...info,
      consensus,
      indexOffset: 0n,
      missedBlocksCounter: 0n,
      jailedUntil: time(jailed + downtimeJailDuration.seconds),
    };
  }

  // ---- the EVM

  async evmAccount(address: string): Promise<EvmAccount> {
    const [balance, nonce, code] = await Promise.all([
      this.#balance(address),
      this.#views.ask("eth_getTransactionCount", [address]),
      this.#views.ask("eth_getCode", [address]),
    ]);
    const { active, addresses } = this.#around.settings;
    const isPrecompile = active.some(
      (name) => addresses[name].toLowerCase() === address.toLowerCase(),
    );
    return {
      balance,
      nonce: fromQuantity(nonce, "a nonce"),
      // On the chain, precompiles have no code.
      code: isPrecompile ? new Uint8Array() : hexToBytes(String(code).slice(2)),
    };
  }

  async storage(address: string, place: string): Promise<string> {
    return String(await this.#views.ask("eth_getStorageAt", [address, place]));
  }

  async evm() {
    const { settings, minGasPrice, minGasMultiplier } = this.#around;
    return {
      denom: settings.denom,
      precompiles: settings.active
        .map((name) => settings.addresses[name].toLowerCase())
        .sort(byAddress),
      baseFee: await this.#views.baseFee(),
      minGasPrice,
      minGasMultiplier,
    };
  }
}

/** Drops the unbonding time, which the contracts hold. */
function withoutTime({ unbondingTime: _, ...params }: StakingParams) {
  return params;
}

/**
 * Derives the number of an account outside the genesis, as large as the chain's
 * own.
 */
function accountNumber(hex: string): bigint {
  const [first = 0, ...rest] = sha256(hexToBytes(hex.slice(2))).subarray(0, 8);
  return BigInt(`0x${Buffer.from([first | 0x80, ...rest]).toString("hex")}`);
}
