import { DualstackError } from "../../support/errors.js";
import { COIN_TYPE } from "./keplr.js";
import { needed, type WalletRecord } from "./record.js";

/** The coin type that all test networks share (SLIP-44). */
const TEST_COIN_TYPE = 1;

/**
 * A file for ethereum-lists/chains, `_data/chains/eip155-<chain ID>.json`,
 * which Chainlist takes its networks from.
 */
export function chainlist(record: WalletRecord) {
  const { network, name, shortName, chainId, currency, isTestnet, endpoints } =
    record;
  const { wsUrl, faucetUrl, explorerUrl } = endpoints;
  const evmUrl = needed(record, "evmUrl");
  if (record.infoUrl === undefined) {
    throw new DualstackError("the list requires a page about the network", {
      network,
      fix: "Give one with --info-url, or configure the explorer.",
    });
  }
  return {
    name,
    chain: currency.symbol,
    rpc: [evmUrl, ...(wsUrl === undefined ? [] : [wsUrl])],
    faucets: faucetUrl === undefined ? [] : [faucetUrl],
    nativeCurrency: { ...currency },
    infoURL: record.infoUrl,
    shortName,
    chainId,
    networkId: chainId,
    slip44: isTestnet ? TEST_COIN_TYPE : COIN_TYPE,
    ...(explorerUrl === undefined
      ? {}
      : {
          explorers: [
            { name: "Explorer", url: explorerUrl, standard: "EIP3091" },
          ],
        }),
  };
}
