import type { NetworkDescription } from "../config/network-description.js";
import type { Connected } from "../connection/connected.js";
import { denomReader } from "../commands/shared/denom-reader.js";
import type { DenomReader } from "../commands/shared/stable-token.js";
import {
  type BatchProvider,
  batchBySingleRequests,
  HttpClient,
} from "../rpc/http-client.js";
import type { RpcProvider } from "../rpc/provider.js";
import { fromQuantity } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import { shownUrl } from "../support/http.js";

/** A network for reading only; needs no key. */
export interface Reading extends Connected {
  readonly provider: BatchProvider;
  readonly readDenom?: DenomReader;
}

/**
 * A node behind HTTP, asked directly and not through Hardhat: in batches, and
 * without its accounts.
 */
export async function readByHttp(
  network: NetworkDescription,
  node: {
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly chainId: number | undefined;
  },
): Promise<Reading> {
  const provider = new HttpClient({
    url: node.url,
    headers: node.headers,
    network: network.name,
  });
  await checkChainId(provider, node.chainId, network.name, node.url);
  return reading(
    await withChainId(network, provider, node.chainId),
    provider,
    node.headers,
  );
}

/**
 * The network with its node's chain ID, if none is configured: a description
 * then has that of Hardhat's own networks.
 */
export async function withChainId(
  network: NetworkDescription,
  provider: RpcProvider,
  configured: number | undefined,
): Promise<NetworkDescription> {
  if (configured !== undefined) return network;
  const chainId = fromQuantity(
    await provider.request({ method: "eth_chainId" }),
    "the node's chain ID",
  );
  return { ...network, chainId: Number(chainId) };
}

/** The same for a node that may be out of reach, which a task finds out itself. */
export async function withChainIdAt(
  network: NetworkDescription,
  headers: Readonly<Record<string, string>> | undefined,
  configured: number | undefined,
): Promise<NetworkDescription> {
  const { name, endpoints } = network;
  const { evmUrl: url } = endpoints;
  if (configured !== undefined || url === undefined) return network;
  const provider = new HttpClient({ url, headers, network: name });
  return await withChainId(network, provider, configured).catch(() => network);
}

/** A network that is asked through Hardhat. */
export const readBy = (
  network: NetworkDescription,
  provider: RpcProvider,
): Reading => reading(network, batchBySingleRequests(provider));

/** The addresses of a network's accounts; keys are only fetched here. */
export async function accountsOf({
  provider,
  network,
}: Connected): Promise<string[]> {
  const accounts = await provider.request({ method: "eth_accounts" });
  const addresses = (
    Array.isArray(accounts) ? (accounts as unknown[]) : []
  ).filter((account) => typeof account === "string");
  if (addresses.length === 0) {
    throw new DualstackError(
      "no address was given, and no account is configured",
      {
        network: network.name,
        fix: "Give an address, or set DUALSTACK_PRIVATE_KEY.",
      },
    );
  }
  return addresses;
}

function reading(
  network: NetworkDescription,
  provider: BatchProvider,
  headers?: Readonly<Record<string, string>>,
): Reading {
  const readDenom = denomReader(network, headers);
  return {
    network,
    provider,
    ...(headers === undefined ? {} : { headers }),
    ...(readDenom === undefined ? {} : { readDenom }),
  };
}

async function checkChainId(
  provider: BatchProvider,
  expected: number | undefined,
  network: string,
  endpoint: string,
): Promise<void> {
  if (expected === undefined) {
    return;
  }
  const found = fromQuantity(
    await provider.request({ method: "eth_chainId" }),
    "the node's chain ID",
  );
  if (found !== BigInt(expected)) {
    throw new DualstackError(
      `the node's chain ID is ${found}, but the network's is ${expected}`,
      {
        network,
        endpoint: shownUrl(endpoint),
        fix: "Check the base URL of the network: it leads to another chain.",
      },
    );
  }
}
