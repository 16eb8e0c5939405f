import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import dualstack from "../../src/index.js";
import { ACCOUNTS, KEYS } from "../helpers/chain.js";
import { EvmNode } from "../servers/evm-node.js";

const PASSWORD = "a password of many characters";

describe("the keystore plugin", () => {
  const saved = { ...process.env };
  let home: string;
  let node: EvmNode;
  let prompts: string[] = [];

  // Hardhat looks for the keystore in these folders, and never in CI.
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), "dualstack-home-"));
    Object.assign(process.env, {
      HOME: home,
      XDG_CONFIG_HOME: home,
      APPDATA: home,
      USERPROFILE: home,
    });
    for (const name of Object.keys(process.env)) {
      if (
        /^(?:CI|CONTINUOUS_INTEGRATION|BUILD_ID|BUILD_NUMBER|RUN_ID|GITHUB_ACTIONS|HH_TEST|DUALSTACK_\w+)$/.test(
          name,
        )
      ) {
        delete process.env[name];
      }
    }
    node = await EvmNode.start({ blockTimeMs: 100 });
  });
  after(async () => {
    await node.close();
    process.env = saved;
    await rm(home, { recursive: true, force: true });
  });

  async function create(): Promise<HardhatRuntimeEnvironment> {
    // Imported only now, since the module finds the keystore's path when it
    // loads.
    const { createHardhatRuntimeEnvironment } = await import("hardhat/hre");
    const { default: keystore } = await import(
      "@nomicfoundation/hardhat-keystore"
    );
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [dualstack, keystore],
    });
    prompts = [];
    hre.hooks.registerHandlers("userInterruptions", {
      requestSecretInput: async (_context, interruptor, text) => {
        prompts.push(`${interruptor}: ${text}`);
        return await Promise.resolve(
          /secret|value/i.test(text) ? value : PASSWORD,
        );
      },
      displayMessage: async () => {},
    });
    return hre;
  }

  let value = "";
  async function store(name: string, text: string): Promise<void> {
    value = text;
    const { log } = console;
    console.log = () => {};
    try {
      const hre = await create();
      await hre.tasks
        .getTask(["keystore", "set"])
        .run({ key: name, force: true });
    } finally {
      console.log = log;
    }
  }

  it("supplies the private key, and is not opened for reading", async () => {
    await store("DUALSTACK_PRIVATE_KEY", KEYS[0]);
    process.env["DUALSTACK_TESTNET_BASE_URL"] = node.baseUrl;
    const hre = await create();
    const { filePath } = (
      hre.config as unknown as { keystore: { filePath: string } }
    ).keystore;
    assert.ok(filePath.startsWith(home), "the test has a keystore of its own");
    assert.ok(
      !(await readFile(filePath, "utf8")).includes(KEYS[0].slice(2)),
      "which is encrypted",
    );

    const c = await hre.network.create("testnet");
    assert.equal(await c.provider.request({ method: "eth_chainId" }), "0x666a");
    assert.ok((await c.ethers.provider.getBalance(ACCOUNTS[0])) > 0n);
    assert.equal(
      await c.provider.request({
        method: "eth_call",
        params: [{ to: ACCOUNTS[1] }, "latest"],
      }),
      "0x",
    );
    await assert.rejects(
      c.precompiles.staking.validator(ACCOUNTS[1]),
      /nothing lives at the address/,
    );
    await hre.config.dualstack.networks.mainnet.endpoints();
    assert.deepEqual(prompts, [], "no password for what needs no key");

    const [signer] = await c.ethers.getSigners();
    assert.equal(signer?.address, ACCOUNTS[0]);
    const sent = await signer.sendTransaction({ to: ACCOUNTS[1], value: 1n });
    assert.equal((await sent.wait())?.status, 1);
    assert.equal(prompts.length, 1, "one password for the key");
    await c.close();
  });

  it("supplies the base URL too", async () => {
    await store("DUALSTACK_TESTNET_BASE_URL", ` ${node.baseUrl}/ `);
    delete process.env["DUALSTACK_TESTNET_BASE_URL"];
    const hre = await create();
    const local = await hre.network.create("localnet");
    await local.close();
    assert.deepEqual(prompts, [], "no password before that network is used");
    const c = await hre.network.create("testnet");
    assert.equal(c.dualstack.network.endpoints.evmUrl, node.evmUrl);
    assert.equal(await c.provider.request({ method: "eth_chainId" }), "0x666a");
    assert.equal(prompts.length, 1);
    assert.deepEqual(await c.provider.request({ method: "eth_accounts" }), [
      ACCOUNTS[0].toLowerCase(),
    ]);
    assert.equal(prompts.length, 1, "one password for both");
    await c.close();
  });

  it("comes after the environment", async () => {
    process.env["DUALSTACK_TESTNET_BASE_URL"] = node.baseUrl;
    process.env["DUALSTACK_PRIVATE_KEY"] = KEYS[1];
    const hre = await create();
    const c = await hre.network.create("testnet");
    assert.deepEqual(await c.provider.request({ method: "eth_accounts" }), [
      ACCOUNTS[1].toLowerCase(),
    ]);
    assert.deepEqual(prompts, []);
    await c.close();
  });
});
