import { BondStatus } from "cosmjs-types/cosmos/staking/v1beta1/staking";

import {
  MODULE_ACCOUNTS,
  moduleAddress,
} from "../precompiles/module-accounts.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import type { Block } from "./block.js";
import type { Books } from "./books/books.js";
import type { Ledger } from "./ledger.js";
import { consensusAddress } from "./consensus.js";
import { dueEvents } from "./due-events.js";
import { told } from "./fault.js";
import type { ModuleEvent } from "./history.js";
import { allValidatorsAt } from "./node-rpc/blocks.js";
import { decimal } from "./rest/json.js";
import {
  burnEvents,
  event,
  type EventTexts,
  transferEvents,
} from "./transactions/events.js";

const ONE = 10n ** 18n;
/** In seconds. */
const YEAR = 31_536_000n;
const MINT = moduleAddress("mint");

const inPhase = (
  mode: "BeginBlock" | "EndBlock",
  events: readonly ModuleEvent[],
) =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: [...attributes, { key: "mode", value: mode }],
  }));

/**
 * Returns the events of a block outside its transactions, in a node's order.
 */
export async function blockEvents(
  ledger: Ledger,
  block: Block,
): Promise<readonly ModuleEvent[]> {
  const { height, gasUsed } = block;
  const { denom } = await ledger.booksAt(height).evm.facts();
  const texts = { prefix: ledger.prefix, denom };
  const before = height > 1n ? await ledger.blockAt(height - 1n) : undefined;
  const begin =
    before === undefined
      ? []
      : [
          ...(await rewardEvents(ledger, block, before, texts)),
          ...(await slashEvents(ledger, height, texts)),
        ];
  return [
    ...inPhase("BeginBlock", begin),
    ...inPhase("EndBlock", [
      ...(await feeEvents(ledger, block, texts)),
      ...(before === undefined
        ? []
        : await dueEvents(ledger, block, before.height, texts)),
      event("block_bloom", { bloom: bloomOf(block) }),
      event("block_gas", { height: String(height), amount: String(gasUsed) }),
    ]),
  ];
}

/**
 * Writes the logs bloom as a node does: its bytes as a string, empty when no
 * bit is set.
 */
function bloomOf({ evm }: Block): string {
  const hex = String(evm["logsBloom"] ?? "0x").slice(2);
  return /^0*$/.test(hex) ? "" : Buffer.from(hex, "hex").toString();
}

/**
 * Returns the fee collector's income from a block's EVM transactions, which the
 * chain books at the end of the block.
 */
async function feeEvents(
  ledger: Ledger,
  { height, evm, baseFee }: Block,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  const { transactions } = evm;
  const all: readonly unknown[] = Array.isArray(transactions)
    ? transactions
    : [];
  if (all.length === 0) return [];
  const records = await ledger.transactionsAt(height);
  const paid = all.reduce<bigint>((sum, one, i) => {
    const price =
      isRecord(one) && typeof one["gasPrice"] === "string"
        ? fromQuantity(one["gasPrice"], "a price")
        : baseFee;
    return sum + (records[i]?.gasUsed ?? 0n) * price;
  }, 0n);
  const { feeCollector } = MODULE_ACCOUNTS;
  return transferEvents(feeCollector, feeCollector, paid, texts).filter(
    ({ type }) => type === "coin_received",
  );
}

/** Returns the supply of the native token in base units. */
async function supplyOf(books: Books): Promise<bigint> {
  const [supply] = await books.bank.supply();
  return BigInt(supply?.amount ?? 0);
}

/** Returns the minting since the previous block, and its distribution. */
async function rewardEvents(
  ledger: Ledger,
  block: Block,
  before: Block,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  const books = ledger.booksAt(before.height);
  const [rate, validators, supply] = await Promise.all([
    books.mint.rewardRate(),
    books.staking.validators(),
    told<bigint | undefined>(supplyOf(books), undefined),
  ]);
  const seconds = block.time - before.time;
  const bonded = validators.filter(
    ({ status }) => status === BondStatus.BOND_STATUS_BONDED,
  );
  const shares = bonded.map(({ operatorAddress, tokens, commission }) => {
    const reward = (BigInt(tokens) * rate * seconds) / (YEAR * ONE);
    const part = BigInt(commission.commissionRates.rate);
    return { operatorAddress, reward, commission: reward * part };
  });
  const minted = shares.reduce((sum, { reward }) => sum + reward, 0n);
  const staked = bonded.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n);
  const ofAll = (amount: bigint) =>
    decimal(String(supply === 0n ? 0n : amount / (supply ?? 1n)));
  const decCoin = (amount: bigint) =>
    amount === 0n ? "" : `${decimal(String(amount))}${texts.denom}`;
  const { feeCollector, distribution } = MODULE_ACCOUNTS;
  return [
    ...transferEvents(MINT, feeCollector, minted, texts),
    event("mint", {
      ...(supply === undefined
        ? {}
        : {
            bonded_ratio: ofAll(staked * ONE),
            inflation: ofAll(rate * staked),
          }),
      annual_provisions: decimal(String(rate * staked)),
      amount: String(minted),
    }),
    event("fee_market", { base_fee: `${block.baseFee}.${"0".repeat(18)}` }),
    event("evm_fee_market", { base_fee: String(block.baseFee) }),
    ...transferEvents(feeCollector, distribution, minted, texts),
    ...shares.flatMap(({ operatorAddress: validator, reward, commission }) => [
      event("commission", { amount: decCoin(commission), validator }),
      event("rewards", { amount: decCoin(reward * ONE), validator }),
    ]),
  ];
}

const EVER = [0n, 2n ** 63n] as const;

/**
 * Returns the slashes since the previous block. The emulation slashes in the
 * state of that block; a node does so at the beginning of the next.
 */
async function slashEvents(
  ledger: Ledger,
  height: bigint,
  texts: EventTexts,
): Promise<readonly ModuleEvent[]> {
  // Slashes in the initial state are older than this chain.
  if (height <= ledger.firstHeight) return [];
  const after = ledger.booksAt(height - 1n);
  const before = height > 2n ? ledger.booksAt(height - 2n) : undefined;
  const old = new Map(
    (await (before ?? after).staking.validators()).map((one) => [
      one.operatorAddress,
      one,
    ]),
  );
  const all = await allValidatorsAt(ledger, height - 1n);
  const events = all.map(async ({ address, operator, bonded }) => {
    const [now, then] = await Promise.all([
      after.distribution.slashesOf(operator, ...EVER),
      before?.distribution.slashesOf(operator, ...EVER),
    ]);
    const slashes = now.slashes.slice(then?.slashes.length ?? 0);
    if (slashes.length === 0) return [];
    const key = consensusAddress(texts.prefix, address);
    const held = old.get(operator);
    const tokens = BigInt(held?.tokens ?? 0);
    const { bondedPool, notBondedPool } = MODULE_ACCOUNTS;
    const pool =
      held?.status === BondStatus.BOND_STATUS_BONDED
        ? bondedPool
        : notBondedPool;
    const unbonding = await burntOf(operator, before ?? after, after);
    return [
      ...(unbonding === 0n ? [] : burnEvents(notBondedPool, unbonding, texts)),
      ...slashes.flatMap(({ fraction }) => {
        const burnt = (tokens * BigInt(fraction)) / ONE;
        return [
          ...burnEvents(pool, burnt, texts),
          event("slash", {
            address: key,
            power: String(tokens / ONE),
            reason: "missing_signature",
            ...(bonded ? {} : { jailed: key }),
            burned_coins: String(burnt),
          }),
        ];
      }),
    ];
  });
  return (await Promise.all(events)).flat();
}

/** Returns what a slash took from the unbondings of a validator. */
async function burntOf(
  operator: string,
  before: Books,
  after: Books,
): Promise<bigint> {
  const [then, now] = await Promise.all(
    [before, after].map(async (books) => {
      const unbondings = await told(books.staking.unbondingsFrom(operator), []);
      return unbondings.flatMap(({ delegatorAddress, entries }) =>
        entries.map(({ creationHeight, balance }) => ({
          of: `${delegatorAddress} ${creationHeight}`,
          balance: BigInt(balance),
        })),
      );
    }),
  );
  const left = new Map(now?.map(({ of, balance }) => [of, balance]));
  return (then ?? []).reduce((sum, { of, balance }) => {
    const rest = left.get(of) ?? balance;
    return rest < balance ? sum + balance - rest : sum;
  }, 0n);
}
