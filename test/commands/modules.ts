import assert from "node:assert/strict";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { NetworkDescription } from "../../src/config/network-description.js";
import { ModuleReader } from "../../src/commands/modules/reader.js";
import type { Sender } from "../../src/commands/shared/sending.js";
import type { LocalnetUserSettings } from "../../src/localnet/settings/settings.js";
import { parseAddress } from "../../src/address/index.js";
import { createProject, describedNetwork } from "./helpers.js";

/**
 * Operators of three validators with different stakes: accounts of Hardhat's
 * mnemonic, from the fourth on.
 */
export const OPERATORS = [
  "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
  "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
].map((hex) => parseAddress(hex));
export const [LARGE, MIDDLE, SMALL] = OPERATORS as [
  (typeof OPERATORS)[0],
  (typeof OPERATORS)[0],
  (typeof OPERATORS)[0],
];

export const LOCALNET: LocalnetUserSettings = {
  validators: [
    {
      operator: MIDDLE.hex,
      moniker: "Middle",
      stake: "2000",
      commission: { rate: "0.05", maxRate: "0.2", maxChangeRate: "0.01" },
    },
    { operator: LARGE.valoper, moniker: "Large\u001b[31m", stake: "5000" },
    { operator: SMALL.hex, moniker: "Small", stake: "1000" },
  ],
};

export const DAY = 86_400;
export const TOKEN = 10n ** 18n;

/** A fresh local chain, and ways to control it. */
export class LocalChain {
  readonly hre: HardhatRuntimeEnvironment;
  readonly connection: Awaited<
    ReturnType<HardhatRuntimeEnvironment["network"]["create"]>
  >;
  readonly sent: string[] = [];

  private constructor(
    hre: HardhatRuntimeEnvironment,
    connection: LocalChain["connection"],
  ) {
    this.hre = hre;
    this.connection = connection;
  }

  static async start(
    settings: LocalnetUserSettings = LOCALNET,
  ): Promise<LocalChain> {
    const hre = await createProject(
      { dualstack: { localnet: settings } },
      { network: "localnet" },
    );
    return new LocalChain(hre, await hre.network.create("localnet"));
  }

  get control() {
    return this.connection.dualstack.localnet;
  }

  network(given: Partial<NetworkDescription> = {}): NetworkDescription {
    return describedNetwork({
      name: "localnet",
      kind: "local",
      chainId: 31337,
      endpoints: { explorerUrl: "https://explorer.dualstack.example" },
      ...given,
    });
  }

  /** Returns a sender for one of the node's accounts, by default the first. */
  sender(
    from?: string,
    { on = this.network() }: { on?: NetworkDescription } = {},
  ): Sender {
    return {
      network: on,
      estimates: this.connection.dualstack,
      provider: {
        request: async ({ method, params = [] }) => {
          if (method.startsWith("eth_send")) {
            this.sent.push(JSON.stringify(params));
          }
          return method === "eth_accounts" && from !== undefined
            ? [from]
            : await this.connection.provider.request({
                method,
                params: [...params],
              });
        },
      },
    };
  }

  get reader(): ModuleReader {
    return new ModuleReader(this.sender());
  }

  async balance(address: string): Promise<bigint> {
    return await this.connection.ethers.provider.getBalance(address);
  }

  /** Checks that an action is refused with this error, and sends nothing. */
  async refused(action: Promise<unknown>, message: RegExp): Promise<void> {
    const before = this.sent.length;
    await assert.rejects(action, (error) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, message);
      return true;
    });
    assert.equal(this.sent.length, before, "nothing is sent");
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}
