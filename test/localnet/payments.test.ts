import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import {
  getAddress,
  getCreateAddress,
  HDNodeWallet,
  Interface,
  Mnemonic,
} from "ethers";

import { PRECOMPILES } from "../../src/precompiles/catalog.js";
import { toQuantity } from "../../src/rpc/quantities.js";
import { drawsOf } from "../soak/random.js";
import { VALOPER } from "./actions.js";
import { createNetwork, createNetworkOn2, type NetworkOn2 } from "./network.js";
import {
  type Action,
  ACTIONS,
  assemble,
  calling,
  cloneOf,
  FACTORY,
  FORWARDER,
  hashOf,
  POOL,
  type Program,
  SENSORS,
  SINK,
  UNIT,
} from "./programs.js";

// Compares what contracts see while they pay, and what they pay, with an
// oracle; see programs.ts. For more cases, or others:
//   DUALSTACK_PAYMENT_CASES=5000 DUALSTACK_PAYMENT_SEED=7
const CASES = Number(process.env.DUALSTACK_PAYMENT_CASES ?? 40);
const SEED = Number(process.env.DUALSTACK_PAYMENT_SEED ?? 1);
/**
 * Seeds of cases that once went wrong: the sender's balance without the fee
 * made a difference, or gas was estimated before the payers' code was in place,
 * or with that of other payers than planned, or a payer's code that another
 * transaction of the block replaced was seen before.
 */
const ONCE_WRONG = [9_000_094, 9_000_095, 31_000_012, 51_000_176];

/**
 * Sent without a gas limit, or with an estimated one: a constructor, a contract
 * and a clone that read fees, which a trace does not have, and so take another
 * path in their block.
 */
const WITHOUT_GAS: Case = {
  programs: [
    [
      { sensor: "gasPrice", modulus: 997, action: "send", looks: false },
      { sensor: "selfBalance", modulus: 7, action: "delegate", looks: false },
    ],
    [{ sensor: "baseFee", modulus: 997, action: "delegate", looks: false }],
  ],
  blocks: (["constructor", "contract", "clone"] as const).flatMap((way) =>
    [
      { program: 0, estimated: false },
      { program: 1, estimated: false },
      { program: 0, estimated: true },
    ].map((how) => ({
      byHand: false,
      undone: false,
      txs: [
        {
          ...{ kind: "run", way, from: 0, forwarded: false, ...how },
          ...{ value: 1_000, price: 1, withoutGas: true },
        },
      ],
    })),
  ),
};

const MNEMONIC = Mnemonic.fromPhrase(
  "test test test test test test test test test test test junk",
);
const TOKEN = 10n ** 18n;
const GAS = 6_000_000n;
const MAX_ENTRIES = 7;
const EMPTY_HASH = hashOf("0x");
const staking = new Interface(PRECOMPILES.staking.abi);

/** Which account runs a program, and how. */
type Way = "contract" | "clone" | "delegated" | "constructor" | "child";

type Tx =
  | {
      readonly kind: "run";
      readonly way: Way;
      readonly from: number;
      readonly program: number;
      readonly forwarded: boolean;
      readonly value: number;
      readonly price: number;
      readonly withoutGas: boolean;
      /** Whether its gas limit is estimated first, with its fees. */
      readonly estimated?: boolean;
    }
  | {
      readonly kind: "setCode";
      readonly from: number;
      readonly program: number;
    }
  | { readonly kind: "stake"; readonly from: number; readonly amount: number }
  | { readonly kind: "pay"; readonly from: number; readonly to: number };

interface Block {
  readonly byHand: boolean;
  readonly undone: boolean;
  readonly txs: readonly Tx[];
}

interface Case {
  readonly programs: readonly Program[];
  readonly blocks: readonly Block[];
}

function generate(seed: number): Case {
  const r = drawsOf(seed);
  const programs = r.list(2 + r.below(2), () =>
    r.list(1 + r.below(4), () => ({
      sensor: r.of(SENSORS),
      modulus: r.of([2, 2, 3, 5, 7, 997]),
      action: r.of<Action>(["delegate", "delegate", ...ACTIONS]),
      looks: r.chance(0.3),
    })),
  );
  const tx = (): Tx => {
    const from = r.below(4);
    const program = r.below(programs.length);
    switch (r.below(10)) {
      case 0:
        return { kind: "stake", from, amount: 1 + r.below(900) };
      case 1:
        return { kind: "pay", from, to: r.below(programs.length) };
      case 2:
        return { kind: "setCode", from, program };
      default:
        return {
          kind: "run",
          way: r.of<Way>([
            "contract",
            "contract",
            "clone",
            "delegated",
            "constructor",
            "child",
          ]),
          from,
          program,
          forwarded: r.chance(0.4),
          value: r.below(3) * 500,
          price: r.of([0, 1, 3]),
          withoutGas: r.chance(0.2),
        };
    }
  };
  const blocks = r.list(2 + r.below(3), (): Block => {
    const byHand = r.chance(0.4);
    return {
      byHand,
      undone: r.chance(0.2),
      txs: r.list(byHand ? 1 + r.below(4) : 1, tx),
    };
  });
  return { programs, blocks };
}

const addressOf = (kind: number, index: number) =>
  `0x${kind.toString(16).padStart(2, "0").repeat(19)}${(index + 1).toString(16).padStart(2, "0")}`;

/** The oracle's books: what the chain would hold. */
interface Books {
  balances: Map<string, bigint>;
  stakes: Map<string, bigint>;
  entries: Map<string, Set<bigint>>;
  nonces: Map<string, bigint>;
  codes: Map<string, string>;
}

const copyOf = (books: Books): Books => ({
  balances: new Map(books.balances),
  stakes: new Map(books.stakes),
  entries: new Map([...books.entries].map(([k, v]) => [k, new Set(v)])),
  nonces: new Map(books.nonces),
  codes: new Map(books.codes),
});

const REFUSED =
  /is read or spent after that|both its balance and its code|Mine a block first/;

class World {
  readonly #network: NetworkOn2;
  readonly #wallets: readonly HDNodeWallet[];
  readonly #users: readonly string[];
  readonly #forwarder = addressOf(0xf0, 0);
  readonly #factory = addressOf(0xfa, 0);
  #case: Case = { programs: [], blocks: [] };
  #books: Books = {
    balances: new Map(),
    stakes: new Map(),
    entries: new Map(),
    nonces: new Map(),
    codes: new Map(),
  };
  refused = 0;
  ran = 0;

  constructor(network: NetworkOn2) {
    this.#network = network;
    this.#wallets = [0, 1, 2, 3, 4, 5].map((index) =>
      HDNodeWallet.fromMnemonic(MNEMONIC, `m/44'/60'/0'/0/${index}`),
    );
    this.#users = this.#wallets.map(({ address }) => address.toLowerCase());
  }

  async rpc(method: string, ...params: unknown[]): Promise<any> {
    return await this.#network.rpc(method, ...params);
  }

  /** Runs a case, and undoes it. @throws if it differs from the oracle */
  async run(one: Case): Promise<void> {
    const id = await this.rpc("evm_snapshot");
    try {
      await this.#prepare(one);
      for (const block of one.blocks) {
        const saved = copyOf(this.#books);
        const before = block.undone
          ? await this.rpc("evm_snapshot")
          : undefined;
        await this.#block(block);
        await this.#check();
        if (before === undefined) continue;
        await this.rpc("evm_revert", before);
        this.#books = saved;
        await this.#check();
      }
    } finally {
      await this.rpc("evm_setAutomine", true);
      await this.rpc("evm_revert", id);
    }
  }

  async #prepare(one: Case): Promise<void> {
    this.#case = one;
    const codes = new Map<string, string>([
      [this.#forwarder, FORWARDER],
      [this.#factory, FACTORY],
      ...one.programs.flatMap((program, index): [string, string][] => {
        const at = addressOf(0xc0, index);
        return [
          [at, assemble(program, VALOPER)],
          [addressOf(0xc1, index), cloneOf(at)],
          [
            this.#users[4 + (index % 2)] as string,
            `0xef0100${addressOf(0xc0, index % 2).slice(2)}`,
          ],
        ];
      }),
    ]);
    for (const [address, code] of codes)
      await this.rpc("hardhat_setCode", address, code);
    for (const [index] of one.programs.entries()) {
      for (const kind of [0xc0, 0xc1])
        await this.rpc(
          "hardhat_setBalance",
          addressOf(kind, index),
          toQuantity(2n * TOKEN),
        );
    }
    const tracked = [...codes.keys(), ...this.#users, SINK, POOL];
    const balances = new Map<string, bigint>();
    const nonces = new Map<string, bigint>();
    for (const address of tracked) {
      balances.set(
        address,
        BigInt(await this.rpc("eth_getBalance", address, "latest")),
      );
      nonces.set(
        address,
        BigInt(await this.rpc("eth_getTransactionCount", address, "latest")),
      );
    }
    this.#books = {
      balances,
      nonces,
      codes,
      stakes: new Map(),
      entries: new Map(),
    };
  }

  #targetOf(tx: Tx & { kind: "run" }): {
    to: string | undefined;
    data: string;
  } {
    const { way, program } = tx;
    const code = assemble(this.#case.programs[program] as Program, VALOPER);
    if (way === "constructor") return { to: undefined, data: code };
    if (way === "child") return { to: this.#factory, data: code };
    const account = this.#accountOf(tx);
    return tx.forwarded
      ? {
          to: this.#forwarder,
          data: `0x${account.slice(2).padStart(64, "0")}`,
        }
      : { to: account, data: "0x" };
  }

  #accountOf({ way, program }: Tx & { kind: "run" }): string {
    return way === "contract"
      ? addressOf(0xc0, program)
      : way === "clone"
        ? addressOf(0xc1, program)
        : (this.#users[4 + (program % 2)] as string);
  }

  // With each limit it does something else, so that an estimate can be too low
  // for a call inside, as on the chain.
  #looksAtGas({ program }: Tx & { kind: "run" }): boolean {
    return (
      this.#case.programs[program]?.some(({ sensor }) => sensor === "gas") ===
      true
    );
  }

  async #send(tx: Tx, byHand: boolean): Promise<void> {
    const from = this.#users[tx.from];
    const gas = toQuantity(GAS);
    switch (tx.kind) {
      case "stake":
        await this.rpc("eth_sendTransaction", {
          from,
          gas,
          to: PRECOMPILES.staking.address,
          data: staking.encodeFunctionData("delegate", [
            from,
            VALOPER,
            BigInt(tx.amount) * UNIT,
          ]),
        });
        break;
      case "pay":
        await this.rpc("eth_sendTransaction", {
          from,
          gas,
          to: SINK,
          value: toQuantity(UNIT),
        });
        break;
      case "setCode": {
        const wallet = this.#wallets[tx.from] as HDNodeWallet;
        const nonce = Number(
          await this.rpc("eth_getTransactionCount", from, "pending"),
        );
        const { chainId } = { chainId: BigInt(await this.rpc("eth_chainId")) };
        const authorization = wallet.authorizeSync({
          address: getAddress(addressOf(0xc0, tx.program)),
          nonce: nonce + 1,
          chainId,
        });
        const raw = await wallet.signTransaction({
          type: 4,
          chainId,
          nonce,
          to: wallet.address,
          gasLimit: GAS,
          maxFeePerGas: 5_000_000_000n,
          maxPriorityFeePerGas: 1n,
          authorizationList: [authorization],
        });
        await this.rpc("eth_sendRawTransaction", raw);
        break;
      }
      case "run": {
        const { to, data } = this.#targetOf(tx);
        const request = {
          from,
          data,
          ...(to === undefined ? {} : { to }),
          ...(tx.withoutGas && !byHand && !this.#looksAtGas(tx) ? {} : { gas }),
          ...(tx.value === 0
            ? {}
            : { value: toQuantity(BigInt(tx.value) * UNIT) }),
          ...(tx.price === 0
            ? {}
            : {
                maxFeePerGas: toQuantity(5_000_000_000n),
                maxPriorityFeePerGas: toQuantity(BigInt(tx.price)),
              }),
        };
        await this.rpc("eth_sendTransaction", {
          ...request,
          ...(tx.estimated
            ? { gas: await this.rpc("eth_estimateGas", request) }
            : {}),
        });
      }
    }
  }

  async #block({ byHand, txs }: Block): Promise<void> {
    const height = BigInt(await this.rpc("eth_blockNumber"));
    if (byHand) await this.rpc("evm_setAutomine", false);
    // A transaction that sets its sender's code uses two nonces, which a node's
    // mempool does not see.
    const done = new Set<number>();
    for (const tx of txs) {
      if (done.has(tx.from)) continue;
      if (tx.kind === "setCode") done.add(tx.from);
      await this.#orRefused(() => this.#send(tx, byHand));
    }
    if (byHand) {
      const mined = await this.#orRefused(() => this.rpc("evm_mine"));
      if (!mined) {
        assert.equal(BigInt(await this.rpc("eth_blockNumber")), height);
        for (const { hash } of await this.rpc("eth_pendingTransactions"))
          await this.rpc("hardhat_dropTransaction", hash);
      }
      await this.rpc("evm_setAutomine", true);
    }
    const latest = BigInt(await this.rpc("eth_blockNumber"));
    for (let number = height + 1n; number <= latest; number++)
      await this.#follow(number);
  }

  /**
   * Whether a request was not refused. Anything else that goes wrong shows in
   * the block.
   */
  async #orRefused(request: () => Promise<unknown>): Promise<boolean> {
    try {
      await request();
      return true;
    } catch (error) {
      if (REFUSED.test(String(error))) {
        this.refused++;
        return false;
      }
      // A transaction that ran out of gas.
      assert.match(String(error), /out of gas|revert|ran out|invalid opcode/i);
      return true;
    }
  }

  async #follow(number: bigint): Promise<void> {
    const block = await this.rpc(
      "eth_getBlockByNumber",
      toQuantity(number),
      true,
    );
    for (const mined of block.transactions) {
      const receipt = await this.rpc("eth_getTransactionReceipt", mined.hash);
      this.ran++;
      this.#followOne(block, mined, receipt);
    }
  }

  #followOne(block: any, mined: any, receipt: any): void {
    const { balances, nonces, codes, stakes, entries } = this.#books;
    const from: string = mined.from;
    const to: string | undefined = mined.to?.toLowerCase();
    const price = BigInt(receipt.effectiveGasPrice);
    const fee = BigInt(mined.gas) * price;
    const value = BigInt(mined.value);
    const add = (address: string, amount: bigint) =>
      balances.set(address, (balances.get(address) ?? 0n) + amount);
    const balance = (address: string) => balances.get(address) ?? 0n;
    add(from, -fee);
    nonces.set(from, (nonces.get(from) ?? 0n) + 1n);
    if (mined.type === "0x4") {
      nonces.set(from, (nonces.get(from) ?? 0n) + 1n);
      codes.set(
        from,
        `0xef0100${mined.authorizationList[0].address.slice(2).toLowerCase()}`,
      );
    }
    const refund = () => add(from, fee - BigInt(receipt.gasUsed) * price);
    if (receipt.status !== "0x1") return refund() as unknown as void;
    const height = BigInt(block.number);
    const create = (creator: string) => {
      const nonce = nonces.get(creator) ?? 0n;
      nonces.set(creator, nonce + 1n);
      return getCreateAddress({ from: creator, nonce }).toLowerCase();
    };
    const stake = (actor: string, amount: bigint) => {
      if (balance(actor) < amount) return false;
      add(actor, -amount);
      add(POOL, amount);
      stakes.set(actor, (stakes.get(actor) ?? 0n) + amount);
      return true;
    };

    let self: string;
    let caller = from;
    let made = false;
    add(from, -value);
    if (to === undefined) {
      self = getCreateAddress({
        from,
        nonce: BigInt(mined.nonce),
      }).toLowerCase();
      made = true;
    } else if (to === this.#factory) {
      self = create(this.#factory);
      [caller, made] = [this.#factory, true];
    } else if (to === this.#forwarder) {
      self = `0x${mined.input.slice(26, 66)}`;
      caller = this.#forwarder;
    } else {
      self = to;
    }
    add(self, value);
    if (made) nonces.set(self, 1n);
    if (to === PRECOMPILES.staking.address.toLowerCase()) {
      const [, , amount] = staking.decodeFunctionData("delegate", mined.input);
      assert.ok(stake(from, amount), "a delegation that was not covered");
      return refund() as unknown as void;
    }
    const program = this.#programOf(self, made, mined);
    if (program === undefined) return refund() as unknown as void;
    const logs = receipt.logs.filter(
      ({ address, topics }: any) =>
        address.toLowerCase() === self && BigInt(topics[0]) < 100n,
    );
    // An inner call ran out of gas.
    if (logs.length === 0 && caller !== from) {
      add(self, -value);
      if (caller === this.#forwarder) add(this.#forwarder, value);
      if (caller === this.#factory) add(this.#factory, value);
      return refund() as unknown as void;
    }
    assert.equal(logs.length, program.length, `steps of ${mined.hash}`);
    const own = made ? "0x" : (codes.get(self) ?? "0x");
    const running = made
      ? to === undefined
        ? mined.input
        : mined.input
      : (codes.get(this.#implementationOf(self)) as string);
    const sizeOf = (code: string) => BigInt(code.length / 2 - 1);
    const callerCode = codes.get(caller) ?? "0x";
    let loaded = 0n;
    program.forEach(({ sensor, modulus, action, looks }, index) => {
      const [seen, ok, left] = [0, 1, 2].map((at) =>
        BigInt(`0x${logs[index].data.slice(2 + 64 * at, 66 + 64 * at)}`),
      ) as [bigint, bigint, bigint];
      const where = `${mined.hash} step ${index}: ${sensor}`;
      const expected: Record<string, () => bigint> = {
        gasPrice: () => price,
        baseFee: () => BigInt(block.baseFeePerGas),
        time: () => BigInt(block.timestamp),
        number: () => height,
        random: () => BigInt(block.mixHash),
        coinbase: () => BigInt(block.miner),
        gasLimit: () => BigInt(block.gasLimit),
        blockHash: () => BigInt(block.parentHash),
        originBalance: () => balance(from),
        selfBalance: () => balance(self),
        callerBalance: () => balance(caller),
        poolBalance: () => balance(POOL),
        codeSize: () => sizeOf(running),
        ownSize: () => sizeOf(own),
        ownHash: () => (own === "0x" ? EMPTY_HASH : hashOf(own)),
        callerSize: () => sizeOf(callerCode),
        callerHash: () =>
          callerCode === "0x" ? EMPTY_HASH : hashOf(callerCode),
        create: () => BigInt(create(self)),
        transient: () => loaded++,
      };
      const should = expected[sensor]?.();
      if (should !== undefined) assert.equal(seen, should, where);
      const amount = (seen % BigInt(modulus)) * UNIT;
      const outcome = (): boolean => {
        if (action === "delegate") return stake(self, amount);
        if (action === "undelegate") {
          const held = stakes.get(self) ?? 0n;
          const heights = entries.get(self) ?? new Set<bigint>();
          if (held < amount || heights.size >= MAX_ENTRIES) return false;
          stakes.set(self, held - amount);
          add(POOL, -amount);
          entries.set(self, heights.add(height));
          return true;
        }
        if (balance(self) < amount) return false;
        add(self, -amount);
        if (action === "send") add(SINK, amount);
        return true;
      };
      const wanted = amount === 0n ? 2n : outcome() ? 1n : 0n;
      assert.equal(ok, wanted, `${where}: ${action} ${amount}`);
      if (looks) assert.equal(left, balance(self), `${where}: what is left`);
    });
    refund();
  }

  #implementationOf(account: string): string {
    const code = this.#books.codes.get(account) ?? "0x";
    return code.startsWith("0xef0100")
      ? `0x${code.slice(8)}`
      : code.startsWith("0x363d3d373d3d3d363d73")
        ? `0x${code.slice(22, 62)}`
        : account;
  }

  #programOf(self: string, made: boolean, mined: any): Program | undefined {
    const { programs } = this.#case;
    if (made) {
      return programs.find(
        (program) => assemble(program, VALOPER) === mined.input,
      );
    }
    const implementation = this.#implementationOf(self);
    return programs.find(
      (_, index) => addressOf(0xc0, index) === implementation,
    );
  }

  /** Checks balances, stakes, codes and the modules' books after a block. */
  async #check(): Promise<void> {
    const { balances, stakes, codes } = this.#books;
    for (const [address, balance] of balances) {
      const is = BigInt(await this.rpc("eth_getBalance", address, "latest"));
      assert.equal(is, balance, `balance of ${address}`);
    }
    for (const [actor, stake] of stakes) {
      const data = staking.encodeFunctionData("delegation", [actor, VALOPER]);
      const to = PRECOMPILES.staking.address;
      const [, held] = staking.decodeFunctionResult(
        "delegation",
        await this.rpc("eth_call", { to, data }, "latest"),
      );
      assert.equal(held.amount, stake, `stake of ${actor}`);
    }
    for (const [address, code] of codes) {
      assert.equal(await this.rpc("eth_getCode", address, "latest"), code);
    }
    const state = await this.#network.control.state();
    assert.equal(state.bondedTokens, balances.get(POOL), "bonded tokens");
  }
}

const failureOf = async (world: World, one: Case): Promise<unknown> => {
  try {
    await world.run(one);
    return undefined;
  } catch (error) {
    return error;
  }
};

/** Returns a smaller case that fails as well. */
async function shrink(world: World, one: Case): Promise<Case> {
  const without = <T>(list: readonly T[], at: number) =>
    list.filter((_, index) => index !== at);
  function* smaller({ programs, blocks }: Case): Generator<Case> {
    for (const [at, block] of blocks.entries()) {
      yield { programs, blocks: without(blocks, at) };
      for (const [which] of block.txs.entries()) {
        const less = { ...block, txs: without(block.txs, which) };
        yield { programs, blocks: blocks.map((b, i) => (i === at ? less : b)) };
      }
    }
    for (const [at, program] of programs.entries()) {
      for (const [which] of program.entries()) {
        const less = without(program, which);
        if (less.length > 0)
          yield {
            programs: programs.map((p, i) => (i === at ? less : p)),
            blocks,
          };
      }
    }
  }
  for (let tries = 0; tries < 200; ) {
    let found: Case | undefined;
    for (const next of smaller(one)) {
      if (++tries > 200) break;
      if ((await failureOf(world, next)) === undefined) continue;
      found = next;
      break;
    }
    if (found === undefined) return one;
    one = found;
  }
  return one;
}

const OPTIONS = {
  settings: { rewardRate: 0, unbondingTime: 10_000_000 },
  facts: { bech32Prefix: "cosmos", baseDenom: "atest" },
};

for (const [by, create, cases] of [
  ["Hardhat 3", createNetwork, CASES],
  ["Hardhat 2", createNetworkOn2, Math.ceil(CASES / 4)],
] as const) {
  describe(`contracts on ${by}`, () => {
    let network: NetworkOn2;
    before(async () => {
      network = await create(OPTIONS);
    });
    after(async () => {
      await network.close();
    });

    it(`pay what they pay on the chain, in ${cases} random cases from seed ${SEED}`, async () => {
      const world = new World(network);
      const seeds = Array.from(
        { length: cases },
        (_, index) => SEED * 1_000_000 + index,
      );
      const generated = [...ONCE_WRONG, ...seeds].map(
        (seed) => [`case ${seed}`, generate(seed)] as const,
      );
      for (const [name, one] of [
        ["without gas", WITHOUT_GAS] as const,
        ...generated,
      ]) {
        const failure = await failureOf(world, one);
        if (failure === undefined) continue;
        const least = await shrink(world, one);
        const why = (await failureOf(world, least)) ?? failure;
        throw new Error(
          `${name}: ${String(why)}\n${JSON.stringify(least, null, 1)}`,
          { cause: why },
        );
      }
      assert.ok(
        world.refused < world.ran / 4,
        `${world.refused} refused, ${world.ran} ran`,
      );
    });

    it("pay in a call that names a gas price, if they depend on it", async () => {
      const { rpc, accounts } = network;
      // gasprice() && delegate(its calldata); return selfbalance()
      const to = addressOf(0x30, 0);
      const code = "0x3a15601457365f5f375f5f365f5f6108005af1505b475f5260205ff3";
      await rpc("hardhat_setCode", to, code);
      await rpc("hardhat_setBalance", to, toQuantity(9n * TOKEN));
      const data = staking.encodeFunctionData("delegate", [to, VALOPER, TOKEN]);
      const left = async (fees: object) =>
        BigInt(
          await rpc(
            "eth_call",
            { from: accounts[0], to, data, ...fees },
            "latest",
          ),
        );
      assert.equal(await left({}), 9n * TOKEN);
      const [price, tip] = [toQuantity(2_000_000_000n), "0x1"];
      assert.equal(await left({ gasPrice: price }), 8n * TOKEN);
      const fees = { maxFeePerGas: price, maxPriorityFeePerGas: tip };
      assert.equal(await left(fees), 8n * TOKEN);
    });

    it("call precompiles twenty times in a transaction, failed calls counted", async () => {
      const { rpc, accounts } = network;
      const [first = "", second = ""] = accounts;
      const vain = [
        staking.encodeFunctionData("delegate", [SINK, VALOPER, 1n]),
        "0x12345678",
        "0x",
      ];
      const query = staking.encodeFunctionData("delegation", [first, VALOPER]);
      let contracts = 0;
      /** Makes `bad` calls that fail, and then `good` queries. */
      const contract = async (bad: number, good: number, strict = false) => {
        const calls = Array.from({ length: bad + good }, (_, index) =>
          index < bad ? (vain[index % vain.length] as string) : query,
        );
        const address = addressOf(0x20, contracts++);
        await rpc("hardhat_setCode", address, calling(calls, strict));
        return address;
      };
      const outcome = (data: string) =>
        [0, 1]
          .map((at) => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`))
          .join();
      const ran = async (hash: string) => {
        const { status, logs } = await rpc("eth_getTransactionReceipt", hash);
        assert.equal(status, "0x1");
        return outcome(logs[0].data);
      };
      const send = async (to: string, from: string, gas?: bigint) =>
        await rpc("eth_sendTransaction", {
          ...{ from, to },
          ...(gas === undefined ? {} : { gas: toQuantity(gas) }),
        });

      const some = await contract(15, 10);
      const request = { from: first, to: some };
      const answer = await rpc("eth_call", request, "latest");
      assert.equal(outcome(answer), "5,5");
      const gas = await rpc("eth_estimateGas", request);
      assert.equal(await ran(await send(some, first, BigInt(gas))), "5,5");
      assert.equal(await ran(await send(some, first)), "5,5");
      const strict = { from: first, to: await contract(1, 20, true) };
      await assert.rejects(rpc("eth_estimateGas", strict), /revert/);

      // A transaction that sets a code, one sender with several, and another.
      const wallet = HDNodeWallet.fromMnemonic(MNEMONIC, "m/44'/60'/0'/0/3");
      const chainId = BigInt(await rpc("eth_chainId"));
      const signed = await wallet.signTransaction({
        ...{ type: 4, chainId, nonce: 0, gasLimit: GAS, maxFeePerGas: 5e9 },
        to: await contract(21, 1),
        authorizationList: [
          wallet.authorizeSync({ address: some, nonce: 1, chainId }),
        ],
      });
      const few = await contract(0, 3);
      const most = await contract(3, 17);
      await rpc("evm_setAutomine", false);
      const hashes = [
        await send(some, first, GAS),
        await send(few, first, GAS / 4n),
        await send(most, second, GAS),
        await rpc("eth_sendRawTransaction", signed),
      ];
      await rpc("evm_mine");
      await rpc("evm_setAutomine", true);
      const results = await Promise.all(hashes.map(ran));
      assert.deepEqual(results, ["5,5", "3,0", "17,0", "0,2"]);
    });
  });
}
