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

/** Milliseconds after which the project may have been compiled again. */
const LOOK_AGAIN_MS = 5_000;

const ABIS = Object.fromEntries(
  PRECOMPILE_NAMES.map((name) => [name, PRECOMPILES[name].abi]),
) as unknown as {
  readonly [name in PrecompileName]: (typeof PRECOMPILES)[name]["abi"];
};

interface Decoders {
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
  #known: readonly KnownContract[] = [];
  #decoders: Decoders | undefined;
  #read = 0;

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
    const found = () =>
      this.#known.find(
        ({ bytecode }) => bytecode.length > 2 && data.startsWith(bytecode),
      )?.name;
    await this.#look();
    return found();
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
    const { calls } = await this.#decode();
    const name = this.nameAt(address);
    return (await calls.decode(data, name)) ?? (await calls.decode(data));
  }

  async event(
    log: Parameters<LogDecoder["decode"]>[0],
  ): Promise<DecodedEvent | undefined> {
    const { logs } = await this.#decode();
    const found = await logs.decode(log);
    return found === undefined
      ? undefined
      : {
          ...found,
          contract: this.nameAt(log.address) ?? capitalize(found.contract),
        };
  }

  async #decode(): Promise<Decoders> {
    await this.#look();
    this.#decoders ??= {
      calls: new CallDecoder(this.#known),
      logs: new LogDecoder(
        this.#chain.engine.settings.addresses,
        ABIS,
        this.#known,
      ),
    };
    return this.#decoders;
  }

  async #look(): Promise<void> {
    if (Date.now() - this.#read < LOOK_AGAIN_MS) return;
    this.#read = Date.now();
    // A project that is being compiled has no artifacts for a moment.
    const project = await this.#chain.contracts().catch(() => this.#known);
    this.#known = [...new Set([...project, this.#token])];
    this.#decoders = undefined;
  }
}
