import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";

import { Contract, Interface, JsonRpcProvider, parseUnits } from "ethers";
import { WebSocket } from "ws";

import { parseAddress } from "../../src/address/index.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { startNode, type StartedNode } from "./start.js";

const ONE = 10n ** 18n;
const HOUR = 3_600;

/** Returns the types and attributes of events. */
const pairs = (events: any[]): [string, any][] =>
  events.map(({ type, attributes }) => [
    type,
    Object.fromEntries(attributes.map(({ key, value }: any) => [key, value])),
  ]);

describe("events of the framework's side", () => {
  let started: StartedNode;
  let provider: JsonRpcProvider;
  let validator: string;
  before(async () => {
    started = await startNode(
      { automine: true },
      {
        localnet: {
          unbondingTime: HOUR,
          governance: { votingPeriod: 2 * HOUR, depositPeriod: HOUR },
        },
      },
    );
    provider = new JsonRpcProvider(started.node.endpoints.evmUrl, undefined, {
      cacheTimeout: -1,
      pollingInterval: 20,
    });
    const { items } = await started.clients.query.staking.validators({});
    validator = items[0]?.operator.valoper ?? "";
  });
  after(async () => {
    provider.destroy();
    await started[Symbol.asyncDispose]();
  });

  const nodeRpc = async (method: string, params: object = {}): Promise<any> => {
    const response = await fetch(started.node.endpoints.nodeRpcUrl, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result }: any = await response.json();
    return result;
  };
  const act = async (
    i: number,
    name: keyof typeof PRECOMPILES,
    method: string,
    ...args: unknown[]
  ) => {
    const signer = await provider.getSigner(
      started.node.accounts[i]?.address ?? "",
    );
    const { address, abi } = PRECOMPILES[name];
    const sent = await new Contract(address, abi as never, signer)
      .getFunction(method)
      .send(...args, { gasLimit: 5_000_000 });
    return await sent.wait();
  };
  const address = (i: number) => started.node.accounts[i]?.address;
  /** Returns the attributes of a block's own events of one type. */
  const ofBlock = async (type: string, height?: number) => {
    const { finalize_block_events: events } = await nodeRpc(
      "block_results",
      height === undefined ? {} : { height: String(height) },
    );
    return events
      .filter((event: any) => event.type === type)
      .map(({ attributes }: any) =>
        Object.fromEntries(
          attributes.map(({ key, value }: any) => [key, value]),
        ),
      );
  };

  /** Returns types and attributes of the events of a block's end. */
  const ofEnd = async (): Promise<any[]> => {
    const { finalize_block_events: events } = await nodeRpc("block_results");
    return pairs(events)
      .filter(([, { mode }]) => mode === "EndBlock")
      .map(([type, { mode: _, ...rest }]) => [type, rest]);
  };
  const moduleAccount = (name: keyof typeof MODULE_ACCOUNTS) =>
    parseAddress(MODULE_ACCOUNTS[name]).account;
  const coins = (amount: bigint) => `${amount}anative`;
  const spent = (spender: unknown, amount: string) => [
    "coin_spent",
    { spender, amount },
  ];
  const received = (receiver: unknown, amount: string) => [
    "coin_received",
    { receiver, amount },
  ];
  const transfer = (sender: unknown, recipient: unknown, amount: string) => [
    spent(sender, amount),
    received(recipient, amount),
    ["transfer", { recipient, sender, amount }],
    ["message", { sender }],
  ];

  it("report unbondings that end, votes and deposits", async () => {
    await act(2, "staking", "delegate", address(2), validator, 5n * ONE);
    await act(2, "staking", "undelegate", address(2), validator, 2n * ONE);
    const json = (title: string) =>
      `0x${Buffer.from(
        JSON.stringify({
          messages: [],
          metadata: "ipfs://CID",
          title,
          summary: "s",
          expedited: false,
        }),
      ).toString("hex")}`;
    const deposit = (amount: bigint) => [{ denom: "anative", amount }];
    await act(
      2,
      "governance",
      "submitProposal",
      address(2),
      json("voted"),
      deposit(10n * ONE),
    );
    await act(
      2,
      "governance",
      "submitProposal",
      address(2),
      json("poor"),
      deposit(ONE),
    );
    const own = started.node.accounts[2]?.account;
    const governance = moduleAccount("governance");
    const withoutBlock = ([type]: any) => !/^block_/.test(type);
    await started.evm("dualstack_advance", HOUR + 10);
    // Governance comes before staking, and coins before what moved them.
    assert.deepEqual((await ofEnd()).filter(withoutBlock), [
      ...transfer(governance, own, coins(ONE)),
      [
        "inactive_proposal",
        { proposal_id: "2", proposal_result: "proposal_dropped" },
      ],
      spent(moduleAccount("notBondedPool"), coins(2n * ONE)),
      received(own, coins(2n * ONE)),
      [
        "complete_unbonding",
        { amount: coins(2n * ONE), validator, delegator: own },
      ],
    ]);
    await started.evm("dualstack_advance", HOUR + 10);
    assert.deepEqual((await ofEnd()).filter(withoutBlock), [
      ...transfer(governance, own, coins(10n * ONE)),
      [
        "active_proposal",
        {
          proposal_id: "1",
          proposal_result: "proposal_rejected",
          proposal_log: "rejected",
        },
      ],
    ]);
  });

  it("report every move of coins, on both sides and in a node's order", async () => {
    const [pool, notBonded, paying, deposits, fees] = (
      [
        "bondedPool",
        "notBondedPool",
        "distribution",
        "governance",
        "feeCollector",
      ] as const
    ).map(moduleAccount);
    const { items } = await started.clients.query.staking.validators({});
    const other = items[1]?.operator.valoper ?? "";
    const own = started.node.accounts[4]?.account ?? "";
    const delegated = (amount: bigint, to = validator) => [
      "delegate",
      {
        validator: to,
        delegator: own,
        amount: coins(amount),
        new_shares: `${amount}.${"0".repeat(18)}`,
      },
    ];
    /** The events of paid rewards, whose amount is taken from those events. */
    const rewarded = (events: any[], from = validator) => {
      const told = events.find(
        ([type, of]) => type === "withdraw_rewards" && of.validator === from,
      )?.[1];
      assert.match(told?.amount ?? "", /^[1-9]\d*anative$/);
      return [
        ...transfer(paying, own, told.amount),
        [
          "withdraw_rewards",
          { amount: told.amount, validator: from, delegator: own },
        ],
      ];
    };
    /**
     * Returns the message's own events, without the fee's before and after
     * them.
     */
    const ofMessage = ({ events }: any): any[] =>
      pairs(events)
        .filter(([, { msg_index: index }]: any) => index === "0")
        .map(([type, { msg_index: _, ...rest }]: any) => [type, rest])
        .filter(
          ([type, of]: any) =>
            of.action === undefined &&
            type !== "ethereum_tx" &&
            of.sender !== fees &&
            of.module !== "evm",
        );
    const byEvm = async (
      name: keyof typeof PRECOMPILES,
      method: string,
      ...args: unknown[]
    ) => {
      const receipt = await act(4, name, method, ...args);
      const { txs_results: results } = await nodeRpc("block_results", {
        height: String(receipt?.blockNumber),
      });
      // The last event returns the unused gas.
      return ofMessage(results[0]).slice(0, -1);
    };
    const staking = async (method: string, ...args: unknown[]) =>
      await byEvm("staking", method, address(4), ...args);
    const day = async () => await started.evm("dualstack_advance", 86_400);

    assert.deepEqual(await staking("delegate", validator, 5n * ONE), [
      spent(own, coins(5n * ONE)),
      received(pool, coins(5n * ONE)),
      delegated(5n * ONE),
    ]);
    await day();
    const more = await staking("delegate", validator, ONE);
    assert.deepEqual(more, [
      ...rewarded(more),
      spent(own, coins(ONE)),
      received(pool, coins(ONE)),
      delegated(ONE),
    ]);
    await staking("delegate", other, ONE);
    await day();
    const moved = await staking("redelegate", validator, other, ONE);
    assert.deepEqual(moved, [
      ...rewarded(moved),
      ...rewarded(moved, other),
      moved.at(-1),
    ]);
    assert.deepEqual(Object.entries(moved.at(-1)[1]).slice(0, 4), [
      ["source_validator", validator],
      ["destination_validator", other],
      ["delegator", own],
      ["amount", coins(ONE)],
    ]);
    await day();
    const left = await staking("undelegate", validator, ONE);
    assert.deepEqual(left, [
      ...rewarded(left),
      ...transfer(pool, notBonded, coins(ONE)),
      left.at(-1),
    ]);
    assert.equal(left.at(-1)[0], "unbond");
    await day();
    const claimed = await byEvm("distribution", "claimRewards", address(4), 5);
    assert.deepEqual(
      new Set(claimed),
      new Set([...rewarded(claimed), ...rewarded(claimed, other)]),
    );
    assert.equal(claimed.length, 10);
    const proposal = JSON.stringify({
      messages: [],
      metadata: "ipfs://CID",
      title: "with coins",
      summary: "s",
    });
    const [proposed, ...paid] = await byEvm(
      "governance",
      "submitProposal",
      address(4),
      `0x${Buffer.from(proposal).toString("hex")}`,
      [{ denom: "anative", amount: ONE }],
    );
    const { proposal_id: id } = proposed[1];
    assert.deepEqual(
      [proposed, ...paid],
      [
        [
          "submit_proposal",
          { proposal_id: id, proposal_proposer: own, proposal_messages: "" },
        ],
        ...transfer(own, deposits, coins(ONE)),
        [
          "proposal_deposit",
          { depositor: own, amount: coins(ONE), proposal_id: id },
        ],
      ],
    );
    const more9 = [{ denom: "anative", amount: 9n * ONE }];
    const proposing = ["governance", "deposit", address(4), id, more9] as const;
    assert.deepEqual(await byEvm(...proposing), [
      ...transfer(own, deposits, coins(9n * ONE)),
      [
        "proposal_deposit",
        { depositor: own, amount: coins(9n * ONE), proposal_id: id },
      ],
      ["proposal_deposit", { voting_period_start: id }],
    ]);
    // The vote has begun already, so another deposit does not start it.
    assert.equal((await byEvm(...proposing)).length, 5);
    const whole = await byEvm(
      "governance",
      "submitProposal",
      address(4),
      `0x${Buffer.from(proposal).toString("hex")}`,
      [{ denom: "anative", amount: 10n * ONE }],
    );
    assert.deepEqual(whole.slice(-1), [
      ["submit_proposal", { voting_period_start: String(BigInt(id) + 1n) }],
    ]);
  });

  it("report how a validator was edited", async () => {
    const { items } = await started.clients.query.staking.validators({});
    const edited = items[1];
    assert.ok(edited);
    const operator = edited.operator.hex;
    await started.evm("hardhat_impersonateAccount", operator);
    await started.evm("hardhat_setBalance", operator, `0x${ONE.toString(16)}`);
    const { address: to, abi } = PRECOMPILES.staking;
    const change = async (rate: bigint, minSelfDelegation: bigint) => {
      const data = new Interface(abi).encodeFunctionData("editValidator", [
        ["new name", "", "", "", ""],
        operator,
        rate,
        minSelfDelegation,
      ]);
      await started.evm("eth_sendTransaction", {
        from: operator,
        to,
        data,
        gas: "0x4c4b40",
      });
      const blockNumber = await provider.getBlockNumber();
      const { txs_results: results } = await nodeRpc("block_results", {
        height: String(blockNumber),
      });
      const block = await provider.getBlock(blockNumber);
      const told = pairs(results[0].events);
      return {
        time: block?.timestamp,
        event: told.find(([type]) => type === "edit_validator")?.[1],
      };
    };
    await started.evm("dualstack_advance", 86_400);
    const { time, event } = await change(60_000_000_000_000_000n, 1_000n);
    const response = await fetch(
      `${started.node.endpoints.restUrl}/cosmos/staking/v1beta1/validators/${edited.operator.valoper}`,
    );
    const { validator: now }: any = await response.json();
    const [most, step] = ["max_rate", "max_change_rate"].map((name) =>
      parseUnits(now.commission.commission_rates[name], 18),
    );
    assert.equal(
      event.commission_rate,
      `commission_rates:<rate:"60000000000000000" max_rate:"${most}" max_change_rate:"${step}" > update_time:<seconds:${time} > `,
    );
    assert.equal(event.min_self_delegation, "1000");
    const { event: kept } = await change(-1n, -1n);
    assert.deepEqual(kept, event);
  });

  it("report what was minted, and a slash in the next block", async () => {
    await started.evm("dualstack_slashValidator", validator, "0.1");
    await started.evm("evm_mine");
    const [slash] = await ofBlock("slash");
    assert.equal(slash.mode, "BeginBlock");
    assert.equal(slash.jailed, slash.address);
    assert.match(slash.address, /^cosmosvalcons1/);
    // A tenth of 1,007 tokens; power counts whole tokens.
    assert.equal(slash.power, "1007");
    const burned = BigInt(slash.burned_coins);
    assert.ok(burned > 100n * ONE && burned < 101n * ONE);
    const { finalize_block_events: all } = await nodeRpc("block_results");
    const at = pairs(all).findIndex(([type]) => type === "slash");
    const burner = moduleAccount("bondedPool");
    assert.deepEqual(
      pairs(all)
        .slice(at - 2, at)
        .map(([type, { mode: _, ...rest }]) => [type, rest]),
      [
        spent(burner, coins(burned)),
        ["burn", { burner, amount: coins(burned) }],
      ],
    );
    const [mint] = await ofBlock("mint");
    assert.ok(BigInt(mint.amount) > 0n);
    const rewards = await ofBlock("rewards");
    const sum = rewards.reduce(
      (all: bigint, { amount }: any) => all + BigInt(amount.split(".")[0]),
      0n,
    );
    assert.equal(sum, BigInt(mint.amount));
  });

  it("report what was unbonded, not what was asked for", async () => {
    const delegator = started.node.accounts[4]?.account ?? "";
    const unbonding = async () => {
      const response = await fetch(
        `${started.node.endpoints.restUrl}/cosmos/staking/v1beta1/validators/${validator}/delegations/${delegator}/unbonding_delegation`,
      );
      const { unbond }: any = await response.json();
      return BigInt(unbond?.entries.at(-1).initial_balance ?? 0);
    };
    let less = 0;
    for (const part of [1n, 3n, 7n, 9n, 11n]) {
      const asked = ONE / 10n + part;
      const receipt = await act(
        4,
        "staking",
        "undelegate",
        address(4),
        validator,
        asked,
      );
      const { txs_results: results } = await nodeRpc("block_results", {
        height: String(receipt?.blockNumber),
      });
      const [, unbond] =
        pairs(results[0].events).find(([type]) => type === "unbond") ?? [];
      assert.equal(unbond.amount, coins(await unbonding()));
      if (unbond.amount !== coins(asked)) less++;
    }
    assert.ok(less > 0, "a slashed validator's shares are worth less");
  });

  it("report what a passed proposal pays, after its deposits", async () => {
    const { items } = await started.clients.query.staking.validators({});
    const bonded = items.find(({ jailed }) => !jailed)?.operator.valoper;
    const own = started.node.accounts[9]?.account;
    const recipient = started.node.accounts[8]?.account;
    const coin = (amount: bigint) => ({ denom: "anative", amount });
    await act(9, "staking", "delegate", address(9), bonded, 5_000n * ONE);
    const funds = [coin(3n * ONE)];
    await act(9, "distribution", "fundCommunityPool", address(9), funds);
    const proposal = JSON.stringify({
      messages: [
        {
          "@type": "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend",
          authority: moduleAccount("governance"),
          recipient,
          amount: [{ denom: "anative", amount: "5" }],
        },
      ],
      metadata: "",
      title: "paying",
      summary: "s",
    });
    const json = `0x${Buffer.from(proposal).toString("hex")}`;
    const deposit = [coin(10n * ONE)];
    await act(9, "governance", "submitProposal", address(9), json, deposit);
    const { proposals }: any = await (
      await fetch(`${started.node.endpoints.restUrl}/cosmos/gov/v1/proposals`)
    ).json();
    const proposal_id = proposals.at(-1).id;
    await act(9, "governance", "vote", address(9), proposal_id, 1, "");
    await started.evm("dualstack_advance", 2 * HOUR + 10);
    const events = await ofEnd();
    const end = events.findIndex(
      ([type, of]) =>
        type === "active_proposal" && of.proposal_id === proposal_id,
    );
    assert.deepEqual(events.slice(end - 8, end + 1), [
      ...transfer(moduleAccount("governance"), own, coins(10n * ONE)),
      ...transfer(moduleAccount("distribution"), recipient, coins(5n)),
      [
        "active_proposal",
        {
          proposal_id,
          proposal_result: "proposal_passed",
          proposal_log: "passed",
        },
      ],
    ]);
  });

  it("are the same by tx, search, block_results and the socket", async () => {
    const socket = new WebSocket(
      `${started.node.endpoints.nodeRpcUrl.replace("http", "ws")}/websocket`,
    );
    await once(socket, "open");
    const seen: any[] = [];
    socket.on("message", (data) => seen.push(JSON.parse(String(data))));
    socket.send(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "subscribe",
        params: {
          query: "tm.event='Tx' AND delegate EXISTS AND delegate.amount>999",
        },
      }),
    );
    while (seen.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { items } = await started.clients.query.staking.validators({});
    const to = items[1]?.operator.valoper;
    const receipt = await act(3, "staking", "delegate", address(3), to, ONE);
    while (seen.length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const told = seen[1].result.data.value.TxResult;
    const { txs } = await nodeRpc("tx_search", {
      query: `delegate.validator='${to}' AND tx.height=${receipt?.blockNumber}`,
    });
    assert.equal(txs.length, 1);
    // The index finds what one event meets; a subscription, any of them.
    const acrossEvents = await nodeRpc("tx_search", {
      query: `delegate.validator='${to}' AND ethereum_tx.ethereumTxHash='${receipt?.hash}'`,
    });
    assert.equal(acrossEvents.total_count, "0");
    const withinOne = await nodeRpc("tx_search", {
      query: `delegate.validator='${to}' AND delegate.amount='${ONE}anative' AND tx.height=${receipt?.blockNumber}`,
    });
    assert.equal(withinOne.total_count, "1");
    const found = await nodeRpc("tx", {
      hash: Buffer.from(txs[0].hash, "hex").toString("base64"),
    });
    const { txs_results: results } = await nodeRpc("block_results", {
      height: String(receipt?.blockNumber),
    });
    assert.deepEqual(found.tx_result, txs[0].tx_result);
    assert.deepEqual(results, [found.tx_result]);
    // The event leaves out what is zero or empty.
    const { data, gas_wanted, gas_used, events } = found.tx_result;
    assert.deepEqual(told.result, { data, gas_wanted, gas_used, events });
    assert.equal(told.tx, found.tx);
    socket.close();
  });

  it("announce blocks with their results, and whose voting power changes", async () => {
    const url = started.node.endpoints.nodeRpcUrl.replace("http", "ws");
    const socket = new WebSocket(`${url}/websocket`);
    await once(socket, "open");
    const seen: any[] = [];
    socket.on("message", (data) => seen.push(JSON.parse(String(data))));
    const kinds = ["NewBlock", "NewBlockEvents", "ValidatorSetUpdates"];
    for (const [id, kind] of kinds.entries()) {
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
    const until = async (count: number) => {
      while (seen.length < count) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await until(3);
    const { items } = await started.clients.query.staking.validators({});
    const [, to] = items;
    const receipt = await act(
      3,
      "staking",
      "delegate",
      address(3),
      to?.operator.valoper,
      2n * ONE,
    );
    await until(6);
    const [block, ofBlock, ofSet] = seen.slice(3).map((one) => one.result);
    const height = String(receipt?.blockNumber);
    const results = await nodeRpc("block_results", { height });
    const { txs_results: tx_results, finalize_block_events: events } = results;
    const { consensus_param_updates, app_hash } = results;
    const [{ pub_key, power }, ...others] = results.validator_updates;
    assert.deepEqual(others, []);
    assert.equal(BigInt(power), (to?.tokens ?? 0n) / ONE + 2n);
    assert.deepEqual(block.data.value.result_finalize_block, {
      events,
      tx_results,
      validator_updates: [{ pub_key, power }],
      consensus_param_updates,
      app_hash,
    });
    assert.deepEqual(ofBlock.data.value, { height, events, num_txs: "1" });
    assert.deepEqual(ofSet.events, { "tm.event": ["ValidatorSetUpdates"] });
    const { validator_updates: updates } = ofSet.data.value;
    assert.deepEqual(
      updates.map((one: any) => [one.pub_key.value, one.voting_power]),
      [[pub_key.Sum.value.ed25519, power]],
    );
    // Less than a whole token changes no voting power.
    const small = await act(
      3,
      "staking",
      "delegate",
      address(3),
      to?.operator.valoper,
      1n,
    );
    await until(8);
    const after = await nodeRpc("block_results", {
      height: String(small?.blockNumber),
    });
    assert.equal(after.validator_updates, null);
    socket.close();
  });

  it("report the voting power after a slash, and who leaves the set", async () => {
    const { items } = await started.clients.query.staking.validators({});
    const [slashed] = items.slice(-1);
    const { validators } = await nodeRpc("validators");
    await started.evm(
      "dualstack_slashValidator",
      slashed?.operator.valoper,
      "0.1",
      true,
    );
    await started.evm("evm_mine");
    const { validators: left } = await nodeRpc("validators");
    assert.equal(left.length, validators.length - 1);
    const gone = validators.find(
      (one: any) => !left.some(({ address }: any) => address === one.address),
    );
    const { validator_updates: updates } = await nodeRpc("block_results");
    // Without any power: a node leaves out what is zero.
    assert.deepEqual(updates, [
      {
        pub_key: {
          Sum: {
            type: "tendermint.crypto.PublicKey_Ed25519",
            value: { ed25519: gone.pub_key.value },
          },
        },
      },
    ]);
  });
});
