import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { forksOf } from "../../src/hardhat3/replay.js";
import plugin from "../../src/index.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { ReplayedBlock } from "../../src/replay/block.js";
import { agree, type Check, compare } from "../../src/replay/compare.js";
import { blockOf, outcomeOf } from "../../src/replay/live.js";
import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import {
  ALL,
  archive,
  ARCHIVE_FILE,
  CHAIN_ID,
  FACTS,
} from "../forks/archive.js";
import {
  callsStaking,
  type Recorded,
  succeeded,
  transaction,
} from "../forks/cast.js";

/** One in this many blocks is replayed, unless all are. */
const SHARE = ALL ? 1 : 9;
/** The share of transactions that must end as on the chain. */
const LEAST = 0.97;

const precompiles = new Set<string>(
  Object.values(PRECOMPILE_ADDRESSES).map((one) => one.toLowerCase()),
);

interface Replayed {
  readonly hash: string;
  readonly name: string;
  readonly block: bigint;
  readonly checks: readonly Check[];
  readonly callsPrecompiles: boolean;
}

describe("every transaction of a recorded chain, replayed on the block before it", () => {
  let server: ArchiveServer;
  let known: Readonly<Record<string, string>>;
  const replayed: Replayed[] = [];
  const names = new Map<string, string>(
    (archive.data.sent ?? []).map(({ hash, name }: any) => [
      hash.toLowerCase(),
      name,
    ]),
  );

  before(async () => {
    server = await serve(archive);
    const file = path.join(import.meta.dirname, "differences.json");
    known =
      process.env.DUALSTACK_ARCHIVE === undefined
        ? JSON.parse(await readFile(file, "utf8"))
        : {};
  });
  after(async () => await server.close());

  const replay = async (fields: any, nodeRpc = true) => {
    const { data } = archive;
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [plugin],
      dualstack: {
        ...FACTS,
        testnet: {
          chainId: CHAIN_ID,
          ...(nodeRpc
            ? { baseUrl: server.url }
            : { evmUrl: `${server.url}/evm` }),
        },
      },
    });
    const forkAt = forksOf(hre, {
      url: `${server.url}/evm`,
      chainId: CHAIN_ID,
    });
    const receipts = fields.transactions.map(({ hash }: any) =>
      data.blockReceipts[Number(fields.number) - 1].find(
        (one: any) => one.transactionHash === hash,
      ),
    );
    const block = {
      ...blockOf(fields),
      statuses: receipts.map(({ status }: any) => status === "0x1"),
    };
    const results: Replayed[] = [];
    const replaying = await ReplayedBlock.open(block, forkAt);
    try {
      const { transactions } = block;
      const runs = await replaying.run(transactions.length);
      for (const [index, ran] of runs.entries()) {
        const { outcome } = data.transactions[ran.hash];
        const calls = (frame: any): boolean =>
          precompiles.has(frame.to) || (frame.calls ?? []).some(calls);
        const callsPrecompiles = calls(ran.root);
        const live = {
          ...outcomeOf(receipts[index]),
          executed: {
            returned: outcome.ret,
            gasMeasured: BigInt(outcome.gasMeasured),
          },
        };
        results.push({
          hash: ran.hash,
          name: names.get(ran.hash) ?? "",
          block: block.number,
          callsPrecompiles,
          checks: compare(ran, live, {
            fields: transactions[index] ?? {},
            beganExactly: replaying.beganExactly,
            callsPrecompiles,
          }),
        });
      }
    } finally {
      await replaying.close();
    }
    return results;
  };

  it("has the same status, logs and return data", async (t) => {
    const blocks = archive.data.blocks.filter(
      (block: any, index: number) => index > 0 && block.transactions.length > 0,
    );
    const asked = blocks.filter(
      (_: unknown, index: number) => index % SHARE === 0,
    );
    const failed: string[] = [];
    let lost = 0;
    for (const block of asked) {
      await replay(block).then(
        (results) => replayed.push(...results),
        (error: Error) => {
          lost += block.transactions.length;
          failed.push(`${Number(block.number)}: ${error.message}`);
        },
      );
    }
    const other = replayed.filter(({ checks }) => !agree(checks));
    const all = replayed.length + lost;
    t.diagnostic(
      `${replayed.length - other.length} of ${all} transactions in ${asked.length} blocks agree (${path.basename(ARCHIVE_FILE)})`,
    );
    for (const { name, block, checks } of other) {
      const what = checks.filter((one) => one.result === "differs");
      t.diagnostic(
        `block ${block}, ${name}: ${what.map((one) => `${one.what}${one.why === undefined ? "" : ` (${one.why})`}`).join(", ")}`,
      );
    }
    for (const text of failed) t.diagnostic(text);
    assert.deepEqual(failed, []);
    if (ALL) assert.ok((all - other.length) / all >= LEAST);
    if (process.env.DUALSTACK_ARCHIVE !== undefined) return;
    // Exactly the listed transactions differ.
    const listed = replayed.filter(({ hash }) => known[hash] !== undefined);
    assert.deepEqual(
      other.map(({ hash }) => hash).sort(),
      listed.map(({ hash }) => hash).sort(),
    );
  });

  it("runs a block in which a nonce is missing", async (t) => {
    // Leaves out the one in between, as if the framework's side had undone it.
    const found = archive.data.blocks.flatMap((block: any) =>
      block.transactions.flatMap((between: any, index: number) => {
        const { from, to } = between;
        const before = block.transactions.slice(0, index);
        const after = block.transactions.slice(index + 1);
        const isBetween =
          before.some((one: any) => one.from === from) &&
          after.some((one: any) => one.from === from && one.to !== to);
        return isBetween ? [{ block, between }] : [];
      }),
    );
    const { block, between } = found.at(-1) ?? {};
    if (block === undefined) return t.skip("the archive has none");
    const transactions = block.transactions.filter(
      (one: any) => one !== between,
    );
    const results = await replay({ ...block, transactions });
    assert.deepEqual(
      results.map(({ hash }) => hash),
      transactions.map(({ hash }: any) => hash),
    );
    const isOwn = process.env.DUALSTACK_ARCHIVE === undefined;
    for (const { hash, name, checks } of results)
      if (isOwn && known[hash] === undefined) assert.ok(agree(checks), name);
      else assert.equal(checks[0]?.result, "agrees", name);
  });

  it("names a missing nonce where something differs", () => {
    const same = { success: true, gasUsed: 21_000n, logs: [] };
    const root = { type: "CALL", from: "0x", input: "0x", output: "0x" };
    const ran = { ...same, hash: "0x", root, late: [], skipped: 1 };
    const surroundings = {
      fields: { gas: "0x5208" },
      beganExactly: true,
      callsPrecompiles: false,
    };
    const executed = { returned: "0x", gasMeasured: 21_000n };
    const [status, ...others] = compare(
      ran,
      { ...same, success: false, executed },
      surroundings,
    );
    assert.match(status?.why ?? "", /^a transaction of its sender without a/);
    assert.ok(others.every(({ result }) => result === "agrees"));
  });

  it("uses about the chain's gas", (t) => {
    const ratios = replayed.flatMap(({ checks, name, ...ran }) => {
      const { chain, replay } = checks.find(({ what }) => what === "gas") ?? {};
      return typeof chain === "bigint" && typeof replay === "bigint"
        ? [{ ratio: Number(replay) / Number(chain), name, ...ran }]
        : [];
    });
    for (const { ratio, name, callsPrecompiles } of ratios) {
      // The chain reports it before refunds, which are a fifth at most, and
      // charges more where a precompile refuses value. docs/trace.md states the
      // limits.
      const [least, most] = callsPrecompiles ? [0.76, 3.5] : [0.79, 1.05];
      assert.ok(ratio >= least && ratio <= most, `${name}: ${ratio}`);
    }
    t.diagnostic(`${replayed.length - ratios.length} use the same gas`);
  });

  it("runs blocks in which stake unbonds through the EVM endpoint alone", async () => {
    // Traces show what no view returns, such as a new proposal's ID.
    const hasTraces = Object.values<any>(archive.data.transactions).some(
      ({ callTrace }) => callTrace !== undefined,
    );
    const needsStores = (fields: any) =>
      fields.to === PRECOMPILE_ADDRESSES.governance ||
      callsStaking({ fields }, "editValidator");
    const blockWith = ({ fields }: Recorded) =>
      archive.data.blocks[Number(fields.blockNumber) - 1];
    const found = transaction(
      "undelegates in a block that views suffice for",
      (one) =>
        callsStaking(one, "undelegate") &&
        succeeded(one) &&
        (hasTraces || !blockWith(one).transactions.some(needsStores)),
    );
    const { fields } = found;
    const unbonding = blockWith(found);
    const results = await replay(unbonding, false);
    assert.equal(results.length, unbonding.transactions.length);
    for (const { hash, name, checks } of results) {
      const status = checks.find(({ what }) => what === "status");
      assert.equal(status?.result, "agrees", name);
      const logs = checks.find(({ what }) => what === "logs");
      if (hash === fields.hash) assert.equal(logs?.result, "agrees", name);
    }
  });
});
