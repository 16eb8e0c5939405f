import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { TYPESCRIPT, UNTOLD } from "../helpers/typescript.js";
import { createFrameworkClients } from "../../src/framework/index.js";
import { FACTS } from "./network.js";

const INDEX = fileURLToPath(
  new URL("../../src/framework/index.ts", import.meta.url),
);

/** Returns the packages that a script loads, according to Node itself. */
function packagesLoadedBy(script: string): Set<string> {
  const program = `
    import { registerHooks } from "node:module";
    const found = new Set();
    registerHooks({ load(url, context, next) {
      const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)(?!.*node_modules)/.exec(url)?.[1];
      if (name) found.add(name);
      return next(url, context);
    } });
    ${script}
    console.log(JSON.stringify([...found]));
    process.exit(0);
  `;
  const output = execFileSync(
    process.execPath,
    [...TYPESCRIPT, "--input-type=module", "-e", program],
    { encoding: "utf8" },
  );
  return new Set(JSON.parse(output) as string[]);
}

const HEAVY = [
  "ws",
  "ethers",
  "@grpc/grpc-js",
  "@cosmjs/tendermint-rpc",
  "@cosmjs/stargate",
  "@cosmjs/proto-signing",
  "cosmjs-types",
];
const make = `
  const { createFrameworkClients } = await import(${JSON.stringify(INDEX)});
  const clients = createFrameworkClients({
    network: "test", kind: "local", facts: ${JSON.stringify(FACTS)}, provider: { request: async () => "0x1" },
    endpoints: { wsUrl: "ws://127.0.0.1:1", restUrl: "http://127.0.0.1:1", nodeRpcUrl: "http://127.0.0.1:1", grpcHost: "127.0.0.1:1" },
  });
`;

describe("loading", () => {
  it("loads no library for the index and the clients", { skip: UNTOLD }, () => {
    const found = packagesLoadedBy(
      `${make} clients.events; clients.rest; clients.grpc; clients.nodeRpc; clients.query; await clients.close();`,
    );
    assert.deepEqual(
      HEAVY.filter((name) => found.has(name)),
      [],
    );
  });

  it("loads only what is used", { skip: UNTOLD }, () => {
    const used = (script: string) => {
      const found = packagesLoadedBy(
        `${make} await ${script}.catch(() => undefined);`,
      );
      return HEAVY.filter((name) => found.has(name));
    };
    assert.deepEqual(used("clients.rest.staking.params()"), []);
    assert.deepEqual(used("clients.events.heads()"), ["ws"]);
    assert.deepEqual(
      used("clients.nodeRpc.status()"),
      ["ws", "@cosmjs/tendermint-rpc"],
      "CosmJS's client itself needs ws",
    );
    assert.deepEqual(used("clients.query.staking.pool({}, { via: 'grpc' })"), [
      "@grpc/grpc-js",
      "cosmjs-types",
    ]);
    assert.deepEqual(
      used(
        "clients.query.staking.validator({ validator: '0x0000000000000000000000000000000000000001' }, { via: 'precompile' })",
      ),
      ["ws", "ethers"],
      "ethers itself needs ws",
    );
  });

  it("names the missing endpoint, and asks through those there are", async () => {
    const clients = createFrameworkClients({
      network: "quiet",
      kind: "testnet",
      endpoints: {},
      facts: FACTS,
      provider: { request: () => Promise.resolve("0x2a") },
    });
    assert.equal(clients.hasEvents, false);
    for (const name of ["events", "rest", "grpc", "nodeRpc"] as const) {
      assert.throws(
        () =>
          name === "rest"
            ? clients.rest.get("/cosmos/x").catch(() => undefined)
            : clients[name],
        /no address is configured.*quiet/,
        name,
      );
    }
    assert.equal(
      await clients.query.bank.balance({
        address: "0x0000000000000000000000000000000000000001",
      }),
      42n,
    );
    await assert.rejects(
      clients.query.staking.pool(),
      /no endpoint is configured to ask for the staking pool.* or nodeRpcUrl alone/,
    );
    await assert.rejects(
      clients.query.staking.pool({}, { via: "grpc" }),
      /grpcHost/,
    );
    await assert.rejects(
      clients.query.staking.pool({}, { via: "precompile" }),
      /no precompile provides the staking pool/,
    );
    await clients.close();
  });

  it("sends to a network with endpoints from one that has none", async () => {
    const clients = createFrameworkClients({
      network: "localnet",
      kind: "local",
      endpoints: {},
      facts: FACTS,
      provider: { request: () => Promise.resolve("0x2a") },
    });
    await assert.rejects(
      clients.query.staking.pool(),
      /no endpoint is configured to ask for the staking pool \(network localnet\)\. Ask the precompiles, or a network that has endpoints/,
    );
    await clients.close();
  });
});
