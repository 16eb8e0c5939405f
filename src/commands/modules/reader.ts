import { bytesToHex } from "@noble/hashes/utils";

import { PrecompileReader } from "../../framework/precompile-reader.js";
import { askQuestion } from "../../framework/query/index.js";
import type { Page, PageRequest } from "../../framework/query/answers.js";
import type { Question } from "../../framework/query/question.js";
import { gathering } from "../../rpc/gathering.js";
import type { BatchProvider } from "../../rpc/http-client.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { mapInOrder } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import type { NetworkDescription } from "../../config/network-description.js";
import type { Connected } from "../../connection/connected.js";

const CALLS_AT_ONCE = 100;
/** More entries than a list of any chain has. */
const MAX_ITEMS = 100_000;

/**
 * Asks the chain's modules through the precompiles, which every network has,
 * local ones too. Questions asked at the same time share a request where the
 * provider supports batches.
 */
export class ModuleReader {
  readonly network: NetworkDescription;
  readonly #reader: PrecompileReader;

  constructor({ network, provider }: Connected) {
    this.network = network;
    this.#reader = new PrecompileReader({
      provider: knowsBatches(provider) ? gathering(provider) : provider,
      addresses: network.precompiles,
      abis: network.abis,
      network: network.name,
    });
  }

  /** @throws FrameworkError for a refusal, DualstackError if there is no answer */
  async ask<Args, Answer>(
    question: Question<Args, Answer>,
    args: Args,
  ): Promise<Answer> {
    const { facts, kind, name } = this.network;
    return await askQuestion(
      question,
      args,
      { via: "precompile" },
      { precompile: () => this.#reader },
      { facts, kind, network: name },
    );
  }

  /** All entries of a list, across all its pages. */
  async all<Args extends { readonly page?: PageRequest }, Item>(
    question: Question<Args, Page<Item>>,
    args: Args,
  ): Promise<Item[]> {
    const items: Item[] = [];
    const seen = new Set<string>();
    let page: PageRequest = {};
    for (;;) {
      const answer = await this.ask(question, { ...args, page });
      items.push(...answer.items);
      const { nextKey } = answer;
      if (nextKey === null) {
        return items;
      }
      const key = bytesToHex(nextKey);
      if (seen.has(key) || items.length > MAX_ITEMS) {
        throw new DualstackError(
          `the node's list of ${question.title} never ends`,
          { network: this.network.name, fix: "Ask another node." },
        );
      }
      seen.add(key);
      page = { key: nextKey };
    }
  }

  /** Asks the same question about many things; the answers keep their order. */
  async each<T, Args, Answer>(
    things: readonly T[],
    question: Question<Args, Answer>,
    args: (thing: T) => Args,
    onAnswer?: (count: number) => void,
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    for await (const answer of mapInOrder(
      things,
      CALLS_AT_ONCE,
      async (thing) => await this.ask(question, args(thing)),
    )) {
      answers.push(answer);
      onAnswer?.(answers.length);
    }
    return answers;
  }
}

const knowsBatches = (provider: RpcProvider): provider is BatchProvider =>
  "batch" in provider;
