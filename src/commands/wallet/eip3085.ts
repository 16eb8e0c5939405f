import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { isSafeUrl, needed, type WalletRecord } from "./record.js";

/** The parameter of `wallet_addEthereumChain` (EIP-3085). */
export interface AddEthereumChain {
  readonly chainId: `0x${string}`;
  readonly chainName: string;
  readonly nativeCurrency: {
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
  };
  readonly rpcUrls: readonly string[];
  readonly blockExplorerUrls: readonly string[] | null;
}

const MAX_SYMBOL = 6;

/**
 * @throws DualstackError for what wallets refuse: a long symbol, or an address
 * that is not encrypted
 */
export function eip3085(record: WalletRecord): AddEthereumChain {
  const { network, name, chainId, currency, endpoints } = record;
  const evmUrl = needed(record, "evmUrl");
  if (!isSafeUrl(evmUrl)) {
    throw new DualstackError(
      "browser wallets accept only https:// addresses, or http:// on this machine",
      { network, endpoint: evmUrl, fix: "Serve the endpoint over HTTPS." },
    );
  }
  if (currency.symbol.length > MAX_SYMBOL) {
    throw new DualstackError(
      `browser wallets refuse the symbol "${currency.symbol}": it has more than ${MAX_SYMBOL} characters`,
      { network, fix: "Set DUALSTACK_CURRENCY_SYMBOL to a shorter one." },
    );
  }
  if (name === "") {
    throw new DualstackError("browser wallets need a name for the network", {
      network,
      fix: "Give one with --name.",
    });
  }
  const { explorerUrl } = endpoints;
  return {
    chainId: toQuantity(BigInt(chainId)),
    chainName: name,
    nativeCurrency: { ...currency },
    rpcUrls: [evmUrl],
    // Wallets accept a missing explorer, but not one that is not encrypted.
    blockExplorerUrls:
      explorerUrl !== undefined && isSafeUrl(explorerUrl)
        ? [explorerUrl]
        : null,
  };
}
