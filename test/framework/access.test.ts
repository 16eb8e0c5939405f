import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { TYPESCRIPT } from "../helpers/typescript.js";
import { deriveEndpoints } from "../../src/chain/index.js";
import {
  createFrameworkClients,
  type FrameworkClients,
  type FrameworkOptions,
} from "../../src/framework/index.js";
import { hostileServer } from "./hostile.js";
import { FACTS, startNetwork } from "./network.js";

const USER = { user: "someone", password: "p%40ss:word" } as const;
const BASIC = `Basic ${Buffer.from("someone:p@ss:word").toString("base64")}`;
const KEY = { "X-Api-Key": "k3y" } as const;

const clientsAt = (
  endpoints: FrameworkOptions["endpoints"],
  options: Partial<FrameworkOptions> = {},
): FrameworkClients =>
  createFrameworkClients({
    network: "test",
    kind: "testnet",
    endpoints,
    facts: FACTS,
    provider: { request: () => Promise.reject(new Error("not asked")) },
    retry: { backoffMs: 5 },
    timeoutMs: 3_000,
    ...options,
  });

const messageOf = async (promise: Promise<unknown>): Promise<string> =>
  await promise.then(
    () => assert.fail("it passes"),
    (error: unknown) => {
      assert.ok(error instanceof Error);
      return error.message;
    },
  );

const read = (clients: FrameworkClients) => ({
  REST: () => clients.rest.syncing(),
  "the node RPC": () => clients.nodeRpc.status(),
});

describe("access to the network's endpoints", () => {
  it("user, password and API key reach every endpoint", async () => {
    await using network = await startNetwork();
    const { restUrl, nodeRpcUrl, wsUrl } = {
      restUrl: network.rest.url,
      nodeRpcUrl: network.nodeRpc.url,
      wsUrl: network.ws.url,
    };
    const withUser = (url: string) =>
      url.replace("://", `://${USER.user}:${USER.password}@`);
    const clients = clientsAt(
      {
        restUrl: withUser(restUrl),
        nodeRpcUrl: withUser(nodeRpcUrl),
        wsUrl: withUser(wsUrl),
        grpcHost: `grpc://${USER.user}:${USER.password}@${network.grpc.host}`,
      },
      { headers: KEY },
    );
    await clients.rest.syncing();
    await clients.nodeRpc.status();
    await (await clients.grpc.base()).GetSyncing();
    await (await clients.events.heads()).close();
    for (const [name, server] of Object.entries({
      rest: network.rest,
      nodeRpc: network.nodeRpc,
      ws: network.ws,
      grpc: network.grpc,
    })) {
      assert.equal(server.lastHeaders["authorization"], BASIC, name);
      assert.equal(server.lastHeaders["x-api-key"], KEY["X-Api-Key"], name);
    }
    await clients.close();
  });

  it("credentials in the base URL are in every derived address", () => {
    const found = deriveEndpoints(
      {
        baseUrl: `https://${USER.user}:${USER.password}@node.example/base`,
        explorerUrl: "https://explorer.example",
      },
      { network: "testnet", kind: "testnet" },
    );
    // URLs escape the second colon.
    const at = `${USER.user}:p%40ss%3Aword@node.example`;
    assert.deepEqual(found, {
      evmUrl: `https://${at}/base/evm`,
      wsUrl: `wss://${at}/ws`,
      nodeRpcUrl: `https://${at}/base/rpc`,
      restUrl: `https://${at}/base/api`,
      grpcHost: `${at}:9090`,
      explorerUrl: "https://explorer.example",
    });
  });

  const REFUSALS: readonly (readonly [number, object, RegExp])[] = [
    [
      401,
      {},
      /asks for credentials \(HTTP 401\).*user and password.*httpHeaders/,
    ],
    [403, {}, /refuses access \(HTTP 403\).*httpHeaders/],
    [404, {}, /is not at this address \(HTTP 404\).*base URL/],
    [429, { "retry-after": "3600" }, /no more requests.*to wait 3600 s/],
    [502, {}, /gateway's error \(HTTP 502\).*another node/],
    [200, {}, /answered with a web page, not JSON.*login page/],
  ];
  for (const [status, headers, says] of REFUSALS) {
    it(`an answer from something else is reported as what it is: ${status}`, async () => {
      await using server = await hostileServer((_request, response) =>
        response
          .writeHead(status, { "content-type": "text/html", ...headers })
          .end("<html>p4ge</html>"),
      );
      const clients = clientsAt({
        restUrl: server.url.replace("://", "://u:s3cret@"),
        nodeRpcUrl: server.url.replace("://", "://u:s3cret@"),
      });
      for (const ask of Object.values(read(clients))) {
        const message = await messageOf(ask());
        assert.match(message, says);
        assert.doesNotMatch(message, /p4ge|s3cret/);
      }
    });
  }

  it("reads are repeated when the server wishes, unless that cannot help", async () => {
    await using network = await startNetwork();
    const { nodeRpc } = network;
    nodeRpc.answerWith("status", { status: 503 }, 2);
    await network.clients.nodeRpc.status();
    nodeRpc.answerWith("status", {
      status: 429,
      headers: { "retry-after": "1" },
    });
    const start = Date.now();
    await network.clients.nodeRpc.status();
    assert.ok(Date.now() - start >= 900);
    let count = 0;
    await using server = await hostileServer((_request, response) => {
      count++;
      if (count === 1) {
        response.destroy();
      } else if (count === 2) {
        response.writeHead(503).end();
      } else {
        response
          .writeHead(200, { "content-type": "application/json" })
          .end('{"syncing":true}');
      }
    });
    const { rest } = clientsAt({ restUrl: server.url });
    assert.equal(await rest.syncing(), true);
    assert.equal(count, 3);
    nodeRpc.answerWith("status", { status: 401 }, 5);
    nodeRpc.methods.length = 0;
    await assert.rejects(network.clients.nodeRpc.status());
    assert.equal(nodeRpc.methods.length, 1);
  });

  it("an endpoint that has answered is waited for while it restarts", async () => {
    await using network = await startNetwork({ retry: { backoffMs: 50 } });
    await network.clients.rest.syncing();
    const { url } = network.rest;
    await network.rest.close();
    const asking = network.clients.rest.syncing();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const { RestServer } = await import("../servers/rest.js");
    const again = await RestServer.start(network.chain, "/api", {
      port: Number(new URL(url).port),
    });
    assert.equal(await asking, false);
    await again.close();
  });
});

describe("encryption of the endpoints", () => {
  const pem = (name: string) =>
    readFileSync(
      new URL(`../vectors/framework/tls/${name}.pem`, import.meta.url),
    );
  const key = pem("localhost.key");

  const secure = async (certificate: string) => {
    const server = createSecureServer(
      { key, cert: pem(certificate), allowHTTP1: true },
      (_request, response) => response.end("{}"),
    );
    await new Promise<void>((resolve) =>
      server.listen(0, "127.0.0.1", resolve),
    );
    return {
      url: `https://localhost:${(server.address() as AddressInfo).port}`,
      [Symbol.dispose]: () => server.close(),
    };
  };

  it("every client names what is wrong with it", async () => {
    await using plain = await hostileServer((_request, response) =>
      response.end("{}"),
    );
    using unknown = await secure("localhost.cert");
    using named = await secure("other-name.cert");
    using expired = await secure("expired.cert");
    const probe = async (addresses: string[], authorities?: string) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          ...TYPESCRIPT,
          fileURLToPath(new URL("../helpers/tls-probe.ts", import.meta.url)),
        ],
        {
          env: {
            ...process.env,
            // If set, this replaces Node's certificate authorities for gRPC.
            GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: "",
            ADDRESSES: JSON.stringify(addresses),
            ...(authorities === undefined
              ? {}
              : {
                  NODE_EXTRA_CA_CERTS: fileURLToPath(
                    new URL(
                      `../vectors/framework/tls/${authorities}.pem`,
                      import.meta.url,
                    ),
                  ),
                }),
          },
        },
      );
      return JSON.parse(stdout) as Record<string, string[]>;
    };
    const noTls = plain.url.replace("http:", "https:");
    const results = (
      await Promise.all([
        probe([unknown.url, noTls]),
        probe([named.url], "other-name.cert"),
        probe([expired.url], "expired.cert"),
      ])
    ).reduce((all, one) => ({ ...all, ...one }));
    const expected: readonly (readonly [string, RegExp])[] = [
      [unknown.url, /unknown authority.*NODE_EXTRA_CA_CERTS/],
      [named.url, /certificate for another name.*other\.dualstack/],
      [expired.url, /certificate that has expired/],
      [noTls, /does not use encryption on this port.*allowInsecure/],
    ];
    for (const [address, says] of expected) {
      assert.equal(results[address]?.length, 5);
      for (const told of results[address] ?? []) {
        assert.match(told, says);
      }
    }
  });

  it("a WebSocket handshake that hangs is reported as that, and a refused one with its status", async () => {
    const silent = createTcpServer(() => undefined);
    await new Promise<void>((resolve) =>
      silent.listen(0, "127.0.0.1", resolve),
    );
    const { port } = silent.address() as AddressInfo;
    const hanging = clientsAt(
      { wsUrl: `ws://127.0.0.1:${port}` },
      { timeoutMs: 200 },
    );
    assert.match(
      await messageOf(hanging.events.heads()),
      /not opened within 0\.2 s: its handshake hangs.*proxy/,
    );
    // Closing ends a handshake that is under way.
    const patient = clientsAt({ wsUrl: `ws://127.0.0.1:${port}` });
    const opening = messageOf(patient.events.heads());
    await new Promise((resolve) => setTimeout(resolve, 50));
    await patient.close();
    assert.match(await opening, /closed/);
    silent.close();
    await using refusing = await hostileServer((_request, response) =>
      response.writeHead(403).end(),
    );
    const refused = clientsAt({ wsUrl: refusing.url.replace("http", "ws") });
    assert.match(
      await messageOf(refused.events.heads()),
      /refuses access \(HTTP 403\)/,
    );
  });
});
