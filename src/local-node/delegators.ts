import { Interface } from "ethers";

import { stakingAbi } from "../precompiles/staking/abi.js";
import type { Ask } from "../rpc/pipeline.js";
import { isRecord, toQuantity } from "../rpc/quantities.js";
import type { ForkedChain } from "./forked-chain.js";

const STAKING = new Interface(stakingAbi);

/** The events of the staking precompile that a delegation can start with. */
const STARTS = ["Delegate", "CreateValidator"].map(
  (name) => STAKING.getEvent(name)?.topicHash,
);

/** What {@link Delegators} looks for them in. */
export interface DelegatorsOptions {
  readonly ask: Ask;
  /** Address of the staking precompile. */
  readonly staking: string;
  /** Operator addresses of the genesis validators in hex; none on a fork. */
  readonly operators: readonly string[];
  readonly fork: ForkedChain | undefined;
}

/**
 * The accounts that may have a delegation. Delegations start at genesis, with a
 * log, or with a framework transaction, which emits no EVM log.
 */
export class Delegators {
  readonly #options: DelegatorsOptions;
  readonly #found: Set<string>;
  /** The first block whose logs have not been searched. */
  #since: bigint;

  constructor(options: DelegatorsOptions) {
    const { operators, fork } = options;
    this.#options = options;
    this.#found = new Set(operators.map((one) => one.toLowerCase()));
    this.#since = fork === undefined ? 0n : fork.height + 1n;
  }

  /** Adds the sender of a framework transaction; address in lower-case hex. */
  add(account: string): void {
    this.#found.add(account);
  }

  /**
   * Returns this chain's own until a block, in lower-case hex: on a fork, those
   * seen since the forked block.
   */
  async own(until: bigint): Promise<ReadonlySet<string>> {
    if (until < this.#since) return this.#found;
    const { ask, staking } = this.#options;
    const logs = await ask("eth_getLogs", [
      {
        address: staking,
        fromBlock: toQuantity(this.#since),
        toBlock: toQuantity(until),
        topics: [STARTS],
      },
    ]);
    for (const log of Array.isArray(logs) ? logs : []) {
      const topic =
        isRecord(log) && Array.isArray(log.topics) ? log.topics[1] : undefined;
      if (typeof topic === "string") this.#found.add(`0x${topic.slice(-40)}`);
    }
    this.#since = until + 1n;
    return this.#found;
  }

  /**
   * Returns this chain's own and the forked chain's.
   *
   * @param operator limits those to possible delegators of this validator
   * @throws UnreadError when the forked chain does not tell its delegators
   */
  async all(
    until: bigint,
    operator: string | undefined,
  ): Promise<ReadonlySet<string>> {
    const own = await this.own(until);
    const before = await this.#options.fork?.delegators(operator);
    return before === undefined ? own : new Set([...own, ...before]);
  }
}
