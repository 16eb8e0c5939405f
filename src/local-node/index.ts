import { DERIVATION_PATH } from "../chain/facts.js";
import { checkMnemonic } from "../config/accounts.js";
import type { DualstackConfig } from "../config/resolve.js";
import { parseAddress } from "../address/index.js";
import { LOCAL_NODE } from "../chain/local-node.js";
import { TEST_KEYS } from "../chain/test-keys.js";
import type { LocalEngine } from "../localnet/engine.js";
import { DualstackError } from "../support/errors.js";
import { cleanText, errorText } from "../support/text.js";
import { parseAmount } from "../support/units.js";
import type { SimulatedNetwork } from "./chain.js";
import type { LocalNodeEndpoints } from "./endpoints.js";

/** How to start a local network. */
export interface LocalNodeOptions {
  /** Port of all endpoints except gRPC; 0, the default, takes any free one. */
  readonly port?: number;
  /** Port of the gRPC endpoint; 0, the default, takes any free one. */
  readonly grpcPort?: number;
  /**
   * The interface to listen on; default 127.0.0.1, which no other machine can
   * reach.
   */
  readonly hostname?: string;
  /** Number of funded accounts, from 1 to 1000; default 20. */
  readonly accounts?: number;
  /** Balance of each account in whole tokens; default "10000". */
  readonly balance?: string;
  /** The mnemonic of the accounts' keys; default: Hardhat's test mnemonic. */
  readonly mnemonic?: string;
  /** Seconds between blocks, from 0.05 to 3600; default 1. */
  readonly blockTime?: number;
  /** Mines a block for every transaction, and no others. */
  readonly automine?: boolean;
  /**
   * Imitates the pitfalls of a real node, so that software meets them early.
   */
  readonly likeChain?: boolean;
  /**
   * The chain to fork: a configured network's name, or the URL of an EVM
   * endpoint.
   */
  readonly fork?: string;
  /** Height of the block to fork; default: a recent one. */
  readonly forkBlock?: number;
}

/** A funded account of a local network. */
export interface LocalNodeAccount {
  readonly address: `0x${string}`;
  /** The same address in bech32: `<prefix>1…`. */
  readonly account: string;
  readonly privateKey: `0x${string}`;
}

/** A running local network. */
export interface LocalNode {
  readonly endpoints: LocalNodeEndpoints;
  /** The EVM's chain ID. */
  readonly chainId: number;
  /** The framework's chain ID. */
  readonly frameworkChainId: string;
  readonly accounts: readonly LocalNodeAccount[];
  /** The block that the network forks; absent without a fork. */
  readonly fork?: { readonly blockNumber: bigint };
  readonly stableToken: {
    readonly symbol: string;
    readonly decimals: number;
    readonly address: `0x${string}`;
  };
  /** Closes every connection, then the network. */
  close(): Promise<void>;
}

/** The settings of the simulated network that the node runs on. */
export interface SimulationSettings {
  readonly chainId: number;
  /** Keys of the funded accounts. */
  readonly privateKeys: readonly `0x${string}`[];
  /** Balance of each account in base units. */
  readonly balance: bigint;
  readonly blockGasLimit: bigint;
  /** Of the first block, in base units per gas. */
  readonly baseFee: bigint;
  /** The chain to fork: a network's name or a URL. */
  readonly fork?: { readonly of: string; readonly blockNumber?: number };
}

const BLOCK_GAS_LIMIT = 30_000_000n;
const BASE_FEE = 10n ** 9n;
const MOST_ACCOUNTS = 1_000;

/**
 * Starts a local network with every endpoint of the chain.
 *
 * @param simulate creates the simulated network, which is closed with the node
 * @throws DualstackError when an option is invalid, a port is taken, or the
 *   forked chain is not a configured network
 * @throws UnreadError when the state that a fork starts from cannot be read
 */
export async function startLocalNode(
  { facts, networks }: Pick<DualstackConfig, "facts" | "networks">,
  options: LocalNodeOptions,
  simulate: (settings: SimulationSettings) => Promise<SimulatedNetwork>,
): Promise<LocalNode> {
  const {
    hostname = LOCAL_NODE.hostname,
    blockTime = LOCAL_NODE.blockTime,
    automine = false,
    mnemonic = LOCAL_NODE.mnemonic,
    accounts: count = LOCAL_NODE.accounts,
  } = options;
  check(
    Number.isSafeInteger(count) && count > 0 && count <= MOST_ACCOUNTS,
    `the number of accounts must be from 1 to ${MOST_ACCOUNTS}`,
  );
  check(
    Number.isFinite(blockTime) && blockTime >= 0.05 && blockTime <= 3_600,
    "the time between blocks must be from 0.05 to 3600 seconds",
  );
  const { fork, forkBlock } = options;
  check(
    forkBlock === undefined ||
      (Number.isSafeInteger(forkBlock) && forkBlock > 0),
    "the forked block must be a whole number above 0",
  );
  check(
    forkBlock === undefined || fork !== undefined,
    "a block to fork needs the chain that it is of",
  );
  const balance = parseAmount(options.balance ?? LOCAL_NODE.balance, {
    ...facts.currency,
    baseDenom: facts.baseDenom,
  });
  const { chainId } = networks.localnode;
  // Loading the endpoints' modules takes long: meanwhile, derive the keys and
  // create the network.
  const serving = import("./start.js");
  const privateKeys = await keysOf(mnemonic, count);
  const [{ serveChain }, network] = await Promise.all([
    serving,
    simulate({
      chainId,
      privateKeys,
      balance,
      blockGasLimit: BLOCK_GAS_LIMIT,
      baseFee: BASE_FEE,
      ...(fork === undefined
        ? {}
        : {
            fork: {
              of: fork,
              ...(forkBlock === undefined ? {} : { blockNumber: forkBlock }),
            },
          }),
    }),
  ]);
  if (fork !== undefined && network.engine.live === undefined) {
    await network.close();
    throw new DualstackError(
      "the chain that is to be forked is none of the configured networks",
      {
        fix: "Set dualstack.testnet.chainId or dualstack.mainnet.chainId to that chain's ID.",
      },
    );
  }
  const accounts = await accountsOf(network, privateKeys, facts.bech32Prefix);
  const served = await serveChain(network, {
    facts,
    chainId,
    likeChain: options.likeChain ?? false,
    blockTimeMs: automine ? 0 : Math.round(blockTime * 1_000),
    hostname,
    port: options.port ?? 0,
    grpcPort: options.grpcPort ?? 0,
  });
  return {
    endpoints: served.endpoints,
    chainId,
    frameworkChainId: served.chain.chainId,
    accounts,
    ...(served.chain.fork === undefined
      ? {}
      : { fork: { blockNumber: served.chain.fork.height } }),
    stableToken: served.stableToken,
    close: async () => {
      await served.close();
    },
  };
}

/** An EVM endpoint to fork from. */
export interface ForkSource {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Finds the endpoint of the chain to fork.
 *
 * @param of a URL, or the name of a network
 * @param find returns a network's endpoint; `undefined` when no network of that
 *   name has a URL
 * @throws DualstackError when `of` is neither
 */
export async function forkSource(
  of: string,
  find: (network: string) => Promise<ForkSource | undefined>,
): Promise<ForkSource> {
  if (/^https?:\/\//i.test(of)) return { url: of };
  const found = await find(of);
  if (found !== undefined) return found;
  throw new DualstackError(
    `"${cleanText(of, 60)}" is no network that can be forked`,
    {
      fix: "Give the name of a network with a URL, such as testnet, or the URL of an EVM endpoint.",
    },
  );
}

/**
 * Opens a fork of a chain.
 *
 * @param blockNumber the block if it is pinned: what was read of it may be
 *   kept, so the fork may open without the chain
 * @throws DualstackError with the endpoint's own fault where the simulator only
 *   says, after many attempts, that its requests failed
 */
export async function openedFork<T>(
  { url, headers }: ForkSource,
  blockNumber: number | undefined,
  open: () => Promise<T>,
): Promise<T> {
  const reach = async () => {
    const { HttpClient } = await import("../rpc/http-client.js");
    const client = new HttpClient({ url, headers });
    await client.request({ method: "eth_blockNumber", params: [] });
  };
  if (blockNumber === undefined) await reach();
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    await reach();
    const { shownUrl } = await import("../support/http.js");
    throw new DualstackError(
      `the chain cannot be forked: ${errorText(error, 1_000)}`,
      { endpoint: shownUrl(url), cause: error },
    );
  }
}

/**
 * The parts of a simulated network, as each major version of Hardhat provides
 * them.
 */
export interface SimulatedParts extends Pick<SimulatedNetwork, "contracts"> {
  /** The network's name, for errors. */
  readonly name: string;
  readonly provider: {
    request(request: { method: string; params: unknown[] }): Promise<unknown>;
  };
  /** `undefined` when the precompiles are switched off on this network. */
  readonly engine: LocalEngine | undefined;
  close(): Promise<void>;
}

/**
 * Assembles the simulated network that a local node runs on.
 *
 * @throws DualstackError when its precompiles are switched off; the network is
 *   closed first
 */
export async function simulatedNetwork({
  name,
  provider,
  engine,
  contracts,
  close,
}: SimulatedParts): Promise<SimulatedNetwork> {
  if (engine === undefined) {
    await close();
    throw new DualstackError(
      "the precompiles are switched off on the network that a local node runs on",
      {
        network: name,
        fix: `Remove dualstack.localnet.networks.${name} from the configuration.`,
      },
    );
  }
  return {
    provider: {
      request: async ({ method, params }) =>
        await provider.request({ method, params: [...(params ?? [])] }),
    },
    engine,
    contracts,
    close,
  };
}

function check(right: boolean, what: string): void {
  if (!right) {
    throw new DualstackError(what);
  }
}

/**
 * Derives the accounts' private keys.
 *
 * @throws DualstackError when the mnemonic is invalid
 */
async function keysOf(
  mnemonic: string,
  count: number,
): Promise<readonly `0x${string}`[]> {
  if (mnemonic === LOCAL_NODE.mnemonic && count <= TEST_KEYS.length)
    return TEST_KEYS.slice(0, count);
  await checkMnemonic(mnemonic, "the mnemonic");
  const { HDNodeWallet } = await import("ethers");
  const root = HDNodeWallet.fromPhrase(mnemonic, undefined, DERIVATION_PATH);
  return Array.from(
    { length: count },
    (_, i) => root.deriveChild(i).privateKey as `0x${string}`,
  );
}

/**
 * Pairs the keys with their addresses: `eth_accounts` lists them in the order
 * of the keys.
 */
async function accountsOf(
  { provider }: SimulatedNetwork,
  privateKeys: readonly `0x${string}`[],
  prefix: string,
): Promise<readonly LocalNodeAccount[]> {
  const addresses = await provider.request({ method: "eth_accounts" });
  return privateKeys.map((privateKey, i): LocalNodeAccount => {
    const address = Array.isArray(addresses) ? String(addresses[i]) : "";
    const { hex, account } = parseAddress(address, { prefix });
    return { address: hex, account, privateKey };
  });
}
