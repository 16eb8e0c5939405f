import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { after, before, describe, it } from "node:test";
import { readFileSync } from "node:fs";

import * as grpc from "@grpc/grpc-js";

import { SERVICES } from "../../src/local-node/query/index.js";
import {
  EXCHANGES,
  type GrpcExchange,
  type HttpExchange,
  type RecordedWorld,
  startRecordedWorld,
} from "./recorded-world.js";
import {
  commonPart,
  floored,
  FRACTIONS,
  questionsAt,
  withoutMessageBodies,
} from "../framework/parity-questions.js";
import { differences, masked } from "./shape.js";

/** Why answers differ from the recorded ones, by endpoint and exchange. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> =
  JSON.parse(
    readFileSync(new URL("known-differences.json", import.meta.url), "utf8"),
  );

/**
 * Lists the differences that software would notice: in status, error texts,
 * keys, types and units.
 */
async function compare(
  status: number,
  body: unknown,
  recorded: { readonly status: number; readonly body: unknown },
): Promise<string[]> {
  const found =
    status === recorded.status
      ? []
      : [`status ${status} instead of ${recorded.status}`];
  if (typeof recorded.body === "string" || typeof body === "string") {
    const [a, b] = [body, recorded.body].map((text) =>
      masked(JSON.stringify(text)),
    );
    return a === b ? found : [...found, `${a} instead of ${b}`];
  }
  if (found.length === 0) found.push(...differences(body, recorded.body));
  for (const text of [errorTexts]) {
    const [a, b] = [text(body), text(recorded.body)].map(masked);
    if (a !== b) found.push(`"${a}" instead of "${b}"`);
  }
  return found;
}

function errorTexts(body: any): string {
  const { code, message, error, result } = body ?? {};
  const { code: abci, log, codespace } = result?.response ?? result ?? {};
  return JSON.stringify([
    code,
    message,
    error,
    abci === 0 ? 0 : [abci, log, codespace],
  ]);
}

/** Sends a request with its path as written, which `fetch` would normalize. */
async function send(
  base: string,
  path: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port, pathname } = new URL(base);
  const call = request({
    hostname,
    port,
    path: pathname + path,
    method,
    headers,
    agent: false,
  });
  call.end(body);
  const [response] = (await once(call, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, body: text };
}

const decoded = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

describe("the answers recorded from a real node", () => {
  let world: RecordedWorld;
  let client: grpc.Client;
  before(async () => {
    world = await startRecordedWorld();
    client = new grpc.Client(
      world.started.node.endpoints.grpcHost,
      grpc.credentials.createInsecure(),
    );
  });
  after(async () => {
    client.close();
    await world[Symbol.asyncDispose]();
  });

  async function overHttp(
    base: string,
    { request: asked, ...recorded }: HttpExchange,
  ): Promise<string[]> {
    const {
      method,
      transport,
      path = "/",
      headers = {},
      body,
      rawBody,
    } = asked;
    const verb = method ?? transport ?? "GET";
    const text =
      rawBody ??
      (body === undefined
        ? undefined
        : typeof body === "string"
          ? body
          : JSON.stringify(body));
    const told = Object.entries(headers).map(([name, value]) => [
      name,
      heightHere(value),
    ]);
    const answer = await send(
      base,
      world.here(path),
      verb,
      Object.fromEntries(told),
      text === undefined ? undefined : heightsHere(world.here(text)),
    );
    await untilQuiet();
    return await compare(answer.status, decoded(answer.body), recorded);
  }

  // The state at a recorded height is the newest here.
  const heightHere = (value: string) =>
    /^(?:2\d{3})$/.test(value) ? "0" : value;

  // Recorded transactions build on each other.
  const untilQuiet = async () => {
    const url = `${world.started.node.endpoints.nodeRpcUrl}/num_unconfirmed_txs`;
    for (;;) {
      const { result }: any = await (await fetch(url)).json();
      if (result.total === "0") return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  const heightsHere = (text: string) =>
    text.replace(/"height":"1\d{3}"/g, '"height":"0"');

  async function overGrpc(exchange: GrpcExchange): Promise<string[]> {
    const {
      service,
      method,
      metadata = {},
      request = "",
      status,
      response,
    } = exchange;
    const codec = Object.hasOwn(SERVICES, service)
      ? SERVICES[service]?.[method]
      : undefined;
    const told = new grpc.Metadata();
    for (const [name, value] of Object.entries(metadata)) {
      told.set(name, heightHere(value));
    }
    const bytes = Buffer.from(request, "base64");
    const asked =
      codec === undefined || status.code !== 0
        ? bytes
        : Buffer.from(
            codec.request
              .encode(hereDeep(codec.request.decode(bytes)))
              .finish(),
          );
    const answer = await new Promise<{
      code: number;
      details: string;
      bytes?: Buffer;
    }>((resolve) => {
      const same = (one: Buffer) => one;
      client.makeUnaryRequest(
        `/${service}/${method}`,
        same,
        same,
        asked,
        told,
        (error, value) => {
          resolve(
            error === null
              ? { code: 0, details: "", bytes: value }
              : { code: error.code, details: error.details },
          );
        },
      );
    });
    const found: string[] = [];
    if (
      answer.code !== status.code ||
      masked(answer.details) !== masked(status.details)
    ) {
      found.push(
        `${answer.code} "${answer.details}" instead of ${status.code} "${status.details}"`,
      );
    }
    if (
      answer.bytes !== undefined &&
      typeof response === "string" &&
      codec !== undefined
    ) {
      const read = (one: Uint8Array) =>
        codec.response.toJSON(codec.response.decode(one));
      found.push(
        ...differences(
          read(answer.bytes),
          read(Buffer.from(response, "base64")),
        ),
      );
    }
    return found;
  }

  const hereDeep = (value: any): any =>
    typeof value === "string"
      ? world.here(value)
      : typeof value !== "object" ||
          value === null ||
          value instanceof Uint8Array
        ? value
        : Array.isArray(value)
          ? value.map(hereDeep)
          : Object.fromEntries(
              Object.entries(value).map(([key, one]) => [key, hereDeep(one)]),
            );

  const walks = {
    rest: async (one: HttpExchange) =>
      await overHttp(world.started.node.endpoints.restUrl, one),
    nodeRpc: async (one: HttpExchange) =>
      await overHttp(world.started.node.endpoints.nodeRpcUrl, one),
    grpc: overGrpc,
  };
  for (const endpoint of ["rest", "grpc", "nodeRpc"] as const) {
    it(`are the same from ${endpoint}, except for listed differences`, async () => {
      const listed = KNOWN[endpoint] ?? {};
      const wrong: string[] = [];
      for (const exchange of EXCHANGES[endpoint]) {
        const found = await walks[endpoint](exchange as never).catch(
          (error: unknown) => [String(error)],
        );
        const isListed = Object.hasOwn(listed, exchange.name);
        if (found.length > 0 && !isListed)
          wrong.push(`${exchange.name}: ${found.join("; ")}`);
        if (found.length === 0 && isListed)
          wrong.push(`${exchange.name} is listed and agrees`);
      }
      assert.deepEqual(wrong, []);
    });
  }

  it("include the genesis document, as far as it was recorded", async () => {
    const found = EXCHANGES.nodeRpc.find(({ name }) => name === "genesis");
    const { result: recorded }: any = found?.body ?? {};
    const base = world.started.node.endpoints.nodeRpcUrl;
    const ask = async (path: string): Promise<any> => {
      const { result }: any = await (await fetch(`${base}${path}`)).json();
      return result;
    };
    const { genesis } = await ask("/genesis");
    const { app_state: state, ...rest } = genesis;
    const kept = recorded.genesis.app_state;
    const common = Object.fromEntries(
      Object.keys(kept).map((name) => [name, state[name]]),
    );
    assert.deepEqual(
      differences({ ...rest, app_state: common }, recorded.genesis),
      [],
    );
    const { data, total } = await ask("/genesis_chunked?chunk=0");
    assert.equal(total, "1");
    assert.deepEqual(
      JSON.parse(Buffer.from(data, "base64").toString()),
      genesis,
    );
    // The balances add up to the supply.
    const sum = state.bank.balances
      .flatMap(({ coins }: any) => coins)
      .reduce((all: bigint, { amount }: any) => all + BigInt(amount), 0n);
    assert.equal(String(sum), state.bank.supply[0].amount);
    const held = state.staking.delegations.map(({ shares }: any) =>
      BigInt(shares.split(".")[0]),
    );
    assert.deepEqual(
      held,
      state.staking.validators.map(({ tokens }: any) => BigInt(tokens)),
    );
    assert.equal(rest.chain_id, world.started.node.frameworkChainId);
  });

  it("are the same in every way for all parity questions, now and before", async () => {
    const { clients } = world.started;
    const head = BigInt(await world.provider.getBlockNumber());
    // Before the newest votes, and now.
    for (const height of [head - 6n, head]) {
      for (const [name, ask] of Object.entries(questionsAt(height))) {
        const [rest, grpcs, abci, precompile] = await Promise.all([
          ask(clients, "rest"),
          ask(clients, "grpc"),
          ask(clients, "abci"),
          ask(clients, "precompile"),
        ]);
        const at = `${name} at ${height}`;
        assert.deepEqual(abci, grpcs, at);
        assert.deepEqual(
          withoutMessageBodies(rest),
          withoutMessageBodies(grpcs),
          at,
        );
        const shown = FRACTIONS.has(name) ? floored(grpcs) : grpcs;
        assert.deepEqual(precompile, commonPart(shown, precompile), at);
      }
    }
    const account = world.started.node.accounts[4];
    const balance = await world.provider.getBalance(
      account?.address ?? "",
      Number(head - 6n),
    );
    assert.equal(
      await clients.query.bank.balance(
        { address: account?.account ?? "" },
        { via: "rest", height: head - 6n },
      ),
      balance,
    );
  });
});
