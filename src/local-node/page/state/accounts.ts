import { parseAddress } from "../../../address/index.js";
import { ZERO_ADDRESS } from "../../../address/zero.js";
import type { StableToken } from "../../../chain/facts.js";
import { PAYER, RESERVE, SYSTEM } from "../../../localnet/modules/accounts.js";
import { MODULE_ACCOUNTS } from "../../../precompiles/module-accounts.js";
import type { Books } from "../../books/books.js";
import type { DualChain } from "../../chain.js";
import { balanceCall, FAUCET } from "../../stable-token.js";
import { NAMES } from "../texts.js";
import { amountText } from "./display.js";
import type { Names } from "./names.js";
import type { AccountRow } from "./types.js";

/** Most accounts that the page shows. */
const MOST = 60;

/** Addresses that serve the network itself; the page does not list them. */
const OWN: ReadonlySet<string> = new Set(
  [
    ZERO_ADDRESS,
    SYSTEM,
    RESERVE,
    PAYER,
    FAUCET,
    ...Object.values(MODULE_ACCOUNTS),
  ].map((address) => address.toLowerCase()),
);

/**
 * Reads the accounts with their balances, genesis accounts first, and counts
 * those left out.
 */
export async function readAccounts(
  chain: DualChain,
  books: Books,
  names: Names,
  stable: StableToken & { readonly address: string },
): Promise<{
  readonly accounts: readonly AccountRow[];
  readonly more: number;
}> {
  const { addresses } = chain.engine.settings;
  const notShown = new Set([
    ...OWN,
    stable.address.toLowerCase(),
    ...Object.values(addresses).map((address) => address.toLowerCase()),
  ]);
  const all = [
    ...new Set([...chain.genesisAccounts, ...chain.seenAccounts]),
  ].filter((address) => !notShown.has(address));
  const accounts = await Promise.all(
    all.slice(0, MOST).map(async (address): Promise<AccountRow> => {
      const { hex, account } = parseAddress(address, { prefix: chain.prefix });
      const [coins, tokens] = await Promise.all([
        books.bank.balances(account),
        chain.request({
          method: "eth_call",
          params: [{ to: stable.address, data: balanceCall(hex) }, "latest"],
        }),
      ]);
      return {
        name: names.find(hex) ?? NAMES.other,
        address: hex,
        account,
        native: amountText(BigInt(coins[0]?.amount ?? 0), 18),
        stable: amountText(BigInt(String(tokens)), stable.decimals),
      };
    }),
  );
  return { accounts, more: all.length - accounts.length };
}
