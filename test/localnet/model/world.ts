import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Interface } from "ethers";

import { PRECOMPILES } from "../../../src/precompiles/catalog.js";
import type { LocalNetwork } from "../network.js";
import { type Random, random } from "../random.js";
import type { Model } from "./model.js";

// For more steps, or others:
//   DUALSTACK_MODEL_STEPS=2000 DUALSTACK_MODEL_SEED=7
const { DUALSTACK_MODEL_SEED, DUALSTACK_MODEL_STEPS } = process.env;
const SEED = Number(DUALSTACK_MODEL_SEED ?? 1);
/** Only then is it known what happens. */
const IS_USUAL_RUN =
  DUALSTACK_MODEL_SEED === undefined && DUALSTACK_MODEL_STEPS === undefined;

/** How often everything is compared: each time takes as long as some steps. */
const COMPARED_EVERY = 5;
const SHOWN_STEPS = 30;

export type Module = "staking" | "distribution";

const codecs = {
  staking: new Interface(PRECOMPILES.staking.abi),
  distribution: new Interface(PRECOMPILES.distribution.abi),
};

/** Something that happens in the emulation and, by its rules, in the model. */
export interface Step {
  readonly kind: string;
  readonly what: string;
  /** Returns a transaction's hash. @throws what the emulation refuses */
  run(): Promise<unknown>;
  expect(): void;
}

/** A network with the emulation and a model, in which the same happens. */
export abstract class World<M extends Model> {
  readonly model: M;
  protected readonly network: LocalNetwork;
  protected readonly random: Random;
  readonly #trail: string[] = [];
  #keys = 0;
  /** Kinds of steps. */
  readonly accepted = new Set<string>();
  readonly refused = new Set<string>();

  constructor(model: M, network: LocalNetwork, seed: number) {
    this.model = model;
    this.network = network;
    // so that those of neighbours differ
    this.random = random(seed * 7_919);
  }

  /** Does something, the so many-th time. */
  protected abstract next(index: number): Promise<void>;

  /** @throws where the emulation differs from the model */
  protected abstract compare(): Promise<void>;

  /** @throws where they differ, with the steps that led there */
  async live(steps: number): Promise<void> {
    try {
      await this.follow();
      await this.compare();
      for (let index = 1; index <= steps; index++) {
        await this.next(index);
        if (index % COMPARED_EVERY > 0 && index < steps) continue;
        await this.compare();
        this.#trail.push("(compared)");
      }
    } catch (error) {
      const trail = this.#trail.slice(-SHOWN_STEPS).join("\n");
      throw new Error(
        `${error instanceof Error ? error.message : String(error)}\nThe last steps, by block:\n${trail}`,
        { cause: error },
      );
    }
  }

  /** Encodes a call of a precompile. */
  #call(module: Module, method: string, args: readonly unknown[]) {
    const data = codecs[module].encodeFunctionData(method, args);
    return { to: PRECOMPILES[module].address, data };
  }

  protected async view(
    module: Module,
    method: string,
    args: readonly unknown[],
    from?: string,
  ): Promise<any> {
    const request = { from, ...this.#call(module, method, args) };
    const raw = await this.network.rpc("eth_call", request, "latest");
    return codecs[module].decodeFunctionResult(method, raw);
  }

  /** Returns a transaction as a step. */
  protected send(
    from: string,
    module: Module,
    method: string,
    args: readonly unknown[],
    expect: () => void,
  ): Step {
    const request = {
      from,
      ...this.#call(module, method, args),
      gas: "0x800000",
      gasPrice: "0x0",
    };
    return {
      kind: method,
      what: `${method} ${args.map(String).join(" ")} by ${from}`,
      run: () => this.network.rpc("eth_sendTransaction", request),
      expect,
    };
  }

  protected async do(step: Step): Promise<void> {
    let said: string | undefined;
    try {
      await step.run();
    } catch (error) {
      said = String(error);
    }
    await this.follow();
    const why = this.#expect(step);
    if (why === undefined) assert.equal(said, undefined, step.what);
    else
      assert.ok(
        said?.includes(why),
        `${step.what}: '${said ?? "accepted"}' instead of '${why}'`,
      );
    this.model.endBlock();
  }

  /** Mines transactions in one block. */
  protected async doTogether(steps: readonly Step[]): Promise<void> {
    const { rpc } = this.network;
    const receipt = async (hash: unknown) =>
      await rpc("eth_getTransactionReceipt", hash);
    await rpc("evm_setAutomine", false);
    const sent: { step: Step; hash: unknown }[] = [];
    for (const step of steps) sent.push({ step, hash: await step.run() });
    await rpc("evm_mine");
    await rpc("evm_setAutomine", true);
    await this.follow();
    const mined = await Promise.all(
      sent.map(async ({ step, hash }) => {
        const { transactionIndex, blockNumber, status } = await receipt(hash);
        assert.equal(BigInt(blockNumber), this.model.height);
        return { step, at: Number(transactionIndex), status };
      }),
    );
    for (const { step, status } of mined.sort((a, b) => a.at - b.at)) {
      const why = this.#expect({ ...step, kind: "one of several" });
      assert.equal(
        status,
        why === undefined ? "0x1" : "0x0",
        `${step.what}: ${why ?? "accepted"}`,
      );
    }
    this.model.endBlock();
  }

  /** Returns a validator's public key that was not there before. */
  protected newKey(): string {
    return Buffer.from(String(++this.#keys).padStart(32)).toString("base64");
  }

  /** Does it in the model, and returns why it was refused. */
  #expect({ kind, what, expect }: Step): string | undefined {
    const why = this.model.attempt(expect);
    (why === undefined ? this.accepted : this.refused).add(kind);
    if (why !== undefined) this.model.happened.add(why);
    const outcome = why === undefined ? "" : `: refused, ${why}`;
    this.#trail.push(`${this.model.height} ${what}${outcome}`);
    return why;
  }

  /** Puts the model in the latest block. */
  protected async follow(): Promise<void> {
    const { rpc } = this.network;
    const block = await rpc("eth_getBlockByNumber", "latest", false);
    this.model.height = BigInt(block.number);
    this.model.time = BigInt(block.timestamp);
  }

  close() {
    return this.network.close();
  }
}

/** What has to happen in some of the worlds, lest they agree on nothing. */
interface Variety {
  readonly acceptedAndRefused: readonly string[];
  readonly accepted: readonly string[];
  /** Also reasons of refusals. */
  readonly happened: readonly string[];
}

/** @throws if something did not happen in any of the worlds */
function checkVariety(
  worlds: readonly World<Model>[],
  { acceptedAndRefused, accepted, happened }: Variety,
): void {
  const missing = (
    wanted: readonly string[],
    there: (world: World<Model>) => ReadonlySet<string>,
  ) => wanted.filter((each) => !worlds.some((one) => there(one).has(each)));
  assert.deepEqual(
    {
      accepted: missing(
        [...acceptedAndRefused, ...accepted],
        (world) => world.accepted,
      ),
      refused: missing(acceptedAndRefused, (world) => world.refused),
      happened: missing(happened, ({ model }) => model.happened),
    },
    { accepted: [], refused: [], happened: [] },
    "never happened",
  );
}

/** What is tested in worlds of two seeds. */
interface Claim<W extends World<Model>> {
  readonly title: string;
  /** Such as "is the framework's". */
  readonly claim: string;
  /** Of the usual run. */
  readonly steps: number;
  readonly variety: Variety;
  create(seed: number): Promise<W>;
}

/** Tests that the emulation does what a model does. */
export function describeWorlds<W extends World<Model>>({
  title,
  claim,
  steps: usual,
  variety,
  create,
}: Claim<W>): void {
  const steps = Number(DUALSTACK_MODEL_STEPS ?? usual);
  describe(title, () => {
    const worlds: W[] = [];

    for (const seed of [SEED, SEED + 1])
      it(
        `${claim}, in ${steps} random steps from seed ${seed}`,
        { timeout: 280_000 },
        async () => {
          const world = await create(seed);
          worlds.push(world);
          try {
            await world.live(steps);
          } finally {
            await world.close();
          }
        },
      );

    it(
      "met all that can happen",
      { skip: !IS_USUAL_RUN && "only the usual steps are known to do so" },
      () => {
        checkVariety(worlds, variety);
      },
    );
  });
}
