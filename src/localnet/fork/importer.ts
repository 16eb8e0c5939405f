// Makes the calls that write a forked chain's state into the books, between
// requests.

import type { Interface } from "ethers";

import type { PrecompileAddresses } from "../../precompiles/addresses.js";
import type { Emulator } from "../modules/emulator.js";
import type { LocalNode } from "../node/node.js";
import { SystemCalls } from "../modules/system.js";

/** A call to one of the contracts in contracts/localnet/import. */
export interface ImportCall {
  readonly module: "staking" | "distribution" | "governance";
  readonly method: string;
  readonly args: readonly unknown[];
}

/**
 * Writes a chain's state into the modules' books. Meanwhile a module's code is
 * replaced by one that works on the same storage; see
 * contracts/localnet/import/StakingImport.sol.
 */
export class Importer {
  readonly #node: LocalNode;
  readonly #emulator: Emulator;
  readonly #addresses: PrecompileAddresses;
  readonly #systems = new Map<string, SystemCalls>();

  constructor(
    node: LocalNode,
    emulator: Emulator,
    addresses: PrecompileAddresses,
  ) {
    this.#node = node;
    this.#emulator = emulator;
    this.#addresses = addresses;
  }

  /**
   * Makes the calls in order.
   *
   * @throws DualstackError when a contract refuses a value; nothing of that
   * call is written then
   */
  async run(calls: readonly ImportCall[]): Promise<void> {
    const modules = [...new Set(calls.map(({ module }) => module))];
    const { importers } = await import("../generated/importers.js");
    const codes = new Map<string, string>();
    try {
      for (const module of modules) {
        const address = this.#address(module);
        codes.set(address, await this.#node.code(address));
        await this.#node.setCode(
          address,
          this.#emulator.link(importers[module]),
        );
      }
      for (const { module, method, args } of calls) {
        const system = this.#system(module);
        if (method === "contentCode") {
          // The trace of a call does not contain the code that the call
          // creates.
          const [account, code] = await system.view(method, args);
          await this.#node.setCode(String(account), String(code));
        } else await system.run(method, args);
      }
    } finally {
      for (const [address, code] of codes)
        await this.#node.setCode(address, code);
    }
  }

  #address(module: ImportCall["module"]): string {
    return this.#addresses[module].toLowerCase();
  }

  #system(module: ImportCall["module"]): SystemCalls {
    let system = this.#systems.get(module);
    if (system === undefined) {
      system = new SystemCalls(this.#node, this.#address(module), async () => {
        const [{ Interface }, { importers }] = await Promise.all([
          import("ethers"),
          import("../generated/importers.js"),
        ]);
        return new Interface(importers[module].abi) as Interface;
      });
      this.#systems.set(module, system);
    }
    return system;
  }
}
