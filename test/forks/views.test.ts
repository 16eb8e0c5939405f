import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import { ALL, answerOf, archive, fork, heights, viewsAt } from "./archive.js";

/**
 * Of the 370 views at a height, one in this many is asked, others at each
 * height.
 */
const SHARE = ALL ? 1 : 10;

describe("views on a fork of a recorded chain", () => {
  let server: ArchiveServer;
  let cache: string;

  before(async () => {
    server = await serve(archive);
    cache = await mkdtemp(path.join(tmpdir(), "forks-"));
  });
  after(async () => {
    await server.close();
    await rm(cache, { recursive: true, maxRetries: 5 });
  });

  const open = async (height: number, stores: boolean) =>
    await fork({ url: server.url, height, stores, cache });

  it("answer as recorded at 25 heights", async (t) => {
    let answered = 0;
    for (const [index, height] of heights(25).entries()) {
      const network = await open(height, false);
      const asked = viewsAt(height).filter((_, i) => (i + index) % SHARE === 0);
      for (const { to, data, name, answer } of asked) {
        const got = await answerOf(
          network.request("eth_call", { to, data }, "latest"),
        );
        assert.equal(got, answer, `${name} at ${height}`);
        answered++;
      }
      await network.close();
    }
    t.diagnostic(`${answered} views answered as recorded`);
    assert.ok(answered >= 25 * Math.floor(300 / SHARE));
  });

  for (const stores of [true, false]) {
    const source = stores ? "the stores" : "the views alone";
    it(`answer as recorded from books read from ${source}`, async (t) => {
      let answered = 0;
      const all = heights(25);
      // One has an entry that matures in the same second, the other a validator
      // without rewards.
      const chosen = ALL ? all : [all[stores ? 19 : 3] ?? 0];
      for (const height of chosen) {
        const network = await open(height, stores);
        for (const { to, data, name, answer } of viewsAt(height)) {
          // With overrides, even empty ones, a call never goes to the chain.
          const got = await answerOf(
            network.request("eth_call", { to, data }, "latest", {}),
          );
          assert.equal(got, answer, `${name} at ${height}`);
          answered++;
        }
        await network.close();
      }
      t.diagnostic(`${answered} views answered as recorded`);
    });
  }

  it("answer for older blocks as the chain does", async () => {
    const height = archive.head >> 1;
    const older = height - 20;
    const network = await open(height, false);
    const block = `0x${older.toString(16)}`;
    for (const { to, data, name, answer } of viewsAt(older).slice(0, 40)) {
      const got = await answerOf(
        network.request("eth_call", { to, data }, block),
      );
      assert.equal(got, answer, name);
    }
    await network.close();
  });

  it("need no network the second time", async () => {
    const height = (archive.head >> 1) + 1;
    const views = viewsAt(height).slice(0, 20);
    const ask = async () => {
      const network = await open(height, true);
      for (const { to, data, answer } of views) {
        const got = await answerOf(
          network.request("eth_call", { to, data }, "latest"),
        );
        assert.equal(got, answer);
      }
      await network.close();
    };
    await ask();
    server.counts.delete("eth_call");
    await ask();
    assert.equal(server.counts.get("eth_call"), undefined);
  });
});
