import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { ACCOUNTS, KEYS } from "../helpers/chain.js";
import {
  createProject,
  type Hardhat2Options,
  loadHardhat2,
  startChain2,
  TOOLBOX,
} from "../helpers/hardhat2.js";
import { EvmNode } from "../servers/evm-node.js";

const BASE = "https://testnet.dualstack.example";
const ENTRY = "hardhat-dualstack/hardhat2";

async function rejection(options: Hardhat2Options): Promise<Error> {
  try {
    await loadHardhat2(options);
  } catch (error) {
    return error as Error;
  }
  assert.fail("the configuration was taken");
}

/** Runs with these environment variables set. */
async function withVariables<T>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(variables)) {
      delete process.env[name];
    }
  }
}

describe("networks on Hardhat 2", () => {
  it("have their URL, chain ID and what Ignition needs", async () => {
    const { config } = await loadHardhat2({
      config: { dualstack: { testnet: { baseUrl: BASE } } },
    });
    const { testnet, mainnet, localnode, hardhat } = config.networks;
    assert.equal(localnode.url, "http://127.0.0.1:8545/evm");
    assert.equal(localnode.chainId, 26218);
    assert.equal(testnet.url, `${BASE}/evm`);
    assert.equal(testnet.chainId, 26218);
    assert.equal(testnet.timeout, 40_000);
    assert.equal(testnet.gasMultiplier, 1);
    assert.equal(testnet.dualstack.gas.multiplier, 1.2);
    assert.equal(testnet.ignition.maxRetries, 60);
    assert.equal(mainnet.chainId, 26217);
    assert.equal(hardhat.chainId, 31337);
    assert.equal(hardhat.chains.get(26218).hardforkHistory.get("prague"), 0);
  });

  for (const plugins of [
    ["@nomicfoundation/hardhat-ignition-ethers", ENTRY],
    [ENTRY, "@nomicfoundation/hardhat-ignition-ethers"],
  ]) {
    it(`give Ignition patience: ${plugins.join(", then ")}`, async () => {
      const { config } = await loadHardhat2({ plugins });
      assert.equal(config.networks.testnet.ignition.maxRetries, 60);
    });
  }

  it("keep the user's settings, field by field", async () => {
    const { config } = await loadHardhat2({
      config: {
        networks: {
          chainTest: {
            url: "http://127.0.0.1:9545",
            timeout: 5_000,
            gasPrice: 7,
            httpHeaders: { "x-key": "1" },
            gasMultiplier: 1.5,
          },
        },
        dualstack: { testnet: { name: "chainTest", baseUrl: BASE } },
      },
    });
    const { chainTest, testnet } = config.networks;
    assert.equal(testnet, undefined);
    assert.equal(chainTest.url, "http://127.0.0.1:9545");
    assert.equal(chainTest.chainId, 26218);
    assert.equal(chainTest.timeout, 5_000);
    assert.equal(chainTest.gasPrice, 7);
    assert.deepEqual(chainTest.httpHeaders, { "x-key": "1" });
    assert.equal(chainTest.gasMultiplier, 1);
    assert.equal(chainTest.dualstack.gas.multiplier, 1.5);
  });

  it("refuse a network of the user with another chain ID, and names that are taken", async () => {
    const other = await rejection({
      config: { networks: { testnet: { url: BASE, chainId: 5 } } },
    });
    assert.match(
      other.message,
      /"testnet" of your configuration has chain ID 5, but hardhat-dualstack uses that name for chain ID 26218.*dualstack\.testnet\.name/,
    );
    const taken = await rejection({
      config: { dualstack: { mainnet: { name: "hardhat" } } },
    });
    assert.match(
      taken.message,
      /dualstack\.mainnet\.name: "hardhat" is already the name of the local network/,
    );
  });

  it("read variables of the environment and of hardhat vars", async () => {
    await withVariables(
      { DUALSTACK_TESTNET_BASE_URL: ` ${BASE}/ ` },
      async () => {
        const { config } = await loadHardhat2();
        assert.equal(config.networks.testnet.url, `${BASE}/evm`);
      },
    );
    // Hardhat 2 passes its variables to a process like this.
    await withVariables(
      { HARDHAT_VAR_DUALSTACK_TESTNET_BASE_URL: `${BASE}/vars` },
      async () => {
        const { config } = await loadHardhat2();
        assert.equal(config.networks.testnet.url, `${BASE}/vars/evm`);
      },
    );
    await withVariables({ DUALSTACK_BECH32_PREFIX: "dual" }, async () => {
      const { dualstack } = await loadHardhat2();
      assert.match(dualstack.address(ACCOUNTS[0]).account, /^dual1/);
    });
  });

  it("list all that is wrong with the configuration in one error", async () => {
    const { message } = await rejection({
      config: {
        dualstack: {
          baseDemon: "x",
          gas: { multiplier: 0.5 },
          localnet: { validators: [{ operator: "0x12" }] },
        } as object,
      },
    });
    assert.match(message, /dualstack: unknown field: baseDemon/);
    assert.match(message, /dualstack\.gas\.multiplier: must be at least 1/);
  });

  it("know which networks are simulated, and how a variable is fetched", async () => {
    const { message } = await rejection({
      config: { dualstack: { localnet: { networks: { localnet: true } } } },
    });
    assert.match(
      message,
      /dualstack\.localnet\.networks\.localnet: is not a simulated network; there is hardhat/,
    );
    const wrong = await rejection({
      config: { dualstack: { testnet: { accounts: [`0x${"0".repeat(64)}`] } } },
    });
    assert.match(wrong.message, /better: vars\.get\("DUALSTACK_PRIVATE_KEY"\)/);
  });

  it("never show an invalid key", async () => {
    const { message } = await rejection({
      config: { dualstack: { testnet: { accounts: ["0xsecret"] } } },
    });
    assert.match(
      message,
      /dualstack\.testnet\.accounts\.0: must be a private key/,
    );
    assert.doesNotMatch(message, /secret/);
  });
});

describe("a network on Hardhat 2 that is not configured", () => {
  it("stops nothing until it is used", async () => {
    const { network, dualstack } = await loadHardhat2({ network: "testnet" });
    assert.equal(dualstack.network.chainId, 26218);
    await assert.rejects(
      network.provider.request({ method: "eth_blockNumber" }),
      /no address is configured for EVM JSON-RPC \(network testnet\).*npx hardhat vars set DUALSTACK_TESTNET_BASE_URL/,
    );
  });

  it("says what is wrong with an address when it is used", async () => {
    const { network } = await loadHardhat2({
      network: "testnet",
      config: { dualstack: { testnet: { baseUrl: "http://node.example" } } },
    });
    await assert.rejects(
      network.provider.request({ method: "eth_blockNumber" }),
      /is not encrypted/,
    );
  });
});

describe("a node on Hardhat 2", () => {
  let node: EvmNode | undefined;
  after(() => node?.close());

  it("of another chain is refused before anything is signed", async () => {
    node = await EvmNode.start({ chainId: 26217 });
    const { ethers } = await loadHardhat2({
      network: "testnet",
      config: {
        dualstack: {
          testnet: { baseUrl: node.baseUrl, accounts: [...KEYS] },
        },
      },
    });
    const signer = await ethers.getSigner(ACCOUNTS[0]);
    await assert.rejects(
      signer.sendTransaction({ to: ACCOUNTS[1], value: 1n }),
      /chain ID is 26217, but the network's is 26218; nothing was signed or sent/,
    );
    assert.equal(node.count("eth_sendRawTransaction"), 0);
  });

  it("is read without a key, and says what is missing to sign", async () => {
    const chain = await startChain2({ accounts: "none" });
    try {
      const { ethers, network } = chain.hre;
      assert.equal((await ethers.provider.getNetwork()).chainId, 26218n);
      assert.equal(
        await ethers.provider.call({ to: ACCOUNTS[1], data: "0x" }),
        "0x",
      );
      assert.deepEqual(
        await network.provider.request({ method: "eth_accounts" }),
        [],
      );
      await assert.rejects(
        network.provider.request({
          method: "eth_sendTransaction",
          params: [{ from: ACCOUNTS[0], to: ACCOUNTS[1], gas: "0x5208" }],
        }),
        /There is no account to sign with on the network testnet for 0xf39f.*npx hardhat vars set DUALSTACK_PRIVATE_KEY/,
      );
    } finally {
      await chain.close();
    }
  });

  it("finds the key of a variable when something is signed", async () => {
    await withVariables({ DUALSTACK_PRIVATE_KEY: KEYS[1] }, async () => {
      const chain = await startChain2({ accounts: "none" });
      try {
        const [signer] = await chain.hre.ethers.getSigners();
        assert.equal(signer.address, ACCOUNTS[1]);
        const sent = await signer.sendTransaction({ to: ACCOUNTS[0] });
        assert.equal((await sent.wait()).status, 1);
      } finally {
        await chain.close();
      }
    });
  });
});

describe("the wrong entry", () => {
  const run = (folder: string, script: string) => {
    // In CI Hardhat adds stack traces and colours, which users do not see.
    const { HARDHAT_CONFIG: _, CI: __, ...env } = process.env;
    return spawnSync(process.execPath, [script, "compile"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...env, NO_COLOR: "1" },
    });
  };
  const HARDHAT_2 = path.join(
    TOOLBOX,
    "node_modules/hardhat/internal/cli/cli.js",
  );

  it("names the right one on Hardhat 2", async () => {
    const folder = await createProject();
    await writeFile(
      path.join(folder, "hardhat.config.js"),
      'require("hardhat-dualstack");',
    );
    const { status, stderr } = run(folder, HARDHAT_2);
    assert.notEqual(status, 0);
    assert.match(
      stderr,
      /On Hardhat 2 write require\("hardhat-dualstack\/hardhat2"\)/,
    );
    assert.match(stderr, /^Error in plugin hardhat-dualstack/);
  });

  it("names the right one on Hardhat 3", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "dualstack-wrong-"));
    const root = fileURLToPath(new URL("../../", import.meta.url));
    try {
      await mkdir(path.join(folder, "node_modules"));
      for (const [name, target] of [
        ["hardhat", path.join(root, "node_modules/hardhat")],
        ["hardhat-dualstack", root],
      ] as const) {
        await symlink(
          target,
          path.join(folder, "node_modules", name),
          "junction",
        );
      }
      await writeFile(
        path.join(folder, "package.json"),
        '{ "type": "module" }',
      );
      await writeFile(
        path.join(folder, "hardhat.config.js"),
        'import "hardhat-dualstack/hardhat2";\nexport default {};\n',
      );
      const { status, stderr, stdout } = run(
        folder,
        path.join(root, "node_modules/hardhat/dist/src/cli.js"),
      );
      assert.notEqual(status, 0);
      assert.match(
        stdout + stderr,
        /hardhat-dualstack\/hardhat2 is for Hardhat 2, and this is Hardhat 3\..*import dualstack from "hardhat-dualstack"/,
      );
      assert.match(
        stdout + stderr,
        /^Error in community plugin hardhat-dualst/,
      );
      assert.doesNotMatch(stdout + stderr, / at .*require/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
