import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { forksOf } from "../src/hardhat3/replay.js";
import plugin from "../src/index.js";
import { ReplayedBlock } from "../src/replay/block.js";
import { blockOf } from "../src/replay/live.js";
import { signedOf } from "../src/replay/raw.js";
import { serve } from "../test/servers/archive/archive.mjs";
import { archive } from "../test/forks/archive.js";
import { type Figure, median, timed } from "./ratio.js";

const LATENCY_MS = 20;
const ROUND_TRIPS = 12;
const TENTH = 10;
const ROUNDS = 5;

/**
 * Replaying the tenth transaction of a block, compared with running ten on a
 * plain fork and 12 round trips.
 */
export async function benchReplay(): Promise<Figure[]> {
  const fields = archive.data.blocks.find(
    (one: any) => one.transactions.length >= TENTH,
  );
  const block = blockOf(fields);
  const chainId = Number(archive.data.chainId);
  const behind = await serve(archive);
  const far = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      setTimeout(() => {
        fetch(`${behind.url}${request.url ?? ""}`, {
          method: "POST",
          body: Buffer.concat(chunks),
        })
          .then(async (answer) => response.end(await answer.text()))
          .catch(() => response.destroy());
      }, LATENCY_MS);
    });
  });
  await new Promise<void>((done) => far.listen(0, "127.0.0.1", done));
  const baseUrl = `http://127.0.0.1:${(far.address() as AddressInfo).port}`;
  const url = `${baseUrl}/evm`;
  const create = async (emulated: boolean) =>
    await createHardhatRuntimeEnvironment({
      plugins: [plugin],
      dualstack: {
        testnet: { baseUrl },
        localnet: { networks: { node: emulated } },
      },
      // Every run starts without a cache.
      paths: { cache: `cache/bench-${Date.now()}-${Math.random()}` },
    });
  const replayed = async () => {
    const hre = await create(true);
    return await timed(async () => {
      const replaying = await ReplayedBlock.open(
        block,
        forksOf(hre, { url, chainId }),
        { last: TENTH - 1 },
      );
      await replaying.run(TENTH);
      await replaying.close();
    });
  };
  const signed = await Promise.all(
    block.transactions.slice(0, TENTH).map(signedOf),
  );
  const plain = async () => {
    const hre = await create(false);
    return await timed(async () => {
      const connection = await hre.network.create({
        network: "node",
        override: {
          chainId,
          accounts: [],
          loggingEnabled: false,
          mining: { auto: false, interval: 0, mempool: { order: "fifo" } },
          forking: { url, blockNumber: Number(block.number - 1n) },
        },
      });
      const { provider } = connection;
      for (const raw of signed) {
        await provider.request({
          method: "eth_sendRawTransaction",
          params: [raw],
        });
      }
      await provider.request({ method: "evm_mine", params: [] });
      await connection.close();
    });
  };
  const [ofReplay, ofPlain]: [number[], number[]] = [[], []];
  await replayed();
  await plain();
  for (let round = 0; round < ROUNDS; round++) {
    ofReplay.push(await replayed());
    ofPlain.push(await plain());
  }
  far.closeAllConnections();
  far.close();
  await behind.close();
  const allowed = median(ofPlain) + (ROUND_TRIPS * LATENCY_MS) / 1000;
  return [
    {
      name: `replaying the ${TENTH}th transaction of a block over plain runs of ${TENTH} and ${ROUND_TRIPS} round trips`,
      value: median(ofReplay) / allowed,
      limit: { atMost: 1.5 },
      of: `median of ${ROUNDS}, ${LATENCY_MS} ms latency`,
    },
  ];
}
