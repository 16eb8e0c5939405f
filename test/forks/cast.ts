// Finds the accounts, contracts and heights that the tests use in the recording
// itself, so that another recording will do as well.

import { Interface } from "ethers";

import { parseAddress } from "../../src/address/index.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { PRECOMPILES } from "../../src/precompiles/catalog.js";
import { valueAt } from "../servers/archive/archive.mjs";
import { archive } from "./archive.js";

const { data } = archive;

/** How many blocks a fork may mine before the first vote ends. */
const QUIET = 8;
/**
 * The least that the chosen account has delegated and can spend, in base units.
 */
const ENOUGH = 5n * 10n ** 18n;
/** The most unbonding entries it may have, so that it can add some. */
const MOST_ENTRIES = 4;

function first<T>(what: string, found: T | undefined): T {
  if (found === undefined) throw new Error(`the archive has no ${what}`);
  return found;
}

/** Returns the recorded answer of the REST endpoint. */
export function restAt(path: string, height: number): any {
  const { status, body } = archive.rest(`/cosmos/${path}`, height);
  if (status !== 200) throw new Error(`the archive has no /cosmos/${path}`);
  return JSON.parse(body);
}

/** Returns the IDs of proposals in their voting period. */
export const openProposals = (height: number): number[] =>
  restAt("gov/v1/proposals", height)
    .proposals.filter(({ status }: any) => /VOTING/.test(status))
    .map(({ id }: any) => Number(id));

const { kind: VAULT_KIND, address: vault } = first(
  "contract that compounds its stake",
  Object.values<any>(data.contracts).find(({ kind }) => {
    const abi = new Interface(data.abis[kind]);
    return abi.hasFunction("compound") && abi.hasFunction("deposit");
  }),
);

/** A contract that stakes its deposits and its rewards. */
export const VAULT = parseAddress(vault).hex;
export const VAULT_ABI: any[] = data.abis[VAULT_KIND];
export const VAULT_NAME: string = VAULT_KIND;

/** Returns an account's delegations. */
export const delegationsOf = (account: string, height: number): any[] =>
  restAt(
    `staking/v1beta1/delegations/${parseAddress(account, data).account}`,
    height,
  ).delegation_responses;

/**
 * The last height with the most open proposals, all of which stay open for a
 * while, and with stake in the vault.
 */
export const HEIGHT: number = (() => {
  let [height, most] = [0, 0];
  for (let at = 1; at + QUIET <= archive.head; at++) {
    const later = new Set(openProposals(at + QUIET));
    const open = openProposals(at);
    if (open.length < most || open.some((id) => !later.has(id))) continue;
    if (delegationsOf(VAULT, at).length > 0) [height, most] = [at, open.length];
  }
  return first(
    "height with votes and a vault that stakes",
    height || undefined,
  );
})();

/** A pattern that matches any validator's moniker. */
export const MONIKER: string = restAt("staking/v1beta1/validators", HEIGHT)
  .validators.map(({ description }: any) =>
    description.moniker.replace(/[^\w ]/g, "."),
  )
  .join("|");

/** Operator addresses of all validators. */
export const OPERATORS: readonly string[] = restAt(
  "staking/v1beta1/validators",
  HEIGHT,
).validators.map((one: any) => one.operator_address);

const bonded = new Map<string, any>(
  restAt("staking/v1beta1/validators", HEIGHT)
    .validators.filter(({ jailed }: any) => !jailed)
    .map((one: any) => [one.operator_address, one]),
);

/**
 * An account that sends transactions, has delegated to a validator that is not
 * jailed, and can add unbonding entries.
 */
const { account, delegation } = first(
  "account that sends transactions and delegates",
  [...new Set<string>(senders())]
    .filter((sender) => {
      const { valoper } = parseAddress(sender, data);
      return (
        !bonded.has(valoper) &&
        (valueAt(data.state.code[sender], HEIGHT) ?? "0x") === "0x" &&
        BigInt(valueAt(data.state.balance[sender], HEIGHT)) > ENOUGH
      );
    })
    .flatMap((sender) =>
      delegationsOf(sender, HEIGHT).map((one) => ({
        account: sender,
        delegation: one,
        entries: entriesOf(sender, one.delegation.validator_address),
      })),
    )
    .filter(
      (one) =>
        BigInt(one.delegation.balance.amount) > ENOUGH &&
        bonded.has(one.delegation.delegation.validator_address),
    )
    .filter(({ entries }) => entries <= MOST_ENTRIES)
    .sort((a, b) => b.entries - a.entries)[0],
);

export const DELEGATOR = parseAddress(account).hex;
/** The operator address of the validator it has delegated to. */
export const OPERATOR: string = delegation.delegation.validator_address;

/** Operator addresses of the validators it unbonds from, or will. */
export const UNBONDS_FROM: readonly string[] = [
  ...new Set([
    OPERATOR,
    ...unbondingOf(account).map((one) => one.validator_address),
  ]),
];

/** In seconds. */
export const UNBONDING_TIME: number = parseInt(
  restAt("staking/v1beta1/params", HEIGHT).params.unbonding_time,
);

function* senders(): Generator<string> {
  for (const { transactions } of data.blocks)
    for (const { from } of transactions) yield from;
}

function unbondingOf(delegator: string): any[] {
  const { account } = parseAddress(delegator, data);
  return restAt(
    `staking/v1beta1/delegators/${account}/unbonding_delegations`,
    HEIGHT,
  ).unbonding_responses;
}

function entriesOf(delegator: string, operator: string): number {
  return unbondingOf(delegator)
    .filter((one) => one.validator_address === operator)
    .flatMap((one) => one.entries).length;
}

/**
 * Finds a delegator whose unbonding entries all mature in one block without
 * transactions. Returns that block's height (`to`), an earlier one (`from`),
 * and the operator they unbond from.
 */
export function maturing():
  | {
      from: number;
      to: number;
      delegator: string;
      operator: string;
    }
  | undefined {
  const lists = Object.entries<any>(data.store.staking).filter(([key]) =>
    key.startsWith(UNBONDINGS),
  );
  for (let to = archive.head; to > LEAD; to--) {
    if (data.blocks[to - 1].transactions.length > 0) continue;
    const from = to - LEAD;
    for (const [key, list] of lists) {
      const delegator = key.slice(4, 44);
      const ofAll = lists.filter(([other]) => other.slice(4, 44) === delegator);
      const at = (height: number) =>
        ofAll.map(([, one]) => valueAt(one, height) ?? null);
      if (valueAt(list, from) == null) continue;
      if (at(to).some((value) => value !== null)) continue;
      if (String(at(from)) !== String(at(to - 1))) continue;
      if (at(from).filter((value) => value !== null).length !== 1) continue;
      return {
        from,
        to,
        delegator: `0x${delegator}`,
        operator: `0x${key.slice(46)}`,
      };
    }
  }
  return undefined;
}

/**
 * In the staking store, keys of unbonding delegations begin with this. The
 * delegator and the operator follow, 20 bytes each after their length.
 */
const UNBONDINGS = "3214";
/** How many blocks before the end such a fork starts. */
const LEAD = 5;

/** A recorded transaction with its outcome. */
export interface Recorded {
  readonly hash: string;
  readonly fields: any;
  readonly receipt: any;
  /** What its execution returned. */
  readonly outcome: any;
}

const all: readonly Recorded[] = data.blocks.flatMap((block: any) =>
  block.transactions.map((fields: any, index: number) => ({
    hash: fields.hash,
    fields,
    receipt: data.blockReceipts[Number(block.number) - 1][index],
    outcome: data.transactions[fields.hash].outcome,
  })),
);

/**
 * Returns the first recorded transaction that matches. `what` describes it in
 * the error if there is none.
 */
export const transaction = (
  what: string,
  wanted: (one: Recorded) => boolean,
): Recorded =>
  first(
    `transaction that ${what}`,
    all.find((one) => wanted(one)),
  );

export const succeeded = ({ receipt }: Recorded) => receipt.status === "0x1";

const vaultAbi = new Interface(VAULT_ABI);
const stakingAbi = new Interface(PRECOMPILES.staking.abi);

/** Whether a transaction calls a method of a contract. */
const calls =
  (address: string, abi: Interface) =>
  ({ fields }: Pick<Recorded, "fields">, method: string): boolean =>
    fields.to?.toLowerCase() === address.toLowerCase() &&
    fields.input.startsWith(abi.getFunction(method)?.selector ?? "none");

export const callsVault = calls(VAULT, vaultAbi);
export const callsStaking = calls(PRECOMPILE_ADDRESSES.staking, stakingAbi);

/** A transaction in which the vault adds its rewards to its stake. */
export const COMPOUND = transaction(
  "compounds the vault",
  (one) => callsVault(one, "compound") && succeeded(one),
);

/** A transaction that the vault refuses with a custom error. */
export const REFUSED = transaction(
  "the vault refuses with an error that has no arguments",
  (one) =>
    one.fields.to?.toLowerCase() === vault.toLowerCase() &&
    !succeeded(one) &&
    vaultAbi.getError(one.outcome.ret)?.inputs.length === 0,
);
export const REFUSAL = `${vaultAbi.getError(REFUSED.outcome.ret)?.name}()`;
export const REFUSING: string =
  vaultAbi.getFunction(REFUSED.fields.input.slice(0, 10))?.name ?? "";

interface Receipt {
  readonly logs: any;
}

const hasLogOf = ({ logs }: Receipt, name: "staking" | "distribution") =>
  logs.some(
    ({ address }: any) => address.toLowerCase() === PRECOMPILE_ADDRESSES[name],
  );

export const hasStaked = (receipt: Receipt) => hasLogOf(receipt, "staking");

/** Whether the vault claimed its rewards, and delegated them. */
export const hasCompounded = (receipt: Receipt) =>
  hasStaked(receipt) && hasLogOf(receipt, "distribution");

/**
 * Compounds the vault as the delegator, which needs state of every kind: the
 * contract's storage, validators and rewards. Returns whether it worked.
 */
export async function compounds(
  ask: (method: string, ...params: unknown[]) => Promise<any>,
): Promise<boolean> {
  await ask("hardhat_impersonateAccount", DELEGATOR);
  const hash = await ask("eth_sendTransaction", {
    from: DELEGATOR,
    to: VAULT,
    data: COMPOUND.fields.input,
    gas: "0x4c4b40",
  });
  return hasCompounded(await ask("eth_getTransactionReceipt", hash));
}
