import type { Abi } from "abitype";

import { requireEndpoint } from "../../chain/index.js";
import {
  createFrameworkClients,
  type FrameworkClients,
} from "../../framework/clients.js";
import type { Head, Log } from "../../framework/events/wire.js";
import type { PrecompileName } from "../../precompiles/index.js";
import { HttpClient } from "../../rpc/http-client.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { errorText } from "../../support/text.js";
import type { NetworkDescription } from "../context.js";
import { watchLine, watchStatus } from "../messages/watch.js";
import { errorToJson, ReportedError, toJson } from "../output.js";
import type { Ui } from "../ui.js";
import { type EvmTransaction, evmActivity } from "./activity.js";
import {
  type DecodedEvent,
  type KnownContract,
  LogDecoder,
} from "./log-decoder.js";
import {
  concerning,
  type ModuleEvent,
  moduleSource,
  type ModuleTransaction,
} from "./modules.js";
import { patiently } from "./patience.js";
import { readTarget, type Target } from "./target.js";

export interface WatchOptions {
  readonly network: NetworkDescription;
  /** `blocks`, `logs`, `pending`, `address`, or an address. */
  readonly what: string;
  /** The contract or the address. */
  readonly of?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowInsecure?: boolean;
  readonly abis: { readonly [name in PrecompileName]: Abi };
  /** The project's contracts, whose events can be told; asked for once, if at all. */
  readonly contracts: () => Promise<readonly KnownContract[]>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** One thing that happened; as JSON it is one line. */
export type Happening =
  | {
      readonly type: "block";
      readonly block: bigint;
      readonly hash: string;
      readonly timestamp: bigint;
      readonly baseFeePerGas?: bigint;
    }
  | { readonly type: "pending"; readonly hash: string }
  | ({
      readonly type: "log";
      readonly block: bigint;
      readonly transaction: string;
      readonly logIndex: number;
      readonly address: string;
    } & (
      | DecodedEvent
      | { readonly topics: readonly string[]; readonly data: string }
    ))
  | ({ readonly type: "transaction"; readonly block: bigint } & EvmTransaction)
  | ({
      readonly type: "framework-transaction";
      readonly block: bigint;
    } & ModuleTransaction)
  | {
      readonly type: "framework-event";
      readonly block: bigint;
      readonly event: string;
      readonly attributes: ModuleEvent["attributes"];
    }
  | { readonly type: "gap"; readonly block: bigint; readonly reason: string }
  | {
      readonly type: "connection";
      readonly connected: boolean;
      readonly reason?: string;
    };

/**
 * Prints what happens on a network until the signal ends it: on a terminal as
 * lines above a status, else as JSON, one object a line.
 *
 * @throws DualstackError if there is no socket, or it cannot be kept
 */
export async function watch(options: WatchOptions, ui: Ui): Promise<void> {
  try {
    const { network, what, of } = options;
    await new Watch(options, readTarget(what, of, network), ui).run();
  } catch (error) {
    if (!ui.json || error instanceof ReportedError) {
      throw error;
    }
    ui.line(toJson({ type: "error", error: errorToJson(error) }));
    throw new ReportedError(error);
  }
}

interface Closable {
  close(): Promise<void>;
}

class Watch {
  readonly #options: WatchOptions;
  readonly #target: Target;
  readonly #ui: Ui;
  readonly #provider: RpcProvider;
  readonly #clients: FrameworkClients;
  readonly #open: Closable[] = [];
  #decoder: Promise<LogDecoder> | undefined;
  #head: Head | undefined;
  #count = 0;
  #connected = true;

  constructor(options: WatchOptions, target: Target, ui: Ui) {
    this.#options = options;
    this.#target = target;
    this.#ui = ui;
    const { network, headers, allowInsecure } = options;
    const { name, kind, endpoints, facts, precompiles } = network;
    const place = {
      network: name,
      kind: kind === "mainnet" ? ("mainnet" as const) : ("testnet" as const),
    };
    requireEndpoint(endpoints, "wsUrl", place);
    this.#provider = new HttpClient({
      url: requireEndpoint(endpoints, "evmUrl", place),
      headers,
      network: name,
      signal: options.signal,
    });
    this.#clients = createFrameworkClients({
      network: name,
      kind,
      endpoints,
      facts,
      precompiles,
      provider: this.#provider,
      allowInsecure,
      events: {
        onStatus: (status) => {
          this.#onStatus(status);
        },
      },
    });
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    const interrupted = new Promise<void>((resolve) => {
      if (signal.aborted) {
        resolve();
      }
      signal.addEventListener(
        "abort",
        () => {
          resolve();
        },
        { once: true },
      );
    });
    try {
      // What is under way when it is interrupted fails; nobody wants to know.
      await Promise.race([this.#follow(), interrupted]);
    } finally {
      await Promise.all(this.#open.map(async (open) => await open.close()));
      await this.#clients.close();
      this.#ui.progress(undefined);
    }
  }

  async #follow(): Promise<void> {
    const { events } = this.#clients;
    const target = this.#target;
    if (target.kind === "blocks") {
      for await (const head of await this.#opened(events.heads())) {
        this.#onHead(head);
      }
    } else if (target.kind === "pending") {
      const pending = await this.#opened(events.pendingTransactions());
      await this.#showHeads();
      for await (const hash of pending) {
        this.#happened({ type: "pending", hash });
      }
    } else if (target.kind === "logs") {
      const logs = await this.#opened(events.logs({ address: target.address }));
      await this.#showHeads();
      for await (const log of logs) {
        await this.#onLog(log);
      }
    } else {
      await this.#followAddress(target);
    }
  }

  async #followAddress(
    target: Extract<Target, { kind: "address" }>,
  ): Promise<void> {
    const { network, signal } = this.#options;
    const { nodeRpcUrl, restUrl } = network.endpoints;
    const source = moduleSource(
      this.#clients,
      { nodeRpc: nodeRpcUrl !== undefined, rest: restUrl !== undefined },
      network.facts,
    );
    if (source === undefined) {
      this.#ui.note(
        "Events of the framework's side are not shown: neither node RPC nor REST is configured.",
      );
    }
    const forms = [target.hex, target.account, target.valoper];
    for await (const head of await this.#opened(this.#clients.events.heads())) {
      const block = head.number;
      // Both sides at once; either may be slow or fail without the other.
      const [evm, modules] = await Promise.allSettled([
        evmActivity(this.#provider, network.name, target.hex, block, signal),
        source === undefined
          ? undefined
          : patiently(
              async () => concerning(await source(block), forms),
              signal,
            ),
      ]);
      if (signal.aborted) {
        return;
      }
      if (evm.status === "fulfilled") {
        for (const transaction of evm.value.transactions) {
          this.#happened({ type: "transaction", block, ...transaction });
        }
        for (const log of evm.value.logs) {
          await this.#onLog(log);
        }
      } else {
        this.#missed(block, "EVM", evm.reason);
      }
      if (modules.status === "fulfilled") {
        for (const transaction of modules.value?.transactions ?? []) {
          this.#happened({
            type: "framework-transaction",
            block,
            ...transaction,
          });
        }
        for (const event of modules.value?.events ?? []) {
          const { type: name, attributes } = event;
          this.#happened({
            type: "framework-event",
            block,
            event: name,
            attributes,
          });
        }
      } else {
        this.#missed(block, "framework", modules.reason);
      }
      this.#head = head;
      this.#showStatus();
    }
  }

  async #opened<T extends Closable>(opening: Promise<T>): Promise<T> {
    const opened = await opening;
    this.#open.push(opened);
    return opened;
  }

  // On a terminal the newest block is a sign of life.
  async #showHeads(): Promise<void> {
    if (!this.#ui.json) {
      const heads = await this.#opened(this.#clients.events.heads());
      heads.listen((head) => {
        this.#head = head;
        this.#showStatus();
      });
    }
  }

  #onHead(head: Head): void {
    this.#head = head;
    if (this.#ui.json) {
      const { number, hash, timestamp, baseFeePerGas } = head;
      this.#happened({
        type: "block",
        block: number,
        hash,
        timestamp,
        baseFeePerGas,
      });
    } else {
      this.#count++;
      this.#showStatus();
    }
  }

  async #onLog(log: Log): Promise<void> {
    const { network, abis, contracts } = this.#options;
    this.#decoder ??= contracts().then(
      (known) => new LogDecoder(network.precompiles, abis, known),
    );
    const { blockNumber, transactionHash, logIndex, address, topics, data } =
      log;
    const event = await (await this.#decoder).decode(log);
    this.#happened({
      type: "log",
      block: blockNumber,
      transaction: transactionHash,
      logIndex,
      address,
      ...(event ?? { topics, data }),
    });
  }

  #onStatus(status: {
    readonly connected: boolean;
    readonly reason?: string;
  }): void {
    this.#connected = status.connected;
    if (this.#ui.json) {
      this.#ui.line(toJsonLine({ type: "connection", ...status }));
    }
    this.#showStatus();
  }

  #missed(block: bigint, side: string, reason: unknown): void {
    this.#happened({
      type: "gap",
      block,
      reason: `the ${side} side of the block could not be read: ${errorText(reason)}`,
    });
  }

  #happened(happening: Happening): void {
    this.#count++;
    this.#ui.line(
      this.#ui.json
        ? toJsonLine(happening)
        : watchLine(happening, this.#options.network.facts),
    );
    this.#showStatus();
  }

  #showStatus(): void {
    if (!this.#ui.json) {
      this.#ui.progress(
        watchStatus({
          network: this.#options.network.name,
          watched: this.#target.kind,
          head: this.#head,
          count: this.#count,
          connected: this.#connected,
        }),
      );
    }
  }
}

// Control characters that JSON lets through would reach a terminal.
const toJsonLine = (value: Happening): string =>
  toJson(value).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
