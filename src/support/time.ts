/** A time as ISO 8601 in UTC, to the second, for years up to 9999. @param seconds Unix seconds */
export const isoTime = (seconds: bigint): string =>
  new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");
