import type { ExtractAbiEvent, ExtractAbiEventNames } from "abitype";

import {
  abiCodec,
  type EventArgs,
  type WriteArgs,
  type WriteName,
} from "../../framework/abi.js";
import { PRECOMPILES, type PrecompileName } from "../../precompiles/index.js";
import type { Receipt } from "../../rpc/wait-for-receipt.js";
import { isRecord } from "../../rpc/quantities.js";
import { tokens } from "../shared/money.js";
import type { Sender, SendOptions } from "../shared/sending.js";
import {
  runTransaction,
  type TransactionReport,
} from "../shared/transaction.js";
import type { Ui } from "../shared/ui.js";
import { explainRefusal } from "./refusals.js";

type AbiOf<N extends PrecompileName> = (typeof PRECOMPILES)[N]["abi"];

/** A call of a precompile that changes the chain. */
export interface ModuleCall<
  N extends PrecompileName,
  M extends WriteName<AbiOf<N>>,
> {
  readonly precompile: N;
  readonly method: M;
  readonly args: WriteArgs<AbiOf<N>, M>;
  /** What fails if the call does, such as `delegating 5 TOKEN to Alpha`. */
  readonly what: string;
  /** What the user is asked to confirm, such as `Delegate 5 TOKEN to Alpha (…)`. */
  readonly order: string;
  /** Base units that the call takes from the sender, without being its value. */
  readonly debited?: bigint;
}

type EventName<N extends PrecompileName> = ExtractAbiEventNames<AbiOf<N>>;

/** A transaction to a precompile, with its decoded events. */
export interface Transacted<N extends PrecompileName> {
  readonly report: ModuleReport;
  /** The first event with a name; `undefined` after a dry run. */
  event<E extends EventName<N>>(
    name: E,
  ): EventArgs<ExtractAbiEvent<AbiOf<N>, E>> | undefined;
}

export interface ModuleReport extends TransactionReport {
  /** The method that was called, such as `staking.delegate`. */
  readonly call: string;
}

/**
 * Calls a precompile from the sending account.
 *
 * @throws DualstackError with the chain's refusal in plain words
 */
export async function transact<
  N extends PrecompileName,
  M extends WriteName<AbiOf<N>>,
>(
  sender: Sender,
  ui: Ui,
  { precompile, method, args, what, order, debited }: ModuleCall<N, M>,
  options: SendOptions,
): Promise<Transacted<N>> {
  const { network } = sender;
  const codec = await abiCodec<AbiOf<N>>(PRECOMPILES[precompile].abi);
  const to = network.precompiles[precompile];
  const call = `${precompile}.${method}`;
  const { report, receipt } = await runTransaction(
    sender,
    ui,
    {
      fields: {
        to,
        data: codec.encodeWrite(method, args),
        value: 0n,
        ...(debited === undefined ? {} : { debited }),
      },
      what,
      question: ({ from, fee }) =>
        `${order} on ${network.name}? This signs ${call} as ${from}, with fees of up to ${tokens(fee)}.`,
      decodeError: async (failure) =>
        await Promise.resolve(explainRefusal(network, failure)),
    },
    options,
  );
  const events = logsOf(receipt)
    .filter(({ address }) => address.toLowerCase() === to.toLowerCase())
    .map((log) => codec.decodeLog(log));
  return {
    report: { ...report, call },
    event: (name) =>
      // TypeScript cannot relate an event's name to its arguments here.
      events.find((event) => event?.eventName === name)?.args as never,
  };
}

interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

const logsOf = (receipt: Receipt | undefined): RawLog[] => {
  const logs = receipt?.raw["logs"];
  return Array.isArray(logs) ? (logs as unknown[]).filter(isLog) : [];
};

const isLog = (value: unknown): value is RawLog =>
  isRecord(value) &&
  typeof value["address"] === "string" &&
  typeof value["data"] === "string" &&
  Array.isArray(value["topics"]);
