import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

import { Interface, toQuantity } from "ethers";

/*
 * What calls cost on a real node, and what the same calls cost here.
 *
 * recordings/gas.json.gz is what a real node was asked and answered: `setup`,
 * the transactions that make the state; `rows`, estimates of typical calls of
 * every method; `inner`, whether a contract's call with so much gas succeeds.
 * gas-here.json is what the local precompiles answer: the conformance tests
 * check it, and the table in docs/fidelity.md shows it.
 */

interface Sent {
  readonly id: string;
  readonly from: string;
  readonly to?: string;
  readonly data: string;
  readonly value?: string;
}

export interface GasRow {
  readonly id: string;
  readonly to: string;
  readonly method: string;
  readonly from: string;
  readonly address: string;
  readonly data: string;
  /** A real node's estimate, in gas units. */
  readonly gas: number;
}

interface InnerCall {
  readonly id: string;
  readonly from: string;
  readonly data: string;
  readonly ok: boolean;
}

interface GasRecording {
  readonly caller: string;
  readonly setup: readonly Sent[];
  readonly rows: readonly GasRow[];
  readonly inner: readonly InnerCall[];
}

/** Gas units by row. */
export type GasHere = Readonly<Record<string, number>>;

/** The least and the most gas of every row, as multiples of the chain's. */
export const LEAST = 0.95;
export const MOST_OF_ALL = 2;

/**
 * The same, by row, for views of what every validator has to be asked for, and for
 * a vote's text, which cannot wait for the end of the block.
 */
export const MOST_OF_SOME: Readonly<Record<string, number>> = {
  "vote.metadata": 3.3,
  "view.totalSupply": 3.5,
  "view.supplyOf": 3.5,
  "view.getSigningInfos": 2.7,
};

/** Calls from contracts that end otherwise than on the chain. */
export const INNER_DIFFERENCES: readonly string[] = [
  "toHex.8000 succeeds on the chain",
  "toHex.10000 succeeds on the chain",
];

const HERE = new URL("gas-here.json", import.meta.url);
const SETUP_GAS = 16_000_000;
const RESULT = new Interface([
  "function direct() returns (bool[] oks, bytes[] rets, uint256 balance)",
]);

export async function readGasRecording(): Promise<GasRecording> {
  const url = new URL("recordings/gas.json.gz", import.meta.url);
  return JSON.parse(gunzipSync(await readFile(url)).toString("utf8"));
}

export async function readGasHere(): Promise<GasHere> {
  return JSON.parse(await readFile(HERE, "utf8"));
}

export async function writeGasHere(here: GasHere): Promise<void> {
  await writeFile(HERE, `${JSON.stringify(here, undefined, 2)}\n`);
}

export type Send = (method: string, params: unknown[]) => Promise<any>;

/** Asks a fresh local chain what the real node was asked. */
export async function measureGas(
  send: Send,
  recording: GasRecording,
): Promise<{ here: GasHere; inner: ReadonlyMap<string, boolean> }> {
  const heights = await setUp(send, recording.setup);
  const here: Record<string, number> = {};
  for (const row of recording.rows) {
    const data = withHeight(row, heights.get("unbond") ?? 0);
    here[row.id] = Number(
      await send("eth_estimateGas", [
        { from: row.from, to: row.address, data },
      ]),
    );
  }
  const inner = new Map<string, boolean>();
  for (const { id, from, data } of recording.inner) {
    const answer = await send("eth_call", [
      { from, to: recording.caller, data, gas: toQuantity(SETUP_GAS) },
      "latest",
    ]);
    const [oks] = RESULT.decodeFunctionResult("direct", answer);
    inner.set(id, oks[0] === true);
  }
  return { here, inner };
}

async function setUp(send: Send, setup: readonly Sent[]) {
  const heights = new Map<string, number>();
  for (const { id, value, ...transaction } of setup) {
    await send("hardhat_setNextBlockBaseFeePerGas", ["0x0"]);
    const hash = await send("eth_sendTransaction", [
      {
        ...transaction,
        ...(value === undefined ? {} : { value: toQuantity(value) }),
        gas: toQuantity(SETUP_GAS),
        gasPrice: "0x0",
      },
    ]);
    const receipt = await send("eth_getTransactionReceipt", [hash]);
    if (Number(receipt.status) !== 1)
      throw new Error(`the setup transaction ${id} fails`);
    heights.set(id, Number(receipt.blockNumber));
  }
  return heights;
}

/**
 * Puts this chain's height into a call that cancels an unbonding, which names the
 * height at which the unbonding began.
 */
function withHeight({ method, data }: GasRow, height: number): string {
  if (method !== "cancelUnbondingDelegation") return data;
  // The height is the last of four head words.
  const at = 2 + 8 + 3 * 64;
  const word = height.toString(16).padStart(64, "0");
  return data.slice(0, at) + word + data.slice(at + 64);
}
