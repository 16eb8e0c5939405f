/** Sends a JSON-RPC request of the EVM to the simulated network. */
export type Ask = (
  method: string,
  params?: readonly unknown[],
) => Promise<unknown>;
