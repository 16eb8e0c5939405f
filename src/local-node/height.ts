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
  const invalid = (why: string) =>
    new Fault(2, `codespace sdk code 18: invalid request: ${why}`, {
      code: 18,
      log: `${why}: invalid request`,
    });
  const unread = (why: string) =>
    invalid(
      `Baseapp.RegisterGRPCServer: invalid height header "${HEIGHT_HEADER}": strconv.ParseInt: parsing "${cleanText(asked, 40)}": ${why}`,
    );
  if (!/^[+-]?\d+$/.test(asked)) throw unread("invalid syntax");
  const height = BigInt(asked.replace(/^\+/, ""));
  if (height !== BigInt.asIntN(64, height)) throw unread("value out of range");
  if (height < 0n) {
    throw invalid(
      "cannot query with height < 0; please provide a valid height",
    );
  }
  return height;
}
