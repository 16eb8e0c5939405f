import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { Contract } from "ethers";

import {
  archive,
  CHAIN_ID,
  FACTS,
  type Fork,
  fork,
} from "../test/forks/archive.js";
import { counted } from "../test/forks/counted.js";
import { serve } from "../test/servers/archive/archive.mjs";
import { hardhat, project } from "./plugin.js";
import { type Figure, sideBySide } from "./ratio.js";

const HEIGHT = 100;
const LATENCY_MS = 20;
const ROUNDS = 5;
const TOKEN = 10n ** 18n;

/** What a fork requests from its chain, and what a second run costs. */
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
    const alone = { requests: chain.requests, calls: chain.calls };
    await plain.close();

    await fresh();
    const staking = await open();
    chain.reset();
    await deposit(staking);
    const together = { requests: chain.requests, calls: chain.calls };
    await staking.close();

    chain.reset();
    const again = await open();
    await deposit(again);
    await again.close();
    const second = chain.requests;

    const begins = await benchBegin(chain.url);
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
        value: together.requests / alone.requests,
        limit: { atMost: 3 },
        of: `${together.requests} over ${alone.requests}`,
      },
      {
        name: "calls in these requests",
        value: together.calls,
        limit: { atMost: 105 },
        of: `${alone.calls} without staking, which ends at the first precompile`,
      },
      {
        name: "requests of the second run",
        value: second,
        limit: { atMost: 0 },
        of,
      },
      {
        name: "time of a second run until its first staking view, over a local network's",
        value: begins,
        limit: { atMost: 1.2 },
        of: `median of ${ROUNDS}`,
      },
    ];
  } finally {
    await fresh();
    await chain.close();
    await server.close();
  }
}

/**
 * The time of a script that asks for the validators, on a fork whose answers are
 * kept from a run before, divided by that on a local network. Each runs in a
 * process of its own, as a second run does.
 */
async function benchBegin(url: string): Promise<number> {
  const folder = await project(["hardhat-dualstack"]);
  try {
    const settings = {
      dualstack: { ...FACTS, testnet: { chainId: CHAIN_ID } },
      networks: {
        fork: {
          type: "edr-simulated",
          forking: { url: `${url}/evm`, blockNumber: HEIGHT },
        },
      },
    };
    await writeFile(
      path.join(folder, "fork.config.js"),
      `import config from "./hardhat.config.js";
export default { ...config, ...${JSON.stringify(settings)} };`,
    );
    await writeFile(
      path.join(folder, "view.js"),
      `import { network } from "hardhat";
const { precompiles } = await network.create();
const items = await precompiles.staking.validators("", ["0x", 0n, 0n, false, false]);
if (items.length === 0) throw new Error("there are no validators");`,
    );
    const run = async (network: string) => {
      const chosen = ["--config", "fork.config.js", "--network", network];
      const script = ["run", "view.js", "--no-compile"];
      return (await hardhat(folder, ...chosen, ...script)).seconds;
    };
    return await sideBySide(
      ROUNDS,
      async () => await run("fork"),
      async () => await run("localnet"),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
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
