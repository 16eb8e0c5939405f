import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { DirectEthSecp256k1Wallet } from "@cosmjs/proto-signing";
import { SigningStargateClient } from "@cosmjs/stargate";
import { hexToBytes } from "@noble/hashes/utils";
import { Contract, ContractFactory, JsonRpcProvider, Wallet } from "ethers";
import type { Browser, Page } from "playwright-core";

import { PRECOMPILES } from "../../src/precompiles/index.js";
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
import { COUNTER } from "../helpers/contracts.js";
import { type ArtifactsFolder, artifactsFolder } from "./project.js";
import { startNode, type StartedNode } from "./start.js";

const ONE = 10n ** 18n;
/** Would run if a page took text for HTML. */
const HOSTILE = "<img src=x onerror=alert(1)>";
const TITLE = `Raise the limit ${HOSTILE}`;

describe(
  "the local network's page in a browser",
  { skip: WITHOUT_BROWSER },
  () => {
    let artifacts: ArtifactsFolder;
    let started: StartedNode;
    let browser: Browser;
    let provider: JsonRpcProvider;
    let operators: string[];
    /** For tests that only look. */
    let shared: OpenedPage;

    before(async () => {
      artifacts = await artifactsFolder();
      started = await startNode(
        { blockTime: 0.2, accounts: 8 },
        {},
        { artifacts: artifacts.folder },
      );
      provider = new JsonRpcProvider(started.node.endpoints.evmUrl, undefined, {
        cacheTimeout: -1,
        pollingInterval: 50,
      });
      const { items } = await started.clients.query.staking.validators({});
      operators = items.map(({ operator }) => operator.valoper);
      browser = await launchBrowser();
      await live();
      shared = await open();
    });
    after(async () => {
      await shared?.[Symbol.asyncDispose]();
      await browser?.close();
      provider?.destroy();
      await started?.[Symbol.asyncDispose]();
      await artifacts?.[Symbol.asyncDispose]();
    });

    const account = (i: number) => {
      const found = started.node.accounts[i];
      assert.ok(found !== undefined);
      return found;
    };
    const signer = (i: number) => new Wallet(account(i).privateKey, provider);
    const call = async (
      of: "staking" | "governance",
      i: number,
      method: string,
      ...args: unknown[]
    ) => {
      const { address, abi } = PRECOMPILES[of];
      const contract = new Contract(address, abi, signer(i));
      const sent = await contract
        .getFunction(method)
        .send(account(i).address, ...args, { gasLimit: 2_000_000 });
      return await sent.wait().catch((error: unknown) => error);
    };
    const byFramework = async (i: number, messages: object[]) => {
      const wallet = await DirectEthSecp256k1Wallet.fromKey(
        hexToBytes(account(i).privateKey.slice(2)),
        "cosmos",
      );
      const client = await SigningStargateClient.connectWithSigner(
        started.node.endpoints.nodeRpcUrl,
        wallet,
        { broadcastPollIntervalMs: 50 },
      );
      const result = await client.signAndBroadcast(
        account(i).account,
        messages as never,
        {
          amount: [{ denom: "anative", amount: String(2n * 10n ** 15n) }],
          gas: "2000000",
        },
      );
      client.disconnect();
      assert.equal(result.code, 0, result.rawLog);
    };
    const coin = (amount: bigint) => ({
      denom: "anative",
      amount: String(amount),
    });
    const delegate = (i: number, validator: string, amount: bigint) => ({
      typeUrl: "/cosmos.staking.v1beta1.MsgDelegate",
      value: {
        delegatorAddress: account(i).account,
        validatorAddress: validator,
        amount: coin(amount),
      },
    });

    /** Does what people do on a network, on both stacks. */
    async function live(): Promise<void> {
      const [first = "", second = ""] = operators;
      await call("staking", 0, "delegate", first, 250n * ONE);
      await call("staking", 0, "undelegate", first, 20n * ONE);
      await byFramework(2, [
        delegate(2, second, 500n * ONE),
        {
          typeUrl: "/cosmos.gov.v1.MsgSubmitProposal",
          value: {
            messages: [],
            initialDeposit: [coin(10n * ONE)],
            proposer: account(2).account,
            metadata: "ipfs://CID",
            title: TITLE,
            summary: "More of them",
            expedited: false,
          },
        },
      ]);
      await call("governance", 0, "vote", 1n, 1, "");
      // This one fails.
      await call("staking", 1, "undelegate", first, ONE);
      await started.evm("dualstack_addValidator", {
        operator: account(6).address,
        moniker: `Hostile ${HOSTILE}`,
      });
    }

    async function open(look: PageLook = {}): Promise<OpenedPage> {
      const opened = await openPage(
        browser,
        `${started.node.endpoints.baseUrl}/`,
        { width: 1200, ...look },
      );
      await opened.page.locator("#accounts-rows tr").nth(7).waitFor();
      return opened;
    }
    const region = (page: Page, name: string) =>
      page.getByRole("region", { name, exact: true }).first();
    const said = (page: Page, text: string | RegExp) =>
      page.locator("#said", { hasText: text }).waitFor();
    const transaction = (page: Page, title: string) =>
      page
        .getByRole("list", { name: "Transactions" })
        .getByRole("button", { name: title })
        .first();

    it("shows a transaction of the EVM on both stacks", async () => {
      const { page, problems } = shared;
      await transaction(page, "Staking.undelegate EVM from Account #0").click();
      const detail = region(page, "The selected transaction");
      await detail
        .getByRole("heading", { level: 3, name: "Staking.undelegate" })
        .waitFor();
      const evm = detail.locator(".stack.evm", {
        hasText:
          /delegatorAddress0xf39F\w+ \(Account #0\).*amount20000000000000000000 \(20 NATIVE\)/s,
      });
      await evm.getByRole("heading", { name: "Staking.Unbond" }).waitFor();
      const framework = detail.locator(".stack.framework");
      await framework
        .getByRole("heading", { name: "/cosmos.evm.vm.v1.MsgEthereumTx" })
        .waitFor();
      await framework.getByText("Events", { exact: false }).click();
      await framework
        .getByRole("heading", { name: "ethereum_tx", exact: true })
        .first()
        .waitFor();
      await picture(page, "evm");
      assert.deepEqual(problems, []);
    });

    it("shows a framework transaction on both stacks", async () => {
      const { page, problems } = shared;
      await transaction(page, "MsgDelegate and 1 more").click();
      const framework = page.locator("#detail .stack.framework");
      await framework
        .getByRole("heading", { name: "/cosmos.staking.v1beta1.MsgDelegate" })
        .waitFor();
      const text = (await framework.textContent()) ?? "";
      assert.ok(text.includes(`${account(2).account} (Account #2)`));
      assert.match(text, /500000000000000000000anative \(500 NATIVE\)/);
      assert.ok(text.includes(`title${TITLE}`), "as it was written");
      await page
        .locator("#detail .stack.evm", { hasText: "A framework transaction." })
        .waitFor();
      await picture(page, "framework");
      assert.deepEqual(problems, []);
    });

    it("says why a transaction failed", async () => {
      const { page } = shared;
      await transaction(page, "Staking.undelegate EVM · failed").click();
      await page
        .locator("#detail .failure", { hasText: "no delegation" })
        .waitFor();
      await page.locator("#detail .badge", { hasText: "failed" }).waitFor();
    });

    it("knows the project's contracts by their artifacts, as they are built", async () => {
      const { page, problems } = shared;
      // The list stands still while the pointer is in it.
      await page.mouse.move(0, 0);
      await artifacts.build();
      const factory = new ContractFactory(
        COUNTER.abi,
        COUNTER.bytecode,
        signer(3),
      );
      const counter = await factory.deploy(5n);
      await transaction(page, "Deploy Counter").waitFor();
      const sent = await counter
        .getFunction("add")
        .send(3n, { gasLimit: 200_000 });
      await sent.wait();
      await transaction(page, "Counter.add").click();
      await page
        .locator("#detail .stack.evm")
        .getByRole("heading", { name: "Counter.Counted" })
        .waitFor();
      await region(page, "Accounts")
        .getByRole("cell", { name: "Counter", exact: true })
        .waitFor();
      assert.deepEqual(problems, []);
    });

    it("shows validators, delegations, what is due, proposals and accounts", async () => {
      const { page, problems } = shared;
      const validators = region(page, "Validators");
      await validators
        .getByRole("row", { name: /^Beta .*Bonded/ })
        .or(validators.getByRole("row", { name: /^Alpha .*Bonded/ }))
        .first()
        .waitFor();
      await validators.getByText(`Hostile ${HOSTILE}`).waitFor();
      await region(page, "Delegations and rewards")
        .getByRole("row", { name: /^Account #2 \w+ 500 / })
        .waitFor();
      const line = region(page, "Timeline");
      await line
        .getByRole("listitem")
        .filter({
          hasText: /Unbonding.*Account #0 from \w+.*20 NATIVE.*in 20 d/s,
        })
        .waitFor();
      await line
        .getByRole("listitem")
        .filter({ hasText: /Vote.*Proposal 1: Raise the limit/s })
        .waitFor();
      const proposals = region(page, "Proposals");
      await proposals
        .getByRole("heading", { level: 3, name: `#1 ${TITLE}` })
        .waitFor();
      await proposals
        .getByRole("listitem")
        .filter({ hasText: /^Yes230 NATIVE100.0 %/ })
        .waitFor();
      await proposals.getByText("Votes (1)").click();
      await proposals
        .getByRole("listitem")
        .filter({ hasText: /^Account #0Yes$/ })
        .waitFor();
      const accounts = region(page, "Accounts");
      const { address, account: text } = account(7);
      const row = accounts.getByRole("row", { name: /^Account #7 / });
      const cells = (await row.getByRole("cell").allTextContents()).join(" ");
      assert.ok(cells.includes(address) && cells.includes(text), cells);
      assert.match(cells, / 10,000 0 /);
      assert.equal(await page.locator("main img").count(), 0);
      assert.deepEqual(problems, []);
    });

    it("has buttons for what tests can do", async () => {
      await using opened = await open();
      const { page, problems } = opened;
      const button = (name: string) =>
        page.getByRole("button", { name, exact: true });
      await button("Pause").click();
      await said(
        page,
        "Paused: no block is mined until you mine one or resume.",
      );
      await page.locator("#life[data-state=paused]").waitFor();
      const height = await provider.getBlockNumber();
      await button("Mine a block").click();
      await said(page, `Mined block ${height + 1}.`);
      assert.equal(await provider.getBlockNumber(), height + 1);

      await button("Advance a day").click();
      await said(page, /^Advanced by 1 d, to /);

      await button(
        `Grant tokens to Account #7, ${account(7).address.slice(0, 8)}`,
      ).click();
      await said(page, "Granted 100 NATIVE and 1,000 STABLE to 0x");
      await transaction(page, "STABLE.mint EVM from Faucet").waitFor();
      const row = region(page, "Accounts").getByRole("row", {
        name: /^Account #7 .* 10,100 1,000 /,
      });
      await row.waitFor();
      await page.getByLabel("Grant to another address").fill("cosmos1nobody");
      await page.keyboard.press("Enter");
      await page.locator("#said.bad", { hasText: /address/i }).waitFor();
      await page
        .getByLabel("Grant to another address")
        .fill(account(5).account);
      await page.keyboard.press("Enter");
      await said(page, "Granted 100 NATIVE");
      assert.equal(
        await provider.getBalance(account(5).address),
        10_100n * ONE,
      );

      await button("Advance to the end of the vote on proposal 1").click();
      await said(page, /^Proposal 1: the vote ended at /);
      await region(page, "Proposals")
        .getByText(/^(?:Passed|Rejected)$/)
        .waitFor();

      const alpha = region(page, "Validators").getByRole("row", {
        name: /^Alpha /,
      });
      const stake = await alpha.getByRole("cell").nth(1).textContent();
      await button("Slash Alpha").click();
      const dialog = page.getByRole("dialog", { name: "Slash a validator" });
      await dialog.getByLabel("Part of its stake, in percent").fill("50");
      await picture(page, "slash");
      assert.deepEqual(await faults(page), []);
      await dialog.getByRole("button", { name: "Slash" }).click();
      await said(page, "Slashed Alpha by 50 %, and jailed it.");
      await alpha.getByText("Jailed").waitFor();
      assert.notEqual(
        await alpha.getByRole("cell").nth(1).textContent(),
        stake,
      );
      await button("Unjail Alpha").click();
      await said(page, "Unjailed Alpha.");
      await alpha.getByText("Bonded").waitFor();
      await button("Slash Alpha").click();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      assert.equal(
        await page.evaluate("document.activeElement?.ariaLabel"),
        "Slash Alpha",
        "the focus comes back",
      );

      await button("Advance to the next maturity").click();
      await said(page, /^Advanced by 1\d d/);
      await page.getByText("Nothing unbonds, and no vote is open.").waitFor();
      assert.ok(await button("Advance to the next maturity").isDisabled());

      await button("Resume").click();
      await said(page, "Resumed: blocks are mined automatically again.");
      await page.locator("#life[data-state=alive]").waitFor();
      assert.deepEqual(
        problems.filter((one) => !one.includes("400")),
        [],
        "the browser's own word on the status is all",
      );
    });

    it("copies addresses and examples, each of which works", async () => {
      const { page, problems } = shared;
      const { restUrl } = started.node.endpoints;
      const clipboard = async () =>
        await page.evaluate<string>("navigator.clipboard.readText()");
      await page
        .getByRole("button", { name: "Copy the example for REST" })
        .click();
      await page.getByText("Copied", { exact: true }).waitFor();
      assert.equal(
        await clipboard(),
        `curl -s ${restUrl}/cosmos/staking/v1beta1/validators`,
      );
      await page
        .getByRole("button", { name: `Copy ${account(0).account}` })
        .click();
      assert.equal(await clipboard(), account(0).account);
      const examples = await page
        .locator("#endpoint-list .example")
        .evaluateAll((list) =>
          list.map(
            (one) => (one as { dataset: any }).dataset["copy"] as string,
          ),
        );
      assert.equal(examples.length, 7);
      for (const example of examples.filter((one) => one.startsWith("curl"))) {
        const [, url = ""] = /(http:\S+)/.exec(example) ?? [];
        const body = /-d '(.*)'$/.exec(example)?.[1];
        const answer = await fetch(url, {
          ...(body === undefined ? {} : { method: "POST", body }),
          headers: { "content-type": "application/json" },
        });
        assert.equal(answer.status, 200, example);
        assert.doesNotMatch(await answer.text(), /"error":/, example);
      }
      assert.deepEqual(problems, []);
    });

    it("is live through the socket alone, and shifts nothing as blocks come", async () => {
      for (const width of [1200, 320]) {
        await using opened = await open({ width });
        const { page, problems, shifted } = opened;
        const height = async () =>
          Number(
            (await page.locator("#height").textContent())?.replace(",", ""),
          );
        const first = await height();
        while ((await height()) < first + 5) {
          await page.waitForTimeout(50);
        }
        assert.deepEqual(await shifted(), [], String(width));
        assert.equal(
          await page.evaluate(
            "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/evm'))",
          ),
          false,
        );
        assert.deepEqual(problems, []);
      }
      await using opened = await open();
      const { page } = opened;
      await started.evm("dualstack_state");
      const states = async () =>
        await page.evaluate<number>(
          "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('state.json')).length",
        );
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await said(page, "Paused");
      // What the last block made the page ask may take its time.
      let [before, rounds] = [-1, 0];
      while ((await states()) !== before) {
        assert.ok(rounds++ < 10, "without blocks nothing is asked");
        before = await states();
        await page.waitForTimeout(1_500);
      }
      await page.getByRole("button", { name: "Resume", exact: true }).click();
    });

    it("keeps the list still while somebody is in it", async () => {
      await using opened = await open();
      const { page } = opened;
      const first = page
        .getByRole("list", { name: "Transactions" })
        .getByRole("button")
        .first();
      await first.focus();
      const title = await first.textContent();
      const sent = await signer(4).sendTransaction({
        to: account(5).address,
        value: ONE / 4n,
      });
      await page.locator("#held", { hasText: "1 new" }).waitFor();
      assert.equal(await first.textContent(), title);
      await sent.wait();
      await page.getByLabel("Grant to another address").focus();
      await first.filter({ hasText: "Send 0.25 NATIVE" }).waitFor();
      assert.match(
        (await page.locator("#news").textContent()) ?? "",
        /new transactions|^New in block [\d,]+: Send 0.25 NATIVE, succeeded/,
      );
    });

    it("passes axe-core, with readable colours, in both schemes and widths", async () => {
      await using opened = await open();
      const { page } = opened;
      await page.locator("#detail h3").waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1440, 320]) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await faults(page), [], `${colorScheme} ${width}`);
          const ratios = await contrasts(page);
          assert.ok(
            ratios.length > 100 && Math.min(...ratios) >= 4.5,
            `${colorScheme}: ${Math.min(...ratios)}`,
          );
          assert.equal(await isTooWide(page), false);
          await picture(page, `${colorScheme}-${width}`);
        }
      }
    });

    it("works by keyboard, and labels its parts for screen readers", async () => {
      await using opened = await open({ width: 320, colorScheme: "dark" });
      const { page } = opened;
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: "Skip to the transactions" });
      assert.ok(await skip.evaluate((one) => one.matches(":focus")));
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await said(page, /^Mined block/);
      assert.equal(
        await page.evaluate(
          "getComputedStyle(document.activeElement).outlineStyle",
        ),
        "solid",
        "the focus is seen",
      );
      for (const name of [
        "Validators",
        "Delegations and rewards",
        "Accounts",
      ]) {
        await page.getByRole("table", { name }).waitFor();
      }
      for (const id of ["said", "news"]) {
        assert.equal(
          await page.locator(`#${id}`).getAttribute("role"),
          "status",
        );
      }
      // A height that is read out with every block would be a nuisance.
      assert.equal(await page.locator("#life").getAttribute("role"), null);
      assert.equal(await page.locator("html").getAttribute("lang"), "en");
    });

    it("says that the network has stopped, and comes back with another", async () => {
      const first = await startNode({ accounts: 8 });
      const port = Number(new URL(first.node.endpoints.baseUrl).port);
      await using opened = await openPage(
        browser,
        `${first.node.endpoints.baseUrl}/`,
      );
      const { page } = opened;
      await page.locator("#life[data-state=alive]").waitFor();
      await first[Symbol.asyncDispose]();
      await page
        .locator("#life-text", { hasText: "The network does not answer" })
        .waitFor();
      await page
        .locator("#news", { hasText: "The page connects again" })
        .waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Mine a block" }).click();
      await said(page, "The network did not answer.");
      const navigated = page.waitForEvent("framenavigated");
      // A real node's socket is open to no page; the page has its own.
      const second = await startNode({ accounts: 8, port, likeChain: true });
      try {
        await navigated;
        await page.locator("#life[data-state=alive]").waitFor();
      } finally {
        await second[Symbol.asyncDispose]();
      }
    });
  },
);
