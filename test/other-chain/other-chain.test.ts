/**
 * The main workflow, from the first look to a vote, on another chain of the
 * family: with another chain ID, prefix, denomination and governance address.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { parseAddress } from "../../src/address/index.js";
import type { DualstackUserConfig } from "../../src/config/user-config.js";
import dualstack from "../../src/index.js";
import { createProject } from "../commands/helpers.js";
import { ACCOUNTS, KEYS } from "../helpers/chain.js";
import { loadHardhat2 } from "../helpers/hardhat2.js";
import {
  type Args,
  onHardhat2,
  onHardhat3,
  type RunTask,
  taskNamed,
} from "../helpers/task-runs.js";
import { EvmNode, simulatedChain } from "../servers/evm-node.js";

const CHAIN_ID = 770_001;
const GOVERNANCE = "0x0000000000000000000000000000000000000805";
const FACTS: DualstackUserConfig = {
  bech32Prefix: "other",
  baseDenom: "aother",
  currency: { name: "Other Token", symbol: "OTHER" },
  precompiles: { governance: { address: GOVERNANCE } },
};
const OPERATOR = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const VALIDATOR = parseAddress(OPERATOR, { prefix: "other" }).valoper;
const [OWNER, FRIEND] = ACCOUNTS.map((address) =>
  parseAddress(address, { prefix: "other" }),
) as [ReturnType<typeof parseAddress>, ReturnType<typeof parseAddress>];
const TOKEN = 10n ** 18n;
const localnet = { validators: [{ operator: OPERATOR, moniker: "Olive" }] };

const MAJORS: Readonly<Record<string, RunTask>> = {
  "Hardhat 3": onHardhat3,
  "Hardhat 2": onHardhat2,
};

describe("another chain of the family", () => {
  let node: EvmNode;
  let folder: string;
  let proposal: string;
  const settings = (): DualstackUserConfig => ({
    ...FACTS,
    testnet: {
      chainId: CHAIN_ID,
      baseUrl: node.baseUrl,
      accounts: [KEYS[0]],
    },
    mainnet: { chainId: 770_000 },
  });

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "dualstack-other-"));
    proposal = path.join(folder, "proposal.json");
    await writeFile(
      proposal,
      JSON.stringify({
        messages: [],
        metadata: "ipfs://CID",
        title: "More light",
        summary: "Let there be light",
        deposit: "50000000aother",
      }),
    );
    node = await EvmNode.start({
      chainId: CHAIN_ID,
      backend: {
        plugins: [dualstack],
        dualstack: {
          ...FACTS,
          localnet: {
            ...localnet,
            networks: { chain: true },
            // The emulator accrues rewards within transactions, a chain before
            // them: an estimate on the last block would be too low here.
            rewardRate: 0,
            governance: { minDeposit: 10_000_000n },
          },
        },
        networks: {
          chain: simulatedChain(CHAIN_ID),
        },
      },
    });
  });
  after(async () => {
    await node?.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [major, run] of Object.entries(MAJORS)) {
    it(`serves the main workflow on ${major}`, async () => {
      const task = async (name: string, args: Args = {}) => {
        const { out, err, error } = await run(
          taskNamed(name),
          { json: true, ...args },
          settings(),
        );
        assert.equal(error, undefined, `${name}: ${error}`);
        const answer = JSON.parse(out) as any;
        assert.equal(answer.error, undefined, `${name}: ${out} ${err}`);
        assert.doesNotMatch(out, /cosmos1|cosmosvaloper|anative|26218/, name);
        return answer;
      };

      const { networks } = await task("networks");
      const [testnet] = networks.filter(({ name }: any) => name === "testnet");
      assert.deepEqual(
        [testnet.chainId, testnet.bech32Prefix, testnet.baseDenom],
        [CHAIN_ID, "other", "aother"],
      );
      assert.equal(testnet.precompiles.governance, GOVERNANCE);

      const before = (await task("balance", { addresses: [FRIEND.account] }))
        .balances[0].native.baseUnits;
      const sent = await task("transfer", {
        to: FRIEND.account,
        amount: "1000000aother",
      });
      await settled(sent.hash ?? sent.transaction);
      const after = (await task("balance", { addresses: [FRIEND.hex] }))
        .balances[0].native;
      assert.equal(BigInt(after.baseUnits) - BigInt(before), 1_000_000n);
      assert.equal(after.symbol, "OTHER");

      const { validators } = await task("staking validators");
      assert.deepEqual(
        validators.map(({ moniker, valoper, operator }: any) => [
          moniker,
          valoper ?? operator.valoper ?? operator,
        ]),
        [["Olive", VALIDATOR]],
      );
      await task("staking delegate", { validator: VALIDATOR, amount: "3" });
      await task("staking delegate", { validator: OPERATOR, amount: "2" });
      await task("rewards withdraw", { validator: VALIDATOR });

      const { proposal: proposalId } = await task("gov submit", {
        file: proposal,
      });
      await task("gov vote", { proposal: String(proposalId), option: "yes" });
      const shown = await task("gov show", { proposal: String(proposalId) });
      assert.match(JSON.stringify(shown), /More light/);
      const votes = await node.chain.request({
        method: "eth_call",
        params: [
          { to: GOVERNANCE, data: votesCall(BigInt(proposalId)) },
          "latest",
        ],
      });
      assert.match(String(votes), new RegExp(OWNER.hex.slice(2), "i"));
    });
  }

  async function settled(hash: string): Promise<void> {
    for (let i = 0; i < 100; i++) {
      const receipt = await node.chain.request({
        method: "eth_getTransactionReceipt",
        params: [hash],
      });
      if (receipt !== null) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail(`${hash} is in no block`);
  }

  it("has contracts deployed to it", async () => {
    const { out } = await onHardhat3(
      taskNamed("deploy"),
      {
        contract: "Stable",
        constructorArguments: [FRIEND.account, "5"],
        json: true,
      },
      settings(),
    );
    const { address, chainId } = JSON.parse(out) as any;
    assert.equal(chainId, CHAIN_ID);
    const code = await node.chain.request({
      method: "eth_getCode",
      params: [address, "latest"],
    });
    assert.notEqual(code, "0x");
  });

  it("has typed contracts, one buffer and a viem chain, and works locally", async () => {
    const hre = await createProject({
      dualstack: { ...settings(), localnet },
    });
    const chain = await hre.network.create("testnet");
    assert.equal(chain.dualstack.viemChain.id, CHAIN_ID);
    assert.equal(
      String(await chain.precompiles.governance.getAddress()),
      GOVERNANCE,
    );
    const call = { from: OWNER.hex, to: FRIEND.hex, data: "0x1234" };
    const bare = await node.chain.request({
      method: "eth_estimateGas",
      params: [call],
    });
    const buffered = await chain.provider.request({
      method: "eth_estimateGas",
      params: [call],
    });
    assert.equal(
      BigInt(String(buffered)),
      (BigInt(String(bare)) * 12n + 9n) / 10n,
    );

    const local = await hre.network.create("localnet");
    const { precompiles } = local;
    await precompiles.staking.delegate(OWNER.hex, VALIDATOR, 2n * TOKEN);
    const { balance } = await precompiles.staking.delegation(
      OWNER.hex,
      VALIDATOR,
    );
    assert.deepEqual([balance.denom, balance.amount], ["aother", 2n * TOKEN]);
    const { minDeposit } = await precompiles.governance.getParams();
    assert.equal(minDeposit[0]?.denom, "aother");
    await assert.rejects(
      async () =>
        await precompiles.staking.delegate(
          OWNER.hex,
          parseAddress(OPERATOR).valoper,
          TOKEN,
        ),
      /prefix/,
    );
  });

  it("refuses a node of ours, and says whose chain ID it is", async () => {
    const hre = await createProject({
      dualstack: {
        ...settings(),
        testnet: { baseUrl: node.baseUrl, accounts: [KEYS[0]] },
        mainnet: { chainId: CHAIN_ID },
      },
    });
    const { provider } = await hre.network.create("testnet");
    await assert.rejects(
      provider.request({ method: "eth_blockNumber", params: [] }),
      /chain ID is 770001.*26218/,
    );
  });

  it("says what is wrong with a chain ID", async () => {
    const twice: DualstackUserConfig = { testnet: { chainId: 26217 } };
    await assert.rejects(
      createProject({ dualstack: twice }),
      /dualstack\.testnet\.chainId and dualstack\.mainnet\.chainId are both 26217/,
    );
    await assert.rejects(
      loadHardhat2Settled({ dualstack: twice }),
      /are both 26217/,
    );
    for (const chainId of [0, -1, 1.5, "26218"]) {
      const wrong = { testnet: { chainId } } as unknown as DualstackUserConfig;
      await assert.rejects(
        createProject({ dualstack: wrong }),
        /testnet\.chainId.*must be the EVM chain ID|chain ID/s,
      );
      await assert.rejects(
        loadHardhat2Settled({ dualstack: wrong }),
        /must be the EVM chain ID/,
      );
    }
    await assert.rejects(
      createProject({
        networks: {
          testnet: { type: "http", url: node.evmUrl, chainId: CHAIN_ID },
        },
      }),
      /dualstack\.testnet\.chainId/,
    );
  });
});

const loadHardhat2Settled = async (config: {
  dualstack: DualstackUserConfig;
}) => await loadHardhat2({ config });

/** `getVotes(id, first page)` of the governance precompile. */
function votesCall(id: bigint): string {
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  // uint64, then a tuple (bytes key, offset, limit, countTotal, reverse)
  return `0xe2bb86da${[id, 64n, 160n, 0n, 10n, 0n, 0n, 0n].map(word).join("")}`;
}
