import { DualstackError } from "../../support/errors.js";
import {
  type FrameworkRecord,
  needed,
  priceNumber,
  type WalletRecord,
} from "./record.js";

const MAX_NAME = 36;
/** Ethereum's coin type, since both stacks share one key. */
export const COIN_TYPE = 60;

/**
 * A chain's record for Keplr's `experimentalSuggestChain`, which other wallets
 * follow.
 *
 * @throws DualstackError for a name that is too long, or a missing endpoint
 */
export function keplr(record: WalletRecord, framework: FrameworkRecord) {
  const { network, name, chainId, isTestnet, currency, endpoints } = record;
  const { baseDenom, bech32Prefix: prefix, gasPrices } = framework;
  if (name.length < 1 || name.length > MAX_NAME) {
    throw new DualstackError(
      `the wallet accepts names of 1 to ${MAX_NAME} characters, but "${name.slice(0, 60)}" has ${name.length}`,
      { network, fix: "Give another with --name." },
    );
  }
  const coin = {
    coinDenom: currency.symbol,
    coinMinimalDenom: baseDenom,
    coinDecimals: currency.decimals,
  };
  return {
    chainId: framework.chainId,
    chainName: name,
    rpc: needed(record, "nodeRpcUrl"),
    rest: needed(record, "restUrl"),
    isTestnet,
    bip44: { coinType: COIN_TYPE },
    bech32Config: bech32Config(prefix),
    currencies: [coin],
    stakeCurrency: coin,
    feeCurrencies: [
      {
        ...coin,
        gasPriceStep: {
          low: priceNumber(gasPrices.low, network),
          average: priceNumber(gasPrices.average, network),
          high: priceNumber(gasPrices.high, network),
        },
      },
    ],
    // The last feature is needed: without it the wallet signs with a key type
    // that this chain does not know.
    features: ["eth-address-gen", "eth-key-sign", "eth-secp256k1-cosmos"],
    evm: {
      chainId,
      rpc: needed(record, "evmUrl"),
      ...(endpoints.wsUrl === undefined ? {} : { websocket: endpoints.wsUrl }),
    },
  };
}

/** All bech32 prefixes that follow from that of accounts. */
export const bech32Config = (prefix: string) => ({
  bech32PrefixAccAddr: prefix,
  bech32PrefixAccPub: `${prefix}pub`,
  bech32PrefixValAddr: `${prefix}valoper`,
  bech32PrefixValPub: `${prefix}valoperpub`,
  bech32PrefixConsAddr: `${prefix}valcons`,
  bech32PrefixConsPub: `${prefix}valconspub`,
});
