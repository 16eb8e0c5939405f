import type { HardhatConfig, HttpNetworkConfig } from "hardhat/types/config";

import type { Accounts } from "../../config/accounts.js";
import type { NodeRpcClient } from "../../framework/node-rpc/client.js";
import type {
  FrameworkSender,
  NonceSource,
} from "../../framework/node-rpc/sender.js";
import { fromQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import type { AnyConnection } from "./attach.js";

const DEFAULT_PATH = "m/44'/60'/0'/0";

/**
 * Sends framework transactions with the network's own first key, counting
 * nonces together with the EVM's side.
 */
export async function createFrameworkSender(
  config: HardhatConfig,
  connection: AnyConnection,
  nodeRpc: NodeRpcClient,
  nonces: NonceSource | undefined,
): Promise<FrameworkSender> {
  const { networkConfig, networkName, provider } = connection;
  const accounts =
    networkConfig.type === "http"
      ? await accountsOf(config, networkConfig)
      : undefined;
  if (accounts === undefined) {
    throw new DualstackError(
      "there is no key to sign a framework transaction with",
      {
        network: networkName,
        fix: "Set DUALSTACK_PRIVATE_KEY, or configure the network's accounts.",
      },
    );
  }
  return await nodeRpc.sender({
    privateKey: await firstKey(accounts),
    gasPrice: async () =>
      fromQuantity(
        await provider.request({ method: "eth_gasPrice" }),
        "the gas price",
      ),
    ...(nonces === undefined ? {} : { nonces }),
  });
}

async function accountsOf(
  config: HardhatConfig,
  network: HttpNetworkConfig,
): Promise<Accounts | undefined> {
  const { accounts, dualstack } = network;
  if (dualstack?.lazyAccounts === true && dualstack.kind !== undefined) {
    return await config.dualstack.networks[dualstack.kind].accounts();
  }
  if (accounts === "remote") {
    return undefined;
  }
  if (Array.isArray(accounts)) {
    return (await Promise.all(
      accounts.map((key) => key.getHexString()),
    )) as `0x${string}`[];
  }
  const { mnemonic, passphrase, ...path } = accounts;
  return {
    ...path,
    mnemonic: await mnemonic.get(),
    passphrase: await passphrase.get(),
  };
}

async function firstKey(accounts: Accounts): Promise<string> {
  if (!("mnemonic" in accounts)) {
    const [key] = accounts;
    if (key === undefined) {
      throw new DualstackError("the list of accounts is empty");
    }
    return key;
  }
  const { HDNodeWallet } = await import("ethers");
  const {
    mnemonic,
    passphrase,
    path = DEFAULT_PATH,
    initialIndex = 0,
  } = accounts;
  return HDNodeWallet.fromPhrase(
    mnemonic,
    passphrase,
    `${path}/${initialIndex}`,
  ).privateKey;
}
