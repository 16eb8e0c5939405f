import { cleanText } from "../../../support/text.js";
import { isoTime } from "../../../support/time.js";
import { formatUnits } from "../../../support/units.js";

/** Most decimals that the page shows. */
const PLACES = 6;
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** Writes a whole number in groups of three digits. */
export const grouped = (whole: bigint | number): string =>
  String(whole).replace(THOUSANDS, ",");

/**
 * Writes an amount of base units in coins, cut after {@link PLACES} decimals,
 * in groups of three digits.
 */
export function amountText(amount: bigint, decimals: number): string {
  const [whole = "0", fraction = ""] = formatUnits(amount, decimals).split(".");
  const shown = fraction.slice(0, PLACES).replace(/0+$/, "");
  if (whole === "0" && shown === "" && amount !== 0n) {
    return `<0.${"1".padStart(PLACES, "0")}`;
  }
  return `${whole.replace(THOUSANDS, ",")}${shown === "" ? "" : `.${shown}`}`;
}

/**
 * Writes a rate in percent.
 *
 * @param rate 10^18 is 100 %
 */
export const rateText = (rate: bigint): string =>
  `${amountText(rate, 16).replace(/(\.\d\d)\d+$/, "$1")} %`;

/** Returns `part` of `whole` in percent, and from 0 to 1000 for a bar. */
export function share(
  part: bigint,
  whole: bigint,
): { readonly share: string; readonly part: number } {
  if (whole === 0n) return { share: "0 %", part: 0 };
  const permille = Number((part * 1_000n) / whole);
  return { share: `${(permille / 10).toFixed(1)} %`, part: permille };
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Writes a Unix time in UTC.
 *
 * @example timeText(0n) // "1 Jan 1970, 00:00:00"
 */
export function timeText(seconds: bigint): string {
  const [date = "", time = ""] = isoTime(seconds).replace("Z", "").split("T");
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${time}`;
}

/**
 * Writes the time of day of a Unix time in UTC.
 *
 * @example clockText(0n) // "00:00:00"
 */
export const clockText = (seconds: bigint): string =>
  isoTime(seconds).slice(11, 19);

const UNITS = [
  ["d", 86_400n],
  ["h", 3_600n],
  ["min", 60n],
  ["s", 1n],
] as const;

/**
 * Writes a number of seconds in its two largest units.
 *
 * @example spanText(90_000n) // "1 d 1 h"
 */
export function spanText(seconds: bigint): string {
  if (seconds <= 0n) return "0 s";
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  let rest = seconds;
  return UNITS.slice(first, first + 2)
    .map(([unit, length]) => {
      const count = rest / length;
      rest %= length;
      return count === 0n ? "" : `${count} ${unit}`;
    })
    .filter((text) => text !== "")
    .join(" ");
}

/** Shortens an address or a hash. */
export const shortened = (text: string): string =>
  text.length <= 20 ? text : `${text.slice(0, 10)}…${text.slice(-6)}`;

/** Cleans and cuts untrusted text, such as a moniker. */
export const foreign = (text: string, max = 70): string => cleanText(text, max);
