import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { defineChain } from "viem";

import plugin from "../../src/index.js";
import { EvmNode, type EvmNodeOptions } from "../servers/evm-node.js";

/** The first keys of the public test mnemonic, which are worthless everywhere. */
export const KEYS = [
  "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
] as const;
export const ACCOUNTS = [
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
] as const;

export const viemChain = defineChain({
  id: 26218,
  name: "Test network",
  nativeCurrency: { name: "Native Token", symbol: "NATIVE", decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

export interface Chain {
  readonly node: EvmNode;
  readonly hre: HardhatRuntimeEnvironment;
  close(): Promise<void>;
}

/** The configuration of the test network's accounts. */
export const accountsIn = (
  accounts: string,
): { readonly accounts?: string[] | "remote" } =>
  accounts === "local"
    ? { accounts: [...KEYS] }
    : accounts === "remote"
      ? { accounts }
      : {};

/** Starts a node, and a Hardhat whose test network it is. */
export async function startChain(
  options: EvmNodeOptions & {
    readonly config?: HardhatUserConfig;
    readonly accounts?: "local" | "remote" | "none";
  } = {},
): Promise<Chain> {
  const { config, accounts = "local", ...nodeOptions } = options;
  const node = await EvmNode.start({
    keyring: accounts === "remote",
    ...nodeOptions,
  });
  const root = await mkdtemp(path.join(tmpdir(), "dualstack-"));
  await writeFile(path.join(root, "package.json"), '{ "type": "module" }');
  const userConfig: HardhatUserConfig = {
    ...config,
    plugins: [plugin, ...(config?.plugins ?? [])],
    dualstack: {
      ...config?.dualstack,
      testnet: {
        baseUrl: node.baseUrl,
        ...accountsIn(accounts),
        ...config?.dualstack?.testnet,
      },
    },
  };
  const hre = await createHardhatRuntimeEnvironment(userConfig, {}, root);
  return {
    node,
    hre,
    close: async () => {
      await node.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
