import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { concat, Interface, zeroPadValue } from "ethers";

import { parseAddress } from "../../src/address/index.js";
import { ReportedError } from "../../src/commands/shared/output.js";
import { watch, type WatchOptions } from "../../src/commands/watch/index.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { startMiningNode } from "../local-node/mining.js";
import { ACCOUNTS, VALIDATOR } from "../servers/recorded-state.js";
import type { ModuleEvent } from "../../src/local-node/history.js";
import { SocketRelay } from "../servers/socket-relay.js";
import { hashOf, type NewLog } from "../servers/state.js";
import { CLI, cleanEnvironment, startHardhatNode } from "./hardhat-node.js";
import {
  createProject,
  describedNetwork,
  PROJECT,
  RecordingUi,
} from "./helpers.js";
import {
  ABIS,
  type AnyNetwork,
  describedAt,
  FACTS_OF_LOCAL_NODE,
  wholeNetwork,
} from "./network.js";

const TOKEN = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const HOLDER = parseAddress(ACCOUNTS.acc4).hex;
const OTHER = parseAddress(ACCOUNTS.acc7).hex;
const TOKEN_ABI = [
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "value", type: "uint256", indexed: false },
    ],
  },
  {
    type: "event",
    name: "Named",
    inputs: [{ name: "name", type: "string", indexed: false }],
  },
] as const;

function logOf(
  abi: readonly object[],
  address: string,
  name: string,
  values: unknown[],
): NewLog {
  const codec = new Interface(JSON.stringify(abi));
  const { topics, data } = codec.encodeEventLog(name, values);
  return { address: address.toLowerCase(), topics, data };
}
const UNKNOWN = ["one", "two", "three"].map(hashOf);
const transfer = (from: string, to: string, value: bigint) =>
  logOf(TOKEN_ABI, TOKEN, "Transfer", [from, to, value]);

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 1_000; i++) {
    if (condition()) {
      return;
    }
    await delay(10);
  }
  assert.fail(`waited in vain for ${what}`);
}

/** A network on which tests produce what is watched. */
interface Watched extends AnyNetwork {
  /** The account that delegates to the validator. */
  readonly holder: string;
  readonly validator: { readonly moniker: string; readonly address: string };
  readonly ws: Pick<SocketRelay, "requests" | "subscriptions" | "dropAll">;
  mine(
    logs?: readonly NewLog[],
  ): Promise<{ readonly number: bigint; readonly hash: string }>;
}

async function recorded(): Promise<Watched> {
  const world = await wholeNetwork();
  return {
    ...world,
    holder: HOLDER,
    validator: {
      moniker: "testnode",
      address: parseAddress(VALIDATOR).hex,
    },
    mine: async (logs) => await Promise.resolve(world.chain.mine(logs)),
  };
}

/**
 * Code that writes a log with the three topics and the data in its calldata.
 */
const LOGGER = "0x604035602035600035606036038060606000376000a300";

async function local(): Promise<Watched> {
  const node = await startMiningNode({ [TOKEN]: LOGGER }, FACTS_OF_LOCAL_NODE);
  const { endpoints, accounts } = node.node;
  const relay = await SocketRelay.start(endpoints.wsUrl);
  const { items } = await node.clients.query.staking.validators({});
  const [validator] = items;
  assert.ok(validator);
  const holder = accounts[0]?.address ?? "";
  const staking = new Interface(JSON.stringify(PRECOMPILES.staking.abi));
  const send = async ({ address, topics, data }: NewLog) => {
    const told = staking.parseLog({ topics: [...topics], data });
    // Only a precompile itself can write its logs.
    await node.send(
      address === PRECOMPILES.staking.address && told?.name === "Delegate"
        ? {
            to: address,
            data: staking.encodeFunctionData("delegate", [
              holder,
              validator.operator.valoper,
              told.args.amount,
            ]),
          }
        : { to: address, data: concat([...topics, data]) },
    );
  };
  return {
    describe: describedAt({ ...endpoints, wsUrl: relay.url }),
    request: async ({ method, params = [] }) =>
      await node.evm(method, ...params),
    holder,
    validator: {
      moniker: validator.description.moniker,
      address: validator.operator.hex,
    },
    ws: relay,
    mine: async (logs = []) => {
      for (const log of logs) await send(log);
      return await node.mine();
    },
    [Symbol.asyncDispose]: async () => {
      await relay.close();
      await node[Symbol.asyncDispose]();
    },
  };
}

/** Returns the log of a delegation by the holder, in base units. */
const delegation = (
  { holder, validator }: Watched,
  amount: bigint,
  newShares: bigint,
) =>
  logOf(PRECOMPILES.staking.abi, PRECOMPILES.staking.address, "Delegate", [
    holder,
    validator.address,
    amount,
    newShares,
  ]);

interface Watching {
  readonly ui: RecordingUi;
  /** Returns what was printed, parsed as JSON. */
  happened(type?: string): any[];
  /** Interrupts it, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Starts watching, and waits until the node has the subscription. */
async function begin(
  world: Pick<Watched, "describe" | "ws">,
  what: string,
  of?: string,
  given: Partial<WatchOptions> & { ui?: RecordingUi } = {},
): Promise<Watching> {
  const { ui = new RecordingUi({ json: true }), ...options } = given;
  const stop = new AbortController();
  const before = world.ws.subscriptions.length;
  const ended = watch(
    {
      network: world.describe(),
      what,
      of,
      abis: ABIS,
      contracts: () => Promise.resolve([{ name: "Token", abi: TOKEN_ABI }]),
      signal: stop.signal,
      ...options,
    },
    ui,
  );
  ended.catch(() => undefined);
  await until(() => world.ws.subscriptions.length > before, "the subscription");
  // Logs need a subscription to heads as well, which follows at once.
  await delay(50);
  return {
    ui,
    happened: (type) =>
      ui.lines
        .map((line) => JSON.parse(line) as any)
        .filter((one) => type === undefined || one.type === type),
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

for (const [where, start] of [
  ["as recorded", recorded],
  ["of a local node", local],
] as const) {
  describe(`watch on a network ${where}`, () => {
    let world: Watched;
    before(async () => {
      world = await start();
    });
    after(async () => await world[Symbol.asyncDispose]());

    it("prints new blocks as lines of JSON, or as one steady line", async () => {
      const watching = await begin(world, "blocks");
      const blocks = [await world.mine(), await world.mine()];
      await until(() => watching.happened().length === 2, "blocks");
      await watching.stop();
      assert.deepEqual(
        watching
          .happened()
          .map(({ type, block, hash }) => ({ type, block, hash })),
        blocks.map(({ number, hash }) => ({
          type: "block",
          block: String(number),
          hash,
        })),
      );
      await until(
        () => world.ws.subscriptions.length === 0,
        "the end of subscriptions",
      );

      const terminal = new RecordingUi();
      const shown = await begin(world, "blocks", undefined, { ui: terminal });
      const { number, hash } = await world.mine();
      await until(() => terminal.lines.length > 0, "the line");
      await shown.stop();
      assert.deepEqual(terminal.lines.length, 1);
      assert.match(
        terminal.lines[0] ?? "",
        new RegExp(
          `^\\d\\d:\\d\\d:\\d\\d {2}block ${number} {2}\\d+ transactions?, gas \\d+ {2}${hash}$`,
        ),
      );
      assert.match(
        terminal.progressTexts.at(-2) ?? "",
        new RegExp(
          `^testnet {2}block ${number} at \\d\\d:\\d\\d:\\d\\d UTC {2}base fee [\\d.]+ gwei {2}1 block$`,
        ),
      );
      assert.equal(terminal.progressTexts.at(-1), undefined);
    });

    it("fits lines to the terminal, with names and whole tokens", async () => {
      for (const columns of [undefined, 140, 60]) {
        const ui = Object.assign(new RecordingUi(), { columns: () => columns });
        const watching = await begin(world, "logs", undefined, { ui });
        await world.mine([delegation(world, 1_500_000_000_000_000_000n, 1n)]);
        await until(() => ui.lines.length === 1, "the line");
        await watching.stop();
        const [line = ""] = ui.lines;
        assert.ok(line.length <= (columns ?? 400), line);
        assert.match(line, /^block \d+ {2}staking\.Delegate\(/);
        if (columns !== 60) {
          assert.match(line, /amount 1\.5 TEST\)/);
          // Validators appear by moniker, an account always in the same form.
          const { holder, validator } = world;
          assert.match(
            line,
            new RegExp(
              `validatorAddress ${validator.moniker} \\(0x[0-9a-fA-F]{4}…`,
            ),
          );
          const short = `${holder.slice(0, 6)}…${holder.slice(-4)}`;
          assert.match(
            line,
            new RegExp(columns === undefined ? holder : short),
          );
        }
      }
    });

    it("decodes logs by the ABIs of the project's contracts and the precompiles", async () => {
      const all = await begin(world, "logs");
      const staking = await begin(world, "logs", "staking");
      const token = await begin(world, "logs", TOKEN);
      await world.mine([
        transfer(HOLDER, OTHER, 5n),
        delegation(world, 7n, 8n),
        { address: TOKEN, topics: UNKNOWN, data: "0x12" },
        // Delegate's signature, but not at the precompile's address.
        logOf(PRECOMPILES.staking.abi, TOKEN, "Delegate", [
          HOLDER,
          OTHER,
          1n,
          1n,
        ]),
      ]);
      await until(() => all.happened("log").length === 4, "logs");
      await until(
        () => staking.happened("log").length === 1,
        "the precompile's log",
      );
      await until(() => token.happened("log").length === 3, "the token's logs");
      for (const watching of [all, staking, token]) {
        await watching.stop();
      }
      const [moved, delegated, unknown, foreign] = all.happened("log");
      assert.deepEqual(
        { contract: moved.contract, event: moved.event, args: moved.args },
        {
          contract: "Token",
          event: "Transfer",
          args: { from: HOLDER, to: OTHER, value: "5" },
        },
      );
      assert.equal(delegated.contract, "staking");
      assert.equal(delegated.args.amount, "7");
      assert.deepEqual(staking.happened("log"), [delegated]);
      assert.equal(unknown.event, undefined);
      assert.deepEqual(unknown.topics, UNKNOWN);
      assert.equal(foreign.event, undefined);
      await until(
        () => world.ws.subscriptions.length === 0,
        "the end of subscriptions",
      );
      assert.ok(
        world.ws.requests.some(({ method }) => method === "eth_unsubscribe"),
      );
    });

    it("watches a contract of the project by its name", async () => {
      const watching = await begin(world, "logs", "Token");
      await world.mine([
        delegation(world, 7n, 8n),
        transfer(HOLDER, OTHER, 5n),
      ]);
      await until(() => watching.happened("log").length === 1, "the log");
      await watching.stop();
      const [log] = watching.happened("log");
      assert.equal(log.contract, "Token");
      assert.equal(log.args.value, "5");
    });

    it("loses nothing and repeats nothing over lost connections", async () => {
      const watching = await begin(world, "logs", TOKEN);
      for (let round = 0; round < 2; round++) {
        for (let n = 0; n < 10; n++) {
          await world.mine([transfer(HOLDER, OTHER, BigInt(round * 10 + n))]);
          if (n === 5) {
            world.ws.dropAll();
          }
        }
        await until(
          () => watching.happened("log").length === (round + 1) * 10,
          "the logs of a round",
        );
      }
      await watching.stop();
      assert.deepEqual(
        watching
          .happened("log")
          .map(({ args }) => Number(args.value))
          .sort((a, b) => a - b),
        Array.from({ length: 20 }, (_, i) => i),
      );
      const lost = watching.happened("connection");
      assert.ok(
        lost.some(({ connected }) => !connected) &&
          lost.some(({ connected }) => connected),
      );
    });

    it("says what it cannot watch, and what is missing", async () => {
      const run = async (
        what: string,
        of?: string,
        network = world.describe(),
      ) => {
        await watch(
          {
            network,
            what,
            of,
            abis: ABIS,
            contracts: () => Promise.resolve([]),
            signal: AbortSignal.timeout(5_000),
          },
          new RecordingUi(),
        );
      };
      await assert.rejects(
        run("weather"),
        /"weather" cannot be watched.*blocks, logs, pending, address/,
      );
      await assert.rejects(run("address"), /no address to watch was given/);
      await assert.rejects(run("logs", "0x12"), /contract/);
      await assert.rejects(run("blocks", "5"), /cannot be filtered/);
      await assert.rejects(
        run("blocks", undefined, describedNetwork()),
        /EVM WebSocket.*DUALSTACK_TESTNET_BASE_URL/,
      );
      for (const kind of ["local", "other"] as const) {
        await assert.rejects(
          run("blocks", undefined, describedNetwork({ kind, name: "dev" })),
          (error: Error) =>
            /this network has no EVM WebSocket/.test(error.message) &&
            !/TESTNET/.test(error.message),
        );
      }
      await assert.rejects(
        run("logs", "Nothing"),
        /no compiled contract "Nothing"/,
      );
      const closed = world.describe({
        endpoints: { wsUrl: "ws://127.0.0.1:1" },
      });
      await assert.rejects(
        run("blocks", undefined, closed),
        /WebSocket cannot be opened/,
      );
      const ui = new RecordingUi({ json: true });
      await assert.rejects(
        watch(
          {
            network: closed,
            what: "blocks",
            abis: ABIS,
            contracts: () => Promise.resolve([]),
            signal: AbortSignal.timeout(5_000),
          },
          ui,
        ),
        (error) => error instanceof ReportedError,
      );
      assert.match(
        (JSON.parse(ui.lines[0] ?? "") as any).error.message,
        /cannot be opened/,
      );
    });
  });
}

describe("watch", () => {
  it("shows logs on a terminal in one line each, whatever they contain", async () => {
    await using world = await wholeNetwork();
    const ui = new RecordingUi();
    const watching = await begin(world, "logs", TOKEN, { ui });
    world.chain.mine([
      transfer(HOLDER, OTHER, 5n),
      logOf(TOKEN_ABI, TOKEN, "Named", ["a\u001b[31m\nb\u202e".repeat(200)]),
    ]);
    await until(() => ui.lines.length === 2, "lines");
    await watching.stop();
    assert.match(
      ui.lines[0] ?? "",
      /^block 2152 {2}0x5FbDB2\S+ {2}Token\.Transfer\(from 0x\S+, to 0x\S+, value 5\) {2}in 0x[0-9a-f]{64}$/,
    );
    assert.doesNotMatch(ui.text.replaceAll("\n", ""), /[\u0000-\u001f\u202e]/);
    assert.ok((ui.lines[1]?.length ?? 0) <= 400);
    assert.match(
      ui.progressTexts.find((text) => text?.includes("logs")) ?? "",
      /logs$/,
    );
  });

  it("prints each pending transaction once, and says that some are left out", async () => {
    await using world = await wholeNetwork();
    const watching = await begin(world, "pending");
    for (const name of ["one", "two", "one", "one", "three", "two"]) {
      world.chain.announce(hashOf(name));
    }
    await until(
      () => watching.happened("pending").length === 3,
      "the transactions",
    );
    await delay(50);
    await watching.stop();
    assert.deepEqual(watching.happened(), [
      { type: "pending", hash: hashOf("one") },
      { type: "pending", hash: hashOf("two") },
      { type: "pending", hash: hashOf("three") },
    ]);
    assert.match(
      watching.ui.notes.join(),
      /do not announce every pending transaction/,
    );
    await until(
      () => world.ws.subscriptions.length === 0,
      "the end of subscriptions",
    );
  });

  it("says why a framework transaction failed, and what it was meant to do", async () => {
    const bytes = TxRaw.encode(
      TxRaw.fromPartial({
        bodyBytes: TxBody.encode(
          TxBody.fromPartial({
            messages: [
              {
                typeUrl: "/cosmos.staking.v1beta1.MsgDelegate",
                value: new Uint8Array(),
              },
            ],
          }),
        ).finish(),
      }),
    ).finish();
    for (const side of ["node RPC", "REST"] as const) {
      await using world = await wholeNetwork();
      const ui = new RecordingUi();
      const watching = await begin(world, "address", HOLDER, {
        ui,
        network: world.describe(
          side === "REST" ? { endpoints: { nodeRpcUrl: undefined } } : {},
        ),
      });
      world.chain.modules.set(world.chain.height + 1n, {
        transactions: [
          {
            bytes,
            code: 5,
            log: "spendable balance 1atest is smaller than 2atest: insufficient funds",
            events: [
              {
                type: "tx",
                attributes: [{ key: "fee_payer", value: ACCOUNTS.acc4 }],
              },
            ],
          },
        ],
      });
      world.chain.mine();
      await until(() => ui.lines.length === 1, `the line, by ${side}`);
      await watching.stop();
      assert.match(
        ui.lines[0] ?? "",
        /^block \d+ {2}MsgDelegate {2}FAILED: spendable balance .*insufficient funds {2}[0-9A-F]{64}$/,
      );
    }
  });

  it("follows an address on both stacks", async () => {
    const attributes = (values: Record<string, string>) =>
      Object.entries(values).map(([key, value]) => ({ key, value }));
    const event = (
      type: string,
      values: Record<string, string>,
    ): ModuleEvent => ({
      type,
      attributes: attributes(values),
    });
    const bytes = (memo: string) =>
      TxRaw.encode(
        TxRaw.fromPartial({
          bodyBytes: TxBody.encode(TxBody.fromPartial({ memo })).finish(),
        }),
      ).finish();
    for (const side of ["node RPC", "REST"] as const) {
      await using world = await wholeNetwork();
      const { chain } = world;
      const watching = await begin(world, ACCOUNTS.acc4, undefined, {
        network: world.describe(
          side === "REST" ? { endpoints: { nodeRpcUrl: undefined } } : {},
        ),
      });
      const next = chain.height + 1n;
      const ethereum = hashOf("sent");
      const stranger = hashOf("stranger");
      chain.transactions.set(next, [
        {
          hash: ethereum,
          from: HOLDER.toLowerCase(),
          to: TOKEN,
          value: "0xde0b6b3a7640000",
        },
        { hash: stranger, from: OTHER.toLowerCase(), to: TOKEN, value: "0x0" },
      ]);
      chain.modules.set(next, {
        transactions: [
          {
            bytes: bytes("by the EVM"),
            events: [
              event("ethereum_tx", { ethereumTxHash: ethereum }),
              event("transfer", {
                sender: ACCOUNTS.acc4,
                recipient: ACCOUNTS.acc5,
              }),
              event("delegate", {
                validator: VALIDATOR,
                delegator: ACCOUNTS.acc4,
                amount: "7atest",
              }),
            ],
          },
          {
            bytes: bytes("by the EVM, without the modules"),
            events: [
              event("ethereum_tx", { ethereumTxHash: stranger }),
              event("transfer", { sender: ACCOUNTS.acc4 }),
            ],
          },
          {
            bytes: bytes("by the framework"),
            code: 5,
            events: [
              event("message", {
                action: "/cosmos.bank.v1beta1.MsgSend",
                sender: ACCOUNTS.acc7,
              }),
              event("coin_received", {
                receiver: ACCOUNTS.acc4,
                amount: "1atest",
              }),
              event("transfer", { recipient: ACCOUNTS.acc4, amount: "1atest" }),
            ],
          },
          {
            bytes: bytes("somebody else's"),
            events: [event("transfer", { recipient: ACCOUNTS.acc8 })],
          },
        ],
        events: [
          event("complete_unbonding", {
            delegator: ACCOUNTS.acc4,
            amount: "9atest",
            mode: "EndBlock",
          }),
          event("complete_unbonding", {
            delegator: ACCOUNTS.acc8,
            amount: "9atest",
          }),
          event("coin_received", { receiver: ACCOUNTS.acc4 }),
        ],
      });
      // The index lags behind, as on a real node.
      world.evm.indexMs = 60;
      chain.mine([
        transfer(OTHER, HOLDER, 3n),
        transfer(OTHER, "0x000000000000000000000000000000000000dEaD", 4n),
        {
          address: TOKEN,
          topics: [hashOf("x"), zeroPadValue(HOLDER.toLowerCase(), 32)],
          data: "0x",
        },
      ]);
      chain.mine();
      const expected = side === "REST" ? 5 : 6;
      await until(
        () => watching.happened().length >= expected,
        `everything, by ${side}`,
      );
      await watching.stop();
      assert.deepEqual(
        watching.happened().map(({ type }) => type),
        [
          "transaction",
          "log",
          "log",
          "framework-transaction",
          "framework-transaction",
          ...(side === "REST" ? [] : ["framework-event"]),
        ],
      );
      const [sent, received, , delegated, failed, completed] =
        watching.happened();
      assert.equal(sent.hash, ethereum);
      assert.equal(sent.value, "1000000000000000000");
      assert.equal(sent.succeeded, true);
      assert.equal(received.args.to, HOLDER);
      assert.equal(delegated.ethereumHash, ethereum);
      assert.deepEqual(
        delegated.events.map(({ type }: any) => type),
        ["delegate"],
      );
      assert.equal(failed.code, 5);
      assert.deepEqual(failed.messages, ["/cosmos.bank.v1beta1.MsgSend"]);
      assert.deepEqual(
        failed.events.map(({ type }: any) => type),
        ["transfer"],
      );
      if (side === "node RPC") {
        assert.equal(completed.event, "complete_unbonding");
        assert.equal(completed.attributes.amount, "9atest");
      }
    }
  });

  it("shows both stacks on a terminal", async () => {
    await using world = await wholeNetwork();
    const ui = new RecordingUi();
    const watching = await begin(world, "address", HOLDER, { ui });
    const next = world.chain.height + 1n;
    world.chain.transactions.set(next, [
      {
        hash: hashOf("deploy"),
        from: HOLDER.toLowerCase(),
        to: null,
        value: "0x0",
      },
    ]);
    world.chain.modules.set(next, {
      transactions: [
        {
          bytes: new Uint8Array([1]),
          events: [
            {
              type: "message",
              attributes: [{ key: "action", value: "/cosmos.gov.v1.MsgVote" }],
            },
            {
              type: "proposal_vote",
              attributes: [{ key: "voter", value: ACCOUNTS.acc4 }],
            },
          ],
        },
      ],
    });
    world.chain.mine();
    await until(() => ui.lines.length === 2, "lines");
    await watching.stop();
    assert.match(
      ui.lines[0] ?? "",
      /^block 2152 {2}0x\S+ to new contract .*0 TEST {2}succeeded, gas 21000 {2}0x/,
    );
    assert.match(
      ui.lines[1] ?? "",
      /^block 2152 {2}MsgVote, proposal_vote\(voter 0x15d34AAf\S+\) {2}[0-9A-F]{64}$/,
    );
  });

  it("ends well when it is interrupted", async () => {
    await using world = await wholeNetwork(50);
    const child = spawn(
      process.execPath,
      [CLI, "dualstack", "watch", "--network", "testnet"],
      {
        cwd: PROJECT,
        env: {
          ...cleanEnvironment(),
          DUALSTACK_TESTNET_EVM_URL: world.evmHttp.url,
          DUALSTACK_TESTNET_WS_URL: world.ws.url,
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const closed = once(child, "close");
    const blocks: any[] = [];
    for await (const line of createInterface(child.stdout)) {
      blocks.push(JSON.parse(line));
      if (blocks.length === 3) {
        child.kill("SIGINT");
      }
    }
    assert.deepEqual(await closed, [0, null]);
    assert.ok(
      blocks.length >= 3 && blocks.every(({ type }) => type === "block"),
    );
    assert.deepEqual(
      blocks.map(({ block }) => BigInt(block) - BigInt(blocks[0].block)),
      blocks.map((_block, i) => BigInt(i)),
    );
    await until(
      () => world.ws.subscriptions.length === 0,
      "the end of subscriptions",
    );
  });

  it("ends well when its reader goes away", async () => {
    await using world = await wholeNetwork(50);
    const child = spawn(
      "sh",
      [
        "-c",
        '"$0" "$1" dualstack watch --network testnet | head -1; wait',
        process.execPath,
        CLI,
      ],
      {
        cwd: PROJECT,
        env: {
          ...cleanEnvironment(),
          DUALSTACK_TESTNET_EVM_URL: world.evmHttp.url,
          DUALSTACK_TESTNET_WS_URL: world.ws.url,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    assert.deepEqual(await once(child, "close"), [0, null]);
    assert.equal(output.trim().split("\n").length, 1);
    assert.equal(errors, "");
  });

  it("watches hardhat node at the address of its JSON-RPC", async () => {
    await using node = await startHardhatNode();
    const hre = await createProject(
      { networks: { devnet: { type: "http", url: node.url } } },
      { network: "devnet" },
    );
    const { provider, dualstack } = await hre.network.create();
    assert.equal(dualstack.network.kind, "local");
    const [from] = (await provider.request({
      method: "eth_accounts",
    })) as string[];
    const ui = new RecordingUi({ json: true });
    const stop = new AbortController();
    const ended = watch(
      {
        network: dualstack.network,
        what: "address",
        of: from,
        abis: ABIS,
        contracts: () => Promise.resolve([]),
        signal: stop.signal,
      },
      ui,
    );
    const send = async () =>
      await provider.request({
        method: "eth_sendTransaction",
        params: [{ from, to: OTHER, value: "0x5" }],
      });
    while (ui.lines.length === 0) {
      await send();
      await delay(50);
    }
    stop.abort();
    await ended;
    const [first] = ui.lines.map((line) => JSON.parse(line) as any);
    assert.equal(first.type, "transaction");
    assert.equal(first.from.toLowerCase(), from?.toLowerCase());
    assert.equal(first.value, "5");
  });

  it("watches a network of this process through its provider", async () => {
    const hre = await createProject({}, { network: "localnet" });
    const connection = await hre.network.create();
    const { provider, dualstack } = connection;
    const [from] = (await provider.request({
      method: "eth_accounts",
    })) as string[];
    const { items } = await dualstack.query.staking.validators(
      {},
      { via: "precompile" },
    );
    const delegate = new Interface(
      JSON.stringify(PRECOMPILES.staking.abi),
    ).encodeFunctionData("delegate", [from, items[0]?.operator.valoper, 5n]);
    for (const what of ["blocks", "pending", "logs"]) {
      const ui = new RecordingUi({ json: true });
      const stop = new AbortController();
      const ended = watch(
        {
          network: dualstack.network,
          what,
          provider,
          abis: ABIS,
          contracts: () => Promise.resolve([]),
          signal: stop.signal,
        },
        ui,
      );
      while (ui.lines.length === 0) {
        await provider.request({
          method: "eth_sendTransaction",
          params: [{ from, to: PRECOMPILES.staking.address, data: delegate }],
        });
        await delay(50);
      }
      stop.abort();
      await ended;
      const [first] = ui.lines.map((line) => JSON.parse(line) as any);
      assert.equal(first.type, what.replace(/s$/, ""));
    }
    await connection.close();
  });
});
