import type { DualChain } from "../chain.js";
import { genesisDocument } from "../genesis.js";
import { internalError } from "./error.js";
import { type Params, whole } from "./params.js";

/** Size limit in bytes of a chunk, and of the whole document in one answer. */
const PART = 16 * 1024 * 1024;

/**
 * Answers `genesis`.
 *
 * @throws RpcFault when the document is too large, or on a fork
 */
export async function genesis(chain: DualChain): Promise<object> {
  const document = await genesisDocument(chain);
  if (JSON.stringify(document).length > PART) {
    throw internalError(
      "genesis response is large, please use the genesis_chunked API instead",
    );
  }
  return { genesis: document };
}

/**
 * Answers `genesis_chunked`: a chunk of the document in base64.
 *
 * @throws RpcFault when there is no such chunk, or on a fork
 */
export async function genesisChunk(
  chain: DualChain,
  params: Params,
): Promise<object> {
  const bytes = Buffer.from(JSON.stringify(await genesisDocument(chain)));
  const total = Math.ceil(bytes.length / PART);
  const chunk = whole(params, "chunk") ?? 0n;
  if (chunk >= total) {
    // Nodes report the last index as the count.
    throw internalError(`there are ${total - 1} chunks, ${chunk} is invalid`);
  }
  const from = Number(chunk) * PART;
  return {
    chunk: String(chunk),
    total: String(total),
    data: bytes.subarray(from, from + PART).toString("base64"),
  };
}
