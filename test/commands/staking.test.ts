import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";

import { parseAddress } from "../../src/address/index.js";
import {
  cancelText,
  createText,
  delegateText,
  delegationsText,
  editText,
  redelegateText,
  unbondingText,
  undelegateText,
  validatorDetailText,
  validatorsText,
} from "../../src/commands/staking/messages.js";
import {
  cancelUnbonding,
  delegate,
  redelegate,
  undelegate,
} from "../../src/commands/staking/delegate.js";
import {
  listDelegations,
  listUnbonding,
} from "../../src/commands/staking/delegations.js";
import {
  createValidator,
  type CreateOptions,
  editValidator,
} from "../../src/commands/staking/operate.js";
import {
  listValidators,
  showValidator,
} from "../../src/commands/staking/validators.js";
import { ModuleReader } from "../../src/commands/modules/reader.js";
import { distributionAbi, stakingAbi } from "../../src/precompiles/index.js";
import { stakingAbiWithStringDescription } from "../../src/precompiles/staking/abi-v04.js";
import { batchBySingleRequests } from "../../src/rpc/http-client.js";
import type { RpcRequest } from "../../src/rpc/provider.js";
import { describedNetwork, RecordingUi } from "./helpers.js";
import { DAY, LARGE, LocalChain, MIDDLE, SMALL, TOKEN } from "./modules.js";

const OWNER = parseAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
const STRANGER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("what staking commands show", () => {
  let chain: LocalChain;
  before(async () => {
    chain = await LocalChain.start();
  });
  after(() => chain.close());

  it("validators by their tokens", async () => {
    const report = await listValidators(chain.reader);
    assert.deepEqual(
      report.validators.map((row) => [
        row.moniker,
        row.valoper,
        row.operator,
        row.tokens.baseUnits,
        row.share,
        row.commission,
        row.status,
      ]),
      [
        [
          "Large",
          LARGE.valoper,
          LARGE.hex,
          5000n * TOKEN,
          "62.5",
          "10",
          "bonded",
        ],
        [
          "Middle",
          MIDDLE.valoper,
          MIDDLE.hex,
          2000n * TOKEN,
          "25",
          "5",
          "bonded",
        ],
        [
          "Small",
          SMALL.valoper,
          SMALL.hex,
          1000n * TOKEN,
          "12.5",
          "10",
          "bonded",
        ],
      ],
    );
    const text = validatorsText(report).join("\n");
    assert.match(text, /^3 validators on localnet \(chain ID 31337\)$/m);
    assert.match(
      text,
      /^ {2}Large {6}cosmosvaloper1\S+ +5000 {2}62\.5 % {8}10 % {2}bonded$/m,
    );
    assert.ok(!text.includes("\u001b"), "no control characters of a moniker");
  });

  it("validators of one status", async () => {
    await chain.control.jail(SMALL.valoper);
    const all = await listValidators(chain.reader);
    assert.equal(all.validators.length, 3);
    assert.equal(all.validators[0]?.share, "71.43");
    const bonded = await listValidators(chain.reader, { status: "bonded" });
    assert.deepEqual(
      bonded.validators.map(({ moniker }) => moniker),
      ["Large", "Middle"],
    );
    const { validators } = await listValidators(chain.reader, {
      status: "Unbonding",
    });
    assert.deepEqual(
      validators.map(({ moniker, jailed }) => [moniker, jailed]),
      [["Small", true]],
    );
    assert.match(
      validatorsText({ ...all, validators }).join("\n"),
      /^1 validator on[^]*unbonding, jailed$/m,
    );
    await assert.rejects(
      listValidators(chain.reader, { status: "jolly" }),
      /no validator status "jolly".*bonded, unbonding, unbonded/,
    );
    const empty = await listValidators(chain.reader, { status: "unbonded" });
    assert.deepEqual(validatorsText(empty), [
      "0 validators on localnet (chain ID 31337)",
    ]);
    await chain.control.unjail(SMALL.valoper);
  });

  it("one validator, by any form of its operator", async () => {
    for (const validator of [LARGE.hex, LARGE.account, LARGE.valoper]) {
      const report = await showValidator(chain.reader, { validator });
      assert.equal(report.moniker, "Large");
      assert.equal(report.minSelfDelegation.baseUnits, 1n);
    }
    for (const validator of ["Large", " large "]) {
      const report = await showValidator(chain.reader, { validator });
      assert.equal(report.valoper, LARGE.valoper);
    }
    await assert.rejects(
      showValidator(chain.reader, { validator: "Huge" }),
      /no validator is called "Huge".*staking validators --network localnet/,
    );
    await chain.control.advance(DAY);
    const report = await showValidator(chain.reader, {
      validator: LARGE.hex,
    });
    // 10 % a year on 5,000 tokens, a tenth of which is commission.
    assert.ok((report.rewardsDue[0]?.baseUnits ?? 0n) > TOKEN);
    assert.ok((report.commissionDue[0]?.baseUnits ?? 0n) > TOKEN / 10n);
    const text = validatorDetailText(report).join("\n");
    assert.match(text, /^Large on localnet/);
    assert.match(text, /^ {2}Commission due +0\.\d+ NATIVE$/m);
    await assert.rejects(
      showValidator(chain.reader, { validator: OWNER.hex }),
      /no such validator.*cosmosvaloper1.*staking validators --network localnet/,
    );
    await assert.rejects(
      showValidator(chain.reader, {
        validator: LARGE.valoper.replace("cosmos", "atom"),
      }),
      /the validator "atomvaloper/,
    );
  });

  it("nothing of an account that has nothing", async () => {
    const report = await listDelegations(chain.reader, STRANGER);
    assert.deepEqual(report.delegations, []);
    assert.equal(report.total.baseUnits, 0n);
    assert.match(delegationsText(report).join("\n"), /Rewards +none$/m);
    const ui = new RecordingUi();
    const unbonding = await listUnbonding(chain.reader, STRANGER, ui);
    assert.deepEqual(unbonding.unbonding, []);
    assert.deepEqual(unbonding.redelegations, []);
    assert.match(unbondingText(unbonding).join("\n"), /Unbonding +0 NATIVE$/m);
  });

  it("that nothing answers at the address", async () => {
    const reader = new ModuleReader(
      chain.sender(undefined, {
        on: chain.network({
          precompiles: {
            ...describedNetwork().precompiles,
            staking: "0x0000000000000000000000000000000000000802",
          },
        }),
      }),
    );
    await assert.rejects(
      listValidators(reader),
      /answered validators with nothing.*0x0{37}802.*Check that the precompile is active/,
    );
  });
});

describe("what staking commands do", () => {
  let chain: LocalChain;
  before(async () => {
    chain = await LocalChain.start();
  });
  after(() => chain.close());

  it("delegate whole tokens and base units", async () => {
    const before = await chain.balance(OWNER.hex);
    const ui = new RecordingUi();
    const report = await delegate(chain.sender(), ui, {
      validator: LARGE.valoper,
      amount: "12.5",
    });
    assert.equal(report.from, OWNER.hex);
    assert.equal(report.amount.baseUnits, 12_500_000_000_000_000_000n);
    assert.equal(report.call, "staking.delegate");
    const { estimate, limit, used } = report.gas;
    // 1.2 times the estimate plus the payment of rewards.
    assert.equal(limit, ((estimate + 22_300n) * 12n + 9n) / 10n);
    assert.ok(used !== undefined && used > 21_000n && used <= limit);
    assert.equal(
      before - (await chain.balance(OWNER.hex)),
      12_500_000_000_000_000_000n + (report.paid?.baseUnits ?? 0n),
    );
    assert.equal(
      report.explorer,
      `https://explorer.dualstack.example/tx/${report.transaction}`,
    );
    assert.deepEqual(ui.questions, [], "only the main network asks");
    const text = delegateText(report).join("\n");
    assert.match(
      text,
      /^12\.5 NATIVE delegated on localnet \(chain ID 31337\)$/m,
    );
    assert.match(
      text,
      new RegExp(`Validator +Large \\(${LARGE.valoper}\\)$`, "m"),
    );
    assert.match(
      text,
      new RegExp(
        `Gas +estimate ${estimate}, limit ${limit}, used ${used}$`,
        "m",
      ),
    );

    await delegate(chain.sender(), ui, {
      validator: MIDDLE.hex,
      amount: "3000anative",
    });
    await chain.control.advance(DAY);
    const shown = await listDelegations(chain.reader, OWNER.account);
    assert.deepEqual(
      shown.delegations.map((row) => [row.moniker, row.delegated.baseUnits]),
      [
        ["Large", 12_500_000_000_000_000_000n],
        ["Middle", 3000n],
      ],
    );
    assert.equal(shown.address, OWNER.hex);
    assert.equal(shown.total.baseUnits, 12_500_000_000_000_003_000n);
    assert.ok((shown.rewards[0]?.baseUnits ?? 0n) > 0n);
    assert.match(
      delegationsText(shown).join("\n"),
      /^ {2}Large {6}cosmosvaloper1\S+ +12\.5 NATIVE +0\.\d+ NATIVE {2}bonded$/m,
    );
  });

  it("undelegate, and say when the tokens come", async () => {
    const report = await undelegate(chain.sender(), new RecordingUi(), {
      validator: LARGE.hex,
      amount: "2.5",
    });
    const { timestamp } = (await chain.connection.ethers.provider.getBlock(
      Number(report.block),
    )) as { timestamp: number };
    assert.equal(
      Date.parse(report.completionTime ?? "") / 1000,
      timestamp + 21 * DAY,
    );
    assert.match(
      undelegateText(report).join("\n"),
      /Paid out +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m,
    );
    const shown = await listUnbonding(
      chain.reader,
      OWNER.hex,
      new RecordingUi(),
    );
    assert.deepEqual(
      shown.unbonding.map((row) => [
        row.moniker,
        row.balance.tokens,
        row.creationHeight,
        row.completionTime,
      ]),
      [["Large", "2.5", report.block, report.completionTime]],
    );
    assert.match(
      unbondingText(shown).join("\n"),
      new RegExp(`Large .* 2\\.5 NATIVE +${report.block} {2}\\d{4}-`),
    );
  });

  it("cancel the only entry without naming its block", async () => {
    const dry = await cancelUnbonding(chain.sender(), new RecordingUi(), {
      validator: LARGE.hex,
      amount: "all",
      dryRun: true,
    });
    assert.equal(dry.amount.tokens, "2.5");
    assert.equal(dry.transaction, undefined);
    const report = await cancelUnbonding(chain.sender(), new RecordingUi(), {
      validator: LARGE.account,
      amount: "1",
    });
    assert.equal(report.creationHeight, dry.creationHeight);
    assert.match(
      cancelText(report).join("\n"),
      /^1 NATIVE delegated again on localnet/,
    );
    // With two entries, one has to be chosen.
    await chain.control.advance(60);
    const second = await undelegate(chain.sender(), new RecordingUi(), {
      validator: LARGE.hex,
      amount: "1",
    });
    await chain.refused(
      cancelUnbonding(chain.sender(), new RecordingUi(), {
        validator: LARGE.hex,
        amount: "1",
      }),
      new RegExp(
        `several entries.*1\\.5 NATIVE since block ${report.creationHeight}, 1 NATIVE since block ${second.block}.*Give the block`,
      ),
    );
    await chain.refused(
      cancelUnbonding(chain.sender(), new RecordingUi(), {
        validator: LARGE.hex,
        amount: "1",
        creationHeight: "1",
      }),
      /no entry of block 1 is unbonding.*there are 1\.5 NATIVE since/,
    );
    await chain.refused(
      cancelUnbonding(chain.sender(), new RecordingUi(), {
        validator: LARGE.hex,
        amount: "1.1",
        creationHeight: String(second.block),
      }),
      /1\.1 NATIVE is more than is unbonding in that entry: 1 NATIVE/,
    );
    await cancelUnbonding(chain.sender(), new RecordingUi(), {
      validator: LARGE.hex,
      amount: "all",
      creationHeight: String(second.block),
    });
    const { unbonding } = await listUnbonding(
      chain.reader,
      OWNER.hex,
      new RecordingUi(),
    );
    assert.deepEqual(
      unbonding.map(({ balance }) => balance.tokens),
      ["1.5"],
    );
    await chain.refused(
      cancelUnbonding(chain.sender(), new RecordingUi(), {
        validator: SMALL.hex,
        amount: "1",
      }),
      /the account has nothing unbonding from Small/,
    );
  });

  it("redelegate, and say until when the tokens are locked", async () => {
    const report = await redelegate(chain.sender(), new RecordingUi(), {
      validator: LARGE.hex,
      to: SMALL.valoper,
      amount: "4",
    });
    assert.equal(report.to.moniker, "Small");
    assert.match(redelegateText(report).join("\n"), /Now at +Small \(/);
    const { redelegations } = await listUnbonding(
      chain.reader,
      OWNER.hex,
      new RecordingUi(),
    );
    assert.deepEqual(
      redelegations.map((row) => [
        row.from.moniker,
        row.to.moniker,
        row.balance.tokens,
        row.completionTime,
      ]),
      [["Large", "Small", "4", report.completionTime]],
    );
    await chain.refused(
      redelegate(chain.sender(), new RecordingUi(), {
        validator: SMALL.hex,
        to: MIDDLE.hex,
        amount: "1",
      }),
      /redelegating 1 NATIVE would fail: these tokens were redelegated to the validator.*staking unbonding/,
    );
    await chain.refused(
      redelegate(chain.sender(), new RecordingUi(), {
        validator: LARGE.hex,
        to: LARGE.account,
        amount: "1",
      }),
      /both validators are the same/,
    );
  });

  it("take all for an amount of 'all'", async () => {
    const report = await undelegate(chain.sender(), new RecordingUi(), {
      validator: MIDDLE.hex,
      amount: "all",
    });
    assert.equal(report.amount.baseUnits, 3000n);
    const { delegations } = await listDelegations(chain.reader, OWNER.hex);
    assert.deepEqual(
      delegations.map(({ moniker }) => moniker),
      ["Large", "Small"],
    );
  });

  it("refuse what cannot be done, before anything is sent", async () => {
    const ui = new RecordingUi();
    const sender = chain.sender();
    const validator = LARGE.hex;
    for (const amount of ["0", "0anative"]) {
      await chain.refused(
        delegate(sender, ui, { validator, amount }),
        /the amount is 0/,
      );
    }
    await chain.refused(
      delegate(sender, ui, { validator, amount: "all" }),
      /"all" is not an amount/,
    );
    await chain.refused(
      delegate(sender, ui, { validator, amount: "1000000" }),
      /the balance is too low: delegating 1000000 NATIVE needs up to 1000000 NATIVE, but the account has [\d.]+ NATIVE /,
    );
    const rest = await chain.balance(OWNER.hex);
    await chain.refused(
      delegate(sender, ui, { validator, amount: `${rest}anative` }),
      /the balance is too low/,
    );
    await chain.refused(
      delegate(sender, ui, { validator: STRANGER, amount: "1" }),
      /no such validator/,
    );
    await chain.refused(
      undelegate(sender, ui, { validator, amount: "500" }),
      /500 NATIVE is more than is delegated there: \d[\d.]* NATIVE.*"all"/,
    );
    await chain.refused(
      undelegate(sender, ui, { validator: MIDDLE.hex, amount: "1" }),
      /the account has delegated nothing to Middle.*staking delegations/,
    );
  });

  it("warn that a validator earns nothing", async () => {
    await chain.control.jail(SMALL.hex);
    const ui = new RecordingUi();
    await delegate(chain.sender(), ui, {
      validator: SMALL.hex,
      amount: "1",
      dryRun: true,
    });
    assert.match(
      ui.notes.join(),
      /Small \(.*\) is jailed: it earns no rewards/,
    );
  });

  it("say what it would cost, and stop there", async () => {
    const before = chain.sent.length;
    const report = await delegate(chain.sender(), new RecordingUi(), {
      validator: LARGE.hex,
      amount: "1",
      dryRun: true,
    });
    assert.equal(chain.sent.length, before);
    assert.ok(report.atMost.baseUnits > TOKEN + report.gas.limit);
    assert.match(
      delegateText(report).join("\n"),
      /^1 NATIVE would be delegated on localnet[^]*At most +1\.\d+ NATIVE[^]*Nothing was sent\.$/,
    );
  });

  it("explain a refusal that only sending brought up", async () => {
    const sender = chain.sender();
    await delegate(sender, new RecordingUi(), {
      validator: MIDDLE.hex,
      amount: "10",
    });
    const slashing = {
      ...sender,
      provider: {
        request: async (
          request: Parameters<typeof sender.provider.request>[0],
        ) => {
          if (request.method === "eth_sendTransaction") {
            await chain.control.slash(MIDDLE.hex, { fraction: 0.5 });
          }
          return await sender.provider.request(request);
        },
      },
    };
    await assert.rejects(
      undelegate(slashing, new RecordingUi(), {
        validator: MIDDLE.hex,
        amount: "10",
      }),
      /undelegating 10 NATIVE failed: it is more than the account has delegated there \(network localnet\)/,
    );
  });

  it("show on the main network what will be signed, and ask", async () => {
    const on = chain.network({
      name: "mainnet",
      kind: "mainnet",
      chainId: 26217,
    });
    const options = { validator: LARGE.hex, amount: "1" };
    const no = new RecordingUi();
    await chain.refused(
      delegate(chain.sender(undefined, { on }), no, options),
      /nothing was sent: you did not confirm it/,
    );
    assert.match(
      no.questions[0] ?? "",
      new RegExp(
        `^Delegate 1 NATIVE to Large \\(${LARGE.valoper}\\) on mainnet\\? This signs staking\\.delegate as ${OWNER.hex}, with fees of up to 0\\.\\d+ NATIVE\\.$`,
      ),
    );
    const yes = new RecordingUi({ answer: true });
    assert.ok(
      (await delegate(chain.sender(undefined, { on }), yes, options)).block,
    );
    const flag = new RecordingUi();
    await delegate(chain.sender(undefined, { on }), flag, {
      ...options,
      yes: true,
    });
    assert.deepEqual(flag.questions, []);
  });
});

describe("long lists of validators", () => {
  it("are read page after page", async () => {
    const operators = Array.from({ length: 130 }, (_, index) =>
      parseAddress(`0x${(0x10_0000 + index).toString(16).padStart(40, "0")}`),
    );
    const chain = await LocalChain.start({
      validators: operators.map(({ hex }, index) => ({
        operator: hex,
        moniker: `v${index}`,
        stake: BigInt(1000 + index) * TOKEN,
      })),
    });
    try {
      const { validators } = await listValidators(chain.reader);
      assert.deepEqual(
        validators.map(({ moniker }) => moniker),
        operators.map((_, index) => `v${operators.length - 1 - index}`),
      );
      assert.equal(
        validators.filter(({ status }) => status === "bonded").length,
        100,
      );
      const ui = new RecordingUi();
      const sender = chain.sender();
      const validator = operators[120]?.hex ?? "";
      await delegate(sender, ui, { validator, amount: "3" });
      await undelegate(sender, ui, { validator, amount: "1" });
      const { unbonding } = await listUnbonding(chain.reader, OWNER.hex, ui);
      assert.deepEqual(
        unbonding.map(({ moniker, balance }) => [moniker, balance.tokens]),
        [["v120", "1"]],
      );
      assert.ok(
        ui.progressTexts.includes(
          "looking at 130 of 130 validators for unbonding entries",
        ),
      );
    } finally {
      await chain.close();
    }
  });
});

describe("nodes behind HTTP", () => {
  const inBatches = (chain: LocalChain) => {
    const { provider } = chain.connection;
    const sizes: number[] = [];
    const connected = {
      network: chain.network(),
      provider: {
        request: async () =>
          await Promise.reject(new Error("nothing is asked alone")),
        batch: async (requests: readonly RpcRequest[]) => {
          sizes.push(requests.length);
          return await batchBySingleRequests({
            request: async ({ method, params = [] }) =>
              await provider.request({ method, params: [...params] }),
          }).batch(requests);
        },
      },
    };
    return { sizes, reader: new ModuleReader(connected) };
  };

  it("are asked in few requests", async () => {
    const chain = await LocalChain.start({
      validators: Array.from({ length: 40 }, (_, index) => ({
        operator: `0x${(0x10_0000 + index).toString(16).padStart(40, "0")}`,
        moniker: `v${index}`,
      })),
    });
    try {
      const { sizes, reader } = inBatches(chain);
      await listUnbonding(reader, OWNER.hex, new RecordingUi());
      assert.deepEqual(sizes, [1, 40, 1]);
    } finally {
      await chain.close();
    }
  });

  it("may have the older shape of a validator", async () => {
    const abi = stakingAbiWithStringDescription;
    const { Interface } = await import("ethers");
    const old = new Interface(JSON.stringify(abi));
    const validator = [
      ...[LARGE.hex, Buffer.alloc(32, 7).toString("base64"), false, 3],
      ...[5n * TOKEN, 5n * 10n ** 36n, "details\nalone", 0, 0, 10n ** 17n, 1],
    ];
    const answers: Record<string, unknown[]> = {
      validators: [[validator], ["0x", 0]],
      validator: [validator],
      validatorCommission: [[]],
      validatorOutstandingRewards: [[["anative", 7n * TOKEN, 18]]],
    };
    const distribution = new Interface(JSON.stringify(distributionAbi));
    const provider = {
      request: async ({ params = [] }: RpcRequest) => {
        const [{ data }] = params as [{ data: string }];
        const codec = old.hasFunction(data.slice(0, 10)) ? old : distribution;
        const { name = "" } = codec.getFunction(data.slice(0, 10)) ?? {};
        return await Promise.resolve(
          codec.encodeFunctionResult(name, answers[name] ?? []),
        );
      },
    };
    const network = describedNetwork({ abis: { staking: abi as never } });
    const reader = new ModuleReader({ network, provider });
    const { validators } = await listValidators(reader);
    assert.deepEqual(
      validators.map((row) => [row.moniker, row.valoper, row.tokens.tokens]),
      [["", LARGE.valoper, "5"]],
    );
    const shown = await showValidator(reader, { validator: LARGE.hex });
    assert.equal(shown.details, "details alone");
    assert.equal(shown.rewardsDue[0]?.tokens, "7");
    assert.match(
      validatorDetailText(shown).join("\n"),
      /^Validator on testnet \(chain ID 26218\)/,
    );
  });

  it("may return an endless list", async () => {
    const { Interface } = await import("ethers");
    const codec = new Interface(JSON.stringify(stakingAbi));
    let page = 0;
    for (const next of [
      () => "0x01",
      () => (page++ % 2 === 0 ? "0x01" : "0x02"),
    ]) {
      const provider = {
        request: async () =>
          await Promise.resolve(
            codec.encodeFunctionResult("validators", [[], [next(), 0]]),
          ),
      };
      await assert.rejects(
        listValidators(
          new ModuleReader({ network: describedNetwork(), provider }),
        ),
        /the node's list of validators never ends \(network testnet\)/,
      );
    }
  });
});

describe("operators of validators", () => {
  const KEY = Buffer.alloc(32, 7).toString("base64");
  const given: CreateOptions = {
    moniker: "Mine",
    pubkey: KEY,
    amount: "100",
    commission: "5%",
    maxCommissionChange: "0.02",
    minSelfDelegation: "10",
    website: "https://mine.example",
  };
  let chain: LocalChain;
  beforeEach(async () => {
    chain = await LocalChain.start();
  });
  afterEach(() => chain.close());

  const create = async (change: Partial<CreateOptions> = {}, from?: string) =>
    await createValidator(chain.sender(from), new RecordingUi(), {
      ...given,
      ...change,
    });

  it("create one, after a dry run that sends nothing", async () => {
    const dry = await create({ dryRun: true });
    assert.equal(dry.transaction, undefined);
    assert.equal(chain.sent.length, 0);
    const before = await chain.balance(OWNER.hex);
    const report = await create({
      pubkey: `{"@type":"/cosmos.crypto.ed25519.PubKey","key":"${KEY}"}`,
    });
    assert.equal(report.call, "staking.createValidator");
    assert.equal(
      before - (await chain.balance(OWNER.hex)),
      100n * TOKEN + (report.paid?.baseUnits ?? 0n),
    );
    const shown = await showValidator(chain.reader, { validator: OWNER.hex });
    assert.equal(shown.moniker, "Mine");
    assert.equal(shown.website, "https://mine.example");
    assert.equal(shown.details, "");
    assert.equal(shown.commission, "5");
    assert.equal(shown.tokens.tokens, "100");
    assert.equal(shown.minSelfDelegation.tokens, "10");
    assert.equal(shown.consensusKey, KEY);
    const text = createText(report).join("\n");
    assert.match(text, /^Validator Mine created on localnet/);
    assert.match(text, /100 NATIVE, never below 10 NATIVE/);
    assert.match(text, /5 %, at most 20 %, changed by at most 2 % a day/);
    await chain.refused(create(), /operates a validator already: Mine/);
  });

  it("learn what is wrong before anything is sent", async () => {
    const cases: readonly (readonly [Partial<CreateOptions>, RegExp])[] = [
      [{ moniker: " " }, /moniker is empty/],
      [
        { moniker: "ü".repeat(36) },
        /moniker has 72 bytes; the chain allows 70/,
      ],
      [{ details: "x".repeat(281) }, /details has 281 bytes/],
      [{ pubkey: "AAAA" }, /not base64 of 32 bytes: "AAAA"/],
      [{ pubkey: `${KEY}!` }, /not base64 of 32 bytes/],
      // 1 percent, or 100?
      [{ commission: "1" }, /"1" is not a rate/],
      [{ commission: "101%" }, /is not a rate/],
      [{ commission: "-1%" }, /is not a rate/],
      [{ commission: "21%" }, /21 % is above the maximum commission, 20 %/],
      [{ maxCommission: "1%", commission: "1%" }, /daily change of 2 %/],
      [{ minSelfDelegation: "101" }, /100 NATIVE is below its own minimum/],
      [{ minSelfDelegation: "0" }, /amount is 0/],
      [{ amount: "lots" }, /not an amount/],
      [{ amount: "10001" }, /balance is too low/],
    ];
    for (const [change, message] of cases) {
      await chain.refused(create(change), message);
    }
    const { consensusKey } = await showValidator(chain.reader, {
      validator: LARGE.valoper,
    });
    await chain.refused(
      create({ pubkey: consensusKey }),
      /another validator has this consensus key/,
    );
  });

  it("change only the fields that they give", async () => {
    await create({ details: "Old", identity: "ABCD" });
    const edit = async (change: Parameters<typeof editValidator>[2]) =>
      await editValidator(chain.sender(), new RecordingUi(), change);
    const dry = await edit({ details: "New", dryRun: true });
    assert.equal(dry.transaction, undefined);
    const report = await edit({
      details: "New",
      website: "",
      moniker: "Mine",
      commission: "0.05",
      minSelfDelegation: "20",
    });
    assert.deepEqual(
      report.changes.map(({ what }) => what),
      ["website", "details", "minimum self-delegation"],
    );
    assert.match(editText(report).join("\n"), /Details +New, was Old$/m);
    assert.match(
      editText(report).join("\n"),
      /Website +none, was https:\/\/mine\.example$/m,
    );
    const shown = await showValidator(chain.reader, { validator: OWNER.hex });
    assert.deepEqual(
      [shown.moniker, shown.identity, shown.website, shown.details],
      ["Mine", "ABCD", "", "New"],
    );
    assert.equal(shown.commission, "5");
    assert.equal(shown.minSelfDelegation.tokens, "20");

    await chain.refused(edit({}), /nothing to change/);
    await chain.refused(edit({ details: "New" }), /has these values already/);
    await chain.refused(edit({ minSelfDelegation: "20" }), /can only rise/);
    await chain.refused(
      edit({ minSelfDelegation: "999" }),
      /more than the val/,
    );
    await chain.refused(edit({ commission: "6%" }), /less than a day ago/);
    await chain.control.advance(DAY);
    await chain.refused(edit({ commission: "8%" }), /more than the validator/);
    await chain.refused(edit({ commission: "21%" }), /above the maximum that/);
    await edit({ commission: "6.5%" });
    assert.equal(
      (await showValidator(chain.reader, { validator: OWNER.hex })).commission,
      "6.5",
    );
    await chain.refused(
      editValidator(chain.sender(STRANGER), new RecordingUi(), {
        details: "New",
      }),
      /operates no validator/,
    );
  });
});
