import type { Abi, AbiEvent, AbiFunction } from "abitype";

import {
  PRECOMPILE_NAMES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../precompiles/index.js";
import { selectorOf, topicOf } from "../precompiles/selector.js";
import { type AbiCodec, abiCodec } from "./abi.js";

/** A contract of the project, with what tells it from others. */
export interface KnownContract {
  readonly name: string;
  readonly abi: Abi;
  /** The creation code in its artifact; "0x" for an interface or abstract contract. */
  readonly bytecode: string;
}

/** A project's artifacts, as far as both majors of Hardhat have them. */
export interface Artifacts {
  getAllFullyQualifiedNames(): Promise<Iterable<string>>;
  readArtifact(name: string): Promise<{
    readonly contractName: string;
    readonly abi: unknown;
    readonly bytecode: string;
  }>;
  clearCache?(): unknown;
}

/** The contracts that are compiled so far, even by another process. */
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

/** A contract whose calls and events can be decoded. */
export type DescribedContract = Pick<KnownContract, "name" | "abi">;

export interface DecodedCall {
  /** The contract whose ABI fits. */
  readonly contract: string;
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface DecodedEvent {
  /** The contract whose ABI fits. */
  readonly contract: string;
  readonly event: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Candidate {
  readonly contract: string;
  /** The only address that it applies to. */
  readonly only: string | undefined;
  readonly event: AbiEvent;
  codec?: Promise<AbiCodec<Abi>>;
}

/** Decodes calls with the ABI of a contract whose name is known, or any that has the method. */
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

  /** Decodes a call; undefined if no ABI fits. @param contract the name of the called contract */
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

/**
 * Decodes events with the ABIs of the precompiles at their addresses, and of
 * the project's contracts anywhere.
 */
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

  /** Decodes a log; undefined if no ABI fits. */
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
      // An event that many contracts share is tried only once.
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
