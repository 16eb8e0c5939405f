import { type BalanceReader, type BalanceRow, readBalances } from "./index.js";
import { BalanceTable } from "./messages.js";
import { onNetwork } from "../shared/layout.js";
import { errorToJson, ReportedError, toJson } from "../shared/output.js";
import { unreadable } from "../shared/stable-token.js";
import type { Ui } from "../shared/ui.js";

const ROWS_AT_ONCE = 100;

/** Balances of many addresses on one network. */
export interface BalancesReport {
  readonly network: string;
  readonly chainId: number;
  /** Why the stable token's balances are missing. */
  readonly stableTokenMissing?: string;
  readonly balances: readonly Omit<BalanceRow, "given">[];
}

/**
 * Prints balances as they arrive. The JSON is one object; if a later batch
 * fails, it ends with the error and is still valid JSON.
 *
 * @throws ReportedError if reading fails after JSON was begun
 */
export async function printBalances(
  ui: Ui,
  reader: BalanceReader,
  addresses: readonly string[],
): Promise<BalancesReport> {
  const { network, readDenom } = reader;
  const { stableToken, currency } = network.facts;
  const gap =
    stableToken === undefined ? undefined : unreadable(stableToken, readDenom);
  if (stableToken !== undefined && gap !== undefined) {
    ui.note(`The balance of ${stableToken.symbol} is not shown: ${gap}.`);
  }
  const head = {
    network: network.name,
    chainId: network.chainId,
    ...(gap === undefined ? {} : { stableTokenMissing: gap }),
  };
  const balances: BalancesReport["balances"][number][] = [];
  const chunks = inChunks(readBalances(reader, addresses), (count) =>
    ui.progress(
      addresses.length <= ROWS_AT_ONCE
        ? undefined
        : `${count} of ${addresses.length} balances`,
    ),
  );
  try {
    if (ui.json) {
      await printJson(ui, head, chunks, balances);
    } else {
      const table = new BalanceTable(
        currency.symbol,
        gap === undefined ? stableToken?.symbol : undefined,
        ui.columns?.(),
      );
      let heading = [onNetwork("Balances", head), ""];
      for await (const rows of chunks) {
        heading.forEach((line) => ui.line(line));
        heading = [];
        for (const line of table.lines(rows)) {
          ui.line(line);
        }
        balances.push(...rows.map(withoutGiven));
      }
    }
    return { ...head, balances };
  } finally {
    ui.progress(undefined);
  }
}

const withoutGiven = ({ address, account, native, stable }: BalanceRow) => ({
  address,
  account,
  native,
  stable,
});

async function printJson(
  ui: Ui,
  head: Omit<BalancesReport, "balances">,
  chunks: AsyncIterable<readonly BalanceRow[]>,
  printed: BalancesReport["balances"][number][],
): Promise<void> {
  ui.line(`${toJson(head).slice(0, -1)},"balances":[`);
  let separator = "";
  try {
    for await (const rows of chunks) {
      for (const row of rows.map(withoutGiven)) {
        ui.line(`${separator}${toJson(row)}`);
        separator = ",";
        printed.push(row);
      }
    }
  } catch (error) {
    ui.line(`],"error":${toJson(errorToJson(error))}}`);
    throw new ReportedError(error);
  }
  ui.line("]}");
}

async function* inChunks(
  rows: AsyncIterable<BalanceRow>,
  onCount: (count: number) => void,
): AsyncGenerator<BalanceRow[], void, undefined> {
  let chunk: BalanceRow[] = [];
  let count = 0;
  for await (const row of rows) {
    chunk.push(row);
    count++;
    if (chunk.length === ROWS_AT_ONCE) {
      onCount(count);
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) {
    yield chunk;
  }
}
