import {
  CLIENTS,
  heap,
  openHandles,
  serveClients,
} from "../test/local-node/load.js";
import { startNode } from "../test/local-node/start.js";
import type { Figure } from "./ratio.js";

/**
 * Many clients at once over all endpoints of a local node, in this process.
 *
 * @param seconds of each half; the second must leave no more than the first
 */
export async function benchLoad(seconds = 30): Promise<Figure[]> {
  const handles = await openHandles();
  const started = await startNode({ blockTime: 1 });
  const { endpoints } = started.node;
  // What is made once is made before the first measurement.
  await serveClients(endpoints, 2);
  const halves = [];
  for (let half = 0; half < 2; half++) {
    const load = await serveClients(endpoints, seconds);
    halves.push({ ...load, heap: await heap() });
    const { errors, ...answered } = load;
    console.error(`${JSON.stringify(answered)}, ${errors.length} errors`);
    for (const error of new Set(errors)) console.error(`  ${error}`);
  }
  await started[Symbol.asyncDispose]();
  const left = (await openHandles(handles)) - handles;
  const [first, second] = halves;
  const of = `${CLIENTS} clients for ${2 * seconds} s`;
  return [
    {
      name: "load: clients that met an error",
      value: halves.reduce((sum, { errors }) => sum + errors.length, 0),
      limit: { atMost: 0 },
      of,
    },
    {
      name: "load: heap after the second half over after the first",
      value: (second?.heap ?? Number.NaN) / (first?.heap ?? Number.NaN),
      limit: { atMost: 1.1 },
      of,
    },
    {
      name: "load: servers and connections left open",
      value: left,
      limit: { atMost: 0 },
      of,
    },
  ];
}
