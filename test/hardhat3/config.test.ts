import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";

import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import { configVariable } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatConfig, HardhatUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { NetworkKind } from "../../src/chain/facts.js";
import { allVariableNames } from "../../src/config/variables.js";
import type { Accounts } from "../../src/config/accounts.js";
import dualstack from "../../src/index.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/index.js";
import { ACCOUNTS, KEYS, startChain } from "../helpers/chain.js";

const BASE = "https://testnet.dualstack.example";
const KEY = KEYS[0];
const OTHER_KEY = KEYS[1];
const ADDRESS = "0x00000000000000000000000000000000000000aB";

const saved = { ...process.env };
function setEnvironment(values: Record<string, string>): void {
  Object.assign(process.env, values);
}
afterEach(() => {
  for (const name of Object.keys(process.env)) {
    if (!(name in saved)) {
      delete process.env[name];
    }
  }
});
for (const name of Object.keys(process.env).filter((name) =>
  name.startsWith("DUALSTACK_"),
)) {
  delete process.env[name];
}

const create = (
  config: HardhatUserConfig = {},
): Promise<HardhatRuntimeEnvironment> =>
  createHardhatRuntimeEnvironment({ plugins: [dualstack], ...config });

const configOf = async (
  config: HardhatUserConfig = {},
): Promise<HardhatConfig> => (await create(config)).config;

const httpOf = (config: HardhatConfig, name: string) => {
  const network = config.networks[name];
  assert.ok(network?.type === "http", name);
  return network;
};

/** Returns all that is printed of an error: messages, causes, fields. */
async function failure(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (e: unknown) => e,
  );
  assert.ok(error instanceof Error, "it fails");
  const parts: string[] = [];
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    parts.push(e.message, JSON.stringify(e), String(e.stack));
  }
  assert.ok(!parts.join("\n").includes(KEY.slice(2)), "no key in an error");
  return error.message;
}

describe("networks without any configuration", () => {
  it("are there, with chain IDs and rules of the chain", async () => {
    const config = await configOf();
    for (const [name, chainId] of [
      ["testnet", 26218],
      ["mainnet", 26217],
    ] as const) {
      const network = httpOf(config, name);
      assert.equal(network.chainId, chainId);
      assert.equal(
        network.accounts,
        "remote",
        "no key is asked for before it is needed",
      );
      assert.equal(
        network.gasMultiplier,
        1,
        "Hardhat multiplies nothing, the buffer does",
      );
      assert.equal(network.dualstack?.gas.multiplier, 1.2);
    }
    const local = config.networks["localnet"];
    assert.ok(local?.type === "edr-simulated");
    assert.equal(local.chainId, 31337);
    assert.equal(local.hardfork, "prague");
    assert.equal(local.dualstack?.gas.multiplier, 1.2);
    for (const name of ["default", "localhost", "node"]) {
      assert.equal(
        config.networks[name]?.dualstack,
        undefined,
        `${name} is not ours`,
      );
    }
  });

  it("cannot have two precompiles at one address", async () => {
    const at = { address: PRECOMPILE_ADDRESSES.distribution };
    assert.match(
      await failure(create({ dualstack: { precompiles: { staking: at } } })),
      /dualstack\.precompiles\.staking\.address and dualstack\.precompiles\.distribution\.address are both 0x0{36}0801/,
    );
    // Nothing is at the address of a precompile that the chain does not have.
    const free = { address: PRECOMPILE_ADDRESSES.slashing };
    await create({ dualstack: { precompiles: { governance: free } } });
  });

  it("are known by chain ID", async () => {
    const config = await configOf({
      dualstack: {
        testnet: { explorerUrl: "https://explorer.dualstack.example/ " },
      },
    });
    const testnet = config.chainDescriptors.get(26218n);
    assert.equal(testnet?.name, "Test network");
    assert.deepEqual(testnet.blockExplorers.blockscout, {
      name: "Explorer",
      url: "https://explorer.dualstack.example",
      apiUrl: "https://explorer.dualstack.example/api",
    });
    const mainnet = config.chainDescriptors.get(26217n);
    assert.equal(mainnet?.name, "Main network");
    assert.equal(
      mainnet.blockExplorers.blockscout,
      undefined,
      "no explorer is made up",
    );
  });

  it("have a local node's endpoints, faucet and accounts", async () => {
    setEnvironment({ DUALSTACK_PRIVATE_KEY: KEY });
    const { dualstack } = await configOf({
      dualstack: { testnet: { chainId: 770001 } },
    });
    const { chainId, endpoints, accounts, faucet } =
      dualstack.networks.localnode;
    assert.equal(chainId, 770001, "it stands for the test network");
    assert.deepEqual(await endpoints(), {
      evmUrl: "http://127.0.0.1:8545/evm",
      wsUrl: "ws://127.0.0.1:8545/ws",
      nodeRpcUrl: "http://127.0.0.1:8545/rpc",
      restUrl: "http://127.0.0.1:8545/api",
      grpcHost: "127.0.0.1:9090",
      faucetUrl: "http://127.0.0.1:8545/faucet",
    });
    assert.deepEqual(await accounts(), {
      mnemonic: "test test test test test test test test test test test junk",
      count: 20,
    });
    assert.deepEqual(faucet, {
      protocol: "cosmjs",
      denoms: { stable: "STABLE" },
    });
    assert.match(
      await failure(create({ dualstack: { localnode: { chainId: 26217 } } })),
      /dualstack\.localnode\.chainId and dualstack\.mainnet\.chainId are both 26217/,
    );
  });

  it("stop nothing until they are used, and then name the variable", async () => {
    const hre = await create();
    const local = await hre.network.create("localnet");
    assert.equal(
      await local.provider.request({ method: "eth_chainId" }),
      "0x7a69",
    );
    await local.close();
    const message = await failure(hre.network.create("testnet"));
    assert.match(
      message,
      /no address is configured for EVM JSON-RPC \(network testnet\).*DUALSTACK_TESTNET_BASE_URL in the environment or with "npx hardhat keystore set DUALSTACK_TESTNET_BASE_URL", or dualstack\.testnet\.baseUrl/,
    );
    assert.match(
      await failure(hre.network.create("mainnet")),
      /DUALSTACK_MAINNET_BASE_URL/,
    );
  });
});

describe("the user's settings come first", () => {
  it("field by field, in our networks", async () => {
    const config = await configOf({
      networks: {
        testnet: {
          type: "http",
          url: "https://mine.dualstack.example/rpc",
          timeout: 5,
          gasPrice: 7n,
          gasMultiplier: 1.7,
          httpHeaders: { "x-mine": "1" },
          accounts: [KEY],
        },
        localnet: {
          type: "edr-simulated",
          chainId: 4711,
          gasMultiplier: 2,
          hardfork: "cancun",
        },
      },
      chainDescriptors: {
        26218: {
          name: "My name",
          blockExplorers: { etherscan: { url: "https://scan.example" } },
        },
      },
    });
    const testnet = httpOf(config, "testnet");
    assert.equal(
      await testnet.url.getUrl(),
      "https://mine.dualstack.example/rpc",
    );
    assert.equal(testnet.chainId, 26218);
    assert.equal(testnet.timeout, 5);
    assert.equal(testnet.gasPrice, 7n);
    assert.deepEqual(testnet.httpHeaders, { "x-mine": "1" });
    assert.ok(Array.isArray(testnet.accounts));
    assert.equal(testnet.gasMultiplier, 1, "one factor, not two");
    assert.equal(testnet.dualstack?.gas.multiplier, 1.7);
    const local = config.networks["localnet"];
    assert.ok(local?.type === "edr-simulated");
    assert.equal(local.chainId, 4711);
    assert.equal(local.hardfork, "cancun");
    assert.equal(local.dualstack?.gas.multiplier, 2);
    const descriptor = config.chainDescriptors.get(26218n);
    assert.equal(descriptor?.name, "My name");
    assert.equal(
      descriptor.blockExplorers.etherscan?.url,
      "https://scan.example",
    );
  });

  it("a part of a network is enough at run time", async () => {
    const config = await configOf({
      networks: { testnet: { gasPrice: 9n } as never },
    });
    assert.equal(httpOf(config, "testnet").gasPrice, 9n);
    assert.equal(httpOf(config, "testnet").chainId, 26218);
  });

  it("other networks stay as they are, whatever they are called", async () => {
    const networks: HardhatUserConfig["networks"] = {
      other: {
        type: "http",
        url: "https://other.example",
        gasMultiplier: 1.5,
        chainId: 5,
      },
      sim: {
        type: "edr-simulated",
        gasMultiplier: 3,
        initialDate: "2026-01-01T00:00:00Z",
      },
      localnet: { type: "http", url: "http://127.0.0.1:1" },
    };
    const ours = await configOf({ networks });
    const plain = await createHardhatRuntimeEnvironment({
      networks,
      plugins: [hardhatEthers],
    });
    for (const name of Object.keys(plain.config.networks)) {
      assert.deepEqual(
        shown(ours.networks[name]),
        shown(plain.config.networks[name]),
        name,
      );
    }
  });

  for (const [what, network, message] of [
    [
      "another chain ID",
      { type: "http", url: "https://other.example", chainId: 11155111 },
      /has chain ID 11155111/,
    ],
    ["a simulated network", { type: "edr-simulated" }, /is a simulated one/],
  ] as const) {
    it(`a network of the same name with ${what} is refused, with the way out`, async () => {
      const text = await failure(create({ networks: { testnet: network } }));
      assert.match(text, message);
      assert.match(text, /chain ID 26218.*dualstack\.testnet\.name: "…"/);
      const config = await configOf({
        networks: { testnet: network },
        dualstack: { testnet: { name: "dualTest" } },
      });
      assert.equal(config.networks["testnet"]?.type, network.type);
      assert.equal(config.networks["testnet"].dualstack, undefined);
      assert.equal(httpOf(config, "dualTest").chainId, 26218);
    });
  }

  it("two of our networks, or one and the local one, cannot share a name", async () => {
    assert.match(
      await failure(create({ dualstack: { testnet: { name: "mainnet" } } })),
      /name/,
    );
    assert.match(
      await failure(create({ dualstack: { mainnet: { name: "localnet" } } })),
      /name/,
    );
  });
});

describe("addresses of endpoints", () => {
  const urlOf = async (
    testnet: NonNullable<HardhatUserConfig["dualstack"]>["testnet"],
  ) =>
    await httpOf(
      await configOf({ dualstack: { testnet } }),
      "testnet",
    ).url.getUrl();

  for (const base of [BASE, `${BASE}/`, `${BASE}///`, `  ${BASE}/ \n`]) {
    it(`of the base URL ${JSON.stringify(base)}`, async () => {
      assert.equal(await urlOf({ baseUrl: base }), `${BASE}/evm`);
      setEnvironment({ DUALSTACK_TESTNET_BASE_URL: base, MY_BASE: base });
      assert.equal(await urlOf({}), `${BASE}/evm`);
      assert.equal(
        await urlOf({ baseUrl: configVariable("MY_BASE") }),
        `${BASE}/evm`,
      );
    });
  }

  it("in a path, as a template, by default, for one endpoint alone", async () => {
    setEnvironment({ MY_HOST: "node.dualstack.example", EMPTY: " " });
    assert.equal(
      await urlOf({ baseUrl: `${BASE}/some/path/` }),
      `${BASE}/some/path/evm`,
    );
    assert.equal(
      await urlOf({
        baseUrl: configVariable("MY_HOST", { format: "https://{variable}/x" }),
      }),
      "https://node.dualstack.example/x/evm",
    );
    assert.equal(
      await urlOf({ baseUrl: configVariable("UNSET", { default: BASE }) }),
      `${BASE}/evm`,
    );
    assert.equal(
      await urlOf({
        baseUrl: BASE,
        evmUrl: "https://evm.dualstack.example:8545/",
      }),
      "https://evm.dualstack.example:8545",
    );
  });

  it("an empty text or variable counts as not set", async () => {
    setEnvironment({
      DUALSTACK_TESTNET_BASE_URL: "",
      EMPTY: "  ",
      DUALSTACK_TESTNET_EVM_URL: " ",
    });
    assert.match(await failure(urlOf({})), /DUALSTACK_TESTNET_BASE_URL/);
    assert.match(
      await failure(urlOf({ baseUrl: "  " })),
      /DUALSTACK_TESTNET_BASE_URL/,
    );
    assert.match(
      await failure(urlOf({ baseUrl: configVariable("EMPTY") })),
      /no address is configured/,
    );
    assert.equal(
      await urlOf({ baseUrl: BASE, evmUrl: configVariable("EMPTY") }),
      `${BASE}/evm`,
    );
    assert.equal(await urlOf({ baseUrl: BASE }), `${BASE}/evm`);
  });

  it("are encrypted unless they lead to this machine, or the user insists", async () => {
    const endpointsOf = async (
      testnet: NonNullable<HardhatUserConfig["dualstack"]>["testnet"],
    ) =>
      (
        await configOf({ dualstack: { testnet } })
      ).dualstack.networks.testnet.endpoints();
    for (const host of [
      "127.0.0.1:8545",
      "localhost:26657",
      "[::1]:1",
      "node.localhost",
    ]) {
      assert.equal(
        (await endpointsOf({ baseUrl: `http://${host}` })).evmUrl,
        `http://${host}/evm`,
      );
      assert.equal(
        (await endpointsOf({ wsUrl: `ws://${host}/ws` })).wsUrl,
        `ws://${host}/ws`,
      );
    }
    const plain = "http://node.dualstack.example";
    for (const field of [
      "baseUrl",
      "evmUrl",
      "nodeRpcUrl",
      "restUrl",
      "explorerUrl",
      "faucetUrl",
    ] as const) {
      const message = await failure(endpointsOf({ [field]: plain }));
      assert.match(
        message,
        new RegExp(
          `dualstack\\.testnet\\.${field} .*is not encrypted.*https://, or set dualstack\\.testnet\\.allowInsecure`,
        ),
      );
      assert.ok(
        (await endpointsOf({ [field]: plain, allowInsecure: true })) !==
          undefined,
      );
    }
    assert.match(
      await failure(endpointsOf({ wsUrl: "ws://node.dualstack.example/ws" })),
      /wsUrl .*is not encrypted.*wss:/,
    );
    assert.match(
      await failure(endpointsOf({ baseUrl: "ftp://node.dualstack.example" })),
      /must begin with https:/,
    );
    assert.match(
      await failure(endpointsOf({ baseUrl: "http://127.0.0.1.evil.example" })),
      /not encrypted/,
    );
    assert.match(
      await failure(endpointsOf({ baseUrl: "node.dualstack.example" })),
      /is not a URL.*Write the whole address/,
    );
  });
});

describe("mistakes are reported with their path and a fix", () => {
  const VALIDATOR = "0x1000000000000000000000000000000000000001";
  const SECRET =
    "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff8";
  const cases: readonly [path: string, message: RegExp, config: unknown][] = [
    ["dualstack", /unknown field: testnets/, { testnets: {} }],
    ["dualstack", /expected object|must be/i, 5],
    ["dualstack.testnet", /unknown field: url/, { testnet: { url: BASE } }],
    [
      "dualstack.mainnet",
      /unknown field: faucetUrl/,
      { mainnet: { faucetUrl: BASE } },
    ],
    [
      "dualstack.testnet.name",
      /letters, digits, - and _/,
      { testnet: { name: "my net" } },
    ],
    [
      "dualstack.testnet.baseUrl",
      /string or configVariable\("…"\): the network's base URL/,
      { testnet: { baseUrl: 5 } },
    ],
    [
      "dualstack.testnet.evmUrl",
      /string or configVariable.*EVM JSON-RPC/,
      { testnet: { evmUrl: {} } },
    ],
    [
      "dualstack.testnet.wsUrl",
      /string or configVariable.*EVM WebSocket/,
      { testnet: { wsUrl: 1 } },
    ],
    [
      "dualstack.testnet.nodeRpcUrl",
      /string or configVariable.*Node RPC/,
      { testnet: { nodeRpcUrl: 1 } },
    ],
    [
      "dualstack.testnet.restUrl",
      /string or configVariable.*REST/,
      { testnet: { restUrl: 1 } },
    ],
    [
      "dualstack.testnet.grpcHost",
      /string or configVariable.*gRPC/,
      { testnet: { grpcHost: 1 } },
    ],
    [
      "dualstack.testnet.explorerUrl",
      /string or configVariable.*Explorer/,
      { testnet: { explorerUrl: 1 } },
    ],
    [
      "dualstack.testnet.faucetUrl",
      /string or configVariable.*Faucet/,
      { testnet: { faucetUrl: 1 } },
    ],
    [
      "dualstack.testnet.allowInsecure",
      /true or false/,
      { testnet: { allowInsecure: "yes" } },
    ],
    [
      "dualstack.testnet.accounts",
      /"remote", a list of private keys.*mnemonic/,
      { testnet: { accounts: "remotely" } },
    ],
    [
      "dualstack.testnet.accounts.0",
      /private key: 32 bytes in hex/,
      { testnet: { accounts: [SECRET] } },
    ],
    [
      "dualstack.testnet.accounts.0",
      /private key: 32 bytes in hex/,
      { testnet: { accounts: [`0x${SECRET}zz`] } },
    ],
    [
      "dualstack.testnet.accounts.0",
      /above 0 and below the order.*configVariable/,
      { testnet: { accounts: [`0x${"0".repeat(64)}`] } },
    ],
    [
      "dualstack.localnet.networks.typo",
      /is not a simulated network; there are default, node, localnet/,
      { localnet: { networks: { typo: true } } },
    ],
    [
      "dualstack.localnet.networks.testnet",
      /is not a simulated network/,
      { localnet: { networks: { testnet: true } } },
    ],
    [
      "dualstack.testnet.accounts",
      /mnemonic/,
      { testnet: { accounts: { mnemonic: 5 } } },
    ],
    [
      "dualstack.testnet.faucet",
      /./,
      { testnet: { faucet: { protocol: "magic" } } },
    ],
    [
      "dualstack.currency.symbol",
      /1 to 11 letters and digits/,
      { currency: { symbol: "TOO LONG A NAME" } },
    ],
    [
      "dualstack.currency.name",
      /must be a string: the native token's name/,
      { currency: { name: 5 } },
    ],
    [
      "dualstack.currency",
      /unknown field: decimals/,
      { currency: { decimals: 6 } },
    ],
    [
      "dualstack.baseDenom",
      /denomination of 3 to 128 characters/,
      { baseDenom: "1" },
    ],
    ["dualstack.stableToken.decimals", /./, { stableToken: { decimals: 99 } }],
    [
      "dualstack.stableToken.address",
      /0x followed by 40 hexadecimal digits/,
      { stableToken: { address: "0x12" } },
    ],
    ["dualstack.stableToken.denom", /./, { stableToken: { denom: 5 } }],
    [
      "dualstack.bech32Prefix",
      /lower-case letters and digits/,
      { bech32Prefix: "Dual!" },
    ],
    [
      "dualstack.frameworkPrefix",
      /"cosmos" or "cosmos\.evm"/,
      { frameworkPrefix: "../x" },
    ],
    [
      "dualstack.networkPrefix",
      /"cosmos" or "cosmos\.evm"/,
      { networkPrefix: "a//b" },
    ],
    [
      "dualstack.precompiles",
      /unknown field: vesting/,
      { precompiles: { vesting: {} } },
    ],
    [
      "dualstack.precompiles.staking.active",
      /always have this precompile/,
      { precompiles: { staking: { active: false } } },
    ],
    [
      "dualstack.precompiles.governance.address",
      /0x followed by 40/,
      { precompiles: { governance: { address: "0x900" } } },
    ],
    [
      "dualstack.precompiles.governance.abi",
      /shape of the staking ABI only/,
      { precompiles: { governance: { abi: "string-description" } } },
    ],
    [
      "dualstack.precompiles.staking.abi",
      /an ABI as a list, or "string-description"/,
      { precompiles: { staking: { abi: "old" } } },
    ],
    [
      "dualstack.gas.multiplier",
      /at least 1: a lower limit than the estimate makes transactions fail/,
      { gas: { multiplier: 0.9 } },
    ],
    ["dualstack.gas.multiplier", /at most 10/, { gas: { multiplier: 11 } }],
    [
      "dualstack.gas.multiplier",
      /a number, such as 1\.2/,
      { gas: { multiplier: "1.2" } },
    ],
    [
      "dualstack.gas.rewardsAllowance",
      /true or false/,
      { gas: { rewardsAllowance: 1 } },
    ],
    [
      "dualstack.gas.transactionGasCap",
      /whole number of gas, at least 21000/,
      { gas: { transactionGasCap: 5 } },
    ],
    [
      "dualstack.localnet",
      /unknown field: validator; there are networks, .*validators, unbondingTime, /,
      { localnet: { validator: [] } },
    ],
    [
      "dualstack.localnet.governance",
      /unknown field: mindeposit; there are .*minDeposit, /,
      { localnet: { governance: { mindeposit: "1" } } },
    ],
    [
      "dualstack.localnet.validators.0",
      /unknown field: tokens; there are operator, moniker, stake, /,
      { localnet: { validators: [{ operator: VALIDATOR, tokens: "1" }] } },
    ],
    [
      "dualstack.localnet.validators.0.stake",
      /the stake must be whole tokens as a string .* or base units as a bigint/,
      { localnet: { validators: [{ operator: VALIDATOR, stake: 1000 }] } },
    ],
    [
      "dualstack.localnet.governance.minDeposit",
      /the minimum deposit must be whole tokens as a string/,
      { localnet: { governance: { minDeposit: 10 } } },
    ],
    [
      "dualstack.localnet.rewardRate",
      /the reward rate must be a number or a decimal string such as "0\.1"/,
      { localnet: { rewardRate: 1n } },
    ],
    [
      "dualstack.localnet.validators",
      /at least one validator/,
      { localnet: { validators: [] } },
    ],
    [
      "dualstack.localnet.unbondingTime",
      /more than 0 seconds/,
      { localnet: { unbondingTime: 0 } },
    ],
  ];
  for (const [path, message, config] of cases) {
    it(`${path}: ${JSON.stringify(config, (_, value) =>
      typeof value === "bigint" ? `${value}n` : value,
    )
      .replaceAll(SECRET, "<a key>")
      .slice(0, 70)}`, async () => {
      const text = await failure(create({ dualstack: config as never }));
      const line = text.split("\n").find((l) => l.includes(`config.${path}`));
      assert.ok(line !== undefined, text);
      assert.match(line, message);
      assert.ok(!text.includes(SECRET), "the message repeats no secret");
    });
  }

  it("several at once", async () => {
    const text = await failure(
      create({ dualstack: { gas: { multiplier: 0 }, baseDenom: "!" } }),
    );
    assert.match(
      text,
      /dualstack\.gas\.multiplier[\s\S]*dualstack\.baseDenom|dualstack\.baseDenom[\s\S]*dualstack\.gas\.multiplier/,
    );
  });

  for (const [name, value, message] of [
    [
      "DUALSTACK_GAS_MULTIPLIER",
      "a lot",
      /DUALSTACK_GAS_MULTIPLIER must be a number from 1 to 10/,
    ],
    [
      "DUALSTACK_GAS_MULTIPLIER",
      "0.5",
      /DUALSTACK_GAS_MULTIPLIER must be a number from 1 to 10/,
    ],
    [
      "DUALSTACK_STAKING_ADDRESS",
      "0x800",
      /DUALSTACK_STAKING_ADDRESS must be an address/,
    ],
    [
      "DUALSTACK_BECH32_PREFIX",
      "Dual!",
      /DUALSTACK_BECH32_PREFIX .*lower-case letters and digits/,
    ],
    ["DUALSTACK_BASE_DENOM", "!", /DUALSTACK_BASE_DENOM .*denomination/],
    [
      "DUALSTACK_FRAMEWORK_PREFIX",
      "../x",
      /DUALSTACK_FRAMEWORK_PREFIX .*lower-case/,
    ],
    [
      "DUALSTACK_NETWORK_PREFIX",
      "a b",
      /DUALSTACK_NETWORK_PREFIX .*lower-case/,
    ],
    [
      "DUALSTACK_CURRENCY_SYMBOL",
      "A B",
      /DUALSTACK_CURRENCY_SYMBOL .*letters and digits/,
    ],
  ] as const) {
    it(`${name}=${value}`, async () => {
      setEnvironment({ [name]: value });
      assert.match(await failure(create()), message);
    });
  }

  it("the stable token's decimals, also of a token that nothing else names", async () => {
    for (const denom of ["uusdx", ""]) {
      setEnvironment({
        DUALSTACK_STABLE_TOKEN_DENOM: denom,
        DUALSTACK_STABLE_TOKEN_DECIMALS: "many",
      });
      assert.match(
        await failure(create()),
        /DUALSTACK_STABLE_TOKEN_DECIMALS must be a whole number from 0 to 36/,
      );
    }
  });

  it("a private key, without showing it", async () => {
    for (const wrong of [
      `${KEY}ff`,
      `0x${"0".repeat(64)}`,
      `0x${"f".repeat(64)}`,
    ]) {
      setEnvironment({ DUALSTACK_PRIVATE_KEY: wrong });
      const config = await configOf();
      const text = await failure(config.dualstack.networks.testnet.accounts());
      assert.match(
        text,
        /DUALSTACK_PRIVATE_KEY is not a private key: 32 bytes in hex/,
      );
      assert.ok(!text.includes(wrong.slice(2)));
    }
  });
});

describe("variables of the environment", () => {
  const endpoint =
    (kind: NetworkKind, name: string) => async (config: HardhatConfig) =>
      (
        (await config.dualstack.networks[kind].endpoints()) as Record<
          string,
          string
        >
      )[name];
  const account = (kind: NetworkKind) => (config: HardhatConfig) =>
    config.dualstack.networks[kind].accounts();
  const token = (field: string) => (config: HardhatConfig) =>
    (
      config.dualstack.facts.stableToken as Record<string, unknown> | undefined
    )?.[field];
  const ofKind = (kind: NetworkKind) => {
    const V = `DUALSTACK_${kind.toUpperCase()}`;
    return {
      [`${V}_PRIVATE_KEY`]: [OTHER_KEY, account(kind), [OTHER_KEY]],
      [`${V}_BASE_URL`]: [
        "https://node.example",
        endpoint(kind, "evmUrl"),
        "https://node.example/evm",
      ],
      [`${V}_EVM_URL`]: [
        "https://evm.example",
        endpoint(kind, "evmUrl"),
        "https://evm.example",
      ],
      [`${V}_WS_URL`]: [
        "wss://ws.example",
        endpoint(kind, "wsUrl"),
        "wss://ws.example",
      ],
      [`${V}_NODE_RPC_URL`]: [
        "https://rpc.example",
        endpoint(kind, "nodeRpcUrl"),
        "https://rpc.example",
      ],
      [`${V}_REST_URL`]: [
        "https://api.example",
        endpoint(kind, "restUrl"),
        "https://api.example",
      ],
      [`${V}_GRPC_HOST`]: [
        "grpc.example",
        endpoint(kind, "grpcHost"),
        "grpc.example:9090",
      ],
      [`${V}_EXPLORER_URL`]: [
        "https://scan.example",
        endpoint(kind, "explorerUrl"),
        "https://scan.example",
      ],
    } as const;
  };
  type Row = readonly [
    value: string,
    read: (config: HardhatConfig) => unknown,
    expected: unknown,
  ];
  const rows: Record<string, Row> = {
    ...ofKind("testnet"),
    ...ofKind("mainnet"),
    ...ofKind("localnode"),
    DUALSTACK_TESTNET_FAUCET_URL: [
      "https://faucet.example",
      endpoint("testnet", "faucetUrl"),
      "https://faucet.example",
    ],
    DUALSTACK_LOCALNODE_FAUCET_URL: [
      "https://faucet.example",
      endpoint("localnode", "faucetUrl"),
      "https://faucet.example",
    ],
    DUALSTACK_PRIVATE_KEY: [KEY.slice(2), account("mainnet"), [KEY]],
    DUALSTACK_CURRENCY_NAME: [
      "My Token",
      (c) => c.dualstack.facts.currency.name,
      "My Token",
    ],
    DUALSTACK_CURRENCY_SYMBOL: [
      "MINE",
      (c) => c.dualstack.facts.currency.symbol,
      "MINE",
    ],
    DUALSTACK_BASE_DENOM: [
      "amine",
      (c) => c.dualstack.facts.baseDenom,
      "amine",
    ],
    DUALSTACK_STABLE_TOKEN_SYMBOL: ["USDX", token("symbol"), "USDX"],
    DUALSTACK_STABLE_TOKEN_DECIMALS: ["4", token("decimals"), 4],
    DUALSTACK_STABLE_TOKEN_ADDRESS: [ADDRESS, token("address"), ADDRESS],
    DUALSTACK_STABLE_TOKEN_DENOM: ["uusdx", token("denom"), "uusdx"],
    DUALSTACK_BECH32_PREFIX: [
      "dual",
      (c) => c.dualstack.facts.bech32Prefix,
      "dual",
    ],
    DUALSTACK_FRAMEWORK_PREFIX: [
      "base",
      (c) => c.dualstack.facts.frameworkPrefix,
      "base",
    ],
    DUALSTACK_NETWORK_PREFIX: [
      "net.evm",
      (c) => c.dualstack.facts.networkPrefix,
      "net.evm",
    ],
    DUALSTACK_STAKING_ADDRESS: [
      ADDRESS,
      (c) => c.dualstack.precompiles.staking.address,
      ADDRESS,
    ],
    DUALSTACK_DISTRIBUTION_ADDRESS: [
      ADDRESS,
      (c) => c.dualstack.precompiles.distribution.address,
      ADDRESS,
    ],
    DUALSTACK_GOVERNANCE_ADDRESS: [
      ADDRESS,
      (c) => c.dualstack.precompiles.governance.address,
      ADDRESS,
    ],
    DUALSTACK_BECH32_ADDRESS: [
      ADDRESS,
      (c) => c.dualstack.precompiles.bech32.address,
      ADDRESS,
    ],
    DUALSTACK_BANK_ADDRESS: [
      ADDRESS,
      (c) => c.dualstack.precompiles.bank.address,
      ADDRESS,
    ],
    DUALSTACK_SLASHING_ADDRESS: [
      ADDRESS,
      (c) => c.dualstack.precompiles.slashing.address,
      ADDRESS,
    ],
    DUALSTACK_GAS_MULTIPLIER: [
      "1.4",
      (c) => httpOf(c, "testnet").dualstack?.gas.multiplier,
      1.4,
    ],
  };

  it("are these, and no other", () => {
    assert.deepEqual(allVariableNames().sort(), Object.keys(rows).sort());
  });

  for (const [name, [value, read, expected]] of Object.entries(rows)) {
    it(name, async () => {
      setEnvironment(
        name.includes("STABLE_TOKEN")
          ? { DUALSTACK_STABLE_TOKEN_DENOM: "unone" }
          : {},
      );
      const before = await read(await configOf());
      assert.notDeepEqual(before, expected);
      for (const text of [value, ` ${value} \n`]) {
        setEnvironment({ [name]: text });
        assert.deepEqual(await read(await configOf()), expected);
      }
      setEnvironment({ [name]: "  " });
      if (!name.endsWith("STABLE_TOKEN_DENOM")) {
        assert.deepEqual(
          await read(await configOf()),
          before,
          "an empty one counts as none",
        );
      }
    });
  }

  it("yield to the configuration", async () => {
    setEnvironment({
      DUALSTACK_TESTNET_BASE_URL: "https://env.example",
      DUALSTACK_PRIVATE_KEY: KEY,
      DUALSTACK_TESTNET_PRIVATE_KEY: OTHER_KEY,
      DUALSTACK_BECH32_PREFIX: "env",
      DUALSTACK_GAS_MULTIPLIER: "3",
      DUALSTACK_CURRENCY_SYMBOL: "ENV",
      DUALSTACK_GOVERNANCE_ADDRESS: ADDRESS,
    });
    const { dualstack: d } = await configOf({
      dualstack: {
        testnet: { baseUrl: BASE, accounts: "remote" },
        bech32Prefix: "mine",
        gas: { multiplier: 1.1 },
        currency: { symbol: "MINE" },
        precompiles: {
          governance: { address: PRECOMPILE_ADDRESSES.governance },
        },
      },
    });
    assert.equal((await d.networks.testnet.endpoints()).evmUrl, `${BASE}/evm`);
    assert.equal(await d.networks.testnet.accounts(), undefined);
    assert.deepEqual(await d.networks.mainnet.accounts(), [
      KEY,
    ] satisfies Accounts);
    assert.equal(d.facts.bech32Prefix, "mine");
    assert.equal(d.facts.currency.symbol, "MINE");
    assert.equal(d.gas.multiplier, 1.1);
    assert.equal(
      d.precompiles.governance.address,
      PRECOMPILE_ADDRESSES.governance,
    );
  });

  it("a network's own key comes before the one for both", async () => {
    setEnvironment({
      DUALSTACK_PRIVATE_KEY: KEY,
      DUALSTACK_TESTNET_PRIVATE_KEY: OTHER_KEY,
    });
    const { networks } = (await configOf()).dualstack;
    assert.deepEqual(await networks.testnet.accounts(), [OTHER_KEY]);
    assert.deepEqual(await networks.mainnet.accounts(), [KEY]);
  });
});

describe("accounts", () => {
  it("a key in the environment is used without configuration", async () => {
    const chain = await startChain({ accounts: "none" });
    try {
      setEnvironment({ DUALSTACK_PRIVATE_KEY: KEY });
      const c = await chain.hre.network.create("testnet");
      assert.deepEqual(await c.provider.request({ method: "eth_accounts" }), [
        ACCOUNTS[0].toLowerCase(),
      ]);
      const [signer] = await c.ethers.getSigners();
      const sent = await signer?.sendTransaction({
        to: ACCOUNTS[1],
        value: 1n,
      });
      assert.equal((await sent?.wait())?.status, 1);
      await c.close();
    } finally {
      await chain.close();
    }
  });

  it("missing accounts do not affect reading, and are asked for when something is signed", async () => {
    const chain = await startChain({
      accounts: "none",
      config: {
        dualstack: { testnet: { accounts: [configVariable("MY_UNSET_KEY")] } },
      },
    });
    try {
      const c = await chain.hre.network.create("testnet");
      assert.equal(
        await c.provider.request({ method: "eth_chainId" }),
        "0x666a",
      );
      assert.equal(
        await c.ethers.provider.getBalance(ACCOUNTS[0]),
        10_000n * 10n ** 18n,
      );
      assert.equal(
        await c.provider.request({
          method: "eth_call",
          params: [{ to: ACCOUNTS[0] }, "latest"],
        }),
        "0x",
      );
      assert.deepEqual(
        await c.provider.request({ method: "eth_accounts" }),
        [],
      );
      const message = await failure(
        c.provider.request({
          method: "eth_sendTransaction",
          params: [{ from: ACCOUNTS[0], to: ACCOUNTS[1] }],
        }),
      );
      assert.match(
        message,
        /no account to sign with on the network testnet.*DUALSTACK_PRIVATE_KEY/,
      );
      await c.close();
    } finally {
      await chain.close();
    }
  });

  it("a mnemonic, with its path and count", async () => {
    setEnvironment({
      MY_WORDS: "test test test test test test test test test test test junk",
    });
    const chain = await startChain({
      accounts: "none",
      config: {
        dualstack: {
          testnet: {
            accounts: {
              mnemonic: configVariable("MY_WORDS"),
              initialIndex: 1,
              count: 2,
            },
          },
        },
      },
    });
    try {
      const c = await chain.hre.network.create("testnet");
      const signers = await c.ethers.getSigners();
      assert.deepEqual(
        signers.map(({ address }) => address),
        [ACCOUNTS[1], "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"],
      );
      const sent = await signers[0]?.sendTransaction({
        to: ACCOUNTS[0],
        value: 1n,
      });
      assert.equal((await sent?.wait())?.from, ACCOUNTS[1]);
      await c.close();
    } finally {
      await chain.close();
    }
  });

  it("a mnemonic with a mistake is refused without being shown", async () => {
    setEnvironment({ MY_WORDS: "test test junk" });
    const chain = await startChain({
      accounts: "none",
      config: {
        dualstack: {
          testnet: { accounts: { mnemonic: configVariable("MY_WORDS") } },
        },
      },
    });
    try {
      const { provider, close } = await chain.hre.network.create("testnet");
      const shown = await failure(provider.request({ method: "eth_accounts" }));
      assert.match(shown, /the mnemonic in MY_WORDS is not valid.*BIP-39/);
      assert.doesNotMatch(shown, /junk/);
      await close();
    } finally {
      await chain.close();
    }
  });
});

describe("the EVM version of compilers", () => {
  const versionsOf = async (solidity: HardhatUserConfig["solidity"]) => {
    const { profiles } = (await configOf({ solidity })).solidity;
    return Object.fromEntries(
      Object.entries(profiles).map(([name, { compilers, overrides }]) => [
        name,
        [...compilers, ...Object.values(overrides)].map(
          ({ settings }) => settings["evmVersion"] as unknown,
        ),
      ]),
    );
  };

  it("is capped in every profile, where the compiler's own is newer", async () => {
    assert.deepEqual(await versionsOf("0.8.31"), {
      default: ["prague"],
      production: ["prague"],
    });
    assert.deepEqual(await versionsOf(["0.8.30", "0.8.29", "0.7.6"]), {
      default: ["prague", undefined, undefined],
      production: ["prague", undefined, undefined],
    });
    assert.deepEqual(
      await versionsOf({
        profiles: {
          default: {
            compilers: [{ version: "0.8.33" }],
            overrides: { "a.sol": { version: "0.8.37" } },
          },
          mine: {
            version: "0.8.35",
            settings: { optimizer: { enabled: true } },
          },
        },
      }),
      {
        default: ["prague", "prague"],
        mine: ["prague"],
        production: ["prague", "prague"],
      },
    );
  });

  it("that the user set stays, also in the profiles that Hardhat makes from it", async () => {
    assert.deepEqual(
      await versionsOf({
        version: "0.8.30",
        settings: { evmVersion: "cancun" },
      }),
      {
        default: ["cancun"],
        production: ["cancun"],
      },
    );
    assert.deepEqual(
      await versionsOf({
        profiles: {
          default: {
            compilers: [
              { version: "0.8.31", settings: { evmVersion: "osaka" } },
            ],
            overrides: {
              "a.sol": { version: "0.8.20", settings: { evmVersion: "paris" } },
            },
          },
          production: {
            version: "0.8.31",
            settings: { evmVersion: "shanghai" },
          },
        },
      }),
      { default: ["osaka", "paris"], production: ["shanghai"] },
    );
  });

  it("does not touch other settings", async () => {
    const { profiles } = (
      await configOf({
        solidity: { version: "0.8.30", settings: { viaIR: true } },
      })
    ).solidity;
    assert.equal(profiles["default"]?.compilers[0]?.settings["viaIR"], true);
    assert.deepEqual(
      profiles["production"]?.compilers[0]?.settings["optimizer"],
      { enabled: true, runs: 200 },
    );
  });
});

describe("connections with an override", () => {
  it("keep everything else, however often", async () => {
    const chain = await startChain({
      config: {
        networks: { testnet: { gasMultiplier: 1.5 } as never },
        chainDescriptors: { 1: { name: "One" } },
      },
    });
    try {
      const plain = await chain.hre.network.create("testnet");
      for (let i = 0; i < 3; i++) {
        const c = await chain.hre.network.create({
          network: "testnet",
          override: { timeout: 1_234 },
        });
        assert.ok(
          c.networkConfig.type === "http" &&
            plain.networkConfig.type === "http",
        );
        assert.equal(c.networkConfig.timeout, 1_234);
        assert.deepEqual(
          shown({ ...c.networkConfig, timeout: 0 }),
          shown({ ...plain.networkConfig, timeout: 0 }),
        );
        assert.equal(c.networkConfig.dualstack?.gas.multiplier, 1.5);
        assert.equal(await c.networkConfig.url.getUrl(), chain.node.evmUrl);
        assert.deepEqual(
          await c.provider.request({ method: "eth_accounts" }),
          ACCOUNTS.map((a) => a.toLowerCase()),
        );
        await c.close();
      }
      await plain.close();
    } finally {
      await chain.close();
    }
  });

  it("may name other accounts, another factor and another URL", async () => {
    const chain = await startChain();
    try {
      const c = await chain.hre.network.create({
        network: "testnet",
        override: {
          accounts: [OTHER_KEY],
          gasMultiplier: 1.9,
          url: `${chain.node.evmUrl}`,
        },
      });
      assert.deepEqual(await c.provider.request({ method: "eth_accounts" }), [
        ACCOUNTS[1].toLowerCase(),
      ]);
      assert.ok(c.networkConfig.type === "http");
      assert.equal(c.networkConfig.dualstack?.gas.multiplier, 1.9);
      assert.equal(c.networkConfig.gasMultiplier, 1);
      assert.equal(c.dualstack.network.endpoints.evmUrl, chain.node.evmUrl);
      await c.close();
      const remote = await chain.hre.network.create({
        network: "testnet",
        override: { accounts: "remote" },
      });
      assert.deepEqual(
        await remote.provider.request({ method: "eth_accounts" }),
        [],
      );
      await remote.close();
    } finally {
      await chain.close();
    }
  });

  it("say that one confirmation is final, where Ignition asks", async () => {
    const chain = await startChain();
    try {
      const c = await chain.hre.network.create("testnet");
      assert.equal(
        await c.provider.request({ method: "hardhat_getAutomine" }),
        true,
      );
      assert.equal(chain.node.count("hardhat_getAutomine"), 0);
      await c.close();
    } finally {
      await chain.close();
    }
  });
});

// Functions count as equal when they are in the same places.
function shown(value: unknown): string {
  return JSON.stringify(value, (name, v: unknown) =>
    name === "initialDate"
      ? "now"
      : typeof v === "bigint"
        ? `${v}n`
        : typeof v === "function"
          ? "function"
          : v,
  );
}
