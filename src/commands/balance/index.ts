import { parseAddress } from "../../address/index.js";
import type { BatchProvider, RpcOutcome } from "../../rpc/http-client.js";
import { fromQuantity } from "../../rpc/quantities.js";
import type { RpcRequest } from "../../rpc/provider.js";
import { mapInOrder } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import type { NetworkDescription } from "../../config/network-description.js";
import { type Money, money, nativeMoney } from "../shared/money.js";
import {
  type DenomReader,
  erc20Balance,
  erc20Request,
  unreadable,
} from "../shared/stable-token.js";

/** The balances of one address. */
export interface BalanceRow {
  /** As 0x…. */
  readonly address: string;
  /** The same as an account address. */
  readonly account: string;
  /** The address as the user wrote it. */
  readonly given: string;
  readonly native: Money;
  /** Absent where the stable token is not configured or cannot be read. */
  readonly stable?: Money;
}

export interface BalanceReader {
  readonly network: NetworkDescription;
  readonly provider: BatchProvider;
  /** Reads a stable token that is a denomination of the bank. */
  readonly readDenom?: DenomReader;
}

const ADDRESSES_AT_ONCE = 100;
/** Batches under way at once; a public node would take more for an attack. */
const BATCHES_AT_ONCE = 4;
const DENOMS_AT_ONCE = 8;

/** An address as the user wrote it, and where it stood, for errors. */
export interface GivenAddress {
  readonly text: string;
  /** @example "in line 3 of holders.txt" */
  readonly where?: string;
}

/** How many wrong addresses an error names. */
const FAULTS_SHOWN = 5;

/**
 * Checks a whole list of addresses, so that a typing error is found before
 * anything is read.
 *
 * @throws DualstackError naming the entries that are wrong
 */
export function checkAddresses(
  addresses: readonly GivenAddress[],
  { facts }: NetworkDescription,
): void {
  const faults: DualstackError[] = [];
  addresses.forEach(({ text, where }, index) => {
    const place =
      where ??
      (addresses.length === 1
        ? undefined
        : `${index + 1} of ${addresses.length}`);
    try {
      parseAddress(text, {
        prefix: facts.bech32Prefix,
        what: place === undefined ? "address" : `address ${place},`,
      });
    } catch (error) {
      if (!DualstackError.is(error)) {
        throw error;
      }
      faults.push(error);
    }
  });
  const [first, ...others] = faults;
  if (first === undefined) {
    return;
  }
  if (others.length === 0) {
    throw first;
  }
  const more = faults.length - FAULTS_SHOWN;
  throw new DualstackError(
    `${faults.length} of ${addresses.length} addresses are wrong: ${[
      ...faults.slice(0, FAULTS_SHOWN).map(({ reason }) => reason),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join("; ")}`,
    { fix: "Correct them; no balance was read." },
  );
}

/** The addresses in a text, one per line; skips empty lines and what follows a `#`. */
export function addressesInFile(text: string, file: string): GivenAddress[] {
  const addresses = text
    .split(/\r?\n/)
    .map((line, index) => ({
      text: line.replace(/#.*/, "").trim(),
      where: `in line ${index + 1} of ${file}`,
    }))
    .filter((line) => line.text !== "");
  if (addresses.length === 0) {
    throw new DualstackError(`there is no address in ${file}`, {
      fix: "Write one address per line.",
    });
  }
  return addresses;
}

/**
 * Reads the balances of any number of addresses in batches, in their order.
 * Only a few batches are held at a time, so that large lists need little
 * memory.
 */
export async function* readBalances(
  reader: BalanceReader,
  addresses: readonly string[],
): AsyncGenerator<BalanceRow, void, undefined> {
  const parts = function* () {
    for (let at = 0; at < addresses.length; at += ADDRESSES_AT_ONCE) {
      yield addresses.slice(at, at + ADDRESSES_AT_ONCE);
    }
  };
  for await (const rows of mapInOrder(
    parts(),
    BATCHES_AT_ONCE,
    async (part) => await readPart(reader, part),
  )) {
    yield* rows;
  }
}

async function readPart(
  { network, provider, readDenom }: BalanceReader,
  texts: readonly string[],
): Promise<BalanceRow[]> {
  const { facts } = network;
  const { stableToken } = facts;
  const prefix = facts.bech32Prefix;
  const addresses = texts.map((text) => parseAddress(text, { prefix }));
  const erc20 = stableToken?.address;
  const requests = addresses.flatMap(({ hex }): RpcRequest[] => [
    { method: "eth_getBalance", params: [hex, "latest"] },
    ...(erc20 === undefined ? [] : [erc20Request(erc20, hex)]),
  ]);
  const outcomes = await provider.batch(requests);
  const perAddress = erc20 === undefined ? 1 : 2;
  const denom =
    stableToken !== undefined &&
    unreadable(stableToken, readDenom) === undefined
      ? stableToken.denom
      : undefined;
  const fromBank: bigint[] = [];
  if (erc20 === undefined && denom !== undefined && readDenom !== undefined) {
    for await (const amount of mapInOrder(
      addresses,
      DENOMS_AT_ONCE,
      async ({ account }) => await readDenom(account, denom),
    )) {
      fromBank.push(amount);
    }
  }
  return addresses.map(({ hex, account, form }, index) => {
    const native = nativeBalance(outcomes[index * perAddress], hex, network);
    const stable =
      erc20 === undefined
        ? fromBank[index]
        : erc20Balance(
            answered(outcomes[index * perAddress + 1]),
            erc20,
            network.name,
          );
    return {
      address: hex,
      account,
      given: form === "hex" ? hex : account,
      native: nativeMoney(native, facts),
      ...(stable === undefined || stableToken === undefined
        ? {}
        : { stable: money(stable, stableToken) }),
    };
  });
}

function nativeBalance(
  outcome: RpcOutcome | undefined,
  address: string,
  { name }: NetworkDescription,
): bigint {
  const found = answered(outcome);
  if (!found.ok) {
    throw new DualstackError(
      `the node did not return the balance: ${found.error.serverMessage}`,
      { network: name, address, cause: found.error },
    );
  }
  return fromQuantity(found.result, `the balance of ${address}`);
}

function answered(outcome: RpcOutcome | undefined): RpcOutcome {
  if (outcome === undefined) {
    throw new DualstackError("the node left a call of a batch unanswered");
  }
  return outcome;
}
