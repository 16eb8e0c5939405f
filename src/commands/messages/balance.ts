import type { BalanceRow } from "../balance.js";

/**
 * Rows of balances as aligned text, as they come: widths are those of the
 * first rows, and grow where a later row needs it.
 */
export class BalanceTable {
  readonly #symbol: string;
  readonly #stableSymbol: string | undefined;
  #widths = [0, 0, 0, 0];
  #begun = false;

  /** @param stableSymbol where the stable token is shown */
  constructor(symbol: string, stableSymbol: string | undefined) {
    this.#symbol = symbol;
    this.#stableSymbol = stableSymbol;
  }

  lines(rows: readonly BalanceRow[]): string[] {
    const cells = rows.map((row) => this.#cells(row));
    if (!this.#begun) {
      this.#begun = true;
      cells.unshift([
        "Address",
        this.#symbol,
        "Base units",
        this.#stableSymbol ?? "",
      ]);
    }
    this.#widths = this.#widths.map((width, column) =>
      Math.max(width, ...cells.map((row) => row[column]?.length ?? 0)),
    );
    return cells.map(
      ([address = "", ...amounts]) =>
        `  ${[
          address.padEnd(this.#widths[0] ?? 0),
          ...amounts
            .slice(0, this.#stableSymbol === undefined ? 2 : 3)
            .map((amount, index) =>
              amount.padStart(this.#widths[index + 1] ?? 0),
            ),
        ].join("  ")}`,
    );
  }

  #cells({ given, native, stable }: BalanceRow): string[] {
    return [
      given,
      native.tokens,
      native.baseUnits.toString(),
      stable?.tokens ?? "",
    ];
  }
}
