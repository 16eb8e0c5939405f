import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";

import { runWalletPage } from "../../src/commands/wallet/index.js";
import {
  serveWallet,
  type WalletServer,
} from "../../src/commands/wallet/serve.js";
import { HttpClient } from "../../src/rpc/http-client.js";
import { parseAddress } from "../../src/address/index.js";
import { ACCOUNTS } from "../servers/recorded-state.js";
import { PROJECT, RecordingUi } from "./helpers.js";
import { type WholeNetwork, wholeNetwork } from "./network.js";
import { forwarded, TITLE } from "./wallet-page.js";

const HOLDER = parseAddress(ACCOUNTS.acc4).hex;

let world: WholeNetwork;
let server: WalletServer;

before(async () => {
  world = await wholeNetwork();
  const explorerUrl = "https://explorer.dualstack.example";
  server = await serveWallet(
    forwarded(
      world.describe({
        title: TITLE,
        endpoints: { explorerUrl },
      }),
    ),
  );
});
after(async () => {
  await server.close();
  await world[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request as it is written, even one that fetch would not send. */
async function send(
  target: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
  } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return await new Promise((resolve, reject) => {
    const { method, headers, body } = options;
    httpRequest(
      { hostname, port, path: target, method, headers },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += String(chunk)));
        response.on("end", () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
          });
        });
      },
    )
      .on("error", reject)
      .end(body);
  });
}
const rpc = async (body: unknown, headers: Record<string, string> = {}) =>
  await send("/evm", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("the wallet page's server", () => {
  it("serves the page under a strict policy, on this machine only", async () => {
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    for (const [file, type] of [
      ["/", "text/html"],
      ["/page.js", "text/javascript"],
      ["/wallets.js", "text/javascript"],
      ["/page.css", "text/css"],
    ] as const) {
      const { status, headers, body } = await send(file);
      assert.equal(status, 200);
      assert.match(String(headers["content-type"]), new RegExp(type));
      assert.match(
        String(headers["content-security-policy"]),
        /default-src 'none'; script-src 'self'.*frame-ancestors 'none'/,
      );
      assert.doesNotMatch(
        String(headers["content-security-policy"]),
        /unsafe|\*|https?:/,
      );
      assert.equal(headers["access-control-allow-origin"], undefined);
      assert.doesNotMatch(body, /https?:\/\//, "nothing from elsewhere");
    }
  });

  it("refuses foreign hosts and origins", async () => {
    const { host } = new URL(server.url);
    const port = host.split(":")[1] ?? "";
    const refused: Record<string, string>[] = [
      { host: "evil.example" },
      { host: `evil.example:${port}` },
      { host: "127.0.0.1" },
      { host: `127.0.0.1.evil.example:${port}` },
      { host, origin: "https://evil.example" },
      { host, origin: "null" },
      { host, origin: `http://localhost:${port}` },
      { host, origin: `https://${host}` },
      { host, "sec-fetch-site": "cross-site" },
      { host, "sec-fetch-site": "same-site" },
    ];
    const call = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
    for (const headers of refused) {
      for (const target of [
        "/",
        "/facts.json",
        "/page.js",
        "/api/cosmos/staking/v1beta1/params",
      ]) {
        assert.equal(
          (await send(target, { headers })).status,
          403,
          `${target} ${JSON.stringify(headers)}`,
        );
      }
      assert.equal((await rpc(call, headers)).status, 403);
    }
    for (const headers of [
      { host },
      { host: `localhost:${port}` },
      { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" },
    ] as Record<string, string>[]) {
      assert.equal(
        (await rpc(call, headers)).status,
        200,
        JSON.stringify(headers),
      );
    }
  });

  it("forwards only reads of the EVM", async () => {
    const before = world.evmHttp.methods.length;
    const answer = JSON.parse(
      (
        await rpc({
          jsonrpc: "2.0",
          id: "a",
          method: "eth_chainId",
          params: [],
        })
      ).body,
    ) as object;
    assert.deepEqual(answer, { jsonrpc: "2.0", id: "a", result: "0x666a" });
    const unknown = JSON.parse(
      (await rpc({ id: 2, method: "eth_getProof" })).body,
    ) as any;
    assert.equal(unknown.error.code, -32601);
    assert.equal(world.evmHttp.methods.length, before + 2);
    for (const method of [
      "eth_sendRawTransaction",
      "eth_sendTransaction",
      "personal_sign",
      "debug_traceCall",
      "txpool_content",
      "evm_mine",
      "eth_newFilter",
      "eth_subscribe",
    ]) {
      assert.equal(
        (await rpc({ id: 1, method, params: [] })).status,
        403,
        method,
      );
    }
    assert.equal((await rpc([{ id: 1, method: "eth_chainId" }])).status, 400);
    assert.equal((await rpc("{")).status, 400);
    assert.equal((await rpc("x".repeat(70_000))).status, 413);
    assert.equal(
      (
        await rpc(
          { id: 1, method: "eth_chainId" },
          { "content-type": "text/plain" },
        )
      ).status,
      415,
    );
    assert.equal(
      world.evmHttp.methods.length,
      before + 2,
      "nothing else reached the node",
    );
  });

  it("forwards only GET under the two prefixes, without the page's headers", async () => {
    const { host, origin } = new URL(server.url);
    const seen = world.rest.requests.length;
    const good = await send("/api/cosmos/staking/v1beta1/params?x=1", {
      headers: { host, origin, cookie: "a=b", referer: origin },
    });
    assert.equal(good.status, 200);
    assert.equal((JSON.parse(good.body) as any).params.bond_denom, "atest");
    const { headers = {}, path: asked } = world.rest.requests[seen] ?? {};
    assert.match(asked ?? "", /^\/api\/cosmos\/staking\/v1beta1\/params\?x=1$/);
    for (const name of ["origin", "cookie", "referer"]) {
      assert.equal(headers[name], undefined, name);
    }
    const requests = world.rest.requests.length;
    for (const target of [
      "/api/other/x",
      "/api/",
      "/api/cosmos/../secret",
      "/api/cosmos/%2e%2e/secret",
      "/api//cosmos/x",
      "/api/cosmos%2fx",
      "/api/cosmosevil/x",
      "/api/\\evil.example/cosmos/x",
    ]) {
      assert.equal((await send(target)).status, 404, target);
    }
    assert.equal(
      (await send("/api/cosmos/staking/v1beta1/params", { method: "POST" }))
        .status,
      405,
    );
    assert.equal((await send("/nothing")).status, 404);
    assert.equal((await send("/__proto__")).status, 404);
    assert.equal(
      world.rest.requests.length,
      requests,
      "nothing else reached the node",
    );
  });

  it("shows an account in both forms, and what fails", async () => {
    for (const text of [HOLDER, ACCOUNTS.acc4]) {
      const row = JSON.parse(
        (await send(`/account?address=${text}`)).body,
      ) as any;
      assert.deepEqual(
        [row.address, row.account, row.native.tokens],
        [HOLDER, ACCOUNTS.acc4, "7955.015834844000696"],
      );
    }
    const wrong = await send("/account?address=0x12");
    assert.equal(wrong.status, 400);
    assert.match(
      (JSON.parse(wrong.body) as any).error,
      /is not 0x followed by 40/,
    );
    const dead = await serveWallet(
      forwarded(
        world.describe({
          endpoints: {
            evmUrl: "http://127.0.0.1:1",
            restUrl: "http://127.0.0.1:1",
          },
        }),
      ),
    );
    try {
      assert.equal(
        (await fetch(`${dead.url}account?address=${HOLDER}`)).status,
        502,
      );
      const facts = (await (
        await fetch(`${dead.url}facts.json`)
      ).json()) as any;
      assert.equal(facts.evm.record.chainId, "0x666a");
      const framework = (await (
        await fetch(`${dead.url}framework.json`)
      ).json()) as any;
      assert.match(framework.missing, /cannot be reached/);
      assert.doesNotMatch(framework.missing, /DUALSTACK_|Check that/);
      const precompiles = await fetch(`${dead.url}precompiles.json`);
      assert.deepEqual(await precompiles.json(), []);
      await assert.rejects(
        serveWallet(
          forwarded(world.describe()),
          Number(new URL(dead.url).port),
        ),
        /cannot be served on port \d+.*--port/,
      );
    } finally {
      await dead.close();
    }
  });

  it("names the precompiles that answer", async () => {
    const found = JSON.parse((await send("/precompiles.json")).body) as any[];
    assert.deepEqual(
      found.map(({ name }) => name),
      ["staking", "distribution", "governance"],
    );
  });

  it("asks the faucet only for its own page, and once at a time", async () => {
    const post = async (url: string, body: object) => {
      const answer = await fetch(`${url}faucet`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return [answer.status, (await answer.json()) as any] as const;
    };
    const [none] = await post(server.url, { address: HOLDER });
    assert.equal(none, 404);
    const given: string[] = [];
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const generous = await serveWallet(
      forwarded(world.describe(), {
        grant: async (address) => {
          given.push(address);
          await held;
          return {
            received: { baseUnits: 1n, tokens: "100", symbol: "TEST" },
          };
        },
      }),
    );
    try {
      assert.equal((await post(generous.url, { address: "0x1" }))[0], 400);
      assert.equal((await post(generous.url, {}))[0], 400);
      const first = post(generous.url, { address: ACCOUNTS.acc4 });
      while (given.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const [again, refusal] = await post(generous.url, { address: HOLDER });
      assert.equal(again, 409);
      assert.match(refusal.error, /on their way/);
      release();
      assert.deepEqual(await first, [200, { received: "100", symbol: "TEST" }]);
      assert.deepEqual(given, [HOLDER]);
      const foreign = await fetch(`${generous.url}faucet`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          origin: "https://evil.example",
        },
        body: JSON.stringify({ address: HOLDER }),
      });
      assert.equal(foreign.status, 403);
      assert.equal(given.length, 1);
    } finally {
      await generous.close();
    }
  });

  it("runs until it is interrupted", async () => {
    const ui = new RecordingUi({ json: true });
    const stop = new AbortController();
    const network = world.describe();
    const provider = new HttpClient({ url: world.evmHttp.url });
    const running = runWalletPage(
      { network, settings: {}, provider },
      0,
      ui,
      stop.signal,
    );
    while (ui.lines.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { url } = JSON.parse(ui.lines[0] ?? "") as { url: string };
    assert.equal((await fetch(url)).status, 200);
    stop.abort();
    await running;
    await assert.rejects(fetch(url));
  });

  it("runs from the command line, without a node, and ends well", async () => {
    const require = createRequire(import.meta.url);
    const cli = path.join(
      path.dirname(require.resolve("hardhat/package.json")),
      "dist/src/cli.js",
    );
    const { NODE_OPTIONS: _, ...env } = process.env;
    const child = spawn(
      process.execPath,
      [
        cli,
        "dualstack",
        "wallet",
        "--serve",
        "--name",
        "Named",
        "--json",
        "--network",
        "testnet",
      ],
      {
        cwd: PROJECT,
        env: { ...env, DUALSTACK_TESTNET_BASE_URL: "http://127.0.0.1:1" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const closed = once(child, "close");
    for await (const line of createInterface(child.stdout)) {
      const { url } = JSON.parse(line) as { url: string };
      const facts = (await (await fetch(`${url}facts.json`)).json()) as any;
      assert.equal(facts.title, "Named");
      assert.equal(facts.evm.record.chainName, "Named");
      child.kill("SIGINT");
    }
    assert.deepEqual(await closed, [0, null]);
  });
});
