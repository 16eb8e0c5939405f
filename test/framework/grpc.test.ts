import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { after, before, describe, it } from "node:test";

import { Metadata } from "@grpc/grpc-js";
import * as grpcLibrary from "@grpc/grpc-js";
import {
  QueryBalanceRequest,
  QueryBalanceResponse,
} from "cosmjs-types/cosmos/bank/v1beta1/query";
import { QueryValidatorsRequest } from "cosmjs-types/cosmos/staking/v1beta1/query";

import {
  FrameworkError,
  type FrameworkFault,
  GrpcClient,
  type GrpcOptions,
  type Rpc,
} from "../../src/framework/index.js";
import { GrpcServer } from "../servers/grpc.js";
import { ACCOUNTS, HEIGHT, recordings } from "../servers/recorded-state.js";
import { hostileServer } from "./hostile.js";
import { FACTS, startNetwork, type TestNetwork } from "./network.js";

const pem = (name: string) =>
  readFileSync(
    new URL(`../vectors/framework/tls/localhost.${name}.pem`, import.meta.url),
  );
const failsAs = (fault: FrameworkFault, text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof FrameworkError, String(error));
  assert.equal(error.fault, fault, error.message);
  assert.match(error.message, text);
  return true;
};

const clientAt = (host: string, options: Partial<GrpcOptions> = {}) =>
  new GrpcClient({
    host,
    network: "test",
    facts: FACTS,
    timeoutMs: 3_000,
    ...options,
  });

/** A client as a code generator would write it for a network. */
class OwnClient {
  readonly #rpc: Rpc;
  constructor(rpc: Rpc) {
    this.#rpc = rpc;
  }
  async balance(address: string): Promise<string> {
    const request = QueryBalanceRequest.encode({
      address,
      denom: "atest",
    }).finish();
    const bytes = await this.#rpc.request(
      "cosmos.bank.v1beta1.Query",
      "Balance",
      request,
    );
    return QueryBalanceResponse.decode(bytes).balance?.amount ?? "";
  }
}

describe("gRPC", () => {
  let network: TestNetwork;
  before(async () => {
    network = await startNetwork();
  });
  after(async () => {
    await network[Symbol.asyncDispose]();
  });

  it("has the typed clients, and takes further ones", async () => {
    const { grpc } = network.clients;
    const staking = await grpc.staking({ height: HEIGHT });
    const { validators } = await staking.Validators(
      QueryValidatorsRequest.fromPartial({ pagination: { limit: 1n } }),
    );
    assert.equal(validators[0]?.description.moniker, 'second "valid" <ätor>');
    assert.equal(
      (await (await grpc.distribution()).CommunityPool()).pool[0]?.denom,
      "atest",
    );
    assert.equal(
      (await (await grpc.governance()).Proposal({ proposalId: 17n })).proposal
        ?.id,
      17n,
    );
    assert.equal(
      (
        await (
          await grpc.bank()
        ).Balance({ address: ACCOUNTS.acc4, denom: "atest" })
      ).balance?.amount,
      "7955015834844000696000",
    );
    assert.equal(
      (await (await grpc.auth()).AccountInfo({ address: ACCOUNTS.acc7 })).info
        ?.accountNumber,
      7n,
    );
    assert.equal((await (await grpc.base()).GetSyncing()).syncing, false);
    assert.equal(
      await new OwnClient(grpc.rpc()).balance(ACCOUNTS.acc4),
      "7955015834844000696000",
    );
    // The same class over the node RPC.
    assert.equal(
      await new OwnClient(network.clients.nodeRpc.rpc()).balance(ACCOUNTS.acc4),
      "7955015834844000696000",
    );
  });

  it("classifies refusals", async () => {
    const { grpc } = network.clients;
    const staking = await grpc.staking();
    await assert.rejects(
      staking.Validator({
        validatorAddr: "cosmosvaloper1zhf54t65ye7m047rv7pe4tm35q9zc6n94j8jnh",
      }),
      failsAs("not-found", /code 5/),
    );
    await assert.rejects(
      staking.Validator({ validatorAddr: "x" }),
      failsAs("invalid-request", /code 2/),
    );
    await assert.rejects(
      (await grpc.staking({ height: 99_999_999n })).Params(),
      failsAs("height-in-future", /height/),
    );
    await assert.rejects(
      (await grpc.staking({ height: 2n })).Params(),
      failsAs("height-pruned", /pruned/),
    );
    await assert.rejects(
      grpc.rpc().request("no.such.v1.Query", "Params", new Uint8Array()),
      failsAs("unknown-path", /code 12/),
    );
    await assert.rejects(
      grpc
        .rpc()
        .request("cosmos.staking.v1beta1.Query", "Nope", new Uint8Array()),
      failsAs("unknown-path", /Nope/),
    );
    await assert.rejects(
      grpc
        .rpc()
        .request(
          "cosmos.staking.v1beta1.Query",
          "Validator",
          Uint8Array.from([255, 255, 255, 255]),
        ),
      failsAs("invalid-request", /unmarshal/),
    );
  });

  it("the test server refuses like the recording", async () => {
    const raw = new grpcLibrary.Client(
      network.grpc.host,
      grpcLibrary.credentials.createInsecure(),
    );
    for (const name of [
      "height_future",
      "unknown_method",
      "garbage_request",
      "gov_vote_none",
    ]) {
      const entry = recordings<any>("grpc").get(name);
      const metadata = new Metadata();
      for (const [key, value] of Object.entries(entry.requestMetadata ?? {})) {
        metadata.set(key, String(value));
      }
      const error = await new Promise<any>((resolve) => {
        raw.makeUnaryRequest(
          `/${entry.service}/${entry.method}`,
          (bytes: Buffer) => bytes,
          (bytes: Buffer) => bytes,
          Buffer.from(entry.requestBase64 ?? "", "base64"),
          metadata,
          (failure) => {
            resolve(failure);
          },
        );
      });
      assert.equal(error.code, entry.status.code, name);
      // For unknown methods, the server's library answers in its own words.
      if (name !== "unknown_method") {
        assert.equal(error.details, entry.status.details, name);
      }
    }
    raw.close();
  });

  it("has a deadline and a size limit", async () => {
    const slow = clientAt(network.grpc.host, { timeoutMs: 80 });
    network.grpc.delayMs = 1_000;
    await assert.rejects(
      (await slow.staking()).Params(),
      failsAs("timeout", /did not answer in time/),
    );
    network.grpc.delayMs = 0;
    await slow.close();
    const small = clientAt(network.grpc.host, { maxBytes: 1_000 });
    await assert.rejects(
      (await small.governance()).Proposals({
        proposalStatus: 0,
        voter: "",
        depositor: "",
      }),
      failsAs("too-large", /larger than max/),
    );
    await small.close();
    await assert.rejects((await small.staking()).Params(), /is closed/);
  });

  it("is not harmed by bytes that are not a message", async () => {
    network.grpc.garbage = true;
    await assert.rejects(
      network.clients.query.staking.pool({}, { via: "grpc" }),
    );
    await assert.rejects(
      network.clients.query.staking.validators({}, { via: "grpc" }),
    );
    network.grpc.garbage = false;
    assert.equal(
      (await network.clients.query.staking.pool({}, { via: "grpc" })).notBonded,
      2000000000000012345n,
    );
  });

  it("names the three mistakes in an address", async () => {
    const closed = clientAt("127.0.0.1:1");
    await assert.rejects(
      (await closed.staking()).Params(),
      failsAs("unavailable", /nothing listens.*9090/),
    );
    const encrypted = clientAt(network.grpc.host, { tls: true });
    await assert.rejects(
      (await encrypted.staking()).Params(),
      failsAs("unavailable", /does not use encryption.*allowInsecure/),
    );
    const { port } = new URL(network.rest.url);
    const rest = clientAt(`127.0.0.1:${port}`);
    await assert.rejects(
      (await rest.staking()).Params(),
      failsAs("unavailable", /does not speak gRPC.*REST/),
    );
    await Promise.all(
      [closed, encrypted, rest].map((client) => client.close()),
    );
  });

  it("has a deadline for a host that never speaks", async () => {
    const { createServer } = await import("node:net");
    const sockets = new Set<Socket>();
    const silent = createServer(
      (socket) => void sockets.add(socket.on("error", () => undefined)),
    );
    await new Promise<void>((resolve) =>
      silent.listen(0, "127.0.0.1", resolve),
    );
    const address = silent.address();
    assert.ok(address !== null && typeof address !== "string");
    const client = clientAt(`127.0.0.1:${address.port}`, {
      timeoutMs: 150,
      tls: true,
    });
    await assert.rejects(
      (await client.staking()).Params(),
      failsAs("timeout", /did not answer in time/),
    );
    await client.close();
    for (const socket of sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => silent.close(resolve));
  });

  it("explains a main network that cannot be reached", async () => {
    const client = clientAt("127.0.0.1:1", { kind: "mainnet" });
    await assert.rejects(
      (await client.staking()).Params(),
      failsAs("unavailable", /may not be public yet/),
    );
    await client.close();
  });

  it("speaks TLS, and checks the certificate", async () => {
    const server = await GrpcServer.start(network.chain, {
      tls: { certificate: pem("cert"), key: pem("key") },
    });
    const good = clientAt(server.host, {
      tls: true,
      rootCertificates: pem("cert"),
    });
    assert.equal(
      (await (await good.staking()).Pool()).pool.notBondedTokens,
      "2000000000000012345",
    );
    const untrusting = clientAt(server.host, { tls: true });
    await assert.rejects(
      (await untrusting.staking()).Pool(),
      failsAs("unavailable", /certificate/),
    );
    const plain = clientAt(server.host, { tls: false, timeoutMs: 1_000 });
    await assert.rejects(
      (await plain.staking()).Pool(),
      /cannot be reached|in time/,
    );
    await Promise.all(
      [good, untrusting, plain].map((client) => client.close()),
    );
    await server.close();
  });

  it("notices an answer for another height", async () => {
    // A server that ignores the metadata, as behind a careless proxy.
    const server = new grpcLibrary.Server();
    const same = (bytes: Buffer) => bytes;
    server.addService(
      {
        Params: {
          path: "/cosmos.staking.v1beta1.Query/Params",
          requestStream: false,
          responseStream: false,
          requestSerialize: same,
          requestDeserialize: same,
          responseSerialize: same,
          responseDeserialize: same,
        },
      },
      {
        Params: (
          _call: unknown,
          done: (error: null, bytes: Buffer) => void,
        ) => {
          done(null, Buffer.alloc(0));
        },
      },
    );
    const port = await new Promise<number>((resolve) =>
      server.bindAsync(
        "127.0.0.1:0",
        grpcLibrary.ServerCredentials.createInsecure(),
        (_error, bound) => resolve(bound),
      ),
    );
    const client = clientAt(`127.0.0.1:${port}`);
    await (await client.staking()).Params();
    await assert.rejects(
      (await client.staking({ height: 5n })).Params(),
      failsAs("wrong-height", /instead of 5/),
    );
    await client.close();
    server.forceShutdown();
  });

  it("fails at an HTTP server without harm", async () => {
    await using server = await hostileServer((_request, response) =>
      response.end("x".repeat(100_000)),
    );
    const client = clientAt(`127.0.0.1:${server.port}`);
    await assert.rejects(
      (await client.staking()).Params(),
      failsAs("unavailable", /./),
    );
    await client.close();
  });
});
