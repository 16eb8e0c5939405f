const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
};

const AMOUNT_AND_UNIT =
  "(\\d+(?:\\.\\d+)?)\\s*(milliseconds?|millis?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![A-Za-z])";
const PART = new RegExp(AMOUNT_AND_UNIT, "gi");
const RUN = new RegExp(`(?:${AMOUNT_AND_UNIT}[\\s,]*(?:and\\s+)?)+`, "i");

/**
 * The waiting time in a text, in milliseconds: Go's durations (`23h59m0s`), `2h
 * 59m 24s`, `1 hour and 5 minutes`, `Please wait 30 seconds`.
 */
export function waitingTimeMs(text: string): number | undefined {
  // In Go's durations the next number follows a unit directly.
  const spaced = text.replace(/(\d)([a-z]{1,2})(?=\d)/gi, "$1$2 ");
  const run = RUN.exec(spaced)?.[0];
  if (run === undefined) {
    return undefined;
  }
  let total = 0;
  for (const [, amount = "0", unit = ""] of run.matchAll(PART)) {
    total +=
      Number(amount) *
      (/^m(?:s|illi)/i.test(unit)
        ? 1
        : (UNIT_MS[unit.charAt(0).toLowerCase()] ?? 0));
  }
  return total;
}

/** A waiting time for people: the two largest units. */
export function formatWait(ms: number): string {
  let rest = Math.max(1, Math.ceil(ms / 1000));
  const parts: string[] = [];
  for (const [seconds, unit] of [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) {
      parts.push(`${count} ${unit}`);
    }
  }
  return parts.slice(0, 2).join(" ");
}
