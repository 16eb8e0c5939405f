import type { Abi } from "abitype";
import type {
  ContractRunner,
  Provider,
  Signer,
  TransactionRequest,
  TransactionResponse,
} from "ethers";

import { DualstackError, type ErrorPlace } from "../../support/errors.js";
import { selectorOf } from "../selector.js";

export interface RunnerOptions {
  readonly provider: Provider;
  /** The connection's first account, if it has one; asked only when something has to be signed. */
  readonly signer: () => Promise<Signer | undefined>;
  readonly abi: Abi;
  readonly address: string;
  /** A call that answers with data wherever the precompile lives. */
  readonly probe: string;
  readonly place: ErrorPlace;
}

/**
 * Runs a precompile's calls with the connection's default signer, without
 * needing one to read. The chain and a local node both answer a call of an
 * address where nothing lives with success and no data, which would pass for
 * a result: that is refused here.
 */
export class PrecompileRunner implements ContractRunner {
  readonly provider: Provider;
  readonly #options: RunnerOptions;
  readonly #views: ReadonlySet<string>;
  #present: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.provider = options.provider;
    this.#options = options;
    this.#views = new Set(
      options.abi.flatMap((entry) =>
        entry.type === "function" &&
        (entry.stateMutability === "view" || entry.stateMutability === "pure")
          ? [selectorOf(entry)]
          : [],
      ),
    );
  }

  async call(transaction: TransactionRequest): Promise<string> {
    const isView = this.#views.has((transaction.data ?? "").slice(0, 10));
    const signer =
      isView || transaction.from != null
        ? undefined
        : await this.#options.signer();
    const result = await (signer ?? this.provider).call(transaction);
    if (result === "0x") {
      throw this.#missing();
    }
    return result;
  }

  async estimateGas(transaction: TransactionRequest): Promise<bigint> {
    await this.#mustBeThere();
    const signer =
      transaction.from != null ? undefined : await this.#options.signer();
    return await (signer ?? this.provider).estimateGas(transaction);
  }

  async sendTransaction(
    transaction: TransactionRequest,
  ): Promise<TransactionResponse> {
    const signer = await this.#options.signer();
    if (signer === undefined) {
      throw new DualstackError("there is no account to sign with", {
        ...this.#options.place,
        fix: "Set DUALSTACK_PRIVATE_KEY, configure accounts for the network, or connect the contract to a signer of your own.",
      });
    }
    await this.#mustBeThere();
    return await signer.sendTransaction(transaction);
  }

  async #mustBeThere(): Promise<void> {
    this.#present ??= this.provider
      .call({ to: this.#options.address, data: this.#options.probe })
      .then((result) => {
        if (result === "0x") {
          throw this.#missing();
        }
      });
    try {
      await this.#present;
    } catch (error) {
      this.#present = undefined;
      throw error;
    }
  }

  #missing(): DualstackError {
    return new DualstackError(
      "nothing lives at the address of this precompile on this network",
      {
        ...this.#options.place,
        address: this.#options.address,
        fix: "Use one of the chain's networks or a local one with emulated precompiles, or set the address that this chain uses (dualstack.precompiles).",
      },
    );
  }
}
