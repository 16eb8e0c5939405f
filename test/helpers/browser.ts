import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

import { type Browser, chromium, type Page } from "playwright-core";

const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/**
 * Why tests of pages are skipped, if they are: in CI the browser is required,
 * elsewhere it is optional.
 */
export const WITHOUT_BROWSER =
  process.env["CI"] === undefined && !existsSync(CHROMIUM)
    ? `there is no browser at ${CHROMIUM}; install Debian's package "chromium", or give the path of another one in CHROMIUM_PATH`
    : process.env["DUALSTACK_SKIP_BROWSER"] === undefined
      ? false
      : "DUALSTACK_SKIP_BROWSER is set";

export async function launchBrowser(): Promise<Browser> {
  assert.ok(
    existsSync(CHROMIUM),
    `There is no browser at ${CHROMIUM}. Install Debian's package "chromium", give the path of another one in CHROMIUM_PATH, or set DUALSTACK_SKIP_BROWSER.`,
  );
  return await chromium.launch({
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
}

/** Records what moved without the user's action, and how far (Layout Instability). */
const SHIFTS = `
  globalThis.shifted = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      globalThis.shifted.push([value, ...sources.map(({ node }) => node?.id || node?.nodeName)].join(" "));
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the page, and its requests to other origins. */
  readonly problems: string[];
  /** What moved without the user's action. */
  shifted(): Promise<string[]>;
}

export interface PageLook {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  /** Runs in the page before its own scripts. */
  readonly script?: string;
}

/** Opens a page in a context of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  { colorScheme = "light", width = 1000, script = "" }: PageLook = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const { origin } = new URL(url);
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
  await page.addInitScript(`${script}\n${SHIFTS}`);
  await page.goto(url);
  return {
    page,
    problems,
    shifted: async () => await page.evaluate<string[]>("shifted"),
    async [Symbol.asyncDispose]() {
      await context.close();
    },
  };
}

const read = (file: string | URL) => readFileSync(file, "utf8");
// Runs in the browser as it is, so it must not be compiled.
const CONTRAST = read(new URL("contrast-in-page.js", import.meta.url));
const AXE = read(createRequire(import.meta.url).resolve("axe-core/axe.min.js"));

/** The violations that axe-core finds. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return await page.evaluate<string[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))",
  );
}

/** The contrast (WCAG) of every text with its background. */
export const contrasts = async (page: Page): Promise<number[]> =>
  await page.evaluate<number[]>(CONTRAST);

/** Saves a picture of the whole page, if one is wanted. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["DUALSTACK_SCREENSHOTS"];
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true });
    await page.screenshot({
      path: path.join(folder, `${name}.png`),
      fullPage: true,
    });
  }
}

export const isTooWide = async (page: Page): Promise<boolean> =>
  await page.evaluate<boolean>(
    "document.documentElement.scrollWidth > innerWidth",
  );
