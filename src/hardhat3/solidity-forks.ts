import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import type { HardhatConfig } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";
import type { SolidityTestForkingConfig } from "hardhat/types/test";

import { PUBLIC_NETWORK_KINDS } from "../chain/facts.js";
import { HttpClient } from "../rpc/http-client.js";
import { PLUGIN_ID } from "./constants.js";

/** Where the versions of Hardhat keep what Solidity tests fork. */
interface Forking {
  readonly forking?: SolidityTestForkingConfig;
  readonly profiles?: {
    readonly default?: { readonly forking?: SolidityTestForkingConfig };
  };
}

/** A fork that Solidity tests make, or may make. */
interface Fork {
  readonly how: string;
  url(): Promise<string>;
  /** The test's source, relative to the project, where it has the URL. */
  readonly file?: string;
}

/** A URL in a test's source, and what makes the test fork it. */
const URLS = /"(https?:\/\/[^"\s]+)"/g;
const FORKS = /\bcreate(?:Select)?Fork\b/;

/** Milliseconds; an endpoint that takes longer is not mentioned. */
const PATIENCE_MS = 3_000;

/**
 * Warns that Solidity tests which fork one of the chain's networks do not have
 * its staking state: they run in a simulator of their own, into which it cannot
 * be read.
 */
export async function tellOfForks({
  config,
  interruptions,
}: Pick<HookContext, "config" | "interruptions">): Promise<void> {
  const { profiles, forking }: Forking = config.test.solidity;
  const { url, rpcEndpoints = {} } =
    profiles?.default?.forking ?? forking ?? {};
  const forked: readonly Fork[] = [
    ...(url === undefined
      ? []
      : [{ how: "fork", url: async () => await url.getUrl() }]),
    ...Object.entries(rpcEndpoints).map(([name, endpoint]) => ({
      how: `may fork "${name}",`,
      url: async () => await endpoint.getUrl(),
    })),
    ...(await writtenIn(config.paths)),
  ];
  const { networks } = config.dualstack;
  const ours = new Map<number, string>(
    PUBLIC_NETWORK_KINDS.map((kind) => [
      networks[kind].chainId,
      networks[kind].name,
    ]),
  );
  const told = await Promise.all(
    forked.map(async (fork) => {
      const { how, file } = fork;
      const name = ours.get((await chainIdOf(fork)) ?? 0);
      const where = file === undefined ? "" : ` in ${file}`;
      return name === undefined ? [] : [`${how} ${name}${where}`];
    }),
  );
  const [first] = told.flat();
  if (first === undefined) return;
  await interruptions.displayMessage(
    PLUGIN_ID,
    `Solidity tests ${told.flat().join(", and ")}, but its validators, delegations and proposals are not there: calls of the precompiles fail until Dualstack.install(), which starts a chain of its own. To test with the chain's own state, write the test in TypeScript, on a network that forks it.`,
  );
}

/** Returns the URLs that stand in tests which fork. */
async function writtenIn({
  root,
  tests,
  sources,
}: HardhatConfig["paths"]): Promise<Fork[]> {
  const folders = new Set([tests.solidity, ...sources.solidity]);
  const files = await Promise.all(
    [...folders].map(async (folder) => {
      const names = await readdir(folder, { recursive: true }).catch(() => []);
      return names
        .filter((name) => name.endsWith(".sol"))
        .map((name) => path.join(folder, name));
    }),
  );
  const found = [...new Set(files.flat())].sort().map(async (file) => {
    const text = await readFile(file, "utf8");
    if (!FORKS.test(text)) return [];
    const urls = new Set([...text.matchAll(URLS)].map(([, url = ""]) => url));
    return [...urls].map((url) => ({
      how: "fork",
      url: async () => url,
      file: path.relative(root, file),
    }));
  });
  return (await Promise.all(found)).flat();
}

async function chainIdOf(fork: Fork): Promise<number | undefined> {
  try {
    const client = new HttpClient({
      url: await fork.url(),
      retries: 0,
      timeoutMs: PATIENCE_MS,
    });
    return Number(await client.request({ method: "eth_chainId" }));
  } catch {
    return undefined;
  }
}
