import { LOCAL_NODE, type NetworkKind, variableName } from "../chain/index.js";
import { setCommand } from "../support/major.js";
import { DualstackError } from "../support/errors.js";
import { isPrivateKey } from "./private-key.js";
import type { AccountsUserSettings, ConfigValue } from "./user-config.js";

/** Accounts with their secrets: never print these. */
export type Accounts =
  | readonly `0x${string}`[]
  | {
      readonly mnemonic: string;
      readonly passphrase?: string;
      readonly path?: string;
      readonly initialIndex?: number;
      readonly count?: number;
    };

type Fetch = (value: ConfigValue) => Promise<string | undefined>;

/**
 * The keys of a network: what is configured, or the network's own variable, or
 * the one for both public networks, or on a local network the accounts that it
 * funds; `undefined` if there are none.
 *
 * @throws DualstackError for a text that is not a key, without showing it
 */
export async function fetchAccounts(
  settings: AccountsUserSettings | undefined,
  kind: NetworkKind,
  fetch: Fetch,
): Promise<Accounts | undefined> {
  if (settings === "remote") {
    return undefined;
  }
  if (settings === undefined) {
    const isLocal = kind === "localnode";
    for (const name of [
      variableName("privateKey", kind),
      ...(isLocal ? [] : [variableName("privateKey")]),
    ]) {
      const key = await fetch({ _type: "ConfigurationVariable", name });
      if (key !== undefined) {
        return [checkedKey(key, name)];
      }
    }
    const { mnemonic, accounts: count } = LOCAL_NODE;
    return isLocal ? { mnemonic, count } : undefined;
  }
  if ("mnemonic" in settings) {
    const mnemonic = await fetch(settings.mnemonic);
    if (mnemonic === undefined) {
      return undefined;
    }
    const passphrase =
      settings.passphrase === undefined
        ? undefined
        : await fetch(settings.passphrase);
    const given = settings.mnemonic;
    await checkMnemonic(
      mnemonic,
      typeof given === "string"
        ? `dualstack.${kind}.accounts.mnemonic`
        : `the mnemonic in ${given.name}`,
    );
    return { ...settings, mnemonic, passphrase };
  }
  const keys: `0x${string}`[] = [];
  for (const [i, value] of settings.entries()) {
    const key = await fetch(value);
    if (key !== undefined) {
      keys.push(
        checkedKey(
          key,
          typeof value === "string"
            ? `dualstack.${kind}.accounts[${i}]`
            : value.name,
        ),
      );
    }
  }
  return keys.length === 0 ? undefined : keys;
}

/** @throws DualstackError if a mnemonic is not valid, without showing it */
export async function checkMnemonic(
  mnemonic: string,
  where: string,
): Promise<void> {
  if (mnemonic === LOCAL_NODE.mnemonic) return;
  const { Mnemonic } = await import("ethers");
  if (!Mnemonic.isValidMnemonic(mnemonic)) {
    throw new DualstackError(`${where} is not valid`, {
      fix: "Give 12 to 24 words of BIP-39, the last of which fits the others.",
    });
  }
}

function checkedKey(text: string, where: string): `0x${string}` {
  if (!isPrivateKey(text)) {
    throw new DualstackError(
      `${where} is not a private key: 32 bytes in hex are expected, above 0 and below the order of secp256k1`,
      {
        fix: `Correct it in the environment, or with "${setCommand(where)}".`,
      },
    );
  }
  return `0x${text.trim().replace(/^0x/i, "")}`;
}
