import { howToSet } from "../support/major.js";
import { variableName } from "../chain/variables.js";
import type { DualstackNetworkConfig } from "../config/resolve.js";
import type { Ask } from "../rpc/pipeline.js";
import { isRecord } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";

/** Requests that accounts answer, by the position of the address; the others have none. */
const METHODS: ReadonlyMap<string, number | undefined> = new Map([
  ["eth_accounts", undefined],
  ["eth_requestAccounts", undefined],
  ["eth_sendTransaction", 0],
  ["eth_sign", 0],
  ["personal_sign", 1],
  ["eth_signTypedData_v4", 0],
]);

/** Whether accounts answer a request, and not the node. */
export const concernsAccounts = (method: string): boolean =>
  METHODS.has(method);

/** Whether a request asks for the list of accounts. */
export const asksForAccounts = (method: string): boolean =>
  method.endsWith("ccounts");

/** The account that a request names, in lower case. */
export function accountIn(
  method: string,
  params: readonly unknown[],
): string | undefined {
  const position = METHODS.get(method);
  const value = position === undefined ? undefined : params[position];
  const address = isRecord(value) ? value["from"] : value;
  return typeof address === "string" ? address.toLowerCase() : undefined;
}

/**
 * Checks that the node itself has an account; without one, the node's own error
 * would be hard to understand.
 *
 * @throws DualstackError if nobody has an account to sign with
 */
export async function mustBeRemote(
  address: string | undefined,
  network: Pick<DualstackNetworkConfig, "kind" | "name" | "remoteAccounts">,
  askNode: Ask,
): Promise<void> {
  if (network.remoteAccounts) {
    return;
  }
  const remote = await askNode("eth_accounts").catch(() => []);
  const addresses = Array.isArray(remote)
    ? remote.map((account) => String(account).toLowerCase())
    : [];
  if (
    address === undefined
      ? addresses.length === 0
      : !addresses.includes(address)
  ) {
    throw new DualstackError(
      `There is no account to sign with on the network ${network.name}${address === undefined ? "" : ` for ${address}`}`,
      {
        fix: `${howToSet(variableName("privateKey"))}, or dualstack.${network.kind}.accounts in the Hardhat configuration.`,
      },
    );
  }
}
