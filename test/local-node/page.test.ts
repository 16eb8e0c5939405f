import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { after, before, describe, it } from "node:test";

import { WebSocket } from "ws";

import type { PageState } from "../../src/local-node/page/state/types.js";
import { startNode, type StartedNode } from "./start.js";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the server of the local network's page", () => {
  let started: StartedNode;
  let base: string;
  before(async () => {
    started = await startNode();
    base = started.node.endpoints.baseUrl;
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
  });

  const state = async (): Promise<PageState & { readonly run: string }> =>
    (await (await fetch(`${base}/page/state.json`)).json()) as any;
  const act = async (body: unknown, headers: Record<string, string> = {}) => {
    const { run } = await state();
    const response = await fetch(`${base}/page/act`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-page-token": run,
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const { said = "", error = "" } = (await response.json()) as Record<
      string,
      string
    >;
    return { status: response.status, said, error };
  };
  /**
   * Sends a request as a browser would, with headers that `fetch` does not
   * allow.
   */
  const status = async (
    path: string,
    headers: Record<string, string>,
    method = "GET",
  ) =>
    await new Promise<{
      status: number | undefined;
      headers: Record<string, unknown>;
    }>((resolve, reject) => {
      request(base + path, { method, headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, headers: response.headers });
      })
        .on("error", reject)
        .end();
    });

  it("gives browsers the page under a strict policy, and others the text", async () => {
    const page = await fetch(`${base}/`, { headers: HTML });
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    const policy = page.headers.get("content-security-policy") ?? "";
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "trusted-types 'none'",
    ]) {
      assert.ok(policy.includes(rule), rule);
    }
    const html = await page.text();
    assert.doesNotMatch(html, /<script>|style="|onclick=|https?:\/\/(?!127)/);
    for (const [, path = ""] of html.matchAll(/(?:src|href)="(\/[^"]*)"/g)) {
      const file = await fetch(base + path);
      assert.equal(file.status, 200, path);
      assert.equal(file.headers.get("access-control-allow-origin"), null);
    }
    const text = await fetch(`${base}/`);
    assert.match(text.headers.get("content-type") ?? "", /^text\/plain/);
    assert.match(await text.text(), /grpcurl -plaintext/);
    assert.equal((await fetch(`${base}/page/nothing.js`)).status, 404);
    assert.equal((await fetch(`${base}/page/../secret`)).status, 404);
  });

  it("answers no other page, not even of this machine", async () => {
    const { host } = new URL(base);
    const own = { origin: base, host, "sec-fetch-site": "same-origin" };
    assert.equal((await status("/page/state.json", own)).status, 200);
    const others: Record<string, string>[] = [
      { origin: "http://localhost:3000" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
      { host: "evil.example" },
    ];
    for (const headers of others) {
      for (const path of ["/page/state.json", "/page/page.js"]) {
        const answer = await status(path, headers);
        assert.equal(answer.status, 403, JSON.stringify(headers));
        assert.equal(answer.headers["access-control-allow-origin"], undefined);
      }
      const html = await status("/", { ...HTML, ...headers });
      assert.equal(html.status, 403, JSON.stringify(headers));
      assert.equal((await status("/page/act", headers, "POST")).status, 403);
      assert.equal((await status("/page/act", headers, "OPTIONS")).status, 403);
    }
    const followed = await status("/", {
      ...HTML,
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    });
    assert.equal(followed.status, 200, "a link elsewhere may lead here");
    const socket = new WebSocket(`${base.replace("http", "ws")}/page/socket`, {
      origin: "https://evil.example",
    });
    const [error] = await once(socket, "error");
    assert.match(String(error), /403/);
  });

  it("acts only for its own page", async () => {
    const before = await started.evm("eth_blockNumber");
    const day = { act: "day" };
    const wrong = await act(day, { "x-page-token": "x".repeat(32) });
    assert.equal(wrong.status, 403);
    assert.match(wrong.error, /reload it/);
    assert.equal(
      (await act(day, { "content-type": "text/plain" })).status,
      415,
    );
    assert.equal((await act("{")).status, 400);
    assert.equal((await act({ act: "constructor" })).status, 400);
    assert.equal((await act([])).status, 400);
    assert.equal((await act(" ".repeat(6 * 1024 * 1024))).status, 413);
    assert.equal((await status("/page/act", {}, "PUT")).status, 405);
    assert.equal((await status("/page/state.json", {}, "POST")).status, 405);
    const head = await started.evm("eth_getBlockByNumber", "latest", false);
    const first = await started.evm("eth_getBlockByNumber", before, false);
    assert.ok(
      Number(head.timestamp) - Number(first.timestamp) < 3_600,
      "nobody has moved the time",
    );
  });

  it("explains what cannot be done", async () => {
    const { validators } = await state();
    const [{ operator, moniker: name } = { operator: "", moniker: "" }] =
      validators;
    const wrong: readonly [object, RegExp][] = [
      [{ act: "voteEnd", proposal: "99" }, /proposal/i],
      [{ act: "grant", address: "nobody" }, /address/i],
      [{ act: "slash", operator, name, percent: "150" }, /above|fraction/i],
      [{ act: "slash", operator, name, percent: "" }, /"percent" is missing/],
      [{ act: "slash", operator: "0x12", name, percent: "1" }, /validator/],
    ];
    for (const [body, error] of wrong) {
      const answer = await act(body);
      assert.equal(answer.status, 400, JSON.stringify([body, answer]));
      assert.match(answer.error, error);
    }
    const due = await act({ act: "maturity" });
    assert.match(due.said, /^Nothing is due/);
  });

  it("pauses blocks, and grants all the same", async () => {
    assert.match((await act({ act: "pause" })).said, /^Paused/);
    const height = await started.evm("eth_blockNumber");
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(await started.evm("eth_blockNumber"), height);
    const address = started.node.accounts[7]?.account ?? "";
    const granted = await act({ act: "grant", address });
    assert.match(granted.said, /^Granted 100 NATIVE and 1,000 STABLE/);
    const { chain, accounts } = await state();
    assert.equal(chain.paused, true);
    assert.deepEqual(
      accounts
        .filter((one) => one.account === address)
        .map(({ native, stable }) => [native, stable]),
      [["10,100", "1,000"]],
    );
    await act({ act: "resume" });
    const paused = await started.evm("eth_blockNumber");
    while ((await started.evm("eth_blockNumber")) === paused) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it("follows the chain back to a snapshot", async () => {
    const snapshot = await started.evm("evm_snapshot");
    const [first, second] = started.node.accounts;
    await started.evm("eth_sendTransaction", {
      from: first?.address,
      to: second?.address,
      value: "0xde0b6b3a7640000",
    });
    await started.evm("evm_mine");
    const sent = (one: PageState) =>
      one.transactions.filter(({ title }) => title === "Send 1 NATIVE").length;
    assert.equal(sent(await state()), 1);
    await started.evm("evm_revert", snapshot);
    assert.equal(sent(await state()), 0);
  });
});
