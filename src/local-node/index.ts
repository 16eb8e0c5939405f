import { DERIVATION_PATH } from "../chain/facts.js";
import type { DualstackConfig } from "../config/resolve.js";
import { parseAddress } from "../address/index.js";
import { LOCAL_NODE } from "../chain/local-node.js";
import { TEST_KEYS } from "../chain/test-keys.js";
import type { LocalEngine } from "../localnet/engine.js";
import { DualstackError } from "../support/errors.js";
import { cleanText } from "../support/text.js";
import { parseAmount } from "../support/units.js";
import type { SimulatedNetwork } from "./chain.js";
import type { LocalNodeEndpoints } from "./endpoints.js";

/** How a local network is started. */
export interface LocalNodeOptions {
  /** Of all endpoints but gRPC; 0 for any that is free, which is the default. */
  readonly port?: number;
  /** 0 for any that is free, which is the default. */
  readonly grpcPort?: number;
  /** The interface to listen at; default 127.0.0.1, which no other machine can reach. */
  readonly hostname?: string;
  /** Accounts with funds; default 20. */
  readonly accounts?: number;
  /** Whole tokens that each of them has; default "10000". */
  readonly balance?: string;
  /** What their keys are derived from; default: Hardhat's test mnemonic. */
  readonly mnemonic?: string;
  /** Seconds between blocks; default 1. */
  readonly blockTime?: number;
  /** A block for every transaction, and no others. */
  readonly automine?: boolean;
  /** Gives it the traps of a real node, so that software meets them early. */
  readonly likeChain?: boolean;
  /** The chain whose state it goes on from: a network of the configuration, or the URL of an EVM endpoint. */
  readonly fork?: string;
  /** The block that is forked; default: a recent one. */
  readonly forkBlock?: number;
}

/** An account with funds. */
export interface LocalNodeAccount {
  readonly address: `0x${string}`;
  /** `<prefix>1…` */
  readonly account: string;
  readonly privateKey: `0x${string}`;
}

/** A running local network. */
export interface LocalNode {
  readonly endpoints: LocalNodeEndpoints;
  readonly chainId: number;
  /** The framework's chain ID. */
  readonly frameworkChainId: string;
  readonly accounts: readonly LocalNodeAccount[];
  /** What it forks. */
  readonly fork?: { readonly blockNumber: bigint };
  readonly stableToken: {
    readonly symbol: string;
    readonly decimals: number;
    readonly address: `0x${string}`;
  };
  /** Ends every connection, and the network. */
  close(): Promise<void>;
}

/** What the simulated network is to be. */
export interface SimulationSettings {
  readonly chainId: number;
  /** Of the accounts with funds. */
  readonly privateKeys: readonly `0x${string}`[];
  /** Base units that each of them has. */
  readonly balance: bigint;
  readonly blockGasLimit: bigint;
  /** Base units of gas. */
  readonly baseFee: bigint;
  /** The chain whose state it begins with: a network's name or a URL. */
  readonly fork?: { readonly of: string; readonly blockNumber?: number };
}

const BLOCK_GAS_LIMIT = 30_000_000n;
const BASE_FEE = 10n ** 9n;
const MOST_ACCOUNTS = 1_000;

/**
 * Starts a local network with every endpoint of the chain.
 *
 * @param simulate makes the simulated network, which is closed with the node
 * @throws DualstackError for wrong options, and where a port is taken
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
  // Much is loaded for the endpoints: meanwhile keys are derived, and the network is made.
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

/** An EVM endpoint that can be forked. */
export interface ForkSource {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Where what is to be forked is.
 *
 * @param of a URL, or the name of a network
 * @param find a network's endpoint; `undefined`: there is none of that name, or it has no URL
 * @throws DualstackError where it is none of both
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

/** The parts of a simulated network, as a major of Hardhat has them. */
export interface SimulatedParts extends Pick<SimulatedNetwork, "contracts"> {
  /** Its name, for errors. */
  readonly name: string;
  readonly provider: {
    request(request: { method: string; params: unknown[] }): Promise<unknown>;
  };
  /** `undefined`: the precompiles are switched off there. */
  readonly engine: LocalEngine | undefined;
  close(): Promise<void>;
}

/**
 * A simulated network that a local one can run on.
 *
 * @throws DualstackError where its precompiles are switched off; it is closed then
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

/** The private keys of the accounts. @throws DualstackError for a mnemonic that is none */
async function keysOf(
  mnemonic: string,
  count: number,
): Promise<readonly `0x${string}`[]> {
  if (mnemonic === LOCAL_NODE.mnemonic && count <= TEST_KEYS.length)
    return TEST_KEYS.slice(0, count);
  const { HDNodeWallet, Mnemonic } = await import("ethers");
  if (!Mnemonic.isValidMnemonic(mnemonic)) {
    throw new DualstackError("the mnemonic is not valid", {
      fix: "Give 12 to 24 words of BIP-39, the last of which fits the others.",
    });
  }
  const root = HDNodeWallet.fromPhrase(mnemonic, undefined, DERIVATION_PATH);
  return Array.from(
    { length: count },
    (_, i) => root.deriveChild(i).privateKey as `0x${string}`,
  );
}

/** The accounts with their addresses, which the network tells in the order of their keys. */
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
