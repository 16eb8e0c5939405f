import { Params as MintParams } from "cosmjs-types/cosmos/mint/v1beta1/mint";
import { Params as SlashingParams } from "cosmjs-types/cosmos/slashing/v1beta1/slashing";

import type { Block } from "../../src/local-node/block.js";
import type { Books } from "../../src/local-node/books/books.js";
import type { Ledger } from "../../src/local-node/ledger.js";
import { inTheFuture, pruned } from "../../src/local-node/fault.js";
import type { TransactionRecord } from "../../src/local-node/history.js";
import { simulate, transactionHash } from "./bank-send.js";
import type { Chain, State } from "./state.js";

/** The product's servers answer from a test's state by this. */
export class TestLedger implements Ledger {
  readonly prefix = "cosmos";
  readonly #chain: Chain;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  get chainId() {
    return this.#chain.chainId;
  }

  get evmChainId() {
    return this.#chain.evmChainId;
  }

  get height() {
    return this.#chain.height;
  }

  get firstHeight() {
    return 1n;
  }

  booksAt(height: bigint): Books {
    return booksOf(stateAt(this.#chain, height));
  }

  async transactionsAt(height: bigint): Promise<readonly TransactionRecord[]> {
    const { transactions = [] } = this.#chain.modules.get(height) ?? {};
    return transactions.map(({ bytes, code = 0, log = "", events }, index) => ({
      hash: transactionHash(bytes),
      bytes,
      height,
      index,
      code,
      codespace: code === 0 ? "" : "sdk",
      log,
      data: new Uint8Array(),
      gasWanted: 100_000n,
      gasUsed: 50_000n,
      events,
    }));
  }

  get head() {
    return toBlock(this.#chain.head);
  }

  async blockAt(height: bigint) {
    const found = this.#chain.blocks.get(height);
    return found === undefined ? undefined : toBlock(found);
  }

  async transaction(hash: string): Promise<TransactionRecord | undefined> {
    const all = await Promise.all(
      this.busyHeights.map((height) => this.transactionsAt(height)),
    );
    return all.flat().find((one) => one.hash === hash);
  }

  get busyHeights(): readonly bigint[] {
    return [...this.#chain.modules.keys()];
  }

  async request(): Promise<unknown> {
    throw new Error("a test's state has no EVM");
  }

  async broadcast(): Promise<{ readonly hash: string }> {
    throw new Error("a test's state takes no transactions here");
  }

  async simulate(bytes: Uint8Array): Promise<bigint> {
    return simulate(this.#chain.state, bytes, this.#chain);
  }
}

const toBlock = ({ number, hash, timestamp }: Chain["head"]): Block => ({
  height: number,
  hash,
  parentHash: hash,
  stateRoot: hash,
  time: timestamp,
  gasUsed: 0n,
  baseFee: 10n ** 9n,
  evm: { transactionsRoot: hash, receiptsRoot: hash },
});

function stateAt(chain: Chain, height: bigint): State {
  if (height === 0n || height === chain.height) {
    return height === 0n ? chain.state : (chain.at(height) ?? chain.state);
  }
  if (height > chain.height) {
    throw inTheFuture();
  }
  const state = chain.at(height);
  if (state === undefined) {
    throw pruned(height, chain.height);
  }
  return state;
}

const booksOf = (state: State): Books => ({
  staking: {
    validators: async () => state.validators,
    delegationsOf: async (delegator) =>
      state.delegations.filter(
        (d) => d.delegation.delegatorAddress === delegator,
      ),
    delegators: async () => [
      ...new Set(state.delegations.map((d) => d.delegation.delegatorAddress)),
    ],
    delegationsTo: async (validator) =>
      state.delegations.filter(
        (d) => d.delegation.validatorAddress === validator,
      ),
    unbondingsOf: async (delegator) =>
      state.unbondings.filter((u) => u.delegatorAddress === delegator),
    unbondingsFrom: async (validator) =>
      state.unbondings.filter((u) => u.validatorAddress === validator),
    redelegationsOf: async (delegator) =>
      state.redelegations.filter(
        ({ redelegation }) => redelegation.delegatorAddress === delegator,
      ),
    redelegationsFrom: async (validator) =>
      state.redelegations.filter(
        ({ redelegation }) => redelegation.validatorSrcAddress === validator,
      ),
    params: async () => state.stakingParams,
    pool: async () => state.pool,
  },
  distribution: {
    rewardsOf: async (delegator) =>
      state.rewards.filter((reward) => reward.delegator === delegator),
    commissionOf: async (validator) => state.commission.get(validator) ?? [],
    outstandingOf: async (validator) => state.outstanding.get(validator) ?? [],
    slashesOf: async () => ({
      slashes: [],
      pagination: { nextKey: new Uint8Array(), total: 0n },
    }),
    communityPool: async () => state.communityPool,
    withdrawAddress: async (delegator) =>
      state.withdrawAddresses.get(delegator) ?? delegator,
    params: async () => ({
      communityTax: "20000000000000000",
      baseProposerReward: "0",
      bonusProposerReward: "0",
      withdrawAddrEnabled: true,
    }),
  },
  governance: {
    proposals: async () => state.proposals,
    votes: async (id) => state.votes.filter((vote) => vote.proposalId === id),
    deposits: async (id) =>
      state.deposits.filter((deposit) => deposit.proposalId === id),
    tally: async (id) =>
      state.tallies.get(id) ??
      state.proposals.find((proposal) => proposal.id === id)?.finalTallyResult,
    params: async () => state.governanceParams,
    constitution: async () => "",
  },
  bank: {
    balances: async (account) => state.balances.get(account) ?? [],
    supply: async () => [],
    denominations: async () => [],
  },
  auth: {
    account: async (address) => {
      const name = state.moduleAccounts?.get(address);
      return name === undefined
        ? state.accounts.get(address)
        : {
            address,
            accountNumber: 0n,
            sequence: 0n,
            module: { name, permissions: [] },
          };
    },
    accounts: async () => [...state.accounts.values()],
    moduleAccounts: async () => [],
  },
  mint: {
    minter: async () => ({ inflation: 0n, annualProvisions: 0n }),
    rewardRate: async () => 0n,
    params: async () => MintParams.fromPartial({}),
  },
  slashing: {
    params: async () => SlashingParams.fromPartial({}),
    signingInfos: async () => [],
  },
  evm: {
    facts: async () => state.evm,
    account: async () => ({ balance: 0n, nonce: 0n, code: new Uint8Array() }),
    storage: async () => `0x${"0".repeat(64)}`,
  },
  nextDue: async () => 2n ** 64n - 1n,
});
