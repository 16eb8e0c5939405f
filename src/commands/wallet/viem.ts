import { toViemChain, type ViemChain } from "../../chain/index.js";
import { needed, type WalletRecord } from "./record.js";

/** For viem's `defineChain`. */
export function viem(record: WalletRecord): ViemChain {
  needed(record, "evmUrl");
  const { kind, chainId, name, endpoints, currency, isTestnet } = record;
  return {
    ...toViemChain(kind === "mainnet" ? kind : "testnet", endpoints, {
      currency,
    }),
    id: chainId,
    name,
    testnet: isTestnet,
  };
}
