import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Contract } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import plugin from "../../src/index.js";
import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import {
  ALL_PRECOMPILES,
  answerOf,
  archive,
  CHAIN_ID,
  FACTS,
  viewsAt,
} from "./archive.js";
import {
  DELEGATOR,
  HEIGHT,
  OPERATORS,
  restAt,
  VAULT,
  VAULT_ABI,
} from "./cast.js";

const TOKEN = 10n ** 18n;
const testnet = { chainId: CHAIN_ID };
const BONDED = "BOND_STATUS_BONDED";
const STRANGER = "0x00000000000000000000000000000000000000a1";

describe("a snapshot of the recorded chain", () => {
  let server: ArchiveServer;
  let folder: string;
  let file: string;
  let report: any;
  /** What was wrong with refusals that were asked for; `undefined` for nothing. */
  const refusals: (string | undefined)[] = [];

  before(async () => {
    server = await serve(archive);
    folder = await mkdtemp(path.join(tmpdir(), "snapshot-"));
    file = path.join(folder, "chain.json");
    const hre = await createHardhatRuntimeEnvironment(
      {
        plugins: [plugin],
        dualstack: {
          ...FACTS,
          precompiles: ALL_PRECOMPILES,
          testnet: { ...testnet, baseUrl: server.url },
        },
      },
      { network: "testnet" },
    );
    const vault = new Contract(VAULT, VAULT_ABI);
    const asked = ["totalAssets", "totalSupply", "delegations"]
      .filter((name) => vault.interface.hasFunction(name))
      .map((name) => `${VAULT}:${vault.interface.encodeFunctionData(name)}`);
    const task = hre.tasks.getTask(["dualstack", "snapshot"]);
    const refuses = async (args: object, message: RegExp) => {
      refusals.push(
        await task.run({ file, quiet: true, ...args }).then(
          () => "it was written",
          (error: unknown) =>
            message.test(String(error)) ? undefined : String(error),
        ),
      );
    };
    await refuses(
      { block: String(10n ** 15n) },
      /there is no block 1000000000000000 yet: the newest is \d+ \(network testnet\)/,
    );
    await refuses(
      { file: path.join(folder, "missing", "chain.json") },
      /the snapshot cannot be written to .*missing.*Choose a folder/,
    );
    await refuses(
      { block: String(HEIGHT), calls: VAULT + ":0xdeadbeef" },
      /the snapshot was not written: .*revert.*\(network testnet\)/i,
    );
    report = await task.run({
      file,
      block: String(HEIGHT),
      accounts: DELEGATOR,
      calls: asked.join(","),
      quiet: true,
    });
    // From here on, no server answers.
    await server.close();
  });
  after(async () => await rm(folder, { recursive: true, maxRetries: 5 }));

  const start = async (state = file) => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [plugin],
      dualstack: {
        ...FACTS,
        precompiles: ALL_PRECOMPILES,
        testnet,
        localnet: { state },
      },
    });
    return await hre.network.create();
  };

  it("is not written where it could not be, or of what is not there", () => {
    assert.deepEqual(refusals, [undefined, undefined, undefined]);
  });

  it("says what it wrote, in a file that can be read and has no secrets", async () => {
    assert.equal(report.block, HEIGHT);
    assert.equal(report.validators, OPERATORS.length);
    const text = await readFile(file, "utf8");
    const { format, block, validators, accounts } = JSON.parse(text);
    assert.equal(format, "hardhat-dualstack-snapshot/1");
    assert.equal(block.number, HEIGHT);
    assert.equal(validators.length, OPERATORS.length);
    assert.ok(accounts.includes(DELEGATOR.toLowerCase()));
    assert.match(text, /"ask":"abci_query"/, "what the stores have");
    assert.ok(!text.includes(server.url));
  });

  it("starts a network offline", async () => {
    const { ethers, provider, precompiles, dualstack, close }: any =
      await start();
    const staking = viewsAt(HEIGHT).filter(({ name }) =>
      /^staking\.valid|^gov\.get(Params|Proposal)|^dist.*(validatorOutstanding|communityPool)/.test(
        name,
      ),
    );
    assert.ok(staking.length > 10);
    for (const { to, data, name, answer } of staking) {
      const got = await answerOf(
        provider.request({ method: "eth_call", params: [{ to, data }] }),
      );
      assert.equal(got, answer, name);
    }
    const [coin] = await precompiles.bank.totalSupply();
    const [{ amount }] = restAt("bank/v1beta1/supply", HEIGHT).supply;
    assert.ok(coin.amount >= BigInt(amount));
    const { params } = restAt("slashing/v1beta1/params", HEIGHT);
    const { signedBlocksWindow } = await precompiles.slashing.getParams();
    assert.equal(signedBlocksWindow, BigInt(params.signed_blocks_window));
    await provider.request({
      method: "hardhat_impersonateAccount",
      params: [DELEGATOR],
    });
    const signer = await ethers.getSigner(DELEGATOR);
    const [delegation] = await precompiles.staking
      .connect(signer)
      .validators(BONDED, ["0x", 0n, 0n, false, false]);
    const { operatorAddress } = delegation[0];
    const sent = await precompiles.staking
      .connect(signer)
      .delegate(DELEGATOR, operatorAddress, TOKEN);
    assert.equal((await sent.wait()).status, 1);
    await dualstack.localnet.advance(5);
    const vault: any = new Contract(VAULT, VAULT_ABI, signer);
    assert.ok((await vault.totalSupply()) > 0n);
    await close();
  });

  it("knows no account that is not in it", async () => {
    const { ethers, precompiles, close }: any = await start();
    assert.equal(await ethers.provider.getBalance(STRANGER), 0n);
    const me = (await ethers.getSigners())[15];
    const [validators] = await precompiles.staking.validators("", [
      "0x",
      0n,
      0n,
      false,
      false,
    ]);
    const { operatorAddress } = validators[0];
    const shares = async () =>
      (await precompiles.staking.delegation(me.address, operatorAddress))
        .shares;
    assert.equal(await shares(), 0n);
    const sent = await precompiles.staking
      .connect(me)
      .delegate(me.address, operatorAddress, TOKEN);
    await sent.wait();
    assert.ok((await shares()) > 0n);
    await close();
  });

  it("starts a local node", async () => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [plugin],
      dualstack: { testnet, localnet: { state: file } },
    });
    const node = await hre.dualstack.startLocalNode({ port: 0, grpcPort: 0 });
    try {
      const { restUrl = "" } = node.endpoints as { restUrl?: string };
      const answer = await fetch(
        `${restUrl}/cosmos/staking/v1beta1/validators`,
      );
      const { validators } = (await answer.json()) as { validators: any[] };
      const { validators: written } = JSON.parse(await readFile(file, "utf8"));
      assert.deepEqual(
        validators.map(({ description }) => description.moniker).sort(),
        written.map(({ moniker }: any) => moniker).sort(),
      );
    } finally {
      await node.close();
    }
  });

  it("is refused if it was changed, cut off, of another version, or is missing", async () => {
    const text = await readFile(file, "utf8");
    const broken = path.join(folder, "broken.json");
    const refuses = async (content: string, message: RegExp) => {
      await writeFile(broken, content);
      await assert.rejects(start(broken), message);
    };
    await refuses(
      text.replace(`"number": ${HEIGHT}`, `"number": ${HEIGHT + 1}`),
      /checksum/,
    );
    await refuses(text.slice(0, 2_000), /is not JSON/);
    await refuses(text.replace("snapshot/1", "snapshot/9"), /snapshot\/9/);
    await refuses("{}", /is none of hardhat-dualstack/);
    await assert.rejects(start("nowhere.json"), /cannot be read/);
  });
});
