import { addressForms } from "../src/address/codec.js";
import { DEFAULT_VALIDATORS } from "../src/localnet/settings/defaults.js";
import { toQuantity } from "../src/rpc/quantities.js";
import type { LocalnetUserSettings } from "../src/localnet/settings/settings.js";
import { caller } from "../test/localnet/callers.js";
import {
  createEnvironment,
  createNetwork,
  createNetworkOn2,
  type LocalNetwork,
} from "../test/localnet/network.js";
import { type Figure, sideBySide, timed } from "./ratio.js";

const VALIDATOR = addressForms(
  Buffer.from((DEFAULT_VALIDATORS[0]?.operator ?? "").slice(2), "hex"),
  "hex",
  "cosmos",
).valoper;

/** `network.create()` with the emulation, divided by that without. */
export async function benchCreate(rounds = 30): Promise<Figure[]> {
  const create = async (bare: boolean) => {
    const { hre } = await createEnvironment({ bare });
    return async () =>
      await timed(async () => {
        const connections = [];
        for (let i = 0; i < 5; i++)
          connections.push(await hre.network.create());
        for (const connection of connections) await connection.close();
      });
  };
  const value = await sideBySide(
    rounds,
    await create(false),
    await create(true),
  );
  return [
    {
      name: "network.create()",
      value,
      limit: { atMost: 1.3 },
      of: `${rounds} pairs of 5`,
    },
  ];
}

/** The rate of the same requests with the emulation, divided by that without. */
async function rateRatio(
  rounds: number,
  count: number,
  prepare: (
    network: LocalNetwork,
  ) => Promise<(index: number) => Promise<unknown>>,
  settings?: LocalnetUserSettings,
): Promise<number> {
  const run = async (bare: boolean) => {
    const network = await createNetwork({
      bare,
      ...(settings === undefined ? {} : { settings }),
    });
    const request = await prepare(network);
    return async () =>
      await timed(async () => {
        for (let i = 0; i < count; i++) await request(i);
      });
  };
  return 1 / (await sideBySide(rounds, await run(false), await run(true)));
}

const deploy = async (
  network: Pick<LocalNetwork, "rpc" | "accounts">,
  name: Parameters<typeof caller>[0],
  args: unknown[] = [],
) => {
  const { abi, bytecode } = caller(name);
  const data = bytecode + abi.encodeDeploy(args).slice(2);
  const hash = await network.rpc("eth_sendTransaction", {
    from: network.accounts[0],
    data,
  });
  const { contractAddress } = await network.rpc(
    "eth_getTransactionReceipt",
    hash,
  );
  return { abi, to: contractAddress as string };
};

/** Requests that never reach a precompile. */
export async function benchUntouched(
  rounds = 15,
  count = 150,
): Promise<Figure[]> {
  const limit = { atLeast: 0.9 };
  const of = `${rounds} pairs of ${count}`;
  const transfers = await rateRatio(
    rounds,
    count,
    async ({ rpc, accounts: [from, to] }) =>
      async () => {
        await rpc("eth_sendTransaction", { from, to, value: "0x1" });
      },
  );
  const calls = await rateRatio(rounds, count, async (network) => {
    const { abi, to } = await deploy(network, "Counter");
    const data = abi.encodeFunctionData("increment");
    return async () =>
      await network.rpc("eth_sendTransaction", {
        from: network.accounts[0],
        to,
        data,
      });
  });
  const others = await rateRatio(rounds, count, async (network) => {
    const { abi, to } = await deploy(network, "Vault", [VALIDATOR]);
    const other = await deploy(network, "Vault", [VALIDATOR]);
    const data = abi.encodeFunctionData("touch", [other.to]);
    return async () =>
      await network.rpc("eth_sendTransaction", {
        from: network.accounts[0],
        to,
        data,
      });
  });
  const reads = await rateRatio(rounds, count * 4, async (network) => {
    const { abi, to } = await deploy(network, "Counter");
    const data = abi.encodeFunctionData("count");
    return async () => await network.rpc("eth_call", { to, data }, "latest");
  });
  return [
    { name: "plain transfers", value: transfers, limit, of },
    { name: "calls of a contract that calls nobody", value: calls, limit, of },
    {
      name: "calls of a contract that calls another",
      value: others,
      limit,
      of,
    },
    { name: "reads of a contract that calls nobody", value: reads, limit, of },
  ];
}

/** A deposit that delegates, divided by the same contract writing plain storage. */
export async function benchDeposit(rounds = 15, count = 60): Promise<Figure[]> {
  const network = await createNetwork();
  const { abi, to } = await deploy(network, "Vault", [VALIDATOR]);
  const run = (method: string) => async () =>
    await timed(async () => {
      for (let i = 0; i < count; i++) {
        await network.rpc("eth_sendTransaction", {
          from: network.accounts[1],
          to,
          value: "0xde0b6b3a7640000",
          data: abi.encodeFunctionData(method),
        });
      }
    });
  const value = 1 / (await sideBySide(rounds, run("deposit"), run("store")));
  return [
    {
      name: "a vault's deposit that delegates",
      value,
      limit: { atLeast: 0.4 },
      of: `${rounds} pairs of ${count}`,
    },
  ];
}

/** Sends calls of a new vault one after another, or simulates or estimates them. */
async function vaultOn(
  network: Pick<LocalNetwork, "rpc" | "accounts">,
  method: "deposit" | "store" | "touch",
  by:
    | "eth_sendTransaction"
    | "eth_call"
    | "eth_estimateGas" = "eth_sendTransaction",
) {
  const { abi, to } = await deploy(network, "Vault", [VALIDATOR]);
  const other =
    method === "touch"
      ? [(await deploy(network, "Vault", [VALIDATOR])).to]
      : [];
  const transaction = {
    from: network.accounts[1],
    to,
    ...(method === "touch" ? {} : { value: "0x38d7ea4c68000" }),
    data: abi.encodeFunctionData(method, other),
  };
  return async (count: number) =>
    await timed(async () => {
      for (let i = 0; i < count; i++) await network.rpc(by, transaction);
    });
}

/** What the emulation costs on Hardhat 2, and how much memory a transaction keeps. */
export async function benchOn2(rounds = 9, count = 40): Promise<Figure[]> {
  const on2 = await createNetworkOn2();
  const bare = await createNetworkOn2({ bare: true });
  const of = `${rounds} pairs of ${count}`;
  // Nobody has staked yet.
  const unstaked: Figure[] = [];
  for (const [by, what] of [
    ["eth_sendTransaction", "calls of a contract that calls another"],
    ["eth_call", "reads through a contract that calls another"],
    ["eth_estimateGas", "estimates of a contract that calls another"],
  ] as const) {
    const [mine, theirs] = [
      await vaultOn(on2, "touch", by),
      await vaultOn(bare, "touch", by),
    ];
    unstaked.push({
      name: `Hardhat 2, before anybody stakes: ${what}`,
      value: await sideBySide(
        rounds,
        () => mine(count * 4),
        () => theirs(count * 4),
      ),
      limit: { atMost: 1.1 },
      of: `${rounds} pairs of ${count * 4}`,
    });
  }
  const deposit = await vaultOn(on2, "deposit");
  const depositOn3 = await vaultOn(await createNetwork(), "deposit");
  const touch = await vaultOn(on2, "touch");
  const touchBare = await vaultOn(bare, "touch");
  const besideStakes = async () =>
    await sideBySide(
      rounds,
      () => touch(count * 4),
      () => touchBare(count * 4),
    );
  await deposit(1);
  const afterOne = await besideStakes();
  const staking = await sideBySide(
    rounds,
    () => deposit(count),
    () => depositOn3(count),
  );
  const afterMany = await besideStakes();
  const kept = async (
    run: (count: number) => Promise<number>,
    many: number,
  ) => {
    await run(many / 2);
    const before = process.memoryUsage.rss();
    await run(many);
    return (process.memoryUsage.rss() - before) / 1024 / many;
  };
  return [
    ...unstaked,
    {
      name: "Hardhat 2: a deposit that delegates, over Hardhat 3",
      value: staking,
      limit: { atMost: 3 },
      of,
    },
    {
      name: "Hardhat 2, after one stake: calls of a contract that calls another",
      value: afterOne,
      limit: { atMost: 1.1 },
      of: `${rounds} pairs of ${count * 4}`,
    },
    {
      name: "Hardhat 2, after many stakes: calls of a contract that calls another",
      value: afterMany,
      limit: { atMost: 1.1 },
      of: `${rounds} pairs of ${count * 4}`,
    },
    {
      name: "Hardhat 2: KiB kept of a deposit that delegates",
      value: await kept(deposit, 600),
      limit: { atMost: 20 },
      of: "600 transactions",
    },
    {
      name: "Hardhat 2: KiB kept of a plain call over those without the plugin",
      value: (await kept(touch, 3_000)) / (await kept(touchBare, 3_000)),
      limit: { atMost: 1.1 },
      of: "3,000 transactions",
    },
  ];
}

const VALIDATORS = 100;
const operatorOf = (index: number) =>
  `0x${(index + 1).toString(16).padStart(8, "0").padEnd(40, "7")}`;
const valoperOf = (operator: string) =>
  addressForms(Buffer.from(operator.slice(2), "hex"), "hex", "cosmos").valoper;

/** A transaction may call precompiles 20 times. */
const PER_TRANSACTION = 20;

/**
 * The time of one more delegation, and the memory of the process, with many
 * delegators, divided by those with none. The other network ran the same
 * requests and undid them: a simulated network gets slower and larger with its
 * accounts, its blocks and every hardhat_setCode.
 */
export async function benchScale(
  delegators = 10_000,
  rounds = 15,
  count = 30,
): Promise<Figure[]> {
  const settings = {
    validators: Array.from({ length: VALIDATORS }, (_, index) => ({
      operator: operatorOf(index),
    })),
  };
  const valopers = settings.validators.map(({ operator }) =>
    valoperOf(operator),
  );
  const send = async (
    network: LocalNetwork,
    to: string,
    data: string,
    value = 0n,
  ) =>
    await network.rpc("eth_sendTransaction", {
      from: network.accounts[0],
      to,
      data,
      value: toQuantity(value),
      gas: "0xf00000",
    });
  const populate = async (delegate: boolean) => {
    const network = await createNetwork({ settings });
    const { abi, to } = await deploy(network, "Crowd");
    const vault = await deploy(network, "Vault", [valopers[0]]);
    await network.rpc(
      "hardhat_setBalance",
      network.accounts[0],
      toQuantity(10n ** 24n),
    );
    for (let made = 0; made < delegators; made += 50) {
      await send(
        network,
        to,
        abi.encodeFunctionData("make", [50]),
        50n * 10n ** 18n,
      );
    }
    for (let from = 0; from < delegators; from += PER_TRANSACTION) {
      const method = delegate ? "act" : "actInVain";
      await send(
        network,
        to,
        abi.encodeFunctionData(method, [
          from,
          PER_TRANSACTION,
          valopers,
          10n ** 17n,
        ]),
      );
    }
    const deposit = vault.abi.encodeFunctionData("deposit");
    return async () =>
      await timed(async () => {
        for (let i = 0; i < count; i++)
          await send(network, vault.to, deposit, 10n ** 15n);
      });
  };
  const memoryOf = async (delegate: boolean) => {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const run = await populate(delegate);
    globalThis.gc?.();
    return { run, grown: process.memoryUsage().rss - before, before };
  };
  const empty = await memoryOf(false);
  const full = await memoryOf(true);
  const time = await sideBySide(rounds, full.run, empty.run);
  const memory = (full.grown + empty.before) / (empty.grown + empty.before);
  return [
    {
      name: `one more delegation among ${delegators}`,
      value: time,
      limit: { atMost: 1.2 },
      of: `${rounds} pairs of ${count}`,
    },
    {
      name: `memory with ${delegators} delegators`,
      value: memory,
      limit: { atMost: 1.5 },
      of: "one process",
    },
  ];
}
