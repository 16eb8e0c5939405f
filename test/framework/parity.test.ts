import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import {
  type FrameworkClients,
  WAYS,
  type Way,
} from "../../src/framework/index.js";
import { Fault } from "../../src/local-node/fault.js";
import { query, SERVICES } from "../../src/local-node/query/index.js";
import { callPrecompile } from "../servers/evm.js";
import { TestLedger } from "../servers/ledger.js";
import {
  ACCOUNTS,
  HEIGHT,
  parity,
  VALIDATOR,
  VALIDATOR_2,
} from "../servers/recorded-state.js";
import { startNetwork, type TestNetwork } from "./network.js";

const { acc4, acc5, acc6, acc7, acc8 } = ACCOUNTS;
const ACC4_VALOPER = "cosmosvaloper1zhf54t65ye7m047rv7pe4tm35q9zc6n94j8jnh";

type Ask = (clients: FrameworkClients, via: Way) => Promise<unknown>;
const at = (via: Way) => ({ via, height: HEIGHT });

/** The 28 questions of the recording, and the balance, as users ask them. */
const QUESTIONS: Readonly<Record<string, Ask>> = {
  validators: (c, v) => c.query.staking.validators({}, at(v)),
  validator: (c, v) =>
    c.query.staking.validator({ validator: VALIDATOR }, at(v)),
  validator_unknown: (c, v) =>
    c.query.staking.validator({ validator: ACC4_VALOPER }, at(v)),
  delegation: (c, v) =>
    c.query.staking.delegation(
      { delegator: acc7, validator: VALIDATOR },
      at(v),
    ),
  delegation_none: (c, v) =>
    c.query.staking.delegation(
      { delegator: acc8, validator: VALIDATOR },
      at(v),
    ),
  unbonding: (c, v) =>
    c.query.staking.unbonding({ delegator: acc6, validator: VALIDATOR }, at(v)),
  unbonding_none: (c, v) =>
    c.query.staking.unbonding({ delegator: acc4, validator: VALIDATOR }, at(v)),
  redelegations: (c, v) =>
    c.query.staking.redelegations(
      { delegator: acc5, source: VALIDATOR, destination: VALIDATOR_2 },
      at(v),
    ),
  rewards: (c, v) =>
    c.query.distribution.rewards(
      { delegator: acc5, validator: VALIDATOR },
      at(v),
    ),
  rewards_none: (c, v) =>
    c.query.distribution.rewards(
      { delegator: acc8, validator: VALIDATOR },
      at(v),
    ),
  rewards_total: (c, v) =>
    c.query.distribution.totalRewards({ delegator: acc5 }, at(v)),
  commission: (c, v) =>
    c.query.distribution.commission({ validator: VALIDATOR }, at(v)),
  outstanding: (c, v) =>
    c.query.distribution.outstandingRewards({ validator: VALIDATOR }, at(v)),
  community_pool: (c, v) => c.query.distribution.communityPool({}, at(v)),
  withdraw_address: (c, v) =>
    c.query.distribution.withdrawAddress({ delegator: acc7 }, at(v)),
  proposals: (c, v) => c.query.governance.proposals({}, at(v)),
  proposal_deposit: (c, v) =>
    c.query.governance.proposal({ proposalId: 18n }, at(v)),
  proposal_voting: (c, v) =>
    c.query.governance.proposal({ proposalId: 17n }, at(v)),
  proposal_expedited: (c, v) =>
    c.query.governance.proposal({ proposalId: 19n }, at(v)),
  proposal_passed: (c, v) =>
    c.query.governance.proposal({ proposalId: 1n }, at(v)),
  proposal_rejected: (c, v) =>
    c.query.governance.proposal({ proposalId: 2n }, at(v)),
  proposal_failed: (c, v) =>
    c.query.governance.proposal({ proposalId: 3n }, at(v)),
  proposal_unknown: (c, v) =>
    c.query.governance.proposal({ proposalId: 9999n }, at(v)),
  votes: (c, v) => c.query.governance.votes({ proposalId: 17n }, at(v)),
  vote_weighted: (c, v) =>
    c.query.governance.vote({ proposalId: 17n, voter: acc6 }, at(v)),
  deposits: (c, v) => c.query.governance.deposits({ proposalId: 18n }, at(v)),
  tally: (c, v) => c.query.governance.tally({ proposalId: 17n }, at(v)),
  gov_params: (c, v) => c.query.governance.params({}, at(v)),
  balance: (c, v) => c.query.bank.balance({ address: acc4 }, at(v)),
};

/** What the recording says, read from its REST answer by hand, in our units. */
const EXPECTED: Readonly<Record<string, (answer: any) => void>> = {
  validators: ({ items, nextKey }) => {
    assert.equal(items.length, 3);
    assert.equal(nextKey, null);
    assert.equal(
      items[0].operator.hex,
      "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f",
    );
    assert.equal(items[0].description.moniker, 'second "valid" <ätor>');
    assert.equal(items[0].commissionRate, 5n * 10n ** 16n);
  },
  validator: (answer) => {
    assert.equal(answer.operator.valoper, VALIDATOR);
    assert.equal(answer.status, "BOND_STATUS_BONDED");
    assert.equal(answer.tokens, 5490607167890124409419n);
    assert.equal(answer.delegatorShares, 5490607167890124409419n * 10n ** 18n);
    assert.equal(answer.unbondingTime, null);
    assert.equal(answer.consensusKey.length, 32);
  },
  validator_unknown: (answer) => assert.equal(answer, null),
  delegation: (answer) => {
    assert.equal(answer.shares, 1234567890123456789n * 10n ** 18n);
    assert.deepEqual(answer.balance, {
      denom: "atest",
      amount: 1234567890123456789n,
    });
    assert.equal(answer.delegator.account, acc7);
  },
  delegation_none: (answer) => assert.equal(answer, null),
  unbonding: (answer) => {
    assert.equal(answer.length, 2);
    assert.equal(answer[1].balance, 12345n);
    assert.equal(answer[0].unbondingId, 33n);
    assert.equal(
      answer[0].completionTime,
      BigInt(Date.UTC(2026, 10, 21, 8, 36, 48) / 1000),
    );
  },
  unbonding_none: (answer) => assert.deepEqual(answer, []),
  redelegations: ({ items: [only] }) => {
    assert.equal(only.destination.valoper, VALIDATOR_2);
    assert.equal(only.entries[0].shares, 3n * 10n ** 36n);
    assert.equal(only.entries[0].creationHeight, 2149n);
  },
  rewards: ([coin]) =>
    assert.equal(coin.amount / 10n ** 18n, 1071989390612256n),
  rewards_none: (answer) => assert.deepEqual(answer, []),
  rewards_total: (answer) => {
    assert.equal(answer.rewards.length, 2);
    assert.equal(answer.total[0].amount / 10n ** 18n, 1082219564601312n);
  },
  commission: ([coin]) =>
    assert.equal(coin.amount / 10n ** 18n, 43799262374499359n),
  outstanding: ([coin]) =>
    assert.equal(coin.amount / 10n ** 18n, 221901461017608462n),
  community_pool: ([coin]) =>
    assert.equal(coin.amount / 10n ** 18n, 3008962913834000078n),
  withdraw_address: (answer) => assert.equal(answer.account, acc4),
  proposals: ({ items }) => assert.equal(items.length, 16),
  proposal_deposit: (answer) => {
    assert.equal(answer.status, "PROPOSAL_STATUS_DEPOSIT_PERIOD");
    assert.equal(answer.votingStartTime, null);
    assert.equal(answer.proposer.account, acc6);
  },
  proposal_voting: (answer) => {
    assert.equal(answer.title, 'In voting — ünïcode "quoted"');
    assert.deepEqual(
      answer.messages.map((m: any) => m.typeUrl),
      ["/cosmos.bank.v1beta1.MsgSend"],
    );
  },
  proposal_expedited: (answer) =>
    assert.equal(answer.votingEndTime - answer.votingStartTime, 30n),
  proposal_passed: (answer) =>
    assert.equal(answer.finalTally.yes, 4500000000000000000000n),
  proposal_rejected: (answer) =>
    assert.equal(answer.status, "PROPOSAL_STATUS_REJECTED"),
  proposal_failed: (answer) =>
    assert.equal(answer.status, "PROPOSAL_STATUS_FAILED"),
  proposal_unknown: (answer) => assert.equal(answer, null),
  votes: ({ items }) => {
    assert.deepEqual(
      items.map((v: any) => v.options[0].option),
      [
        "VOTE_OPTION_NO",
        "VOTE_OPTION_YES",
        "VOTE_OPTION_YES",
        "VOTE_OPTION_NO_WITH_VETO",
      ],
    );
  },
  vote_weighted: (answer) =>
    assert.deepEqual(
      answer.options.map((o: any) => o.weight),
      ["0.6", "0.3", "0.1"],
    ),
  deposits: ({ items }) => assert.equal(items[1].amount[0].amount, 10n ** 18n),
  tally: (answer) => assert.equal(answer.noWithVeto, 1603200000000000995063n),
  gov_params: (answer) => {
    assert.equal(answer.votingPeriod, 60_000_000_000n);
    assert.equal(answer.burnVoteVeto, true);
  },
  balance: (answer) => assert.equal(answer, 7955015834844000696000n),
};

// Coins with a fraction, which the precompiles cut off.
const FRACTIONS = new Set([
  "rewards",
  "rewards_total",
  "commission",
  "outstanding",
  "community_pool",
]);
const ONE = 10n ** 18n;

const floored = (value: any): any =>
  Array.isArray(value)
    ? value.map(floored)
    : typeof value !== "object" || value === null
      ? value
      : typeof value.denom === "string"
        ? { ...value, amount: (value.amount / ONE) * ONE }
        : Object.fromEntries(
            Object.entries(value).map(([k, v]) => [k, floored(v)]),
          );

/** The part of an answer that the other way tells too. */
function commonPart(value: any, other: any): any {
  if (Array.isArray(value)) {
    return value.map((item, i) => commonPart(item, other?.[i]));
  }
  if (
    typeof value !== "object" ||
    value === null ||
    value instanceof Uint8Array
  ) {
    return value;
  }
  const known = Object.entries(value).filter(
    ([key]) => other != null && Object.hasOwn(other, key),
  );
  return Object.fromEntries(
    known.map(([key, item]) => [key, commonPart(item, other[key])]),
  );
}

/** Messages are JSON from REST and bytes from protobuf; everything else is alike. */
const withoutMessageBodies = (value: any): any =>
  JSON.parse(
    JSON.stringify(value, (key, item) =>
      key === "messages"
        ? item.map((m: any) => m.typeUrl)
        : typeof item === "bigint"
          ? `${item}n`
          : item instanceof Uint8Array
            ? Buffer.from(item).toString("hex")
            : item,
    ) ?? "null",
  );

describe("the same question by four ways", () => {
  let network: TestNetwork;
  before(async () => {
    network = await startNetwork();
  });
  after(async () => {
    await network[Symbol.asyncDispose]();
  });

  it("has a user's question for each of the recording", () => {
    assert.deepEqual(
      parity().map(({ name }) => name),
      Object.keys(QUESTIONS),
    );
  });

  for (const [name, ask] of Object.entries(QUESTIONS)) {
    it(`answers ${name} alike`, async () => {
      const answers = Object.fromEntries(
        await Promise.all(
          WAYS.map(
            async (way) => [way, await ask(network.clients, way)] as const,
          ),
        ),
      ) as Record<Way, any>;
      for (const way of WAYS) {
        EXPECTED[name]?.(answers[way]);
      }
      assert.deepEqual(answers.abci, answers.grpc);
      assert.deepEqual(
        withoutMessageBodies(answers.rest),
        withoutMessageBodies(answers.grpc),
      );
      const grpc = FRACTIONS.has(name) ? floored(answers.grpc) : answers.grpc;
      const common = commonPart(grpc, answers.precompile);
      assert.deepEqual(answers.precompile, common);
    });
  }

  for (const entry of parity()) {
    it(`answers like the recording: ${entry.name}`, async () => {
      const { chain } = network;
      const response = await fetch(network.rest.url + entry.rest.path, {
        headers: { "x-cosmos-block-height": String(HEIGHT) },
      });
      assert.equal(response.status, entry.rest.status ?? 200);
      assert.deepEqual(await response.json(), entry.rest.body);
      if (entry.grpc !== undefined) {
        const [, service = "", method = ""] = entry.grpc.path.split("/");
        const request = Buffer.from(entry.grpc.requestBase64, "base64");
        try {
          const bytes = await query(
            new TestLedger(chain),
            service,
            method,
            request,
            HEIGHT,
          );
          const codec = SERVICES[service]?.[method];
          const recorded = Buffer.from(
            entry.grpc.responseBase64 ?? "",
            "base64",
          );
          assert.deepEqual(
            codec?.response.decode(bytes),
            codec?.response.decode(recorded),
          );
        } catch (error) {
          assert.ok(error instanceof Fault, String(error));
          assert.equal(error.code, entry.grpc.status);
          assert.equal(error.message, entry.grpc.details);
          assert.equal(error.abci.code, entry.abci?.code);
          assert.equal(error.abci.log, entry.abci?.log);
        }
      }
      if (entry.precompile !== undefined) {
        const { to, data, result, error } = entry.precompile;
        if (result === undefined) {
          await assert.rejects(callPrecompile(chain, to, data, HEIGHT), {
            data: error?.data,
            message: `${error?.message}.`,
          });
        } else {
          assert.equal(await callPrecompile(chain, to, data, HEIGHT), result);
        }
      }
    });
  }
});
