/** So long a forked chain that went away is waited for, in milliseconds: somebody waits for what needs it. */
export const AWAIT_MS = 4_000;
