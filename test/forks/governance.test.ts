import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import { archive, type Fork, fork, named } from "./archive.js";

const HEIGHT = 100;
const TOKEN = 10n ** 18n;
const VOTING = 2n;
const PASSED = 3n;
const FRANK = named("frank");

/** The recorded answer of the REST endpoint at a height. */
const recorded = (id: number, height: number): any =>
  JSON.parse(archive.rest(`/cosmos/gov/v1/proposals/${id}`, height).body)
    .proposal;

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
      await network.request("hardhat_impersonateAccount", FRANK);
      governance = precompiles.governance.connect(
        await ethers.getSigner(FRANK),
      );
    });
    after(async () => {
      await network.close();
      await server.close();
    });

    it("take votes, which count with the stake of the chain", async () => {
      const tally = async () => {
        const { no } = await governance.getTallyResult(5);
        return BigInt(no);
      };
      const before = await tally();
      const snapshot = await network.request("evm_snapshot");
      await (await governance.vote(FRANK, 5, 3, "")).wait();
      assert.ok((await tally()) > before);
      await network.request("evm_revert", snapshot);
      assert.equal(await tally(), before);
    });

    it("end at their times as on the chain, with the votes of accounts that nothing met", async () => {
      // The chain's own time of its last block: all votes have ended there.
      const { timestamp } = archive.data.blocks[archive.head - 1];
      const open = [1, 2, 3, 5, 7, 8].filter((id) =>
        /VOTING/.test(recorded(id, HEIGHT).status),
      );
      assert.ok(open.length > 3);
      await network.request(
        "evm_setNextBlockTimestamp",
        `0x${BigInt(timestamp).toString(16)}`,
      );
      await network.request("evm_mine");
      for (const id of open) {
        const { status, finalTallyResult } = await governance.getProposal(id);
        const real = recorded(id, archive.head);
        assert.equal(status, STATUS[real.status], `proposal ${id}`);
        // Nobody delegated what votes in between.
        if (id === 5) assert.equal(finalTallyResult.no, "0");
      }
    });

    it("go on with the chain's numbers", async () => {
      const [account] = await network.connection.ethers.getSigners();
      const submit = async () => {
        const sent = await network.connection.precompiles.governance
          .connect(account)
          .submitProposal(
            account.address,
            Buffer.from(
              JSON.stringify({ title: "t", summary: "s", metadata: "m" }),
            ),
            [{ denom: archive.data.denom, amount: 10n * TOKEN }],
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
      const { status, title } = await governance.getProposal(11);
      assert.equal(status, VOTING);
      assert.equal(title, "t");
    });
  });
}
