import type { HardhatConfig, HttpNetworkConfig } from "hardhat/types/config";

import type { Accounts } from "../../config/accounts.js";
import type { AnyConnection } from "./handler.js";

/** Fetches the keys of a connection; `undefined` if there are none here. */
export async function accountsOf(
  { dualstack }: HardhatConfig,
  { networkConfig }: AnyConnection,
): Promise<Accounts | undefined> {
  if (networkConfig.type !== "http") {
    return undefined;
  }
  const { lazyAccounts, kind } = networkConfig.dualstack ?? {};
  return lazyAccounts === true && kind !== undefined
    ? await dualstack.networks[kind].accounts()
    : await configuredAccounts(networkConfig);
}

async function configuredAccounts({
  accounts,
}: HttpNetworkConfig): Promise<Accounts | undefined> {
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
