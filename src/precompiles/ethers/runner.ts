import type { Abi } from "abitype";
import type {
  ContractRunner,
  Provider,
  TransactionRequest,
  TransactionResponse,
} from "ethers";

import { toHexAddress } from "../../address/index.js";
import { DualstackError } from "../../support/errors.js";
import { selectorOf } from "../selector.js";
import type { Precompile } from "./precompile.js";

/** Returns the account that signs, if there is one. */
export type FindSigner = () => Promise<ContractRunner | undefined>;

/**
 * Runs a precompile's calls; reading needs no signer. The chain and local nodes
 * both answer a call of an address without code with success and no data, which
 * would pass for a result: that is refused here.
 */
export class PrecompileRunner implements ContractRunner {
  readonly provider: Provider | null;
  readonly #precompile: Precompile<Abi>;
  readonly #runner: ContractRunner;
  readonly #findSigner: FindSigner | undefined;
  readonly #views: ReadonlySet<string>;
  #present: Promise<void> | undefined;

  constructor(
    precompile: Precompile<Abi>,
    runner: ContractRunner,
    findSigner?: FindSigner,
  ) {
    this.provider = runner.provider;
    this.#precompile = precompile;
    this.#runner = runner;
    this.#findSigner = findSigner;
    this.#views = new Set(
      precompile.abi.flatMap((entry) =>
        entry.type === "function" &&
        (entry.stateMutability === "view" || entry.stateMutability === "pure")
          ? [selectorOf(entry)]
          : [],
      ),
    );
  }

  /** ethers would take bech32 addresses for ENS names. */
  async resolveName(name: string): Promise<string> {
    const { prefix } = this.#precompile;
    return await Promise.resolve(toHexAddress(name, { prefix }));
  }

  async call(transaction: TransactionRequest): Promise<string> {
    const isView = this.#views.has((transaction.data ?? "").slice(0, 10));
    const signer =
      isView || transaction.from != null ? undefined : await this.#signer();
    const result = await this.#call(transaction, signer);
    if (result === "0x") {
      throw this.#missing();
    }
    return result;
  }

  async estimateGas(transaction: TransactionRequest): Promise<bigint> {
    await this.#mustBeThere();
    const signer = transaction.from != null ? undefined : await this.#signer();
    const runner = able("estimateGas", signer, this.#runner, this.provider);
    if (runner === undefined) {
      throw this.#unable("estimates gas");
    }
    return await runner.estimateGas(transaction);
  }

  async sendTransaction(
    transaction: TransactionRequest,
  ): Promise<TransactionResponse> {
    const signer = able("sendTransaction", await this.#signer());
    if (signer === undefined) {
      throw this.#unable("signs");
    }
    await this.#mustBeThere();
    return await signer.sendTransaction(transaction);
  }

  async #signer(): Promise<ContractRunner | undefined> {
    return this.#findSigner === undefined
      ? this.#runner
      : await this.#findSigner();
  }

  async #call(
    transaction: TransactionRequest,
    signer?: ContractRunner,
  ): Promise<string> {
    const runner = able("call", signer, this.#runner, this.provider);
    if (runner === undefined) {
      throw this.#unable("reads");
    }
    return await runner.call(transaction);
  }

  async #mustBeThere(): Promise<void> {
    this.#present ??= this.#probe();
    try {
      await this.#present;
    } catch (error) {
      this.#present = undefined;
      throw error;
    }
  }

  async #probe(): Promise<void> {
    const { address, probe } = this.#precompile;
    let result: string;
    try {
      result = await this.#call({ to: address, data: probe });
    } catch (error) {
      // What reverts exists.
      if (error instanceof Error && /revert/i.test(error.message)) {
        return;
      }
      throw error;
    }
    if (result === "0x") {
      throw this.#missing();
    }
  }

  #missing(): DualstackError {
    const { network, address, optional } = this.#precompile;
    return new DualstackError(
      "nothing lives at the address of this precompile on this network",
      {
        network,
        address,
        fix:
          optional === undefined
            ? "Use one of the chain's networks or a local one with emulated precompiles, or set the address that this chain uses (dualstack.precompiles)."
            : `Not every chain has it. Local networks do with dualstack.precompiles.${optional}.active: true; of another network ask its operators.`,
      },
    );
  }

  #unable(does: string): DualstackError {
    const { network, address } = this.#precompile;
    return new DualstackError(
      does === "signs"
        ? "there is no account to sign with"
        : `the runner of this contract has nothing that ${does}`,
      {
        network,
        address,
        fix: "Set DUALSTACK_PRIVATE_KEY, configure accounts for the network, or connect the contract to a signer of your own.",
      },
    );
  }
}

type Able<F extends keyof ContractRunner> = ContractRunner &
  Required<Pick<ContractRunner, F>>;

/** The first runner that has a method. */
function able<F extends keyof ContractRunner>(
  feature: F,
  ...runners: readonly (ContractRunner | null | undefined)[]
): Able<F> | undefined {
  return runners.find(
    (runner): runner is Able<F> => typeof runner?.[feature] === "function",
  );
}
