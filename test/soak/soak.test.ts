import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { it } from "node:test";

import { EvmNode, type Fault } from "../servers/evm-node.js";
import { randomOf } from "./random.js";

const PROCESSES = 2;
const SENDS = Number(process.env["SOAK_SENDS"] ?? 80);
const SEED = Number(process.env["SOAK_SEED"] ?? Date.now() % 100_000);

/** More than the sends of a process: what each has paid can be read off the sum. */
const UNIT = 1_000_000n;

interface Reported {
  readonly hash?: string;
  readonly error?: string;
}

/** What a process reports of its sends. */
async function run(
  baseUrl: string,
  seed: number,
  value: bigint,
): Promise<Reported[]> {
  const child = spawn(
    process.execPath,
    [
      "--import",
      "tsx",
      path.join(import.meta.dirname, "worker.ts"),
      baseUrl,
      String(seed),
      String(SENDS / PROCESSES),
      String(value),
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

it(`every success of ${SENDS} sends from ${PROCESSES} processes is in a block once, every failure is told (seed ${SEED})`, async (t) => {
  const node = await EvmNode.start({ blockTimeMs: 500, fill: true });
  t.after(() => node.close());
  const random = randomOf(SEED);
  const badGateway: Fault = {
    raw: (response) => void response.writeHead(502).end("<html></html>"),
  };
  const faults: readonly Fault[] = ["drop", "drop-before", badGateway];
  for (const [method, share] of [
    ["eth_sendRawTransaction", 0.1],
    ["eth_getTransactionCount", 0.05],
    ["eth_feeHistory", 0.05],
    ["eth_getTransactionReceipt", 0.1],
  ] as const) {
    node.inject(
      method,
      () =>
        random() < share
          ? faults[Math.floor(random() * faults.length)]
          : undefined,
      Infinity,
    );
  }
  const outages = setInterval(() => {
    if (random() < 0.2) {
      node.leave(random() * 2_000);
    }
  }, 2_000);
  const reported = (
    await Promise.all(
      Array.from({ length: PROCESSES }, (_, i) =>
        run(node.baseUrl, SEED + i, UNIT ** BigInt(i)),
      ),
    ).finally(() => clearInterval(outages))
  ).flat();

  assert.equal(reported.length, SENDS, "each send has an end");
  const hashes = reported.flatMap(({ hash }) => hash ?? []);
  const told = reported.flatMap(({ error }) => error ?? []);
  t.diagnostic(
    `${hashes.length} passed, ${told.length} failed: ${told.slice(0, 3).join(" | ")}`,
  );
  assert.equal(new Set(hashes).size, hashes.length, "no hash twice");
  for (let i = 0; i < 3; i++) {
    await node.mine();
  }
  for (const hash of hashes) {
    const receipt: any = await node.chain.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    });
    assert.equal(receipt?.status, "0x1", hash);
  }
  assert.ok(hashes.length >= SENDS * 0.9);
  const received = BigInt(
    String(
      await node.chain.request({
        method: "eth_getBalance",
        params: [`0x${"42".repeat(20)}`, "latest"],
      }),
    ),
  );
  const unknown = told.filter((text) => /may have been accepted/.test(text));
  const arrived = Number((received % UNIT) + received / UNIT);
  assert.ok(
    arrived >= hashes.length && arrived <= hashes.length + unknown.length,
    `${arrived} arrived of ${hashes.length}`,
  );
});
