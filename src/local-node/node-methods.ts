import { parseAddress } from "../address/index.js";
import type { Ask } from "../rpc/pipeline.js";
import { RpcError } from "../rpc/provider.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";

type Method = (ask: Ask, params: readonly unknown[]) => Promise<unknown>;
type Fields = Readonly<Record<string, unknown>>;

const refused = (message: string) => new RpcError(message, -32000, undefined);

/** @throws RpcError when it is missing */
function firstOf(params: readonly unknown[]): unknown {
  const [first] = params;
  if (first !== undefined) return first;
  const message = "missing value for required argument 0";
  throw new RpcError(message, -32602, undefined);
}

/** @throws RpcError when it is no address in hex */
function addressIn(value: unknown): string {
  if (typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)) {
    return parseAddress(value.toLowerCase()).hex;
  }
  const message = "invalid argument 0: no address";
  throw new RpcError(message, -32602, undefined);
}

const isHash = (value: unknown): value is string =>
  typeof value === "string" && /^0x[0-9a-fA-F]{64}$/.test(value);

/**
 * Returns the hashes of a block's transactions.
 *
 * @param given the block's hash, number or name, or an object with one
 * @throws RpcError when there is no such block
 */
async function transactionsIn(
  ask: Ask,
  given: unknown,
): Promise<readonly unknown[]> {
  const at = isRecord(given)
    ? (given["blockHash"] ?? given["blockNumber"])
    : given;
  const block = isHash(at)
    ? await ask("eth_getBlockByHash", [at, false])
    : // Nothing that is pending was run.
      await ask("eth_getBlockByNumber", [
        at === "pending" ? "latest" : at,
        false,
      ]);
  if (isRecord(block)) {
    const { transactions } = block;
    return Array.isArray(transactions) ? transactions : [];
  }
  if (isHash(at)) {
    const why = `header not found for hash ${at}`;
    throw refused(`failed to get block number from hash: ${why}`);
  }
  const head = BigInt(String(await ask("eth_blockNumber")));
  const why = `height ${BigInt(String(at))} must be less than or equal to the current blockchain height ${head}`;
  throw refused(`failed to get block by number: ${why}`);
}

const receipts: Method = async (ask, params) =>
  await Promise.all(
    (await transactionsIn(ask, firstOf(params))).map(
      async (hash) => await ask("eth_getTransactionReceipt", [hash]),
    ),
  );

const traces: Method = async (ask, params) => {
  const hashes = await transactionsIn(ask, firstOf(params));
  const found: unknown[] = [];
  for (const hash of hashes) {
    const result = await ask("debug_traceTransaction", [
      hash,
      ...params.slice(1),
    ]);
    found.push({ result });
  }
  return found;
};

const nonceOf = ({ nonce }: Fields) => fromQuantity(nonce, "a nonce");

/** An account's waiting transactions in the order of their nonces. */
interface Waiting {
  /** The address with its checksum. */
  readonly from: string;
  /** Those that the next block may include. */
  readonly pending: readonly Fields[];
  /** Those that wait for an earlier one. */
  readonly queued: readonly Fields[];
}

async function waiting(ask: Ask): Promise<readonly Waiting[]> {
  const all = await ask("eth_pendingTransactions");
  const bySender = new Map<string, Fields[]>();
  for (const one of Array.isArray(all) ? all.filter(isRecord) : []) {
    const from = addressIn(one["from"]);
    bySender.set(from, [...(bySender.get(from) ?? []), one]);
  }
  return await Promise.all(
    [...bySender].map(async ([from, given]) => {
      const sorted = [...given].sort((a, b) => Number(nonceOf(a) - nonceOf(b)));
      const count = await ask("eth_getTransactionCount", [from, "latest"]);
      const first = fromQuantity(count, "a nonce");
      const gap = sorted.findIndex(
        (one, i) => nonceOf(one) !== first + BigInt(i),
      );
      const end = gap < 0 ? sorted.length : gap;
      return { from, pending: sorted.slice(0, end), queued: sorted.slice(end) };
    }),
  );
}

/** Returns what waits, as `show` shows it, by sender and nonce. */
async function pool(ask: Ask, show: (one: Fields) => unknown) {
  const all = await waiting(ask);
  const part = (name: "pending" | "queued") =>
    Object.fromEntries(
      all
        .filter((one) => one[name].length > 0)
        .map((one) => [one.from, byNonce(one[name], show)]),
    );
  return { pending: part("pending"), queued: part("queued") };
}

const byNonce = (
  transactions: readonly Fields[],
  show: (one: Fields) => unknown,
) =>
  Object.fromEntries(
    transactions.map((one) => [String(nonceOf(one)), show(one)]),
  );

function summary({ to, value, gas, gasPrice }: Fields): string {
  const [sent, limit, price] = [value, gas, gasPrice].map((one) =>
    fromQuantity(one, "a field"),
  );
  const whom = typeof to === "string" ? addressIn(to) : "contract creation";
  return `${whom}: ${sent} wei + ${limit} gas × ${price} wei`;
}

const METHODS: Readonly<Record<string, Method>> = {
  net_listening: async () => true,
  // A number, unlike other nodes' hex.
  net_peerCount: async () => 0,
  eth_protocolVersion: async () => "0x41",
  rpc_modules: async () =>
    Object.fromEntries(
      ["debug", "eth", "net", "rpc", "txpool", "web3"].map((name) => [
        name,
        "1.0",
      ]),
    ),
  eth_getBlockReceipts: receipts,
  eth_getTransactionLogs: async (ask, params) => {
    const receipt = await ask("eth_getTransactionReceipt", [firstOf(params)]);
    return isRecord(receipt) ? receipt["logs"] : null;
  },
  debug_traceBlockByHash: traces,
  debug_traceBlockByNumber: traces,
  txpool_content: async (ask) => await pool(ask, (one) => one),
  txpool_inspect: async (ask) => await pool(ask, summary),
  txpool_contentFrom: async (ask, params) => {
    const hex = addressIn(firstOf(params));
    const { pending, queued } = await pool(ask, (one) => one);
    return { pending: pending[hex] ?? {}, queued: queued[hex] ?? {} };
  },
  txpool_status: async (ask) => {
    const all = await waiting(ask);
    const count = (name: "pending" | "queued") =>
      `0x${all.reduce((sum, one) => sum + one[name].length, 0).toString(16)}`;
    return { pending: count("pending"), queued: count("queued") };
  },
};

/** A method that nodes have, and simulated networks lack. */
export const nodeMethod = (name: string): Method | undefined =>
  Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
