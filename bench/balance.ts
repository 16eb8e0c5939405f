import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { DEFAULT_FACTS, NETWORKS } from "../src/chain/index.js";
import { readBalances } from "../src/commands/balance/index.js";
import type { NetworkDescription } from "../src/config/network-description.js";
import {
  PRECOMPILE_ADDRESSES,
  USUAL_PRECOMPILES,
} from "../src/precompiles/addresses.js";
import { HttpClient } from "../src/rpc/http-client.js";

const NETWORK: NetworkDescription = {
  name: "testnet",
  kind: "testnet",
  title: "Test network",
  chainId: NETWORKS.testnet.chainId,
  chainIds: {
    testnet: NETWORKS.testnet.chainId,
    mainnet: NETWORKS.mainnet.chainId,
  },
  facts: DEFAULT_FACTS,
  endpoints: {},
  precompiles: PRECOMPILE_ADDRESSES,
  activePrecompiles: USUAL_PRECOMPILES,
};

const LATENCY_MS = 20;

const PROJECT = fileURLToPath(
  new URL("../test/fixture-projects/commands/", import.meta.url),
);
const CLI = path.join(
  path.dirname(createRequire(import.meta.url).resolve("hardhat/package.json")),
  "dist/src/cli.js",
);

export interface BatchResult {
  readonly addresses: number;
  readonly latencyMs: number;
  /** HTTP requests of the command, including its check of the chain ID. */
  readonly requests: number;
  readonly requestsOneByOne: number;
  /** The time one by one, divided by the time in batches. */
  readonly speedup: number;
}

export interface MemoryResult {
  readonly few: number;
  readonly many: number;
  /** Peak memory with many addresses, divided by that with few; the median of the runs. */
  readonly ratio: number;
}

const addresses = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`,
  );

/** Reads balances in batches and one by one, from a server with latency. */
export async function benchBatches(count = 1000): Promise<BatchResult> {
  const server = await startServer(LATENCY_MS);
  const list = addresses(count);
  try {
    const batches = await timed(async () => {
      const provider = new HttpClient({ url: `${server.url}/evm` });
      await provider.request({ method: "eth_chainId" });
      for await (const _ of readBalances(
        { network: NETWORK, provider },
        list,
      )) {
        // Only the time counts.
      }
    });
    const requests = server.takeCount();
    const oneByOne = await timed(async () => {
      const provider = new HttpClient({ url: `${server.url}/evm` });
      for (const address of list) {
        await provider.request({
          method: "eth_getBalance",
          params: [address, "latest"],
        });
      }
    });
    return {
      addresses: count,
      latencyMs: LATENCY_MS,
      requests,
      requestsOneByOne: server.takeCount(),
      speedup: oneByOne / batches,
    };
  } finally {
    server.close();
  }
}

/**
 * The peak memory of `hardhat dualstack balance` with many and few addresses,
 * each in a process of its own.
 */
export async function benchMemory(
  few = 100,
  many = 10_000,
  runs = 3,
): Promise<MemoryResult> {
  const server = await startServer(0);
  try {
    const ratios: number[] = [];
    for (let run = 0; run < runs; run++) {
      const small = await peakMemory(server.url, few);
      const large = await peakMemory(server.url, many);
      ratios.push(large / small);
    }
    ratios.sort((a, b) => a - b);
    return { few, many, ratio: ratios[Math.floor(runs / 2)] ?? Infinity };
  } finally {
    server.close();
  }
}

// Runs in the child before Hardhat; prints its peak memory in kilobytes when it exits.
const TELL_PEAK = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\\n`));',
)}`;

async function peakMemory(baseUrl: string, count: number): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), "dualstack-bench-"));
  try {
    const file = path.join(folder, "addresses.txt");
    await writeFile(file, `${addresses(count).join("\n")}\n`);
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [
        ...["--import", TELL_PEAK, CLI, "dualstack", "balance"],
        ...["--network", "testnet", "--file", file],
      ],
      {
        cwd: PROJECT,
        env: { ...process.env, DUALSTACK_TESTNET_BASE_URL: baseUrl },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const peak = Number(/peak (\d+)/.exec(stderr)?.[1]);
    // A heading, an empty line and the table's header come first.
    const lines = stdout.trimEnd().split("\n").length - 3;
    if (lines !== count || !(peak > 0)) {
      throw new Error(`${lines} of ${count} balances: ${stderr}`);
    }
    return peak;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function timed(task: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

interface Call {
  readonly id: number;
  readonly method: string;
}

/** A node on which every balance is 1, with latency. */
async function startServer(latencyMs: number) {
  let count = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) {
      text += String(chunk);
    }
    count++;
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const body = JSON.parse(text) as Call | Call[];
    const answer = ({ id, method }: Call) => ({
      jsonrpc: "2.0",
      id,
      result: method === "eth_chainId" ? "0x666a" : "0x1",
    });
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeCount: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
