import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";

import * as grpc from "@grpc/grpc-js";
import { WebSocket } from "ws";

import type { LocalNodeEndpoints } from "../../src/local-node/endpoints.js";
import {
  CHAIN_ID,
  CLIENTS,
  grpcCall,
  heap,
  nodeSocketUrl,
  openHandles,
  serveClients,
  VALIDATORS,
} from "./load.js";
import { startNode, type StartedNode } from "./start.js";

/** Seconds of load; `npm run bench -- load` takes a minute. */
const SECONDS = 4;

/** How many bytes some thousand requests and blocks may add to the heap. */
const MOST_GROWN = 8 * 1_024 * 1_024;

describe("a local node under load and attack", () => {
  let started: StartedNode;
  let endpoints: LocalNodeEndpoints;
  let handles: number;
  before(async () => {
    handles = await openHandles();
    started = await startNode({ blockTime: 0.5 });
    ({ endpoints } = started.node);
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
    assert.equal(
      await openHandles(handles),
      handles,
      "servers or sockets were left",
    );
  });

  const post = async (path: string, body: string, headers = {}) =>
    await fetch(endpoints.baseUrl + path, { method: "POST", body, headers });

  /** Checks that every endpoint still answers. */
  const isAlive = async () => {
    assert.match(await (await post("/evm", CHAIN_ID)).text(), /0x666a/);
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
    for (const url of [endpoints.wsUrl, nodeSocketUrl(endpoints)]) {
      const socket = new WebSocket(url);
      await once(socket, "open");
      socket.close();
    }
  };

  it(`serves ${CLIENTS} clients at once over all endpoints, without an error or a leak`, async (t) => {
    const first = await serveClients(endpoints, SECONDS / 2);
    const before = await heap();
    const second = await serveClients(endpoints, SECONDS / 2);
    const grown = (await heap()) - before;
    t.diagnostic(`${Math.round(grown / 1_024)} KiB more after the second half`);
    assert.ok(grown < MOST_GROWN, `${grown} bytes more`);
    for (const { errors, ...done } of [first, second]) {
      assert.deepEqual(errors, []);
      assert.ok(
        done.http >= CLIENTS / 2 && done.grpc > 0,
        JSON.stringify(done),
      );
    }
    await isAlive();
  });

  it("refuses malformed, oversized and misdirected requests with just an error", async () => {
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
    // A client that leaves out the path, as for other development nodes.
    assert.deepEqual(await raw("POST", "/"), [
      405,
      "405 method not allowed: JSON-RPC is at /evm and at /rpc\n",
    ]);
    // A foreign name that its owner resolves to this machine.
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
    for (const url of [endpoints.wsUrl, nodeSocketUrl(endpoints)]) {
      for (const text of [
        "{",
        // Nodes do not answer notifications.
        ...(url === endpoints.wsUrl ? ["null"] : []),
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
        // A message that is too long ends the connection; others are answered.
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
      // An address that is not UTF-8, and one that is cut within a character.
      [
        "/cosmos.staking.v1beta1.Query/Validator",
        Buffer.from("0a02ff61", "hex"),
        2,
      ],
      [
        "/cosmos.staking.v1beta1.Query/Validator",
        Buffer.concat([
          Buffer.from([0x0a, 0xf1, 0x01]),
          Buffer.from(`a${"😀".repeat(60)}`),
        ]),
        2,
      ],
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

  it("ends every connection when it stops, and can start again at once", async () => {
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

  /** Sends a request as it is written, even one that fetch would not send. */
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
