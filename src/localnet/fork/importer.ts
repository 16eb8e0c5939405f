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

/** Whether a call returns a code to be set, and changes nothing itself. */
const isCode = ({ method }: ImportCall) => method === "contentCode";

/**
 * Writes a chain's state into the modules' books. Meanwhile a module's code is
 * replaced by one that works on the same storage; see
 * contracts/localnet/import/StakingImport.sol.
 */
export class Importer {
  readonly #node: LocalNode;
  readonly #emulator: Emulator;
  readonly #addresses: PrecompileAddresses;
  readonly #prefetch: (accounts: readonly string[]) => void;
  readonly #systems = new Map<string, SystemCalls>();

  /** @param prefetch reads accounts before the simulator asks for them */
  constructor(
    node: LocalNode,
    emulator: Emulator,
    addresses: PrecompileAddresses,
    prefetch: (accounts: readonly string[]) => void,
  ) {
    this.#prefetch = prefetch;
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
      // The trace of a call does not contain the code that the call creates.
      const created = new Map<string, string>();
      for (const { module, method, args } of calls.filter(isCode)) {
        const [account, code] = await this.#system(module).view(method, args);
        created.set(String(account), String(code));
      }
      if (created.size > 0) this.#prefetch([...created.keys()]);
      for (const [account, code] of created) {
        await this.#node.setCode(account, code);
      }
      for (const call of calls) {
        if (isCode(call)) continue;
        await this.#system(call.module).run(call.method, call.args);
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
