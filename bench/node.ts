import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import http from "node:http";
import path from "node:path";

import * as grpc from "@grpc/grpc-js";
import { QueryValidatorsRequest } from "cosmjs-types/cosmos/staking/v1beta1/query";
import { WebSocket } from "ws";

import type { LocalNodeEndpoints } from "../src/local-node/endpoints.js";
import { project } from "./plugin.js";
import { type Figure, median, sideBySide, timed } from "./ratio.js";

const CLI = path.resolve(
  import.meta.dirname,
  "../node_modules/hardhat/dist/src/cli.js",
);
const ANYWHERE = ["--port", "0"];
/** Returns the number 1, whoever asks. */
const CONTRACT = {
  address: "0x00000000000000000000000000000000000000aa",
  code: "0x600160005260206000f3",
};
const AT_ONCE = 16;
const BATCH = 250;

interface Running {
  readonly evmUrl: string;
  readonly process: ChildProcess;
  close(): Promise<void>;
}

/** Starts a node, and waits until its output tells what is looked for. */
async function start<T>(
  cwd: string,
  args: readonly string[],
  find: (output: string) => T | undefined,
): Promise<{ found: T; process: ChildProcess; close(): Promise<void> }> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { ...env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const found = await new Promise<T>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      const told = find(output);
      if (told !== undefined) {
        child.stdout.removeAllListeners("data").resume();
        resolve(told);
      }
    });
    child.once("exit", () => reject(new Error(output)));
  });
  return {
    found,
    process: child,
    close: async () => {
      const gone = once(child, "exit");
      child.kill();
      await gone;
    },
  };
}

async function startBare(cwd: string): Promise<Running> {
  const { found, ...rest } = await start(
    cwd,
    ["node", ...ANYWHERE],
    (output) => /JSON-RPC server at (http:\S+)/.exec(output)?.[1],
  );
  return { evmUrl: found, ...rest };
}

async function startOurs(
  cwd: string,
  ...args: readonly string[]
): Promise<Running & { readonly endpoints: LocalNodeEndpoints }> {
  const { found: endpoints, ...rest } = await start(
    cwd,
    ["dualstack", "node", ...ANYWHERE, "--grpc-port", "0", "--json", ...args],
    (output): LocalNodeEndpoints | undefined =>
      output.includes("\n") ? JSON.parse(output).endpoints : undefined,
  );
  return { evmUrl: endpoints.evmUrl, endpoints, ...rest };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** One request over a connection that stays; what is answered is read, and must be no error. */
async function ask(url: string, body?: unknown): Promise<string> {
  return await new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        agent,
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          if (response.statusCode === 200 && !text.includes('"error"')) {
            resolve(text);
          } else reject(new Error(`${url}: ${text.slice(0, 300)}`));
        });
      },
    );
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const call = (method: string, params: readonly unknown[] = [], id = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** Runs a task so often, some of them at once. */
async function repeat(count: number, task: () => Promise<unknown>) {
  let left = count;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await task();
    }),
  );
}

function validators(host: string) {
  const client = new grpc.Client(host, grpc.credentials.createInsecure());
  const request = Buffer.from(
    QueryValidatorsRequest.encode(
      QueryValidatorsRequest.fromPartial({}),
    ).finish(),
  );
  return {
    close: () => {
      client.close();
    },
    ask: async () =>
      await new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          "/cosmos.staking.v1beta1.Query/Validators",
          (bytes: Buffer) => bytes,
          (bytes: Buffer) => bytes,
          request,
          (error, answer) => {
            if (error === null) resolve(answer);
            else reject(error);
          },
        );
      }),
  };
}

const VALIDATORS = "/cosmos/staking/v1beta1/validators";

async function untilAllAnswer(endpoints: LocalNodeEndpoints): Promise<void> {
  const { evmUrl, wsUrl, nodeRpcUrl, restUrl, grpcHost, faucetUrl } = endpoints;
  const socket = new WebSocket(wsUrl);
  const client = validators(grpcHost);
  await Promise.all([
    ask(evmUrl, call("eth_chainId")),
    once(socket, "open"),
    ask(`${nodeRpcUrl}/status`),
    ask(restUrl + VALIDATORS),
    client.ask(),
    ask(`${faucetUrl}/status`),
  ]);
  socket.terminate();
  client.close();
}

/** Mines so many blocks, one after another. */
async function mine(url: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done);
    await ask(
      url,
      Array.from({ length: size }, (_, id) => call("evm_mine", [], id)),
    );
  }
}

/** Kilobytes of memory that a process has. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]);
}

/** How much a node has after many blocks over what it has after few. */
async function growth(
  { evmUrl, process: child, close }: Running,
  few: number,
  many: number,
): Promise<number> {
  try {
    await mine(evmUrl, few);
    const before = await memoryOf(child);
    await mine(evmUrl, many - few);
    return (await memoryOf(child)) / before;
  } finally {
    await close();
  }
}

/** The start of `dualstack node` over that of `hardhat node`. */
export async function benchStart(rounds = 7): Promise<Figure[]> {
  return await inProjects(async (without, withPlugin) => {
    const value = await sideBySide(
      rounds,
      async () => {
        const begin = performance.now();
        const node = await startOurs(withPlugin);
        await untilAllAnswer(node.endpoints);
        const took = performance.now() - begin;
        await node.close();
        return took;
      },
      async () => {
        const begin = performance.now();
        const node = await startBare(without);
        await ask(node.evmUrl, call("eth_chainId"));
        const took = performance.now() - begin;
        await node.close();
        return took;
      },
    );
    return [
      {
        name: "dualstack node: start until all endpoints answer",
        value,
        limit: { atMost: 1.5 },
        of: `${rounds} pairs`,
      },
    ];
  });
}

/** `dualstack node` over `hardhat node`, once they run. */
export async function benchNode(
  rounds = 7,
  requests = 1_000,
  few = 100,
  many = 10_000,
): Promise<Figure[]> {
  return await inProjects(async (without, withPlugin) => {
    const [bare, ours] = [
      await startBare(without),
      await startOurs(withPlugin),
    ];
    const client = validators(ours.endpoints.grpcHost);
    const { address, code } = CONTRACT;
    for (const { evmUrl } of [bare, ours]) {
      await ask(evmUrl, call("hardhat_setCode", [address, code]));
    }
    const calls = (url: string) => async () =>
      await timed(
        async () =>
          await repeat(
            requests,
            async () =>
              await ask(url, call("eth_call", [{ to: address }, "latest"])),
          ),
      );
    const rate = async (task: () => Promise<unknown>) =>
      1 /
      (await sideBySide(
        rounds,
        async () => await timed(async () => await repeat(requests, task)),
        calls(bare.evmUrl),
      ));
    const jsonRpc =
      1 / (await sideBySide(rounds, calls(ours.evmUrl), calls(bare.evmUrl)));
    const rest = await rate(
      async () => await ask(ours.endpoints.restUrl + VALIDATORS),
    );
    const overGrpc = await rate(client.ask);
    client.close();
    await Promise.all([bare.close(), ours.close()]);

    const ratios: number[] = [];
    for (let i = 0; i < 3; i++) {
      const ofOurs = await growth(
        await startOurs(withPlugin, "--automine"),
        few,
        many,
      );
      ratios.push(ofOurs / (await growth(await startBare(without), few, many)));
    }
    const of = `${rounds} pairs of ${requests}`;
    return [
      {
        name: "dualstack node: rate of eth_call",
        value: jsonRpc,
        limit: { atLeast: 0.9 },
        of,
      },
      {
        name: "dualstack node: rate of REST, of hardhat node's eth_call",
        value: rest,
        limit: { atLeast: 0.5 },
        of,
      },
      {
        name: "dualstack node: rate of gRPC, of hardhat node's eth_call",
        value: overGrpc,
        limit: { atLeast: 0.5 },
        of,
      },
      {
        name: `dualstack node: growth of memory from ${few} to ${many} blocks`,
        value: median(ratios),
        limit: { atMost: 1.3 },
        of: `${ratios.length} pairs`,
      },
    ];
  });
}

/** Runs a task with two projects: without the plugin, and with it. */
async function inProjects<T>(
  task: (without: string, withPlugin: string) => Promise<T>,
): Promise<T> {
  const [without, withPlugin] = [
    await project([]),
    await project(["hardhat-dualstack"]),
  ];
  try {
    return await task(without, withPlugin);
  } finally {
    agent.destroy();
    await rm(without, { recursive: true, force: true });
    await rm(withPlugin, { recursive: true, force: true });
  }
}
