import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import type { Coin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import {
  MsgCommunityPoolSpend,
  MsgFundCommunityPool,
} from "cosmjs-types/cosmos/distribution/v1beta1/tx";
import { type Proposal, ProposalStatus } from "cosmjs-types/cosmos/gov/v1/gov";
import { BondStatus } from "cosmjs-types/cosmos/staking/v1beta1/staking";
import type { Any } from "cosmjs-types/google/protobuf/any";
import { parseUnits } from "ethers";

import { parseAddress } from "../address/index.js";
import { MODULE_ACCOUNTS } from "../precompiles/module-accounts.js";
import type { Block } from "./block.js";
import type { Books } from "./books/books.js";
import type { Ledger } from "./ledger.js";
import { told } from "./fault.js";
import type { ModuleEvent } from "./history.js";
import {
  burnEvents,
  coinsText,
  event,
  type EventTexts,
  releaseEvents,
  transferEvents,
} from "./transactions/events.js";

const ONE = 10n ** 18n;

/** How a vote ends, by the proposal's status. */
const RESULTS: Readonly<Partial<Record<ProposalStatus, string>>> = {
  [ProposalStatus.PROPOSAL_STATUS_PASSED]: "passed",
  [ProposalStatus.PROPOSAL_STATUS_REJECTED]: "rejected",
  [ProposalStatus.PROPOSAL_STATUS_FAILED]: "failed",
};

/**
 * Returns what the end of a block did, in a node's order: ends of deposit and
 * voting periods, changes of the validator set, unbondings and redelegations.
 *
 * @param height of the block before
 */
export async function dueEvents(
  ledger: Ledger,
  block: Block,
  height: bigint,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  const before = ledger.booksAt(height);
  const after = ledger.booksAt(block.height);
  const isDue = (await before.nextDue()) <= block.time;
  return [
    ...(isDue ? await proposalEvents(before, after, texts) : []),
    ...(await poolEvents(before, after, texts)),
    ...(isDue ? await maturedEvents(before, block.time, texts) : []),
  ];
}

/** Returns the one transfer between the pools for a changed validator set. */
async function poolEvents(
  before: Books,
  after: Books,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  const [then, now] = await Promise.all([
    before.staking.validators(),
    after.staking.validators(),
  ]);
  const bonded = new Map(
    then.map(({ operatorAddress, status }) => [
      operatorAddress,
      status === BondStatus.BOND_STATUS_BONDED,
    ]),
  );
  const moved = now.reduce((sum, { operatorAddress, status, tokens }) => {
    const was = bonded.get(operatorAddress) ?? false;
    const is = status === BondStatus.BOND_STATUS_BONDED;
    return was === is ? sum : sum + (is ? BigInt(tokens) : -BigInt(tokens));
  }, 0n);
  const { bondedPool, notBondedPool } = MODULE_ACCOUNTS;
  if (moved === 0n) return [];
  return moved > 0n
    ? transferEvents(notBondedPool, bondedPool, moved, texts)
    : transferEvents(bondedPool, notBondedPool, -moved, texts);
}

interface Timestamp {
  readonly seconds: bigint;
}

interface Entry {
  readonly completionTime: Timestamp;
}

/** Events that belong to a time of the framework's queues. */
interface Due {
  readonly time: bigint;
  readonly events: readonly ModuleEvent[];
}

const inOrder = (all: readonly Due[]) =>
  [...all]
    .sort((a, b) => Number(a.time - b.time))
    .flatMap(({ events }) => events);

async function maturedEvents(
  books: Books,
  time: bigint,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  const isDue = ({ completionTime }: Entry) => completionTime.seconds <= time;
  const firstOf = (entries: readonly Entry[]) =>
    entries.reduce(
      (least, { completionTime: { seconds } }) =>
        seconds < least ? seconds : least,
      time,
    );
  const sum = (amounts: readonly string[]) =>
    coinsText(
      amounts.reduce((all, one) => all + BigInt(one), 0n),
      texts,
    );
  const delegators = await books.staking.delegators();
  const unbondings = await ofAll(delegators, (one) =>
    books.staking.unbondingsOf(one),
  );
  const unbonded: Due[] = [];
  for (const {
    operatorAddress: validator,
  } of await books.staking.validators()) {
    for (const unbonding of unbondings) {
      const { delegatorAddress: delegator, entries } = unbonding;
      if (unbonding.validatorAddress !== validator) continue;
      const due = entries.filter(isDue);
      if (due.length === 0) continue;
      const completed = (amount: string) =>
        event("complete_unbonding", { amount, validator, delegator });
      const { hex } = parseAddress(delegator, texts);
      unbonded.push({
        time: firstOf(due),
        events: [
          ...due
            .map(({ balance }) => BigInt(balance))
            .filter((balance) => balance > 0n)
            .flatMap((balance) => releaseEvents(hex, balance, texts)),
          completed(sum(due.map(({ balance }) => balance))),
          // A node finds nothing more for the others of the pair, unless it
          // has left the queue.
          ...(due.length < entries.length ? due.slice(1) : []).map(() =>
            completed(""),
          ),
        ],
      });
    }
  }
  const moves = await ofAll(delegators, (one) =>
    books.staking.redelegationsOf(one),
  );
  const redelegated: Due[] = [];
  for (const { redelegation, entries } of moves) {
    const due = entries
      .map(({ redelegationEntry }) => redelegationEntry)
      .filter(isDue);
    if (due.length === 0) continue;
    redelegated.push({
      time: firstOf(due),
      events: [
        event("complete_redelegation", {
          amount: sum(due.map(({ initialBalance }) => initialBalance)),
          delegator: redelegation.delegatorAddress,
          source_validator: redelegation.validatorSrcAddress,
          destination_validator: redelegation.validatorDstAddress,
        }),
      ],
    });
  }
  return [...inOrder(unbonded), ...inOrder(redelegated)];
}

/**
 * Collects a reading of all delegators. Those that a fork had not met by then
 * had nothing due there.
 */
async function ofAll<T>(
  delegators: readonly string[],
  read: (delegator: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found = delegators.map((one) => told(read(one), []));
  return (await Promise.all(found)).flat();
}

const timeOf = (time: Timestamp | undefined) => time?.seconds ?? 0n;

async function proposalEvents(
  before: Books,
  after: Books,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  const now = new Map(
    (await after.governance.proposals()).map((one) => [one.id, one]),
  );
  const dropped: Due[] = [];
  const voted: Due[] = [];
  for (const old of await before.governance.proposals()) {
    const current = now.get(old.id);
    const { status } = old;
    if (
      status === ProposalStatus.PROPOSAL_STATUS_DEPOSIT_PERIOD &&
      current === undefined
    ) {
      const { burnProposalDepositPrevote: burns } =
        await before.governance.params();
      dropped.push({
        time: timeOf(old.depositEndTime),
        events: [
          ...(await depositEvents(before, old.id, burns, texts)),
          event("inactive_proposal", {
            proposal_id: String(old.id),
            proposal_result: "proposal_dropped",
          }),
        ],
      });
    } else if (
      status === ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD &&
      current !== undefined
    ) {
      voted.push({
        time: timeOf(old.votingEndTime),
        events: await votedEvents(before, old, current, texts),
      });
    }
  }
  return [...inOrder(dropped), ...inOrder(voted)];
}

async function votedEvents(
  before: Books,
  old: Proposal,
  current: Proposal,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  const ended = (proposal_result: string, proposal_log: string) =>
    event("active_proposal", {
      proposal_id: String(old.id),
      proposal_result,
      proposal_log,
    });
  const result = RESULTS[current.status];
  if (result === undefined) {
    return old.expedited && !current.expedited
      ? [
          ended(
            "expedited_proposal_rejected",
            "expedited proposal converted to regular",
          ),
        ]
      : [];
  }
  const [first] = current.messages;
  return [
    ...(await depositEvents(
      before,
      old.id,
      current.status === ProposalStatus.PROPOSAL_STATUS_REJECTED &&
        (await burns(before, current)),
      texts,
    )),
    ...(result === "passed"
      ? current.messages.flatMap((message) => carriedOut(message, texts))
      : []),
    ended(
      `proposal_${result}`,
      result === "failed"
        ? `passed, but msg 0 (${first?.typeUrl ?? ""}) failed on execution: ${current.failedReason}`
        : result,
    ),
  ];
}

/** Returns the bank module's events for the end of a proposal's deposits. */
async function depositEvents(
  before: Books,
  id: bigint,
  burns: boolean,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  const deposits = (await told(before.governance.deposits(id), [])).map(
    ({ depositor, amount }) => ({
      depositor: parseAddress(depositor, texts).hex,
      amount: nativeAmount(amount, texts),
    }),
  );
  const { governance } = MODULE_ACCOUNTS;
  return burns
    ? burnEvents(
        governance,
        deposits.reduce((sum, { amount }) => sum + amount, 0n),
        texts,
      )
    : deposits.flatMap(({ depositor, amount }) =>
        transferEvents(governance, depositor, amount, texts),
      );
}

/** Whether the deposits of a rejected proposal are burnt. */
async function burns(
  before: Books,
  { finalTallyResult: tally }: Proposal,
): Promise<boolean> {
  const [params, pool] = await Promise.all([
    before.governance.params(),
    before.staking.pool(),
  ]);
  const count = (votes: string | undefined) => BigInt(votes ?? 0);
  const veto = count(tally?.noWithVetoCount);
  const total =
    veto +
    count(tally?.yesCount) +
    count(tally?.noCount) +
    count(tally?.abstainCount);
  const least = BigInt(pool.bondedTokens) * parseUnits(params.quorum, 18);
  return total * ONE < least
    ? params.burnVoteQuorum
    : params.burnVoteVeto &&
        veto * ONE > total * parseUnits(params.vetoThreshold, 18);
}

/** Returns the bank module's events for a message of a passed proposal. */
function carriedOut(
  { typeUrl, value }: Any,
  texts: EventTexts,
): readonly ModuleEvent[] {
  const { distribution, governance } = MODULE_ACCOUNTS;
  const paid = (from: string, to: string, coins: readonly Coin[]) =>
    transferEvents(
      from,
      parseAddress(to, texts).hex,
      nativeAmount(coins, texts),
      texts,
    );
  switch (typeUrl) {
    case MsgCommunityPoolSpend.typeUrl: {
      const { recipient, amount } = MsgCommunityPoolSpend.decode(value);
      return paid(distribution, recipient, amount);
    }
    case MsgFundCommunityPool.typeUrl: {
      const { amount } = MsgFundCommunityPool.decode(value);
      return paid(governance, distribution, amount);
    }
    case MsgSend.typeUrl: {
      const { toAddress, amount } = MsgSend.decode(value);
      return paid(governance, toAddress, amount);
    }
    default:
      return [];
  }
}

const nativeAmount = (coins: readonly Coin[], { denom }: EventTexts) =>
  coins.reduce(
    (sum, coin) => (coin.denom === denom ? sum + BigInt(coin.amount) : sum),
    0n,
  );
