import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

import {
  CHECKS,
  diagnose,
  type DoctorOptions,
} from "../src/commands/doctor/index.js";
import {
  ABIS,
  wholeNetwork,
  type WholeNetwork,
} from "../test/commands/network.js";
import { ACCOUNTS } from "../test/servers/recorded-state.js";
import { type Figure, sideBySide, timed } from "./ratio.js";

const LATENCY_MS = 100;
const BLOCK_MS = 50;
const ROUNDS = 3;

/** The time of all checks of a distant network, divided by that of the slowest check alone. */
export async function benchDoctor(): Promise<Figure[]> {
  await using world = await wholeNetwork(BLOCK_MS);
  const measure = async (checks = CHECKS): Promise<number> => {
    await using far = await farAway(world);
    return await timed(async () => {
      const report = await diagnose(far.options, undefined, checks);
      const bad = report.checks.filter(({ status }) => status === "red");
      if (bad.length > 0) {
        throw new Error(`not healthy: ${JSON.stringify(bad)}`);
      }
    });
  };
  const value = await sideBySide(ROUNDS, measure, async () => {
    let slowest = 0;
    for (const check of CHECKS) {
      slowest = Math.max(slowest, await measure([check]));
    }
    return slowest;
  });
  return [
    {
      name: `doctor at ${LATENCY_MS} ms latency over its slowest check alone`,
      value,
      limit: { atMost: 1.5 },
      of: `median of ${ROUNDS}`,
    },
  ];
}

/** The network behind slow connections, which take their time to open and to transfer. */
async function farAway(
  world: WholeNetwork,
): Promise<AsyncDisposable & { readonly options: DoctorOptions }> {
  const near = world.describe();
  const { endpoints } = near;
  const relays: Relay[] = [];
  const through = async (address: string | undefined): Promise<string> => {
    const [, before = "", port = "", after = ""] =
      /^(.*127\.0\.0\.1:)(\d+)(.*)$/.exec(address ?? "") ?? [];
    const relay = await startRelay(Number(port));
    relays.push(relay);
    return `${before}${relay.port}${after}`;
  };
  const network = {
    ...near,
    endpoints: {
      evmUrl: await through(endpoints.evmUrl),
      wsUrl: await through(endpoints.wsUrl),
      nodeRpcUrl: await through(endpoints.nodeRpcUrl),
      restUrl: await through(endpoints.restUrl),
      grpcHost: await through(endpoints.grpcHost),
    },
  };
  return {
    options: {
      network,
      gasMultiplier: 1.2,
      abis: ABIS,
      account: () => Promise.resolve(ACCOUNTS.acc4),
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(relays.map(async (relay) => await relay.close()));
    },
  };
}

interface Relay {
  readonly port: number;
  close(): Promise<void>;
}

async function startRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(to, "127.0.0.1");
    // Opening a connection takes a whole round trip, like everything else.
    const opened = Date.now() + LATENCY_MS;
    const carry = (from: Socket, into: Socket) => {
      sockets.add(from);
      from.on("data", (chunk: Buffer) => {
        const wait = Math.max(0, opened - Date.now()) + LATENCY_MS / 2;
        setTimeout(() => {
          if (!into.destroyed) {
            into.write(chunk);
          }
        }, wait);
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        into.destroy();
      });
    };
    carry(client, target);
    carry(target, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
