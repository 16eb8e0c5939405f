import { ZERO_ADDRESS } from "../address/zero.js";
import { PRECOMPILES } from "../precompiles/catalog.js";
import { isRecord, toQuantity } from "../rpc/quantities.js";
import { type AtBlock, type Fields, needed, type View } from "./at-block.js";
import type { ReadContext } from "./context.js";
import { allPages, firstPageOf } from "./pages.js";
import type {
  LiveDeposit,
  LiveGovernanceParams,
  LiveProposal,
  LiveVote,
} from "./state.js";
import {
  ANY_STATUS,
  DEPOSIT_PERIOD,
  isOpen,
  isProposalStatus,
  VOTING_PERIOD,
} from "./statuses.js";
import { GOVERNANCE_KEYS } from "./store-keys.js";
import { UnreadError } from "./unreadable.js";
import * as values from "./values.js";

const MAX_TEXT = 100_000;

/** The part of the base state that reading proposals needs. */
export interface GovernanceBase {
  readonly denom: string;
  readonly governance: LiveGovernanceParams;
}

/** When an open proposal's current period ends, in Unix seconds. */
export interface ProposalEnd {
  readonly id: bigint;
  readonly time: bigint;
}

const LISTED = (status: number): View => ({
  precompile: "governance",
  method: "getProposals",
  args: [status, ZERO_ADDRESS, ZERO_ADDRESS],
});

async function listed(at: AtBlock, status: number): Promise<readonly Fields[]> {
  const first = await at.view(firstPageOf(LISTED(status)));
  return (await allPages(at, LISTED(status), first)).flatMap((page) =>
    values.list(page.proposals),
  );
}

/** Reads when the open proposals end. */
export async function readProposalEnds({
  at,
}: ReadContext): Promise<readonly ProposalEnd[]> {
  const [waiting, voting] = await Promise.all([
    listed(at, DEPOSIT_PERIOD),
    listed(at, VOTING_PERIOD),
  ]);
  return [
    ...waiting.map((fields) => ({
      id: values.count(fields.id),
      time: values.count(fields.depositEndTime),
    })),
    ...voting.map((fields) => ({
      id: values.count(fields.id),
      time: values.count(fields.votingEndTime),
    })),
  ];
}

/** Reads all proposals. */
export async function readProposals(
  context: ReadContext,
  base: GovernanceBase,
): Promise<readonly LiveProposal[]> {
  const all = await listed(context.at, ANY_STATUS);
  return await Promise.all(
    all.map(async (fields) => await proposal(context, fields, base)),
  );
}

/** Reads one proposal; `undefined` if the chain has none with that ID. */
export async function readProposal(
  context: ReadContext,
  id: bigint,
  base: GovernanceBase,
): Promise<LiveProposal | undefined> {
  const [last, [outcome]] = await Promise.all([
    readLastProposal(context),
    context.at.views([
      { precompile: "governance", method: "getProposal", args: [id] },
    ]),
  ]);
  if (last !== undefined && id > last) return undefined;
  if (outcome !== undefined && "refusal" in outcome) return undefined;
  const { proposal: fields } = needed(outcome);
  return await proposal(context, values.fields(fields), base);
}

/**
 * Reads the ID of the last proposal from the store; `undefined` if it cannot be
 * read.
 */
export async function readLastProposal({
  at,
}: ReadContext): Promise<bigint | undefined> {
  if (!at.hasStores) return undefined;
  const [next] = await at.keys("gov", [GOVERNANCE_KEYS.nextProposal]);
  if (next === undefined) return undefined;
  return values.counter(next) - 1n;
}

async function proposal(
  context: ReadContext,
  fields: Fields,
  base: GovernanceBase,
): Promise<LiveProposal> {
  const id = values.count(fields.id);
  const status = Number(fields.status);
  if (!isProposalStatus(status)) {
    throw new UnreadError(`the node answered a proposal that no chain has`);
  }
  const types = Array.isArray(fields.messages)
    ? fields.messages.map((type) => values.text(type, 300))
    : [];
  const [deposits, votes, content] = isOpen(status)
    ? await Promise.all([
        depositsOf(context, id, base.denom),
        status === VOTING_PERIOD ? votesOf(context, id) : [],
        readContent(context, id),
      ])
    : [[], [], undefined];
  const tally = values.fields(fields.finalTallyResult);
  const votingStartTime = values.count(fields.votingStartTime);
  const votingEndTime = values.count(fields.votingEndTime);
  return {
    id,
    status,
    types,
    ...(content === undefined ? {} : { json: content.json }),
    expedited:
      content?.expedited ??
      (isOpen(status) &&
        isExpedited(id, status, votingEndTime - votingStartTime, base)),
    submitTime: values.count(fields.submitTime),
    depositEndTime: values.count(fields.depositEndTime),
    votingStartTime,
    votingEndTime,
    totalDeposit: values.coin(fields.totalDeposit, base.denom),
    tally: [tally.yes, tally.abstain, tally.no, tally.noWithVeto].map(
      values.amount,
    ),
    metadata: values.text(fields.metadata, MAX_TEXT),
    title: values.text(fields.title, MAX_TEXT),
    summary: values.text(fields.summary, MAX_TEXT),
    proposer: values.address(fields.proposer),
    deposits,
    votes,
  };
}

/** Infers from the length of the voting period what no view returns. */
function isExpedited(
  id: bigint,
  status: number,
  length: bigint,
  { governance }: GovernanceBase,
): boolean {
  const { votingPeriod, expeditedVotingPeriod } = governance;
  if (status === VOTING_PERIOD) {
    if (length === votingPeriod) return false;
    if (length === expeditedVotingPeriod) return true;
  }
  throw new UnreadError(
    `whether proposal ${id} is expedited cannot be read from the precompiles' views`,
    { fix: "Configure the network's REST endpoint (restUrl)." },
  );
}

async function depositsOf(
  { at }: ReadContext,
  id: bigint,
  denom: string,
): Promise<LiveDeposit[]> {
  const view: View = {
    precompile: "governance",
    method: "getDeposits",
    args: [id],
  };
  const pages = await allPages(at, view, await at.view(firstPageOf(view)));
  return pages
    .flatMap(({ deposits }) => values.list(deposits))
    .map(({ depositor, amount }) => ({
      depositor: values.address(depositor),
      amount: values.coin(amount, denom),
    }));
}

async function votesOf({ at }: ReadContext, id: bigint): Promise<LiveVote[]> {
  const view: View = {
    precompile: "governance",
    method: "getVotes",
    args: [id],
  };
  const pages = await allPages(at, view, await at.view(firstPageOf(view)));
  return pages
    .flatMap(({ votes }) => values.list(votes))
    .map(({ voter, options, metadata }) => ({
      voter: values.address(voter),
      options: values.list(options).map(({ option, weight }) => ({
        option: values.count(option),
        weight: values.text(weight, 100),
      })),
      metadata: values.text(metadata, MAX_TEXT),
    }));
}

interface Content {
  /** The proposal's JSON in the form that the precompile accepts. */
  readonly json: string;
  readonly expedited: boolean;
}

/**
 * Reads a proposal's messages, which no view returns: from the REST endpoint,
 * or from the transaction that submitted it.
 */
async function readContent(
  context: ReadContext,
  id: bigint,
): Promise<Content | undefined> {
  return (
    (await byRest(context, id)) ??
    (await submitted(context).catch(() => undefined))?.get(id)
  );
}

async function byRest(
  { rest }: ReadContext,
  id: bigint,
): Promise<Content | undefined> {
  const answer = await rest?.(`/cosmos/gov/v1/proposals/${id}`);
  const found = isRecord(answer) ? answer.proposal : undefined;
  return isRecord(found) && Array.isArray(found.messages)
    ? contentOf(found)
    : undefined;
}

const contentOf = (fields: Readonly<Record<string, unknown>>): Content => ({
  json: JSON.stringify({ messages: fields.messages }),
  expedited: fields.expedited === true,
});

/** Reads the proposals that transactions to the precompile submitted, by ID. */
async function submitted({
  at,
}: ReadContext): Promise<ReadonlyMap<bigint, Content>> {
  const { Interface } = await import("ethers");
  const codec = new Interface(PRECOMPILES.governance.abi);
  const topic = codec.getEvent("SubmitProposal")?.topicHash;
  const address = at.addressOf("governance");
  const [logs] = await at.ask([
    {
      method: "eth_getLogs",
      params: [
        {
          address,
          topics: [topic],
          fromBlock: "0x1",
          toBlock: toQuantity(at.height),
        },
      ],
    },
  ]);
  const found = values.list(logs).map((log) => ({
    id: BigInt(String(log.data)),
    hash: String(log.transactionHash),
  }));
  const transactions = await at.ask(
    found.map(({ hash }) => ({
      method: "eth_getTransactionByHash",
      params: [hash],
    })),
  );
  return new Map(
    found.flatMap(({ id }, index): [bigint, Content][] => {
      const transaction = transactions[index];
      if (!isRecord(transaction)) return [];
      const { to, input } = transaction;
      if (String(to).toLowerCase() !== address.toLowerCase()) return [];
      const call = codec.parseTransaction({ data: String(input) });
      if (call?.name !== "submitProposal") return [];
      const text = Buffer.from(
        String(call.args.jsonProposal).slice(2),
        "hex",
      ).toString();
      const json: unknown = JSON.parse(text);
      return isRecord(json) ? [[id, contentOf(json)]] : [];
    }),
  );
}
