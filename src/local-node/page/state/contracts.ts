import { sleep } from "../../../support/async.js";
import {
  CallDecoder,
  type DecodedCall,
  type DecodedEvent,
  type KnownContract,
  LogDecoder,
} from "../../../framework/contracts.js";
import {
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../../../precompiles/addresses.js";
import { PRECOMPILES } from "../../../precompiles/catalog.js";
import { capitalize } from "../../../support/text.js";
import type { DualChain } from "../../chain.js";
import { stableTokenAbi } from "../../stable-token.js";

/** Milliseconds between looks for what the project may have built. */
const LOOK_AGAIN_MS = 250;

const ABIS = Object.fromEntries(
  PRECOMPILE_NAMES.map((name) => [name, PRECOMPILES[name].abi]),
) as unknown as {
  readonly [name in PrecompileName]: (typeof PRECOMPILES)[name]["abi"];
};

/** The project's contracts, and what tells by them. */
interface Project {
  readonly known: readonly KnownContract[];
  readonly calls: CallDecoder;
  readonly logs: LogDecoder;
}

/** The contracts on the chain: the precompiles, and what the project has created. */
export class Contracts {
  readonly #chain: DualChain;
  /** Of the precompiles, by their addresses in lower case. */
  readonly #precompiles = new Map<string, CallDecoder>();
  /** The project's, by their addresses in lower case. */
  readonly #created = new Map<string, string>();
  readonly #token: KnownContract;
  #project: Project | undefined;
  #readAt = 0;

  /** @param stable the stable token */
  constructor(
    chain: DualChain,
    stable: { readonly symbol: string; readonly address: string },
  ) {
    this.#chain = chain;
    this.#token = { name: stable.symbol, abi: stableTokenAbi, bytecode: "0x" };
    this.created(stable.address, stable.symbol);
    const { addresses } = chain.engine.settings;
    for (const name of PRECOMPILE_NAMES) {
      const own = { name: capitalize(name), abi: ABIS[name] };
      this.#precompiles.set(
        addresses[name].toLowerCase(),
        new CallDecoder([own]),
      );
    }
  }

  isPrecompile(address: string): boolean {
    return this.#precompiles.has(address.toLowerCase());
  }

  /** What is created with such data, where the project has it. */
  async creationOf(data: string): Promise<string | undefined> {
    return await this.#find(
      ({ known }) =>
        known.find(
          ({ bytecode }) => bytecode.length > 2 && data.startsWith(bytecode),
        )?.name,
    );
  }

  /** Remembers what stands at an address. */
  created(address: string, name: string): void {
    this.#created.set(address.toLowerCase(), name);
  }

  nameAt(address: string): string | undefined {
    return this.#created.get(address.toLowerCase());
  }

  async call(address: string, data: string): Promise<DecodedCall | undefined> {
    const precompile = this.#precompiles.get(address.toLowerCase());
    if (precompile !== undefined) return await precompile.decode(data);
    const name = this.nameAt(address);
    return await this.#find(
      async ({ calls }) =>
        (await calls.decode(data, name)) ?? (await calls.decode(data)),
    );
  }

  async event(
    log: Parameters<LogDecoder["decode"]>[0],
  ): Promise<DecodedEvent | undefined> {
    const found = await this.#find(async ({ logs }) => await logs.decode(log));
    return found === undefined
      ? undefined
      : {
          ...found,
          contract: this.nameAt(log.address) ?? capitalize(found.contract),
        };
  }

  /** Looks among the project's contracts; where nothing is found, the project may have been built since they were read. */
  async #find<T>(
    look: (project: Project) => Promise<T | undefined> | T | undefined,
  ): Promise<T | undefined> {
    const isFresh = this.#project === undefined;
    const found = await look((this.#project ??= await this.#readProject()));
    if (found !== undefined || isFresh) return found;
    // What is not known now is never looked for again, so the reading that was just made does not do.
    const project = this.#project;
    const wait = this.#readAt + LOOK_AGAIN_MS - Date.now();
    if (wait > 0) await sleep(wait);
    if (this.#project === project) this.#project = await this.#readProject();
    return await look(this.#project);
  }

  async #readProject(): Promise<Project> {
    this.#readAt = Date.now();
    // A project that is being built has no artifacts for a moment.
    const built = await this.#chain.contracts().catch(() => []);
    const known = [...built, this.#token];
    return {
      known,
      calls: new CallDecoder(known),
      logs: new LogDecoder(this.#chain.engine.settings.addresses, ABIS, known),
    };
  }
}
