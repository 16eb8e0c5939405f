import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { it } from "node:test";

import { HDNodeWallet } from "ethers";

import { TYPESCRIPT } from "../helpers/typescript.js";
import type { Late } from "../servers/evm-node.js";
import { TwoStacks } from "../servers/two-stacks.js";
import { randomOf } from "./random.js";

const PROCESSES = 2;
const SENDS = Number(process.env["SOAK_SENDS"] ?? 60);
const SEED = Number(process.env["SOAK_SEED"] ?? Date.now() % 100_000);
const TO = `0x${"42".repeat(20)}`;
const ACCOUNTS = Array.from(
  { length: 5 },
  (_, i) =>
    HDNodeWallet.fromPhrase(
      "test test test test test test test test test test test junk",
      undefined,
      `m/44'/60'/0'/0/${i}`,
    ).address,
);
/**
 * The longest that a send may take: the limits for earlier sends of the other
 * stack, for its own, and for a lost answer.
 */
const LONGEST_MS = (120 + 60 + 35) * 1_000;

interface Reported {
  readonly value: string;
  readonly way: string;
  readonly ms: number;
  readonly hash?: string;
  readonly error?: string;
}

/** Runs a process, and returns what it reports of its sends. */
async function run(...args: readonly (string | number)[]): Promise<Reported[]> {
  const child = spawn(
    process.execPath,
    [
      ...TYPESCRIPT,
      path.join(import.meta.dirname, "worker.ts"),
      ...args.map(String),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0);
  return output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Reported);
}

/** Makes requests fail on their way, at random. */
function disturb(node: TwoStacks, random: () => number): void {
  const late = (): Late =>
    random() < 0.5
      ? { heldMs: random() * 2_000 }
      : // Sometimes later than anyone waits.
        { lateMs: random() < 0.1 ? 11_000 : random() * 3_000 };
  const faults = ["drop", "drop-before", "page", "late"] as const;
  const fault = (share: number) =>
    random() < share ? faults[Math.floor(random() * faults.length)] : undefined;
  const share = new Map([
    ["eth_sendRawTransaction", 0.12],
    ["eth_getTransactionCount", 0.05],
    ["eth_feeHistory", 0.05],
    ["eth_fillTransaction", 0.05],
    ["eth_getTransactionReceipt", 0.1],
    ["broadcast_tx_sync", 0.15],
    ["abci_query", 0.05],
    ["tx", 0.1],
  ]);
  for (const method of share.keys()) {
    node.evm.inject(
      method,
      () => {
        const what = fault(share.get(method) ?? 0);
        return what === "late"
          ? late()
          : what === "page"
            ? {
                raw: (response) =>
                  void response.writeHead(502).end("<html></html>"),
              }
            : what;
      },
      Infinity,
    );
  }
  node.nodeRpc.disturb = (method) => {
    const what = fault(share.get(method) ?? 0);
    return what === "late" ? late() : what === "page" ? { status: 502 } : what;
  };
}

/**
 * Returns the hashes of the recipient's transfers that are in blocks, by value.
 */
async function arrivals(node: TwoStacks): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const ask = (method: string, ...params: any[]): Promise<any> =>
    node.evm.chain.request({ method, params });
  const head = Number(await ask("eth_blockNumber"));
  for (let i = 1; i <= head; i++) {
    const block = await ask(
      "eth_getBlockByNumber",
      `0x${i.toString(16)}`,
      true,
    );
    for (const { to, value, hash } of block.transactions) {
      if (to === TO) {
        const key = String(BigInt(value));
        found.set(key, [...(found.get(key) ?? []), hash]);
      }
    }
  }
  return found;
}

it(`every success of ${SENDS} sends on both stacks from ${PROCESSES} processes is in a block once, every failure is told (seed ${SEED})`, async (t) => {
  const node = await TwoStacks.start(
    { blockTimeMs: 400, fill: true },
    ACCOUNTS,
  );
  t.after(() => node.close());
  const random = randomOf(SEED);
  disturb(node, random);
  let restarts = 0;
  const outages = setInterval(() => {
    const luck = random();
    if (luck < 0.15) {
      node.leave(random() * 2_500);
    } else if (luck < 0.3) {
      restarts++;
      void node.restart(random() * 2_500);
    }
  }, 2_000);
  const started = Date.now();
  const reported = (
    await Promise.all(
      Array.from({ length: PROCESSES }, (_, i) =>
        run(
          node.evm.baseUrl,
          node.nodeRpc.url,
          TO,
          SEED + i,
          SENDS / PROCESSES,
          1 + (i * SENDS) / PROCESSES,
        ),
      ),
    ).finally(() => clearInterval(outages))
  ).flat();
  const took = Date.now() - started;

  assert.equal(reported.length, SENDS, "each send has an end");
  for (let i = 0; i < 3; i++) {
    await node.evm.mine();
  }
  const arrived = await arrivals(node);
  const tally: Record<string, string> = {};
  for (const way of new Set(reported.map((one) => one.way))) {
    const all = reported.filter((one) => one.way === way);
    const passed = all.filter(({ hash }) => hash !== undefined).length;
    tally[way] = `${passed}/${all.length}`;
  }
  t.diagnostic(
    `${JSON.stringify(tally)} in ${Math.round(took / 1_000)} s, ${restarts} restarts, longest ${Math.max(...reported.map(({ ms }) => ms))} ms`,
  );
  const errors = new Map<string, number>();
  for (const { way, error } of reported) {
    if (error !== undefined) {
      const text = `${way}: ${error.replaceAll(/\s+/g, " ").slice(0, 160)}`;
      errors.set(text, (errors.get(text) ?? 0) + 1);
    }
  }
  for (const [text, times] of errors) {
    t.diagnostic(`${times} x ${text}`);
  }

  const wrong: string[] = [];
  for (const one of reported) {
    const { value, way, hash, error = "" } = one;
    const inBlocks = arrived.get(value) ?? [];
    const unknown =
      /may have been accepted|may still be included|may or may not have accepted|does not say what became/i;
    const right =
      hash === undefined
        ? inBlocks.length === 0 ||
          (inBlocks.length === 1 && unknown.test(error))
        : inBlocks.length === 1 &&
          (way === "framework"
            ? node.nodeRpc.transactions.get(hash)?.code === 0
            : inBlocks[0] === hash);
    if (!right) {
      wrong.push(`${JSON.stringify(one)} is in blocks as [${inBlocks.join()}]`);
    }
  }
  assert.deepEqual(wrong, []);
  const slow = reported.filter(({ ms }) => ms > LONGEST_MS);
  assert.deepEqual(slow, [], "nothing waits beyond its limit");
  const hashes = reported.flatMap(({ hash }) => hash ?? []);
  assert.equal(new Set(hashes).size, hashes.length, "no hash twice");
  // A nonce that the plugin chooses is chosen again if another process was
  // first. What fails was lost in a restart, and its nonce taken.
  const chosenHere = reported.filter(
    ({ way }) => way !== "wallet" && way !== "local",
  );
  const passed = chosenHere.filter(({ hash }) => hash !== undefined);
  assert.ok(passed.length >= chosenHere.length * 0.8, JSON.stringify(tally));
});
