import type { Recording } from "./compare.mjs";

/** Runs a scenario against a JSON-RPC endpoint and returns everything observable. */
export function record(options: {
  rpc: string;
  mode: "chain" | "hardhat";
  scenario?: string;
  out?: string;
  quiet?: boolean;
  /** The compiler; default: the development dependency. */
  solc?: { compile(input: string): string; version(): string };
}): Promise<Recording>;

/** An error that a node answers with. */
export class RpcError extends Error {
  constructor(error: unknown);
}
