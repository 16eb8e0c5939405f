import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { type Chain, createPublicClient, custom, defineChain } from "viem";

import {
  type ChainFacts,
  DEFAULT_FACTS,
  type Endpoints,
} from "../../src/chain/index.js";
import type { NetworkDescription } from "../../src/config/network-description.js";
import {
  FORMATS,
  type WalletFormat,
} from "../../src/commands/wallet/formats.js";
import {
  exportWallet,
  printWallet,
  type WalletSettings,
} from "../../src/commands/wallet/index.js";
import { FACTS } from "../framework/network.js";
import {
  describedNetwork,
  RecordingUi,
  runTask,
  createProject,
} from "./helpers.js";
import { faults, schema } from "./json-schema.js";
import { ANY_NETWORK, type AnyNetwork, wholeNetwork } from "./network.js";

const PUBLIC: Endpoints = {
  evmUrl: "https://testnet.dualstack.example/evm",
  wsUrl: "wss://testnet.dualstack.example/ws",
  nodeRpcUrl: "https://testnet.dualstack.example/rpc",
  restUrl: "https://testnet.dualstack.example/api",
  grpcHost: "testnet.dualstack.example:9090",
  explorerUrl: "https://explorer.dualstack.example",
  faucetUrl: "https://faucet.dualstack.example",
};
const SETTINGS: WalletSettings = {
  name: "Dualstack Testnet",
  shortName: "dualstack-testnet",
};

const described = (
  endpoints: Endpoints = PUBLIC,
  given: Partial<NetworkDescription> = {},
) => describedNetwork({ facts: FACTS, endpoints, ...given });
const exported = async (
  format: WalletFormat,
  network = described(),
  settings: WalletSettings = SETTINGS,
) => (await exportWallet(format, { network, settings })) as any;
const withSymbol = (symbol: string): ChainFacts => ({
  ...FACTS,
  currency: { ...FACTS.currency, symbol },
});

/**
 * Lists the rules of MetaMask for `wallet_addEthereumChain` that are broken.
 */
function refusals(parameter: any): string[] {
  const {
    chainId,
    chainName,
    nativeCurrency,
    rpcUrls,
    blockExplorerUrls,
    ...others
  } = parameter;
  const safe = (text: string) => {
    const { protocol, hostname } = new URL(text);
    return (
      protocol === "https:" || ["localhost", "127.0.0.1"].includes(hostname)
    );
  };
  const rules: [string, boolean][] = [
    ["no other keys", Object.keys(others).every((key) => key === "iconUrls")],
    [
      "chainId: 0x, unpadded, lower case, not zero",
      /^0x[1-9a-f][0-9a-f]*$/.test(chainId),
    ],
    ["chainId: a safe integer", Number.isSafeInteger(Number(chainId))],
    ["chainName: not empty", typeof chainName === "string" && chainName !== ""],
    ["18 decimals", nativeCurrency.decimals === 18],
    ["a symbol of 1 to 6 characters", /^.{1,6}$/.test(nativeCurrency.symbol)],
    ["an https address", Array.isArray(rpcUrls) && rpcUrls.some(safe)],
    [
      "an https explorer or null",
      blockExplorerUrls === null ||
        (Array.isArray(blockExplorerUrls) &&
          blockExplorerUrls.length > 0 &&
          blockExplorerUrls.every(safe)),
    ],
  ];
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule);
}

/**
 * Lists the rules that are broken: Keplr's schema, what its validator checks
 * beyond that, and what this chain needs.
 */
function keplrRefusals(info: any): string[] {
  const [coin] = info.currencies;
  const [fee] = info.feeCurrencies;
  const { low, average, high } = fee.gasPriceStep;
  const { bech32PrefixAccAddr: prefix, ...prefixes } = info.bech32Config;
  const rules: [string, boolean][] = [
    ["prices in order", low <= average && average <= high],
    [
      "the staking token is a currency",
      coin.coinMinimalDenom === info.stakeCurrency.coinMinimalDenom,
    ],
    ["fees in a currency", coin.coinMinimalDenom === fee.coinMinimalDenom],
    ["no other coin type beside 60", info.alternativeBIP44s === undefined],
    [
      "a chain ID of the framework, not eip155",
      !info.chainId.startsWith("eip155:"),
    ],
    [
      "all features for keys of Ethereum",
      ["eth-address-gen", "eth-key-sign", "eth-secp256k1-cosmos"].every((f) =>
        info.features.includes(f),
      ),
    ],
    [
      "features once each",
      new Set(info.features).size === info.features.length,
    ],
    [
      "prefixes of one family",
      Object.values(prefixes).every((one) =>
        (one as string).startsWith(prefix),
      ),
    ],
  ];
  return [
    ...faults(info, schema("keplr")),
    ...rules.filter(([, holds]) => !holds).map(([rule]) => rule),
  ];
}

for (const [where, start] of ANY_NETWORK) {
  describe(`records for wallets of a network ${where}`, () => {
    let world: AnyNetwork;
    let restUrl: string | undefined;
    let nodeRpcUrl: string | undefined;
    before(async () => {
      world = await start();
      ({ restUrl, nodeRpcUrl } = world.describe().endpoints);
    });
    after(async () => await world[Symbol.asyncDispose]());

    it("suit framework wallets, with what only the chain knows", async () => {
      const info = await exported(
        "keplr",
        described({ ...PUBLIC, restUrl, nodeRpcUrl }),
      );
      assert.deepEqual(keplrRefusals(info), []);
      assert.equal(info.chainId, "dualstack_26218-1");
      assert.equal(info.stakeCurrency.coinMinimalDenom, "atest");
      assert.deepEqual(info.evm, {
        chainId: 26218,
        rpc: PUBLIC.evmUrl,
        websocket: PUBLIC.wsUrl,
      });

      await assert.rejects(
        exported("keplr", described({ ...PUBLIC, restUrl }), {
          name: "x".repeat(37),
          shortName: "x",
        }),
        /1 to 36 characters/,
      );
      const { restUrl: _, ...noRest } = PUBLIC;
      await assert.rejects(
        exported("keplr", described({ evmUrl: PUBLIC.evmUrl })),
        /framework's chain ID is not known.*--cosmos-chain-id/,
      );
      await assert.rejects(
        exported("keplr", described({ ...noRest, nodeRpcUrl })),
        /lowest gas price.*--gas-price/,
      );
    });

    it("take the price from a flag where only the node RPC is configured", async () => {
      const { restUrl: _, ...noRest } = PUBLIC;
      const settings = { ...SETTINGS, gasPrice: "7" };
      const record = await exported(
        "chain-registry",
        described({ ...noRest, nodeRpcUrl }),
        settings,
      );
      assert.equal(record.chain_id, "dualstack_26218-1");
      assert.equal(record.fees.fee_tokens[0].low_gas_price, 7);
    });

    it("suit the registry of the framework's chains", async () => {
      const record = await exported(
        "chain-registry",
        described({ ...PUBLIC, restUrl }),
      );
      assert.deepEqual(faults(record, schema("chain-registry")), []);
      assert.equal(record.chain_name, "dualstacktestnet");
      assert.equal(
        record.explorers[0].tx_page,
        "https://explorer.dualstack.example/tx/${txHash}",
      );
      assert.equal(record.$schema, "../../chain.schema.json");
      assert.deepEqual(record.key_algos, ["ethsecp256k1"]);
    });
  });
}

describe("records for wallets", () => {
  it("suit browser wallets (EIP-3085)", async () => {
    const record = await exported("eip3085");
    assert.deepEqual(refusals(record), []);
    assert.deepEqual(record, {
      chainId: "0x666a",
      chainName: "Dualstack Testnet",
      nativeCurrency: { name: "Test Token", symbol: "TEST", decimals: 18 },
      rpcUrls: [PUBLIC.evmUrl],
      blockExplorerUrls: [PUBLIC.explorerUrl],
    });
    const { explorerUrl: _, ...without } = PUBLIC;
    assert.equal(
      (await exported("eip3085", described(without))).blockExplorerUrls,
      null,
    );
    const plain = await exported(
      "eip3085",
      described({
        ...PUBLIC,
        explorerUrl: "http://explorer.dualstack.example",
      }),
    );
    assert.equal(plain.blockExplorerUrls, null);
    assert.deepEqual(
      refusals(
        await exported(
          "eip3085",
          described({ evmUrl: "http://127.0.0.1:8545" }),
        ),
      ),
      [],
    );
    assert.deepEqual(
      refusals(
        await exported("eip3085", described(PUBLIC, { facts: DEFAULT_FACTS })),
      ),
      [],
    );

    await assert.rejects(
      exported("eip3085", described(PUBLIC, { facts: withSymbol("TOOLONG") })),
      /"TOOLONG".*more than 6.*DUALSTACK_CURRENCY_SYMBOL/,
    );
    await assert.rejects(
      exported(
        "eip3085",
        described({ evmUrl: "http://node.dualstack.example/evm" }),
      ),
      /accept only https:\/\/ addresses/,
    );
    await assert.rejects(
      exported("eip3085", described({ evmUrl: "http://[::1]:8545" })),
      /accept only https:\/\/ addresses/,
    );
    await assert.rejects(
      exported("eip3085", described({})),
      /DUALSTACK_TESTNET_BASE_URL/,
    );
    await assert.rejects(
      exported("eip3085", described(), { name: " ", shortName: "x" }),
      /--name/,
    );
  });

  it("have gas prices that suit the base fee, or are refused", async () => {
    await using world = await wholeNetwork();
    const { rest } = world;
    const info = await exported(
      "keplr",
      described({ ...PUBLIC, restUrl: rest.url }),
    );
    assert.deepEqual(info.feeCurrencies[0].gasPriceStep, {
      low: 1_000_000_000,
      average: 1_125_000_000,
      high: 2_000_000_000,
    });

    // A base fee below the lowest price, and a denomination other than the
    // configured one.
    world.chain.state.evm.baseFee = 1n;
    world.chain.mine([], true);
    const told: string[] = [];
    const other = (await exportWallet(
      "keplr",
      {
        network: described(
          { ...PUBLIC, restUrl: rest.url },
          { facts: { ...FACTS, baseDenom: "anative" } },
        ),
        settings: SETTINGS,
      },
      (text) => told.push(text),
    )) as any;
    assert.deepEqual(keplrRefusals(other), []);
    assert.deepEqual(
      Object.values(other.feeCurrencies[0].gasPriceStep),
      [1e9, 1e9, 1e9],
    );
    assert.equal(other.currencies[0].coinMinimalDenom, "atest");
    assert.match(
      told.join(),
      /base denomination is "atest", but "anative" is configured/,
    );

    world.chain.state.evm.minGasPrice = 2n ** 60n;
    world.chain.mine([], true);
    await assert.rejects(
      exported("keplr", described({ ...PUBLIC, restUrl: rest.url })),
      /too high/,
    );
  });

  it("take flags for what no endpoint provides", async () => {
    const { restUrl: _, ...noRest } = PUBLIC;
    const settings = { ...SETTINGS, gasPrice: "7" };
    const offline = await exported(
      "chain-registry",
      described({ evmUrl: PUBLIC.evmUrl }),
      { ...settings, cosmosChainId: "mine_1-1" },
    );
    assert.equal(offline.chain_id, "mine_1-1");
    // With everything given no endpoint is asked: nothing listens at these.
    const unasked = await exported(
      "keplr",
      described({ ...PUBLIC, restUrl: "http://127.0.0.1:1" }),
      { ...settings, cosmosChainId: "mine_1-1" },
    );
    assert.equal(unasked.chainId, "mine_1-1");
    assert.deepEqual(unasked.feeCurrencies[0].gasPriceStep, {
      low: 7,
      average: 7,
      high: 14,
    });
    assert.deepEqual(faults(offline, schema("chain-registry")), []);
    await assert.rejects(
      exported("chain-registry", described(), { ...settings, gasPrice: "1.5" }),
      /--gas-price "1.5"/,
    );
    await assert.rejects(
      exported("chain-registry", described({}), {
        ...settings,
        cosmosChainId: "\u001b",
      }),
      /is not a chain ID/,
    );
    // A wallet needs REST.
    await assert.rejects(
      exported("keplr", described(noRest), {
        ...settings,
        cosmosChainId: "mine_1-1",
      }),
      /REST/,
    );
  });

  it("suit the registry of the EVM's chains", async () => {
    const list = await exported("chainlist");
    assert.deepEqual(faults(list, schema("chainlist")), []);
    assert.deepEqual(list.rpc, [PUBLIC.evmUrl, PUBLIC.wsUrl]);
    assert.deepEqual([list.slip44, list.networkId], [1, 26218]);
    const main = await exported(
      "chainlist",
      described(PUBLIC, { kind: "mainnet", chainId: 26217 }),
    );
    assert.equal(main.slip44, 60);
    await assert.rejects(
      exported("chainlist", described({ evmUrl: PUBLIC.evmUrl })),
      /--info-url/,
    );
    const page = await exported(
      "chainlist",
      described({ evmUrl: PUBLIC.evmUrl }),
      { ...SETTINGS, infoUrl: "https://dualstack.example" },
    );
    assert.deepEqual(faults(page, schema("chainlist")), []);
    await assert.rejects(
      exported("chainlist", described(), { shortName: "two words" }),
      /--short-name/,
    );
  });

  it("suit viem", async () => {
    const chain = defineChain((await exported("viem")) as Chain);
    const client = createPublicClient({
      chain,
      transport: custom({ request: () => Promise.resolve("0x666a") }),
    });
    assert.equal(await client.getChainId(), client.chain.id);
    assert.deepEqual(client.chain.rpcUrls.default.webSocket, [PUBLIC.wsUrl]);
    assert.equal(client.chain.testnet, true);
  });

  it("publish no secrets", async () => {
    const network = described({
      ...PUBLIC,
      evmUrl: "https://user:secret@node.dualstack.example/evm",
    });
    for (const format of Object.keys(FORMATS) as WalletFormat[]) {
      await assert.rejects(
        exported(format, network),
        (error: Error) =>
          /would publish/.test(error.message) && !/secret/.test(error.message),
      );
    }
  });

  it("are checked by rules that can fail", async () => {
    // Rules that never fail would prove nothing about the records.
    const record = await exported("eip3085");
    assert.deepEqual(refusals({ ...record, chainId: "0x0666A", extra: 1 }), [
      "no other keys",
      "chainId: 0x, unpadded, lower case, not zero",
    ]);
    const list = await exported("chainlist");
    assert.deepEqual(
      faults({ ...list, chainId: "26218", features: [] }, schema("chainlist")),
      ["$.chainId: string instead of number", '$: "features" is not known'],
    );
  });

  it("are printed by the task as JSON", async () => {
    const hre = await createProject(
      {
        dualstack: {
          testnet: { baseUrl: "https://testnet.dualstack.example" },
          currency: { symbol: "TEST" },
        },
      },
      { network: "testnet" },
    );
    const args = {
      format: "eip3085",
      serve: false,
      port: "0",
      json: false,
      name: undefined,
      shortName: undefined,
      infoUrl: undefined,
      cosmosChainId: undefined,
      gasPrice: undefined,
    };
    const { stdout } = await runTask(hre, "wallet", args);
    assert.deepEqual(refusals(JSON.parse(stdout)), []);
    await assert.rejects(
      runTask(hre, "wallet", { ...args, format: "paper" }),
      /no format "paper".*keplr/,
    );
    await assert.rejects(
      runTask(hre, "wallet", { ...args, serve: true, port: "-1" }),
      /--port "-1"/,
    );
    const ui = new RecordingUi();
    await printWallet("viem", { network: described(), settings: {} }, ui);
    assert.equal((JSON.parse(ui.text) as { id: number }).id, 26218);
  });
});
