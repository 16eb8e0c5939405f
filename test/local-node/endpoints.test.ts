import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";

import { DirectEthSecp256k1Wallet } from "@cosmjs/proto-signing";
import { SigningStargateClient, StargateClient } from "@cosmjs/stargate";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import * as grpc from "@grpc/grpc-js";
import { VoteOption } from "cosmjs-types/cosmos/gov/v1/gov";
import {
  Contract,
  formatUnits,
  HDNodeWallet,
  JsonRpcProvider,
  keccak256,
  parseEther,
  Wallet,
  WebSocketProvider,
} from "ethers";
import { createPublicClient, http, webSocket } from "viem";
import { WebSocket } from "ws";

import { parseAddress } from "../../src/address/index.js";
import { type Way, WAYS } from "../../src/framework/index.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { consensusAddress } from "../../src/local-node/consensus.js";
import type { LocalNodeEndpoints } from "../../src/local-node/endpoints.js";
import { startNode, type StartedNode } from "./start.js";

const ONE = 10n ** 18n;
const FIRST_HUNDRED = {
  key: "0x",
  offset: 0,
  limit: 100,
  countTotal: false,
  reverse: false,
};
/** Its rewards have a fraction of a base unit. */
const STAKE = 7n * ONE + 12_345n;

describe("a local node", () => {
  let started: StartedNode;
  let endpoints: LocalNodeEndpoints;
  let validator: string;
  let provider: JsonRpcProvider;
  before(async () => {
    const active = { active: true };
    started = await startNode(
      {},
      { precompiles: { slashing: active, bank: active } },
    );
    ({ endpoints } = started.node);
    provider = new JsonRpcProvider(endpoints.evmUrl, undefined, {
      cacheTimeout: -1,
      pollingInterval: 50,
    });
    const { items } = await started.clients.query.staking.validators({});
    validator = items[0]?.operator.valoper ?? "";
  });
  after(async () => {
    provider.destroy();
    await started[Symbol.asyncDispose]();
  });

  const nextBlock = async () => {
    const height = await provider.getBlockNumber();
    while ((await provider.getBlockNumber()) <= height) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const keyOf = (i: number) => started.node.accounts[i]?.privateKey ?? "0x";
  const accountOf = (i: number) => started.node.accounts[i]?.account ?? "";
  const hexOf = (i: number) => started.node.accounts[i]?.address ?? "0x";
  const rest = async (path: string, init?: RequestInit): Promise<any> =>
    await (await fetch(endpoints.restUrl + path, init)).json();
  const nodeRpc = async (method: string, params: object = {}): Promise<any> => {
    const response = await fetch(endpoints.nodeRpcUrl, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return await response.json();
  };
  const signingClient = async (i: number) => {
    const wallet = await DirectEthSecp256k1Wallet.fromKey(
      hexToBytes(keyOf(i).slice(2)),
      "cosmos",
    );
    const client = await SigningStargateClient.connectWithSigner(
      endpoints.nodeRpcUrl,
      wallet,
      { broadcastPollIntervalMs: 50, broadcastTimeoutMs: 10_000 },
    );
    return client;
  };
  const fee = (gas: number) => ({
    amount: [{ denom: "anative", amount: String(BigInt(gas) * 10n ** 9n) }],
    gas: String(gas),
  });

  it("has accounts in both address forms, and an index at its base", async () => {
    const root = HDNodeWallet.fromPhrase(
      "test test test test test test test test test test test junk",
      undefined,
      "m/44'/60'/0'/0",
    );
    assert.deepEqual(
      started.node.accounts.map((one) => [one.address, one.privateKey]),
      started.node.accounts.map((_, i) => {
        const { address, privateKey } = root.deriveChild(i);
        return [address, privateKey];
      }),
    );
    const { accounts } = started.node;
    assert.equal(accounts.length, 20);
    assert.equal(
      accounts[0]?.address,
      "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    );
    assert.equal(new Wallet(keyOf(3)).address, hexOf(3));
    const index = await (await fetch(`${endpoints.baseUrl}/`)).text();
    for (const endpoint of Object.values(endpoints)) {
      assert.ok(index.includes(endpoint), endpoint);
    }
  });

  it("pages slashes as the precompile does, and refuses a reversed range", async () => {
    await using one = await startNode();
    const { items } = await one.clients.query.staking.validators({});
    const operator = items[0]?.operator.valoper ?? "";
    // The validator's own delegation ended its first period.
    for (let i = 0; i < 2; i++)
      await one.evm("dualstack_slashValidator", operator, "0.5", false);
    const slashes = async (question: string): Promise<any> => {
      const path = `/cosmos/distribution/v1beta1/validators/${operator}/slashes`;
      const { restUrl } = one.node.endpoints;
      return await (await fetch(`${restUrl}${path}?${question}`)).json();
    };
    const { address, abi } = PRECOMPILES.distribution;
    const evm = new JsonRpcProvider(one.node.endpoints.evmUrl);
    const { pageResponse } = await new Contract(address, abi, evm).getFunction(
      "validatorSlashes",
    )(operator, 0, 9, { ...FIRST_HUNDRED, limit: 1 });
    evm.destroy();
    const key = Buffer.from(pageResponse.nextKey.slice(2), "hex");
    assert.equal(key.length, 16);
    const first = "starting_height=0&ending_height=9&pagination.limit=1";
    const fraction = "0.500000000000000000";
    assert.deepEqual(await slashes(first), {
      slashes: [{ validator_period: "2", fraction }],
      pagination: { next_key: key.toString("base64"), total: "0" },
    });
    const next = encodeURIComponent(key.toString("base64"));
    assert.deepEqual(await slashes(`${first}&pagination.key=${next}`), {
      slashes: [{ validator_period: "3", fraction }],
      pagination: { next_key: null, total: "0" },
    });
    assert.deepEqual(await slashes("starting_height=9&ending_height=1"), {
      code: 3,
      message: "starting height greater than ending height (9 > 1)",
      details: [],
    });
  });

  it("has one chain ID, height, time and hash on both stacks", async () => {
    const { chainId } = await provider.getNetwork();
    assert.equal(chainId, 26218n);
    // The first block has none before it.
    await nextBlock();
    const { result } = await nodeRpc("status");
    assert.equal(result.node_info.network, "dualstack_26218-1");
    const height = result.sync_info.latest_block_height;
    const { result: block } = await nodeRpc("block", { height });
    const header = await provider.getBlock(Number(height));
    assert.equal(block.block_id.hash, header?.hash?.slice(2).toUpperCase());
    assert.equal(Date.parse(block.block.header.time) / 1000, header?.timestamp);
    assert.equal(
      block.block.header.last_block_id.hash,
      header?.parentHash.slice(2).toUpperCase(),
    );
  });

  it("shows a transaction of the EVM on the framework's side", async () => {
    const wallet = new Wallet(keyOf(0), provider);
    const sent = await wallet.sendTransaction({
      to: hexOf(1),
      value: parseEther("1.5"),
    });
    const receipt = await sent.wait();
    const { result } = await nodeRpc("tx_search", {
      query: `ethereum_tx.ethereumTxHash='${sent.hash}'`,
    });
    assert.equal(result.total_count, "1");
    const [found] = result.txs;
    assert.equal(found.height, String(receipt?.blockNumber));
    assert.equal(found.tx_result.gas_used, "21000");
    const bytes = Buffer.from(found.tx, "base64");
    assert.equal(bytesToHex(sha256(bytes)).toUpperCase(), found.hash);
    const { result: block } = await nodeRpc("block", { height: found.height });
    assert.deepEqual(block.block.data.txs, [found.tx]);
    const search = await rest(
      `/cosmos/tx/v1beta1/txs?query=tx.height%3D${found.height}`,
    );
    assert.equal(search.tx_responses[0].txhash, found.hash);
    const [message] = search.tx_responses[0].tx.body.messages;
    assert.equal(message["@type"], "/cosmos.evm.vm.v1.MsgEthereumTx");
    assert.equal(keccak256(message.raw), sent.hash);
    assert.equal(receipt?.status, 1);
  });

  it("shows transactions of every type as they were signed, and found by recipient", async () => {
    const wallet = new Wallet(keyOf(0), provider);
    const to = hexOf(1);
    const accessList = [{ address: to, storageKeys: [`0x${"01".repeat(32)}`] }];
    const gasPrice = 3n * 10n ** 9n;
    const nonce = await wallet.getNonce();
    const authorization = await wallet.authorize({
      address: to,
      nonce: nonce + 4,
    });
    const chainId = started.node.chainId;
    for (const [i, request] of [
      { type: 0, gasPrice },
      // Valid on any chain: without a chain ID in its signature.
      { type: 0, gasPrice, chainId: 0 },
      { type: 1, gasPrice, accessList },
      { type: 4, accessList, authorizationList: [authorization] },
    ].entries()) {
      const raw = await new Wallet(keyOf(0)).signTransaction({
        chainId,
        to,
        value: 1n,
        nonce: nonce + i,
        gasLimit: 100_000n,
        ...("gasPrice" in request
          ? {}
          : { maxFeePerGas: gasPrice, maxPriorityFeePerGas: 1n }),
        ...request,
      });
      const { hash } = await provider.broadcastTransaction(raw);
      await provider.waitForTransaction(hash);
      const query = `ethereum_tx.recipient='${to}' AND ethereum_tx.ethereumTxHash='${hash}'`;
      const { tx_responses } = await rest(
        `/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(query)}`,
      );
      const [message] = tx_responses[0].tx.body.messages;
      assert.equal(message.raw, raw, `type ${request.type}`);
    }
  });

  it("accepts a call's data under both of its names", async () => {
    // Returns 42, as Foundry asks for it.
    const code = "0x602a60005260206000f3";
    const call = { input: code, data: code };
    assert.equal(BigInt(await started.evm("eth_call", call, "latest")), 42n);
    assert.ok(BigInt(await started.evm("eth_estimateGas", call)) > 53_000n);
  });

  it("tells in its events why an EVM transaction failed", async () => {
    const wallet = new Wallet(keyOf(0), provider);
    for (const [data, reason] of [
      // An endless loop.
      ["0x5b600056", "out of gas"],
      ["0x60006000fd", "execution reverted"],
    ]) {
      const { hash } = await wallet.sendTransaction({
        data: data ?? null,
        gasLimit: 100_000n,
      });
      await provider.waitForTransaction(hash).catch(() => undefined);
      const { result } = await nodeRpc("tx_search", {
        query: `ethereum_tx.ethereumTxHash='${hash}' AND ethereum_tx.ethereumTxFailed='${reason}'`,
      });
      assert.equal(result.total_count, "1", reason);
    }
  });

  it("takes a delegation by CosmJS, and shows it in every way", async () => {
    const client = await signingClient(2);
    const before = await provider.getBalance(hexOf(2));
    const nonce = await provider.getTransactionCount(hexOf(2));
    const result = await client.delegateTokens(
      accountOf(2),
      validator,
      { denom: "anative", amount: String(STAKE) },
      fee(400_000),
    );
    assert.equal(result.code, 0, result.rawLog);
    assert.ok(result.gasUsed > 80_000n && result.gasUsed <= 400_000n);
    assert.equal(await provider.getTransactionCount(hexOf(2)), nonce + 1);
    assert.equal(
      await provider.getBalance(hexOf(2)),
      before - STAKE - 400_000n * 10n ** 9n,
    );
    const height = BigInt(result.height);
    const answers = await Promise.all(
      WAYS.map(
        async (via: Way) =>
          await started.clients.query.staking.delegation(
            { delegator: accountOf(2), validator },
            { via, height },
          ),
      ),
    );
    for (const answer of answers) {
      assert.equal(answer?.shares, STAKE * ONE);
    }
    // Before that block there was no delegation.
    const earlier = await started.clients.query.staking.delegation(
      { delegator: accountOf(2), validator },
      { via: "rest", height: height - 1n },
    );
    assert.equal(earlier, null);
    const { result: found } = await nodeRpc("tx_search", {
      query: `delegate.delegator='${accountOf(2)}'`,
    });
    assert.equal(found.txs[0].hash, result.transactionHash);
    const { delegation_responses: list } = await rest(
      `/cosmos/staking/v1beta1/validators/${validator}/delegations`,
    );
    assert.ok(
      list.some(
        ({ delegation }: any) => delegation.delegator_address === accountOf(2),
      ),
    );
    const { params } = await rest("/cosmos/staking/v1beta1/params");
    assert.equal(params.unbonding_time, "1814400s", "also after a settlement");
    client.disconnect();
  });

  it("answers every question alike in all ways, now and before", async () => {
    const { query } = started.clients;
    const delegator = accountOf(2);
    const wallet = new Wallet(keyOf(2), provider);
    const staking = new Contract(
      PRECOMPILES.staking.address,
      PRECOMPILES.staking.abi,
      wallet,
    );
    const undelegation = await staking
      .getFunction("undelegate")
      .send(hexOf(2), validator, ONE, { gasLimit: 1_000_000 });
    const { blockNumber } = (await undelegation.wait()) ?? { blockNumber: 0 };
    const height = BigInt(blockNumber);
    const questions: Record<string, (via: Way) => Promise<unknown>> = {
      validators: (via) => query.staking.validators({}, { via, height }),
      validator: (via) =>
        query.staking.validator({ validator }, { via, height }),
      delegation: (via) =>
        query.staking.delegation({ delegator, validator }, { via, height }),
      unbonding: (via) =>
        query.staking.unbonding({ delegator, validator }, { via, height }),
      rewards: (via) =>
        query.distribution.rewards({ delegator, validator }, { via, height }),
      total: (via) =>
        query.distribution.totalRewards({ delegator }, { via, height }),
      commission: (via) =>
        query.distribution.commission({ validator }, { via, height }),
      outstanding: (via) =>
        query.distribution.outstandingRewards({ validator }, { via, height }),
      pool: (via) => query.distribution.communityPool({}, { via, height }),
      withdraw: (via) =>
        query.distribution.withdrawAddress({ delegator }, { via, height }),
      proposals: (via) => query.governance.proposals({}, { via, height }),
      unknown: (via) =>
        query.governance.proposal({ proposalId: 9999n }, { via, height }),
      params: (via) => query.governance.params({}, { via, height }),
      balance: (via) =>
        query.bank.balance({ address: delegator }, { via, height }),
    };
    for (const [name, question] of Object.entries(questions)) {
      const [viaRest, viaGrpc, viaAbci, viaEvm] = await Promise.all([
        question("rest"),
        question("grpc"),
        question("abci"),
        question("precompile"),
      ]);
      assert.deepEqual(viaRest, viaGrpc, name);
      assert.deepEqual(viaAbci, viaGrpc, name);
      const shown = FRACTIONS.has(name) ? floored(viaGrpc) : viaGrpc;
      assert.deepEqual(viaEvm, inCommon(shown, viaEvm), name);
    }
    const unbonding: any = await questions["unbonding"]?.("rest");
    assert.equal(unbonding[0].balance, ONE);
    await nextBlock();
    const [own] = await query.distribution.rewards(
      { delegator, validator },
      { via: "grpc" },
    );
    assert.notEqual((own?.amount ?? 0n) % ONE, 0n, "all places of a decimal");
  });

  it("reports signatures and balances as the precompiles do that are turned on", async () => {
    const blockTag = await provider.getBlockNumber();
    const headers = { "x-cosmos-block-height": String(blockTag) };
    const ask = async (path: string) =>
      await rest(`/cosmos/${path}`, { headers });
    const view = async (
      name: "slashing" | "bank",
      method: string,
      ...args: unknown[]
    ) => {
      const { address, abi } = PRECOMPILES[name];
      const contract = new Contract(address, abi, provider);
      return await contract.getFunction(method)(...args, { blockTag });
    };
    const [infos] = await view("slashing", "getSigningInfos", FIRST_HUNDRED);
    const { info } = await ask("slashing/v1beta1/signing_infos");
    assert.equal(info.length, 3);
    assert.deepEqual(
      info.map((one: any) => [
        one.address,
        one.start_height,
        one.index_offset,
        Date.parse(one.jailed_until) / 1000,
      ]),
      infos.map((one: any) => [
        consensusAddress("cosmos", one.validatorAddress.slice(2)),
        String(one.startHeight),
        String(one.indexOffset),
        Number(one.jailedUntil),
      ]),
    );
    const { params } = await ask("slashing/v1beta1/params");
    const told = await view("slashing", "getParams");
    assert.equal(params.signed_blocks_window, String(told.signedBlocksWindow));
    assert.equal(
      params.slash_fraction_downtime,
      formatUnits(told.slashFractionDowntime.value, 18).padEnd(20, "0"),
    );
    const account = accountOf(3);
    const { balances } = await ask(`bank/v1beta1/balances/${account}`);
    const [[, held]] = await view("bank", "balances", hexOf(3));
    assert.equal(balances[0].amount, String(held));
    const { supply } = await ask("bank/v1beta1/supply");
    const [[, all]] = await view("bank", "totalSupply");
    assert.equal(supply[0].amount, String(all));
    assert.ok(BigInt(all) > 20n * 10_000n * ONE, "of twenty accounts and more");
    const { params: evm } = await ask("evm/vm/v1/params");
    for (const name of ["slashing", "bank"] as const) {
      const { address } = PRECOMPILES[name];
      assert.ok(evm.active_static_precompiles.includes(address), name);
    }
  });

  it("takes the framework's other messages, all or none in a transaction", async () => {
    const client = await signingClient(4);
    const send = (toAddress: string, amount: bigint) => ({
      typeUrl: "/cosmos.bank.v1beta1.MsgSend",
      value: {
        fromAddress: accountOf(4),
        toAddress,
        amount: [{ denom: "anative", amount: String(amount) }],
      },
    });
    const delegate = (amount: bigint) => ({
      typeUrl: "/cosmos.staking.v1beta1.MsgDelegate",
      value: {
        delegatorAddress: accountOf(4),
        validatorAddress: validator,
        amount: { denom: "anative", amount: String(amount) },
      },
    });
    const proposal = {
      typeUrl: "/cosmos.gov.v1.MsgSubmitProposal",
      value: {
        messages: [],
        initialDeposit: [{ denom: "anative", amount: String(10n * ONE) }],
        proposer: accountOf(4),
        metadata: "ipfs://CID",
        title: "A proposal",
        summary: "by CosmJS",
        expedited: false,
      },
    };
    const simulated = await client.simulate(accountOf(4), [delegate(ONE)], "");
    const first = await client.signAndBroadcast(
      accountOf(4),
      [delegate(3n * ONE), send(accountOf(5), ONE), proposal],
      fee(2_000_000),
    );
    assert.equal(first.code, 0, first.rawLog);
    assert.ok(first.gasUsed > BigInt(simulated));
    const { proposals } = await rest("/cosmos/gov/v1/proposals");
    assert.equal(proposals[0].title, "A proposal");
    assert.equal(proposals[0].status, "PROPOSAL_STATUS_VOTING_PERIOD");

    const balance = await client.getBalance(accountOf(5), "anative");
    const failed = await client.signAndBroadcast(
      accountOf(4),
      [send(accountOf(5), ONE), delegate(10n ** 30n)],
      fee(2_000_000),
    );
    assert.equal(failed.code, 5);
    assert.match(failed.rawLog ?? "", /message index: 1: .*insufficient funds/);
    assert.deepEqual(await client.getBalance(accountOf(5), "anative"), balance);

    const voted = await client.signAndBroadcast(
      accountOf(4),
      [
        {
          typeUrl: "/cosmos.gov.v1.MsgVote",
          value: {
            proposalId: 1n,
            voter: accountOf(4),
            option: VoteOption.VOTE_OPTION_YES,
            metadata: "",
          },
        },
      ],
      fee(400_000),
    );
    assert.equal(voted.code, 0, voted.rawLog);
    const governance = new Contract(
      PRECOMPILES.governance.address,
      PRECOMPILES.governance.abi,
      provider,
    );
    const vote = await governance.getFunction("getVote")(1n, hexOf(4));
    assert.equal(vote.options[0].option, 1n);
    const { sequence } = await client.getSequence(accountOf(4));
    assert.equal(sequence, 3);
    assert.equal(await provider.getTransactionCount(hexOf(4)), 3);
    client.disconnect();
  });

  it("refuses what a node refuses", async () => {
    const client = await signingClient(6);
    const to = [{ denom: "anative", amount: "1" }];
    await assert.rejects(
      client.sendTokens(accountOf(6), accountOf(5), to, {
        amount: [{ denom: "anative", amount: "1" }],
        gas: "200000",
      }),
      /insufficient fee/,
    );
    const other = await SigningStargateClient.connectWithSigner(
      endpoints.nodeRpcUrl,
      await DirectEthSecp256k1Wallet.fromKey(
        hexToBytes(keyOf(6).slice(2)),
        "cosmos",
      ),
    );
    const signed = await other.sign(accountOf(6), [], fee(200_000), "", {
      accountNumber: 6n,
      sequence: 9,
      chainId: "other-1",
    });
    const raw = Buffer.from(signed.bodyBytes);
    assert.equal(raw.length, 0);
    const { result } = await nodeRpc("broadcast_tx_sync", {
      tx: "Z2FyYmFnZQ==",
    });
    assert.equal(result.code, 2);
    const unknown = await nodeRpc("nope");
    assert.equal(unknown.error.code, -32601);
    const future = await nodeRpc("block", { height: "99999999" });
    assert.match(future.error.data, /must be less than or equal/);
    client.disconnect();
    other.disconnect();
  });

  it("keeps a framework transaction while one of the EVM waits for its nonce", async () => {
    const client = await signingClient(11);
    const nonce = "0x5";
    const hash = await started.evm("eth_sendTransaction", {
      from: hexOf(12),
      to: hexOf(13),
      value: "0x1",
      nonce,
    });
    const sent = client.sendTokens(
      accountOf(11),
      accountOf(13),
      [{ denom: "anative", amount: "1" }],
      fee(200_000),
    );
    while ((await nodeRpc("num_unconfirmed_txs")).result.total === "0") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await nextBlock();
    assert.equal((await nodeRpc("num_unconfirmed_txs")).result.total, "1");
    await started.evm("hardhat_dropTransaction", hash);
    const result = await sent;
    assert.equal(result.code, 0, result.rawLog);
    client.disconnect();
  });

  it("serves StargateClient", async () => {
    const client = await StargateClient.connect(endpoints.nodeRpcUrl);
    assert.equal(await client.getChainId(), "dualstack_26218-1");
    assert.ok((await client.getHeight()) > 0);
    const { amount } = await client.getBalance(accountOf(9), "anative");
    assert.equal(amount, String(10_000n * ONE));
    const account = await client.getAccount(accountOf(9));
    assert.equal(account?.accountNumber, 9n);
    client.disconnect();
  });

  it("announces heads, logs and transactions on both sockets", async () => {
    const ethers = new WebSocketProvider(endpoints.wsUrl);
    const heads: number[] = [];
    await ethers.on("block", (height: number) => heads.push(height));
    const viem = createPublicClient({ transport: webSocket(endpoints.wsUrl) });
    const seen: bigint[] = [];
    const unwatch = viem.watchBlockNumber({
      onBlockNumber: (height) => seen.push(height),
    });
    const socket = new WebSocket(
      `${endpoints.nodeRpcUrl.replace("http", "ws")}/websocket`,
    );
    await once(socket, "open");
    const events: any[] = [];
    socket.on("message", (data) => events.push(JSON.parse(String(data))));
    for (const [id, kind] of ["NewBlock", "Tx"].entries()) {
      const query = `tm.event='${kind}'`;
      socket.send(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          method: "subscribe",
          params: { query },
        }),
      );
    }
    const wallet = new Wallet(keyOf(7), provider);
    const sent = await wallet.sendTransaction({ to: hexOf(8), value: 1n });
    await sent.wait();
    const isTx = (event: any) =>
      event.result?.data?.type === "tendermint/event/Tx" &&
      event.result.events["ethereum_tx.ethereumTxHash"].includes(sent.hash);
    while (!events.some(isTx) || heads.length < 2 || seen.length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const block = events.find(
      (event) => event.result?.data?.type === "tendermint/event/NewBlock",
    );
    assert.ok(Number(block.result.data.value.block.header.height) > 0);
    unwatch();
    (await viem.transport.getRpcClient()).close();
    socket.close();
    await ethers.destroy();
  });

  it("grants native and stable tokens", async () => {
    const { address } = HDNodeWallet.createRandom();
    const { stableToken } = started.node;
    const { account } = parseAddress(address);
    const credit = async (body: object) =>
      await fetch(`${endpoints.faucetUrl}/credit`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const supply = async () => {
      const response = await fetch(
        `${endpoints.restUrl}/cosmos/bank/v1beta1/supply`,
      );
      const { supply: coins }: any = await response.json();
      return BigInt(coins[0].amount);
    };
    const before = await supply();
    assert.equal(
      (await credit({ address: account, denom: "anative" })).status,
      200,
    );
    assert.equal(await provider.getBalance(address), 100n * ONE);
    // The grant, the faucet's funds for gas, and a second's rewards.
    const more = (await supply()) - before;
    assert.ok(more >= 100n * ONE && more < 120n * ONE, String(more));
    assert.equal(
      (await credit({ address: account, denom: stableToken.symbol })).status,
      200,
    );
    const token = new Contract(
      stableToken.address,
      [
        "function balanceOf(address) view returns (uint256)",
        "function symbol() view returns (string)",
        "function decimals() view returns (uint8)",
      ],
      provider,
    );
    assert.equal(await token.getFunction("symbol")(), stableToken.symbol);
    assert.equal(
      await token.getFunction("balanceOf")(address),
      1_000n * 10n ** BigInt(stableToken.decimals),
    );
    assert.equal(
      (await credit({ address: account, denom: "nope" })).status,
      422,
    );
    assert.equal(
      (await credit({ address: "x", denom: "anative" })).status,
      400,
    );
  });

  it("serves viem, batches and reflection", async () => {
    const client = createPublicClient({
      transport: http(endpoints.evmUrl, { batch: true }),
    });
    const [chainId, balance] = await Promise.all([
      client.getChainId(),
      client.getBalance({ address: hexOf(10) }),
    ]);
    assert.equal(chainId, 26218);
    assert.equal(balance, 10_000n * ONE);
    assert.ok(
      (await services(endpoints.grpcHost)).includes(
        "cosmos.staking.v1beta1.Query",
      ),
    );
  });

  it("answers hostile requests with an error, and goes on", async () => {
    const post = async (path: string, body: string, headers = {}) =>
      await fetch(endpoints.baseUrl + path, { method: "POST", body, headers });
    assert.equal((await post("/evm", "{")).status, 200);
    const large = await post("/evm", " ".repeat(6 * 1024 * 1024));
    assert.equal(large.status, 413);
    assert.equal((await fetch(endpoints.evmUrl)).status, 405);
    assert.equal((await post("/faucet/credit", "{}")).status, 415);
    assert.equal((await fetch(`${endpoints.baseUrl}/nope`)).status, 404);
    assert.equal(
      (await fetch(`${endpoints.restUrl}/cosmos/..%2f..%2fetc/passwd`)).status,
      501,
    );
    assert.equal(
      (
        await fetch(`${endpoints.restUrl}/cosmos/staking/v1beta1/params`, {
          method: "POST",
        })
      ).status,
      501,
    );
    const foreign = await post("/evm", "{}", {
      origin: "https://evil.example",
    });
    assert.equal(foreign.status, 403);
    const own = await post("/evm", "{}", { origin: "http://localhost:3000" });
    assert.equal(
      own.headers.get("access-control-allow-origin"),
      "http://localhost:3000",
    );
    const socket = new WebSocket(endpoints.wsUrl, {
      origin: "https://evil.example",
    });
    const [error] = await once(socket, "error");
    assert.match(String(error), /403/);
    assert.equal(await provider.send("eth_chainId", []), "0x666a");
  });
});

/** Questions about coins with a fraction, which the precompiles cut off. */
const FRACTIONS = new Set([
  "rewards",
  "total",
  "commission",
  "outstanding",
  "pool",
]);

const floored = (value: any): any =>
  Array.isArray(value)
    ? value.map(floored)
    : typeof value !== "object" || value === null || value instanceof Uint8Array
      ? value
      : typeof value.denom === "string"
        ? { ...value, amount: (value.amount / ONE) * ONE }
        : Object.fromEntries(
            Object.entries(value).map(([key, one]) => [key, floored(one)]),
          );

/** Returns the part of an answer that another way's answer has, too. */
function inCommon(value: any, other: any): any {
  if (Array.isArray(value)) {
    return value.map((item, i) => inCommon(item, other?.[i]));
  }
  if (
    typeof value !== "object" ||
    value === null ||
    value instanceof Uint8Array
  ) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => other != null && Object.hasOwn(other, key))
      .map(([key, item]) => [key, inCommon(item, other[key])]),
  );
}

/** Returns the services that a server lists by reflection. */
async function services(host: string): Promise<string> {
  const client = new grpc.Client(host, grpc.credentials.createInsecure());
  const same = (bytes: Buffer) => bytes;
  const call = client.makeBidiStreamRequest(
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    same,
    same,
  );
  // list_services, with an empty text.
  call.write(Buffer.from([0x3a, 0]));
  const [answer] = await once(call, "data");
  call.end();
  client.close();
  return String(answer);
}
