import { Backfill } from "../../framework/events/backfill.js";
import type { Log } from "../../framework/events/wire.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { patiently } from "./patience.js";

/** An EVM transaction from or to an address. */
export interface EvmTransaction {
  readonly hash: string;
  readonly from: string;
  /** Null for a deployment. */
  readonly to: string | null;
  /** Base units. */
  readonly value: bigint;
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  readonly contractAddress?: string;
}

export interface EvmActivity {
  readonly transactions: readonly EvmTransaction[];
  readonly logs: readonly Log[];
}

/**
 * Reads what an address did in a block on the EVM's side: transactions from and
 * to it, logs that it emitted or that name it.
 */
export async function evmActivity(
  provider: RpcProvider,
  network: string,
  address: string,
  number: bigint,
  signal: AbortSignal,
): Promise<EvmActivity> {
  const wanted = address.toLowerCase();
  const topic = `0x${wanted.slice(2).padStart(64, "0")}`;
  const [transactions, { logs }] = await Promise.all([
    transactionsOf(provider, wanted, number, signal),
    new Backfill({ provider, network, signal }).logs({}, number, number),
  ]);
  return {
    transactions,
    logs: logs.filter(
      (log) =>
        log.address.toLowerCase() === wanted ||
        log.topics.slice(1).some((one) => one.toLowerCase() === topic),
    ),
  };
}

async function transactionsOf(
  provider: RpcProvider,
  wanted: string,
  number: bigint,
  signal: AbortSignal,
): Promise<EvmTransaction[]> {
  const all = await patiently(async () => {
    const block = await provider.request({
      method: "eth_getBlockByNumber",
      params: [toQuantity(number), true],
    });
    // Null until the node has indexed the block.
    if (!isRecord(block) || !Array.isArray(block["transactions"])) {
      throw new DualstackError(`the node did not return block ${number}`);
    }
    return block["transactions"].filter(isRecord);
  }, signal);
  const is = (value: unknown) =>
    typeof value === "string" && value.toLowerCase() === wanted;
  return await Promise.all(
    all
      .filter(({ from, to }) => is(from) || is(to))
      .map(
        async (transaction) => await withReceipt(provider, transaction, signal),
      ),
  );
}

async function withReceipt(
  provider: RpcProvider,
  { hash, from, to, value }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<EvmTransaction> {
  const receipt = await patiently(async () => {
    const answer = await provider.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    });
    if (!isRecord(answer)) {
      throw new DualstackError(`the node has no receipt of ${String(hash)}`);
    }
    return answer;
  }, signal);
  const { contractAddress } = receipt;
  return {
    hash: address(hash, 64),
    from: address(from, 40),
    to: to === null || to === undefined ? null : address(to, 40),
    value: fromQuantity(value, "a transaction's value"),
    succeeded: receipt["status"] === "0x1",
    gasUsed: fromQuantity(receipt["gasUsed"], "a receipt's gas"),
    ...(typeof contractAddress === "string"
      ? { contractAddress: address(contractAddress, 40) }
      : {}),
  };
}

function address(value: unknown, digits: number): string {
  if (
    typeof value !== "string" ||
    !/^0x[0-9a-fA-F]+$/.test(value) ||
    value.length !== digits + 2
  ) {
    throw new DualstackError("the node gave a malformed transaction");
  }
  return value;
}
