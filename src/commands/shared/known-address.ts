import { DEFAULT_FACTS } from "../../chain/facts.js";
import {
  MODULE_ACCOUNTS,
  moduleAddress,
  type PrecompileAddresses,
} from "../../precompiles/index.js";
import { FrameworkError } from "../../framework/errors.js";
import { cleanText } from "../../support/text.js";
import type { NetworkDescription } from "../../config/network-description.js";

/**
 * All lower addresses are reserved: the zero address, the EVM's precompiles,
 * and the chain's (0x…0400 to 0x…0900).
 */
const RESERVED = 0x1_0000n;

/**
 * What an address is known as, if nobody holds its key: a module account or a
 * precompile. Tokens sent there are lost, or refused in a way that burns the
 * whole gas limit.
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

const MODULE_ACCOUNT = /\.ModuleAccount$/;

const LOOK_TIMEOUT_MS = 5_000;
const LOOK_AGAIN = { retries: 1 };

/**
 * Like `knownAddress`, but asks the network over REST or the node RPC too,
 * since any chain of the family may have modules of its own. A network that
 * does not answer adds nothing.
 *
 * @param account the address in its account form
 */
export async function knownOn(
  network: NetworkDescription,
  { hex, account }: { readonly hex: string; readonly account: string },
): Promise<string | undefined> {
  const { endpoints, facts, precompiles } = network;
  const known = knownAddress(hex, precompiles, facts.moduleAccounts);
  if (known !== undefined) {
    return known;
  }
  const { restUrl, nodeRpcUrl } = endpoints;
  const ways = [
    ...(restUrl === undefined
      ? []
      : [() => moduleByRest(restUrl, network, account)]),
    ...(nodeRpcUrl === undefined
      ? []
      : [() => moduleByNodeRpc(nodeRpcUrl, network, account)]),
  ];
  for (const ask of ways) {
    try {
      const module = await ask();
      return module === undefined
        ? undefined
        : moduleAccount(cleanText(module, 60));
    } catch (error) {
      if (error instanceof FrameworkError && error.fault === "not-found") {
        return undefined;
      }
    }
  }
  return undefined;
}

/** The module's name; `undefined` for an account of another kind. */
async function moduleByRest(
  url: string,
  { name, facts }: NetworkDescription,
  account: string,
): Promise<string | undefined> {
  const { RestClient } = await import("../../framework/rest.js");
  const client = new RestClient({
    url,
    network: name,
    facts,
    retry: LOOK_AGAIN,
  });
  const answer = await client.fields(`/auth/v1beta1/accounts/${account}`, {
    timeoutMs: LOOK_TIMEOUT_MS,
  });
  const found = answer.object("account");
  return MODULE_ACCOUNT.test(found.text("@type"))
    ? found.text("name")
    : undefined;
}

async function moduleByNodeRpc(
  url: string,
  { name, facts }: NetworkDescription,
  address: string,
): Promise<string | undefined> {
  const { NodeRpcClient } = await import("../../framework/node-rpc/client.js");
  const { QueryClientImpl } = await import(
    "cosmjs-types/cosmos/auth/v1beta1/query"
  );
  const { ModuleAccount } = await import(
    "cosmjs-types/cosmos/auth/v1beta1/auth"
  );
  const client = new NodeRpcClient({
    url,
    network: name,
    facts,
    timeoutMs: LOOK_TIMEOUT_MS,
    retry: LOOK_AGAIN,
  });
  try {
    const { account } = await new QueryClientImpl(client.rpc()).Account({
      address,
    });
    return account !== undefined && MODULE_ACCOUNT.test(account.typeUrl)
      ? ModuleAccount.decode(account.value).name
      : undefined;
  } finally {
    await client.close();
  }
}
