import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath, pathToFileURL } from "node:url";

import { WebSocket } from "ws";

import { TYPESCRIPT } from "../test/helpers/typescript.js";
import { DEFAULT_FACTS } from "../src/chain/index.js";
import { createFrameworkClients } from "../src/framework/index.js";
import { type Figure, median } from "./ratio.js";

export interface EventsResult {
  /** Median latencies in microseconds, from a log's creation to its arrival in user code. */
  readonly bare: number;
  readonly iterator: number;
  readonly callback: number;
  /** Compared with the bare client of the same run; at most 1.2 is allowed. */
  readonly iteratorRatio: number;
  readonly callbackRatio: number;
}

interface Client {
  /** Resolves with the data of each log, in turn. */
  next(): Promise<string>;
  close(): Promise<void>;
}

const ROUNDS = 12;
const EVENTS = 200;
const WARM_UP = 50;

/** The latency of log events compared with a bare `ws` client, in alternating rounds. */
export async function benchmarkEvents(): Promise<EventsResult> {
  const server = fork(
    fileURLToPath(new URL("./events-server.ts", import.meta.url)),
    [],
    // Lets processes exchange bigints.
    { execArgv: [...TYPESCRIPT], serialization: "advanced" },
  );
  const [{ url }] = (await once(server, "message")) as [{ url: string }];
  const height = async () => {
    server.send("height");
    const [answer] = (await once(server, "message")) as [{ height: bigint }];
    return answer.height;
  };
  const kinds = {
    bare: bareClient,
    iterator: ourIterator,
    callback: ourCallback,
  };
  // Medians of the rounds; each ratio is of one round.
  const rounds = {
    bare: [] as number[],
    iterator: [] as number[],
    callback: [] as number[],
  };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  for (let round = 0; round < ROUNDS; round++) {
    // Each is first, second and last equally often.
    for (let i = 0; i < names.length; i++) {
      const name = names[(round + i) % names.length] ?? "bare";
      const samples: number[] = [];
      const client = await kinds[name](url, height);
      for (let event = 0; event < WARM_UP + EVENTS; event++) {
        const arriving = client.next();
        server.send("block");
        const made = BigInt(await arriving);
        const latency = Number(process.hrtime.bigint() - made) / 1_000;
        if (event >= WARM_UP) {
          samples.push(latency);
        }
      }
      await client.close();
      rounds[name].push(median(samples));
    }
  }
  server.kill();
  const ratio = (name: "iterator" | "callback") =>
    median(rounds[name].map((value, i) => value / (rounds.bare[i] ?? value)));
  return {
    bare: median(rounds.bare),
    iterator: median(rounds.iterator),
    callback: median(rounds.callback),
    iteratorRatio: ratio("iterator"),
    callbackRatio: ratio("callback"),
  };
}

// As short as possible: subscribes to heads and logs, which everyone needs who
// wants to know whether logs were missed; parses; picks the log.
async function bareClient(url: string): Promise<Client> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  const ids: string[] = [];
  for (const params of [["newHeads"], ["logs", {}]]) {
    socket.send(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_subscribe",
        params,
      }),
    );
    const [data] = await once(socket, "message");
    ids.push((JSON.parse(String(data)) as { result: string }).result);
  }
  let deliver: (data: string) => void = () => undefined;
  socket.on("message", (data) => {
    const { params } = JSON.parse(String(data)) as {
      params: { subscription: string; result: { data: string } };
    };
    if (params.subscription === ids[1]) {
      deliver(params.result.data);
    }
  });
  return {
    next: async () => await new Promise((resolve) => (deliver = resolve)),
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

function clientsAt(url: string, height: () => Promise<bigint>) {
  return createFrameworkClients({
    network: "benchmark",
    kind: "local",
    endpoints: { wsUrl: url },
    facts: DEFAULT_FACTS,
    provider: {
      request: async ({ method }) => {
        if (method !== "eth_blockNumber") {
          throw new Error(`nothing is missed here, so ${method} is not needed`);
        }
        return `0x${(await height()).toString(16)}`;
      },
    },
  });
}

async function ourIterator(
  url: string,
  height: () => Promise<bigint>,
): Promise<Client> {
  const clients = clientsAt(url, height);
  const logs = await clients.events.logs();
  return {
    next: async () => {
      const { value } = await logs.next();
      return value?.data ?? "0x0";
    },
    close: async () => await clients.close(),
  };
}

async function ourCallback(
  url: string,
  height: () => Promise<bigint>,
): Promise<Client> {
  const clients = clientsAt(url, height);
  let deliver: (data: string) => void = () => undefined;
  (await clients.events.logs()).listen(({ data }) => {
    deliver(data);
  });
  return {
    next: async () => await new Promise((resolve) => (deliver = resolve)),
    close: async () => await clients.close(),
  };
}

/** The same as figures with their limits. */
export async function benchEvents(): Promise<Figure[]> {
  const { iteratorRatio, callbackRatio } = await benchmarkEvents();
  const of = `${ROUNDS * EVENTS} events each`;
  const limit = { atMost: 1.2 };
  return [
    {
      name: "latency of a log by the iterator, against a bare ws client",
      value: iteratorRatio,
      limit,
      of,
    },
    {
      name: "latency of a log by a callback, against a bare ws client",
      value: callbackRatio,
      limit,
      of,
    },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(await benchmarkEvents());
}
