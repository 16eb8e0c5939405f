import { mock } from "node:test";

import ignition from "@nomicfoundation/hardhat-ignition-ethers";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { buildModule } from "@nomicfoundation/ignition-core";
import { Contract, Transaction, Wallet } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";

import plugin from "../../src/index.js";
import type { DualstackUserConfig } from "../../src/config/user-config.js";
import type { DualstackConnection } from "../../src/connection/types.js";
import type { EvmNode, EvmNodeOptions } from "../servers/evm-node.js";
import { startChain } from "./chain.js";
import { loadHardhat2, requireFromToolbox, startChain2 } from "./hardhat2.js";

/** What tests for both majors use of a connection. */
export interface Client {
  readonly dualstack: DualstackConnection;
  readonly ethers: any;
  readonly ignition: any;
  readonly precompiles: any;
  readonly provider: {
    request(args: {
      readonly method: string;
      readonly params?: any[];
    }): Promise<any>;
  };
  close(): Promise<void>;
}

export interface Started<C extends Client> {
  readonly node: EvmNode;
  /** What was shown beside results and errors. */
  readonly messages: string[];
  connect(): Promise<C>;
  close(): Promise<void>;
}

export interface StartOptions extends EvmNodeOptions {
  readonly accounts?: "local" | "remote";
  /** How long a request may take, in milliseconds. */
  readonly timeout?: number;
  readonly testnet?: DualstackUserConfig["testnet"];
}

export interface OpenOptions {
  readonly accounts?: "remote" | string[];
  readonly timeout?: number;
  readonly nodeRpcUrl?: string;
}

/** One major of Hardhat with the libraries of its projects. */
export interface Major<C extends Client = Client> {
  readonly name: string;
  readonly libraries: {
    readonly Contract: any;
    readonly Transaction: any;
    readonly Wallet: any;
    readonly buildModule: any;
  };
  /** Whether a process can have several connections to a network. */
  readonly manyConnections: boolean;
  /** A node, and a Hardhat whose test network it is. */
  start(options?: StartOptions): Promise<Started<C>>;
  /** A connection to the test network at any base URL. */
  open(baseUrl: string, options?: OpenOptions): Promise<C>;
}

export type Connection3 = NetworkConnection & { readonly provider: any };

const overrideOf = (timeout: number | undefined) =>
  timeout === undefined ? {} : { override: { timeout } };

export const HARDHAT_3: Major<Connection3> = {
  name: "Hardhat 3",
  libraries: { Contract, Transaction, Wallet, buildModule },
  manyConnections: true,
  start: async ({ timeout, testnet, ...options } = {}) => {
    const chain = await startChain({
      ...options,
      config: {
        plugins: [ignition, hardhatViem],
        ...(testnet === undefined ? {} : { dualstack: { testnet } }),
      },
    });
    const messages: string[] = [];
    chain.hre.hooks.registerHandlers("userInterruptions", {
      displayMessage: async (_context, _interruptor, message) =>
        void messages.push(message),
    });
    return {
      node: chain.node,
      messages,
      connect: async () =>
        await chain.hre.network.create({
          network: "testnet",
          ...overrideOf(timeout),
        }),
      close: async () => await chain.close(),
    };
  },
  open: async (baseUrl, { timeout, ...rest } = {}) => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [plugin, ignition, hardhatViem],
      dualstack: { testnet: { baseUrl, ...rest } },
    });
    return await hre.network.create({
      network: "testnet",
      ...overrideOf(timeout),
    });
  },
};

const PLUGINS2 = [
  "@nomicfoundation/hardhat-ignition-ethers",
  "hardhat-dualstack/hardhat2",
];

export const HARDHAT_2: Major = {
  name: "Hardhat 2",
  libraries: {
    ...requireFromToolbox("ethers"),
    buildModule: requireFromToolbox("@nomicfoundation/ignition-core")
      .buildModule,
  },
  manyConnections: false,
  start: async ({ testnet, ...options } = {}) => {
    const { node, hre, close } = await startChain2({
      ...options,
      plugins: PLUGINS2,
      ...(testnet === undefined ? {} : { config: { dualstack: { testnet } } }),
    });
    const messages: string[] = [];
    const warn = mock.method(console, "warn", (text: string) =>
      messages.push(text),
    );
    const { dualstack, ethers, ignition, network, precompiles } = hre;
    return {
      node,
      messages,
      connect: async () => ({
        dualstack,
        ethers,
        ignition,
        precompiles,
        provider: network.provider,
        close: async () => undefined,
      }),
      close: async () => {
        warn.mock.restore();
        await close();
      },
    };
  },
  open: async (baseUrl, { timeout, ...rest } = {}) => {
    const { dualstack, ethers, ignition, network, precompiles } =
      await loadHardhat2({
        network: "testnet",
        plugins: PLUGINS2,
        config: {
          dualstack: { testnet: { baseUrl, ...rest } },
          ...(timeout === undefined
            ? {}
            : { networks: { testnet: { url: `${baseUrl}/evm`, timeout } } }),
        },
      });
    return {
      dualstack,
      ethers,
      ignition,
      precompiles,
      provider: network.provider,
      close: async () => undefined,
    };
  },
};
