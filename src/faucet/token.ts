/** The tokens that the test network's faucet gives. */
export const FAUCET_TOKENS = ["native", "stable"] as const;
export type FaucetToken = (typeof FAUCET_TOKENS)[number];
