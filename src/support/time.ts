/** A time as ISO 8601 in UTC, to the second; years up to 9999. */
export const isoTime = (seconds: bigint): string =>
  new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");
