import type { BalanceRow } from "./index.js";
import { SHORTEST, shortenMiddle } from "../shared/layout.js";

/**
 * Aligned rows of balances, printed as they arrive: widths are those of the
 * first rows, and grow where a later row needs it.
 */
export class BalanceTable {
  readonly #symbol: string;
  readonly #stableSymbol: string | undefined;
  readonly #width: number | undefined;
  #widths = [0, 0, 0, 0];
  #begun = false;

  /**
   * @param stableSymbol if the stable token is shown
   * @param width columns of the terminal, to which addresses are shortened;
   * `undefined` in a pipe
   */
  constructor(
    symbol: string,
    stableSymbol: string | undefined,
    width?: number,
  ) {
    this.#symbol = symbol;
    this.#stableSymbol = stableSymbol;
    this.#width = width;
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
    const amounts = this.#stableSymbol === undefined ? 2 : 3;
    const room =
      (this.#width ?? Infinity) -
      2 -
      this.#widths
        .slice(1, 1 + amounts)
        .reduce((sum, width) => sum + width + 2, 0);
    const longest = Math.min(this.#widths[0] ?? 0, Math.max(SHORTEST, room));
    return cells.map(
      ([address = "", ...rest]) =>
        `  ${[
          shortenMiddle(address, longest).padEnd(longest),
          ...rest
            .slice(0, amounts)
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
