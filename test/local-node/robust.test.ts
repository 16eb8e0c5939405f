import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import * as grpc from "@grpc/grpc-js";
import { WebSocket } from "ws";

import type { LocalNodeEndpoints } from "../../src/local-node/endpoints.js";
import { startNode, type StartedNode } from "./start.js";

/** Seconds of load; a minute is asked for by hand. */
const SECONDS = Number(process.env["DUALSTACK_LOAD_SECONDS"] ?? 4);
const CLIENTS = 200;
const VALIDATORS = "/cosmos/staking/v1beta1/validators";

/** Bytes of the heap by which some thousand requests and blocks may make it larger. */
const MOST_GROWN = 8 * 1_024 * 1_024;

/** Servers and connections that are open in this process. */
const openHandles = () =>
  process
    .getActiveResourcesInfo()
    .filter((name) => /^TCP|HTTP2|^Pipe(?:Server)?Wrap$/.test(name)).length;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** What is in use once nothing is left to collect. */
async function heap(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

const same = (bytes: Buffer) => bytes;

describe("a local node under load and attack", () => {
  let started: StartedNode;
  let endpoints: LocalNodeEndpoints;
  let handles: number;
  before(async () => {
    handles = openHandles();
    started = await startNode({ blockTime: 0.5 });
    ({ endpoints } = started.node);
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
    // The ends of connections take a turn.
    for (const late = Date.now() + 2_000; Date.now() < late; ) {
      if (openHandles() <= handles) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(openHandles(), handles, "servers or sockets were left");
  });

  const grpcCall = async (
    client: grpc.Client,
    path: string,
    message: Buffer,
  ): Promise<Buffer | undefined> =>
    await new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, same, same, message, (error, answer) => {
        if (error === null) resolve(answer);
        else reject(error);
      });
    });
  const post = async (path: string, body: string, headers = {}) =>
    await fetch(endpoints.baseUrl + path, { method: "POST", body, headers });
  const chainId = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "eth_chainId",
  });

  /** Every endpoint answers as ever. */
  const isAlive = async () => {
    assert.match(await (await post("/evm", chainId)).text(), /0x666a/);
    for (const url of [
      `${endpoints.nodeRpcUrl}/status`,
      endpoints.restUrl + VALIDATORS,
      `${endpoints.faucetUrl}/status`,
      `${endpoints.baseUrl}/`,
    ]) {
      assert.equal((await fetch(url)).status, 200, url);
    }
    const client = new grpc.Client(
      endpoints.grpcHost,
      grpc.credentials.createInsecure(),
    );
    const path = "/cosmos.staking.v1beta1.Query/Validators";
    const answer = await grpcCall(client, path, Buffer.alloc(0));
    assert.ok((answer?.length ?? 0) > 100);
    client.close();
    for (const url of [
      endpoints.wsUrl,
      `${endpoints.nodeRpcUrl.replace("http", "ws")}/websocket`,
    ]) {
      const socket = new WebSocket(url);
      await once(socket, "open");
      socket.close();
    }
  };

  it(`serves ${CLIENTS} clients at once over all endpoints, without an error or a leak`, async (t) => {
    await serveClients(SECONDS / 2);
    const before = await heap();
    await serveClients(SECONDS / 2);
    const grown = (await heap()) - before;
    t.diagnostic(`${Math.round(grown / 1_024)} KiB more after the second half`);
    assert.ok(grown < MOST_GROWN, `${grown} bytes more`);
    await isAlive();
  });

  async function serveClients(seconds: number): Promise<void> {
    const end = Date.now() + seconds * 1_000;
    const done = { http: 0, grpc: 0, socket: 0 };
    const clients = Array.from(
      { length: 10 },
      () =>
        new grpc.Client(endpoints.grpcHost, grpc.credentials.createInsecure(), {
          "grpc.use_local_subchannel_pool": 1,
        }),
    );
    const asking = async (url: string, body?: string) => {
      while (Date.now() < end) {
        const answer = await fetch(url, {
          ...(body === undefined ? {} : { method: "POST", body }),
        });
        const text = await answer.text();
        assert.equal(answer.status, 200, text);
        assert.doesNotMatch(text, /"error":\{/);
        done.http++;
      }
    };
    const overGrpc = async (client: grpc.Client) => {
      while (Date.now() < end) {
        const path = "/cosmos.bank.v1beta1.Query/TotalSupply";
        await grpcCall(client, path, Buffer.alloc(0));
        done.grpc++;
      }
    };
    const listening = async (i: number) => {
      const isEvm = i % 2 === 0;
      const socket = new WebSocket(
        isEvm
          ? endpoints.wsUrl
          : `${endpoints.nodeRpcUrl.replace("http", "ws")}/websocket`,
      );
      await once(socket, "open");
      const [method, params] = isEvm
        ? ["eth_subscribe", ["newHeads"]]
        : ["subscribe", { query: "tm.event='NewBlock'" }];
      let heard = 0;
      socket.on("message", (data) => {
        assert.doesNotMatch(String(data).slice(0, 200), /"error"/);
        heard++;
      });
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: i, method, params }));
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max(0, end - Date.now())),
      );
      // The subscription, and a head at least.
      for (const late = Date.now() + 10_000; heard < 2 && Date.now() < late; ) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.ok(heard >= 2, `client ${i} heard ${heard} messages`);
      done.socket += heard;
      socket.close();
    };
    const urls: readonly (readonly [string, string?])[] = [
      [endpoints.evmUrl, chainId],
      [`${endpoints.nodeRpcUrl}/status`],
      [endpoints.restUrl + VALIDATORS],
      [`${endpoints.faucetUrl}/status`],
    ];
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, i) => {
        if (i % 4 === 0) return await listening(i / 4);
        const client = clients[i % clients.length];
        if (i % 4 === 1 && client !== undefined) return await overGrpc(client);
        const [url, body] = urls[(i >> 2) % urls.length] ?? ["", undefined];
        return await asking(url, body);
      }),
    );
    for (const client of clients) client.close();
    assert.ok(done.http >= CLIENTS / 2 && done.grpc > 0, JSON.stringify(done));
  }

  it("refuses what is malformed, oversized or elsewhere, with an error and nothing else", async () => {
    const large = " ".repeat(6 * 1024 * 1024);
    for (const path of ["/evm", "/rpc", "/faucet/credit"]) {
      const headers = { "content-type": "application/json" };
      const { status } = await post(path, large, headers);
      assert.equal(status, 413, path);
    }
    for (const [path, body] of [
      ["/evm", "{"],
      ["/evm", "[]"],
      ["/evm", "null"],
      ["/evm", '{"method":{}}'],
      ["/evm", '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[[]]}'],
      ["/evm", `[${"[".repeat(10_000)}`],
      ["/rpc", "{"],
      [
        "/rpc",
        '{"jsonrpc":"2.0","id":1,"method":"abci_query","params":{"path":"/x","data":"zz"}}',
      ],
      [
        "/rpc",
        '{"jsonrpc":"2.0","id":1,"method":"block","params":{"height":"x"}}',
      ],
      ["/faucet/credit", '{"address":{},"denom":[]}'],
    ] as const) {
      const answer = await post(path, body, {
        "content-type": "application/json",
      });
      const text = await answer.text();
      assert.ok(
        answer.status >= 400 || /"error"|"code":/.test(text),
        `${path} ${body.slice(0, 40)}: ${answer.status} ${text}`,
      );
      assert.doesNotMatch(text, /\bat .*\.[jt]s:\d+/, "no stack");
    }
    for (const [method, path, status] of [
      ["GET", "/evm", 405],
      ["PUT", "/evm", 405],
      ["DELETE", "/rpc/status", 405],
      ["GET", "/faucet/credit", 405],
      ["GET", "/nope", 404],
      ["GET", "/%2e%2e/%2e%2e/etc/passwd", 404],
      ["GET", "/api/cosmos/%2e%2e/%2e%2e/etc/passwd", undefined],
      ["GET", "/api/%00", undefined],
      ["GET", "/rpc/%E0%A4%A", undefined],
      ["POST", "/api/cosmos/staking/v1beta1/params", undefined],
    ] as const) {
      const [found, text] = await raw(method, path);
      assert.ok(found >= 400, `${method} ${path}: ${found} ${text}`);
      if (status !== undefined) assert.equal(found, status, path);
      assert.doesNotMatch(text, /root:|\bat .*\.[jt]s:\d+/);
    }
    // A name that its owner lets lead to this machine.
    const [status] = await raw("GET", "/rpc/status", { host: "evil.example" });
    assert.equal(status, 403);
    for (const path of ["/evm", "/rpc", "/faucet/credit"]) {
      const headers = { origin: "https://evil.example" };
      assert.equal((await post(path, "{}", headers)).status, 403, path);
    }
    await isAlive();
  });

  it("outlives clients that send nonsense, nothing, or slowly", async () => {
    const { hostname, port } = new URL(endpoints.baseUrl);
    const [grpcName = "", grpcPort] = endpoints.grpcHost.split(":");
    const sockets = [
      ["\0\x01garbage\r\n\r\n", hostname, Number(port)],
      ["GET / HTTP/1.1\r\n", hostname, Number(port)],
      [
        "POST /evm HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{",
        hostname,
        Number(port),
      ],
      ["GET / HTTP/1.1\r\n\r\n", grpcName, Number(grpcPort)],
      ["\0".repeat(100_000), grpcName, Number(grpcPort)],
    ] as const;
    const slow = sockets.map(([text, host, at]) => {
      const socket = connect(at, host, () => socket.write(text));
      socket.on("error", () => undefined);
      return socket;
    });
    for (const url of [
      endpoints.wsUrl,
      `${endpoints.nodeRpcUrl.replace("http", "ws")}/websocket`,
    ]) {
      for (const text of [
        "{",
        "null",
        "[[]]",
        '{"id":1,"method":"eth_subscribe","params":[{}]}',
        '{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"query":"x="}}',
        "x".repeat(2 * 1024 * 1024),
      ]) {
        const socket = new WebSocket(url);
        await once(socket, "open");
        const answered = Promise.race([
          once(socket, "message"),
          once(socket, "close"),
        ]);
        socket.send(text);
        const [answer] = await answered;
        // Too long a message ends the connection, anything else is answered.
        assert.ok(
          answer === 1009 ||
            answer === 1006 ||
            /error|"code"/.test(String(answer)),
          `${text.slice(0, 40)}: ${String(answer)}`,
        );
        socket.terminate();
      }
    }
    const client = new grpc.Client(
      endpoints.grpcHost,
      grpc.credentials.createInsecure(),
    );
    for (const [path, message, code] of [
      ["/nope.Query/Nope", Buffer.alloc(0), 12],
      ["/cosmos.staking.v1beta1.Query/Validators", Buffer.alloc(9, 0xff), 13],
      [
        "/cosmos.staking.v1beta1.Query/Validators",
        Buffer.alloc(5 * 1024 * 1024),
        8,
      ],
    ] as const) {
      await assert.rejects(grpcCall(client, path, message), { code });
    }
    client.close();
    await isAlive();
    for (const socket of slow) socket.destroy();
  });

  it("ends every connection when it stops, and starts anew at once", async () => {
    const other = await startNode({ blockTime: 0.2 });
    const { wsUrl, grpcHost, baseUrl } = other.node.endpoints;
    const { hostname, port } = new URL(baseUrl);
    const socket = new WebSocket(wsUrl);
    await once(socket, "open");
    const idle = connect(Number(port), hostname);
    await once(idle, "connect");
    const client = new grpc.Client(grpcHost, grpc.credentials.createInsecure());
    await grpcCall(
      client,
      "/cosmos.staking.v1beta1.Query/Params",
      Buffer.alloc(0),
    );
    const ended = Promise.all([once(socket, "close"), once(idle, "close")]);
    const begin = Date.now();
    await other[Symbol.asyncDispose]();
    await ended;
    assert.ok(Date.now() - begin < 5_000);
    client.close();
    const again = await startNode({
      port: Number(port),
      grpcPort: Number(grpcHost.split(":")[1]),
    });
    assert.equal(again.node.endpoints.baseUrl, baseUrl);
    await again[Symbol.asyncDispose]();
  });

  /** A request as it is written, which fetch would not send. */
  async function raw(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<[number, string]> {
    const { hostname, port } = new URL(endpoints.baseUrl);
    return await new Promise((resolve, reject) => {
      const request = httpRequest(
        { hostname, port, path, method, headers },
        (response) => {
          let text = "";
          response.on("data", (chunk) => (text += String(chunk)));
          response.on("end", () => {
            resolve([response.statusCode ?? 0, text]);
          });
        },
      );
      request.on("error", reject);
      request.end();
    });
  }
});
