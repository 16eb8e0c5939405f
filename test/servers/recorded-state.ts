import { readFileSync } from "node:fs";

import * as auth from "cosmjs-types/cosmos/auth/v1beta1/auth";
import * as distribution from "cosmjs-types/cosmos/distribution/v1beta1/query";
import * as gov from "cosmjs-types/cosmos/gov/v1/query";
import * as staking from "cosmjs-types/cosmos/staking/v1beta1/query";

import { Chain, type State } from "./state.js";

export interface ParityEntry {
  readonly name: string;
  readonly height: number;
  readonly rest: {
    readonly path: string;
    readonly status?: number;
    readonly body: unknown;
  };
  readonly grpc?: {
    readonly path: string;
    readonly requestBase64: string;
    readonly status: number;
    readonly details?: string;
    readonly responseBase64?: string;
  };
  readonly abci?: {
    readonly code: number;
    readonly log: string;
    readonly value: string | null;
  };
  readonly precompile?: {
    readonly to: string;
    readonly data: string;
    readonly result?: string;
    readonly error?: {
      readonly code: number;
      readonly message: string;
      readonly data: string;
    };
  };
  readonly ethGetBalance?: string;
}

const read = (name: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../vectors/framework/${name}.json`, import.meta.url),
      "utf8",
    ),
  );

/** Recordings of a real node, by name. */
export function recordings<T extends { readonly name: string }>(
  file: string,
): ReadonlyMap<string, T> {
  return new Map((read(file) as T[]).map((entry) => [entry.name, entry]));
}

export const parity = () => read("parity") as ParityEntry[];

/** Address of the accounts of the public test mnemonic that the recordings use. */
export const ACCOUNTS = {
  acc4: "cosmos1zhf54t65ye7m047rv7pe4tm35q9zc6n9sxn8ly",
  acc5: "cosmos1n9j4qlg62k7vy62utzapd7ehmqvmpfxuk2r277",
  acc6: "cosmos1jah2wspxuun92ndk2la9ga36h5xr5z4fyc2trj",
  acc7: "cosmos1znw8n9jd5tqgkgmf3v7ne372xgvnmx2469fw9k",
  acc8: "cosmos1ydscaq0r7hxl0a2v84jl077q406my85094q35k",
} as const;
export const VALIDATOR = "cosmosvaloper15rh859pdye7p7dn3fe9g7atp9us209eqye2avw";
export const VALIDATOR_2 =
  "cosmosvaloper1ydscaq0r7hxl0a2v84jl077q406my850qp5yc9";
export const HEIGHT = 2151n;

/** The state behind the recordings, rebuilt from some of their answers. */
export function recordedChain(): Chain {
  const entries = new Map(parity().map((entry) => [entry.name, entry]));
  const bytes = (name: string) => {
    const answer = entries.get(name)?.grpc?.responseBase64;
    if (answer === undefined) {
      throw new Error(`no recording "${name}"`);
    }
    return Buffer.from(answer, "base64");
  };
  const delegation = staking.QueryDelegationResponse.decode(
    bytes("delegation"),
  );
  const total = distribution.QueryDelegationTotalRewardsResponse.decode(
    bytes("rewards_total"),
  );
  const params = gov.QueryParamsResponse.decode(bytes("gov_params")).params;
  const tally = gov.QueryTallyResultResponse.decode(bytes("tally")).tally;
  if (
    delegation.delegationResponse === undefined ||
    params === undefined ||
    tally === undefined
  ) {
    throw new Error("the recordings are not whole");
  }
  const native = (amount: string) => [{ denom: "atest", amount }];
  const account = (address: string, accountNumber: bigint, sequence: bigint) =>
    [
      address,
      auth.BaseAccount.fromPartial({ address, accountNumber, sequence }),
    ] as const;
  const state: State = {
    validators: staking.QueryValidatorsResponse.decode(bytes("validators"))
      .validators,
    delegations: [delegation.delegationResponse],
    unbondings: [
      staking.QueryUnbondingDelegationResponse.decode(bytes("unbonding"))
        .unbond,
    ],
    redelegations: staking.QueryRedelegationsResponse.decode(
      bytes("redelegations"),
    ).redelegationResponses,
    stakingParams: {
      unbondingTime: { seconds: 60n, nanos: 0 },
      maxValidators: 100,
      maxEntries: 7,
      historicalEntries: 10_000,
      bondDenom: "atest",
      minCommissionRate: "0",
    },
    pool: {
      notBondedTokens: "2000000000000012345",
      bondedTokens: "5512658167890124409419",
    },
    rewards: total.rewards.map(({ validatorAddress, reward }) => ({
      delegator: ACCOUNTS.acc5,
      validator: validatorAddress,
      reward,
    })),
    commission: new Map([
      [
        VALIDATOR,
        distribution.QueryValidatorCommissionResponse.decode(
          bytes("commission"),
        ).commission.commission,
      ],
    ]),
    outstanding: new Map([
      [
        VALIDATOR,
        distribution.QueryValidatorOutstandingRewardsResponse.decode(
          bytes("outstanding"),
        ).rewards.rewards,
      ],
    ]),
    communityPool: distribution.QueryCommunityPoolResponse.decode(
      bytes("community_pool"),
    ).pool,
    withdrawAddresses: new Map([[ACCOUNTS.acc7, ACCOUNTS.acc4]]),
    proposals: gov.QueryProposalsResponse.decode(bytes("proposals")).proposals,
    votes: gov.QueryVotesResponse.decode(bytes("votes")).votes,
    deposits: gov.QueryDepositsResponse.decode(bytes("deposits")).deposits,
    tallies: new Map([[17n, tally]]),
    governanceParams: params,
    balances: new Map([
      [ACCOUNTS.acc4, native("7955015834844000696000")],
      [ACCOUNTS.acc7, native("9998761432109876542206")],
    ]),
    accounts: new Map([
      account(ACCOUNTS.acc4, 4n, 31n),
      account(ACCOUNTS.acc7, 7n, 4n),
      account(
        "cosmos1nrka4h8aupxuy2swvggev9l8ff4uwucneegvmz",
        14295551113427553853n,
        1n,
      ),
    ]),
    evm: {
      denom: "atest",
      precompiles: [
        "0100",
        "0400",
        "0800",
        "0801",
        "0802",
        "0804",
        "0806",
        "0807",
        "0900",
      ].map((tail) => `0x${tail.padStart(40, "0")}`),
      baseFee: 1_000_000_000n,
      minGasPrice: 1_000_000_000n,
      minGasMultiplier: 5n * 10n ** 17n,
    },
  };
  return new Chain(state, { height: HEIGHT });
}
