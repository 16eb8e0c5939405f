import type { BatchProvider, RpcOutcome } from "./http-client.js";
import type { RpcRequest } from "./provider.js";

/** The most calls in one request. */
const MOST = 100;

interface Waiting {
  readonly requests: readonly RpcRequest[];
  resolve(outcomes: RpcOutcome[]): void;
  reject(error: unknown): void;
}

/**
 * Sends requests that are made at the same time as one batch; if it fails, all
 * of them fail.
 */
export function gathering(provider: BatchProvider): BatchProvider {
  let waiting: Waiting[] = [];
  const send = async () => {
    const all = waiting;
    waiting = [];
    const requests = all.flatMap((one) => one.requests);
    const parts: Promise<RpcOutcome[]>[] = [];
    for (let at = 0; at < requests.length; at += MOST)
      parts.push(provider.batch(requests.slice(at, at + MOST)));
    try {
      const outcomes = (await Promise.all(parts)).flat();
      let at = 0;
      for (const { requests: own, resolve } of all)
        resolve(outcomes.slice(at, (at += own.length)));
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  };
  const batch = async (requests: readonly RpcRequest[]) =>
    await new Promise<RpcOutcome[]>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void send());
      waiting.push({ requests, resolve, reject });
    });
  return {
    batch,
    request: async (request) => {
      const [outcome] = await batch([request]);
      if (outcome?.ok === true) return outcome.result;
      throw (
        outcome?.error ??
        new Error("the node left a call of a batch unanswered")
      );
    },
  };
}
