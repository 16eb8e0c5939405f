import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";

import { isRecord } from "../../../rpc/quantities.js";
import { errorText } from "../../../support/text.js";
import type { DualChain } from "../../chain.js";
import type { TransactionRecord } from "../../history.js";
import { toJson } from "../../rest/json.js";
import { readMessage } from "../../transactions/messages.js";
import { TITLES } from "../texts.js";
import type { Contracts } from "./contracts.js";
import { amountText, foreign, shortened } from "./display.js";
import type { Names } from "./names.js";
import type { Field, Part } from "./types.js";

/** Most characters of a value, and most items of a list. */
const MOST_TEXT = 400;
const MOST_ITEMS = 20;

interface Coin {
  readonly denom: string;
  readonly amount: bigint | string;
}

const isCoin = (value: object): value is Coin =>
  "denom" in value &&
  "amount" in value &&
  typeof value.denom === "string" &&
  /^\d+$/.test(String(value.amount));

/** Describes transactions, messages and events for people. */
export class Describer {
  readonly #chain: DualChain;
  readonly #names: Names;
  readonly #contracts: Contracts;
  readonly #symbol: string;

  /** @param symbol of the native coin */
  constructor(
    chain: DualChain,
    names: Names,
    contracts: Contracts,
    symbol: string,
  ) {
    this.#chain = chain;
    this.#names = names;
    this.#contracts = contracts;
    this.#symbol = symbol;
  }

  /** Writes an amount of base units in native coins. */
  native(amount: bigint): string {
    return `${amountText(amount, 18)} ${this.#symbol}`;
  }

  /**
   * Describes the call of an EVM transaction.
   *
   * @param transaction as JSON-RPC returns it
   */
  async call(transaction: Readonly<Record<string, unknown>>): Promise<Part> {
    const { to, input, value } = transaction;
    const data = String(input ?? "0x");
    if (typeof to !== "string") {
      const name = await this.#contracts.creationOf(data);
      return {
        title: name === undefined ? TITLES.creation : TITLES.creationOf(name),
        fields: [],
      };
    }
    if (data === "0x") {
      return {
        title: TITLES.send(this.native(BigInt(String(value)))),
        fields: [],
      };
    }
    const found = await this.#contracts.call(to, data);
    if (found === undefined) {
      return {
        title: `${this.#names.of(to)}.${data.slice(0, 10)}`,
        fields: [[TITLES.data, this.text(data)]],
      };
    }
    const { contract, method, args } = found;
    return {
      title: `${this.#contracts.nameAt(to) ?? this.#names.find(to) ?? contract}.${method}`,
      fields: this.#fields(args, this.#contracts.isPrecompile(to)),
    };
  }

  /**
   * Describes a log.
   *
   * @param log as JSON-RPC returns it
   */
  async log(log: Readonly<Record<string, unknown>>): Promise<Part> {
    const address = String(log["address"]);
    const topics = Array.isArray(log["topics"])
      ? log["topics"].map(String)
      : [];
    const data = String(log["data"]);
    const found = await this.#contracts.event({ address, topics, data });
    if (found === undefined) {
      return {
        title: `${this.#contracts.nameAt(address) ?? this.#names.of(address)}: ${TITLES.unknownEvent}`,
        fields: [
          ...topics.map((topic, i): Field => [`topic ${i}`, topic]),
          [TITLES.data, this.text(data)],
        ],
      };
    }
    return {
      title: `${this.#names.find(address) ?? found.contract}.${found.event}`,
      fields: this.#fields(found.args, this.#contracts.isPrecompile(address)),
    };
  }

  /**
   * Describes the messages of a framework transaction; none when its bytes
   * cannot be decoded.
   */
  messages({ bytes }: Pick<TransactionRecord, "bytes">): readonly Part[] {
    const { prefix, denom, engine } = this.#chain;
    const context = { prefix, denom, addresses: engine.settings.addresses };
    try {
      return TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages.map(
        (message) => {
          let json: unknown;
          try {
            json = toJson(readMessage(message, context)?.value ?? {}, []);
          } catch {
            json = {};
          }
          return {
            title: foreign(message.typeUrl, 100),
            fields: isRecord(json) ? this.#fields(json, false) : [],
          };
        },
      );
    } catch {
      return [];
    }
  }

  /** Returns the title of a framework transaction. */
  titleOf(messages: readonly Part[]): string {
    const [first, ...others] = messages.map(
      ({ title }) => title.split(".").at(-1) ?? title,
    );
    return others.length === 0
      ? (first ?? TITLES.unreadable)
      : TITLES.andMore(first ?? "", others.length);
  }

  /** Describes the framework's events of a transaction. */
  events({ events }: Pick<TransactionRecord, "events">): readonly Part[] {
    return events.map(({ type, attributes }) => ({
      title: foreign(type),
      fields: attributes.map(
        ({ key, value }): Field => [foreign(key), this.text(value)],
      ),
    }));
  }

  /**
   * Returns why an EVM transaction failed, from the same call on the state
   * before its block.
   */
  async revertOf(
    { from, to, input, value, gas }: Readonly<Record<string, unknown>>,
    height: bigint,
  ): Promise<string> {
    try {
      await this.#chain.request({
        method: "eth_call",
        params: [
          { from, ...(to === null ? {} : { to }), data: input, value, gas },
          `0x${(height - 1n).toString(16)}`,
        ],
      });
      return TITLES.reverted;
    } catch (error) {
      return errorText(error, 200);
    }
  }

  #fields(
    args: Readonly<Record<string, unknown>>,
    ofPrecompile: boolean,
  ): readonly Field[] {
    return Object.entries(args).map(
      ([name, value]): Field => [
        foreign(name),
        // Amounts of precompiles without a denomination are in the native coin.
        ofPrecompile &&
        typeof value === "bigint" &&
        /^(?:amount|value)$/.test(name)
          ? `${value} (${this.native(value)})`
          : this.text(value),
      ],
    );
  }

  /**
   * Writes a value on one line, with names of addresses and amounts of coins.
   */
  text(value: unknown): string {
    return foreign(this.#textOf(value), MOST_TEXT);
  }

  #textOf(value: unknown): string {
    if (typeof value === "string") {
      const name = this.#names.find(value);
      if (name !== undefined) return `${value} (${name})`;
      return /^0x[0-9a-f]{130,}$/i.test(value)
        ? `${shortened(value)} (${value.length / 2 - 1} bytes)`
        : value;
    }
    if (Array.isArray(value)) {
      const items = value.slice(0, MOST_ITEMS).map((one) => this.#textOf(one));
      return `[${items.join(", ")}${value.length > MOST_ITEMS ? ", …" : ""}]`;
    }
    if (typeof value !== "object" || value === null) return String(value);
    if (isCoin(value)) {
      const { denom, amount } = value;
      const base = `${amount}${denom}`;
      return denom === this.#chain.denom
        ? `${base} (${this.native(BigInt(amount))})`
        : base;
    }
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${key}: ${this.#textOf(one)}`)
      .join(", ")} }`;
  }
}
