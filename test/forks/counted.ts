import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A server in front of another one that counts requests, and can delay them.
 */
export interface Counted {
  readonly url: string;
  /** HTTP requests since the last {@link reset}. */
  readonly requests: number;
  /** JSON-RPC calls in those requests; a batch has many. */
  readonly calls: number;
  /**
   * How often a request was sent while none was under way, each at the cost of
   * one latency.
   */
  readonly roundTrips: number;
  reset(): void;
  close(): Promise<void>;
}

/** Counts the requests to a server, and delays each answer by `latencyMs`. */
export async function counted(behind: string, latencyMs = 0): Promise<Counted> {
  let requests = 0;
  let calls = 0;
  let roundTrips = 0;
  let underWay = 0;
  const server = createServer((incoming, response) => {
    requests++;
    if (underWay++ === 0) roundTrips++;
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      setTimeout(() => {
        const { method, url = "" } = incoming;
        const body = method === "POST" ? Buffer.concat(chunks) : undefined;
        calls += body?.toString().match(/"method":/g)?.length ?? 1;
        fetch(`${behind}${url}`, { method, body })
          .then(async (answer) => {
            const text = await answer.text();
            underWay--;
            response.writeHead(answer.status, {
              "content-type": "application/json",
            });
            response.end(text);
          })
          .catch(() => response.destroy());
      }, latencyMs);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    get calls() {
      return calls;
    },
    get roundTrips() {
      return roundTrips;
    },
    reset: () => {
      requests = 0;
      calls = 0;
      roundTrips = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
