import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";

import type { Browser, Page } from "playwright-core";

import { parseAddress } from "../../src/address/index.js";
import { requestTokens } from "../../src/commands/faucet/index.js";
import {
  serveWallet,
  type WalletServer,
} from "../../src/commands/wallet/serve.js";
import { HttpClient } from "../../src/rpc/http-client.js";
import {
  contrasts,
  faults,
  isTooWide,
  launchBrowser,
  type OpenedPage,
  openPage,
  type PageLook,
  picture,
  WITHOUT_BROWSER,
} from "../helpers/browser.js";
import { FaucetServer } from "../servers/faucet.js";
import { ACCOUNTS } from "../servers/recorded-state.js";
import { type WholeNetwork, wholeNetwork } from "./network.js";
import { forwarded, TITLE } from "./wallet-page.js";

const HOLDER = parseAddress(ACCOUNTS.acc4).hex;
const BALANCE = "7955.015834844000696 TEST";
const EXPLORER = "https://explorer.dualstack.example";

/** The wallets in the page's window. */
interface WalletsInPage {
  readonly address: string;
  readonly account: string;
  readonly evm: "window" | "announced" | "none";
  readonly keplr: boolean;
  readonly chainId: string;
}

// The browser runs this file as it is, so that no compiler touches it.
const WALLETS = readFileSync(
  new URL("wallets-in-page.js", import.meta.url),
  "utf8",
);

describe("the wallet page in a browser", { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let world: WholeNetwork;
  let server: WalletServer;

  before(async () => {
    world = await wholeNetwork();
    server = await serveWallet(
      forwarded(
        world.describe({ title: TITLE, endpoints: { explorerUrl: EXPLORER } }),
      ),
    );
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    await world?.[Symbol.asyncDispose]();
  });

  interface Opened extends OpenedPage {
    asked(): Promise<any[]>;
  }

  async function open(
    given: Partial<WalletsInPage> = {},
    { url = server.url, ...look }: PageLook & { readonly url?: string } = {},
  ): Promise<Opened> {
    const settings: WalletsInPage = {
      address: HOLDER.toLowerCase(),
      account: ACCOUNTS.acc4,
      evm: "window",
      keplr: true,
      chainId: "0x666a",
      ...given,
    };
    const opened = await openPage(browser, url, {
      ...look,
      script: `globalThis.walletSettings = ${JSON.stringify(settings)};\n${WALLETS}`,
    });
    const { page } = opened;
    await page.getByRole("heading", { level: 1, name: TITLE }).waitFor();
    return {
      ...opened,
      asked: async () => await page.evaluate<any[]>("asked"),
    };
  }

  const text = async (page: Page, selector: string) =>
    (await page.locator(selector).textContent()) ?? "";
  const status = (page: Page, side: "evm" | "framework", what: string) =>
    page.locator(`#${side}-status`, { hasText: what });
  const stateOf = async (page: Page, step: string) =>
    await page.locator(`#${step}`).getAttribute("data-state");
  const button = (page: Page, side: "Browser" | "Framework", name: string) =>
    page
      .getByRole("region", { name: `${side} wallet` })
      .getByRole("button", { name, exact: true });

  it("adds the network to a browser wallet, connects, and shows the account", async () => {
    await using opened = await open();
    const { page, problems, asked } = opened;
    await picture(page, "begin");
    await button(page, "Browser", "Add the network").click();
    await status(page, "evm", "The network is in your wallet.").waitFor();
    assert.equal(await stateOf(page, "evm-step-add"), "done");
    assert.match(await text(page, "#evm-step-add"), /Done/);
    assert.equal(await stateOf(page, "evm-step-connect"), null);
    await button(page, "Browser", "Connect").click();
    await status(page, "evm", "Connected.").waitFor();
    assert.equal(await stateOf(page, "evm-step-connect"), "done");
    assert.ok((await text(page, "#evm-address")).includes(HOLDER));
    assert.ok((await text(page, "#evm-other")).includes(ACCOUNTS.acc4));
    assert.equal(await text(page, "#evm-native"), BALANCE);
    assert.equal(
      await page
        .locator("#evm-address")
        .getByRole("link", { name: "Explorer" })
        .getAttribute("href"),
      `${EXPLORER}/address/${HOLDER}`,
    );
    const calls = await asked();
    assert.deepEqual(
      calls.map(({ method }) => method),
      ["wallet_addEthereumChain", "eth_requestAccounts", "eth_chainId"],
    );
    assert.deepEqual(calls[0].params, [
      {
        chainId: "0x666a",
        chainName: TITLE,
        nativeCurrency: { name: "Test Token", symbol: "TEST", decimals: 18 },
        rpcUrls: [world.evmHttp.url],
        blockExplorerUrls: [EXPLORER],
      },
    ]);
    await picture(page, "light");
    // The page follows at once when the wallet changes its account.
    await page.evaluate(
      `walletEvents.accountsChanged(["${parseAddress(ACCOUNTS.acc7).hex}"])`,
    );
    await page.locator("#evm-other", { hasText: ACCOUNTS.acc7 }).waitFor();
    await page.evaluate("walletEvents.accountsChanged([])");
    await status(page, "evm", "The wallet has disconnected.").waitFor();
    assert.equal(await text(page, "#evm-address"), "—");
    assert.equal(await stateOf(page, "evm-step-connect"), "");
    assert.deepEqual(problems, []);
  });

  it("adds it to a framework wallet", async () => {
    await using opened = await open({ evm: "none" });
    const { page, problems, asked } = opened;
    assert.ok(await page.getByRole("radio", { name: "Keplr" }).isChecked());
    await button(page, "Framework", "Add the network").click();
    await status(page, "framework", "The network is in your wallet.").waitFor();
    await button(page, "Framework", "Connect").click();
    await page.locator("#framework-native", { hasText: BALANCE }).waitFor();
    assert.ok((await text(page, "#framework-address")).includes(ACCOUNTS.acc4));
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
    await page
      .locator("#evm-wallets", { hasText: "No browser wallet was found." })
      .waitFor();
    assert.deepEqual(problems, []);
  });

  it("tells two keys apart, and one key in two wallets", async () => {
    await using same = await open();
    const connectBoth = async (page: Page) => {
      await button(page, "Browser", "Connect").click();
      await status(page, "evm", "Connected.").waitFor();
      await button(page, "Framework", "Connect").click();
      await status(page, "framework", "Connected.").waitFor();
    };
    await connectBoth(same.page);
    await same.page
      .locator("#keys", { hasText: "hold the same key" })
      .waitFor();

    await using different = await open({ account: ACCOUNTS.acc7 });
    const { page } = different;
    await connectBoth(page);
    await page
      .locator("#keys.different", { hasText: "hold different keys" })
      .waitFor();
    assert.ok((await text(page, "#evm-address")).includes(HOLDER));
    assert.equal(await text(page, "#evm-native"), BALANCE);
    assert.ok((await text(page, "#framework-address")).includes(ACCOUNTS.acc7));
    assert.notEqual(await text(page, "#framework-native"), BALANCE);
    await picture(page, "two-keys");
    // The framework wallet switches to the other wallet's key.
    await page.evaluate(
      `walletSettings.account = "${ACCOUNTS.acc4}"; dispatchEvent(new Event("keplr_keystorechange"))`,
    );
    await page.locator("#keys", { hasText: "hold the same key" }).waitFor();
    assert.deepEqual(different.problems, []);
  });

  it("gets test tokens, and shows them at once", async () => {
    const grant = async (address: string) => {
      const { account } = parseAddress(address);
      const [coin] = world.chain.state.balances.get(account) ?? [];
      assert.ok(coin !== undefined);
      coin.amount = String(BigInt(coin.amount) + 100n * 10n ** 18n);
      world.chain.mine([], true);
      return `0x${"ab".repeat(32)}`;
    };
    const faucet = await FaucetServer.start({
      speaks: "cosmjs",
      tokens: ["atest"],
      grant,
    });
    const network = world.describe({
      title: TITLE,
      endpoints: { faucetUrl: faucet.url },
    });
    const provider = new HttpClient({ url: world.evmHttp.url });
    let failing: Error | undefined;
    const generous = await serveWallet(
      forwarded(network, {
        grant: async (address) => {
          if (failing !== undefined) throw failing;
          return await requestTokens(
            { network, provider },
            { progress: () => undefined },
            { address, token: "native", pollMs: 50 },
          );
        },
      }),
    );
    try {
      await using opened = await open(
        { address: parseAddress(ACCOUNTS.acc7).hex, account: ACCOUNTS.acc7 },
        { url: generous.url },
      );
      const { page, problems } = opened;
      assert.equal(await page.locator("#evm-faucet").isDisabled(), true);
      await button(page, "Browser", "Connect").click();
      await status(page, "evm", "Connected.").waitFor();
      await button(page, "Framework", "Connect").click();
      await status(page, "framework", "Connected.").waitFor();
      const before = await text(page, "#evm-native");
      await button(page, "Browser", "Get test tokens").click();
      await status(page, "evm", "100 TEST have arrived.").waitFor();
      assert.equal(await stateOf(page, "evm-step-faucet"), "done");
      const after = await text(page, "#evm-native");
      assert.equal(
        Math.round(Number.parseFloat(after) - Number.parseFloat(before)),
        100,
      );
      assert.equal(
        await text(page, "#framework-native"),
        after,
        "the same account in the other wallet",
      );
      assert.equal(faucet.asked, 1);
      failing = new Error("the faucet is empty");
      await button(page, "Framework", "Get test tokens").click();
      await status(page, "framework", "the faucet is empty").waitFor();
      assert.equal(await stateOf(page, "framework-step-faucet"), "failed");
      assert.equal(
        problems.filter((one) => !one.includes("502")).join(),
        "",
        "the browser's own word on the status is all",
      );
    } finally {
      await generous.close();
      await faucet.close();
    }
  });

  it("shows whether the network is alive", async () => {
    const own = await wholeNetwork();
    const alive = await serveWallet(forwarded(own.describe({ title: TITLE })));
    try {
      await using opened = await open({}, { url: alive.url });
      const { page } = opened;
      await page
        .locator("#life[data-state=alive], #life[data-state=still]")
        .waitFor();
      const height = await text(page, "#life-text");
      assert.match(height, /^Block 2,151, /);
      own.chain.mine();
      await page.locator("#life-text", { hasText: "Block 2,152, " }).waitFor();
      assert.equal(
        await page.locator("#life").getAttribute("data-state"),
        "alive",
      );
      await own.evmHttp.close();
      await page.locator("#life[data-state=down]").waitFor();
      assert.equal(
        await page.getByRole("status").nth(0).textContent(),
        "The network does not answer.",
      );
      await picture(page, "down");
    } finally {
      await alive.close();
      await own[Symbol.asyncDispose]();
    }
  });

  it("copies addresses, links the explorer, and folds the precompiles away", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    const copy = page.getByRole("button", { name: "Copy the address of REST" });
    await copy.click();
    await page.getByText("Copied", { exact: true }).waitFor();
    assert.equal(
      await page.evaluate("navigator.clipboard.readText()"),
      world.rest.url,
    );
    await copy.waitFor();
    const explorer = page.getByRole("link", { name: "Open the explorer" });
    assert.equal(await explorer.getAttribute("href"), EXPLORER);
    assert.equal(await explorer.getAttribute("rel"), "noreferrer");
    const summary = page.getByText("Precompiled contracts");
    await summary.waitFor();
    const staking = page.getByText(
      "0x0000000000000000000000000000000000000800",
    );
    assert.equal(await staking.isVisible(), false);
    await summary.click();
    assert.equal(await staking.isVisible(), true);
    assert.equal(
      await page.locator("#precompile-list dt").allTextContents().then(String),
      "Staking,Distribution,Governance",
      "those that answer",
    );
    await picture(page, "facts");
    assert.deepEqual(problems, []);
  });

  it("works by keyboard, in the dark, at 320 pixels", async () => {
    await using opened = await open({}, { colorScheme: "dark", width: 320 });
    const { page, problems, asked } = opened;
    await page.locator("#framework-connect:enabled").waitFor();
    const focused = async () =>
      await page.evaluate<string>(
        "document.activeElement?.id || document.activeElement?.name || ''",
      );
    const order: string[] = [];
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("Tab");
      order.push(await focused());
    }
    assert.deepEqual(order, [
      "evm-wallet",
      "evm-add",
      "evm-connect",
      "framework-wallet",
      "framework-add",
      "framework-connect",
    ]);
    assert.equal(
      await page.evaluate(
        "getComputedStyle(document.activeElement).outlineStyle",
      ),
      "solid",
      "the focus is seen",
    );
    await page.keyboard.press("Enter");
    await page
      .locator("#framework-address", { hasText: ACCOUNTS.acc4 })
      .waitFor();
    await status(page, "framework", "Connected.").waitFor();
    assert.equal(await focused(), "framework-connect", "the focus stays");
    assert.equal((await asked()).length, 2);
    assert.equal(
      await page.evaluate("getComputedStyle(document.body).backgroundColor"),
      "rgb(18, 21, 27)",
    );
    assert.equal(await isTooWide(page), false);
    await picture(page, "narrow");
    assert.deepEqual(problems, []);
  });

  it("labels its parts for screen readers", async () => {
    await using opened = await open();
    const { page } = opened;
    for (const name of ["Browser wallet", "Framework wallet", "The network"]) {
      await page.getByRole("region", { name }).waitFor();
    }
    const evm = page.getByRole("region", { name: "Browser wallet" });
    await evm.getByRole("group", { name: "Choose a wallet" }).waitFor();
    assert.equal(await evm.getByRole("list").getByRole("listitem").count(), 3);
    assert.equal(
      await page.locator("#evm-status").getAttribute("role"),
      "status",
    );
    assert.equal(await page.locator("#keys").getAttribute("role"), "status");
    assert.equal(await page.locator("#problem").getAttribute("role"), "alert");
    // A clock that is read out every second would be a nuisance.
    assert.equal(await page.locator("#life").getAttribute("role"), null);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
  });

  it("passes axe-core, with readable colours, in both schemes", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1000, 320]) {
        await using opened = await open(
          { account: ACCOUNTS.acc7, evm: "announced" },
          { colorScheme, width },
        );
        const { page } = opened;
        await page.getByText("Precompiled contracts").click();
        await button(page, "Browser", "Connect").click();
        await status(page, "evm", "Connected.").waitFor();
        await button(page, "Framework", "Connect").click();
        await status(page, "framework", "Connected.").waitFor();
        assert.deepEqual(await faults(page), [], `${colorScheme} ${width}`);
        const ratios = await contrasts(page);
        assert.ok(
          ratios.length > 40 && Math.min(...ratios) >= 4.5,
          `${colorScheme}: ${Math.min(...ratios)}`,
        );
        await picture(page, `${colorScheme}-${width}`);
      }
    }
  });

  it("shifts nothing while answers come in", async () => {
    for (const width of [1000, 320]) {
      await using opened = await open({ evm: "announced" }, { width });
      const { page, shifted } = opened;
      await page.locator("#framework-add:enabled").waitFor();
      await page.locator("#precompiles").waitFor();
      await page.locator("#life-text", { hasText: "Block" }).waitFor();
      await button(page, "Browser", "Connect").click();
      await status(page, "evm", "Connected.").waitFor();
      await page.waitForTimeout(300);
      assert.deepEqual(await shifted(), [], `${width}`);
    }
  });

  it("lets people choose among wallets that announce themselves, by name and icon", async () => {
    await using opened = await open({ evm: "announced", keplr: false });
    const { page, problems, asked } = opened;
    const first = page.getByRole("radio", { name: "First Wallet" });
    const second = page.getByRole("radio", { name: "Second <b>Wallet</b>" });
    assert.ok(await first.isChecked());
    assert.equal(await page.locator("#evm-wallets img").count(), 2);
    assert.ok(
      await page.evaluate(
        "[...document.querySelectorAll('#evm-wallets img')].every((image) => image.complete && image.naturalWidth > 0)",
      ),
    );
    await second.check();
    await button(page, "Browser", "Add the network").click();
    await status(page, "evm", "The network is in your wallet.").waitFor();
    assert.deepEqual(
      (await asked()).map(({ name }) => name),
      ["Second <b>Wallet</b>"],
    );
    assert.equal(await page.locator("#evm-wallets b").count(), 0);
    // The other wallet starts again at the first step.
    await first.check();
    assert.equal(await stateOf(page, "evm-step-add"), "");
    await page
      .locator("#framework-wallets", {
        hasText: "No framework wallet was found.",
      })
      .waitFor();
    await picture(page, "announced");
    assert.deepEqual(problems, []);
  });

  it("says what was refused, what is missing and what is wrong", async () => {
    await using refusing = await open({ chainId: "0x1" });
    const { page } = refusing;
    await page.evaluate("walletState.refuse = true");
    await button(page, "Browser", "Add the network").click();
    await page
      .locator("#evm-status.bad", {
        hasText: "You rejected the request in the wallet.",
      })
      .waitFor();
    assert.equal(await stateOf(page, "evm-step-add"), "failed");
    await button(page, "Framework", "Add the network").click();
    await page
      .locator("#framework-status.bad", {
        hasText: "You rejected the request in the wallet.",
      })
      .waitFor();
    await page.evaluate("walletState.refuse = false");
    await button(page, "Browser", "Connect").click();
    await status(page, "evm", "chain with ID 1").waitFor();

    const network = world.describe({
      title: TITLE,
      endpoints: {
        restUrl: "http://127.0.0.1:1",
        nodeRpcUrl: "http://127.0.0.1:1",
      },
    });
    const problems: string[] = [];
    const partly = await serveWallet(
      forwarded(
        {
          ...network,
          facts: {
            ...network.facts,
            currency: {
              name: "<img src=x onerror=alert(1)>",
              symbol: "LONGSYM",
              decimals: 18,
            },
          },
        },
        { onProblem: (problem) => problems.push(problem) },
      ),
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
      assert.equal(await opened.page.locator("main img").count(), 0);
      assert.match(await text(opened.page, "#facts"), /<img src=x/);
      assert.doesNotMatch(
        await text(opened.page, "main"),
        /DUALSTACK_/,
        "what its readers cannot do is said in the terminal",
      );
      assert.match(problems.join("\n"), /DUALSTACK_CURRENCY_SYMBOL/);
      assert.deepEqual(opened.problems, []);
    } finally {
      await partly.close();
    }
  });

  it("reports no problems on a local network", async () => {
    const local = (evmUrl: string | undefined) =>
      world.describe({
        kind: "local",
        name: "localhost",
        title: TITLE,
        endpoints: {
          evmUrl,
          wsUrl: undefined,
          nodeRpcUrl: undefined,
          restUrl: undefined,
          grpcHost: undefined,
        },
      });
    const node = await serveWallet(forwarded(local(world.evmHttp.url)));
    const inside = await serveWallet(
      forwarded(local(undefined), {
        provider: new HttpClient({ url: world.evmHttp.url }),
      }),
    );
    try {
      await using opened = await open({}, { url: node.url });
      const { page } = opened;
      await page.locator("#evm-add:enabled").waitFor();
      assert.equal(await page.locator("#framework").count(), 0);
      assert.deepEqual(
        (await page.locator("#facts dt").allTextContents()).slice(2),
        ["EVM JSON-RPC"],
      );
      assert.doesNotMatch(
        await text(page, "body"),
        /DUALSTACK_|--|not configured|cannot|missing/,
      );
      await button(page, "Browser", "Connect").click();
      await status(page, "evm", "Connected.").waitFor();
      await picture(page, "local");
      await using alone = await open({}, { url: inside.url });
      await alone.page
        .locator("#evm-status", { hasText: "runs inside one process" })
        .waitFor();
      assert.deepEqual([...opened.problems, ...alone.problems], []);
    } finally {
      await node.close();
      await inside.close();
    }
  });

  it("answers no other page", async () => {
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
