import { getCreateAddress, Interface, Wallet } from "ethers";
import { createWalletClient, custom, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { toQuantity } from "../../src/rpc/quantities.js";
import { waitForReceipt } from "../../src/rpc/wait-for-receipt.js";
import { Queue, sleep } from "../../src/support/async.js";
import { ACCOUNTS, KEYS, viemChain } from "../helpers/chain.js";
import { COUNTER } from "../helpers/contracts.js";
import type { Client, Major, Started } from "../helpers/majors.js";
import type { EvmNode, Fault } from "../servers/evm-node.js";
import { drawsOf } from "../soak/random.js";
import {
  type Case,
  type Event,
  type Kind,
  type Planned,
  REFUSED,
  type Way,
} from "./random-cases.js";

const SINK = `0x${"51".repeat(20)}`;
/** Of other processes. */
const ELSEWHERE = `0x${"e1".repeat(20)}`;
/** Far more than a transfer or a call needs. */
const FEE = 10n ** 11n;
const MORE = 10n ** 30n;
const counter = new Interface(COUNTER.abi);
/** The longest that anything may take: longer than all of the plugin's limits for a lost answer. */
const LONGEST_MS = 120_000;

/** The errors that leave open what became of a transaction. */
const UNCERTAIN =
  /may have been accepted|does not say what became of it|may still be included/i;

/** Errors of a wait that does not outlast an outage. */
const OUTAGE = /did not answer in time|gateway|broke the connection/i;

interface Request {
  readonly to?: string;
  readonly data?: string;
  readonly value: bigint;
  readonly gas?: bigint;
  readonly fee?: bigint;
  readonly nonce?: number;
}

/** A transaction that a client has answered for. */
interface Answered {
  readonly hash: string;
  /** Waits for the receipt, as the client's users do: whether it succeeded. */
  readonly ended: () => Promise<boolean>;
}

/** What became of a send, as its sender sees it. The value is its mark. */
interface Report {
  readonly value: bigint;
  readonly way: Way;
  readonly kind: Kind;
  readonly account: number;
  readonly gas: bigint | undefined;
  hash?: string;
  error?: string;
  /** What its wait ended with. */
  end?: "success" | "failure" | string;
  ms?: number;
}

/** The text of an error; of one of viem's, the node's words in it. */
const textOf = (error: unknown): string => {
  const { details, message } = error as { details?: string; message?: string };
  return String(details ?? message ?? error).replaceAll(/\s+/g, " ");
};

const LATE = /takes more than \d+ ms/;

/** Fails if a promise takes too long. */
async function within<T>(
  ms: number,
  what: string,
  promise: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} takes more than ${ms} ms`)),
      ms,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The senders of one connection. */
function sendersOf<C extends Client>(
  c: C,
  { Wallet: MajorWallet }: Major<C>["libraries"],
) {
  const status = async (hash: string) =>
    (await waitForReceipt(c.provider, hash, { nextBlock: () => sleep(200) }))
      .status === "success";
  const viemOf = (account: any) =>
    createWalletClient({
      account,
      chain: viemChain,
      transport: custom(c.provider),
    });
  const accounts = KEYS.map((key, index) => {
    const address = ACCOUNTS[index] as string;
    const ethersSender =
      (sender: () => Promise<any>) =>
      async ({ gas, fee, ...rest }: Request): Promise<Answered> => {
        const sent = await (
          await sender()
        ).sendTransaction({
          ...rest,
          ...(gas === undefined ? {} : { gasLimit: gas }),
          ...(fee === undefined
            ? {}
            : { maxFeePerGas: fee, maxPriorityFeePerGas: fee }),
        });
        return {
          hash: sent.hash,
          ended: async () => {
            try {
              return (await sent.wait()).status === 1;
            } catch (error) {
              if ((error as any).code === "CALL_EXCEPTION") {
                return false;
              }
              throw error;
            }
          },
        };
      };
    const byHash = (hash: string): Answered => ({
      hash,
      ended: async () => await status(hash),
    });
    const viemSender =
      (client: ReturnType<typeof viemOf>) =>
      async ({ gas, fee, value, to, data, nonce }: Request) =>
        byHash(
          await client.sendTransaction({
            value,
            ...(to === undefined ? {} : { to: to as Hex }),
            ...(data === undefined ? {} : { data: data as Hex }),
            ...(gas === undefined ? {} : { gas }),
            ...(nonce === undefined ? {} : { nonce }),
            ...(fee === undefined
              ? {}
              : { maxFeePerGas: fee, maxPriorityFeePerGas: fee }),
          } as any),
        );
    const provider = async ({ gas, fee, value, to, data, nonce }: Request) =>
      byHash(
        await c.provider.request({
          method: "eth_sendTransaction",
          params: [
            {
              from: address,
              value: toQuantity(value),
              ...(to === undefined ? {} : { to }),
              ...(data === undefined ? {} : { data }),
              ...(gas === undefined ? {} : { gas: toQuantity(gas) }),
              ...(nonce === undefined
                ? {}
                : { nonce: toQuantity(BigInt(nonce)) }),
              ...(fee === undefined
                ? {}
                : {
                    maxFeePerGas: toQuantity(fee),
                    maxPriorityFeePerGas: toQuantity(fee),
                  }),
            },
          ],
        }),
      );
    const nextNonce = async () =>
      Number(
        await c.provider.request({
          method: "eth_getTransactionCount",
          params: [address, "pending"],
        }),
      );
    const raw = async (request: Request) => {
      const { gas = 1_000_000n, fee = FEE, nonce, ...rest } = request;
      return byHash(
        await c.provider.request({
          method: "eth_sendRawTransaction",
          params: [
            await new Wallet(key).signTransaction({
              ...rest,
              chainId: viemChain.id,
              gasLimit: gas,
              nonce: nonce ?? (await nextNonce()),
              maxFeePerGas: fee,
              maxPriorityFeePerGas: 10n ** 9n < fee ? 10n ** 9n : fee,
            }),
          ],
        }),
      );
    };
    const wallet = new MajorWallet(key, c.ethers.provider);
    // Clients that choose nonces themselves send one after another.
    const queue = new Queue();
    const inTurn =
      (send: (request: Request) => Promise<Answered>) => (request: Request) =>
        queue.run(() => send(request));
    const ways: Record<Way, (request: Request) => Promise<Answered>> = {
      signer: ethersSender(() => c.ethers.getSigner(address)),
      provider,
      "provider with a nonce": inTurn(async (request) =>
        provider({ ...request, nonce: request.nonce ?? (await nextNonce()) }),
      ),
      raw: inTurn(raw),
      wallet: inTurn(ethersSender(() => Promise.resolve(wallet))),
      "viem client": viemSender(viemOf(address)),
      "viem account": inTurn(viemSender(viemOf(privateKeyToAccount(key)))),
    };
    return { address, ways, nextNonce, queue, provider };
  });
  return accounts;
}

/** Runs one case on a chain of its own. */
export class World<C extends Client> {
  readonly #case: Case;
  readonly #major: Major<C>;
  readonly #started: Started<C>;
  readonly #random: ReturnType<typeof drawsOf>;
  readonly #reports: Report[] = [];
  readonly #wrong: string[] = [];
  #clients: readonly C[] = [];
  #senders: readonly ReturnType<typeof sendersOf<C>>[] = [];
  #counter = "";
  #stalledUntil = 0;
  #calm = false;
  /** What another process sent. */
  readonly #elsewhere: string[] = [];
  /** What the node was handed, by hash. */
  readonly #nonces = new Map<string, { from: string; nonce: number }>();
  readonly #log: string[] = [];
  readonly #start = Date.now();

  private constructor(one: Case, major: Major<C>, started: Started<C>) {
    this.#case = one;
    this.#major = major;
    this.#started = started;
    this.#random = drawsOf(one.seed + 1);
  }

  /** @returns the reports, for statistics. @throws if an invariant is broken */
  static async run<C extends Client>(
    one: Case,
    major: Major<C>,
  ): Promise<readonly Report[]> {
    const started = await major.start({
      ...one.node,
      blockTimeMs: 0,
      accounts: one.accounts,
      timeout: one.timeout,
    });
    const world = new World(one, major, started);
    try {
      await world.#run();
    } catch (error) {
      throw new Error(
        `${textOf(error)}\n${JSON.stringify(one)}\n${world.#log.join("\n")}`,
        { cause: error },
      );
    } finally {
      await Promise.all(world.#clients.map((c) => c.close()));
      await started.close();
    }
    return world.#reports;
  }

  get #node(): EvmNode {
    return this.#started.node;
  }

  #note(text: string): void {
    this.#log.push(`${Date.now() - this.#start} ${text}`);
  }

  async #ask(method: string, ...params: unknown[]): Promise<any> {
    return await this.#node.chain.request({ method, params });
  }

  async #run(): Promise<void> {
    const { apart, connections, groups, events } = this.#case;
    await this.#createCounter();
    const clients: C[] = [];
    for (let i = 0; i < connections; i++) {
      clients.push(
        apart && i === connections - 1
          ? await this.#connectApart()
          : await this.#started.connect(),
      );
    }
    this.#clients = clients;
    this.#senders = clients.map((c) => sendersOf(c, this.#major.libraries));
    this.#disturb();
    let done = false;
    const mining = this.#mine(() => done);
    try {
      let over = false;
      const happening = this.#happen(events, () => over);
      const sending = Promise.all(
        groups.map(async (one) => {
          const all: Promise<void>[] = [];
          for (const { pauseMs, sends, until } of one) {
            await sleep(pauseMs);
            const group = sends.map((planned) => this.#send(planned));
            all.push(...group);
            await (until === "all"
              ? Promise.all(group)
              : until === "first"
                ? group[0]
                : undefined);
          }
          await Promise.all(all);
        }),
      );
      await sending;
      over = true;
      await happening;
      this.#calm = true;
      this.#node.clearFaults();
      this.#note("calm");
      await this.#settle();
      await this.#check();
      await this.#sendOnce();
      await this.#isEmpty();
    } finally {
      done = true;
      await mining;
    }
    if (this.#wrong.length > 0) {
      throw new Error(this.#wrong.join("\n"));
    }
  }

  async #connectApart(): Promise<C> {
    const { accounts, timeout } = this.#case;
    // By another name of the address, nothing is shared.
    return await this.#major.open(
      this.#node.baseUrl.replace("127.0.0.1", "localhost"),
      { accounts: accounts === "remote" ? accounts : [...KEYS], timeout },
    );
  }

  async #createCounter(): Promise<void> {
    const [, , , from] = await this.#ask("eth_accounts");
    const hash = await this.#ask("eth_sendTransaction", {
      from,
      data: COUNTER.bytecode + counter.encodeDeploy([0n]).slice(2),
      gas: "0x100000",
    });
    await this.#node.mine();
    const receipt = await this.#ask("eth_getTransactionReceipt", hash);
    this.#counter = receipt.contractAddress;
  }

  async #mine(done: () => boolean): Promise<void> {
    const r = drawsOf(this.#case.seed + 2);
    const { blockTimeMs } = this.#case.node;
    while (!done()) {
      await sleep(
        this.#case.irregular
          ? r.of([0.1, 0.5, 1, 1, 3]) * blockTimeMs
          : blockTimeMs,
      );
      if (this.#calm || Date.now() >= this.#stalledUntil) {
        await this.#node.mine();
      }
    }
  }

  /** Makes requests fail on their way. */
  #disturb(): void {
    const r = this.#random;
    const { timeout, faults } = this.#case;
    const fault = (): Fault => {
      switch (r.below(7)) {
        case 0:
        case 1:
          return "drop";
        case 2:
          return "drop-before";
        case 3:
          return "hang";
        case 4:
          return { heldMs: r.below(2_000) };
        case 5:
          return { lateMs: r.chance(0.1) ? timeout + 500 : r.below(2_000) };
        default:
          return {
            raw: (response) =>
              void response.writeHead(502).end("<html></html>"),
          };
      }
    };
    for (const [method, share] of Object.entries(faults)) {
      this.#node.inject(
        method,
        () => {
          if (!r.chance(share)) {
            return undefined;
          }
          const what = fault();
          this.#note(
            `${method} ${typeof what === "object" && "raw" in what ? "502" : JSON.stringify(what)}`,
          );
          return what;
        },
        Infinity,
      );
    }
  }

  async #happen(events: readonly Event[], over: () => boolean): Promise<void> {
    const snapshot = await this.#ask("evm_snapshot");
    for (const event of events) {
      await sleep(event.pauseMs);
      if (over()) {
        return;
      }
      this.#note(`${event.what} ${event.account} ${event.forMs}`);
      await this.#happens(event, snapshot);
    }
  }

  async #happens(
    { what, account, forMs }: Event,
    snapshot: unknown,
  ): Promise<void> {
    const node = this.#node;
    switch (what) {
      case "leave":
        node.leave(forMs);
        break;
      case "restart":
        node.leave(forMs);
        await node.restart();
        // The other process sends its own again.
        await node.pool.run(async () => {
          for (const raw of this.#elsewhere) {
            await this.#ask("eth_sendRawTransaction", raw).catch(
              () => undefined,
            );
          }
        });
        break;
      case "forget": {
        await node.pool.run(async () => {
          const pending = (await this.#pending()).filter(
            ({ to }) => to !== ELSEWHERE,
          );
          if (pending.length > 0) {
            await node.forget(this.#random.of(pending).hash);
          }
        });
        break;
      }
      case "reserve": {
        const end = Date.now() + forMs;
        const held = ACCOUNTS[account]?.toLowerCase();
        node.isReserved = (address) =>
          address.toLowerCase() === held && Date.now() < end;
        break;
      }
      case "foreign":
      case "steal":
        await this.#sendElsewhere(account, what === "steal");
        break;
      case "stall":
        this.#stalledUntil = Date.now() + forMs;
        break;
      case "fees": {
        const { baseFeePerGas } = await this.#ask(
          "eth_getBlockByNumber",
          "latest",
          false,
        );
        await this.#ask(
          "hardhat_setNextBlockBaseFeePerGas",
          toQuantity(
            (BigInt(baseFeePerGas) * this.#random.of([5n, 20n, 40n])) / 10n,
          ),
        );
        break;
      }
      case "set back":
        await node.pool.run(() => this.#ask("evm_revert", snapshot));
        break;
    }
  }

  async #pending(): Promise<any[]> {
    return await this.#ask("eth_pendingTransactions");
  }

  /** Another process sends from an account. @param steals a nonce that is taken in the pool */
  async #sendElsewhere(account: number, steals: boolean): Promise<void> {
    const from = String(ACCOUNTS[account]).toLowerCase();
    await this.#node.pool.run(async () => {
      let nonce = Number(
        await this.#ask("eth_getTransactionCount", from, "latest"),
      );
      const own = (await this.#pending()).filter((one) => one.from === from);
      const at = () => own.find((one) => Number(one.nonce) === nonce);
      if (steals) {
        const taken = at();
        if (taken !== undefined) {
          await this.#node.forget(taken.hash);
        }
      } else {
        while (at() !== undefined) {
          nonce++;
        }
      }
      const raw = await new Wallet(KEYS[account] as string).signTransaction({
        chainId: viemChain.id,
        nonce,
        to: ELSEWHERE,
        value: this.#elsewhere.length,
        gasLimit: 21_000n,
        maxFeePerGas: FEE,
        maxPriorityFeePerGas: 10n ** 9n,
      });
      this.#elsewhere.push(raw);
      await this.#ask("eth_sendRawTransaction", raw);
    });
  }

  async #send(planned: Planned): Promise<void> {
    const { way, kind, account, connection, waits } = planned;
    const sender = this.#senders[connection]?.[account];
    if (sender === undefined) {
      throw new Error("no such sender");
    }
    const send = async (request: Omit<Request, "value">, as = kind) => {
      const report: Report = {
        value: BigInt(this.#reports.length + 1),
        way,
        kind: as,
        account,
        gas: request.gas,
      };
      this.#reports.push(report);
      this.#note(`send ${show(report)}`);
      const start = Date.now();
      let answered: Answered | undefined;
      try {
        const { value } = report;
        const sending =
          as === "replacement" ? sender.provider : sender.ways[way];
        answered = await within(
          LONGEST_MS,
          "the send",
          sending({
            ...request,
            value: as.startsWith("too much") ? MORE + value : value,
          }),
        );
        report.hash = answered.hash;
      } catch (error) {
        report.error = textOf(error);
      }
      this.#note(`sent ${show(report)}`);
      const wait = async () => {
        if (answered !== undefined && waits) {
          try {
            report.end = (await within(
              LONGEST_MS,
              "the wait",
              answered.ended(),
            ))
              ? "success"
              : "failure";
          } catch (error) {
            report.end = textOf(error);
          }
        }
        report.ms = Date.now() - start;
        this.#note(`ended ${show(report)}`);
      };
      return { report, ended: wait() };
    };
    switch (kind) {
      case "transfer":
      case "too much":
        await (
          await send({ to: SINK })
        ).ended;
        break;
      case "too much, with gas":
        await (
          await send({ to: SINK, gas: 21_000n })
        ).ended;
        break;
      case "fee too low":
        await (
          await send({ to: SINK, gas: 21_000n, fee: 1n })
        ).ended;
        break;
      case "gas too low":
        await (
          await send({ to: SINK, gas: 20_999n })
        ).ended;
        break;
      case "call":
        await (
          await send(callOf(this.#counter, 1n))
        ).ended;
        break;
      case "revert":
        await (
          await send({ ...callOf(this.#counter, 0n), gas: 100_000n })
        ).ended;
        break;
      case "creation":
        await (
          await send(CREATION)
        ).ended;
        break;
      case "creation and call": {
        const { report, ended } = await send({ ...CREATION, gas: 1_000_000n });
        const found =
          report.hash === undefined
            ? null
            : await this.#ask("eth_getTransactionByHash", report.hash);
        if (found !== null) {
          const to = getCreateAddress(found);
          await (
            await send(callOf(to, 1n), "call")
          ).ended;
        }
        await ended;
        break;
      }
      case "replacement": {
        const ends = await sender.queue.run(async () => {
          const nonce = await sender.nextNonce().catch(() => undefined);
          if (nonce === undefined) {
            return [];
          }
          const first = await send({ to: SINK, nonce, fee: FEE });
          const second = await send({ to: SINK, nonce, fee: 2n * FEE });
          return [first.ended, second.ended];
        });
        await Promise.all(ends);
      }
    }
  }

  /** Transactions in blocks, by their mark. */
  async #inBlocks(): Promise<Map<bigint, any[]>> {
    const found = new Map<bigint, any[]>();
    const head = Number(await this.#ask("eth_blockNumber"));
    for (let i = 1; i <= head; i++) {
      const block = await this.#ask(
        "eth_getBlockByNumber",
        toQuantity(BigInt(i)),
        true,
      );
      for (const one of block.transactions) {
        if (one.to !== ELSEWHERE) {
          const value = BigInt(one.value) % MORE;
          found.set(value, [...(found.get(value) ?? []), one]);
        }
      }
    }
    return found;
  }

  /** Waits until everything that was accepted is in a block, or cannot be any more. */
  async #settle(): Promise<void> {
    const end = Date.now() + 60_000;
    for (;;) {
      const found = await this.#inBlocks();
      const counts = new Map<string, number>();
      for (const address of ACCOUNTS) {
        counts.set(
          address.toLowerCase(),
          Number(await this.#ask("eth_getTransactionCount", address, "latest")),
        );
      }
      for (const { method, params } of this.#node.requests) {
        if (method === "eth_sendRawTransaction") {
          const { Transaction } = this.#major.libraries;
          const { hash, from, nonce } = Transaction.from(params[0]);
          this.#nonces.set(hash, { from: from.toLowerCase(), nonce });
        }
      }
      const open = this.#reports.filter(({ value, hash }) => {
        if (hash === undefined || found.has(value)) {
          return false;
        }
        const at = this.#nonces.get(hash);
        return at === undefined || (counts.get(at.from) ?? 0) <= at.nonce;
      });
      // With keys of the node, nobody can give the same bytes again.
      if (
        open.length === 0 ||
        this.#isSetBack ||
        this.#case.accounts === "remote"
      ) {
        return;
      }
      if (Date.now() > end) {
        this.#wrong.push(
          `never in a block: ${open.map(show).join("; ")}; the accounts have ${[...counts.values()].join()}, ${open.map(({ hash }) => JSON.stringify(this.#nonces.get(hash ?? ""))).join()}`,
        );
        return;
      }
      await sleep(250);
    }
  }

  async #check(): Promise<void> {
    const found = await this.#inBlocks();
    for (const report of this.#reports) {
      const { value, hash, error, kind, end, way } = report;
      const inBlocks = found.get(value) ?? [];
      const wrong = (what: string) =>
        this.#wrong.push(
          `${what}: ${show(report)} is in blocks as [${inBlocks.map((one) => one.hash).join()}]`,
        );
      if (LATE.test(`${error} ${end}`)) {
        wrong("hangs");
      }
      if (inBlocks.length > 1) {
        wrong("executed twice");
      }
      if (
        error !== undefined &&
        inBlocks.length > 0 &&
        !UNCERTAIN.test(error) &&
        // It asks for the number of the newest block while it sends.
        !(way === "wallet" && OUTAGE.test(error))
      ) {
        wrong("refused but executed");
      }
      if (this.#isSetBack) {
        continue;
      }
      if (REFUSED.includes(kind) && hash !== undefined) {
        wrong("not refused");
      }
      const [one] = inBlocks;
      if (one === undefined) {
        if (end === "success") {
          wrong("reported as a success");
        }
        continue;
      }
      if (hash !== undefined && one.hash !== hash) {
        wrong("another hash");
      }
      const receipt = await this.#ask("eth_getTransactionReceipt", one.hash);
      const status = receipt.status === "0x1" ? "success" : "failure";
      if (end !== undefined && end !== status && !OUTAGE.test(end)) {
        wrong(`its receipt says ${status}`);
      }
      if ((status === "success") !== (kind !== "revert")) {
        wrong(`ended with ${status}`);
      }
      const limit = BigInt(one.gas);
      const isBuffered = [...this.#node.estimates].some(
        (estimate) => limit === (estimate * 12n + 9n) / 10n,
      );
      if (
        report.gas === undefined &&
        way !== "raw" &&
        limit !== 21_000n &&
        !isBuffered
      ) {
        wrong(`a limit of ${limit}`);
      }
    }
    const few = this.#isUndisturbed() ? this.#reports : [];
    for (const report of few) {
      if (
        report.hash === undefined &&
        !REFUSED.includes(report.kind) &&
        report.kind !== "replacement"
      ) {
        this.#wrong.push(`refused without a reason: ${show(report)}`);
      }
    }
  }

  get #isSetBack(): boolean {
    return this.#case.events.some(({ what }) => what === "set back");
  }

  /** Whether nothing disturbs it: no faults, and one chooses the nonces. */
  #isUndisturbed(): boolean {
    const { faults, events, groups } = this.#case;
    return (
      Object.keys(faults).length === 0 &&
      events.length === 0 &&
      groups
        .flat()
        .flatMap(({ sends }) => sends)
        .every(
          ({ way, kind }) =>
            kind !== "replacement" &&
            (way === "signer" || way === "provider" || way === "viem client"),
        )
    );
  }

  /** Whether each account can go on. */
  async #sendOnce(): Promise<void> {
    await Promise.all(
      (this.#senders[0] ?? []).map(async ({ ways, address }, account) => {
        try {
          const sent = await within(
            LONGEST_MS,
            `a last send of ${address}`,
            ways.signer({ to: SINK, value: 0n }).then((one) => one.ended()),
          );
          if (!sent) {
            this.#wrong.push(`a last send of ${account} failed`);
          }
        } catch (error) {
          this.#wrong.push(
            `a last send of account ${account}: ${textOf(error)}`,
          );
        }
      }),
    );
  }

  /** Whether nothing waits for a nonce that is missing. */
  async #isEmpty(): Promise<void> {
    for (let i = 0; i < 20; i++) {
      await this.#node.mine();
      if ((await this.#pending()).length === 0) {
        return;
      }
    }
    this.#wrong.push(
      `left in the pool: ${JSON.stringify((await this.#pending()).map(({ from, nonce, value, hash }) => ({ from, nonce, value, hash })))}`,
    );
  }
}

const CREATION = {
  data: COUNTER.bytecode + counter.encodeDeploy([0n]).slice(2),
};

const callOf = (to: string, n: bigint) => ({
  to,
  data: counter.encodeFunctionData("add", [n]),
});

const show = ({ value, gas: _, ...rest }: Report): string =>
  JSON.stringify({ value: Number(value), ...rest });
