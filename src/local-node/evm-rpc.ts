import type { RpcProvider } from "../rpc/provider.js";
import { isRecord } from "../rpc/quantities.js";
import { evmErrorOf } from "./evm-failure.js";
import type { EvmSide } from "./like-chain.js";

/** Most calls in one batch. */
const MOST_CALLS = 1_000;

const failure = (
  id: unknown,
  code: number,
  message: string,
  data?: unknown,
) => ({
  jsonrpc: "2.0",
  id: id ?? null,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

/** Answers a JSON-RPC call of the EVM; errors are returned as answers. */
export async function answerEvmCall(
  provider: RpcProvider,
  call: unknown,
): Promise<object> {
  const { id, method, params } = isRecord(call) ? call : {};
  if (typeof method !== "string") {
    return failure(id, -32600, "invalid request");
  }
  if (params !== undefined && !Array.isArray(params)) {
    return failure(id, -32602, "non-array args");
  }
  try {
    const result = await provider.request({ method, params: params ?? [] });
    return { jsonrpc: "2.0", id: id ?? null, result: result ?? null };
  } catch (error) {
    const { code, message, data } = evmErrorOf(error);
    return failure(id, code, message, data);
  }
}

/** Answers a body with one call or a batch. */
export async function answerEvmBody(
  provider: EvmSide,
  body: string,
): Promise<object> {
  let calls: unknown;
  try {
    calls = JSON.parse(body);
  } catch {
    return failure(null, -32700, "parse error");
  }
  if (!Array.isArray(calls)) {
    return await answerEvmCall(provider, calls);
  }
  if (calls.length === 0) {
    return failure(null, -32600, "empty batch");
  }
  if (calls.length > MOST_CALLS) {
    const [first] = calls;
    const id = isRecord(first) ? first["id"] : undefined;
    return [failure(id, -32600, "batch too large")];
  }
  return await answerEach(
    provider,
    calls,
    async (call) => await answerEvmCall(provider, call),
  );
}

/**
 * Answers the calls of a batch, in order; one after another like a real node,
 * if the network imitates one.
 */
export async function answerEach(
  { isLikeChain }: EvmSide,
  calls: readonly unknown[],
  answer: (call: unknown) => Promise<object>,
): Promise<object[]> {
  if (!isLikeChain) {
    return await Promise.all(calls.map(answer));
  }
  const answers: object[] = [];
  for (const call of calls) {
    answers.push(await answer(call));
  }
  return answers;
}
