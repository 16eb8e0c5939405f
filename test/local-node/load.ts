import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import * as grpc from "@grpc/grpc-js";
import { WebSocket } from "ws";

import type { LocalNodeEndpoints } from "../../src/local-node/endpoints.js";
import { errorText } from "../../src/support/text.js";

/** How many clients ask at once, over all endpoints. */
export const CLIENTS = 200;
const CHANNELS = 10;

export const VALIDATORS = "/cosmos/staking/v1beta1/validators";
export const CHAIN_ID = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "eth_chainId",
});

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Returns how many bytes of the heap are in use after garbage collection. */
export async function heap(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await delay(20);
    collect();
  }
  return process.memoryUsage().heapUsed;
}

/** Counts the servers and connections that are open in this process. */
function openNow(): number {
  // Standard streams open on first use, and may be pipes themselves.
  void [process.stdout, process.stderr];
  return process
    .getActiveResourcesInfo()
    .filter((name) => /^TCP|HTTP2|^Pipe(?:Server)?Wrap$/.test(name)).length;
}

/**
 * Counts what is open in this process.
 *
 * @param expected how many to wait for, since connections take a moment to end
 */
export async function openHandles(expected = Infinity): Promise<number> {
  for (const late = Date.now() + 2_000; Date.now() < late; ) {
    if (openNow() <= expected) break;
    await delay(20);
  }
  return openNow();
}

const same = (bytes: Buffer) => bytes;

/** Calls a method; messages are bytes. */
export const grpcCall = async (
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

/** The node RPC's own WebSocket. */
export const nodeSocketUrl = ({ nodeRpcUrl }: LocalNodeEndpoints) =>
  `${nodeRpcUrl.replace("http", "ws")}/websocket`;

/** How many answers clients got. */
export interface Load {
  readonly http: number;
  readonly grpc: number;
  /** Messages on sockets. */
  readonly socket: number;
  /** Why clients gave up. */
  readonly errors: readonly string[];
}

/**
 * Has the clients ask all endpoints for some seconds, each as fast as it can.
 */
export async function serveClients(
  endpoints: LocalNodeEndpoints,
  seconds: number,
): Promise<Load> {
  const { evmUrl, wsUrl, nodeRpcUrl, restUrl, grpcHost, faucetUrl } = endpoints;
  const end = Date.now() + seconds * 1_000;
  const done = { http: 0, grpc: 0, socket: 0 };
  const channels = Array.from(
    { length: CHANNELS },
    () =>
      new grpc.Client(grpcHost, grpc.credentials.createInsecure(), {
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
    const socket = new WebSocket(isEvm ? wsUrl : nodeSocketUrl(endpoints));
    await once(socket, "open");
    const [method, params] = isEvm
      ? ["eth_subscribe", ["newHeads"]]
      : ["subscribe", { query: "tm.event='NewBlock'" }];
    let heard = 0;
    let failure: string | undefined;
    socket.on("message", (data) => {
      const text = String(data).slice(0, 200);
      if (text.includes('"error"')) failure ??= text;
      heard++;
    });
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: i, method, params }));
    await delay(Math.max(0, end - Date.now()));
    // Waits for the subscription's answer, and for a head at least.
    for (const late = Date.now() + 10_000; heard < 2 && Date.now() < late; ) {
      await delay(50);
    }
    assert.ok(heard >= 2, `client ${i} heard ${heard} messages`);
    assert.equal(failure, undefined);
    done.socket += heard;
    socket.close();
  };
  const urls: readonly (readonly [string, string?])[] = [
    [evmUrl, CHAIN_ID],
    [`${nodeRpcUrl}/status`],
    [restUrl + VALIDATORS],
    [`${faucetUrl}/status`],
  ];
  const ended = await Promise.allSettled(
    Array.from({ length: CLIENTS }, async (_, i) => {
      if (i % 4 === 0) return await listening(i / 4);
      const channel = channels[i % channels.length];
      if (i % 4 === 1 && channel !== undefined) return await overGrpc(channel);
      const [url, body] = urls[(i >> 2) % urls.length] ?? ["", undefined];
      return await asking(url, body);
    }),
  );
  for (const channel of channels) channel.close();
  const errors = ended.flatMap((one) =>
    one.status === "rejected" ? [errorText(one.reason)] : [],
  );
  return { ...done, errors };
}
