import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { Connected, NetworkDescription } from "../../commands/context.js";
import { denomReader } from "../../commands/denom-reader.js";
import type { Sender } from "../../commands/sending.js";
import type { DenomReader } from "../../commands/stable-token.js";
import {
  type BatchProvider,
  batchBySingleRequests,
  HttpClient,
} from "../../rpc/http-client.js";
import { fromQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { shownUrl } from "../../support/http.js";
import { describeConnection } from "../config/describe.js";

/** A network that is only read; no key is needed for that. */
export interface Reading extends Connected {
  readonly provider: BatchProvider;
  readonly readDenom?: DenomReader;
}

const DEFAULT_NETWORK = "default";

/** What is known of the network of `--network`, without asking it. */
export async function describeNetwork(
  hre: HardhatRuntimeEnvironment,
): Promise<NetworkDescription> {
  const networkName = hre.globalOptions.network ?? DEFAULT_NETWORK;
  const networkConfig = hre.config.networks[networkName];
  return networkConfig === undefined
    ? // Hardhat says which networks there are.
      (await hre.network.getOrCreate()).dualstack.network
    : await describeConnection(hre.config, { networkName, networkConfig });
}

/**
 * The network of `--network` for reading. One behind HTTP is asked directly,
 * past Hardhat's handlers: these want the keys of the network's accounts, and
 * know no batches.
 */
export async function connectForReading(
  hre: HardhatRuntimeEnvironment,
): Promise<Reading> {
  const network = await describeNetwork(hre);
  const networkConfig = hre.config.networks[network.name];
  if (networkConfig?.type !== "http") {
    const { provider } = await hre.network.getOrCreate();
    return reading(network, batchBySingleRequests(provider));
  }
  const url = await networkConfig.url.getUrl();
  const provider = new HttpClient({
    url,
    headers: networkConfig.httpHeaders,
    network: network.name,
  });
  await checkChainId(provider, networkConfig.chainId, network.name, url);
  return reading(network, provider);
}

/** The network of `--network` for sending; its provider signs. */
export async function connectForSending(
  hre: HardhatRuntimeEnvironment,
): Promise<Sender> {
  const { dualstack, provider } = await hre.network.getOrCreate();
  return { network: dualstack.network, provider, estimates: dualstack };
}

/** The addresses of the network's accounts; keys are asked for only here. */
export async function accountsOf(
  hre: HardhatRuntimeEnvironment,
): Promise<string[]> {
  const { provider, dualstack } = await hre.network.getOrCreate();
  const accounts = await provider.request({ method: "eth_accounts" });
  const addresses = (
    Array.isArray(accounts) ? (accounts as unknown[]) : []
  ).filter((account) => typeof account === "string");
  if (addresses.length === 0) {
    throw new DualstackError(
      "no address is given, and no account is configured",
      {
        network: dualstack.network.name,
        fix: "Give an address, or set DUALSTACK_PRIVATE_KEY.",
      },
    );
  }
  return addresses;
}

function reading(
  network: Connected["network"],
  provider: BatchProvider,
): Reading {
  const readDenom = denomReader(network);
  return {
    network,
    provider,
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
      `the node's chain ID is ${found}, the network's is ${expected}`,
      {
        network,
        endpoint: shownUrl(endpoint),
        fix: "Check the base URL of the network: it leads to another chain.",
      },
    );
  }
}
