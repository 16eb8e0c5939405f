import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { parseAddress } from "../../src/address/index.js";
import {
  cancelProposal,
  depositOn,
  submitProposal,
  vote,
} from "../../src/commands/governance/act.js";
import { parseProposal } from "../../src/commands/governance/proposal-file.js";
import {
  listProposals,
  showParams,
  showProposal,
} from "../../src/commands/governance/proposals.js";
import { parseVote } from "../../src/commands/governance/vote-options.js";
import {
  cancelProposalText,
  depositText,
  paramsText,
  proposalsText,
  proposalText,
  submitText,
  voteReportText,
} from "../../src/commands/governance/messages.js";
import { delegate } from "../../src/commands/staking/delegate.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/index.js";
import { RecordingUi } from "./helpers.js";
import { DAY, LocalChain, SMALL } from "./modules.js";

const OWNER = parseAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
const OTHER = parseAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const AUTHORITY = parseAddress(MODULE_ACCOUNTS.governance).account;

const SPEND = {
  "@type": "/cosmos.bank.v1beta1.MsgSend",
  from_address: AUTHORITY,
  to_address: OTHER.account,
  amount: [{ denom: "anative", amount: "1" }],
};

const proposalFile = (given: Record<string, unknown> = {}) =>
  parseProposal(
    JSON.stringify({
      messages: [],
      metadata: "ipfs://CID",
      title: "More light",
      summary: "Let there be\nlight",
      ...given,
    }),
    "light.json",
  );

describe("files of proposals", () => {
  it("are read unchanged, except for the deposit", () => {
    const text = '{"title":"t","summary":"s","metadata":"m","big":1e400}';
    const plain = parseProposal(text, "p.json");
    assert.equal(new TextDecoder().decode(plain.json), text);
    const file = proposalFile({ deposit: "10anative", messages: [SPEND] });
    assert.equal(file.deposit, "10anative");
    assert.deepEqual(file.messages, ["/cosmos.bank.v1beta1.MsgSend"]);
    const sent = JSON.parse(new TextDecoder().decode(file.json));
    assert.equal(sent.deposit, undefined);
    assert.deepEqual(sent.messages, [SPEND]);
  });

  it("are refused where something is missing", () => {
    for (const [given, message] of [
      [{ title: " " }, /light\.json has no title/],
      [{ summary: undefined }, /has no summary/],
      [{ messages: {} }, /messages that are not a list/],
      [{ messages: [{}] }, /no "@type" that begins with "\/" in message 1/],
      [{ metadata: "" }, /neither messages nor metadata/],
      [{ metadata: 1 }, /metadata that is not a string/],
      [{ expedited: "no" }, /an "expedited" that is neither true nor false/],
      [{ deposit: 10 }, /a deposit that is not a string/],
    ] as const) {
      assert.throws(() => proposalFile(given), message);
    }
    assert.throws(() => parseProposal("{", "p.json"), /p\.json is not JSON/);
    assert.throws(() => parseProposal("[]", "p.json"), /not a JSON object/);
  });
});

describe("options of a vote", () => {
  it("are one, or several with weights", () => {
    assert.deepEqual(parseVote("Yes"), [{ option: "yes", weight: "1" }]);
    for (const text of [
      "no_with_veto",
      "NoWithVeto",
      "VOTE_OPTION_NO_WITH_VETO",
    ]) {
      assert.equal(parseVote(text)[0]?.option, "no_with_veto");
    }
    assert.deepEqual(parseVote(" yes=0.6, no = .4"), [
      { option: "yes", weight: "0.6" },
      { option: "no", weight: "0.4" },
    ]);
    assert.deepEqual(parseVote("abstain=1"), [
      { option: "abstain", weight: "1" },
    ]);
  });

  it("are refused otherwise", () => {
    for (const [text, message] of [
      ["maybe", /no option "maybe".*yes, abstain, no, no_with_veto/],
      ["yes=0.6,no=0.3", /add up to 0\.9 instead of 1/],
      ["yes=0.6,no=0.6", /add up to 1\.2 instead of 1/],
      ["yes=0.5,yes=0.5", /an option is given twice/],
      ["yes=1,no=0", /"no=0" is not an option with a weight/],
      ["yes=-1", /"yes=-1" is not/],
      ["yes=0.5=0.5", /is not an option/],
      ["yes=", /is not an option/],
      ["yes=0.5,", /is not an option/],
    ] as const) {
      assert.throws(() => parseVote(text), message, text);
    }
  });
});

describe("governance commands", () => {
  let chain: LocalChain;
  const ui = () => new RecordingUi();
  before(async () => {
    chain = await LocalChain.start();
    await delegate(chain.sender(), ui(), {
      validator: SMALL.hex,
      amount: "3000",
    });
    await delegate(chain.sender(OTHER.hex), ui(), {
      validator: SMALL.hex,
      amount: "1000",
    });
  });
  after(() => chain.close());

  it("show the settings", async () => {
    const report = await showParams(chain.reader);
    assert.equal(report.minDeposit[0]?.tokens, "10");
    assert.equal(report.votingPeriod, 2 * 86_400);
    const text = paramsText(report).join("\n");
    assert.match(text, /Deposit needed +10 NATIVE$/m);
    assert.match(text, /^ {2}Voting +2 d$/m);
    assert.match(text, /Cancelling costs +50 % of the deposits$/m);
  });

  it("list nothing while there are no proposals", async () => {
    assert.deepEqual(proposalsText(await listProposals(chain.reader)), [
      "0 proposals on localnet (chain ID 31337)",
    ]);
    await chain.refused(
      showProposal(chain.reader, { proposal: "1" }),
      /there is no proposal 1.*gov list --network localnet/,
    );
    for (const proposal of ["0", "one", "-1", "1.5"]) {
      await chain.refused(
        showProposal(chain.reader, { proposal }),
        /is not a proposal number/,
      );
    }
  });

  it("submit a proposal, and complete its deposit", async () => {
    await chain.refused(
      submitProposal(chain.sender(), ui(), proposalFile(), {}),
      /no deposit was given.*reach 10 NATIVE/,
    );
    const report = await submitProposal(
      chain.sender(),
      ui(),
      proposalFile({ messages: [SPEND] }),
      { deposit: "4" },
    );
    assert.equal(report.proposal, 1n);
    assert.equal(report.status, "deposit");
    assert.match(
      submitText(report).join("\n"),
      /^Proposal 1 submitted on localnet[^]*Messages +\/cosmos\.bank\.v1beta1\.MsgSend$[^]*Deposit +4 NATIVE$[^]*Status +deposit, until \d{4}-/m,
    );
    await chain.refused(
      vote(chain.sender(), ui(), { proposal: "1", option: "yes" }),
      /voting on proposal 1 has not begun.*gov deposit 1 <amount>/,
    );
    const half = await showProposal(chain.reader, { proposal: "1" });
    assert.equal(half.tally, undefined);
    assert.match(
      proposalText(half).join("\n"),
      new RegExp(
        `Deposit +4 NATIVE, voting begins with 10 NATIVE\\n +4 NATIVE from ${OWNER.hex}$`,
        "m",
      ),
    );

    const before = await chain.balance(OTHER.hex);
    const deposited = await depositOn(chain.sender(OTHER.hex), ui(), {
      proposal: "1",
      amount: "6000000000000000000anative",
    });
    assert.equal(deposited.status, "voting");
    assert.equal(
      before - (await chain.balance(OTHER.hex)),
      deposited.deposit.baseUnits + (deposited.paid?.baseUnits ?? 0n),
    );
    assert.match(
      depositText(deposited).join("\n"),
      /^6 NATIVE deposited on localnet[^]*Proposal +1, "More light"$[^]*Status +voting, until/m,
    );
  });

  it("take the deposit from the file, and say what is wrong with it", async () => {
    const sender = chain.sender();
    const report = await submitProposal(
      sender,
      ui(),
      proposalFile({ title: "Second", deposit: "10 NATIVE" }),
      {},
    );
    assert.deepEqual([report.proposal, report.status], [2n, "voting"]);
    await chain.refused(
      submitProposal(sender, ui(), proposalFile(), { deposit: "1anative" }),
      /submitting the proposal "More light" would fail: the deposit is too small: the chain takes 0\.1 NATIVE or more/,
    );
    const foreign = { ...SPEND, from_address: OWNER.account };
    await chain.refused(
      submitProposal(sender, ui(), proposalFile({ messages: [foreign] }), {
        deposit: "10",
      }),
      new RegExp(
        `signed by someone other than governance.*must be ${AUTHORITY}`,
      ),
    );
  });

  it("vote, and show the tally", async () => {
    const noted = ui();
    const first = await vote(chain.sender(), noted, {
      proposal: "1",
      option: "yes=0.6,no=0.4",
    });
    assert.deepEqual(noted.notes, []);
    assert.match(
      voteReportText(first).join("\n"),
      /^Vote "0\.6 yes, 0\.4 no" cast on localnet[^]*Proposal +1, "More light"$/m,
    );
    assert.equal(first.call, "governance.voteWeighted");
    const second = await vote(chain.sender(OTHER.hex), ui(), {
      proposal: "1",
      option: "no_with_veto",
    });
    assert.equal(second.call, "governance.vote");
    const shown = await showProposal(chain.reader, { proposal: "1" });
    assert.deepEqual(
      Object.entries(shown.tally ?? {}).map(([option, { votes, share }]) => [
        option,
        votes.tokens,
        share,
      ]),
      [
        ["yes", "1800", "45"],
        ["abstain", "0", "0"],
        ["no", "1200", "30"],
        ["noWithVeto", "1000", "25"],
      ],
    );
    assert.match(
      proposalText(shown).join("\n"),
      /^ {2}Yes +1800 NATIVE \(45 %\)$/m,
    );
    // 4,000 of more than 8,000 bonded tokens voted.
    assert.equal(shown.measures?.yes, "45");
    assert.equal(shown.measures?.threshold, "50");
    assert.equal(shown.measures?.quorum, "33.4");
    assert.ok(Number(shown.measures?.turnout) > 33);
    assert.equal(shown.reason, undefined);
    assert.match(
      proposalText(shown).join("\n"),
      /^ {2}Turnout +[\d.]+ %, 33\.4 % needed$/m,
    );
    assert.equal(shown.summary, "Let there be light");
    const stakeless = ui();
    await vote(
      chain.sender("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"),
      stakeless,
      {
        proposal: "1",
        option: "yes",
        dryRun: true,
      },
    );
    assert.match(stakeless.notes.join(), /has delegated nothing, so its vote/);
  });

  it("cancel a proposal, but only one's own", async () => {
    await chain.refused(
      cancelProposal(chain.sender(OTHER.hex), ui(), { proposal: "2" }),
      new RegExp(
        `only the account that submitted proposal 2 can cancel it: ${OWNER.hex}`,
      ),
    );
    const asked = new RecordingUi();
    await chain.refused(
      cancelProposal(
        chain.sender(undefined, {
          on: chain.network({
            name: "mainnet",
            kind: "mainnet",
            chainId: 26217,
          }),
        }),
        asked,
        { proposal: "2" },
      ),
      /you did not confirm it/,
    );
    assert.match(
      asked.questions[0] ?? "",
      /^Cancel proposal 2, "Second", and lose 50 % of its deposit of 10 NATIVE on mainnet\?/,
    );
    const report = await cancelProposal(chain.sender(), ui(), {
      proposal: "2",
    });
    assert.match(
      cancelProposalText(report).join("\n"),
      /^Proposal 2 cancelled on localnet[^]*Lost +50 % of it$/m,
    );
    await chain.refused(
      showProposal(chain.reader, { proposal: "2" }),
      /there is no proposal 2/,
    );
  });

  it("list by status, the newest first", async () => {
    for (const title of ["Third", "Fourth"]) {
      await submitProposal(chain.sender(), ui(), proposalFile({ title }), {
        deposit: title === "Third" ? "1" : "10",
      });
    }
    const { proposals } = await listProposals(chain.reader);
    assert.deepEqual(
      proposals.map(({ id, status, title }) => [id, status, title]),
      [
        [4n, "voting", "Fourth"],
        [3n, "deposit", "Third"],
        [1n, "voting", "More light"],
      ],
    );
    const voting = await listProposals(chain.reader, { status: "voting" });
    assert.match(
      proposalsText(voting).join("\n"),
      /^2 proposals on[^]*^ {7}4 {2}voting {2}\d{4}-\S+ \S+ UTC {2}Fourth$/m,
    );
    await assert.rejects(
      listProposals(chain.reader, { status: "open" }),
      /no proposal status "open".*deposit, voting, passed, rejected, failed/,
    );
  });

  it("say how a vote ended", async () => {
    await chain.control.advance(3 * DAY);
    const report = await showProposal(chain.reader, { proposal: "1" });
    assert.equal(report.status, "rejected");
    assert.equal(report.tally?.yes.votes.tokens, "1800");
    assert.match(report.reason ?? "", /too few voted yes/);
    assert.match(proposalText(report).join("\n"), /^ {2}Reason +too few/m);
    await chain.refused(
      vote(chain.sender(), ui(), { proposal: "1", option: "yes" }),
      /voting on proposal 1 is over: it is rejected/,
    );
    await chain.refused(
      depositOn(chain.sender(), ui(), { proposal: "1", amount: "1" }),
      /voting on proposal 1 is over/,
    );
  });
});

describe("lists of proposals", () => {
  it("are read page after page", async () => {
    const chain = await LocalChain.start();
    try {
      const { governance } = chain.connection.precompiles;
      const { json } = proposalFile();
      const deposit = [{ denom: "anative", amount: 10n ** 17n }];
      for (let count = 0; count < 105; count++) {
        await (
          await governance.submitProposal(OWNER.hex, json, deposit)
        ).wait();
      }
      const { proposals } = await listProposals(chain.reader);
      assert.deepEqual(
        proposals.map(({ id }) => id),
        Array.from({ length: 105 }, (_, index) => BigInt(105 - index)),
      );
    } finally {
      await chain.close();
    }
  });
});
