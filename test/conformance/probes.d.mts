/** One question and what was answered; see probes.mjs. */
export interface Probe {
  id: string;
  [aspect: string]: unknown;
}

export interface ProbeRecording {
  meta: { warnings: string[]; [key: string]: unknown };
  probes: Probe[];
}

/** Sends requests. Its errors carry the node's `code` and `data`. */
export interface ProbeRpc {
  send(method: string, params?: unknown[]): Promise<unknown>;
  batch(requests: [method: string, params: unknown[]][]): Promise<unknown[]>;
}

/** Asks a fresh chain all questions. */
export function ask(options: {
  rpc: ProbeRpc;
  mode: "chain" | "hardhat";
  /** Limits the questions after the setup to those whose ids begin with this. */
  only?: string;
}): Promise<ProbeRecording>;
