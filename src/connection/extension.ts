import { parseAddress, toValoper } from "../address/index.js";
import { toViemChain } from "../chain/viem-chain.js";
import type { Connected } from "./connected.js";
import type { Accounts } from "../config/accounts.js";
import type { FrameworkClients } from "../framework/clients.js";
import type { Turns } from "../framework/node-rpc/turns.js";
import type { EstimateSource } from "../gas/quote.js";
import type { LocalnetControl } from "../localnet/control/control.js";
import { RemoteControl } from "../localnet/control/remote-control.js";
import type { Replay, ReplayOptions } from "../replay/index.js";
import type { ReplaySource } from "../replay/source.js";
import { ChainTests } from "../testing/chain.js";
import { LocalTests } from "../testing/local.js";
import type { Localnet } from "../testing/types.js";
import type { DualstackConnection } from "./types.js";

/** Seconds. */
const DEFAULT_LONGEST_WAIT = 600;

/** What a connection's requests pass on their way, as far as the extension needs it. */
export interface ConnectionServices extends Partial<EstimateSource> {
  /** Controls the local network, if the precompiles are emulated. */
  readonly localnet?: LocalnetControl;
  /** Lets the two stacks wait for each other. */
  readonly turns?: Turns;
}

export interface ConnectionParts extends Connected {
  readonly clients: FrameworkClients;
  services(): ConnectionServices;
  /** What replays its transactions; throws on a simulated network. */
  replaySource(): Promise<ReplaySource>;
  /** The network's keys. */
  accounts(): Promise<Accounts | undefined>;
  /** The error for a simulated network without emulated precompiles; absent elsewhere. */
  readonly noLocalnet: (() => Error) | undefined;
  /** How long tests may wait for a chain's time, in seconds. */
  readonly longestWait: number | undefined;
}

/** `connection.dualstack`. */
export class ConnectionExtension implements DualstackConnection {
  readonly #parts: ConnectionParts;
  #tests: Localnet | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  get network() {
    return this.#parts.network;
  }

  get events() {
    return this.#parts.clients.events;
  }

  get nodeRpc() {
    return this.#parts.clients.nodeRpc;
  }

  get rest() {
    return this.#parts.clients.rest;
  }

  get grpc() {
    return this.#parts.clients.grpc;
  }

  get query() {
    return this.#parts.clients.query;
  }

  async frameworkSender() {
    const { createFrameworkSender } = await import("./framework-sender.js");
    return await createFrameworkSender(
      this.#parts,
      await this.#parts.accounts(),
      this.nodeRpc,
      this.#parts.services().turns,
    );
  }

  get viemChain() {
    const { kind, chainId, title, endpoints, facts } = this.network;
    const chain = toViemChain(
      kind === "mainnet" ? "mainnet" : "testnet",
      endpoints,
      facts,
    );
    return { ...chain, id: chainId, name: title };
  }

  get localnet(): Localnet {
    return (this.#tests ??= this.#createTests());
  }

  #createTests(): Localnet {
    const { network, provider, noLocalnet, longestWait } = this.#parts;
    const localnet =
      network.kind === "localnode"
        ? new RemoteControl(provider, network.name)
        : this.#parts.services().localnet;
    if (localnet !== undefined) {
      return new LocalTests(localnet, provider);
    }
    if (noLocalnet !== undefined) {
      throw noLocalnet();
    }
    return new ChainTests({
      provider,
      network: network.name,
      precompiles: network.precompiles,
      longestWait: longestWait ?? DEFAULT_LONGEST_WAIT,
    });
  }

  async replay(hash: string, options?: ReplayOptions): Promise<Replay> {
    const { chain, forkAt } = await this.#parts.replaySource();
    const { replay } = await import("../replay/index.js");
    return await replay(chain, forkAt, hash, options);
  }

  address(text: string) {
    return parseAddress(text, { prefix: this.network.facts.bech32Prefix });
  }

  valoper(validator: string) {
    return toValoper(validator, { prefix: this.network.facts.bech32Prefix });
  }

  estimateBehind(
    call: { readonly to?: string; readonly data?: string },
    limit: bigint,
  ) {
    return this.#parts.services().estimateBehind?.(call, limit);
  }
}
