import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { DirectEthSecp256k1Wallet } from "@cosmjs/proto-signing";
import { SigningStargateClient } from "@cosmjs/stargate";
import { hexToBytes } from "@noble/hashes/utils";

import type { LocalNode } from "../../src/local-node/index.js";
import type { PageState } from "../../src/local-node/page/state/types.js";
import { COUNTER } from "../helpers/contracts.js";
import { ownArchive as archive } from "../forks/archive.js";
import { loadHardhat2 } from "../helpers/hardhat2.js";
import { serve } from "../servers/archive/archive.mjs";
import { type ArtifactsFolder, artifactsFolder } from "./project.js";

describe("a local node on Hardhat 2", () => {
  let node: LocalNode;
  let artifacts: ArtifactsFolder;
  before(async () => {
    artifacts = await artifactsFolder();
    const hre: any = await loadHardhat2({
      network: "hardhat",
      config: { paths: { artifacts: artifacts.folder } },
    });
    node = await hre.dualstack.startLocalNode({ automine: true, accounts: 2 });
  });
  after(async () => {
    await node.close();
    await artifacts[Symbol.asyncDispose]();
  });

  const rest = async (path: string): Promise<any> =>
    await (await fetch(node.endpoints.restUrl + path)).json();

  it("passes on what a contract reverts with", async () => {
    // Reverts with "0x0d6a419a", a custom error.
    const data = "0x630d6a419a60e01b60005260046000fd";
    const response = await fetch(node.endpoints.evmUrl, {
      method: "POST",
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_call",
        params: [{ data }, "latest"],
      }),
    });
    const { error }: any = await response.json();
    assert.equal(error.code, 3);
    assert.equal(error.data, "0x0d6a419a");
    const args = Buffer.from(JSON.stringify({ data })).toString("base64");
    const { ret, vm_error } = await rest(
      `/cosmos/evm/vm/v1/eth_call?args=${encodeURIComponent(args)}`,
    );
    assert.equal(vm_error, "execution reverted");
    assert.equal(Buffer.from(ret, "base64").toString("hex"), "0d6a419a");
  });

  it("takes a delegation and a proposal by CosmJS", async () => {
    const { validators } = await rest("/cosmos/staking/v1beta1/validators");
    const [{ operator_address: validator }] = validators;
    const { account, privateKey } = node.accounts[0] ?? {
      account: "",
      privateKey: "0x",
    };
    const client = await SigningStargateClient.connectWithSigner(
      node.endpoints.nodeRpcUrl,
      await DirectEthSecp256k1Wallet.fromKey(hexToBytes(privateKey.slice(2))),
      { broadcastPollIntervalMs: 50, broadcastTimeoutMs: 10_000 },
    );
    const coin = (amount: string) => ({ denom: "anative", amount });
    const result = await client.signAndBroadcast(
      account,
      [
        {
          typeUrl: "/cosmos.staking.v1beta1.MsgDelegate",
          value: {
            delegatorAddress: account,
            validatorAddress: validator,
            amount: coin("5000000000000000000"),
          },
        },
        {
          typeUrl: "/cosmos.gov.v1.MsgSubmitProposal",
          value: {
            messages: [],
            initialDeposit: [coin("1000000000000000000")],
            proposer: account,
            metadata: "ipfs://CID",
            title: "By CosmJS",
            summary: "on Hardhat 2",
            expedited: false,
          },
        },
      ],
      { amount: [coin("2000000000000000")], gas: "2000000" },
    );
    assert.equal(result.code, 0, result.rawLog);
    client.disconnect();
    const types = result.events.map(({ type }) => type);
    assert.equal(types.filter((type) => type === "delegate").length, 1);
    const { delegation_responses: delegations } = await rest(
      `/cosmos/staking/v1beta1/delegations/${account}`,
    );
    assert.equal(delegations[0].balance.amount, "5000000000000000000");
    const { proposals } = await rest("/cosmos/gov/v1/proposals");
    assert.equal(proposals[0].title, "By CosmJS");
  });

  it("grants tokens", async () => {
    const [, other] = node.accounts;
    const answer = await fetch(`${node.endpoints.faucetUrl}/credit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address: other?.account, denom: "anative" }),
    });
    assert.equal(answer.status, 200, await answer.text());
    const { balance } = await rest(
      `/cosmos/bank/v1beta1/balances/${other?.account}/by_denom?denom=anative`,
    );
    assert.equal(balance.amount, "10100000000000000000000");
  });

  it("has the page, which knows the project's contracts by their artifacts", async () => {
    const { baseUrl, evmUrl } = node.endpoints;
    const page = await fetch(`${baseUrl}/`, {
      headers: { accept: "text/html" },
    });
    const html = await page.text();
    assert.match(html, /data-act="mine"/);
    // Blocks come with transactions: there is nothing to pause.
    assert.doesNotMatch(html, /data-act="pause"/);
    await artifacts.build();
    const created = await fetch(evmUrl, {
      method: "POST",
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_sendTransaction",
        params: [
          {
            from: node.accounts[0]?.address,
            data: `${COUNTER.bytecode}${"0".repeat(64)}`,
          },
        ],
      }),
    });
    assert.equal(created.status, 200);
    const state = await fetch(`${baseUrl}/page/state.json`);
    const { transactions } = (await state.json()) as PageState;
    assert.equal(transactions[0]?.title, "Deploy Counter");
    const proposed = transactions.find(({ stack }) => stack === "framework");
    assert.equal(proposed?.title, "MsgDelegate and 1 more");
  });
});

it("a local node on Hardhat 2 goes on from a chain's state", async () => {
  const server = await serve(archive);
  const hre: any = await loadHardhat2({
    network: "hardhat",
    config: {
      dualstack: { testnet: { baseUrl: server.url } },
    },
  });
  const node: LocalNode = await hre.dualstack.startLocalNode({
    fork: "testnet",
    forkBlock: 100,
    automine: true,
    accounts: 2,
  });
  try {
    const { restUrl, nodeRpcUrl } = node.endpoints;
    const told = async (height: number): Promise<any> => {
      const path = "/cosmos/staking/v1beta1/validators";
      const headers = { "x-cosmos-block-height": String(height) };
      return await (await fetch(restUrl + path, { headers })).json();
    };
    const tokens = ({ validators }: any) =>
      validators.map((one: any) => [one.operator_address, one.tokens]);
    const path = "/cosmos/staking/v1beta1/validators";
    const recorded = JSON.parse(archive.rest(path, 100).body);
    assert.deepEqual(tokens(await told(0)), tokens(recorded));
    assert.deepEqual(tokens(await told(100)), tokens(recorded));
    assert.match((await told(99)).message, /fork that begins after block 100/);
    const status: any = await (await fetch(`${nodeRpcUrl}/status`)).json();
    const { sync_info: sync } = status.result;
    assert.equal(sync.earliest_block_height, "101");
  } finally {
    await node.close();
    await server.close();
  }
});
