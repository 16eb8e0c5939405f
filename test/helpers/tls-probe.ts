/**
 * Run by access.test.ts in a process of its own, since which authorities are
 * trusted is settled when a process starts: asks each address that it is given
 * in the environment, and prints what is told.
 */
import { createFrameworkClients } from "../../src/framework/index.js";
import { HttpClient } from "../../src/rpc/http-client.js";
import { errorText } from "../../src/support/text.js";
import { FACTS } from "../framework/network.js";

const addresses = JSON.parse(process.env["ADDRESSES"] ?? "[]") as string[];
const told: Record<string, string[]> = {};
for (const address of addresses) {
  const { host } = new URL(address);
  const clients = createFrameworkClients({
    network: "test",
    kind: "local",
    endpoints: {
      restUrl: address,
      nodeRpcUrl: address,
      wsUrl: address.replace(/^http/, "ws"),
      grpcHost: `${address.startsWith("https") ? "grpcs" : "grpc"}://${host}`,
    },
    facts: FACTS,
    provider: new HttpClient({ url: address, retries: 0 }),
    retry: { retries: 0 },
    timeoutMs: 2_000,
  });
  const attempts: (() => Promise<unknown>)[] = [
    () => clients.rest.syncing(),
    () => clients.nodeRpc.status(),
    async () => await (await clients.grpc.base()).GetSyncing(),
    () => new HttpClient({ url: address, retries: 0 }).request({ method: "x" }),
    () => clients.events.nextHead({ timeoutMs: 2_000 }),
  ];
  told[address] = [];
  for (const attempt of attempts) {
    told[address].push(
      await attempt().then(
        () => "it passes",
        (error: unknown) => errorText(error, 500),
      ),
    );
  }
  await clients.close();
}
console.log(JSON.stringify(told));
