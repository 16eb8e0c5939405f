// Replaces the chain where a fork starts from a snapshot.

import type { BatchProvider, RpcOutcome } from "../../rpc/http-client.js";
import type { RpcRequest } from "../../rpc/provider.js";
import { missing, type Snapshot } from "../../live-state/snapshot.js";
import { NOTHING } from "./lasting.js";

/**
 * Returns a provider for what a snapshot does not answer. An account that is
 * not in the snapshot is empty; for one that is, anything that was not recorded
 * is an error.
 */
export function beyondSnapshot({ answers }: Snapshot): BatchProvider {
  const known = new Set(
    answers.flatMap(({ ask, params }) =>
      ask === "eth_getCode" && Array.isArray(params)
        ? [String(params[0]).toLowerCase()]
        : [],
    ),
  );
  const answer = ({ method, params = [] }: RpcRequest): RpcOutcome => {
    const account = String(params[0]).toLowerCase();
    const nothing = NOTHING[method];
    return nothing === undefined || known.has(account)
      ? { ok: false, error: missing(`${method} ${account}`) }
      : { ok: true, result: nothing };
  };
  return {
    request: async (request) => {
      const outcome = await Promise.resolve(answer(request));
      if (outcome.ok) return outcome.result;
      throw outcome.error;
    },
    batch: async (requests) => await Promise.resolve(requests.map(answer)),
  };
}
