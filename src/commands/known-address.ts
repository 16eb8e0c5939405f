import { DEFAULT_FACTS } from "../chain/facts.js";
import {
  MODULE_ACCOUNTS,
  moduleAddress,
  type PrecompileAddresses,
} from "../precompiles/index.js";
import { cleanText } from "../support/text.js";
import type { NetworkDescription } from "./context.js";

/** Below this everything is reserved: the EVM's precompiles, the chain's (0x…0400 to 0x…0900), the zero address. */
const RESERVED = 0x1_0000n;

/**
 * What an address is known as on this chain, if nobody holds its key: a module
 * account or a precompile. What is sent there is lost, or is refused in a way
 * that burns the whole gas limit.
 *
 * @param modules names of modules that have accounts on this chain
 * @example knownAddress("0x…0800", addresses) // "the staking precompile"
 */
export function knownAddress(
  address: string,
  precompiles: PrecompileAddresses,
  modules: readonly string[] = DEFAULT_FACTS.moduleAccounts,
): string | undefined {
  const wanted = address.toLowerCase();
  const named = (entries: Readonly<Record<string, string>>) =>
    Object.entries(entries).find(
      ([, known]) => known.toLowerCase() === wanted,
    )?.[0];
  const precompile = named(precompiles);
  if (precompile !== undefined) {
    return `the ${precompile} precompile`;
  }
  const account =
    named(MODULE_ACCOUNTS) ??
    modules.find((module) => moduleAddress(module) === wanted);
  if (account !== undefined) {
    return moduleAccount(account);
  }
  const value = BigInt(wanted);
  if (value === 0n) {
    return "the zero address";
  }
  return value < RESERVED ? "an address reserved for precompiles" : undefined;
}

const moduleAccount = (name: string) => `the module account ${name}`;

const LOOK_TIMEOUT_MS = 5_000;

/**
 * The same for an address on a network, which is asked by REST where its name
 * is not known here: any chain of the family may have modules of its own. A
 * network that does not answer knows nothing.
 *
 * @param account its account address
 */
export async function knownOn(
  { endpoints, facts, name, precompiles }: NetworkDescription,
  { hex, account }: { readonly hex: string; readonly account: string },
): Promise<string | undefined> {
  const known = knownAddress(hex, precompiles, facts.moduleAccounts);
  const { restUrl } = endpoints;
  if (known !== undefined || restUrl === undefined) {
    return known;
  }
  const { RestClient } = await import("../framework/rest.js");
  const client = new RestClient({ url: restUrl, network: name, facts });
  try {
    const answer = await client.fields(`/auth/v1beta1/accounts/${account}`, {
      timeoutMs: LOOK_TIMEOUT_MS,
    });
    const found = answer.object("account");
    return /\.ModuleAccount$/.test(found.text("@type"))
      ? moduleAccount(cleanText(found.text("name"), 60))
      : undefined;
  } catch {
    return undefined;
  }
}
