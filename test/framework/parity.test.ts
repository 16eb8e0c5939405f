import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { WAYS, type Way } from "../../src/framework/index.js";
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
import {
  commonPart,
  floored,
  FRACTIONS,
  questionsAt,
  withoutMessageBodies,
} from "./parity-questions.js";

const { acc4, acc6, acc7 } = ACCOUNTS;

const QUESTIONS = questionsAt(HEIGHT);

/**
 * What the recording says, read by hand from its REST answers, in our units.
 */
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

describe("the same question in four ways", () => {
  let network: TestNetwork;
  before(async () => {
    network = await startNetwork();
  });
  after(async () => {
    await network[Symbol.asyncDispose]();
  });

  it("has every question of the recording", () => {
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
