import { mock } from "node:test";

import { type Client, testSending } from "../sending/suite.js";
import { requireFromToolbox, startChain2 } from "../helpers/hardhat2.js";

const { Contract, Transaction, Wallet } = requireFromToolbox("ethers");
const { buildModule } = requireFromToolbox("@nomicfoundation/ignition-core");

testSending<Client>({
  name: "Hardhat 2",
  libraries: { Contract, Transaction, Wallet, buildModule },
  manyConnections: false,
  start: async (options) => {
    const { node, hre, close } = await startChain2({
      ...options,
      plugins: [
        "@nomicfoundation/hardhat-ignition-ethers",
        "hardhat-dualstack/hardhat2",
      ],
    });
    const messages: string[] = [];
    const warn = mock.method(console, "warn", (text: string) =>
      messages.push(text),
    );
    const { ethers, ignition, network } = hre;
    return {
      node,
      messages,
      connect: async () => ({
        ethers,
        ignition,
        provider: network.provider,
        close: async () => undefined,
      }),
      close: async () => {
        warn.mock.restore();
        await close();
      },
    };
  },
});
