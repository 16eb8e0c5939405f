/**
 * How long to wait for a forked chain that does not answer, in milliseconds;
 * short, since a user's request waits meanwhile.
 */
export const AWAIT_MS = 4_000;
