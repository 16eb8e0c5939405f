import type { Abi, AbiEvent, AbiFunction } from "abitype";

import {
  PRECOMPILE_NAMES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../precompiles/index.js";
import { selectorOf, topicOf } from "../precompiles/selector.js";
import { type AbiCodec, abiCodec } from "./abi.js";

/** A contract of the project, as far as it can be told from others. */
export interface KnownContract {
  readonly name: string;
  readonly abi: Abi;
  /** What it is created with, as its artifact has it; "0x" where nobody creates it. */
  readonly bytecode: string;
}

/** What both majors of Hardhat have of a project's artifacts. */
export interface Artifacts {
  getAllFullyQualifiedNames(): Promise<Iterable<string>>;
  readArtifact(name: string): Promise<{
    readonly contractName: string;
    readonly abi: unknown;
    readonly bytecode: string;
  }>;
  clearCache?(): unknown;
}

/** The contracts that are compiled already, also by another process meanwhile. */
export async function compiledContracts(
  artifacts: Artifacts,
): Promise<readonly KnownContract[]> {
  await artifacts.clearCache?.();
  const names = await artifacts.getAllFullyQualifiedNames();
  return await Promise.all(
    [...names].map(async (name) => {
      const { contractName, abi, bytecode } =
        await artifacts.readArtifact(name);
      return { name: contractName, abi: abi as Abi, bytecode };
    }),
  );
}

/** Contracts as far as what they do can be told. */
export type DescribedContract = Pick<KnownContract, "name" | "abi">;

export interface DecodedCall {
  /** The contract whose ABI told it. */
  readonly contract: string;
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
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

/** Tells calls by the ABI of a contract whose name is known, else by any that has the method. */
export class CallDecoder {
  readonly #bySelector = new Map<
    string,
    { readonly contract: string; readonly method: AbiFunction }[]
  >();

  constructor(contracts: readonly DescribedContract[]) {
    for (const { name, abi } of contracts) {
      for (const method of abi) {
        if (method.type !== "function") continue;
        const selector = selectorOf(method);
        const known = this.#bySelector.get(selector) ?? [];
        known.push({ contract: name, method });
        this.#bySelector.set(selector, known);
      }
    }
  }

  /** The call behind the data, or undefined where no ABI knows it. @param contract the name of the one that is called */
  async decode(
    data: string,
    contract?: string,
  ): Promise<DecodedCall | undefined> {
    const known = this.#bySelector.get(data.slice(0, 10).toLowerCase()) ?? [];
    const found =
      contract === undefined
        ? known[0]
        : known.find((one) => one.contract === contract);
    if (found === undefined) return undefined;
    const codec = await abiCodec<Abi>([found.method]);
    const decoded = codec.decodeCall(data);
    return decoded === undefined
      ? undefined
      : { contract: found.contract, ...decoded };
  }
}

/** Tells events by the ABIs of the precompiles at their addresses, and of a project's contracts anywhere. */
export class LogDecoder {
  readonly #candidates = new Map<string, Candidate[]>();

  constructor(
    addresses: PrecompileAddresses,
    abis: { readonly [name in PrecompileName]: Abi },
    contracts: readonly DescribedContract[],
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
