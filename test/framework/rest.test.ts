import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import {
  everyItem,
  FrameworkError,
  type FrameworkFault,
  parseJson,
} from "../../src/framework/index.js";
import { createFrameworkClients } from "../../src/framework/index.js";
import {
  ACCOUNTS,
  recordings,
  VALIDATOR,
  VALIDATOR_2,
} from "../servers/recorded-state.js";
import { HOSTILE, hostileServer } from "./hostile.js";
import { FACTS, startNetwork, type TestNetwork } from "./network.js";

interface Recording {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Record<string, string>;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: any;
  };
}

const recorded = recordings<Recording>("rest");
const rejectedAs =
  (fault: FrameworkFault, text: RegExp) => (error: unknown) => {
    assert.ok(error instanceof FrameworkError, String(error));
    assert.equal(error.fault, fault);
    assert.match(error.message, text);

    assert.doesNotMatch(error.message, /[\u0000-\u001f]/);
    return true;
  };

describe("JSON without loss", () => {
  it("keeps every digit of big integers, and small ones as numbers", () => {
    assert.deepEqual(
      parseJson(
        '{"a":14295551113427553853,"b":-9007199254740993,"c":2149,"d":[1e3,0.5,12345678901234567890.5]}',
      ),
      {
        a: 14295551113427553853n,
        b: -9007199254740993n,
        c: 2149,
        d: [1000, 0.5, 12345678901234567890.5],
      },
    );
    assert.equal(parseJson("9007199254740991"), 9007199254740991);
    assert.equal(parseJson("9007199254740992"), 9007199254740992n);
    assert.equal(parseJson('"14295551113427553853"'), "14295551113427553853");
    const polluted = parseJson(
      '{"__proto__":{"x":1234567890123456789}}',
    ) as object;
    assert.equal(Object.getPrototypeOf(polluted), Object.prototype);
    assert.throws(() => parseJson("{"), SyntaxError);
  });
});

describe("REST", () => {
  let network: TestNetwork;
  before(async () => {
    network = await startNetwork();
  });
  after(async () => {
    await network[Symbol.asyncDispose]();
  });

  it("refuses what is outside the two prefixes, before it is sent", async () => {
    const { rest } = network.clients;
    const sent = network.rest.requests.length;
    for (const path of [
      "/",
      "/metrics",
      "/cosmos",
      "/cosmosx/a",
      "//cosmos/staking/v1beta1/params",
      "/cosmos//staking/v1beta1/params",
      "/cosmos/../metrics",
      "/cosmos/%2e%2e/metrics",
      "/cosmos/..%2fmetrics",
      "/cosmos/%2E%2E%2Fmetrics",
      "/cosmos/..\\..\\metrics",
      "/cosmos/a%5c..%5cb",
      "/../api/../metrics",
      "cosmos/staking/v1beta1/params",
      "@evil.example/cosmos/x",
      ".evil.example/cosmos/x",
      "http://evil.example/cosmos/x",
      "/cosmos/staking/v1beta1/params#x",
      "/evmos/evm/v1/params",
      "",
    ]) {
      await assert.rejects(
        rest.get(path),
        rejectedAs("unknown-path", /cosmos|path/),
        path,
      );
    }
    assert.equal(network.rest.requests.length, sent);
    await rest.get("/cosmos/staking/../staking/v1beta1/params");
    assert.equal(
      network.rest.requests.at(-1)?.path,
      "/api/cosmos/staking/v1beta1/params",
    );
    assert.ok(network.rest.requests.every(({ method }) => method === "GET"));
  });

  it("serves other prefixes when they are configured", async () => {
    const other = createFrameworkClients({
      network: "test",
      kind: "local",
      endpoints: { restUrl: network.rest.url },
      facts: {
        ...FACTS,
        frameworkPrefix: "frame",
        networkPrefix: "other.chain",
      },
      provider: network.evm,
    });
    await assert.rejects(
      other.rest.get("/cosmos/staking/v1beta1/params"),
      rejectedAs("unknown-path", /\/frame\/ and \/other\/chain\//),
    );
    await assert.rejects(other.rest.staking.params());
    assert.equal(
      network.rest.requests.at(-1)?.path,
      "/api/frame/staking/v1beta1/params",
    );
    await assert.rejects(other.rest.evmParams());
    assert.equal(
      network.rest.requests.at(-1)?.path,
      "/api/other/chain/vm/v1/params",
    );
  });

  for (const name of [
    "staking_params",
    "staking_pool",
    "staking_validators_page_unescaped_key",
    "evm_params",
    "evm_base_fee",
    "evm_min_gas_price",
    "feemarket_params",
    "auth_bech32_prefix",
    "gov_vote_none",
    "path_unknown",
    "height_future",
    "distribution_rewards_one_unknown_validator",
    "staking_validator_bad_bech32",
    "staking_redelegations_src_dst_none",
    "auth_account_info",
    "path_double_slash",
  ]) {
    it(`the test server answers like the recording: ${name}`, async () => {
      const entry = recorded.get(name);
      assert.ok(entry !== undefined);
      const { status, body, headers } = entry.response;
      const answer = await fetch(network.rest.url + entry.request.path, {
        headers: entry.request.headers ?? {},
        redirect: "manual",
      });
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get("location"), headers["location"] ?? null);
      assert.deepEqual(
        status === 301 ? await answer.text() : await answer.json(),
        body,
      );
    });
  }

  it("classifies refusals by code and text, not by status", async () => {
    const { rest } = network.clients;
    const { acc4 } = ACCOUNTS;
    await assert.rejects(
      rest.get("/cosmos/nope"),
      rejectedAs("unknown-path", /code 12/),
    );
    await assert.rejects(
      rest.get("/cosmos/staking/v1beta1/params", { height: 99_999_999n }),
      rejectedAs("height-in-future", /height/),
    );
    await assert.rejects(
      rest.get("/cosmos/staking/v1beta1/params", { height: 2n }),
      rejectedAs("height-pruned", /pruned/),
    );
    await assert.rejects(
      rest.get("/cosmos/staking/v1beta1/validators/cosmosvaloper1xxxx"),
      rejectedAs("invalid-request", /code 2/),
    );
    await assert.rejects(
      rest.get(`/cosmos/gov/v1/proposals/17/votes/${ACCOUNTS.acc8}`),
      rejectedAs("not-found", /code 3/),
    );
    assert.equal(
      await rest.governance.vote({ proposalId: 17n, voter: ACCOUNTS.acc8 }),
      null,
    );
    assert.deepEqual(
      await rest.staking.redelegations({
        delegator: acc4,
        source: VALIDATOR,
        destination: VALIDATOR_2,
      }),
      { items: [], nextKey: null },
    );
    // Not every refusal means that there are none.
    await assert.rejects(
      rest.distribution.rewards({ delegator: acc4, validator: acc4 }),
      rejectedAs("refused", /validator does not exist/),
    );
  });

  it("pins reads to a height, and notices when a gateway does not", async () => {
    const { rest } = network.clients;
    const { state, height } = network.chain;
    const balance = state.balances.get(ACCOUNTS.acc4);
    network.chain.mine([], true);
    balance?.splice(0, 1, { denom: "atest", amount: "5" });
    network.chain.mine([], true);
    assert.equal(await rest.bank.balance({ address: ACCOUNTS.acc4 }), 5n);
    assert.equal(
      await rest.bank.balance({ address: ACCOUNTS.acc4 }, { height }),
      7955015834844000696000n,
    );
    assert.equal(
      (await rest.get("/cosmos/staking/v1beta1/params", { height })).height,
      height,
    );
    network.rest.dropHeight = true;
    await assert.rejects(
      rest.bank.balance({ address: ACCOUNTS.acc4 }, { height }),
      rejectedAs("wrong-height", /instead of/),
    );
    network.rest.dropHeight = false;
  });

  it("goes through pages, with keys that need escaping, at one height", async () => {
    const { rest } = network.clients;
    const before = network.rest.requests.length;
    const found: string[] = [];
    for await (const item of rest.items(
      "/cosmos/staking/v1beta1/validators",
      "validators",
      { limit: 1n },
    )) {
      found.push((item as { operator_address: string }).operator_address);
    }
    assert.deepEqual(
      found,
      network.chain.state.validators.map((v) => v.operatorAddress),
    );
    const requests = network.rest.requests.slice(before);
    assert.equal(requests.length, 3);
    assert.match(requests[1]?.path ?? "", /pagination\.key=[A-Za-z0-9%]+/);
    assert.ok(
      requests.some(({ path }) => /%2B|%2F/.test(path)),
      "a key with + or /",
    );
    assert.ok(
      requests
        .slice(1)
        .every(
          ({ headers }) =>
            headers["x-cosmos-block-height"] === String(network.chain.height),
        ),
    );

    const typed: string[] = [];
    for await (const v of everyItem(
      (page) => rest.staking.validators({ page }),
      { limit: 1n },
    )) {
      typed.push(v.operator.valoper);
    }
    assert.deepEqual(typed, found);
    const reversed = await rest.staking.validators({
      page: { reverse: true, limit: 1n },
    });
    assert.equal(reversed.items[0]?.operator.valoper, found.at(-1));
  });

  it("takes a page key from one way, and goes on in another", async () => {
    const { query } = network.clients;
    const ways = ["rest", "grpc", "abci", "precompile"] as const;
    for (const first of ways) {
      const { nextKey } = await query.staking.validators(
        { page: { limit: 2n } },
        { via: first },
      );
      assert.ok(nextKey !== null);
      for (const second of ways) {
        const { items } = await query.staking.validators(
          { page: { key: nextKey, limit: 2n } },
          { via: second },
        );
        assert.deepEqual(
          items.map((v) => v.operator.valoper),
          [network.chain.state.validators[2]?.operatorAddress],
        );
      }
    }
  });

  it("stops at a server that keeps sending the same page", async () => {
    await using server = await hostileServer((_request, response) =>
      response.end('{"validators":[],"pagination":{"next_key":"AAAA"}}'),
    );
    const clients = clientsAt(server.url);
    await assert.rejects(async () => {
      for await (const _ of clients.rest.items("/cosmos/x", "validators")) {
        // No item comes.
      }
    }, /the same page/);
    await assert.rejects(async () => {
      for await (const _ of everyItem((page) =>
        clients.rest.staking.validators({ page }),
      )) {
        // No item comes.
      }
    }, /the same page/);
  });

  it("reads the EVM's and the node's settings", async () => {
    const { rest } = network.clients;
    const params = await rest.evmParams();
    assert.equal(params.evmDenom, "atest");
    assert.ok(
      params.activeStaticPrecompiles.includes(
        "0x0000000000000000000000000000000000000900",
      ),
    );
    assert.deepEqual(await rest.evmConfig(), {
      chainId: 26218n,
      denom: "atest",
      decimals: 18,
    });
    assert.equal(await rest.baseFee(), 1_000_000_000n);
    assert.equal(await rest.minGasPrice(), 1_000_000_000n);
    assert.deepEqual(await rest.feeMarketParams(), {
      noBaseFee: false,
      baseFeeChangeDenominator: 8,
      elasticityMultiplier: 2,
      baseFee: 1_000_000_000n,
      minGasPrice: 1_000_000_000n,
      minGasMultiplier: 5n * 10n ** 17n,
    });
    assert.equal(await rest.bech32Prefix(), "cosmos");
    assert.equal(
      (await rest.account("0x98eDDadCfde04dC22a0e62119617e74a6Bc77313"))
        .accountNumber,
      14295551113427553853n,
    );
    assert.deepEqual(await rest.nodeInfo(), {
      chainId: "dualstack_26218-1",
      cometVersion: "0.39.0",
      sdkVersion: "v0.54.3",
      moniker: "testnode",
    });
    assert.equal(await rest.syncing(), false);
    assert.equal((await rest.staking.params()).unbondingTime, 60_000_000_000n);
    assert.equal((await rest.staking.pool()).notBonded, 2000000000000012345n);
    assert.equal(
      (await rest.staking.delegations({ delegator: ACCOUNTS.acc7 })).items
        .length,
      1,
    );
    assert.equal(
      (await rest.staking.unbondings({ delegator: ACCOUNTS.acc6 })).items[0]
        ?.entries.length,
      2,
    );
  });

  for (const [name, listener, says] of HOSTILE) {
    it(`survives a server that ${name}`, async () => {
      await using server = await hostileServer(listener);
      const clients = clientsAt(server.url);
      await assert.rejects(clients.rest.staking.params(), (error: unknown) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, says);

        assert.doesNotMatch(error.message, /[\u0000-\u001f]/);
        return true;
      });
    });
  }

  it("rejects answers of the wrong type", async () => {
    const bodies = [
      '{"params":{"unbonding_time":"60","max_validators":1}}',
      '{"params":[]}',
      '{"params":{"unbonding_time":"60s","max_validators":1.5}}',
      '{"params":{"unbonding_time":"60s","max_validators":"1e3"}}',
      '{"__proto__":{"params":{}}}',
    ];
    for (const body of bodies) {
      await using server = await hostileServer((_request, response) =>
        response.end(body),
      );
      await assert.rejects(
        clientsAt(server.url).rest.staking.params(),
        rejectedAs("malformed", /something other than/),
        body,
      );
    }
  });
});

const clientsAt = (url: string) =>
  createFrameworkClients({
    network: "test",
    kind: "local",
    endpoints: { restUrl: url },
    facts: FACTS,
    provider: { request: () => Promise.reject(new Error("not asked")) },
    timeoutMs: 300,
    retry: { retries: 0 },
    maxBytes: 1_000_000,
  });
