import type { Abi, AbiEvent } from "abitype";

import type { AbiCodec } from "../../framework/abi.js";
import { abiCodec } from "../../framework/abi.js";
import {
  PRECOMPILE_NAMES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../../precompiles/index.js";
import { topicOf } from "../../precompiles/selector.js";

/** A contract whose events can be told. */
export interface KnownContract {
  readonly name: string;
  readonly abi: Abi;
}

export interface DecodedEvent {
  /** The contract whose ABI told it. */
  readonly contract: string;
  readonly event: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Candidate {
  readonly contract: string;
  /** The only address that it counts for. */
  readonly only: string | undefined;
  readonly event: AbiEvent;
  codec?: Promise<AbiCodec<Abi>>;
}

/** Tells events by the ABIs of the precompiles at their addresses, and of a project's contracts anywhere. */
export class LogDecoder {
  readonly #candidates = new Map<string, Candidate[]>();

  constructor(
    addresses: PrecompileAddresses,
    abis: { readonly [name in PrecompileName]: Abi },
    contracts: readonly KnownContract[],
  ) {
    for (const name of PRECOMPILE_NAMES) {
      this.#add(name, abis[name], addresses[name].toLowerCase());
    }
    for (const { name, abi } of contracts) {
      this.#add(name, abi, undefined);
    }
  }

  /** The event of a log, or undefined where no ABI knows it. */
  async decode(log: {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }): Promise<DecodedEvent | undefined> {
    const address = log.address.toLowerCase();
    const topic = log.topics[0]?.toLowerCase();
    for (const candidate of this.#candidates.get(topic ?? "") ?? []) {
      if (candidate.only === undefined || candidate.only === address) {
        candidate.codec ??= abiCodec<Abi>([candidate.event]);
        const found = (await candidate.codec).decodeLog(log);
        if (found !== undefined) {
          return {
            contract: candidate.contract,
            event: found.eventName,
            args: found.args,
          };
        }
      }
    }
    return undefined;
  }

  #add(contract: string, abi: Abi, only: string | undefined): void {
    for (const event of abi) {
      if (event.type !== "event" || event.anonymous === true) {
        continue;
      }
      const topic = topicOf(event);
      const known = this.#candidates.get(topic) ?? [];
      // The same event of many contracts needs to be tried once.
      if (
        !known.some((one) => one.only === only && sameIndexes(one.event, event))
      ) {
        known.push({ contract, only, event });
        this.#candidates.set(topic, known);
      }
    }
  }
}

const sameIndexes = (a: AbiEvent, b: AbiEvent) =>
  a.inputs.every((input, i) => input.indexed === b.inputs[i]?.indexed);
