import { DualstackError } from "./errors.js";
import { cleanText } from "./text.js";

const SECONDS: Readonly<Record<string, bigint>> = {
  w: 604_800n,
  d: 86_400n,
  h: 3_600n,
  m: 60n,
  min: 60n,
  s: 1n,
};

/**
 * A period as people write it, in seconds; a plain number means seconds.
 *
 * @throws DualstackError for anything else
 * @example parseDuration("1d12h") // 129_600n
 */
export function parseDuration(text: string): bigint {
  const trimmed = text.trim().toLowerCase();
  if (/^\d{1,12}$/.test(trimmed)) {
    return BigInt(trimmed);
  }
  const parts = [...trimmed.matchAll(/(\d{1,12})\s*(min|[wdhms])\s*/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== trimmed) {
    throw new DualstackError(`"${cleanText(text, 40)}" is not a period`, {
      fix: 'Write it like "10d", "1d12h", "30min" or "90s".',
    });
  }
  return parts.reduce(
    (sum, [, count = "0", unit = "s"]) =>
      sum + BigInt(count) * (SECONDS[unit] ?? 1n),
    0n,
  );
}
