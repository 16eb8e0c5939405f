import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { Contract } from "ethers";

import { archive, type Fork, fork } from "../test/forks/archive.js";
import { counted } from "../test/forks/counted.js";
import { serve } from "../test/servers/archive/archive.mjs";
import type { Figure } from "./ratio.js";

const HEIGHT = 100;
const LATENCY_MS = 20;
const TOKEN = 10n ** 18n;

/** What a fork asks of its chain, and what a second run costs. */
export async function benchForks(): Promise<Figure[]> {
  const server = await serve(archive);
  const chain = await counted(server.url, LATENCY_MS);
  const cache = await mkdtemp(path.join(tmpdir(), "bench-forks-"));
  const fresh = async () => await rm(cache, { recursive: true, force: true });
  const open = async (localnet?: object) =>
    await fork({
      url: chain.url,
      height: HEIGHT,
      stores: false,
      cache,
      localnet,
    });
  try {
    await fresh();
    const first = await open();
    chain.reset();
    await first.connection.precompiles.staking.validators("", PAGE);
    const view = { requests: chain.requests, trips: chain.roundTrips };
    await first.close();

    const plain = await open({ networks: { fork: false } });
    chain.reset();
    await deposit(plain).catch(() => undefined);
    const alone = chain.requests;
    await plain.close();

    await fresh();
    const staking = await open();
    chain.reset();
    await deposit(staking);
    const together = chain.requests;
    await staking.close();

    chain.reset();
    const again = await open();
    await deposit(again);
    await again.close();
    const second = chain.requests;
    const of = `${LATENCY_MS} ms latency`;
    return [
      {
        name: "HTTP requests for the first staking view on a fresh fork",
        value: view.requests,
        limit: { atMost: 12 },
        of,
      },
      {
        name: "round trips for it",
        value: view.trips,
        limit: { atMost: 3 },
        of,
      },
      {
        name: "requests for a vault's deposit on a fresh fork over those of the simulator without staking",
        value: together / alone,
        limit: { atMost: 3 },
        of: `${together} over ${alone}`,
      },
      {
        name: "requests of the second run",
        value: second,
        limit: { atMost: 0 },
        of,
      },
    ];
  } finally {
    await fresh();
    await chain.close();
    await server.close();
  }
}

const PAGE = ["0x", 0n, 0n, false, false] as const;

async function deposit({ connection }: Fork): Promise<void> {
  const [signer] = await connection.ethers.getSigners();
  const { kind, address } = archive.data.contracts.vault;
  const vault = new Contract(address, archive.data.abis[kind], signer);
  const sent = await vault.getFunction("deposit")({
    value: 3n * TOKEN,
    gasLimit: 5_000_000n,
  });
  await sent.wait();
}
