// In place of the chain, where a fork begins from a snapshot.

import type { BatchProvider, RpcOutcome } from "../../rpc/http-client.js";
import type { RpcRequest } from "../../rpc/provider.js";
import { missing, type Snapshot } from "../../live-state/snapshot.js";
import { NOTHING } from "./lasting.js";

/**
 * Answers the simulator for a chain of which there is only a snapshot: an
 * account that is not in it has nothing, and of one that is everything that
 * was not read is an error.
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
