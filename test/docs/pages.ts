import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { wholeNetwork } from "../commands/network.js";
import { ownArchive } from "../forks/archive.js";
import { NAME, pack, ROOT } from "../package/package.js";
import { recordedChain } from "../replay/chain.js";
import { blocksOf } from "./blocks.js";
import { type PageRun, runPage, type Testnet } from "./page.js";
import { HARDHAT_2, HARDHAT_3, type Major } from "./project.js";

/** What readers of the README have; a page that needs more says so itself. */
const CONFIG = "hardhat.config.ts";
const packages = (major: Major) => [
  NAME,
  "hardhat",
  major === HARDHAT_3
    ? "@nomicfoundation/hardhat-toolbox-mocha-ethers"
    : "@nomicfoundation/hardhat-toolbox",
];

/** Returns the first configuration that readers are shown. */
function firstConfig(
  major: Major,
  pages: readonly Page[],
): Readonly<Record<string, string>> {
  const config = pages
    .filter((page) => page.major === major)
    .flatMap(({ name, text }) => blocksOf(name, text))
    .find((block) => block.kind === "file" && block.path === CONFIG);
  return config === undefined ? {} : { [CONFIG]: config.code };
}

export interface Page {
  /** Its path in the package. */
  readonly name: string;
  readonly text: string;
  readonly major: Major;
}

export async function readPages(): Promise<Page[]> {
  const docs = await readdir(path.join(ROOT, "docs"));
  const names = ["README.md", ...docs.map((name) => `docs/${name}`).sort()];
  return await Promise.all(
    names.map(async (name) => ({
      name,
      text: await readFile(path.join(ROOT, name), "utf8"),
      major: name === "docs/hardhat2.md" ? HARDHAT_2 : HARDHAT_3,
    })),
  );
}

/** Servers for a test network, and the package as readers get it. */
export interface Readers extends AsyncDisposable {
  readonly tarball: string;
  /** Returns what a reader of the README has installed. */
  packages(major: Major): readonly string[];
  read(page: Page): Promise<PageRun>;
}

export async function startReaders(pages: readonly Page[]): Promise<Readers> {
  const { tarball } = await pack();
  const network = await wholeNetwork(200);
  const recorded = await recordedChain(ownArchive);
  const addresses = {
    [network.evmHttp.url]: "https://testnet.example/evm",
    [network.ws.url]: "wss://testnet.example/ws",
    [network.nodeRpc.url]: "https://testnet.example/rpc",
    [network.rest.url]: "https://testnet.example/api",
    [network.grpc.host]: "testnet.example:9090",
  };
  const testnet: Testnet = {
    variables: {
      DUALSTACK_TESTNET_EVM_URL: network.evmHttp.url,
      DUALSTACK_TESTNET_WS_URL: network.ws.url,
      DUALSTACK_TESTNET_NODE_RPC_URL: network.nodeRpc.url,
      DUALSTACK_TESTNET_REST_URL: network.rest.url,
      DUALSTACK_TESTNET_GRPC_HOST: network.grpc.host,
      DUALSTACK_BASE_DENOM: "atest",
    },
    disguise: (output) =>
      Object.entries(addresses).reduce(
        (text, [real, shown]) => text.replaceAll(real, shown),
        output,
      ),
  };
  /** For a page that needs a chain with a past. */
  const withPast: Testnet = {
    ...testnet,
    variables: { DUALSTACK_TESTNET_BASE_URL: recorded.url },
  };
  return {
    tarball,
    packages,
    read: async ({ name, text, major }) =>
      await runPage(name, text, {
        major,
        tarball,
        testnet: name === "docs/trace.md" ? withPast : testnet,
        ...(name === "README.md"
          ? { packages: [], files: {} }
          : { packages: packages(major), files: firstConfig(major, pages) }),
      }),
    async [Symbol.asyncDispose]() {
      await network[Symbol.asyncDispose]();
      await recorded.close();
    },
  };
}

// npm run docs: writes what the commands on the pages print now, on all pages or on those named.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const wanted = process.argv.slice(2);
  const pages = await readPages();
  await using readers = await startReaders(pages);
  for (const page of pages) {
    if (
      wanted.length === 0 ||
      wanted.some((name) => page.name.includes(name))
    ) {
      const { text, problems } = await readers.read(page);
      await writeFile(path.join(ROOT, page.name), text);
      console.log(`${page.name}\n${problems.join("\n")}`);
    }
  }
}
