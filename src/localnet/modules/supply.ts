// Counts the native coins at genesis, and whenever a test sets a balance.

import { toQuantity } from "../../rpc/quantities.js";
import type { LocalNode } from "../node/node.js";
import { places } from "./places.js";

/**
 * The supply of native coins that were not minted, in base units: what accounts
 * hold at genesis, and what tests add or remove by `hardhat_setBalance`. The
 * staking module adds what it mints and subtracts what it burns. Fees do not
 * change the supply, as on the chain, although here they are burnt.
 */
export class Supply {
  /** Added by tests before the modules were installed, in base units. */
  given = 0n;
  readonly #node: LocalNode;
  readonly #staking: string;

  /** @param staking address of the staking precompile, which stores the sum */
  constructor(node: LocalNode, staking: string) {
    this.#node = node;
    this.#staking = staking;
  }

  /**
   * Returns the supply when the modules are installed, in base units.
   *
   * @param height block of the genesis
   */
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

  /**
   * Runs `pass`, which sets an account's balance, and adds the difference.
   *
   * @param installed whether the modules are installed
   */
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
