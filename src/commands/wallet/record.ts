import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  type Endpoints,
  isLocalUrl,
  requireEndpoint,
} from "../../chain/index.js";
import type { FrameworkClients } from "../../framework/clients.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import type { NetworkDescription } from "../../config/network-description.js";

/** What a user may add to a network's configuration. */
export interface WalletSettings {
  /** The name that people see. */
  readonly name?: string;
  /** Its name in registries: letters, digits and hyphens. */
  readonly shortName?: string;
  /** A page about the network. */
  readonly infoUrl?: string;
  /** The framework's chain ID, if no endpoint reports it. */
  readonly cosmosChainId?: string;
  /** The lowest gas price in base units, if no endpoint reports it. */
  readonly gasPrice?: string;
}

/** The facts that records for wallets and registries are made of. */
export interface WalletRecord {
  /** The network's name in the configuration, for errors. */
  readonly network: string;
  readonly name: string;
  readonly shortName: string;
  readonly chainId: number;
  readonly isTestnet: boolean;
  readonly kind: NetworkDescription["kind"];
  readonly currency: NetworkDescription["facts"]["currency"];
  readonly infoUrl: string | undefined;
  readonly endpoints: Endpoints;
}

/** Facts that only the chain's framework side knows. */
export interface FrameworkRecord {
  readonly chainId: string;
  readonly baseDenom: string;
  readonly bech32Prefix: string;
  /** Base units per gas. */
  readonly gasPrices: {
    readonly low: bigint;
    readonly average: bigint;
    readonly high: bigint;
  };
}

/**
 * @throws DualstackError for an endpoint whose address contains a secret, since
 * records are published
 */
export function walletRecord(
  { name: network, kind, title, chainId, facts, endpoints }: NetworkDescription,
  settings: WalletSettings = {},
): WalletRecord {
  for (const endpoint of ENDPOINT_NAMES) {
    const url = endpoints[endpoint];
    if (url !== undefined && /^(?:[a-z]+:\/\/)?[^/]*@/i.test(url)) {
      throw new DualstackError(
        `the address of ${ENDPOINTS[endpoint].title} holds a user name or a password, which a record would publish`,
        { network, fix: "Configure an address without credentials." },
      );
    }
  }
  const name = settings.name?.trim() ?? title;
  const shortName =
    settings.shortName ??
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
  if (!/^[A-Za-z0-9-]{1,64}$/.test(shortName)) {
    throw new DualstackError(
      `"${cleanText(shortName, 80)}" is not a short name: use 1 to 64 letters, digits and hyphens`,
      { network, fix: "Give one with --short-name." },
    );
  }
  return {
    network,
    name,
    shortName,
    chainId,
    isTestnet: kind !== "mainnet",
    kind,
    currency: facts.currency,
    infoUrl: settings.infoUrl ?? endpoints.explorerUrl,
    endpoints,
  };
}

/** An endpoint that a record needs. */
export function needed(
  { endpoints, network, kind }: WalletRecord,
  name: keyof Endpoints,
): string {
  return requireEndpoint(endpoints, name, { network, kind });
}

/**
 * Whether browser wallets accept a URL: encrypted, or on this machine as
 * localhost or 127.0.0.1.
 */
export function isSafeUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    protocol === "https:" ||
    (isLocalUrl(url) && ["localhost", "127.0.0.1"].includes(hostname))
  );
}

/**
 * Asks the chain for what is not configured: over REST for everything, over the
 * node RPC for the chain ID. Asks nothing if chain ID and gas price are given.
 *
 * @param onDifference called where the chain differs from the configuration
 * @throws DualstackError naming what is missing
 */
export async function frameworkRecord(
  clients: FrameworkClients,
  { name: network, endpoints, facts }: NetworkDescription,
  settings: WalletSettings,
  onDifference: (text: string) => void = () => undefined,
): Promise<FrameworkRecord> {
  const given = lowestPrice(settings.gasPrice, network);
  const isAllGiven =
    settings.cosmosChainId !== undefined && given !== undefined;
  if (endpoints.restUrl !== undefined && !isAllGiven) {
    const { rest } = clients;
    const [{ chainId }, { evmDenom }, bech32Prefix, minimum, baseFee] =
      await Promise.all([
        rest.nodeInfo(),
        rest.evmParams(),
        rest.bech32Prefix(),
        rest.minGasPrice(),
        rest.baseFee(),
      ]);
    const compare = (what: string, told: string, configured: string) => {
      if (told !== configured) {
        onDifference(
          `The chain's ${what} is "${cleanText(told, 60)}", but "${configured}" is configured; the record uses the chain's.`,
        );
      }
    };
    compare("base denomination", evmDenom, facts.baseDenom);
    compare("address prefix", bech32Prefix, facts.bech32Prefix);
    return {
      chainId: checkedChainId(settings.cosmosChainId ?? chainId, network),
      baseDenom: evmDenom,
      bech32Prefix,
      gasPrices: prices(given ?? minimum, baseFee),
    };
  }
  const chainId =
    settings.cosmosChainId ??
    (endpoints.nodeRpcUrl === undefined
      ? undefined
      : (await clients.nodeRpc.status()).nodeInfo.network);
  if (chainId === undefined || given === undefined) {
    const [what, flag] =
      chainId === undefined
        ? ["framework's chain ID", "--cosmos-chain-id"]
        : ["lowest gas price", "--gas-price"];
    throw new DualstackError(
      `the ${what} is not known, and no REST endpoint is configured to ask for it`,
      { network, fix: `Configure the REST endpoint, or give ${flag}.` },
    );
  }
  return {
    chainId: checkedChainId(chainId, network),
    baseDenom: facts.baseDenom,
    bech32Prefix: facts.bech32Prefix,
    gasPrices: prices(given, given),
  };
}

// Like the chain's own eth_gasPrice: an eighth above the base fee, which may
// rise by that much in a block.
function prices(low: bigint, baseFee: bigint): FrameworkRecord["gasPrices"] {
  const atLeast = (price: bigint, least: bigint) =>
    price < least ? least : price;
  const average = atLeast((baseFee * 9n) / 8n, low);
  return { low, average, high: atLeast(baseFee * 2n, average) };
}

function lowestPrice(
  text: string | undefined,
  network: string,
): bigint | undefined {
  if (text === undefined) {
    return undefined;
  }
  if (!/^\d{1,30}$/.test(text)) {
    throw new DualstackError(
      `--gas-price "${cleanText(text, 40)}" is not a whole number of base units`,
      { network },
    );
  }
  return BigInt(text);
}

function checkedChainId(text: string, network: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,47}$/.test(text)) {
    throw new DualstackError(
      `"${cleanText(text, 60)}" is not a chain ID of the framework`,
      { network },
    );
  }
  return text;
}

/**
 * The price as a number, which wallets require. @throws DualstackError if a
 * number would round it
 */
export function priceNumber(price: bigint, network: string): number {
  if (price > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new DualstackError(
      `the gas price ${price} is too high for a record`,
      {
        network,
      },
    );
  }
  return Number(price);
}
