/**
 * Run by faults.test.ts in a process of its own, with keys in the environment
 * and every debug log on: sends, fails to send, and prints whatever it has.
 */
import { inspect } from "node:util";

import { Contract } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import dualstack from "../../src/index.js";

const show = (value: unknown) =>
  console.log(
    inspect(value, {
      depth: 8,
      showHidden: true,
      maxArrayLength: 50,
      maxStringLength: 100_000,
      getters: true,
    }),
  );

const hre = await createHardhatRuntimeEnvironment(
  { plugins: [dualstack] },
  { showStackTraces: true },
);
show(hre.config);
const c = await hre.network.create("testnet");
const attempt = async (what: string, run: () => Promise<unknown>) => {
  console.log(`== ${what}`);
  try {
    show(await run());
  } catch (error) {
    console.error(error);
    show(error);
  }
};
await attempt("signers", () => c.ethers.getSigners());
const [signer] = await c.ethers.getSigners();
await attempt(
  "a transfer",
  async () =>
    await (await signer?.sendTransaction({ to: signer, value: 1n }))?.wait(),
);
await attempt(
  "too much",
  async () => await signer?.sendTransaction({ to: signer, value: 10n ** 40n }),
);
await attempt("a signature", async () => await signer?.signMessage("text"));
await attempt(
  "a revert",
  async () =>
    await new Contract(
      process.env["COUNTER"] ?? "",
      ["function add(uint256)"],
      signer,
    )
      .getFunction("add")
      .send(5000),
);
await attempt("an unknown sender", () =>
  c.provider.request({
    method: "eth_sendTransaction",
    params: [{ from: `0x${"12".repeat(20)}`, to: `0x${"12".repeat(20)}` }],
  }),
);
await attempt("a fault", () =>
  c.provider.request({
    method: "eth_getBalance",
    params: [`0x${"12".repeat(20)}`, "latest"],
  }),
);
await attempt(
  "a lost answer",
  async () => await signer?.sendTransaction({ to: signer, value: 2n }),
);
await attempt("a precompile", () =>
  c.precompiles.staking.delegate(signer ?? "", signer?.address ?? "", 1n),
);
const TASKS: readonly [string, object][] = [
  ["networks", { json: true }],
  ["balance", { json: true, addresses: [] }],
  ["address", { address: signer?.address, json: true }],
];
for (const [task, args] of TASKS) {
  const id: string[] = ["dualstack", task];
  await attempt(task, () => hre.tasks.getTask(id).run({ ...args }));
}
await attempt("the mainnet's key, which is none", () =>
  hre.config.dualstack.networks.mainnet.accounts(),
);
show(c);
await c.close();
