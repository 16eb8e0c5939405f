import { explorerLinks, grpcTarget } from "../../chain/index.js";
import { bech32Config, COIN_TYPE } from "./keplr.js";
import {
  type FrameworkRecord,
  priceNumber,
  type WalletRecord,
} from "./record.js";

/** A `chain.json` for the Cosmos chain registry. */
export function chainRegistry(
  record: WalletRecord,
  framework: FrameworkRecord,
) {
  const { network, name, shortName, isTestnet, endpoints } = record;
  const { nodeRpcUrl, restUrl, grpcHost, evmUrl, explorerUrl } = endpoints;
  const { chainId, baseDenom, bech32Prefix, gasPrices } = framework;
  const at = (address: string | undefined) =>
    address === undefined ? [] : [{ address }];
  return {
    // Test networks are one folder deeper.
    $schema: `${isTestnet ? "../../" : "../"}chain.schema.json`,
    chain_name: shortName.toLowerCase().replace(/[^a-z0-9]/g, ""),
    chain_type: "cosmos",
    chain_id: chainId,
    pretty_name: name,
    ...(record.infoUrl === undefined ? {} : { website: record.infoUrl }),
    status: "live",
    network_type: isTestnet ? "testnet" : "mainnet",
    bech32_prefix: bech32Prefix,
    bech32_config: bech32Config(bech32Prefix),
    key_algos: ["ethsecp256k1"],
    slip44: COIN_TYPE,
    fees: {
      fee_tokens: [
        {
          denom: baseDenom,
          fixed_min_gas_price: priceNumber(gasPrices.low, network),
          low_gas_price: priceNumber(gasPrices.low, network),
          average_gas_price: priceNumber(gasPrices.average, network),
          high_gas_price: priceNumber(gasPrices.high, network),
        },
      ],
    },
    staking: { staking_tokens: [{ denom: baseDenom }] },
    apis: {
      rpc: at(nodeRpcUrl),
      rest: at(restUrl),
      grpc: at(grpcHost && grpcTarget(grpcHost).host),
      "evm-http-jsonrpc": at(evmUrl),
    },
    ...(explorerUrl === undefined
      ? {}
      : {
          explorers: [
            {
              kind: "explorer",
              url: explorerUrl,
              // The registry's own placeholders.
              tx_page: explorerLinks.transaction(explorerUrl, "${txHash}"),
              account_page: explorerLinks.address(
                explorerUrl,
                "${accountAddress}",
              ),
            },
          ],
        }),
  };
}
