import { DERIVATION_PATH } from "../chain/facts.js";
import type { Accounts } from "../config/accounts.js";
import type { NodeRpcClient } from "../framework/node-rpc/client.js";
import type { FrameworkSender } from "../framework/node-rpc/sender.js";
import type { Turns } from "../framework/node-rpc/turns.js";
import { fromQuantity } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import type { Connected } from "./connected.js";

/**
 * Sends framework transactions with the network's first key, taking turns with
 * the account's EVM transactions.
 */
export async function createFrameworkSender(
  { network, provider }: Connected,
  accounts: Accounts | undefined,
  nodeRpc: NodeRpcClient,
  turns: Turns | undefined,
): Promise<FrameworkSender> {
  if (accounts === undefined) {
    throw new DualstackError(
      "there is no key to sign a framework transaction with",
      {
        network: network.name,
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
    ...(turns === undefined ? {} : { turns }),
  });
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
    path = DERIVATION_PATH,
    initialIndex = 0,
  } = accounts;
  return HDNodeWallet.fromPhrase(
    mnemonic,
    passphrase,
    `${path}/${initialIndex}`,
  ).privateKey;
}
