/**
 * The address of nobody, in hex: questions name it where they mean no account,
 * and it sends calls without a sender.
 */
export const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
