import { cleanText } from "../support/text.js";
import { Fault } from "./fault.js";

/** The header that requests a height, and reports it in answers. */
export const HEIGHT_HEADER = "x-cosmos-block-height";

/**
 * Reads the height that a header requests; 0 stands for the newest block.
 *
 * @throws Fault when it is not a height
 */
export function heightFrom(asked: string | undefined): bigint {
  if (asked === undefined) return 0n;
  const invalid = (text: string) =>
    new Fault(2, `codespace sdk code 18: invalid request: ${text}`, {
      code: 18,
      log: `${text}: invalid request`,
    });
  if (/^-\d+$/.test(asked)) {
    throw invalid(
      "cannot query with height < 0; please provide a valid height",
    );
  }
  if (!/^\d{1,19}$/.test(asked)) {
    throw invalid(
      `Baseapp.RegisterGRPCServer: invalid height header "${HEIGHT_HEADER}": strconv.ParseInt: parsing "${cleanText(asked, 40)}": invalid syntax`,
    );
  }
  return BigInt(asked);
}
