import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Interface } from "ethers";

import { PRECOMPILES } from "../../src/precompiles/catalog.js";
import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import { archive, type Fork, fork } from "./archive.js";
import { DELEGATOR, HEIGHT, openProposals, restAt } from "./cast.js";

const VOTING = 2n;
const PASSED = 3n;

/** Returns a proposal as the REST endpoint recorded it at a height. */
const recorded = (id: number, height: number): any =>
  restAt(`gov/v1/proposals/${id}`, height).proposal;

const ids = (height: number): number[] =>
  restAt("gov/v1/proposals", height).proposals.map(({ id }: any) => Number(id));

/** Proposals that are open at the fork's block, and got no vote after it. */
const OPEN = openProposals(HEIGHT).filter(
  (id) =>
    !ids(archive.head).every((one) => one !== id) &&
    !/VOTING/.test(recorded(id, archive.head).status) &&
    !votedLater(id),
);

/** A proposal that nobody voted against. */
const [UNDISPUTED = 0] = OPEN.filter(
  (id) => recorded(id, archive.head).final_tally_result.no_count === "0",
);

/** The ID of the next proposal, also counting those that were removed. */
const NEXT =
  1 +
  Math.max(
    ...Array.from({ length: HEIGHT }, (_, index) => ids(index + 1)).flat(),
  );

function votedLater(id: number): boolean {
  const list: [number, unknown][] =
    archive.data.rest[`/cosmos/gov/v1/proposals/${id}/votes`];
  const ends = Date.parse(recorded(id, HEIGHT).voting_end_time) / 1000;
  return list.some(
    ([height]) =>
      height > HEIGHT &&
      Number(archive.data.blocks[height - 1].timestamp) < ends,
  );
}

const STATUS: Readonly<Record<string, bigint>> = {
  PROPOSAL_STATUS_PASSED: PASSED,
  PROPOSAL_STATUS_REJECTED: 4n,
  PROPOSAL_STATUS_FAILED: 5n,
};

for (const stores of [true, false]) {
  const source = stores ? "the node's endpoints" : "views alone";
  describe(`proposals of the recorded chain on a fork, from ${source}`, () => {
    let server: ArchiveServer;
    let network: Fork;
    let governance: any;

    before(async () => {
      server = await serve(archive);
      network = await fork({ url: server.url, height: HEIGHT, stores });
      const { ethers, precompiles } = network.connection;
      await network.request("hardhat_impersonateAccount", DELEGATOR);
      governance = precompiles.governance.connect(
        await ethers.getSigner(DELEGATOR),
      );
    });
    after(async () => {
      await network.close();
      await server.close();
    });

    it("take votes, which count with the stake of the chain", async () => {
      const tally = async () => {
        const { no } = await governance.getTallyResult(UNDISPUTED);
        return BigInt(no);
      };
      const before = await tally();
      const snapshot = await network.request("evm_snapshot");
      await (await governance.vote(DELEGATOR, UNDISPUTED, 3, "")).wait();
      assert.ok((await tally()) > before);
      await network.request("evm_revert", snapshot);
      assert.equal(await tally(), before);
    });

    it("end on time as on the chain, with the votes of accounts that were not read before", async () => {
      // At the time of the chain's last block, all votes have ended.
      const { timestamp } = archive.data.blocks[archive.head - 1];
      assert.ok(OPEN.length > 0);
      await network.request(
        "evm_setNextBlockTimestamp",
        `0x${BigInt(timestamp).toString(16)}`,
      );
      await network.request("evm_mine");
      for (const id of OPEN) {
        const { status, finalTallyResult } = await governance.getProposal(id);
        const real = recorded(id, archive.head);
        assert.equal(status, STATUS[real.status], `proposal ${id}`);
        // The vote above was undone.
        if (id === UNDISPUTED) assert.equal(finalTallyResult.no, "0");
      }
    });

    it("continue the chain's numbering", async () => {
      const [account] = await network.connection.ethers.getSigners();
      const submit = async () => {
        const sent = await network.connection.precompiles.governance
          .connect(account)
          .submitProposal(
            account.address,
            Buffer.from(
              JSON.stringify({ title: "t", summary: "s", metadata: "m" }),
            ),
            restAt("gov/v1/params/deposit", HEIGHT).params.min_deposit,
          );
        await sent.wait();
      };
      if (!stores) {
        await assert.rejects(
          submit(),
          /number that the next proposal would have cannot be read/,
        );
        return;
      }
      await submit();
      const { status, title } = await governance.getProposal(NEXT);
      assert.equal(status, VOTING);
      assert.equal(title, "t");
    });
  });
}

it("an open proposal that was expedited before keeps the tally of that vote", async () => {
  const codec = new Interface(PRECOMPILES.governance.abi);
  const asked = codec.encodeFunctionData("getProposal", [UNDISPUTED]);
  const tally = ["0", "0", "0", "7"];
  // As a node answers after the end of the expedited vote.
  const converted = Object.create(archive, {
    call: {
      value: (request: { data?: string }, block: unknown) => {
        const answer = archive.call(request, block);
        if (request.data !== asked) return answer;
        const [proposal] = codec
          .decodeFunctionResult("getProposal", answer)
          .toArray(true);
        const fields = proposal.with(3, tally);
        return codec.encodeFunctionResult("getProposal", [fields]);
      },
    },
  });
  const server = await serve(converted);
  const cache = await mkdtemp(path.join(tmpdir(), "dualstack-fork-"));
  const { url } = server;
  const network = await fork({ url, height: HEIGHT, stores: true, cache });
  try {
    await network.request("hardhat_impersonateAccount", DELEGATOR);
    const { ethers, precompiles } = network.connection;
    const governance = precompiles.governance.connect(
      await ethers.getSigner(DELEGATOR),
    );
    await (await governance.vote(DELEGATOR, UNDISPUTED, 3, "")).wait();
    const { status, finalTallyResult } =
      await governance.getProposal(UNDISPUTED);
    assert.equal(status, VOTING);
    assert.deepEqual([...finalTallyResult], tally);
  } finally {
    await network.close();
    await server.close();
    await rm(cache, { recursive: true, force: true });
  }
});
