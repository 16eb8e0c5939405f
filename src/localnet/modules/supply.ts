// At genesis, and whenever a test sets a balance.

import { toQuantity } from "../../rpc/quantities.js";
import type { LocalNode } from "../node/node.js";
import { places } from "./places.js";

/**
 * How many native coins there are that no minting brought: what accounts have
 * at genesis, and what tests give or take by `hardhat_setBalance`. The staking
 * module adds what it mints and takes away what it burns. Fees change nothing,
 * as on the chain, although here they are burnt. In base units.
 */
export class Supply {
  /** Given before the modules were installed. */
  given = 0n;
  readonly #node: LocalNode;
  readonly #staking: string;

  /** `staking`: the staking precompile, which keeps the sum. */
  constructor(node: LocalNode, staking: string) {
    this.#node = node;
    this.#staking = staking;
  }

  /** What there is when the modules are installed. @param height of the genesis */
  async before(height: bigint): Promise<bigint> {
    const accounts = await this.#node.ask("eth_accounts");
    const balances = await Promise.all(
      (Array.isArray(accounts) ? accounts : []).map(
        async (account) =>
          await this.#node.balance(String(account), toQuantity(height)),
      ),
    );
    return balances.reduce((sum, one) => sum + one, this.given);
  }

  /** Runs what sets an account's balance, and notes the difference. */
  async change(
    address: string,
    installed: boolean,
    pass: () => Promise<unknown>,
  ): Promise<unknown> {
    const before = await this.#node.balance(address);
    const result = await pass();
    const more = (await this.#node.balance(address)) - before;
    if (!installed) this.given += more;
    else if (more !== 0n) await this.#add(more);
    return result;
  }

  async #add(more: bigint): Promise<void> {
    const { givenAt } = await places();
    const word = await this.#node.word(this.#staking, givenAt);
    const sum = BigInt.asUintN(256, BigInt(word) + more);
    await this.#node.setWord(
      this.#staking,
      givenAt,
      `0x${sum.toString(16).padStart(64, "0")}`,
    );
  }
}
