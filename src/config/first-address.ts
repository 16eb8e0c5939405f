import type { AccountsUserSettings } from "./user-config.js";
import { fetchAccounts } from "./accounts.js";
import { DERIVATION_PATH, type NetworkKind } from "../chain/facts.js";

/**
 * The address of a network's first account, if its key is in the configuration
 * or the environment. Does not look into a keystore, which would ask for a
 * password.
 *
 * @throws DualstackError for a text that is not a key
 */
export async function addressAtHand(
  settings: AccountsUserSettings | undefined,
  kind: NetworkKind,
  read: (variable: string) => string | undefined,
): Promise<string | undefined> {
  const accounts = await fetchAccounts(settings, kind, (value) => {
    const text = typeof value === "string" ? value : read(value.name);
    const trimmed = text?.trim();
    return Promise.resolve(trimmed === "" ? undefined : trimmed);
  });
  if (accounts === undefined) {
    return undefined;
  }
  const { computeAddress, HDNodeWallet } = await import("ethers");
  if ("mnemonic" in accounts) {
    const { mnemonic, passphrase, path, initialIndex = 0 } = accounts;
    return HDNodeWallet.fromPhrase(
      mnemonic,
      passphrase,
      `${path ?? DERIVATION_PATH}/${initialIndex}`,
    ).address;
  }
  const [key] = accounts;
  return key === undefined ? undefined : computeAddress(key);
}
