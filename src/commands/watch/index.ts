import type { Abi } from "abitype";

import {
  developmentSocket,
  type Endpoints,
  isNetworkKind,
  requireEndpoint,
} from "../../chain/index.js";
import {
  createFrameworkClients,
  type FrameworkClients,
} from "../../framework/clients.js";
import type { LogFilter } from "../../framework/events/filter.js";
import { isSubscribing } from "../../framework/events/provider-socket.js";
import type { Head, Log } from "../../framework/events/wire.js";
import type { PrecompileName } from "../../precompiles/index.js";
import { topicOf } from "../../precompiles/selector.js";
import { HttpClient } from "../../rpc/http-client.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../../rpc/quantities.js";
import { aborted } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText, errorText } from "../../support/text.js";
import {
  type DescribedContract,
  LogDecoder,
} from "../../framework/contracts.js";
import type { NetworkDescription } from "../../config/network-description.js";
import { PENDING_HAS_GAPS, watchLine, watchStatus } from "./messages.js";
import { errorToJson, ReportedError, toJson } from "../shared/output.js";
import type { Ui } from "../shared/ui.js";
import { evmActivity } from "./activity.js";
import type { Happening } from "./happening.js";
import { concerning, moduleSource } from "./modules.js";
import { namesOf } from "./names.js";
import { patiently } from "./patience.js";
import { readTarget, type Target } from "./target.js";

export interface WatchOptions {
  readonly network: NetworkDescription;
  /** `blocks`, `logs`, `pending`, `address`, or an address. */
  readonly what: string;
  /** The contract or address to watch. */
  readonly of?: string;
  /** The EVM's JSON-RPC if the network is in this process. */
  readonly provider?: RpcProvider;
  readonly headers?: Readonly<Record<string, string>>;
  readonly abis: { readonly [name in PrecompileName]: Abi };
  /** The project's contracts, whose events can be decoded; asked for once at most. */
  readonly contracts: () => Promise<readonly DescribedContract[]>;
  /** Ends watching. */
  readonly signal: AbortSignal;
}

/**
 * Prints what happens on a network until the signal ends it: on a terminal as
 * lines above a status, otherwise as JSON, one object per line.
 *
 * @throws DualstackError if there is no socket, or the connection cannot be
 * kept
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

// Keeps trying while the network is away, to show its first block afterwards.
const PERSISTENCE = {
  timeoutMs: 5_000,
  silenceMs: 3_000,
  reconnect: { longestMs: 1_000, attempts: 86_400 },
} as const;

/** How many transactions are remembered, so that each is shown once. */
const MAX_REMEMBERED = 10_000;

/** A development node accepts subscriptions at the address of its JSON-RPC. */
function withSocket({ kind, endpoints }: NetworkDescription): Endpoints {
  const { evmUrl, wsUrl } = endpoints;
  return wsUrl === undefined && evmUrl !== undefined && !isNetworkKind(kind)
    ? { ...endpoints, wsUrl: developmentSocket(evmUrl) }
    : endpoints;
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
  #contracts: Promise<readonly DescribedContract[]> | undefined;
  #names: Promise<ReadonlyMap<string, string>> | undefined;
  readonly #announced = new Set<string>();
  #head: Head | undefined;
  #count = 0;
  #connected = true;

  constructor(options: WatchOptions, target: Target, ui: Ui) {
    this.#options = options;
    this.#target = target;
    this.#ui = ui;
    const { network, headers, provider } = options;
    const { name, kind, facts, precompiles } = network;
    const source =
      provider !== undefined && isSubscribing(provider) ? provider : undefined;
    const endpoints = withSocket(network);
    if (source === undefined) {
      requireEndpoint(endpoints, "wsUrl", { network: name, kind });
    }
    this.#provider =
      provider ??
      new HttpClient({
        url: requireEndpoint(endpoints, "evmUrl", { network: name, kind }),
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
      headers,
      events: {
        ...PERSISTENCE,
        source,
        onStatus: (status) => {
          this.#onStatus(status);
        },
      },
    });
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    try {
      // Requests that fail because of the interruption are of no interest.
      await Promise.race([this.#follow(), aborted(signal)]);
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
      const heads = await this.#opened(events.heads());
      this.#showStatus();
      for await (const head of heads) {
        await this.#onHead(head);
      }
    } else if (target.kind === "pending") {
      const pending = await this.#opened(events.pendingTransactions());
      this.#ui.note(PENDING_HAS_GAPS);
      await this.#showHeads();
      for await (const hash of pending) {
        await this.#onPending(hash);
      }
    } else if (target.kind === "logs") {
      const filter = await this.#filterOf(target);
      const logs = await this.#opened(events.logs(filter));
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
      // Both sides at once; either may be slow or fail on its own.
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
          await this.#happened({ type: "transaction", block, ...transaction });
        }
        for (const log of evm.value.logs) {
          await this.#onLog(log);
        }
      } else {
        await this.#missed(block, "EVM", evm.reason);
      }
      if (modules.status === "fulfilled") {
        for (const transaction of modules.value?.transactions ?? []) {
          await this.#happened({
            type: "framework-transaction",
            block,
            ...transaction,
          });
        }
        for (const event of modules.value?.events ?? []) {
          const { type: name, attributes } = event;
          await this.#happened({
            type: "framework-event",
            block,
            event: name,
            attributes,
          });
        }
      } else {
        await this.#missed(block, "framework", modules.reason);
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

  // On a terminal the newest block shows that the network is alive.
  async #showHeads(): Promise<void> {
    if (!this.#ui.json) {
      const heads = await this.#opened(this.#clients.events.heads());
      heads.listen((head) => {
        this.#head = head;
        this.#showStatus();
      });
    }
  }

  async #onHead(head: Head): Promise<void> {
    const { number, hash, timestamp, baseFeePerGas } = head;
    const held = await this.#heldBy(number);
    this.#head = head;
    await this.#happened({
      type: "block",
      block: number,
      hash,
      timestamp,
      baseFeePerGas,
      ...held,
    });
  }

  // On nodes of this kind a head has neither.
  async #heldBy(
    number: bigint,
  ): Promise<{ readonly transactions?: number; readonly gasUsed?: bigint }> {
    try {
      return await patiently(async () => {
        const block = await this.#provider.request({
          method: "eth_getBlockByNumber",
          params: [toQuantity(number), false],
        });
        if (!isRecord(block) || !Array.isArray(block["transactions"])) {
          throw new DualstackError(`the node did not return block ${number}`);
        }
        return {
          transactions: block["transactions"].length,
          gasUsed: fromQuantity(block["gasUsed"], "a block's gas"),
        };
      }, this.#options.signal);
    } catch {
      return {};
    }
  }

  async #onPending(hash: string): Promise<void> {
    // Nodes may announce a transaction more than once.
    if (this.#announced.has(hash)) {
      return;
    }
    this.#announced.add(hash);
    const [oldest] = this.#announced;
    if (this.#announced.size > MAX_REMEMBERED && oldest !== undefined) {
      this.#announced.delete(oldest);
    }
    await this.#happened({
      type: "pending",
      hash,
      ...(await this.#sent(hash)),
    });
  }

  async #sent(
    hash: string,
  ): Promise<Omit<Extract<Happening, { type: "pending" }>, "type" | "hash">> {
    try {
      const found = await this.#provider.request({
        method: "eth_getTransactionByHash",
        params: [hash],
      });
      if (!isRecord(found) || typeof found["from"] !== "string") {
        return {};
      }
      const { from, to, value } = found;
      return {
        from,
        to: typeof to === "string" ? to : null,
        value: fromQuantity(value, "a transaction's value"),
      };
    } catch {
      return {};
    }
  }

  async #filterOf({
    address,
    contract,
  }: Extract<Target, { kind: "logs" }>): Promise<LogFilter> {
    if (contract === undefined) {
      return { address };
    }
    const name = contract.split(":").at(-1);
    const known = (await this.#knownContracts()).filter(
      (one) => one.name === name,
    );
    if (known.length === 0) {
      throw new DualstackError(
        `the project has no compiled contract "${cleanText(contract, 80)}"`,
        {
          fix: 'Compile it with "npx hardhat build", or give the address of a contract.',
        },
      );
    }
    const topics = known.flatMap(({ abi }) =>
      abi.flatMap((entry) => (entry.type === "event" ? [topicOf(entry)] : [])),
    );
    if (topics.length === 0) {
      throw new DualstackError(
        `the contract ${cleanText(contract, 80)} has no events`,
        { fix: "Watch its address to see its transactions." },
      );
    }
    return { topics: [[...new Set(topics)]] };
  }

  async #knownContracts(): Promise<readonly DescribedContract[]> {
    this.#contracts ??= this.#options.contracts();
    return await this.#contracts;
  }

  async #onLog(log: Log): Promise<void> {
    const { network, abis } = this.#options;
    this.#decoder ??= this.#knownContracts().then(
      (known) => new LogDecoder(network.precompiles, abis, known),
    );
    const { blockNumber, transactionHash, logIndex, address, topics, data } =
      log;
    const event = await (await this.#decoder).decode(log);
    await this.#happened({
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

  async #missed(block: bigint, side: string, reason: unknown): Promise<void> {
    await this.#happened({
      type: "gap",
      block,
      reason: `the ${side} side of the block could not be read: ${errorText(reason)}`,
    });
  }

  async #happened(happening: Happening): Promise<void> {
    this.#count++;
    if (this.#ui.json) {
      this.#ui.line(toJsonLine(happening));
      return;
    }
    const names = await this.#namesOfPrecompilesAndValidators(happening);
    this.#ui.line(
      watchLine(happening, {
        facts: this.#options.network.facts,
        nameOf: (address) => names.get(address),
        columns: this.#ui.columns?.(),
      }),
    );
    this.#showStatus();
  }

  /** Names for people, asked for once; optional, since the network may not answer. */
  async #namesOfPrecompilesAndValidators({
    type,
  }: Happening): Promise<ReadonlyMap<string, string>> {
    if (type === "block") {
      return new Map();
    }
    this.#names ??= namesOf(this.#options.network, this.#provider);
    return await this.#names;
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

// Control characters that JSON allows would reach the terminal.
const toJsonLine = (value: Happening): string =>
  toJson(value).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
