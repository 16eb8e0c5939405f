import type { Abi } from "abitype";

import type { PrecompileName } from "../../precompiles/index.js";
import { replay, traceCall } from "../../replay/index.js";
import type { ReplaySource } from "../../replay/source.js";
import { DualstackError } from "../../support/errors.js";
import { printResult, ReportedError } from "../shared/output.js";
import type { Ui } from "../shared/ui.js";
import type { DescribedContract } from "../../framework/contracts.js";
import { namesOf } from "../watch/names.js";
import { TreeDecoder } from "./decode.js";
import { DIFFERS, lines, PROGRESS } from "./messages.js";
import type { TraceReport } from "./report.js";
import { type CallQuestion, callOf } from "./question.js";

export interface TraceOptions {
  readonly source: ReplaySource;
  /** A transaction's hash, or a call that was never sent. */
  readonly what: { readonly hash: string } | { readonly call: CallQuestion };
  readonly abis: { readonly [name in PrecompileName]: Abi };
  /** Contracts whose ABIs are known. */
  readonly contracts: readonly DescribedContract[];
  /** Levels of calls to print; default: all. */
  readonly depth?: number;
  /** Also prints the gas that each call was given and used itself. */
  readonly gas?: boolean;
  /** Leaves out the block's earlier transactions. */
  readonly fromBlockStart?: boolean;
}

/**
 * Replays a transaction, or runs a call, and prints what it did.
 *
 * @throws ReportedError if the transaction did something else than on the chain
 */
export async function trace(
  { source, what, abis, contracts, ...options }: TraceOptions,
  ui: Ui,
): Promise<TraceReport> {
  const { chain, forkAt } = source;
  const { network } = chain;
  ui.progress(PROGRESS);
  const names = namesOf(network, chain.provider);
  const traced =
    "hash" in what
      ? await replay(chain, forkAt, what.hash, options)
      : await traceCall(
          chain,
          forkAt,
          await callOf(what.call, [
            ...Object.values(abis),
            ...contracts.map(({ abi }) => abi),
          ]),
          what.call.block,
        );
  const decoder = new TreeDecoder(network, abis, contracts);
  const report: TraceReport = {
    network: network.name,
    chainId: network.chainId,
    ...traced,
    calls: await decoder.tell(traced.calls),
  };
  ui.progress(undefined);
  const known = await names;
  printResult(
    ui,
    report,
    lines(report, {
      ...options,
      facts: network.facts,
      nameOf: (address) => known.get(address),
    }),
  );
  if (report.agrees === false) {
    const place = { transaction: report.hash, network: network.name };
    throw new ReportedError(new DualstackError(DIFFERS, place), report);
  }
  return report;
}
