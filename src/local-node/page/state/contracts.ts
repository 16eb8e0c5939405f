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

/** Least milliseconds between two readings of the project's artifacts. */
const LOOK_AGAIN_MS = 250;

const ABIS = Object.fromEntries(
  PRECOMPILE_NAMES.map((name) => [name, PRECOMPILES[name].abi]),
) as unknown as {
  readonly [name in PrecompileName]: (typeof PRECOMPILES)[name]["abi"];
};

/** The project's contracts, with decoders of their calls and logs. */
interface Project {
  readonly known: readonly KnownContract[];
  readonly calls: CallDecoder;
  readonly logs: LogDecoder;
}

/**
 * The known contracts on the chain: precompiles, and what the project has
 * deployed.
 */
export class Contracts {
  readonly #chain: DualChain;
  /** Decoders of the precompiles' calls, by address in lower-case hex. */
  readonly #precompiles = new Map<string, CallDecoder>();
  /** Names of the project's contracts, by address in lower-case hex. */
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

  /** Tells whether a precompile is at an address. */
  isPrecompile(address: string): boolean {
    return this.#precompiles.has(address.toLowerCase());
  }

  /** Returns the name of the project's contract that such data deploys. */
  async creationOf(data: string): Promise<string | undefined> {
    return await this.#find(
      ({ known }) =>
        known.find(
          ({ bytecode }) => bytecode.length > 2 && data.startsWith(bytecode),
        )?.name,
    );
  }

  /** Remembers the contract at an address. */
  created(address: string, name: string): void {
    this.#created.set(address.toLowerCase(), name);
  }

  /** Returns the name of the project's contract at an address. */
  nameAt(address: string): string | undefined {
    return this.#created.get(address.toLowerCase());
  }

  /** Decodes a call; `undefined` when no known contract has its method. */
  async call(address: string, data: string): Promise<DecodedCall | undefined> {
    const precompile = this.#precompiles.get(address.toLowerCase());
    if (precompile !== undefined) return await precompile.decode(data);
    const name = this.nameAt(address);
    return await this.#find(
      async ({ calls }) =>
        (await calls.decode(data, name)) ?? (await calls.decode(data)),
    );
  }

  /** Decodes a log; `undefined` when no known contract has its event. */
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

  /**
   * Searches the project's contracts; reads them again after a miss, since the
   * project may have been built meanwhile.
   */
  async #find<T>(
    look: (project: Project) => Promise<T | undefined> | T | undefined,
  ): Promise<T | undefined> {
    const isFresh = this.#project === undefined;
    const found = await look((this.#project ??= await this.#readProject()));
    if (found !== undefined || isFresh) return found;
    // A miss is final for the caller, so a reading from a moment ago is not
    // enough: wait before the next.
    const project = this.#project;
    const wait = this.#readAt + LOOK_AGAIN_MS - Date.now();
    if (wait > 0) await sleep(wait);
    if (this.#project === project) this.#project = await this.#readProject();
    return await look(this.#project);
  }

  async #readProject(): Promise<Project> {
    this.#readAt = Date.now();
    // During a build, a project has no artifacts for a moment.
    const built = await this.#chain.contracts().catch(() => []);
    const known = [...built, this.#token];
    return {
      known,
      calls: new CallDecoder(known),
      logs: new LogDecoder(this.#chain.engine.settings.addresses, ABIS, known),
    };
  }
}
