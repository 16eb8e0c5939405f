import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";

import { getAddress, Interface, toUtf8Bytes } from "ethers";

import { toValoper } from "../../src/address/codec.js";
import { consensusAddress } from "../../src/local-node/consensus.js";
import {
  emulatorCode,
  systemAbi,
} from "../../src/localnet/generated/emulator.js";
import { SYSTEM } from "../../src/localnet/modules/accounts.js";
import { linkEmulator } from "../../src/localnet/modules/emulator.js";
import type { LocalnetUserSettings } from "../../src/localnet/settings/settings.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import {
  ofPrecompiles,
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../../src/precompiles/addresses.js";
import { PRECOMPILES } from "../../src/precompiles/catalog.js";
import { createNetwork } from "./network.js";

const TOKEN = 10n ** 18n;
const PERIOD = 600;
const PAGE = ["0x", 0, 0, false, false] as const;
const GOV_ACCOUNT = "cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn";

const interfaces = ofPrecompiles(
  (name) => new Interface(PRECOMPILES[name].abi),
);
type Module = PrecompileName;

/**
 * Starts a network whose accounts 7, 8 and 9 are validators with 100, 200 and
 * 300 tokens.
 */
/** A message that changes parameters, such as those of `staking.v1beta1`. */
const update = (module: string, params: object) => ({
  "@type": `/cosmos.${module}.MsgUpdateParams`,
  authority: GOV_ACCOUNT,
  params,
});

async function start(
  settings: LocalnetUserSettings = {},
  active?: readonly PrecompileName[],
) {
  const accounts = [
    "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955",
    "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f",
    "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720",
  ];
  const network = await createNetwork({
    facts: { bech32Prefix: "cosmos", baseDenom: "atest" },
    settings: {
      unbondingTime: PERIOD,
      rewardRate: 0,
      validators: accounts.map((operator, i) => ({
        operator,
        stake: BigInt(100 * (i + 1)) * TOKEN,
        commission: { rate: "0.1", maxRate: "0.2", maxChangeRate: "0.05" },
      })),
      governance: {
        votingPeriod: PERIOD,
        expeditedVotingPeriod: PERIOD / 2,
        depositPeriod: PERIOD,
        minDeposit: "10",
        expeditedMinDeposit: "50",
      },
      ...settings,
    },
    network: { initialBaseFeePerGas: 0n },
    ...(active === undefined ? {} : { active }),
  });
  const { rpc, control } = network;
  const to = (module: Module) => PRECOMPILES[module].address;
  const send = async (
    from: string,
    module: Module,
    name: string,
    args: unknown[],
  ) => {
    const data = interfaces[module].encodeFunctionData(name, args);
    const request = {
      from,
      to: to(module),
      data,
      gas: "0x800000",
      gasPrice: "0x0",
    };
    const hash = await rpc("eth_sendTransaction", request);
    const receipt = await rpc("eth_getTransactionReceipt", hash);
    assert.equal(receipt.status, "0x1", name);
    return receipt;
  };
  const view = async (
    module: Module,
    name: string,
    args: unknown[],
    from = network.accounts[0],
  ) => {
    const data = interfaces[module].encodeFunctionData(name, args);
    const raw = await rpc("eth_call", { from, to: to(module), data }, "latest");
    return interfaces[module].decodeFunctionResult(name, raw);
  };
  const refused = async (
    from: string,
    module: Module,
    name: string,
    args: unknown[],
    reason: string,
  ) => {
    await assert.rejects(view(module, name, args, from), (error: Error) => {
      assert.ok(
        error.message.includes(`'${reason}'`),
        `${error.message}, not ${reason}`,
      );
      return true;
    });
  };
  const submit = async (from: string, content: object, deposit: bigint) => {
    const json = toUtf8Bytes(
      JSON.stringify({
        title: "t",
        summary: "s",
        metadata: "m",
        ...content,
      }),
    );
    await send(from, "governance", "submitProposal", [
      from,
      json,
      [["atest", deposit]],
    ]);
  };
  const proposal = async (id: number) =>
    (await view("governance", "getProposal", [id]))[0];
  return {
    ...network,
    control,
    send,
    view,
    refused,
    validators: accounts,
    operators: accounts.map((each) => toValoper(each)),
    balance: async (address: string) =>
      BigInt(await rpc("eth_getBalance", address, "latest")),
    validator: async (address: string) =>
      (await view("staking", "validator", [address]))[0],
    submit,
    proposal,
    /** Has a proposal pass, and returns its status. */
    pass: async (id: number, ...messages: object[]) => {
      await submit(network.accounts[0] ?? "", { messages }, 10n * TOKEN);
      const [strongest = ""] = accounts.slice(-1);
      await send(strongest, "governance", "vote", [strongest, id, 1, ""]);
      await control.advanceToVoteEnd(id);
      return (await proposal(id)).status;
    },
  };
}

const ZERO = `0x${"0".repeat(40)}`;
const UNBONDED = 1n;
const UNBONDING = 2n;
const BONDED = 3n;

describe("rules of the chain", () => {
  it("answers the same from the copies behind its code as without them", async () => {
    const n = await start({ maxValidators: 4 });
    const [alice, bob] = n.accounts as [string, string];
    const [first, second] = n.operators as [string, string];
    const emulator = linkEmulator(emulatorCode, {
      addresses: PRECOMPILE_ADDRESSES,
      active: PRECOMPILE_NAMES,
      prefix: "cosmos",
      denom: "atest",
    });
    const modules = [
      PRECOMPILE_ADDRESSES.staking,
      PRECOMPILE_ADDRESSES.governance,
    ];
    const withoutCopies = Object.fromEntries(
      modules.map((each) => [
        each,
        { code: emulator.codes.get(each.toLowerCase()) },
      ]),
    );
    const operators = [...n.validators, alice];
    const questions: [Module, string, unknown[]][] = [
      ...operators.map((each): [Module, string, unknown[]] => [
        "staking",
        "validator",
        [each],
      ]),
      ["staking", "validators", ["", PAGE]],
      ["staking", "validators", ["BOND_STATUS_BONDED", PAGE]],
      ["staking", "validators", ["", ["0x", 1, 2, true, true]]],
      ["staking", "unbondingDelegation", [bob, first]],
      ["staking", "redelegation", [bob, first, second]],
      ["staking", "redelegations", [bob, "", "", PAGE]],
      [
        "staking",
        "redelegations",
        [ZERO, first, "", ["0x", 0, 1, true, false]],
      ],
      ["distribution", "delegatorValidators", [bob]],
      ["governance", "getProposal", [1]],
      ["governance", "getProposals", [0, ZERO, ZERO, PAGE]],
      ["governance", "getProposals", [2, ZERO, ZERO, PAGE]],
      ["governance", "getDeposits", [1, PAGE]],
      ["governance", "getVotes", [1, PAGE]],
      ["governance", "getTallyResult", [1]],
    ];
    const answers = async (block: string, ...overrides: object[]) =>
      await Promise.all(
        questions.map(async ([module, name, args]) => {
          const data = interfaces[module].encodeFunctionData(name, args);
          const call = { to: PRECOMPILES[module].address, data };
          return await n
            .rpc("eth_call", call, block, ...overrides)
            .catch((error: Error) => error.message);
        }),
      );
    const compare = async (block = "latest") => {
      const mine = await answers(block);
      assert.deepEqual(await answers(block, withoutCopies), mine);
      return mine;
    };
    const create = [
      ["alice", "", "", "", ""],
      [10n ** 17n, 2n * 10n ** 17n, 10n ** 16n],
      1n,
      alice,
      Buffer.alloc(32, 7).toString("base64"),
      50n * TOKEN,
    ];
    const edit = (moniker: string) => [
      [moniker, ...Array.from({ length: 4 }, () => "[do-not-modify]")],
      alice,
      -1,
      5n,
    ];
    await compare();
    await n.send(alice, "staking", "createValidator", create);
    await n.send(bob, "staking", "delegate", [bob, first, 20n * TOKEN]);
    await n.send(bob, "staking", "undelegate", [bob, first, 3n * TOKEN]);
    await n.send(bob, "staking", "redelegate", [
      bob,
      first,
      second,
      4n * TOKEN,
    ]);
    await n.submit(bob, { messages: [] }, 10n * TOKEN);
    await n.submit(
      alice,
      { messages: [], summary: "longer than before" },
      3n * TOKEN,
    );
    const before = await compare();
    await n.control.jail(second);
    await n.send(bob, "governance", "vote", [bob, 1, 1, ""]);
    for (const operator of n.validators)
      await n.send(operator, "governance", "vote", [operator, 1, 3, ""]);
    await n.send(alice, "governance", "deposit", [
      alice,
      1,
      [["atest", TOKEN]],
    ]);
    assert.notDeepEqual(await compare(), before);
    // Also in the block that changes it.
    await n.rpc("evm_setAutomine", false);
    const data = interfaces.staking.encodeFunctionData(
      "editValidator",
      edit("other"),
    );
    await n.rpc("eth_sendTransaction", {
      from: alice,
      to: PRECOMPILES.staking.address,
      data,
      gas: "0x800000",
      gasPrice: "0x0",
    });
    const pending = await compare("pending");
    await n.rpc("evm_setAutomine", true);
    await n.rpc("evm_mine");
    const after = await compare();
    assert.equal(after[3], pending[3]);
    assert.match(
      String(after[3]),
      new RegExp(Buffer.from("other").toString("hex")),
    );
    const id = await n.rpc("evm_snapshot");
    await n.control.advance(PERIOD + 1);
    await compare();
    await n.rpc("evm_revert", id);
    assert.deepEqual(await compare(), after);
    await n.close();
  });

  it("costs the first accounts on a network what it costs later ones", async () => {
    const n = await start({ rewardRate: "0.1" });
    const [alice, bob] = n.accounts as [string, string];
    const [operator] = n.operators as [string];
    const cost = async (
      from: string,
      module: Module,
      name: string,
      ...args: unknown[]
    ) => Number((await n.send(from, module, name, [from, ...args])).gasUsed);
    const proposal = toUtf8Bytes(
      JSON.stringify({ title: "t", summary: "s", metadata: "m", messages: [] }),
    );
    const coins = [["atest", 10n * TOKEN]];
    for (const [module, name, ...args] of [
      ["staking", "delegate", operator, TOKEN],
      ["distribution", "withdrawDelegatorRewards", operator],
      ["distribution", "fundCommunityPool", coins],
      ["governance", "submitProposal", proposal, coins],
      ["governance", "vote", 1n, 1, ""],
    ] as const) {
      const first = await cost(alice, module, name, ...args);
      const next = await cost(bob, module, name, ...args);
      assert.ok(
        Math.abs(first - next) < 500,
        `${name}: ${first} gas, then ${next}`,
      );
    }
  });

  it("keeps votes word for word, and counts their weights", async () => {
    const n = await start();
    const [alice, bob, carol, dave] = n.accounts as [
      string,
      string,
      string,
      string,
    ];
    const [first, second, third] = n.validators as [string, string, string];
    await n.send(alice, "staking", "delegate", [
      alice,
      n.operators[0],
      10n * TOKEN,
    ]);
    await n.submit(alice, { messages: [] }, 10n * TOKEN);
    const weights: [string, [number, string][], string][] = [
      [
        first,
        [
          [1, "0.7"],
          [3, "0.3"],
        ],
        "why",
      ],
      [second, [[2, "1"]], ""],
      [
        third,
        [
          [1, "0.500000000000000000"],
          [4, "00.5"],
        ],
        "m".repeat(40),
      ],
      [
        bob,
        [
          [1, `${"0".repeat(40)}.25`],
          [4, "+0.75"],
        ],
        "",
      ],
      [carol, [[3, "1.000000000000000000"]], "m"],
    ];
    for (const [voter, options, metadata] of weights)
      await n.send(voter, "governance", "voteWeighted", [
        voter,
        1,
        options,
        metadata,
      ]);
    await n.send(dave, "governance", "vote", [dave, 1, 4, "because"]);
    await n.send(alice, "governance", "vote", [alice, 1, 1, ""]);
    const all: typeof weights = [
      ...weights,
      [dave, [[4, "1.000000000000000000"]], "because"],
      [alice, [[1, "1.000000000000000000"]], ""],
    ];
    for (const [voter, options, metadata] of all) {
      const [vote] = await n.view("governance", "getVote", [1, voter]);
      assert.deepEqual(vote.toArray(true), [
        1n,
        getAddress(voter),
        options.map(([option, weight]) => [BigInt(option), weight]),
        metadata,
      ]);
    }
    const [votes] = await n.view("governance", "getVotes", [1, PAGE]);
    assert.equal(votes.length, all.length);
    // of 100, 200 and 300 tokens, and alice's 10; the others have none
    const [tally] = await n.view("governance", "getTallyResult", [1]);
    assert.deepEqual(
      tally.toArray(),
      [70n + 150n + 10n, 200n, 30n, 150n].map((each) => String(each * TOKEN)),
    );
    await n.close();
  });

  it("bonds the strongest validators only", async () => {
    const n = await start({ maxValidators: 2 });
    const status = async () => {
      const list = await Promise.all(
        n.validators.map((each) => n.validator(each)),
      );
      return list.map((each) => each.status);
    };
    assert.deepEqual(await status(), [UNBONDED, BONDED, BONDED]);
    const [alice] = n.accounts as [string];
    await n.send(alice, "staking", "delegate", [
      alice,
      n.operators[0],
      150n * TOKEN,
    ]);
    assert.deepEqual(await status(), [BONDED, UNBONDING, BONDED]);
    assert.equal(await n.balance(MODULE_ACCOUNTS.bondedPool), 550n * TOKEN);
    assert.equal(await n.balance(MODULE_ACCOUNTS.notBondedPool), 200n * TOKEN);
    await n.control.advance(PERIOD + 1);
    assert.deepEqual(await status(), [BONDED, UNBONDED, BONDED]);
    await n.close();
  });

  it("slashes what was unbonded or redelegated since the infraction", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const [first, , third] = n.operators as [string, string, string];
    await n.send(alice, "staking", "delegate", [alice, first, 30n * TOKEN]);
    await n.send(alice, "staking", "undelegate", [alice, first, 10n * TOKEN]);
    const { height } = await n.control.state();
    await n.send(alice, "staking", "redelegate", [
      alice,
      first,
      third,
      10n * TOKEN,
    ]);
    // Of 110 tokens of power, 11 are burnt: 1 from the entry, 1 from what was
    // moved, and the rest from the validator.
    await n.control.slash(first, {
      fraction: "0.1",
      jail: true,
      infractionHeight: height,
    });
    const [info] = await n.view("staking", "unbondingDelegation", [
      alice,
      first,
    ]);
    const [entry] = info.getValue("entries");
    assert.equal(entry.balance, 9n * TOKEN);
    assert.equal(entry.initialBalance, 10n * TOKEN);
    const moved = await n.view("staking", "delegation", [alice, third]);
    assert.equal(moved.balance.amount, 9n * TOKEN);
    const validator = await n.validator(n.validators[0] as string);
    assert.equal(validator.tokens, (110n - 9n) * TOKEN);
    assert.equal(validator.status, UNBONDING);
    assert.equal((await n.control.state()).burnt, 11n * TOKEN);
    await n.control.unjail(first);
    assert.equal((await n.validator(n.validators[0] as string)).status, BONDED);
    await n.close();
  });

  it("rounds the shares that a slash takes from what was redelegated", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const [first, , third] = n.operators as [string, string, string];
    await n.send(alice, "staking", "delegate", [alice, first, 10n * TOKEN]);
    // 300 shares are worth 270 tokens now, so 10 tokens 11.1 recurring.
    await n.control.slash(third, { fraction: "0.1", jail: false });
    const { height } = await n.control.state();
    await n.send(alice, "staking", "redelegate", [
      alice,
      first,
      third,
      10n * TOKEN,
    ]);
    const moved = BigInt("1".repeat(38));
    const shares = async () =>
      (await n.view("staking", "delegation", [alice, third])).shares;
    assert.equal(await shares(), moved);
    await n.control.slash(first, {
      fraction: "0.05",
      jail: false,
      infractionHeight: height,
    });
    // A twentieth of them is 5...5.55 in the last place: rounded up.
    assert.equal(await shares(), moved - BigInt(`${"5".repeat(35)}6`));
    await n.close();
  });

  it("lets the last stake of a validator that is not bonded only be undelegated", async () => {
    const n = await start({ maxValidators: 2 });
    const owner = n.validators[0] as string;
    const [first, , third] = n.operators as [string, string, string];
    const move = (amount: bigint) => [owner, first, third, amount];
    // A validator goes with its last share, and the chain then misses it.
    const missing = "validator does not exist";
    const all = move(100n * TOKEN);
    await n.refused(owner, "staking", "redelegate", all, missing);
    // What is not bonded moves at once, which is the year 1 in the answer.
    const [moved] = await n.view(
      "staking",
      "redelegate",
      move(99n * TOKEN),
      owner,
    );
    assert.equal(moved, -62135596800n);
    await n.send(owner, "staking", "redelegate", move(99n * TOKEN));
    await n.refused(owner, "staking", "redelegate", move(TOKEN), missing);
    await n.send(owner, "staking", "undelegate", [owner, first, TOKEN]);
    assert.equal((await n.validator(owner)).operatorAddress, "");
    await n.close();
  });

  it("cannot list redelegations to a validator without shares", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const owner = n.validators[0] as string;
    const [first, second] = n.operators as [string, string];
    await n.send(alice, "staking", "delegate", [alice, second, TOKEN]);
    const move = [alice, second, first, TOKEN];
    await n.send(alice, "staking", "redelegate", move);
    const list = async (from = alice) =>
      await n.view("staking", "redelegations", [alice, "", "", PAGE], from);
    assert.equal((await list())[0].length, 1);
    await n.send(alice, "staking", "undelegate", [alice, first, TOKEN]);
    await n.send(owner, "staking", "undelegate", [owner, first, 100n * TOKEN]);
    // It was bonded, so it is there until it is unbonded. The chain divides by
    // its shares, and panics.
    assert.equal((await n.validator(owner)).status, UNBONDING);
    await assert.rejects(list(), /without a reason/);
    // A local node tells of what completes all the same.
    assert.equal((await list(SYSTEM))[0].length, 1);
    await n.control.advance(PERIOD + 1);
    assert.equal((await list())[0].length, 0);
    await n.close();
  });

  it("knows a validator again that was removed and created anew", async () => {
    const n = await start({ maxValidators: 2 });
    const [alice] = n.accounts as [string];
    const owner = n.validators[0] as string;
    const [first, second, third] = n.operators as [string, string, string];
    const move = async (from: string, to: string) =>
      await n.send(alice, "staking", "redelegate", [alice, from, to, TOKEN]);
    await n.send(alice, "staking", "delegate", [alice, third, 10n * TOKEN]);
    for (let i = 0; i < 6; i++) await move(third, first);
    const listed = [alice, third, first, PAGE];
    // The validator is not bonded: the last share takes it with it.
    await n.send(alice, "staking", "undelegate", [alice, first, 6n * TOKEN]);
    await n.send(owner, "staking", "undelegate", [owner, first, 100n * TOKEN]);
    await n.refused(
      alice,
      "staking",
      "redelegations",
      listed,
      "rpc error: code = Internal desc = validator does not exist",
    );
    await n.send(owner, "staking", "createValidator", [
      ["again", "", "", "", ""],
      [10n ** 17n, 2n * 10n ** 17n, 10n ** 16n],
      1n,
      owner,
      Buffer.alloc(32, 7).toString("base64"),
      50n * TOKEN,
    ]);
    await move(third, first);
    await n.refused(
      alice,
      "staking",
      "redelegate",
      [alice, first, second, TOKEN],
      "redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation",
    );
    await n.refused(
      alice,
      "staking",
      "redelegate",
      [alice, third, first, TOKEN],
      "too many redelegation entries for (delegator, src-validator, dst-validator) tuple",
    );
    const [list] = await n.view("staking", "redelegations", [
      alice,
      "",
      "",
      PAGE,
    ]);
    assert.equal(list.length, 1);
    assert.equal(list[0].getValue("entries").length, 7);
    // Its vote counts for those who do not vote.
    const bob = n.accounts[1] as string;
    await n.send(bob, "staking", "delegate", [bob, first, 300n * TOKEN]);
    await n.submit(alice, { messages: [] }, 10n * TOKEN);
    await n.send(owner, "governance", "vote", [owner, 1, 1, ""]);
    const [tally] = await n.view("governance", "getTallyResult", [1]);
    assert.equal(tally[0], String(351n * TOKEN));
    // A tenth of each entry, and the rest of 35 tokens from the validator.
    await n.send(alice, "staking", "undelegate", [alice, first, TOKEN]);
    await n.control.slash(first, {
      fraction: "0.1",
      jail: false,
      infractionHeight: 1n,
    });
    const [unbonding] = await n.view("staking", "unbondingDelegation", [
      alice,
      first,
    ]);
    const left = unbonding
      .getValue("entries")
      .map((entry: { balance: bigint }) => entry.balance);
    assert.deepEqual(left, [(54n * TOKEN) / 10n, (9n * TOKEN) / 10n]);
    assert.equal((await n.control.state()).burnt, 35n * TOKEN);
    await n.close();
  });

  it("keeps a validator that has lost everything, and refuses stake for it", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const [first] = n.operators as [string];
    await n.control.slash(first, { fraction: "1", jail: true });
    const validator = await n.validator(n.validators[0] as string);
    assert.equal(validator.tokens, 0n);
    assert.equal(validator.delegatorShares, 100n * TOKEN * TOKEN);
    await n.refused(
      alice,
      "staking",
      "delegate",
      [alice, first, TOKEN],
      "cannot delegate to validators with invalid (zero) ex-rate",
    );
    const owner = n.validators[0] as string;
    await n.refused(
      owner,
      "staking",
      "undelegate",
      [owner, first, TOKEN],
      "insufficient delegation shares",
    );
    await n.close();
  });

  it("removes a validator without delegations when it is unbonded, and pays its commission", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const [owner, operator] = [
      n.validators[0] as string,
      n.operators[0] as string,
    ];
    await n.send(alice, "distribution", "depositValidatorRewardsPool", [
      alice,
      operator,
      [["atest", 10n * TOKEN]],
    ]);
    const before = await n.balance(owner);
    await n.send(owner, "staking", "undelegate", [
      owner,
      operator,
      100n * TOKEN,
    ]);
    assert.equal((await n.balance(owner)) - before, 9n * TOKEN);
    assert.equal((await n.validator(owner)).jailed, true);
    await n.control.advance(PERIOD + 1);
    // The stake, and the commission of one tenth.
    assert.equal((await n.balance(owner)) - before, 110n * TOKEN);
    assert.equal((await n.validator(owner)).operatorAddress, "");
    const [list] = await n.view("staking", "validators", ["", PAGE]);
    assert.deepEqual(
      list.map((each: any) => each.operatorAddress),
      n.validators.slice(1),
    );
    assert.equal((await n.control.state()).validators, 2n);
    await n.close();
  });

  it("lists slashes in pages, each with the key of the next slash", async () => {
    const n = await start();
    const [first] = n.operators as [string];
    const { height } = await n.control.state();
    // 100 tokens, then 50, then 25. The validator's own delegation ended its
    // first period.
    for (const fraction of ["0.5", "0.5", "0.2"]) {
      await n.control.slash(first, { fraction, jail: false });
      await n.control.advance(1);
    }
    const uint64 = (value: bigint | number) =>
      BigInt(value).toString(16).padStart(16, "0");
    /** Heights and periods of slashes, as the chain's store has them. */
    const key = (i: number) =>
      `0x${uint64(height + BigInt(i))}${uint64(2 + i)}`;
    const page = async (from: number, to: number, request: unknown[]) => {
      const { slashes, pageResponse } = await n.view(
        "distribution",
        "validatorSlashes",
        [first, from, to, request],
      );
      return [
        ...slashes.map((each: any) => [
          each.validatorPeriod,
          each.fraction.value,
        ]),
        pageResponse.nextKey,
        pageResponse.total,
      ];
    };
    const half = TOKEN / 2n;
    const [a, b, c] = [
      [2n, half],
      [3n, half],
      [4n, TOKEN / 5n],
    ];
    assert.deepEqual(await page(0, 9, PAGE as any), [a, b, c, "0x", 3n]);
    assert.deepEqual(await page(0, 9, ["0x", 0, 1, false, false]), [
      a,
      key(1),
      0n,
    ]);
    assert.deepEqual(await page(0, 9, [key(1), 0, 1, false, false]), [
      b,
      key(2),
      0n,
    ]);
    assert.deepEqual(await page(0, 9, [key(2), 0, 1, false, false]), [
      c,
      "0x",
      0n,
    ]);
    assert.deepEqual(await page(0, 9, ["0x", 0, 1, true, true]), [
      c,
      key(1),
      3n,
    ]);
    assert.deepEqual(await page(3, 4, ["0x", 1, 1, true, false]), [
      c,
      "0x",
      2n,
    ]);
    await n.close();
  });

  it("lets the end of a page overflow, as the chain does", async () => {
    const n = await start();
    const most = 2n ** 64n - 1n;
    const page = async (status: string, offset: bigint, limit: bigint) => {
      const { validators, pageResponse } = await n.view(
        "staking",
        "validators",
        [status, ["0x", offset, limit, false, false]],
      );
      const { nextKey } = pageResponse;
      return [validators.map((each: any) => each.operatorAddress), nextKey];
    };
    const [a, b, c] = n.validators as [string, string, string];
    const key = (operator: string) => `0x14${operator.slice(2).toLowerCase()}`;
    assert.deepEqual(await page("", 1n, most - 1n), [[b, c], "0x"]);
    // One more, and the page ends at 0: the next one begins after no entry.
    assert.deepEqual(await page("", 1n, most), [[], key(a)]);
    assert.deepEqual(await page("", 2n, most), [[], key(b)]);
    // It ends at the most there can be: the next one begins at 0, where an
    // entry that does not pass still finds it.
    assert.deepEqual(await page("BOND_STATUS_BONDED", 0n, most), [
      [a, b, c],
      "0x",
    ]);
    await n.control.jail(n.operators[0] as string);
    assert.deepEqual(await page("BOND_STATUS_BONDED", 0n, most), [[], key(a)]);
    assert.deepEqual(await page("BOND_STATUS_BONDED", 0n, most - 1n), [
      [b, c],
      "0x",
    ]);
    await n.close();
  });

  it("skips, counts and continues with the proposals that pass a filter", async () => {
    const n = await start();
    const [alice = ""] = n.accounts;
    for (let id = 1; id <= 5; id++)
      await n.submit(alice, { messages: [] }, 10n * TOKEN);
    for (const id of [2, 4, 5])
      await n.send(alice, "governance", "vote", [alice, id, 1, ""]);
    const key = (id: number) => `0x${String(id).padStart(16, "0")}`;
    // What a real node answers: proposals, the next key, the total.
    const pages = [
      [["0x", 0, 1, false, false], [2], 3, 0],
      [["0x", 1, 1, false, false], [4], 5, 0],
      [["0x", 1, 1, true, false], [4], 5, 3],
      [["0x", 2, 1, true, false], [5], 0, 3],
      [["0x", 3, 1, true, false], [], 0, 3],
      [["0x", 0, 1, true, true], [5], 4, 3],
      [["0x", 1, 1, true, true], [4], 2, 3],
      [["0x", 2, 5, true, true], [2], 0, 3],
      [["0x", 0, 2, true, false], [2, 4], 5, 3],
      [[key(1), 0, 1, false, false], [2], 4, 0],
      [[key(2), 0, 1, false, false], [2], 4, 0],
      [[key(3), 0, 2, false, false], [4, 5], 0, 0],
      [[key(5), 0, 1, false, true], [5], 4, 0],
      [[key(4), 0, 1, false, true], [4], 2, 0],
      [[key(2), 0, 1, false, true], [2], 0, 0],
    ] as const;
    for (const [page, ids, next, total] of pages) {
      const { proposals, pageResponse } = await n.view(
        "governance",
        "getProposals",
        [0, alice, ZERO, page],
      );
      const found = [
        proposals.map(({ id }: { id: bigint }) => Number(id)),
        Number(pageResponse.nextKey === "0x" ? 0 : pageResponse.nextKey),
        Number(pageResponse.total),
      ];
      assert.deepEqual(found, [ids, next, total], `page ${page}`);
    }
    await n.close();
  });

  it("changes a commission at most once a day, by its maximum step", async () => {
    const n = await start();
    const owner = n.validators[0] as string;
    const keep = Array(5).fill("[do-not-modify]");
    const rate = (percent: bigint) => [
      keep,
      owner,
      (percent * TOKEN) / 100n,
      -1n,
    ];
    await n.refused(
      owner,
      "staking",
      "editValidator",
      rate(12n),
      "commission cannot be changed more than once in 24h",
    );
    await n.control.advance(24 * 3600);
    await n.refused(
      owner,
      "staking",
      "editValidator",
      rate(16n),
      "commission cannot be changed more than max change rate",
    );
    await n.refused(
      owner,
      "staking",
      "editValidator",
      rate(21n),
      "commission cannot be more than the max rate",
    );
    await n.send(owner, "staking", "editValidator", rate(15n));
    assert.equal((await n.validator(owner)).commission, (15n * TOKEN) / 100n);
    await n.close();
  });

  it("lets validators vote for the delegators that do not", async () => {
    const n = await start();
    const [alice, bob] = n.accounts as [string, string];
    const third = n.operators[2] as string;
    await n.send(alice, "staking", "delegate", [alice, third, 50n * TOKEN]);
    await n.send(bob, "staking", "delegate", [bob, third, 25n * TOKEN]);
    await n.submit(alice, {}, 10n * TOKEN);
    await n.send(n.validators[2] as string, "governance", "vote", [
      n.validators[2],
      1,
      1,
      "",
    ]);
    await n.send(bob, "governance", "vote", [bob, 1, 3, ""]);
    const [tally] = await n.view("governance", "getTallyResult", [1]);
    assert.equal(tally.yes, String(350n * TOKEN));
    assert.equal(tally.no, String(25n * TOKEN));
    await n.control.advanceToVoteEnd(1);
    assert.equal((await n.proposal(1)).status, 3n);
    await n.close();
  });

  it("counts what shares are worth after a slash", async () => {
    const n = await start();
    const [alice, bob] = n.accounts as [string, string];
    const strongest = n.validators[2] as string;
    const third = n.operators[2] as string;
    await n.send(alice, "staking", "delegate", [alice, third, 7n]);
    await n.control.slash(third, { fraction: "0.3", jail: false });
    await n.send(bob, "staking", "delegate", [bob, third, 11n]);
    await n.submit(alice, {}, 10n * TOKEN);
    await n.send(alice, "governance", "vote", [alice, 1, 3, ""]);
    const split = [
      [1, "0.3"],
      [2, "0.3"],
      [4, "0.4"],
    ];
    await n.send(bob, "governance", "voteWeighted", [bob, 1, split, ""]);
    await n.send(strongest, "governance", "vote", [strongest, 1, 1, ""]);
    const { tokens, delegatorShares: total } = await n.validator(strongest);
    const shares = async (delegator: string) =>
      (await n.view("staking", "delegation", [delegator, third]))[0] as bigint;
    const half = (a: bigint, b: bigint) => {
      const [whole, rest] = [a / b, a % b];
      const up = rest * 2n > b || (rest * 2n === b && whole % 2n === 1n);
      return up ? whole + 1n : whole;
    };
    // 36 places, the rest cut off, then rounded to 18, half to even.
    const power = (s: bigint) =>
      half((s * tokens * TOKEN * TOKEN) / total, TOKEN);
    const [ofAlice, ofBob] = [await shares(alice), await shares(bob)];
    const times = (weight: bigint) => half(power(ofBob) * weight, TOKEN);
    const yes = times(3n * 10n ** 17n) + power(total - ofAlice - ofBob);
    const [tally] = await n.view("governance", "getTallyResult", [1]);
    assert.deepEqual(
      [tally.yes, tally.abstain, tally.no, tally.noWithVeto],
      [yes, times(3n * 10n ** 17n), power(ofAlice), times(4n * 10n ** 17n)].map(
        (each) => String(each / TOKEN),
      ),
    );
    await n.close();
  });

  it("turns an expedited proposal that fails into an ordinary one", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const before = await n.balance(alice);
    await n.submit(alice, { expedited: true }, 50n * TOKEN);
    for (const [i, option] of [
      [1, 3],
      [2, 1],
    ] as const) {
      await n.send(n.validators[i] as string, "governance", "vote", [
        n.validators[i],
        1,
        option,
        "",
      ]);
    }
    // 300 of 500 is less than 66.7 %.
    await n.control.advanceToVoteEnd(1);
    const proposal = await n.proposal(1);
    assert.equal(proposal.status, 2n);
    assert.equal(
      proposal.votingEndTime - proposal.votingStartTime,
      BigInt(PERIOD),
    );
    assert.equal(
      (await n.view("governance", "getVotes", [1, PAGE])).votes.length,
      0,
    );
    await n.send(n.validators[2] as string, "governance", "vote", [
      n.validators[2],
      1,
      1,
      "",
    ]);
    await n.control.advanceToVoteEnd(1);
    assert.equal((await n.proposal(1)).status, 3n);
    assert.equal(await n.balance(alice), before);
    await n.close();
  });

  it("keeps the deposits of an expedited proposal that is vetoed", async () => {
    const n = await start();
    const [alice, bob] = n.accounts as [string, string];
    const before = await n.balance(alice);
    await n.submit(alice, { expedited: true }, 50n * TOKEN);
    await n.send(bob, "governance", "deposit", [bob, 1, [["atest", TOKEN]]]);
    const strongest = n.validators[2] as string;
    await n.send(strongest, "governance", "vote", [strongest, 1, 4, ""]);
    await n.control.advanceToVoteEnd(1);
    const converted = await n.proposal(1);
    assert.equal(converted.status, 2n);
    assert.equal(converted.finalTallyResult.noWithVeto, String(300n * TOKEN));
    const deposits = (await n.view("governance", "getDeposits", [1, PAGE]))[0];
    assert.deepEqual(
      deposits.map((each: any) => each.amount[0].amount).sort(),
      [TOKEN, 50n * TOKEN],
    );
    // As an ordinary one it is not vetoed, and the deposits return.
    await n.send(strongest, "governance", "vote", [strongest, 1, 3, ""]);
    await n.control.advanceToVoteEnd(1);
    assert.equal((await n.proposal(1)).status, 4n);
    assert.equal(await n.balance(alice), before);
    // Vetoed again, its deposits are burnt.
    await n.submit(alice, { expedited: true }, 50n * TOKEN);
    for (const status of [2n, 4n]) {
      await n.send(strongest, "governance", "vote", [strongest, 2, 4, ""]);
      await n.control.advanceToVoteEnd(2);
      assert.equal((await n.proposal(2)).status, status);
    }
    assert.equal(await n.balance(alice), before - 50n * TOKEN);
    await n.close();
  });

  it("keeps a deposit of nothing if the parameters allow it", async () => {
    const n = await start({ governance: { minDepositRatio: 0 } });
    const [alice, bob] = n.accounts as [string, string];
    const json = '{"title":"t","summary":"s","metadata":"m"}';
    await n.send(alice, "governance", "submitProposal", [
      alice,
      toUtf8Bytes(json),
      [],
    ]);
    const deposits = async () =>
      (await n.view("governance", "getDeposits", [1, PAGE]))[0].map(
        (each: any) => [each.depositor, [...each.amount].map((c) => c.amount)],
      );
    const [deposit] = await n.view("governance", "getDeposit", [1, alice]);
    assert.deepEqual([...deposit.amount], []);
    assert.deepEqual(await deposits(), [[getAddress(alice), []]]);
    const of = async (depositor: string) => {
      const args = [0, ZERO, depositor, PAGE];
      return (await n.view("governance", "getProposals", args))[0].length;
    };
    assert.deepEqual([await of(alice), await of(bob)], [1, 0]);
    await n.send(bob, "governance", "deposit", [bob, 1, [["atest", 3n]]]);
    assert.deepEqual(
      await deposits(),
      [
        [getAddress(bob), [3n]],
        [getAddress(alice), []],
      ].sort(),
    );
    await n.send(alice, "governance", "deposit", [alice, 1, [["atest", 2n]]]);
    const [more] = await n.view("governance", "getDeposit", [1, alice]);
    assert.equal(more.amount[0].amount, 2n);
    await n.send(alice, "governance", "cancelProposal", [alice, 1]);
    assert.deepEqual(await deposits(), []);
    await n.close();
  });

  it("gives no charge of a cancelled proposal to a module", async () => {
    const n = await start({
      governance: { proposalCancelDest: GOV_ACCOUNT },
    });
    const [alice] = n.accounts as [string];
    await n.submit(alice, {}, 10n * TOKEN);
    await n.refused(
      alice,
      "governance",
      "cancelProposal",
      [alice, 1],
      `${GOV_ACCOUNT} is not allowed to receive funds: unauthorized`,
    );
    await n.close();
  });

  it("executes all messages of a proposal, or none", async () => {
    const n = await start();
    const [alice, bob] = n.accounts as [string, string];
    await n.send(alice, "distribution", "fundCommunityPool", [
      alice,
      [["atest", 5n * TOKEN]],
    ]);
    const spend = (amount: bigint) => ({
      "@type": "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend",
      authority: GOV_ACCOUNT,
      recipient: bob,
      amount: [{ denom: "atest", amount: String(amount) }],
    });
    await n.submit(
      alice,
      { messages: [spend(2n * TOKEN), spend(4n * TOKEN)] },
      10n * TOKEN,
    );
    await n.submit(
      alice,
      { messages: [spend(2n * TOKEN), spend(3n * TOKEN)] },
      10n * TOKEN,
    );
    for (const id of [1, 2]) {
      await n.send(n.validators[2] as string, "governance", "vote", [
        n.validators[2],
        id,
        1,
        "",
      ]);
    }
    const before = await n.balance(bob);
    await n.control.advanceToVoteEnd(1);
    assert.equal((await n.proposal(1)).status, 5n);
    assert.equal(await n.balance(bob), before);
    await n.control.advanceToVoteEnd(2);
    assert.equal((await n.proposal(2)).status, 3n);
    assert.equal(await n.balance(bob), before + 5n * TOKEN);
    await n.close();
  });

  it("changes the parameters that a proposal changes", async () => {
    const n = await start({
      rewardRate: "0.1",
      governance: {
        votingPeriod: PERIOD,
        expeditedVotingPeriod: PERIOD / 2,
        minDeposit: "10",
      },
    });
    const [alice] = n.accounts as [string];
    const staking = {
      unbonding_time: "1m30s",
      max_validators: 2,
      max_entries: 1,
      historical_entries: 1,
      bond_denom: "atest",
      min_commission_rate: "0.15",
    };
    const tax = (community_tax: string) => ({
      community_tax,
      base_proposer_reward: "0",
      bonus_proposer_reward: "0",
      withdraw_addr_enabled: true,
    });
    const both = [
      update("staking.v1beta1", staking),
      update("distribution.v1beta1", tax("0.25")),
    ];
    assert.equal(await n.pass(1, ...both), 3n);
    // The set now has two validators; existing commissions stay.
    const [weakest = "", , strongest = ""] = n.validators;
    assert.equal((await n.validator(weakest)).status, UNBONDING);
    assert.equal((await n.validator(strongest)).commission, TOKEN / 10n);
    const keep = Array(5).fill("[do-not-modify]");
    await n.refused(
      strongest,
      "staking",
      "editValidator",
      [keep, strongest, (12n * TOKEN) / 100n, -1n],
      "commission rate cannot be less than the min commission rate 0.150000000000000000: invalid request",
    );
    const [operator] = n.operators.slice(-1);
    const delegate = [alice, operator, TOKEN];
    await n.send(alice, "staking", "delegate", delegate);
    const time = (await n.rpc("eth_getBlockByNumber", "latest", false))
      .timestamp;
    await n.rpc("evm_setNextBlockTimestamp", Number(time) + 1);
    await n.send(alice, "staking", "undelegate", [alice, operator, 1n]);
    const again = [alice, operator, 1n];
    const full =
      "too many unbonding delegation entries for (delegator, validator) tuple";
    await n.refused(alice, "staking", "undelegate", again, full);
    const [unbonding] = await n.view("staking", "unbondingDelegation", [
      alice,
      operator,
    ]);
    assert.equal(unbonding[2][0].completionTime, BigInt(time) + 91n);
    // A quarter of the rewards goes to the community pool.
    const pool = async () => {
      const [coins] = await n.view("distribution", "communityPool", []);
      return (coins[0]?.amount ?? 0n) as bigint;
    };
    const before = await pool();
    await n.control.advance(365 * 86_400);
    // A quarter of 10 % for a year on 501 tokens, plus this test's seconds.
    const year = (501n * TOKEN) / 40n;
    const unsettled = (await pool()) - before;
    await n.send(alice, "distribution", "withdrawDelegatorRewards", [
      alice,
      operator,
    ]);
    const taxed = (await pool()) - before;
    // Each amount is rounded down.
    assert.ok(
      unsettled <= taxed + 3n && unsettled > year - 3n,
      String(unsettled),
    );
    assert.ok(taxed >= year && taxed < year + TOKEN / 1000n, String(taxed));
    // Messages that the chain refuses fail as a whole, and change nothing.
    const bad = [
      update("staking.v1beta1", { ...staking, max_entries: 5 }),
      update("distribution.v1beta1", tax("1.5")),
    ];
    assert.equal(await n.pass(2, ...bad), 5n);
    await n.send(alice, "staking", "undelegate", again);
    await n.refused(alice, "staking", "undelegate", again, full);
    await n.close();
  });

  it("says why the chain refuses parameters, as the chain does", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const taxes = {
      community_tax: "0.1",
      base_proposer_reward: "0",
      bonus_proposer_reward: "0",
      withdraw_addr_enabled: true,
    };
    const right = {
      unbonding_time: "600s",
      max_validators: 100,
      max_entries: 7,
      historical_entries: 1,
      bond_denom: "atest",
      min_commission_rate: "0.1",
    };
    const wrong: readonly [object, string][] = [
      [
        { ...right, unbonding_time: "0s", max_entries: 0 },
        "unbonding time must be positive: 0",
      ],
      [
        { ...right, unbonding_time: "-1.5s" },
        "unbonding time must be positive: -1500000000",
      ],
      [
        { ...right, max_validators: 0, max_entries: 0 },
        "max validators must be positive: 0",
      ],
      [
        { ...right, max_entries: 0, bond_denom: "" },
        "max entries must be positive: 0",
      ],
      [{ ...right, bond_denom: "" }, "bond denom cannot be blank"],
      [
        { ...right, bond_denom: "1", min_commission_rate: "2" },
        "invalid denom: 1",
      ],
      [
        { ...right, min_commission_rate: "-0.1" },
        "minimum commission rate cannot be negative: -0.100000000000000000",
      ],
      [
        { ...right, min_commission_rate: "1.5" },
        "minimum commission rate cannot be greater than 100%: 1.500000000000000000",
      ],
      [
        { ...taxes, community_tax: "2", bonus_proposer_reward: "0.1" },
        "cannot update base or bonus proposer reward because these are deprecated fields: invalid request",
      ],
      [
        { ...taxes, community_tax: "-0.5" },
        "community tax must be positive: -0.500000000000000000",
      ],
      [
        { ...taxes, community_tax: "1.000000000000000001" },
        "community tax too large: 1.000000000000000001",
      ],
    ];
    // What is missing or null is stored as 0, which is a rate.
    const accepted = [
      { ...right, min_commission_rate: undefined },
      { ...right, min_commission_rate: "-0" },
      { ...taxes, community_tax: "-0" },
    ];
    const all = [...wrong.map(([params]) => params), right, ...accepted];
    const strongest = n.validators[2] as string;
    for (const [i, params] of all.entries()) {
      const module = "community_tax" in params ? "distribution" : "staking";
      const message = update(`${module}.v1beta1`, params);
      await n.submit(alice, { messages: [message] }, 10n * TOKEN);
      await n.send(strongest, "governance", "vote", [strongest, i + 1, 1, ""]);
    }
    await n.control.advance(PERIOD + 60);
    const system = new Interface(systemAbi);
    const failureOf = async (id: number) => {
      const data = system.encodeFunctionData("proposalContents", [id]);
      const to = PRECOMPILES.staking.address;
      const request = { from: SYSTEM, to, data };
      const raw = await n.rpc("eth_call", request, "latest");
      return system.decodeFunctionResult("proposalContents", raw)[2];
    };
    for (const [i, [, reason]] of wrong.entries()) {
      assert.equal((await n.proposal(i + 1)).status, 5n);
      assert.equal(await failureOf(i + 1), reason);
    }
    for (let id = wrong.length + 1; id <= all.length; id++)
      assert.equal((await n.proposal(id)).status, 3n);
    // The last ones allow any rate.
    await n.send(alice, "staking", "createValidator", [
      ["alice", "", "", "", ""],
      [0n, TOKEN, TOKEN],
      1n,
      alice,
      Buffer.alloc(32, 7).toString("base64"),
      TOKEN,
    ]);
    await n.close();
  });

  it("spends no deposits, and refuses messages that it cannot carry out", async () => {
    const n = await start();
    const [alice, bob] = n.accounts as [string, string];
    const send = {
      "@type": "/cosmos.bank.v1beta1.MsgSend",
      from_address: GOV_ACCOUNT,
      to_address: bob,
      amount: [{ denom: "atest", amount: "1" }],
    };
    await n.submit(alice, { messages: [send] }, 10n * TOKEN);
    await n.submit(alice, { messages: [] }, 3n * TOKEN);
    const voter = n.validators[2];
    await n.send(voter ?? "", "governance", "vote", [voter, 1, 1, ""]);
    const before = await n.balance(alice);
    await n.control.advanceToVoteEnd(1);
    assert.equal((await n.proposal(1)).status, 5n);
    assert.equal(await n.balance(alice), before + 10n * TOKEN);
    await n.control.advance(PERIOD);
    assert.equal(await n.balance(alice), before + 13n * TOKEN);
    const upgrade = {
      "@type": "/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade",
      authority: GOV_ACCOUNT,
      plan: { name: "v2", height: "1000000", info: "" },
    };
    const json = {
      title: "t",
      summary: "s",
      metadata: "",
      messages: [upgrade],
    };
    const args = [
      alice,
      toUtf8Bytes(JSON.stringify(json)),
      [["atest", 10n * TOKEN]],
    ];
    await n.refused(
      alice,
      "governance",
      "submitProposal",
      args,
      "local precompiles: /cosmos.upgrade.v1beta1.MsgSoftwareUpgrade is not carried out on a simulated network; set dualstack.localnet.governance.ignoreUnknownMessages to submit it anyway",
    );
    await n.close();
    const lenient = await start({
      governance: { ignoreUnknownMessages: true },
    });
    await lenient.send(alice, "governance", "submitProposal", args);
    await lenient.close();
  });

  it("reads the messages of a proposal as the chain does", async () => {
    const n = await start({ governance: { ignoreUnknownMessages: true } });
    const [alice, bob] = n.accounts as [string, string];
    const send = (members: string) =>
      `{"@type":"/cosmos.bank.v1beta1.MsgSend",${members}}`;
    const from = `"from_address":"${GOV_ACCOUNT}"`;
    const updating = (module: string, params: string) =>
      `{"@type":"/cosmos.${module}.MsgUpdateParams","authority":"${GOV_ACCOUNT}","params":${params}}`;
    const ACCEPTED = "";
    const MSG_SEND =
      "message 0: can't unmarshal Any nested proto *types.MsgSend: ";
    const PARAMS =
      "message 0: can't unmarshal Any nested proto *types.MsgUpdateParams: ";
    const NUMBER = "math/big: cannot unmarshal";
    const cases: [string, string][] = [
      // What contains a message.
      ["null", "message 0: Any JSON doesn't have '@type'"],
      ['{"@type":null}', "message 0: Any JSON doesn't have '@type'"],
      ['{"@type":5}', "message 0: can't unmarshal Any's '@type': \"5\""],
      [
        '{"@type":["a"]}',
        "message 0: can't unmarshal Any's '@type': \"[\\\"a\\\"]\"",
      ],
      [
        "7",
        "message 0: json: cannot unmarshal number into Go value of type map[string]*json.RawMessage",
      ],
      // The last member of a name counts; camel case counts more.
      [
        `{"@type":"/x.y","@type":"/cosmos.bank.v1beta1.MsgSend",${from}}`,
        ACCEPTED,
      ],
      [send(`"from_address":7,${from}`), ACCEPTED],
      [send(`"fromAddress":"${GOV_ACCOUNT}","from_address":7`), ACCEPTED],
      [
        send(`${from},"from_address":null`),
        "empty address string is not allowed: invalid address",
      ],
      // Known fields come first, in their order; of the others the first in the alphabet is named.
      [
        send(`"x":1,"amount":5,"to_address":6,${from}`),
        `${MSG_SEND}json: cannot unmarshal number into Go value of type string`,
      ],
      [
        send(`"x":1,"b\\"":2,"amount":[{"y":1}],${from}`),
        `${MSG_SEND}unknown field "y" in types.Coin`,
      ],
      [
        send(`"x":1,"b\\"":2,${from}`),
        `${MSG_SEND}unknown field "b\\"" in types.MsgSend`,
      ],
      // Null is an empty coin, or an empty text, but no number.
      [send(`${from},"amount":[null]`), ACCEPTED],
      [send(`${from},"amount":null`), ACCEPTED],
      [send(`${from},"amount":[{"denom":null,"amount":"1"}]`), ACCEPTED],
      [
        send(`${from},"amount":[{"amount":null}]`),
        `${MSG_SEND}${NUMBER} "" into a *big.Int`,
      ],
      [
        send(`${from},"amount":[{"amount":"1\\"2"}]`),
        `${MSG_SEND}${NUMBER} "1\\"2" into a *big.Int`,
      ],
      // Numbers may be texts.
      [
        updating("staking.v1beta1", '{"max_validators":"5","maxEntries":"6"}'),
        ACCEPTED,
      ],
      [
        updating("staking.v1beta1", '{"max_validators":"x"}'),
        `${PARAMS}invalid character 'x' looking for beginning of value`,
      ],
      [
        updating("staking.v1beta1", '{"max_entries":""}'),
        `${PARAMS}unexpected end of JSON input`,
      ],
      [
        updating("staking.v1beta1", '{"max_entries":"true"}'),
        `${PARAMS}json: cannot unmarshal bool into Go value of type uint32`,
      ],
      [
        updating("staking.v1beta1", '{"max_entries":"-1"}'),
        `${PARAMS}json: cannot unmarshal number -1 into Go value of type uint32`,
      ],
      [
        updating("staking.v1beta1", '{"unbonding_time":null}'),
        `${PARAMS}bad Duration: time: invalid duration ""`,
      ],
      [
        updating("staking.v1beta1", '{"unbonding_time":"3\\u00e9"}'),
        `${PARAMS}bad Duration: time: unknown unit "\\xc3\\xa9" in duration "3\\xc3\\xa9"`,
      ],
      [updating("gov.v1", '{"voting_period":null}'), ACCEPTED],
      // Decimals.
      ...(
        [
          ["null", "decimal string cannot be empty"],
          ['"-"', "decimal string cannot be empty"],
          ['"1."', "invalid decimal length"],
          ['".5"', "invalid decimal length"],
          ['"1.2.3"', "invalid decimal string"],
          [
            '"0.1234567890123456789"',
            "value '0.1234567890123456789' exceeds max precision by -1 decimal places: max precision 18",
          ],
          [
            '"-0.1x"',
            "failed to set decimal string with base 10: 01x0000000000000000",
          ],
          [
            '"abc"',
            "failed to set decimal string with base 10: abc000000000000000000",
          ],
          ["5", "json: cannot unmarshal number into Go value of type string"],
        ] as const
      ).map(([text, reason]): [string, string] => [
        updating("distribution.v1beta1", `{"community_tax":${text}}`),
        PARAMS + reason,
      ]),
      [
        updating(
          "distribution.v1beta1",
          `{"community_tax":"1${"0".repeat(60)}"}`,
        ),
        ACCEPTED,
      ],
    ];
    const args = (json: Uint8Array) => [alice, json, [["atest", 10n * TOKEN]]];
    const proposal = (messages: string) =>
      toUtf8Bytes(
        `{"title":"a","summary":"b","metadata":"m","messages":${messages}}`,
      );
    for (const [message, reason] of cases) {
      const given = args(proposal(`[${message}]`));
      if (reason !== ACCEPTED) {
        const told = reason.replaceAll("\\'", "'");
        await n.refused(alice, "governance", "submitProposal", given, told);
        continue;
      }
      const [id] = await n.view("governance", "submitProposal", given, alice);
      assert.equal(id, 1n, message);
    }
    // Null takes a list away, but leaves texts.
    await n.send(
      alice,
      "governance",
      "submitProposal",
      args(
        toUtf8Bytes(
          `{"title":"a","title":null,"summary":"b","metadata":"m","messages":[${send(from)}],"messages":null}`,
        ),
      ),
    );
    assert.deepEqual([...(await n.proposal(1)).messages], []);
    assert.equal((await n.proposal(1)).title, "a");
    // What is no UTF-8 is replaced, byte by byte.
    const broken = [0xff, 0x61, 0xc3, 0xed, 0xa0, 0x80, 0xc3, 0xa9, 0xe2, 0x82];
    await n.send(
      alice,
      "governance",
      "submitProposal",
      args(
        Uint8Array.from([
          ...toUtf8Bytes('{"summary":"b","metadata":"m","title":"'),
          ...broken,
          ...toUtf8Bytes('\\u00e9"}'),
        ]),
      ),
    );
    const bad = "\ufffd";
    assert.equal(
      (await n.proposal(2)).title,
      `${bad}a${bad}${bad}${bad}${bad}\u00e9${bad}${bad}\u00e9`,
    );
    // A weight that is refused is told as in the framework's texts.
    await n.refused(
      bob,
      "governance",
      "voteWeighted",
      [bob, 1, [[1, 'a"\\\n\u00e9\u0001']], ""],
      'option:VOTE_OPTION_YES weight:"a\\"\\\\\\n\\303\\251\\001" : invalid vote option',
    );
    await n.close();
  });

  it("changes parameters to what the chain makes of them", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const staking = {
      unbonding_time: "90s",
      max_validators: "3",
      max_entries: 7,
      historical_entries: 1,
      bond_denom: "atest",
    };
    assert.equal(await n.pass(1, update("staking.v1beta1", staking)), 3n);
    const rewards = { withdraw_addr_enabled: true };
    assert.equal(await n.pass(2, update("distribution.v1beta1", rewards)), 3n);
    // The chain does not limit the threshold of expedited proposals.
    const governance = {
      min_deposit: [{ denom: "atest", amount: "10" }],
      max_deposit_period: "9s",
      voting_period: "8s",
      quorum: "0.334",
      threshold: "0.5",
      veto_threshold: "0.334",
      min_initial_deposit_ratio: "0",
      proposal_cancel_ratio: "0.5",
      expedited_voting_period: "7s",
      expedited_threshold: "1.5",
      expedited_min_deposit: [{ denom: "atest", amount: "20" }],
      min_deposit_ratio: "0",
    };
    assert.equal(await n.pass(3, update("gov.v1", governance)), 3n);
    const [params] = await n.view("governance", "getParams", []);
    assert.equal(params.expeditedThreshold, "1.5");
    await n.submit(alice, { expedited: true }, 20n);
    for (const operator of n.validators)
      await n.send(operator, "governance", "vote", [operator, 4, 1, ""]);
    const { votingStartTime } = await n.proposal(4);
    await n.control.advanceToVoteEnd(4);
    const { status, votingEndTime } = await n.proposal(4);
    assert.equal(status, 2n);
    assert.equal(votingEndTime - votingStartTime, 8n);
    await n.close();
  });

  it("reports errors in a proposal's JSON as the chain does", async () => {
    const n = await start();
    const [alice] = n.accounts as [string];
    const cases: [string, string][] = [
      [
        '{"title":1}',
        "invalid proposal JSON: json: cannot unmarshal number into Go struct field .title of type string",
      ],
      [
        '{"expedited":"yes"}',
        "invalid proposal JSON: json: cannot unmarshal string into Go struct field .expedited of type bool",
      ],
      [
        '{"messages":{}}',
        "invalid proposal JSON: json: cannot unmarshal object into Go struct field .messages of type []json.RawMessage",
      ],
      ['{"title":"a"', "invalid proposal JSON: unexpected end of JSON input"],
      [
        '{"title":"a"} x',
        "invalid proposal JSON: invalid character 'x' after top-level value",
      ],
      [
        '{"title":tru}',
        "invalid proposal JSON: invalid character '}' in literal true (expecting 'e')",
      ],
      [
        '{"title":"a\\q"}',
        "invalid proposal JSON: invalid character 'q' in string escape code",
      ],
      [
        '{"a":01}',
        "invalid proposal JSON: invalid character '1' after object key:value pair",
      ],
      [
        "[1,]",
        "invalid proposal JSON: invalid character ']' looking for beginning of value",
      ],
      ["null", "proposal title cannot be empty: invalid request"],
      [
        '{"TITLE":"a","summary":"\\u0062","messages":[{"@type":"/x.y"}]}',
        "message 0: unable to resolve type URL /x.y",
      ],
      [
        '{"title":"a","summary":"b","metadata":"{\\"title\\":\\"a\\",\\"summary\\":\\"c\\"}"}',
        "metadata summary \\'c\\' must equal proposal summary \\'b\\': invalid proposal content",
      ],
    ];
    for (const [json, reason] of cases) {
      const args = [alice, toUtf8Bytes(json), [["atest", 10n * TOKEN]]];
      await assert.rejects(
        n.view("governance", "submitProposal", args, alice),
        (error: Error) => {
          assert.ok(
            error.message.includes(reason.replaceAll("\\'", "'")),
            `${json}: ${error.message}`,
          );
          return true;
        },
      );
    }
    await n.close();
  });
});

describe("precompiles that not every chain has", () => {
  it("are absent if the chain does not have them", async () => {
    const { rpc, validator, validators, close } = await start();
    await validator(validators[0] ?? "");
    for (const name of ["slashing", "bank"] as const) {
      const to = PRECOMPILES[name].address;
      assert.equal(await rpc("eth_getCode", to, "latest"), "0x");
      assert.equal(await rpc("eth_call", { to, data: "0x18160ddd" }), "0x");
    }
    await close();
  });

  it("report signatures, release from jail, and report the native coin's supply", async () => {
    const chain = await start({}, PRECOMPILE_NAMES);
    const { rpc, control, view, refused, validators, accounts } = chain;
    const [, , strongest = ""] = validators;
    const consensusOf = async (operator: string) => {
      const { consensusPubkey } = await chain.validator(operator);
      const key = Buffer.from(consensusPubkey, "base64");
      const hash = createHash("sha256").update(key).digest("hex");
      return getAddress(`0x${hash.slice(0, 40)}`);
    };
    const consensus = await consensusOf(strongest);
    const height = async () => BigInt(await rpc("eth_blockNumber"));
    const info = async () =>
      (await view("slashing", "getSigningInfo", [consensus]))[0].toObject();

    // ---- parameters and signatures

    const [params] = await view("slashing", "getParams", []);
    assert.deepEqual(params.toObject(true), {
      signedBlocksWindow: 100n,
      minSignedPerWindow: { value: TOKEN / 2n, precision: 18n },
      downtimeJailDuration: 600n,
      slashFractionDoubleSign: { value: TOKEN / 20n, precision: 18n },
      slashFractionDowntime: { value: TOKEN / 100n, precision: 18n },
    });
    await rpc("hardhat_mine", "0x5");
    const [infos, page] = await view("slashing", "getSigningInfos", [PAGE]);
    const expected = await Promise.all(validators.map(consensusOf));
    assert.deepEqual(
      infos.map(([address]: [string]) => address),
      [...expected].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)),
    );
    assert.equal(page.total, 3n);
    assert.deepEqual(await info(), {
      validatorAddress: consensus,
      startHeight: 0n,
      indexOffset: (await height()) - 1n,
      jailedUntil: 0n,
      tombstoned: false,
      missedBlocksCounter: 0n,
    });
    const noAddress = `0x${"0".repeat(40)}`;
    const from = getAddress(accounts[0] ?? "");
    const ask = async (name: string, args: unknown[], reason: string) =>
      await refused(from, "slashing", name, args, reason);
    await ask("getSigningInfo", [noAddress], "invalid consensus address");
    await ask(
      "getSigningInfo",
      [from],
      `rpc error: code = NotFound desc = SigningInfo not found for validator ${consensusAddress("cosmos", from.slice(2))}`,
    );

    // ---- jail

    const leave = async (operator: string, reason: string) =>
      await refused(operator, "slashing", "unjail", [operator], reason);
    await refused(
      from,
      "slashing",
      "unjail",
      [strongest],
      `msg.sender address ${from} does not match the requester address ${strongest}`,
    );
    await leave(from, "validator does not exist");
    await leave(strongest, "validator not jailed; cannot be unjailed");
    const before = await control.state();
    await control.slash(strongest);
    const { timestamp } = await rpc("eth_getBlockByNumber", "latest", false);
    const jailed = await info();
    assert.equal(jailed.jailedUntil, BigInt(timestamp) + 600n);
    assert.equal(jailed.indexOffset, 0n);
    await leave(strongest, "validator still jailed; cannot be unjailed");
    await rpc("evm_increaseTime", 601);
    const receipt = await chain.send(strongest, "slashing", "unjail", [
      strongest,
    ]);
    const [log] = receipt.logs;
    assert.equal(log.address, PRECOMPILES.slashing.address);
    assert.equal(interfaces.slashing.parseLog(log)?.args.validator, strongest);
    const { jailed: stillJailed, status } = await chain.validator(strongest);
    assert.deepEqual([stillJailed, status], [false, 3n]);
    const after = await info();
    assert.equal(after.startHeight, BigInt(receipt.blockNumber));
    assert.equal(after.jailedUntil, jailed.jailedUntil);

    // ---- the bank

    const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
    const supply = async () =>
      (await view("bank", "totalSupply", []))[0].toArray(true);
    const sum = async () => {
      const all = [...accounts, ...Object.values(MODULE_ACCOUNTS)];
      const balances = await Promise.all(all.map(chain.balance));
      return balances.reduce((one, other) => one + other, 0n);
    };
    const [held] = await view("bank", "balances", [from]);
    assert.deepEqual(held.toArray(true), [[native, await chain.balance(from)]]);
    const stranger = "0x00000000000000000000000000000000000abcde";
    assert.deepEqual((await view("bank", "balances", [stranger]))[0].length, 0);
    assert.deepEqual(await supply(), [[native, await sum()]]);
    assert.deepEqual(
      (await view("bank", "supplyOf", [native]))[0],
      await sum(),
    );
    assert.equal((await view("bank", "supplyOf", [from]))[0], 0n);
    const { burnt } = await control.state();
    assert.equal(burnt - before.burnt, 3n * TOKEN);
    await rpc("hardhat_setBalance", from, "0x1");
    await rpc("hardhat_setBalance", accounts[1], "0x56bc75e2d63100000");
    assert.deepEqual(await supply(), [[native, await sum()]]);
    await chain.close();
  });
});
