import path from "node:path";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import plugin from "../../src/index.js";
import { open, valueAt } from "../servers/archive/archive.mjs";

/** The recording that comes with the tests. */
const OWN_FILE = path.join(
  import.meta.dirname,
  "../servers/archive/archive.json.gz",
);
export const ARCHIVE_FILE = process.env.DUALSTACK_ARCHIVE ?? OWN_FILE;

export const archive = open(ARCHIVE_FILE);

/**
 * The tests' own recording, where they need what it prints or its accounts'
 * keys.
 */
export const ownArchive = ARCHIVE_FILE === OWN_FILE ? archive : open(OWN_FILE);

/** The chain's facts from the recording, for the configuration. */
export const FACTS = {
  baseDenom: archive.data.denom as string,
  bech32Prefix: archive.data.prefix as string,
};

export const CHAIN_ID = Number(archive.data.chainId);

/** Whether all heights and views are compared, instead of a sample. */
export const ALL = process.env.DUALSTACK_ALL_HEIGHTS !== undefined;

/** Returns heights spread evenly over the whole chain. */
export function heights(count: number): number[] {
  const { head } = archive;
  const step = (head - 3) / (count - 1);
  return Array.from({ length: count }, (_, index) =>
    Math.round(3 + index * step),
  );
}

export interface RecordedView {
  readonly to: string;
  readonly data: string;
  readonly name: string;
  /** The answer, or the error's data. */
  readonly answer: string;
}

/** Returns all views that were recorded at a height. */
export function viewsAt(height: number): RecordedView[] {
  return Object.entries<any>(archive.data.calls).flatMap(([key, recorded]) => {
    const found = valueAt(recorded.at, height);
    if (found === undefined) return [];
    const [to = "", data = ""] = key.split(" ");
    return {
      to,
      data,
      name: `${recorded.method} ${JSON.stringify(recorded.args)}`,
      answer: typeof found === "string" ? found : found.error.data,
    };
  });
}

export interface Fork {
  readonly connection: any;
  request(method: string, ...params: unknown[]): Promise<any>;
  close(): Promise<void>;
}

export interface ForkOptions {
  readonly url: string;
  readonly height: number;
  /** Whether the chain's node RPC is configured. */
  readonly stores: boolean;
  readonly localnet?: object;
  /** Settings of the precompiles. */
  readonly precompiles?: object;
  readonly cache?: string;
}

/** Opens a network on Hardhat 3 that forks the archive. */
export async function fork(options: ForkOptions): Promise<Fork> {
  const { url, height, stores, localnet = {}, precompiles, cache } = options;
  const hre = await createHardhatRuntimeEnvironment({
    plugins: [plugin],
    dualstack: {
      ...FACTS,
      testnet: {
        chainId: CHAIN_ID,
        ...(stores ? { baseUrl: url } : {}),
      },
      localnet,
      ...(precompiles === undefined ? {} : { precompiles }),
    },
    ...(cache === undefined ? {} : { paths: { cache } }),
    networks: {
      fork: {
        type: "edr-simulated",
        forking: { url: `${url}/evm`, blockNumber: height },
      },
    },
  });
  const connection = await hre.network.create("fork");
  return {
    connection,
    request: async (method, ...params) =>
      await connection.provider.request({ method, params }),
    close: async () => await connection.close(),
  };
}

/** Turns on the precompiles that not every chain has. */
export const ALL_PRECOMPILES = {
  slashing: { active: true },
  bank: { active: true },
} as const;

/** Returns a call's result, or the data of its error. */
export async function answerOf(asking: Promise<unknown>): Promise<unknown> {
  try {
    return await asking;
  } catch (error) {
    const { data, message } = error as { data?: any; message: string };
    return data?.data ?? data ?? message;
  }
}

/**
 * Returns the address of an account or contract in the tests' own recording.
 */
export function named(name: string): string {
  const found = Object.entries(ownArchive.data.names).find(
    ([, other]) => other === name,
  );
  if (found === undefined) throw new Error(`nobody is called ${name}`);
  return found[0];
}
