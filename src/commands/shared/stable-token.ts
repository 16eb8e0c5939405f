import type { Address } from "../../address/index.js";
import type { StableToken } from "../../chain/index.js";
import { balanceOfCall } from "../../faucet/development.js";
import type { RpcOutcome } from "../../rpc/http-client.js";
import type { RpcProvider, RpcRequest } from "../../rpc/provider.js";
import { DualstackError } from "../../support/errors.js";
import type { NetworkDescription } from "../../config/network-description.js";

/** Reads an account's balance of a denomination from the chain's bank, in base units. */
export type DenomReader = (account: string, denom: string) => Promise<bigint>;

/** The request for an ERC-20 balance. */
export const erc20Request = (token: string, holder: string): RpcRequest => ({
  method: "eth_call",
  params: [{ to: token, data: balanceOfCall(holder) }, "latest"],
});

/**
 * Reads the answer to {@link erc20Request}, in base units.
 *
 * @throws DualstackError if there is no token contract at the address
 */
export function erc20Balance(
  outcome: RpcOutcome,
  token: string,
  network: string,
): bigint {
  if (!outcome.ok) {
    throw outcome.error;
  }
  const { result } = outcome;
  // A call of an address without code succeeds with no data.
  if (typeof result !== "string" || !/^0x[0-9a-fA-F]{64}$/.test(result)) {
    throw new DualstackError(
      "no ERC-20 contract answers at the stable token's address",
      {
        network,
        address: token,
        fix: "Check dualstack.stableToken.address or DUALSTACK_STABLE_TOKEN_ADDRESS.",
      },
    );
  }
  return BigInt(result);
}

/**
 * An address's balance of the stable token, in base units: from its contract,
 * or from the bank if it has none.
 *
 * @throws DualstackError if the token is a denomination and no endpoint that
 * can read the bank is configured
 */
export async function stableBalance(
  provider: RpcProvider,
  network: NetworkDescription,
  token: StableToken,
  holder: Address,
  readDenom: DenomReader | undefined,
): Promise<bigint> {
  if (token.address !== undefined) {
    const result = await provider.request(
      erc20Request(token.address, holder.hex),
    );
    return erc20Balance({ ok: true, result }, token.address, network.name);
  }
  const reason = unreadable(token, readDenom);
  if (reason !== undefined || readDenom === undefined) {
    throw new DualstackError(
      `the balance of ${token.symbol} cannot be read: ${reason}`,
      { network: network.name },
    );
  }
  return await readDenom(holder.account, token.denom ?? "");
}

/** Why the stable token's balance cannot be read; `undefined` if it can. */
export function unreadable(
  token: StableToken,
  readDenom: DenomReader | undefined,
): string | undefined {
  if (token.address !== undefined) {
    return undefined;
  }
  if (token.denom === undefined) {
    return "neither its address nor its denomination is configured";
  }
  return readDenom === undefined
    ? "it is a denomination of the bank, and no REST endpoint is configured"
    : undefined;
}
