import type { LocalnetControl } from "../localnet/control/control.js";
import {
  toProposal,
  toSeconds,
  toTime,
} from "../localnet/control/arguments.js";
import { votingEnd } from "../localnet/control/voting-end.js";
import type { RpcProvider } from "../rpc/provider.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { sleep } from "../support/async.js";
import { DualstackError } from "../support/errors.js";
import { nextMaturity } from "./next-maturity.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import type { Localnet, TestFunction } from "./types.js";

export interface ChainTestsOptions {
  readonly provider: RpcProvider;
  /** The network's name, for errors. */
  readonly network: string;
  readonly precompiles: Pick<PrecompileAddresses, "staking" | "governance">;
  /** In seconds. */
  readonly longestWait: number;
}

const POLL_MS = 500;
/** Milliseconds beyond the time to wait for, after which the chain counts as stopped. */
const PATIENCE_MS = 60_000;

/** Tests on a chain whose time cannot be set. */
export class ChainTests implements Localnet {
  readonly available = false;
  readonly #options: ChainTestsOptions;

  constructor(options: ChainTestsOptions) {
    this.#options = options;
  }

  readonly loadFixture = async <T>(fixture: () => Promise<T>): Promise<T> =>
    await fixture();

  readonly only = <T extends TestFunction>(
    test: T,
    why = "only on a local network",
  ): T => {
    const skip = (title: string, ...rest: never[]) =>
      test.skip(`${title} (${why})`, ...rest);
    return Object.assign(skip, test);
  };

  async advance(seconds: number | bigint): Promise<void> {
    const step = toSeconds(seconds);
    const now = await this.#time();
    await this.#wait(now, now + step);
  }

  async advanceTo(time: number | bigint): Promise<void> {
    const target = toTime(time);
    await this.#wait(await this.#time(), target);
  }

  async #wait(now: bigint, target: bigint): Promise<void> {
    const left = target - now;
    if (left <= 0n) {
      return;
    }
    const { longestWait, network } = this.#options;
    if (left > BigInt(longestWait)) {
      throw new DualstackError(
        `the test would wait ${left} s for the chain's time, which cannot be set; the longest wait is ${longestWait} s`,
        {
          network,
          fix: "Raise dualstack.localnet.longestWait, use a chain with shorter periods, or write localnet.only(it)(…), which skips the test here.",
        },
      );
    }
    const end = Date.now() + Number(left) * 1_000 + PATIENCE_MS;
    while ((await this.#time()) < target) {
      if (Date.now() > end) {
        throw new DualstackError(
          `the chain's time did not reach ${target} within ${left} s and a minute`,
          { network, fix: "Check that it still makes blocks." },
        );
      }
      await sleep(POLL_MS);
    }
  }

  async advanceToNextDue(): Promise<bigint | undefined> {
    const now = await this.#time();
    const { provider, precompiles } = this.#options;
    const due = await nextMaturity(provider, precompiles, now);
    if (due !== undefined) {
      await this.advanceTo(due);
    }
    return due;
  }

  async advanceToVoteEnd(proposal: number | bigint): Promise<bigint> {
    const id = toProposal(proposal);
    const { provider, precompiles } = this.#options;
    const end = await votingEnd(
      {
        call: async (call) =>
          String(
            await provider.request({
              method: "eth_call",
              params: [call, "latest"],
            }),
          ),
      },
      precompiles.governance,
      id,
    );
    await this.advanceTo(end);
    return end;
  }

  readonly state = this.#notHere("state");
  readonly addValidator = this.#notHere("addValidator");
  readonly slash = this.#notHere("slash");
  readonly jail = this.#notHere("jail");
  readonly unjail = this.#notHere("unjail");
  readonly setRewardRate = this.#notHere("setRewardRate");
  readonly depositRewards = this.#notHere("depositRewards");

  #notHere(method: keyof LocalnetControl): () => Promise<never> {
    return async () =>
      await Promise.reject(
        new DualstackError(`localnet.${method} needs a local network`, {
          network: this.#options.network,
          fix: "Write localnet.only(it)(…): it skips the test on any other network.",
        }),
      );
  }

  /** The newest block's time, in seconds. */
  async #time(): Promise<bigint> {
    const block = await this.#options.provider.request({
      method: "eth_getBlockByNumber",
      params: ["latest", false],
    });
    return fromQuantity(
      isRecord(block) ? block["timestamp"] : undefined,
      "a block's time",
    );
  }
}
