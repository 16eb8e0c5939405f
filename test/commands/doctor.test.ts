import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { formatEther, Interface } from "ethers";

import { parseAddress } from "../../src/address/index.js";
import {
  diagnose,
  doctor,
  type DoctorOptions,
} from "../../src/commands/doctor/index.js";
import type { CheckResult } from "../../src/commands/doctor/index.js";
import { ReportedError } from "../../src/commands/shared/output.js";
import { PRECOMPILE_NAMES } from "../../src/precompiles/addresses.js";
import { configuredAbi } from "../../src/precompiles/configured.js";
import { DualstackError } from "../../src/support/errors.js";
import { freePort } from "../helpers/ports.js";
import { hostileServer } from "../framework/hostile.js";
import { recordings, ACCOUNTS } from "../servers/recorded-state.js";
import { EvmHttpServer } from "../servers/evm-http.js";
import {
  createProject,
  describedNetwork,
  RecordingUi,
  runTask,
} from "./helpers.js";
import { ABIS, ANY_NETWORK, type AnyNetwork, wholeNetwork } from "./network.js";

/** The account of the recordings, as a hex address. */
const ACCOUNT = parseAddress(ACCOUNTS.acc4).hex;
/** An account without a balance. */
const POOR = "0x000000000000000000000000000000000000dEaD";

type Endpoints = NonNullable<DoctorOptions["network"]["endpoints"]>;

function options(
  network: DoctorOptions["network"],
  given: Partial<DoctorOptions> = {},
): DoctorOptions {
  return {
    network,
    gasMultiplier: 1.2,
    abis: ABIS,
    account: () => Promise.resolve(ACCOUNTS.acc4),
    timeoutMs: 4_000,
    ...given,
  };
}

async function results(
  given: DoctorOptions,
): Promise<Map<string, CheckResult>> {
  const { checks } = await diagnose(given);
  return new Map(checks.map((check) => [check.id, check]));
}

async function examine(
  world: AnyNetwork,
  endpoints: Partial<Endpoints> = {},
  given: Partial<DoctorOptions> = {},
) {
  return await results(
    options(world.describe({ endpoints: endpoints as Endpoints }), given),
  );
}

const reds = (found: ReadonlyMap<string, CheckResult>) =>
  [...found.values()]
    .filter(({ status }) => status === "red")
    .map(({ id }) => id);

/** Returns a check's result, which must be red. */
function redOf(found: ReadonlyMap<string, CheckResult>, id: string) {
  const result = found.get(id);
  assert.equal(result?.status, "red", JSON.stringify(result));
  assert.ok(
    result.status === "red" && result.cause !== "" && result.fix !== "",
  );
  return result;
}

for (const [where, start] of ANY_NETWORK) {
  describe(`doctor on a network ${where}`, () => {
    let world: AnyNetwork;
    before(async () => {
      world = await start();
    });
    after(async () => await world[Symbol.asyncDispose]());

    it("says once where a socket is looked for in vain, and what to do", async () => {
      await using elsewhere = await hostileServer((_request, response) => {
        response.writeHead(404).end();
      });
      const wsUrl = `${elsewhere.url.replace("http:", "ws:")}/ws`;
      const { cause, fix } = redOf(await examine(world, { wsUrl }), "ws");
      assert.equal(
        cause,
        `the WebSocket cannot be opened: the server is not at this address (HTTP 404) (${wsUrl})`,
      );
      assert.match(fix, /^The socket is at \/ws on the host itself/);
    });

    it("finds a complete network healthy, and lists what is not configured as skipped", async () => {
      await using page = await hostileServer((_request, response) => {
        response.end("<html>explorer</html>");
      });
      await using faucet = await hostileServer((_request, response) => {
        response.writeHead(405).end();
      });
      const found = await examine(world, {
        explorerUrl: page.url,
        faucetUrl: faucet.url,
      });
      assert.deepEqual(reds(found), [], JSON.stringify([...found.values()]));
      const text = (id: string) => JSON.stringify(found.get(id));
      assert.match(text("evm"), /chain ID 26218/);
      assert.match(text("ws"), /head \d+/);
      assert.match(text("rest"), /dualstack_26218-1, SDK v0\.54\.3/);
      assert.match(text("heights"), /EVM \d+, node RPC \d+, REST \d+/);
      const [balance, nonce] = await Promise.all(
        ["eth_getBalance", "eth_getTransactionCount"].map(async (method) =>
          BigInt(
            String(
              await world.request({ method, params: [ACCOUNT, "latest"] }),
            ),
          ),
        ),
      );
      assert.ok(
        text("account").includes(
          `${formatEther(balance ?? 0n).replace(/\.0$/, "")} TEST, nonce ${nonce}, pending nonce ${nonce}`,
        ),
        text("account"),
      );
      assert.match(text("precompile-staking"), /fits the configured ABI/);
      assert.match(text("faucet"), /HTTP 405/);
      for (const name of ["bank", "slashing"]) {
        assert.equal(found.get(`precompile-${name}`)?.status, "skipped", name);
      }
      assert.equal(found.get("clock")?.status, "green");

      const bare = await results(
        options(describedNetwork(), {
          account: () => Promise.resolve(undefined),
        }),
      );
      // A network without any endpoint is a single fault.
      assert.deepEqual(reds(bare), ["evm"]);
      assert.match(redOf(bare, "evm").cause, /not configured/);
      assert.match(redOf(bare, "evm").fix, /Set DUALSTACK_TESTNET_BASE_URL/);
      assert.ok(
        [...bare.values()].every(({ id, status }) =>
          id === "evm" ? true : status === "skipped",
        ),
      );
      assert.match(
        JSON.stringify(bare.get("grpc")),
        /DUALSTACK_TESTNET_BASE_URL/,
      );
      assert.match(
        JSON.stringify(bare.get("explorer")),
        /DUALSTACK_TESTNET_EXPLORER_URL/,
      );
      const main = await results(
        options(describedNetwork({ kind: "mainnet", name: "mainnet" })),
      );
      assert.match(
        JSON.stringify(main.get("faucet")),
        /there is no faucet on this network/,
      );
    });

    it("prints one line per check, readable without colour, and fails when one is red", async () => {
      const ui = new RecordingUi();
      await doctor(options(world.describe()), ui);
      const line = ui.lines.find((text) => text.includes("EVM JSON-RPC"));
      assert.match(
        line ?? "",
        /^ {2}green {4}EVM JSON-RPC +\d+ ms {2}chain ID 26218$/,
      );
      assert.match(ui.lines.at(-1) ?? "", /^\d+ green, \d+ skipped in \d+ ms$/);
      assert.doesNotMatch(ui.text, /\u001b/);

      const json = new RecordingUi({ json: true });
      await assert.rejects(
        doctor(options(world.describe({ chainId: 26217 })), json),
        (error) => error instanceof ReportedError,
      );
      const report = JSON.parse(json.text) as {
        healthy: boolean;
        checks: CheckResult[];
      };
      assert.equal(report.healthy, false);
      const evm = report.checks.find(({ id }) => id === "evm");
      assert.ok(evm?.status === "red");
      assert.match(evm.cause, /chain ID is 26218, but this network's is 26217/);
      assert.match(evm.fix, /--network testnet/);

      const coloured = Object.assign(new RecordingUi(), {
        paint: (colour: string, text: string) => `<${colour}>${text}</>`,
      });
      await assert.rejects(
        doctor(options(world.describe({ chainId: 1 })), coloured),
      );
      assert.match(coloured.text, /<red>red {4}<\/> {2}EVM JSON-RPC/);
      assert.match(
        coloured.text,
        /\n +Fix: Check the base URL|\n +Fix: This is the chain ID/,
      );
    });

    it("diagnoses the rest of a network whose chain ID is wrong", async () => {
      const found = await results(options(world.describe({ chainId: 31 })));
      assert.deepEqual(reds(found), ["evm"]);
      assert.equal(found.get("rest")?.status, "green");
      // REST of another chain than the JSON-RPC is a separate fault.
      const other = await EvmHttpServer.start({
        request: async (request) =>
          request.method === "eth_chainId"
            ? "0x1f"
            : await world.request(request),
      });
      try {
        const apart = await results(
          options(
            world.describe({ chainId: 31, endpoints: { evmUrl: other.url } }),
          ),
        );
        assert.deepEqual(reds(apart), ["rest"]);
        assert.match(
          redOf(apart, "rest").cause,
          /EVM chain ID 26218, the EVM JSON-RPC to 31/,
        );
      } finally {
        await other.close();
      }
      assert.equal(found.get("precompile-governance")?.status, "green");
      assert.equal(found.get("ws")?.status, "green");
    });

    it("reports each dead endpoint on its own", async () => {
      const port = await freePort();
      const dead = `http://127.0.0.1:${port}`;
      const cases: [Partial<Endpoints>, string, RegExp][] = [
        [{ evmUrl: dead }, "evm", /cannot be reached.*ECONNREFUSED/],
        [
          { wsUrl: dead.replace("http", "ws") },
          "ws",
          /cannot be opened.*ECONNREFUSED/,
        ],
        [{ nodeRpcUrl: dead }, "node-rpc", /cannot be reached/],
        [{ restUrl: dead }, "rest", /cannot be reached/],
        [
          { grpcHost: `127.0.0.1:${port}` },
          "grpc",
          /nothing listens at this address/,
        ],
        [{ explorerUrl: dead }, "explorer", /cannot be reached/],
        [{ faucetUrl: dead }, "faucet", /cannot be reached/],
      ];
      for (const [endpoints, id, cause] of cases) {
        const found = await examine(world, endpoints);
        assert.match(redOf(found, id).cause, cause);
        // The other endpoints are still checked.
        for (const other of ["evm", "ws", "node-rpc", "rest", "grpc"]) {
          assert.equal(
            found.get(other)?.status,
            other === id ? "red" : "green",
            `${other} with dead ${id}`,
          );
        }
      }
    });

    it("does not blame the node for an invalid key", async () => {
      for (const failure of [
        new DualstackError("DUALSTACK_PRIVATE_KEY is not a private key", {
          fix: "Correct it in the environment.",
        }),
        new TypeError("invalid mnemonic"),
      ]) {
        const found = await examine(
          world,
          {},
          { account: async () => await Promise.reject(failure) },
        );
        assert.deepEqual(reds(found), ["account"]);
        assert.doesNotMatch(redOf(found, "account").fix, /node/);
        assert.match(redOf(found, "account").fix, /Correct/);
      }
    });

    it("notices a port without encryption, and the main network's gRPC that is not public", async () => {
      // The same port, under a name that counts as another machine.
      const port =
        String(world.describe().endpoints.grpcHost).split(":")[1] ?? "";
      const found = await examine(world, { grpcHost: `0.0.0.0:${port}` });
      assert.match(
        redOf(found, "grpc").cause,
        /does not use encryption on this port/,
      );
      assert.match(redOf(found, "grpc").fix, /grpc:\/\/.*allowInsecure: true/);
      const allowed = await examine(world, {
        grpcHost: `grpc://0.0.0.0:${port}`,
      });
      assert.equal(allowed.get("grpc")?.status, "green");
      const main = await results(
        options(
          world.describe({
            kind: "mainnet",
            endpoints: { grpcHost: `127.0.0.1:${await freePort()}` },
          }),
        ),
      );
      assert.match(redOf(main, "grpc").fix, /may not be public yet/);
    });

    it("checks the precompiles' answers against the configured ABI", async () => {
      const old = configuredAbi("staking", "string-description");
      const mistaken = await examine(
        world,
        {},
        { abis: { ...ABIS, staking: old } },
      );
      assert.match(
        redOf(mistaken, "precompile-staking").fix,
        /remove dualstack\.precompiles\.staking\.abi/,
      );

      // The same chain behind an older node, where a validator's description is
      // one string.
      const before = new Interface(JSON.stringify(ABIS.staking));
      const after = new Interface(JSON.stringify(old));
      await using node = Object.assign(
        await EvmHttpServer.start({
          request: async (request) => {
            const answer = await world.request(request);
            const call = (request.params?.[0] ?? {}) as { to?: string };
            if (
              request.method !== "eth_call" ||
              call.to?.endsWith("800") !== true
            ) {
              return answer;
            }
            const [validators, page] = before
              .decodeFunctionResult("validators", String(answer))
              .toArray(true);
            return after.encodeFunctionResult("validators", [
              validators.map((v: any[]) => v.with(6, v[6][0])),
              page,
            ]);
          },
        }),
        {
          async [Symbol.asyncDispose](this: EvmHttpServer) {
            await this.close();
          },
        },
      );
      const found = await examine(world, { evmUrl: node.url });
      assert.match(
        redOf(found, "precompile-staking").cause,
        /description as one string/,
      );
      assert.match(
        redOf(found, "precompile-staking").fix,
        /"string-description"/,
      );
      assert.equal(
        (
          await examine(
            world,
            { evmUrl: node.url },
            { abis: { ...ABIS, staking: old } },
          )
        ).get("precompile-staking")?.status,
        "green",
      );

      const elsewhere = await results(
        options(
          world.describe({
            precompiles: {
              ...world.describe().precompiles,
              governance: "0x0000000000000000000000000000000000000805",
            },
          }),
        ),
      );
      assert.deepEqual(reds(elsewhere), ["active-precompiles"]);
      const follows = elsewhere.get("precompile-governance");
      assert.ok(follows?.status === "skipped", JSON.stringify(follows));
      assert.equal(follows.because, "active-precompiles");
      const alone = await results(
        options({
          ...world.describe({
            precompiles: {
              ...world.describe().precompiles,
              governance: "0x0000000000000000000000000000000000000805",
            },
          }),
          endpoints: { evmUrl: world.describe().endpoints.evmUrl },
        }),
      );
      assert.match(
        redOf(alone, "precompile-governance").cause,
        /0805 answers without data/,
      );
      assert.doesNotMatch(redOf(alone, "precompile-governance").fix, /0805/);
      const lacking = await examine(
        world,
        {},
        { abis: { ...ABIS, distribution: [] } },
      );
      assert.match(
        redOf(lacking, "precompile-distribution").cause,
        /lacks the view/,
      );
    });

    it("says what an account lacks, and survives hostile answers", async () => {
      const poor = await examine(
        world,
        {},
        {
          account: () => Promise.resolve(POOR),
        },
      );
      assert.match(redOf(poor, "account").cause, /has no TEST/);
      const wrong = await examine(
        world,
        {},
        { account: () => Promise.resolve("0x12") },
      );
      assert.match(redOf(wrong, "account").cause, /is not 0x followed by 40/);

      await using hostile = await hostileServer((_request, response) => {
        response.end('{"jsonrpc":"2.0","id":1,"result":"\\u001b[2J"}');
      });
      const ui = new RecordingUi();
      await assert.rejects(
        doctor(
          options(
            world.describe({
              endpoints: {
                evmUrl: hostile.url,
                restUrl: hostile.url,
                nodeRpcUrl: hostile.url,
              },
            }),
          ),
          ui,
        ),
      );
      assert.doesNotMatch(ui.text, /\u001b/);
      for (const line of ui.lines) {
        assert.ok(line.length < 600, line);
      }
    });

    it("runs as a task, with the account whose key is available", async () => {
      const { evmUrl, wsUrl, nodeRpcUrl, restUrl, grpcHost } =
        world.describe().endpoints;
      // The recordings use the fifth account of the public test mnemonic.
      const key =
        "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a";
      const run = async (
        accounts: readonly (
          | string
          | { _type: "ConfigurationVariable"; name: string }
        )[],
        args: Record<string, unknown> = {},
      ) => {
        const hre = await createProject(
          {
            dualstack: {
              testnet: {
                evmUrl,
                wsUrl,
                nodeRpcUrl,
                restUrl,
                grpcHost,
                accounts,
              },
              currency: { symbol: "TEST" },
              baseDenom: "atest",
            },
          },
          { network: "testnet" },
        );
        const { stdout, result } = await runTask(hre, "doctor", {
          address: undefined,
          timeout: "5",
          json: true,
          ...args,
        });
        assert.doesNotMatch(stdout, new RegExp(key.slice(2)));
        return { report: JSON.parse(stdout) as any, result: result as any };
      };
      const account = ({ report }: { report: any }) =>
        report.checks.find(({ id }: { id: string }) => id === "account");

      const whole = await run([key]);
      assert.equal(whole.result.healthy, true);
      assert.equal(whole.result.success, undefined);
      assert.equal(whole.report.healthy, true);
      assert.match(
        account(whole).found,
        /^0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65/,
      );

      const variable = {
        _type: "ConfigurationVariable",
        name: "DUALSTACK_DOCTOR_TEST",
      } as const;
      assert.equal(account(await run([variable])).status, "skipped");
      process.env["DUALSTACK_DOCTOR_TEST"] = key;
      try {
        assert.equal(account(await run([variable])).status, "green");
      } finally {
        delete process.env["DUALSTACK_DOCTOR_TEST"];
      }
      const given = await run([], { address: ACCOUNTS.acc7 });
      assert.match(account(given).found, new RegExp(ACCOUNTS.acc7));

      const faulty = await run([], { address: POOR });
      assert.equal(faulty.result.success, false, "the exit code is 1");
      assert.equal(faulty.result.healthy, false);
      assert.ok(faulty.result.checks.length > 10);
      assert.equal(faulty.report.healthy, false);
      const wrong = await run([], { timeout: "soon" });
      assert.match(wrong.report.error.message, /--timeout "soon"/);
    });
  });
}

describe("doctor", () => {
  it("ends in time if nothing answers", async () => {
    await using silent = await hostileServer(() => undefined);
    await using world = await wholeNetwork();
    const ws = silent.url.replace("http", "ws");
    const found = await examine(
      world,
      {
        evmUrl: silent.url,
        wsUrl: ws,
        nodeRpcUrl: silent.url,
        restUrl: silent.url,
        explorerUrl: silent.url,
        faucetUrl: silent.url,
      },
      { timeoutMs: 400 },
    );
    for (const id of ["evm", "ws", "node-rpc", "rest", "explorer", "faucet"]) {
      assert.match(
        redOf(found, id).cause,
        /within|in time|did not answer|timed out/i,
      );
    }
    for (const [id, because] of [
      ["prefix", "rest"],
      ["denomination", "rest"],
      ["active-precompiles", "rest"],
      ["gas-multiplier", "rest"],
      ["precompile-staking", "evm"],
      ["account", "evm"],
    ] as const) {
      const result = found.get(id);
      assert.ok(result?.status === "skipped", JSON.stringify(result));
      assert.equal(result.because, because);
      assert.match(result.why, /does not answer: see that check/);
    }
  });

  it("reports an unreachable host once, whatever endpoints it has", async () => {
    const port = await freePort();
    const dead = `http://127.0.0.1:${port}`;
    await using world = await wholeNetwork(100);
    const found = await examine(world, {
      evmUrl: `${dead}/evm`,
      wsUrl: `${dead.replace("http", "ws")}/ws`,
      nodeRpcUrl: `${dead}/rpc`,
      restUrl: `${dead}/api`,
      explorerUrl: `${dead}/explorer`,
    });
    assert.deepEqual(reds(found), ["evm"]);
    for (const id of ["ws", "node-rpc", "rest", "explorer"]) {
      const result = found.get(id);
      assert.ok(result?.status === "skipped", JSON.stringify(result));
      assert.equal(result.because, "evm");
    }
    assert.equal(found.get("grpc")?.status, "green");
    // A name that does not resolve fails at every port.
    const nowhere = await results(
      options(
        describedNetwork({
          endpoints: {
            evmUrl: "http://nowhere.invalid/evm",
            restUrl: "http://nowhere.invalid/api",
            grpcHost: "nowhere.invalid:9090",
          },
        }),
      ),
    );
    assert.deepEqual(reds(nowhere), ["evm"]);
  });

  it("notices a socket that stays silent, and one that refuses", async () => {
    await using world = await wholeNetwork();
    assert.match(
      redOf(await examine(world, {}, { timeoutMs: 500 }), "ws").cause,
      /announced no new block in time/,
    );
    world.ws.refuse = "too many subscriptions";
    assert.match(
      redOf(await examine(world), "ws").cause,
      /refused the subscription: too many/,
    );
    const wrongPath = await examine(world, { wsUrl: `${world.ws.url}/evm/ws` });
    assert.match(redOf(wrongPath, "ws").fix, /at \/ws on the host itself/);
  });

  it("expects neither blocks nor a socket of a development node", async () => {
    await using world = await wholeNetwork();
    const local = { kind: "local", name: "localhost" } as const;
    const { evmUrl, wsUrl } = world.describe().endpoints;
    const found = await results(
      options(describedNetwork({ ...local, endpoints: { evmUrl, wsUrl } })),
    );
    const ws = found.get("ws");
    assert.ok(ws?.status === "green", JSON.stringify(ws));
    assert.match(ws.found, /accepts subscriptions/);
    // A development node may be idle even in place of a public network.
    const instead = await EvmHttpServer.start({
      request: async (request) =>
        request.method === "web3_clientVersion"
          ? "HardhatNetwork/3.17.0"
          : await world.request(request),
    });
    const standing = await examine(
      world,
      { evmUrl: instead.url },
      { timeoutMs: 1_000 },
    );
    await instead.close();
    assert.equal(standing.get("ws")?.status, "green");
    const port = await freePort();
    const without = await results(
      options(
        describedNetwork({
          ...local,
          endpoints: { evmUrl, wsUrl: `ws://127.0.0.1:${port}` },
        }),
      ),
    );
    assert.equal(without.get("ws")?.status, "skipped");
  });

  it("notices a node that is catching up, and heights that differ", async () => {
    await using world = await wholeNetwork(100);
    world.nodeRpc.catchingUp = true;
    world.nodeRpc.lag = 40n;
    const found = await examine(world);
    assert.match(
      redOf(found, "node-rpc").cause,
      /catching up; it is at block \d+/,
    );
    assert.deepEqual(reds(found), ["node-rpc"]);
    assert.match(JSON.stringify(found.get("heights")), /see Node RPC/);
    world.nodeRpc.catchingUp = false;
    assert.match(
      redOf(await examine(world), "heights").cause,
      /^node RPC is (?:39|40|41|42) blocks behind: EVM/,
    );
    world.nodeRpc.lag = 1n;
    assert.deepEqual(reds(await examine(world)), []);
  });

  it("compares prefix, denomination, precompiles and gas with the configuration", async () => {
    await using world = await wholeNetwork(100);
    const facts = {
      ...world.describe().facts,
      bech32Prefix: "other",
      baseDenom: "awrong",
    };
    world.chain.state.evm.precompiles =
      world.chain.state.evm.precompiles.filter(
        (address) => !address.endsWith("0900"),
      );
    world.chain.mine([], true);
    const found = await results(
      options(world.describe({ facts }), {
        gasMultiplier: 2.5,
        account: () =>
          Promise.resolve("0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"),
      }),
    );
    assert.match(
      redOf(found, "prefix").cause,
      /begin with "cosmos", the configured prefix is "other"/,
    );
    assert.match(
      redOf(found, "prefix").fix,
      /DUALSTACK_BECH32_PREFIX .*"cosmos"/,
    );
    assert.match(
      redOf(found, "denomination").fix,
      /DUALSTACK_BASE_DENOM .*"atest"/,
    );
    assert.match(
      redOf(found, "active-precompiles").cause,
      /governance at 0x0{37}900/,
    );
    const { fix } = redOf(found, "active-precompiles");
    assert.match(fix, /set DUALSTACK_GOVERNANCE_ADDRESS/);
    // It lists all active addresses, however many, but not the one that failed.
    for (const address of world.chain.state.evm.precompiles) {
      assert.match(fix, new RegExp(`0x…0*${address.slice(-3)}`));
    }
    assert.match(fix, /0x…[0-9]*800 \(staking\)/);
    assert.doesNotMatch(fix, /900/);
    assert.match(
      redOf(found, "gas-multiplier").cause,
      /at least 0\.5 of every gas limit, and the multiplier is 2\.5/,
    );
    assert.match(redOf(found, "gas-multiplier").fix, /to 2 or less/);
    assert.equal(
      (await examine(world, {}, { gasMultiplier: 2 })).get("gas-multiplier")
        ?.status,
      "green",
    );
  });

  it("notices precompiles that should be active and do not answer", async () => {
    await using world = await wholeNetwork(100);
    assert.equal(
      (await examine(world)).get("precompile-bech32")?.status,
      "skipped",
      "not expected",
    );
    const expecting = await results(
      options(world.describe({ activePrecompiles: PRECOMPILE_NAMES })),
    );
    const missing = redOf(expecting, "precompile-slashing");
    assert.match(missing.cause, /0x0{37}806 answers without data/);
    assert.match(missing.fix, /DUALSTACK_SLASHING_ADDRESS/);
  });

  it("recognises a real node's recorded answer as the default shape", async () => {
    const entry = recordings<{
      name: string;
      precompile?: { result?: string; to: string };
    }>("parity").get("validators");
    const recorded = entry?.precompile?.result ?? "";
    assert.notEqual(recorded, "");
    const found = await results(
      options(describedNetwork(), {
        provider: {
          request: ({ params }) =>
            Promise.resolve(
              (params?.[0] as { to?: string }).to === entry?.precompile?.to
                ? recorded
                : "0x1",
            ),
        },
      }),
    );
    assert.equal(found.get("precompile-staking")?.status, "green");
  });

  it("measures the clock against the servers' time", async () => {
    await using world = await wholeNetwork(100);
    world.evmHttp.headers = {
      date: new Date(Date.now() + 120_000).toUTCString(),
    };
    const found = await examine(world);
    assert.match(
      redOf(found, "clock").cause,
      /clock is 1(?:19|20)\.\d s behind the server's/,
    );
    world.evmHttp.headers = {
      "x-server-time": String(Math.floor(Date.now() / 1000) - 60),
    };
    assert.match(
      redOf(await examine(world), "clock").cause,
      /(?:59|60)\.\d s ahead of/,
    );
  });
});
