/** One question and what was answered; see probes.mjs. */
export interface Probe {
  id: string;
  [aspect: string]: unknown;
}

export interface ProbeRecording {
  meta: { warnings: string[]; [key: string]: unknown };
  probes: Probe[];
}

/** What sends requests. Errors carry `code` and `data` as the node's. */
export interface ProbeRpc {
  send(method: string, params?: unknown[]): Promise<unknown>;
  batch(requests: [method: string, params: unknown[]][]): Promise<unknown[]>;
}

/** Asks a fresh chain everything. */
export function ask(options: {
  rpc: ProbeRpc;
  mode: "chain" | "hardhat";
  /** The beginning of the ids of what is asked after the setup. */
  only?: string;
}): Promise<ProbeRecording>;
