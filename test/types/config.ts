/** Compiled by types.test.ts, never run: the configuration. */
import { configVariable, defineConfig } from "hardhat/config";

import dualstack from "../../src/index.js";

export const everything = defineConfig({
  plugins: [dualstack],
  networks: {
    testnet: {
      type: "http",
      url: "https://testnet.dualstack.example/evm",
      gasMultiplier: 1.5,
    },
  },
  dualstack: {
    testnet: {
      name: "dualTest",
      baseUrl: configVariable("MY_BASE_URL"),
      grpcHost: "grpc.dualstack.example:9090",
      explorerUrl: "https://explorer.dualstack.example",
      evmUrl: "https://evm.dualstack.example",
      wsUrl: "wss://evm.dualstack.example/ws",
      nodeRpcUrl: "https://rpc.dualstack.example",
      restUrl: "https://api.dualstack.example",
      accounts: [configVariable("MY_KEY")],
      allowInsecure: false,
    },
    mainnet: {
      baseUrl: "https://dualstack.example",
      accounts: { mnemonic: configVariable("MY_WORDS"), count: 3 },
    },
    currency: { name: "Native", symbol: "NAT" },
    baseDenom: "anat",
    stableToken: { symbol: "USDX", decimals: 6, denom: "uusdx" },
    bech32Prefix: "dual",
    frameworkPrefix: "cosmos",
    networkPrefix: "cosmos.evm",
    precompiles: {
      staking: { abi: "string-description" },
      governance: { address: "0x0000000000000000000000000000000000000805" },
    },
    gas: {
      multiplier: 1.2,
      rewardsAllowance: false,
      transactionGasCap: 16_777_216,
    },
  },
});

export const refused = [
  // @ts-expect-error -- a multiplier is a number
  defineConfig({ dualstack: { gas: { multiplier: "1.2" } } }),
  // @ts-expect-error -- there is no such network
  defineConfig({ dualstack: { devnet: {} } }),
  // @ts-expect-error -- accounts are a list
  defineConfig({ dualstack: { testnet: { accounts: "0x00" } } }),
  // @ts-expect-error -- only the test network has a faucet
  defineConfig({ dualstack: { mainnet: { faucet: {} } } }),
];
