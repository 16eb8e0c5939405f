import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";
import { DirectEthSecp256k1Wallet } from "@cosmjs/proto-signing";
import { SigningStargateClient } from "@cosmjs/stargate";
import { Contract, JsonRpcProvider, Wallet } from "ethers";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { startNode } from "./start.js";
const ONE = 10n ** 18n;
const out = process.argv[2] ?? "/tmp/page-shots";
await mkdir(out, { recursive: true });
const s = await startNode({ blockTime: 0.5 });
const { accounts, endpoints } = s.node;
const p = new JsonRpcProvider(endpoints.evmUrl, undefined, {
  cacheTimeout: -1,
  pollingInterval: 50,
});
const w = (i: number) => new Wallet(accounts[i]!.privateKey, p);
const vals = (
  (await (
    await fetch(endpoints.restUrl + "/cosmos/staking/v1beta1/validators")
  ).json()) as any
).validators.map((v: any) => v.operator_address);
const at = (name: "staking" | "governance" | "distribution", i: number) =>
  new Contract(PRECOMPILES[name].address, PRECOMPILES[name].abi as any, w(i));
const send = async (name: any, i: number, m: string, ...a: unknown[]) =>
  await (
    await at(name, i)
      .getFunction(m)
      .send(...a, { gasLimit: 2000000 })
  )
    .wait()
    .catch((e: any) => console.log(m, e.shortMessage));
await send("staking", 0, "delegate", accounts[0]!.address, vals[0], 250n * ONE);
await send("staking", 1, "delegate", accounts[1]!.address, vals[1], 40n * ONE);
await send(
  "staking",
  0,
  "undelegate",
  accounts[0]!.address,
  vals[0],
  20n * ONE,
);
const wallet = await DirectEthSecp256k1Wallet.fromKey(
  Buffer.from(accounts[2]!.privateKey.slice(2), "hex"),
  "cosmos",
);
const c = await SigningStargateClient.connectWithSigner(
  endpoints.nodeRpcUrl,
  wallet,
  { broadcastPollIntervalMs: 50 },
);
const fee = {
  amount: [{ denom: "anative", amount: String(2_000_000n * 10n ** 9n) }],
  gas: "2000000",
};
const sb = async (msgs: any[]) => {
  const r = await c.signAndBroadcast(accounts[2]!.account, msgs, fee);
  if (r.code) console.log(r.rawLog);
};
await sb([
  {
    typeUrl: "/cosmos.staking.v1beta1.MsgDelegate",
    value: {
      delegatorAddress: accounts[2]!.account,
      validatorAddress: vals[2],
      amount: { denom: "anative", amount: String(500n * ONE) },
    },
  },
  {
    typeUrl: "/cosmos.gov.v1.MsgSubmitProposal",
    value: {
      messages: [],
      initialDeposit: [{ denom: "anative", amount: String(10n * ONE) }],
      proposer: accounts[2]!.account,
      metadata: "ipfs://CID",
      title: "Raise the number of validators <img src=x onerror=alert(1)>",
      summary: "s",
      expedited: false,
    },
  },
]);
await send("governance", 0, "vote", accounts[0]!.address, 1n, 1, "");
await send("governance", 1, "vote", accounts[1]!.address, 1n, 3, "");
await s.evm("dualstack_advance", "0x" + (5 * 86400).toString(16));
await send("staking", 1, "undelegate", accounts[1]!.address, vals[1], 5n * ONE);
await send(
  "staking",
  1,
  "redelegate",
  accounts[1]!.address,
  vals[1],
  vals[0],
  5n * ONE,
);
await w(3)
  .sendTransaction({ to: accounts[4]!.address, value: ONE / 2n })
  .then((t) => t.wait());
await send("staking", 5, "delegate", accounts[0]!.address, vals[0], ONE);
await sb([
  {
    typeUrl: "/cosmos.bank.v1beta1.MsgSend",
    value: {
      fromAddress: accounts[2]!.account,
      toAddress: accounts[6]!.account,
      amount: [{ denom: "anative", amount: "1000000000000000000" }],
    },
  },
]);
let t = Date.now();
const st = await (await fetch(endpoints.baseUrl + "/page/state.json")).text();
console.log("state ms", Date.now() - t, st.length);
if (st.length < 1000) console.log(st);
for (let i = 0; i < 3; i++) {
  await new Promise((r) => setTimeout(r, 600));
  t = Date.now();
  await (await fetch(endpoints.baseUrl + "/page/state.json")).text();
  console.log("state ms", Date.now() - t);
}
if (process.argv[3] === "serve") {
  console.log(endpoints.baseUrl);
  await new Promise((r) => setTimeout(r, 1e9));
}
const b = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
for (const width of [1440, 320])
  for (const colorScheme of ["light", "dark"] as const) {
    const ctx = await b.newContext({
      colorScheme,
      viewport: { width, height: 900 },
    });
    const page = await ctx.newPage();
    page.on(
      "console",
      (m) => m.type() === "error" && console.log("console:", m.text()),
    );
    page.on("pageerror", (e) => console.log("error:", e.message));
    await page.goto(endpoints.baseUrl + "/");
    await page
      .locator("#accounts-rows tr")
      .first()
      .waitFor({ timeout: 10000 })
      .catch((e) => console.log(String(e)));
    await page.waitForTimeout(1500);
    await page.screenshot({
      path: `${out}/${width}-${colorScheme}.png`,
      fullPage: true,
    });
    await ctx.close();
  }
await b.close();
c.disconnect();
p.destroy();
await s[Symbol.asyncDispose]();
