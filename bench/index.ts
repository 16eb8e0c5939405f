/**
 * Runs all benchmarks with `npm run bench`, or some by name: `npm run bench --
 * help call`. Prints a table and the same as JSON; exits with 1 if a figure
 * misses its limit.
 */
import { type Figure, holds } from "./ratio.js";

const BENCHMARKS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  help: async () => await (await import("./plugin.js")).benchHelp(),
  call: async () => await (await import("./plugin.js")).benchCall(),
  requests: async () => await (await import("./plugin.js")).benchRequests(),
  balances: async () => {
    const { benchBatches, benchMemory } = await import("./balance.js");
    const batches = await benchBatches();
    const memory = await benchMemory();
    return [
      {
        name: "HTTP requests for the balances of 1,000 addresses",
        value: batches.requests,
        limit: { atMost: 12 },
        of: "1 run",
      },
      {
        name: "balances in batches, times faster than one by one",
        value: batches.speedup,
        limit: { atLeast: 20 },
        of: `${batches.latencyMs} ms latency`,
      },
      {
        name: `peak memory with ${memory.many} addresses over ${memory.few}`,
        value: memory.ratio,
        limit: { atMost: 1.5 },
        of: "median",
      },
    ];
  },
  create: async () => await (await import("./localnet.js")).benchCreate(),
  untouched: async () => await (await import("./localnet.js")).benchUntouched(),
  deposit: async () => await (await import("./localnet.js")).benchDeposit(),
  scale: async () => await (await import("./localnet.js")).benchScale(),
  on2: async () => await (await import("./localnet.js")).benchOn2(),
  events: async () => await (await import("./events.js")).benchEvents(),
  doctor: async () => await (await import("./doctor.js")).benchDoctor(),
  load: async () => await (await import("./load.js")).benchLoad(),
  start: async () => await (await import("./node.js")).benchStart(),
  node: async () => await (await import("./node.js")).benchNode(),
  replay: async () => await (await import("./replay.js")).benchReplay(),
  forks: async () => await (await import("./forks.js")).benchForks(),
  hardhat2: async () => await (await import("./hardhat2.js")).benchHardhat2(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(", ")}. There are: ${Object.keys(BENCHMARKS).join(", ")}.`,
  );
  process.exit(1);
}

const figures: Figure[] = [];
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (wanted.length === 0 || wanted.includes(name)) {
    console.error(`running ${name} …`);
    figures.push(...(await run()));
  }
}

const rows = figures.map((figure) => {
  const { name, value, limit, of } = figure;
  const bound = "atMost" in limit ? `≤ ${limit.atMost}` : `≥ ${limit.atLeast}`;
  return [holds(figure) ? "ok" : "MISSED", value.toFixed(3), bound, name, of];
});
const widths = [0, 1, 2, 3].map((i) =>
  Math.max(...rows.map((row) => row[i]?.length ?? 0)),
);
for (const row of rows) {
  console.log(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
}
console.log(JSON.stringify(figures));
process.exit(figures.every(holds) ? 0 : 1);
