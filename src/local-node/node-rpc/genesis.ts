import type { DualChain } from "../chain.js";
import { genesisDocument } from "../genesis.js";
import { internalError } from "./error.js";
import { type Params, whole } from "./params.js";

/** Bytes of a part, and of what is answered as a whole. */
const PART = 16 * 1024 * 1024;

/** @throws RpcFault for one that is too long, and on a fork */
export async function genesis(chain: DualChain): Promise<object> {
  const document = await genesisDocument(chain);
  if (JSON.stringify(document).length > PART) {
    throw internalError(
      "genesis response is large, please use the genesis_chunked API instead",
    );
  }
  return { genesis: document };
}

/** A part of the document, in base64. @throws RpcFault for one that there is not, and on a fork */
export async function genesisChunk(
  chain: DualChain,
  params: Params,
): Promise<object> {
  const bytes = Buffer.from(JSON.stringify(await genesisDocument(chain)));
  const total = Math.ceil(bytes.length / PART);
  const chunk = whole(params, "chunk") ?? 0n;
  if (chunk < 0n || chunk >= total) {
    // A node counts so.
    throw internalError(`there are ${total - 1} chunks, ${chunk} is invalid`);
  }
  const from = Number(chunk) * PART;
  return {
    chunk: String(chunk),
    total: String(total),
    data: bytes.subarray(from, from + PART).toString("base64"),
  };
}
