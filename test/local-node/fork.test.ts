import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { DirectEthSecp256k1Wallet, Registry } from "@cosmjs/proto-signing";
import { SigningStargateClient } from "@cosmjs/stargate";
import { hexToBytes } from "@noble/hashes/utils";
import { MsgUnjail } from "cosmjs-types/cosmos/slashing/v1beta1/tx";
import {
  Contract,
  formatUnits,
  JsonRpcProvider,
  parseEther,
  Wallet,
} from "ethers";

import { parseAddress } from "../../src/address/index.js";
import { WAYS } from "../../src/framework/index.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { named, ownArchive as archive } from "../forks/archive.js";
import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import { startNode, type StartedNode } from "./start.js";

const FORK = 100;
const ONE = 10n ** 18n;
const DENOM = "atest";
/** The recorded chain's Frank has the key of the eighth test account. */
const FRANK = 7;
const FEE = {
  amount: [{ denom: DENOM, amount: String(1_500_000n * 10n ** 9n) }],
  gas: "1500000",
};

/** A refused transaction keeps the process waiting for that long. */
const IMPATIENT = { broadcastPollIntervalMs: 50, broadcastTimeoutMs: 5_000 };

const recorded = (path: string): any => {
  const { status, body } = archive.rest(path, FORK);
  assert.equal(status, 200, path);
  // The emulation counts whole seconds.
  return JSON.parse(body.replace(/(:\d\d)\.\d+Z"/g, '$1Z"'));
};

const restOf =
  ({ node }: StartedNode) =>
  async (path: string, height?: number): Promise<any> => {
    const headers =
      height === undefined
        ? undefined
        : { "x-cosmos-block-height": String(height) };
    const answer = await fetch(node.endpoints.restUrl + path, { headers });
    return await answer.json();
  };

const nodeRpcOf =
  ({ node }: StartedNode) =>
  async (method: string, params: object = {}): Promise<any> => {
    const answer = await fetch(node.endpoints.nodeRpcUrl, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return await answer.json();
  };

/** Releases a validator that was jailed before the fork. */
async function unjail({ node }: StartedNode) {
  // Its operator has the key of the fifth test account.
  const key = node.accounts[4]?.privateKey ?? "";
  const { account, valoper } = parseAddress(named("valB"));
  const client = await SigningStargateClient.connectWithSigner(
    node.endpoints.nodeRpcUrl,
    await DirectEthSecp256k1Wallet.fromKey(hexToBytes(key.slice(2)), "cosmos"),
    {
      ...IMPATIENT,
      registry: new Registry([[MsgUnjail.typeUrl, MsgUnjail]]),
    },
  );
  const value = { validatorAddr: valoper };
  const message = { typeUrl: MsgUnjail.typeUrl, value };
  const result = await client.signAndBroadcast(account, [message], FEE);
  client.disconnect();
  return result;
}

/** Delegates from an account that is not in the recording. */
async function delegatedByNobody({ node, evm }: StartedNode, operator: string) {
  const { address, privateKey } = Wallet.createRandom();
  const balance = `0x${parseEther("10").toString(16)}`;
  await evm("hardhat_setBalance", address, balance);
  const key = hexToBytes(privateKey.slice(2));
  const client = await SigningStargateClient.connectWithSigner(
    node.endpoints.nodeRpcUrl,
    await DirectEthSecp256k1Wallet.fromKey(key, "cosmos"),
    IMPATIENT,
  );
  const { account } = parseAddress(address);
  const coin = { denom: DENOM, amount: String(ONE) };
  const result = await client.delegateTokens(account, operator, coin, FEE);
  client.disconnect();
  return result;
}

describe("a local node that forks a chain", () => {
  let server: ArchiveServer;
  let started: StartedNode;
  let provider: JsonRpcProvider;
  let operator: string;
  before(async () => {
    server = await serve(archive);
    started = await startNode(
      { fork: "testnet", forkBlock: FORK, automine: true },
      { testnet: { baseUrl: server.url } },
    );
    provider = new JsonRpcProvider(started.node.endpoints.evmUrl, undefined, {
      cacheTimeout: -1,
      pollingInterval: 50,
    });
    const [delegation] = recorded(
      `/cosmos/staking/v1beta1/delegations/${frank()}`,
    ).delegation_responses;
    operator = delegation.delegation.validator_address;
  });
  after(async () => {
    provider.destroy();
    await started[Symbol.asyncDispose]();
    await server.close();
  });

  const frank = () => parseAddress(named("frank")).account;
  const rest = async (path: string, height?: number) =>
    await restOf(started)(path, height);
  const nodeRpc = async (method: string, params?: object) =>
    await nodeRpcOf(started)(method, params);

  it("goes on from the fork's block, with funds for its accounts", async () => {
    const { node } = started;
    assert.equal(node.fork?.blockNumber, BigInt(FORK));
    assert.ok((await provider.getBlockNumber()) > FORK);
    assert.equal(node.accounts[FRANK]?.address.toLowerCase(), named("frank"));
    for (const { address } of node.accounts) {
      const balance = await provider.getBalance(address);
      assert.equal(balance, parseEther("10000"));
    }
    const { result } = await nodeRpc("status");
    assert.equal(result.sync_info.earliest_block_height, String(FORK + 1));
    assert.equal(
      result.validator_info.voting_power,
      (await nodeRpc("validators")).result.validators[0].voting_power,
    );
  });

  it("has the chain's state, as its REST endpoint returned it", async () => {
    for (const path of [
      "/cosmos/staking/v1beta1/validators",
      "/cosmos/staking/v1beta1/params",
      "/cosmos/slashing/v1beta1/params",
      "/cosmos/mint/v1beta1/params",
      "/cosmos/distribution/v1beta1/params",
      `/cosmos/staking/v1beta1/delegations/${frank()}`,
      `/cosmos/staking/v1beta1/delegators/${frank()}/unbonding_delegations`,
      "/cosmos/gov/v1/constitution",
    ]) {
      assert.deepEqual(await rest(path), recorded(path), path);
    }
    const byAddress = (list: any[]) =>
      list
        .map(({ delegation, balance }) => ({ ...delegation, balance }))
        .sort((a, b) => (a.delegator_address < b.delegator_address ? -1 : 1));
    const to = `/cosmos/staking/v1beta1/validators/${operator}/delegations`;
    assert.deepEqual(
      byAddress((await rest(to)).delegation_responses),
      byAddress(recorded(to).delegation_responses),
    );
    const proposals = await rest("/cosmos/gov/v1/proposals");
    assert.deepEqual(
      proposals.proposals.map(({ id, title }: any) => [id, title]),
      recorded("/cosmos/gov/v1/proposals").proposals.map(
        ({ id, title }: any) => [id, title],
      ),
    );
    const signed = await rest("/cosmos/slashing/v1beta1/signing_infos");
    assert.deepEqual(
      signed.info.map(({ address }: any) => address),
      recorded("/cosmos/slashing/v1beta1/signing_infos").info.map(
        ({ address }: any) => address,
      ),
    );
  });

  it("counts all tokens: the chain's, those it gave, and what is minted and burnt", async () => {
    const supply = async (height?: number) =>
      BigInt(
        (await rest("/cosmos/bank/v1beta1/supply", height)).supply[0].amount,
      );
    const before = BigInt(
      recorded("/cosmos/bank/v1beta1/supply").supply[0].amount,
    );
    const had = (address: string): bigint => {
      const changes: [number, string][] =
        archive.data.state.balance[address.toLowerCase()] ?? [];
      const [, balance = 0] =
        changes.filter(([height]) => height <= FORK).at(-1) ?? [];
      return BigInt(balance);
    };
    const given = started.node.accounts.reduce(
      (sum, { address }) => sum + parseEther("10000") - had(address),
      0n,
    );
    const first = await supply(FORK + 1);
    // A block mints rewards.
    assert.ok(first >= before + given && first < before + given + ONE);
    for (const path of ["inflation", "annual_provisions"]) {
      const told = `/cosmos/mint/v1beta1/${path}`;
      assert.deepEqual(await rest(told), recorded(told));
    }
  });

  it("answers alike in all four ways, at the fork's block too", async () => {
    for (const height of [undefined, BigInt(FORK)]) {
      const asked = height === undefined ? {} : { height };
      const answers = await Promise.all(
        WAYS.map(
          async (via) =>
            await started.clients.query.staking.validators(
              {},
              { via, ...asked },
            ),
        ),
      );
      const [first] = answers;
      assert.equal(first?.items.length, 3);
      const told = answers.map(({ items }) =>
        items.map(({ operator, tokens }) => [operator, tokens]),
      );
      for (const one of told) assert.deepEqual(one, told[0]);
    }
  });

  it("lets the chain's accounts act on both stacks", async () => {
    const { accounts, endpoints } = started.node;
    const key = accounts[FRANK]?.privateKey ?? "0x";
    const signer = new Wallet(key, provider);
    const staking: any = new Contract(
      started.hre.config.dualstack.precompiles.staking.address,
      [...PRECOMPILES.staking.abi] as any,
      signer,
    );
    const before = await staking.delegation(named("frank"), operator);
    assert.ok(before.shares > 0n);
    await (await staking.delegate(named("frank"), operator, ONE)).wait();
    const client = await SigningStargateClient.connectWithSigner(
      endpoints.nodeRpcUrl,
      await DirectEthSecp256k1Wallet.fromKey(
        hexToBytes(key.slice(2)),
        "cosmos",
      ),
      IMPATIENT,
    );
    const result = await client.delegateTokens(
      frank(),
      operator,
      { denom: DENOM, amount: String(ONE) },
      FEE,
    );
    assert.equal(result.code, 0, result.rawLog);
    assert.ok(result.events.some(({ type }) => type === "delegate"));
    client.disconnect();
    const after = await staking.delegation(named("frank"), operator);
    const grown = after.balance.amount - before.balance.amount;
    assert.ok(grown >= 2n * ONE - 2n && grown <= 2n * ONE, String(grown));
    const { delegation_response: told } = await rest(
      `/cosmos/staking/v1beta1/validators/${operator}/delegations/${frank()}`,
    );
    assert.equal(told.delegation.shares, formatUnits(after.shares, 18));
    const results = await nodeRpc("block_results", {
      height: String(result.height),
    });
    assert.equal(results.result.txs_results.length, 1);
  });

  it("grants, and shows its page", async () => {
    const { endpoints } = started.node;
    const to = started.node.accounts[1];
    const before = await provider.getBalance(to?.address ?? "");
    const answer = await fetch(`${endpoints.faucetUrl}/credit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address: to?.account, denom: DENOM }),
    });
    assert.equal(answer.status, 200, await answer.text());
    assert.equal(
      (await provider.getBalance(to?.address ?? "")) - before,
      parseEther("100"),
    );
    const state = await fetch(`${endpoints.baseUrl}/page/state.json`);
    const told: any = await state.json();
    const { validators, proposals } = told;
    assert.equal(validators?.length, 3, JSON.stringify(validators));
    assert.ok(proposals.length > 0);
  });

  it("refuses by name what was before the fork, and what no endpoint provides", async () => {
    const validators = "/cosmos/staking/v1beta1/validators";
    const early = await rest(validators, FORK - 1);
    assert.match(
      early.message,
      /height 99 is not available.*fork that begins after block 100/,
    );
    const block = await nodeRpc("block", { height: String(FORK) });
    assert.match(block.error.data, /lowest height is 101/);
    const { block_metas: metas } = (await nodeRpc("blockchain")).result;
    assert.equal(metas.at(-1).header.height, String(FORK + 1));
    const { message } = await rest("/cosmos/auth/v1beta1/accounts");
    assert.match(message, /which accounts there are cannot be told on a fork/);
    // The fork's books did not yet have an account that it had not read.
    const gina = parseAddress(named("gina")).account;
    const path = `/cosmos/staking/v1beta1/delegations/${gina}`;
    assert.deepEqual(await rest(path), recorded(path));
    const past = await rest(path, FORK);
    assert.match(past.message, /was not read at block 100 of the fork/);
    // The EVM's side has the chain's own past.
    const old = await provider.getBlock(FORK - 1);
    assert.equal(old?.hash, archive.data.blocks[FORK - 2].hash);
    const logs = await provider.getLogs({
      fromBlock: 1,
      toBlock: FORK,
      address: archive.data.contracts.vault.address,
    });
    assert.ok(logs.length > 0);
  });

  it("frees a jailed validator of the chain once its time is over", async () => {
    const { valoper } = parseAddress(named("valB"));
    const tried = async () => {
      const { code, rawLog } = await unjail(started);
      const path = `/cosmos/staking/v1beta1/validators/${valoper}`;
      const { validator } = await rest(path);
      return { code, rawLog, jailed: validator.jailed };
    };
    // It was jailed before the fork, for ten minutes.
    const early = await tried();
    assert.match(early.rawLog ?? "", /validator still jailed; cannot/);
    assert.deepEqual([early.code, early.jailed], [4, true]);
    await started.evm("dualstack_advance", 600);
    const late = await tried();
    assert.deepEqual([late.code, late.jailed], [0, false], late.rawLog);
  });

  it("takes slashed tokens from the supply", async () => {
    const supply = async () =>
      BigInt((await rest("/cosmos/bank/v1beta1/supply")).supply[0].amount);
    const before = await supply();
    await started.evm("dualstack_slashValidator", operator, "0.5");
    await started.evm("evm_mine");
    assert.ok((await supply()) < before);
  });
});

describe("the block after a fork", () => {
  // A proposal whose deposits are burnt, one that fails, one with too few
  // deposits.
  for (const height of [111, 119, 126]) {
    it(`ends periods of governance as block ${height + 1} did`, async () => {
      const server = await serve(archive);
      await using _ = {
        [Symbol.asyncDispose]: async () => await server.close(),
      };
      await using started = await startNode(
        { fork: "testnet", forkBlock: height, automine: true },
        { testnet: { baseUrl: server.url } },
      );
      const kinds = ["burn", "active_proposal", "inactive_proposal"];
      const expected = archive.data.results[height + 1].events
        .filter(({ type }: any) => kinds.includes(type))
        .map(({ type, attributes }: any) => [type, Object.entries(attributes)]);
      assert.ok(expected.length > 0);
      // The emulation counts whole seconds: what is due may come one block
      // later.
      await started.evm("evm_mine");
      const found = [];
      const head = Number(await started.evm("eth_blockNumber"));
      for (let at = height + 1; at <= head; at++) {
        const { result } = await nodeRpcOf(started)("block_results", {
          height: String(at),
        });
        for (const { type, attributes } of result.finalize_block_events) {
          if (!kinds.includes(type)) continue;
          found.push([
            type,
            attributes.map(({ key, value }: any) => [key, value]),
          ]);
        }
      }
      assert.deepEqual(found.slice(0, expected.length), expected);
    });
  }
});

describe("a local node that forks an EVM endpoint alone", () => {
  it("answers what the precompiles know, and refuses the rest by name", async () => {
    const server = await serve(archive);
    // Closed after the node that asks it.
    await using _ = { [Symbol.asyncDispose]: async () => await server.close() };
    await using started = await startNode({
      fork: `${server.url}/evm`,
      forkBlock: FORK,
      automine: true,
    });
    const rest = restOf(started);
    const path = "/cosmos/staking/v1beta1/validators";
    const { validators } = await rest(path);
    const told = recorded(path).validators;
    assert.deepEqual(
      validators.map((one: any) => [
        one.tokens,
        one.commission.commission_rates.rate,
      ]),
      told.map((one: any) => [
        one.tokens,
        one.commission.commission_rates.rate,
      ]),
    );
    for (const { commission } of validators) {
      assert.equal(commission.commission_rates.max_rate, "");
    }
    for (const [of, why] of [
      ["/cosmos/slashing/v1beta1/params", /node RPC of the forked chain/],
      ["/cosmos/staking/v1beta1/params", /node RPC of the forked chain/],
      [
        `${path}/${told[0].operator_address}/delegations`,
        /REST endpoint of the forked chain/,
      ],
    ] as const) {
      assert.match((await rest(of)).message, why);
    }
    // No endpoint says how long the validator stays in jail.
    const { code, rawLog } = await unjail(started);
    assert.notEqual(code, 0);
    assert.match(rawLog ?? "", /node RPC of the forked chain/);
    // Nor what an account outside the recording has delegated.
    const lost = await delegatedByNobody(started, told[0].operator_address);
    assert.notEqual(lost.code, 0);
    assert.match(lost.rawLog ?? "", /delegationTotalRewards cannot be read/);
  });

  it("does not fork a network that is emulated itself", async () => {
    await using local = await startNode();
    await local.evm("evm_mine");
    await assert.rejects(
      startNode({ fork: local.node.endpoints.evmUrl }),
      /precompiles of the forked chain are emulated.*dualstack local snapshot/,
    );
  });

  it("names what cannot be forked, and an invalid mnemonic", async () => {
    await assert.rejects(
      startNode({ fork: "nowhere" }),
      /"nowhere" is no network/,
    );
    await assert.rejects(
      startNode({ fork: "http://127.0.0.1:9/evm" }),
      /cannot be reached.*endpoint http:\/\/127\.0\.0\.1:9\/evm/,
    );
    const server = await serve(archive);
    await assert
      .rejects(
        startNode({ fork: `${server.url}/evm`, forkBlock: 10 ** 9 }),
        /the chain cannot be forked: .*block 1000000000 .*endpoint http/,
      )
      .finally(async () => await server.close());
    await assert.rejects(startNode({ forkBlock: 5 }), /needs the chain/);
    await assert.rejects(
      startNode({ mnemonic: "test test" }),
      /the mnemonic is not valid.*12 to 24 words/s,
    );
  });
});
