import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";

import * as grpc from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";

import { SERVICES } from "../../src/local-node/query/index.js";
import { startNode, type StartedNode } from "./start.js";

const same = (bytes: Buffer) => bytes;
const field = (number: number, bytes: Uint8Array) =>
  Buffer.concat([
    Buffer.from([(number << 3) | 2]),
    varint(bytes.length),
    Buffer.from(bytes),
  ]);
function varint(value: number): Buffer {
  return value < 128
    ? Buffer.from([value])
    : Buffer.concat([Buffer.from([(value & 127) | 128]), varint(value >>> 7)]);
}

describe("reflection", () => {
  let started: StartedNode;
  let client: grpc.Client;
  before(async () => {
    started = await startNode({ automine: true });
    client = new grpc.Client(
      started.node.endpoints.grpcHost,
      grpc.credentials.createInsecure(),
    );
  });
  after(async () => {
    client.close();
    await started[Symbol.asyncDispose]();
  });

  const ask = async (request: Buffer): Promise<Buffer> => {
    const call = client.makeBidiStreamRequest(
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
      same,
      same,
    );
    // Closing the client ends the call with an error.
    call.on("error", () => undefined);
    call.write(request);
    const [answer] = (await once(call, "data")) as [Buffer];
    call.end();
    return answer;
  };
  /** Returns a symbol's file, from the answer's field 4, field 1. */
  const fileOf = async (symbol: string): Promise<Buffer> => {
    const answer = await ask(field(4, Buffer.from(symbol)));
    const original = field(2, field(4, Buffer.from(symbol)));
    const at = answer.indexOf(original) + original.length;
    let rest = answer.subarray(at);
    assert.equal(rest[0], (4 << 3) | 2, symbol);
    for (let i = 0; i < 2; i++) {
      let length = 1;
      while ((rest[length] ?? 0) >= 128) length++;
      rest = rest.subarray(length + 1);
    }
    return rest;
  };
  const clientOf = async (service: string): Promise<any> => {
    const set = field(1, await fileOf(service));
    const loaded: any = grpc.loadPackageDefinition(
      loadFileDescriptorSetFromBuffer(set, { longs: String, defaults: true }),
    );
    const Client = service
      .split(".")
      .reduce((at: any, part: string) => at[part], loaded);
    return new Client(
      started.node.endpoints.grpcHost,
      grpc.credentials.createInsecure(),
    );
  };
  const call = async (
    service: string,
    method: string,
    request: object,
  ): Promise<any> => {
    const dynamic = await clientOf(service);
    return await new Promise((resolve, reject) => {
      dynamic[method](request, (error: unknown, answer: unknown) => {
        dynamic.close();
        if (error === null) resolve(answer);
        else reject(error);
      });
    });
  };

  it("describes every service that it lists", async () => {
    const list = String(await ask(Buffer.from([0x3a, 0])));
    for (const [service, methods] of Object.entries(SERVICES)) {
      assert.ok(list.includes(service), service);
      const dynamic = await clientOf(service);
      for (const name of Object.keys(methods)) {
        assert.equal(typeof dynamic[name], "function", `${service}/${name}`);
      }
      dynamic.close();
    }
  });

  it("lets a client that knows nothing call methods", async () => {
    const { validators } = await call(
      "cosmos.staking.v1beta1.Query",
      "Validators",
      { status: "BOND_STATUS_BONDED", pagination: { limit: "2" } },
    );
    assert.equal(validators.length, 2);
    const [first] = validators;
    assert.match(first.operator_address, /^cosmosvaloper1/);
    assert.equal(first.status, 3);
    assert.equal(first.tokens, String(10n ** 21n));
    assert.equal(first.commission.commission_rates.rate, String(10n ** 17n));
    assert.equal(
      first.consensus_pubkey.type_url,
      "/cosmos.crypto.ed25519.PubKey",
    );
    const account = started.node.accounts[1];
    const { balance } = await call("cosmos.bank.v1beta1.Query", "Balance", {
      address: account?.account,
      denom: "anative",
    });
    assert.deepEqual(balance, {
      denom: "anative",
      amount: String(10n ** 22n),
    });
    const evm = await call("cosmos.evm.vm.v1.Query", "Account", {
      address: account?.address,
    });
    assert.equal(evm.balance, String(10n ** 22n));
    const { block } = await call(
      "cosmos.base.tendermint.v1beta1.Service",
      "GetLatestBlock",
      {},
    );
    assert.equal(block.header.chain_id, "dualstack_26218-1");
    assert.ok(BigInt(block.header.time.seconds) > 1_600_000_000n);
  });

  it("says so when something is not there", async () => {
    const answer = String(await ask(field(4, Buffer.from("no.such.Thing"))));
    assert.match(answer, /not found: no\.such\.Thing/);
  });
});
