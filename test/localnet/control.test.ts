import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { addressForms } from "../../src/address/codec.js";
import { DEFAULT_FACTS } from "../../src/chain/facts.js";
import { DEFAULT_VALIDATORS } from "../../src/localnet/settings/defaults.js";
import { CONTROL_METHODS } from "../../src/localnet/control/methods.js";
import {
  localnetSchema,
  resolveLocalnet,
  validateLocalnet,
} from "../../src/localnet/settings/settings.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { token, VALOPER } from "./actions.js";
import { createNetwork, type LocalNetwork } from "./network.js";

const OPERATOR = DEFAULT_VALIDATORS[0]?.operator ?? "";
const OTHER = "0x00000000000000000000000000000000000000a1";

describe("control of the local chain by JSON-RPC", () => {
  let network: LocalNetwork;
  before(async () => {
    network = await createNetwork({ settings: { rewardRate: 0 } });
  });
  after(() => network.close());
  const state = async () =>
    (await network.rpc("dualstack_state")) as Record<string, string | null>;

  it("answers the state as quantities", async () => {
    const { bondedTokens, nextDue, validators } = await state();
    assert.deepEqual(
      [bondedTokens, nextDue, validators],
      [`0x${token("3000").toString(16)}`, null, "0x3"],
    );
  });

  it("slashes, jails and unjails a validator without mining a block", async () => {
    assert.equal(
      await network.rpc("dualstack_slashValidator", VALOPER, "0.05", true),
      true,
    );
    assert.equal(BigInt((await state()).burnt ?? 0), token("50"));
    assert.equal(BigInt((await state()).bondedTokens ?? 0), token("2000"));
    assert.equal(
      await network.rpc("dualstack_unjailValidator", OPERATOR),
      true,
    );
    assert.equal(await network.rpc("dualstack_jailValidator", VALOPER), true);
    assert.equal(await network.rpc("dualstack_unjailValidator", VALOPER), true);
    assert.equal(await network.rpc("eth_blockNumber"), "0x0");
  });

  it("adds validators, deposits rewards and sets the rate", async () => {
    await network.rpc("dualstack_addValidator", {
      operator: OTHER,
      moniker: "Delta",
      stake: "7",
      commission: { rate: "0.5", maxRate: 1 },
    });
    assert.equal((await state()).validators, "0x4");
    await network.rpc("dualstack_depositRewards", OTHER, "1.5");
    await network.rpc(
      "dualstack_depositRewards",
      OTHER,
      `0x${token("0.5").toString(16)}`,
    );
    assert.equal(BigInt((await state()).outstandingRewards ?? 0), token("2"));
    await network.rpc("dualstack_setRewardRate", "0.25");
    assert.equal(
      (await state()).rewardRate,
      `0x${(25n * 10n ** 16n).toString(16)}`,
    );
    await network.rpc("dualstack_setRewardRate", 0);
  });

  it("advances time by a block", async () => {
    const { time, height } = await state();
    await network.rpc("dualstack_advance", 100);
    const later = await state();
    assert.equal(BigInt(later.time ?? 0) - BigInt(time ?? 0), 100n);
    assert.equal(BigInt(later.height ?? 0) - BigInt(height ?? 0), 1n);
  });

  const wrong: [string, unknown[], RegExp][] = [
    [
      "dualstack_slashValidator",
      [],
      /takes 1 to 4 parameters, not 0.*dualstack_slashValidator \[valoper, fraction\?, jail\?, infractionHeight\?\]/,
    ],
    [
      "dualstack_slashValidator",
      [VALOPER, "1.01"],
      /fraction must be at most 1/,
    ],
    [
      "dualstack_slashValidator",
      [VALOPER, "-0.1"],
      /fraction must not be negative/,
    ],
    [
      "dualstack_slashValidator",
      [VALOPER, "0.1", "yes"],
      /jail must be true or false/,
    ],
    ["dualstack_slashValidator", [7], /valoper must be a string/],
    [
      "dualstack_slashValidator",
      [VALOPER.replace("cosmos", "osmo")],
      /validator/,
    ],
    [
      "dualstack_slashValidator",
      [OTHER.replace("a1", "a2"), "0.1"],
      /refuses slash/,
    ],
    [
      "dualstack_jailValidator",
      ["nonsense"],
      /neither a hex nor a bech32 address/,
    ],
    [
      "dualstack_setRewardRate",
      ["much"],
      /must be a number or a decimal string/,
    ],
    ["dualstack_advance", [0], /only goes forward/],
    ["dualstack_advance", ["99999999999999"], /is after the year 5000/],
    ["dualstack_advance", [-1], /seconds must be a whole number/],
    ["dualstack_advanceToVoteEnd", [99], /99/],
    ["dualstack_depositRewards", [VALOPER, "-1"], /must not be negative/],
    ["dualstack_addValidator", [{ operator: "0x12" }], /operator/],
    [
      "dualstack_addValidator",
      [{ operator: OPERATOR }],
      /refuses addValidator/,
    ],
    ["dualstack_state", [1], /takes 0 parameters, not 1/],
  ];
  for (const [method, params, message] of wrong) {
    it(`refuses ${method} ${JSON.stringify(params)}`, async () => {
      await assert.rejects(network.rpc(method, ...params), message);
    });
  }

  it("leaves other methods of that prefix to the node", async () => {
    await assert.rejects(
      network.rpc("dualstack_nonsense"),
      /not supported|not found|unknown/i,
    );
    assert.ok(CONTROL_METHODS.length >= 9);
  });
});

describe("settings of the local chain", () => {
  const issues = (settings: object) =>
    validateLocalnet(settings, DEFAULT_FACTS).map(
      ({ path, message }) => `${path.join(".")}: ${message}`,
    );

  it("have defaults: three validators, 21 days, 10 % a year", () => {
    const settings = resolveLocalnet(
      undefined,
      DEFAULT_FACTS,
      PRECOMPILE_ADDRESSES,
    );
    assert.equal(settings.validators.length, 3);
    assert.equal(settings.unbondingTime, 1_814_400n);
    assert.equal(settings.rewardRate, 10n ** 17n);
    assert.equal(
      new Set(settings.validators.map(({ pubkey }) => pubkey)).size,
      3,
    );
  });

  it("take whole tokens as text and base units as bigints", () => {
    const settings = resolveLocalnet(
      {
        validators: [
          {
            operator: OTHER,
            stake: "1.5",
            minSelfDelegation: 7n,
            commission: { rate: 0.07 },
          },
        ],
      },
      DEFAULT_FACTS,
      PRECOMPILE_ADDRESSES,
    );
    assert.deepEqual(
      [
        settings.validators[0]?.stake,
        settings.validators[0]?.minSelfDelegation,
        settings.validators[0]?.rate,
      ],
      [token("1.5"), 7n, token("0.07")],
    );
  });

  const { valoper } = addressForms(Buffer.alloc(20, 1), "hex", "osmo");
  const wrong: [string, object, RegExp][] = [
    [
      "duplicate validators",
      {
        validators: [
          { operator: OTHER },
          { operator: OTHER.toUpperCase().replace("0X", "0x") },
        ],
      },
      /^validators\.1\.operator: the same operator as validator 0/,
    ],
    [
      "another prefix",
      { validators: [{ operator: valoper }] },
      /^validators\.0\.operator: .*prefix/,
    ],
    [
      "a negative rate",
      { rewardRate: -0.1 },
      /^rewardRate: the reward rate must not be negative/,
    ],
    [
      "a negative commission",
      { validators: [{ operator: OTHER, commission: { rate: "-0.1" } }] },
      /^validators\.0\.commission\.rate: .*negative/,
    ],
    [
      "a commission above its limit",
      { validators: [{ operator: OTHER, commission: { rate: "0.3" } }] },
      /^validators\.0\.commission\.rate: .*higher/,
    ],
    [
      "more stake than can be counted",
      { validators: [{ operator: OTHER, stake: 10n ** 80n }] },
      /^validators\.0\.stake: the stake must be at most 20282409603651 tokens/,
    ],
    [
      "too little stake",
      { validators: [{ operator: OTHER, stake: "0.9" }] },
      /^validators\.0\.stake: .*one whole token/,
    ],
    [
      "no validators",
      { validators: [] },
      /^validators: must have at least one/,
    ],
    ["a negative time", { unbondingTime: -5 }, /^unbondingTime: .*more than 0/],
    [
      "a threshold above one",
      { governance: { threshold: "1.5" } },
      /^governance\.threshold: .*at most 1/,
    ],
    ["an unknown field", { unbondingtime: 5 }, /Unrecognized key/],
  ];
  for (const [what, settings, message] of wrong) {
    it(`refuse ${what}, with the path`, () => {
      assert.match(issues(settings)[0] ?? "", message);
      assert.throws(
        () => resolveLocalnet(settings, DEFAULT_FACTS, PRECOMPILE_ADDRESSES),
        /^DualstackError: dualstack\.localnet/,
      );
    });
  }

  it("accept what is right", () => {
    assert.equal(
      localnetSchema.safeParse({
        networks: { default: false },
        rewardRate: 0,
        denom: "atest",
      }).success,
      true,
    );
  });
});
