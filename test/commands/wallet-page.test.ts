import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";

import { type Browser, chromium, type Page } from "playwright-core";

import {
  exportWallet,
  runWalletPage,
  type WalletOptions,
} from "../../src/commands/wallet/index.js";
import { createForward } from "../../src/commands/wallet/forward.js";
import {
  serveWallet,
  type WalletServer,
} from "../../src/commands/wallet/serve.js";
import { denomReader } from "../../src/commands/denom-reader.js";
import type { NetworkDescription } from "../../src/commands/context.js";
import { HttpClient } from "../../src/rpc/http-client.js";
import { parseAddress } from "../../src/address/index.js";
import { ACCOUNTS } from "../servers/recorded-state.js";
import { PROJECT, RecordingUi } from "./helpers.js";
import { type WholeNetwork, wholeNetwork } from "./network.js";

const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
// CI installs the browser and must not go without it; a machine without one can.
const SKIPPED =
  process.env["CI"] === undefined && !existsSync(CHROMIUM)
    ? `there is no browser at ${CHROMIUM}; install Debian's package "chromium", or give the path of another one in CHROMIUM_PATH`
    : process.env["DUALSTACK_SKIP_BROWSER"] === undefined
      ? false
      : "DUALSTACK_SKIP_BROWSER is set";
const HOLDER = parseAddress(ACCOUNTS.acc4).hex;
const BALANCE = "7955.015834844000696 TEST";

let world: WholeNetwork;
let server: WalletServer;

function forwarded(network: NetworkDescription) {
  const options: WalletOptions = {
    network,
    settings: { name: "Dualstack Testnet" },
    timeoutMs: 3_000,
  };
  return createForward({
    network,
    provider: new HttpClient({
      url: network.endpoints.evmUrl ?? "",
      retries: 0,
    }),
    readDenom: denomReader(network),
    exported: async (format) => await exportWallet(format, options),
  });
}

before(async () => {
  world = await wholeNetwork();
  const explorerUrl = "https://explorer.dualstack.example";
  server = await serveWallet(
    forwarded(
      world.describe({
        title: "Dualstack Testnet",
        endpoints: { explorerUrl },
      }),
    ),
  );
});
after(async () => {
  await server.close();
  await world[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request as it is, also one that fetch would not send. */
async function send(
  target: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
  } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return await new Promise((resolve, reject) => {
    const { method, headers, body } = options;
    httpRequest(
      { hostname, port, path: target, method, headers },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += String(chunk)));
        response.on("end", () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
          });
        });
      },
    )
      .on("error", reject)
      .end(body);
  });
}
const rpc = async (body: unknown, headers: Record<string, string> = {}) =>
  await send("/evm", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("the wallet page's server", () => {
  it("serves the page under a strict policy, from this machine alone", async () => {
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    for (const [file, type] of [
      ["/", "text/html"],
      ["/page.js", "text/javascript"],
      ["/page.css", "text/css"],
    ] as const) {
      const { status, headers, body } = await send(file);
      assert.equal(status, 200);
      assert.match(String(headers["content-type"]), new RegExp(type));
      assert.match(
        String(headers["content-security-policy"]),
        /default-src 'none'; script-src 'self'.*frame-ancestors 'none'/,
      );
      assert.doesNotMatch(
        String(headers["content-security-policy"]),
        /unsafe|\*|https?:/,
      );
      assert.equal(headers["access-control-allow-origin"], undefined);
      assert.doesNotMatch(body, /https?:\/\//, "nothing from elsewhere");
    }
  });

  it("refuses foreign hosts and origins", async () => {
    const { host } = new URL(server.url);
    const port = host.split(":")[1] ?? "";
    const refused: Record<string, string>[] = [
      { host: "evil.example" },
      { host: `evil.example:${port}` },
      { host: "127.0.0.1" },
      { host: `127.0.0.1.evil.example:${port}` },
      { host, origin: "https://evil.example" },
      { host, origin: "null" },
      { host, origin: `http://localhost:${port}` },
      { host, origin: `https://${host}` },
      { host, "sec-fetch-site": "cross-site" },
      { host, "sec-fetch-site": "same-site" },
    ];
    const call = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
    for (const headers of refused) {
      for (const target of [
        "/",
        "/facts.json",
        "/page.js",
        "/api/cosmos/staking/v1beta1/params",
      ]) {
        assert.equal(
          (await send(target, { headers })).status,
          403,
          `${target} ${JSON.stringify(headers)}`,
        );
      }
      assert.equal((await rpc(call, headers)).status, 403);
    }
    for (const headers of [
      { host },
      { host: `localhost:${port}` },
      { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" },
    ] as Record<string, string>[]) {
      assert.equal(
        (await rpc(call, headers)).status,
        200,
        JSON.stringify(headers),
      );
    }
  });

  it("passes on reads of the EVM alone", async () => {
    const before = world.evmHttp.methods.length;
    const answer = JSON.parse(
      (
        await rpc({
          jsonrpc: "2.0",
          id: "a",
          method: "eth_chainId",
          params: [],
        })
      ).body,
    ) as object;
    assert.deepEqual(answer, { jsonrpc: "2.0", id: "a", result: "0x666a" });
    const unknown = JSON.parse(
      (await rpc({ id: 2, method: "eth_getProof" })).body,
    ) as any;
    assert.equal(unknown.error.code, -32601);
    assert.equal(world.evmHttp.methods.length, before + 2);
    for (const method of [
      "eth_sendRawTransaction",
      "eth_sendTransaction",
      "personal_sign",
      "debug_traceCall",
      "txpool_content",
      "evm_mine",
      "eth_newFilter",
      "eth_subscribe",
    ]) {
      assert.equal(
        (await rpc({ id: 1, method, params: [] })).status,
        403,
        method,
      );
    }
    assert.equal((await rpc([{ id: 1, method: "eth_chainId" }])).status, 400);
    assert.equal((await rpc("{")).status, 400);
    assert.equal((await rpc("x".repeat(70_000))).status, 413);
    assert.equal(
      (
        await rpc(
          { id: 1, method: "eth_chainId" },
          { "content-type": "text/plain" },
        )
      ).status,
      415,
    );
    assert.equal(
      world.evmHttp.methods.length,
      before + 2,
      "nothing else reached the node",
    );
  });

  it("passes on GET under the two prefixes alone, without the page's headers", async () => {
    const { host, origin } = new URL(server.url);
    const seen = world.rest.requests.length;
    const good = await send("/api/cosmos/staking/v1beta1/params?x=1", {
      headers: { host, origin, cookie: "a=b", referer: origin },
    });
    assert.equal(good.status, 200);
    assert.equal((JSON.parse(good.body) as any).params.bond_denom, "atest");
    const { headers = {}, path: asked } = world.rest.requests[seen] ?? {};
    assert.match(asked ?? "", /^\/api\/cosmos\/staking\/v1beta1\/params\?x=1$/);
    for (const name of ["origin", "cookie", "referer"]) {
      assert.equal(headers[name], undefined, name);
    }
    const requests = world.rest.requests.length;
    for (const target of [
      "/api/other/x",
      "/api/",
      "/api/cosmos/../secret",
      "/api/cosmos/%2e%2e/secret",
      "/api//cosmos/x",
      "/api/cosmos%2fx",
      "/api/cosmosevil/x",
      "/api/\\evil.example/cosmos/x",
    ]) {
      assert.equal((await send(target)).status, 404, target);
    }
    assert.equal(
      (await send("/api/cosmos/staking/v1beta1/params", { method: "POST" }))
        .status,
      405,
    );
    assert.equal((await send("/nothing")).status, 404);
    assert.equal((await send("/__proto__")).status, 404);
    assert.equal(
      world.rest.requests.length,
      requests,
      "nothing else reached the node",
    );
  });

  it("tells an account in both forms, and what fails", async () => {
    for (const text of [HOLDER, ACCOUNTS.acc4]) {
      const row = JSON.parse(
        (await send(`/account?address=${text}`)).body,
      ) as any;
      assert.deepEqual(
        [row.address, row.account, row.native.tokens],
        [HOLDER, ACCOUNTS.acc4, "7955.015834844000696"],
      );
    }
    const wrong = await send("/account?address=0x12");
    assert.equal(wrong.status, 400);
    assert.match((JSON.parse(wrong.body) as any).error, /is not 0x and 40/);
    const dead = await serveWallet(
      forwarded(
        world.describe({
          endpoints: {
            evmUrl: "http://127.0.0.1:1",
            restUrl: "http://127.0.0.1:1",
          },
        }),
      ),
    );
    try {
      assert.equal(
        (await fetch(`${dead.url}account?address=${HOLDER}`)).status,
        502,
      );
      const facts = (await (
        await fetch(`${dead.url}facts.json`)
      ).json()) as any;
      assert.match(facts.framework.missing, /cannot be reached/);
      assert.equal(facts.evm.record.chainId, "0x666a");
      await assert.rejects(
        serveWallet(
          forwarded(world.describe()),
          Number(new URL(dead.url).port),
        ),
        /cannot be served on port \d+.*--port/,
      );
    } finally {
      await dead.close();
    }
  });

  it("runs until it is interrupted", async () => {
    const ui = new RecordingUi({ json: true });
    const stop = new AbortController();
    const network = world.describe();
    const provider = new HttpClient({ url: world.evmHttp.url });
    const running = runWalletPage(
      { network, settings: {}, provider },
      0,
      ui,
      stop.signal,
    );
    while (ui.lines.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { url } = JSON.parse(ui.lines[0] ?? "") as { url: string };
    assert.equal((await fetch(url)).status, 200);
    stop.abort();
    await running;
    await assert.rejects(fetch(url));
  });

  it("runs from the command line, without a node, and ends well", async () => {
    const require = createRequire(import.meta.url);
    const cli = path.join(
      path.dirname(require.resolve("hardhat/package.json")),
      "dist/src/cli.js",
    );
    const { NODE_OPTIONS: _, ...env } = process.env;
    const child = spawn(
      process.execPath,
      [
        cli,
        "dualstack",
        "wallet",
        "--serve",
        "--name",
        "Named",
        "--json",
        "--network",
        "testnet",
      ],
      {
        cwd: PROJECT,
        env: { ...env, DUALSTACK_TESTNET_BASE_URL: "http://127.0.0.1:1" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const closed = once(child, "close");
    for await (const line of createInterface(child.stdout)) {
      const { url } = JSON.parse(line) as { url: string };
      const facts = (await (await fetch(`${url}facts.json`)).json()) as any;
      assert.equal(facts.title, "Named");
      assert.equal(facts.evm.record.chainName, "Named");
      child.kill("SIGINT");
    }
    assert.deepEqual(await closed, [0, null]);
  });
});

/** What the wallets in the page's window are like. */
interface WalletsInPage {
  readonly address: string;
  readonly account: string;
  readonly evm: "window" | "announced" | "none";
  readonly keplr: boolean;
  readonly chainId: string;
}

// Run by the browser as they are, so that no compiler touches them.
const script = (name: string) =>
  readFileSync(new URL(name, import.meta.url), "utf8");
const WALLETS = script("wallets-in-page.js");
const CONTRAST = script("contrast-in-page.js");

describe("the wallet page in a browser", { skip: SKIPPED }, () => {
  let browser: Browser;
  before(async () => {
    assert.ok(
      existsSync(CHROMIUM),
      `There is no browser at ${CHROMIUM}. Install Debian's package "chromium", give the path of another one in CHROMIUM_PATH, or set DUALSTACK_SKIP_BROWSER.`,
    );
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
  });
  after(async () => {
    await browser?.close();
  });

  interface Opened extends AsyncDisposable {
    readonly page: Page;
    readonly problems: string[];
    asked(): Promise<any[]>;
  }

  async function open(
    given: Partial<WalletsInPage> = {},
    options: { colorScheme?: "light" | "dark"; url?: string } = {},
  ): Promise<Opened> {
    const context = await browser.newContext({
      colorScheme: options.colorScheme ?? "light",
      viewport: { width: 900, height: 1000 },
    });
    const page = await context.newPage();
    const problems: string[] = [];
    const origin = new URL(options.url ?? server.url).origin;
    page.on("console", (message) => {
      if (message.type() === "error") {
        problems.push(message.text());
      }
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("request", (request) => {
      if (
        !request.url().startsWith(origin) &&
        !request.url().startsWith("data:")
      ) {
        problems.push(`asked ${request.url()}`);
      }
    });
    const settings: WalletsInPage = {
      address: HOLDER.toLowerCase(),
      account: ACCOUNTS.acc4,
      evm: "window",
      keplr: true,
      chainId: "0x666a",
      ...given,
    };
    await page.addInitScript(
      `globalThis.walletSettings = ${JSON.stringify(settings)};\n${WALLETS}`,
    );
    await page.goto(options.url ?? server.url);
    await page
      .getByRole("heading", { level: 1, name: "Dualstack Testnet" })
      .waitFor();
    return {
      page,
      problems,
      asked: async () => await page.evaluate<any[]>("asked"),
      async [Symbol.asyncDispose]() {
        await context.close();
      },
    };
  }
  const text = async (page: Page, selector: string) =>
    (await page.locator(selector).textContent()) ?? "";
  const picture = async (page: Page, name: string) => {
    const folder = process.env["DUALSTACK_SCREENSHOTS"];
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true });
      await page.screenshot({
        path: path.join(folder, `${name}.png`),
        fullPage: true,
      });
    }
  };

  it("adds the network to a browser wallet, connects, and shows the account in both forms", async () => {
    await using opened = await open();
    const { page, problems, asked } = opened;
    await page.locator("#evm-add:enabled").click();
    await page.getByText("The wallet has the network.").waitFor();
    await page.locator("#evm-connect").click();
    await page.locator("#account").waitFor();
    await page.locator("#evm-status", { hasText: /^Connected\.$/ }).waitFor();
    const shown = await text(page, "#account-facts");
    assert.ok(
      shown.includes(HOLDER) &&
        shown.includes(ACCOUNTS.acc4) &&
        shown.includes(BALANCE),
      shown,
    );
    const calls = await asked();
    assert.deepEqual(
      calls.map(({ method }) => method),
      ["wallet_addEthereumChain", "eth_requestAccounts", "eth_chainId"],
    );
    assert.deepEqual(calls[0].params, [
      {
        chainId: "0x666a",
        chainName: "Dualstack Testnet",
        nativeCurrency: { name: "Test Token", symbol: "TEST", decimals: 18 },
        rpcUrls: [world.evmHttp.url],
        blockExplorerUrls: ["https://explorer.dualstack.example"],
      },
    ]);
    await picture(page, "light");
    // Another account in the wallet is shown at once.
    await page.evaluate(
      `walletEvents.accountsChanged(["${parseAddress(ACCOUNTS.acc7).hex}"])`,
    );
    await page.locator("#account-facts", { hasText: ACCOUNTS.acc7 }).waitFor();
    await page.evaluate("walletEvents.accountsChanged([])");
    await page.locator("#account").waitFor({ state: "hidden" });
    assert.deepEqual(problems, []);
  });

  it("adds it to a framework wallet", async () => {
    await using opened = await open({ evm: "none" });
    const { page, problems, asked } = opened;
    await page.locator("#framework-add:enabled").click();
    await page.getByText("The wallet has the network.").waitFor();
    await page.locator("#framework-connect").click();
    await page.locator("#account-facts", { hasText: BALANCE }).waitFor();
    const calls = await asked();
    assert.deepEqual(
      calls.map(({ method }) => method),
      ["experimentalSuggestChain", "enable", "getKey"],
    );
    assert.equal(calls[0].params[0].chainId, "dualstack_26218-1");
    assert.deepEqual(calls[0].params[0].features, [
      "eth-address-gen",
      "eth-key-sign",
      "eth-secp256k1-cosmos",
    ]);
    assert.deepEqual(calls[1].params, ["dualstack_26218-1"]);
    assert.equal(await page.locator("#evm-add").isDisabled(), true);
    assert.equal(
      await text(page, "#evm-status"),
      "No browser wallet was found.",
    );
    assert.deepEqual(problems, []);
  });

  it("works by keyboard, in the dark", async () => {
    await using opened = await open({}, { colorScheme: "dark" });
    const { page, problems, asked } = opened;
    await page.locator("#framework-connect:enabled").waitFor();
    const focused = async () =>
      await page.evaluate<string>("document.activeElement?.id ?? ''");
    const order: string[] = [];
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press("Tab");
      order.push(await focused());
    }
    assert.deepEqual(order, [
      "evm-add",
      "evm-connect",
      "framework-add",
      "framework-connect",
    ]);
    const outline = await page.evaluate(
      "getComputedStyle(document.activeElement).outlineStyle",
    );
    assert.equal(outline, "solid", "the focus is seen");
    await page.keyboard.press("Enter");
    await page.locator("#account-facts", { hasText: ACCOUNTS.acc4 }).waitFor();
    await page
      .locator("#framework-status", { hasText: "Connected." })
      .waitFor();
    assert.equal(await focused(), "framework-connect", "the focus stays");
    assert.equal((await asked()).length, 2);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "refresh");
    await page.keyboard.press("Space");
    assert.equal(
      await page.evaluate("getComputedStyle(document.body).backgroundColor"),
      "rgb(18, 21, 27)",
    );
    await picture(page, "dark");
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow: number = await page.evaluate(
      "document.documentElement.scrollWidth - innerWidth",
    );
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
    await picture(page, "narrow");
    assert.deepEqual(problems, []);
  });

  it("has readable colours in light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await open({}, { colorScheme });
      await opened.page.locator("#evm-add:enabled").waitFor();
      const ratios: number[] = await opened.page.evaluate(CONTRAST);
      assert.ok(
        ratios.length > 20 && Math.min(...ratios) >= 4.5,
        `${colorScheme}: ${Math.min(...ratios)}`,
      );
    }
  });

  it("lets one choose among wallets that announce themselves", async () => {
    await using opened = await open({ evm: "announced", keplr: false });
    const { page, problems, asked } = opened;
    await page
      .locator("#evm-wallet")
      .selectOption({ label: "Second <b>Wallet</b>" });
    await page.locator("#evm-add:enabled").click();
    await page.getByText("The wallet has the network.").waitFor();
    assert.deepEqual(
      (await asked()).map(({ name }) => name),
      ["Second <b>Wallet</b>"],
    );
    assert.equal(await page.locator("#evm-wallet b").count(), 0);
    assert.equal(
      await text(page, "#framework-status"),
      "No framework wallet was found.",
    );
    assert.deepEqual(problems, []);
  });

  it("says what was refused, what is missing and what is wrong", async () => {
    await using refusing = await open({ chainId: "0x1" });
    const { page } = refusing;
    await page.evaluate("walletState.refuse = true");
    await page.locator("#evm-add:enabled").click();
    await page
      .locator("#evm-status.bad", {
        hasText: "You refused it in the wallet.",
      })
      .waitFor();
    await page.locator("#framework-add").click();
    await page
      .locator("#framework-status.bad", {
        hasText: "You refused it in the wallet.",
      })
      .waitFor();
    await page.evaluate("walletState.refuse = false");
    await page.locator("#evm-connect").click();
    await page.locator("#evm-status", { hasText: "chain with ID 1" }).waitFor();

    const network = world.describe({
      title: "Dualstack Testnet",
      endpoints: {
        restUrl: "http://127.0.0.1:1",
        nodeRpcUrl: "http://127.0.0.1:1",
      },
    });
    const partly = await serveWallet(
      forwarded({
        ...network,
        facts: {
          ...network.facts,
          currency: {
            name: "<img src=x onerror=alert(1)>",
            symbol: "LONGSYM",
            decimals: 18,
          },
        },
      }),
    );
    try {
      await using opened = await open({}, { url: partly.url });
      await opened.page
        .locator("#evm-status.bad", { hasText: "refuse the symbol" })
        .waitFor();
      await opened.page
        .locator("#framework-status.bad", { hasText: "cannot be reached" })
        .waitFor();
      assert.equal(await opened.page.locator("#evm-add").isDisabled(), true);
      assert.equal(
        await opened.page.locator("#framework-add").isDisabled(),
        true,
      );
      assert.equal(await opened.page.locator("img").count(), 0);
      assert.match(await text(opened.page, "#facts"), /<img src=x/);
      assert.deepEqual(opened.problems, []);
    } finally {
      await partly.close();
    }
  });

  it("can be asked by no other page", async () => {
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`data:text/html,<p>elsewhere</p>`);
      const reached = await page.evaluate(async (url) => {
        const attempts = [
          fetch(`${url}facts.json`, { mode: "no-cors" }).then(
            (answer) => answer.type,
          ),
          fetch(`${url}facts.json`).then(() => "read"),
        ];
        return await Promise.all(
          attempts.map(async (one) => await one.catch(() => "failed")),
        );
      }, server.url);
      assert.ok(!reached.includes("read"), reached.join());
    } finally {
      await context.close();
    }
  });
});
