import { access, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { parseAddress } from "../../address/codec.js";
import { ZERO_ADDRESS } from "../../address/zero.js";
import type { ChainFacts } from "../../chain/facts.js";
import { KeptOnDisk } from "../../live-state/kept.js";
import {
  answersOf,
  snapshotText,
  type SnapshotHead,
} from "../../live-state/snapshot.js";
import { ANY_STATUS, VOTING_PERIOD } from "../../live-state/statuses.js";
import type { PrecompileAddresses } from "../../precompiles/addresses.js";
import { PRECOMPILES } from "../../precompiles/catalog.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText, errorText } from "../../support/text.js";
import type { Ui } from "../shared/ui.js";

/** The arguments of `dualstack snapshot`, as texts. */
export interface SnapshotArguments {
  readonly file: string | undefined;
  readonly block: string | undefined;
  readonly accounts: string | undefined;
  readonly calls: string | undefined;
}

export interface SnapshotRequest {
  /** Absolute. */
  readonly file: string;
  /** Default: the newest block. */
  readonly block: bigint | undefined;
  readonly accounts: readonly `0x${string}`[];
  readonly calls: readonly { readonly to: string; readonly data: string }[];
}

const DEFAULT_FILE = "dualstack-snapshot.json";

const parts = (text: string | undefined) =>
  (text ?? "").split(",").flatMap((part) => part.trim() || []);

/** @throws DualstackError naming what is wrong */
export function readSnapshotArguments(
  { file, block, accounts, calls }: SnapshotArguments,
  root: string,
  facts: Pick<ChainFacts, "bech32Prefix">,
): SnapshotRequest {
  if (block !== undefined && !/^[1-9]\d{0,15}$/.test(block)) {
    throw new DualstackError(
      `--block "${cleanText(block, 20)}" is not a block number`,
    );
  }
  return {
    file: path.resolve(root, file ?? DEFAULT_FILE),
    block: block === undefined ? undefined : BigInt(block),
    accounts: parts(accounts).map(
      (text) => parseAddress(text, { prefix: facts.bech32Prefix }).hex,
    ),
    calls: parts(calls).map((text) => {
      const found = /^(0x[0-9a-f]{40})(?::(0x(?:[0-9a-f]{2})*))?$/i.exec(text);
      if (found?.[1] === undefined) {
        throw new DualstackError(
          `--calls has "${cleanText(text, 60)}", which is not <address>:<data>`,
          {
            fix: "Separate calls by commas. For a call without data, give the address alone.",
          },
        );
      }
      return { to: found[1], data: found[2] ?? "0x" };
    }),
  };
}

/** A simulated network to open as a fork; what it reads is kept in a folder. */
export interface ForkToOpen {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly height: bigint;
  readonly cache: string;
}

export interface OpenFork {
  readonly provider: RpcProvider;
  close(): Promise<void>;
}

export interface SnapshotSource {
  /** The network's name. */
  readonly network: string;
  readonly chainId: number;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly addresses: PrecompileAddresses;
  /** The network itself. */
  readonly provider: RpcProvider;
  readonly openFork: (fork: ForkToOpen) => Promise<OpenFork>;
}

export interface SnapshotReport {
  readonly file: string;
  readonly network: string;
  readonly block: number;
  readonly validators: number;
  readonly accounts: number;
  readonly answers: number;
  readonly bytes: number;
}

const PAGE = ["0x", 0n, 0n, false, false];

/**
 * Writes what a fork of a network reads to one file: validators, parameters,
 * proposals, accounts, and the contracts that calls touch.
 *
 * @throws DualstackError if something cannot be read; then nothing is written
 */
export async function writeSnapshot(
  { file, block, accounts, calls }: SnapshotRequest,
  source: SnapshotSource,
  ui: Ui,
): Promise<SnapshotReport> {
  // Reading takes a while, so what would end it is looked at first.
  await access(path.dirname(file)).catch((cause: unknown) => {
    throw unwritable(file, cause);
  });
  const { network } = source;
  const newest = fromQuantity(
    await source.provider.request({ method: "eth_blockNumber" }),
    "the newest block's number",
  );
  const height = block ?? newest;
  if (height > newest) {
    throw new DualstackError(
      `there is no block ${height} yet: the newest is ${newest}`,
      { network, fix: "Choose an older one with --block." },
    );
  }
  const cache = await mkdtemp(path.join(tmpdir(), "dualstack-snapshot-"));
  try {
    ui.progress(`Reading validators at block ${height} …`);
    const fork = await source
      .openFork({ url: source.url, headers: source.headers, height, cache })
      .catch((error: unknown) => {
        throw unreadableBy(error, network);
      });
    let head: Omit<SnapshotHead, "format" | "accounts">;
    try {
      head = await readAll(
        fork.provider,
        height,
        source,
        { accounts, calls },
        ui,
      );
    } catch (error) {
      throw unreadableBy(error, network);
    } finally {
      await fork.close();
    }
    const answers = answersOf(await keptIn(cache));
    const whole = {
      ...head,
      accounts: await accountsIn(answers, source.addresses),
    };
    const text = snapshotText(whole, answers);
    await writeFile(file, text).catch((cause: unknown) => {
      throw unwritable(file, cause);
    });
    return {
      file,
      network: source.network,
      block: head.block.number,
      validators: head.validators.length,
      accounts: whole.accounts.length,
      answers: answers.length,
      bytes: Buffer.byteLength(text),
    };
  } finally {
    ui.progress(undefined);
    await rm(cache, { recursive: true, force: true });
  }
}

const unwritable = (file: string, cause: unknown) =>
  new DualstackError(
    `the snapshot cannot be written to ${file}: ${errorText(cause, 160)}`,
    { fix: "Choose a folder that is there and that you may write to.", cause },
  );

/** Says of what a fork's simulator or its emulation refused what it was for. */
function unreadableBy(error: unknown, network: string): unknown {
  const isAnswer = error instanceof Error && "code" in error;
  return DualstackError.is(error) || !isAnswer
    ? error
    : new DualstackError(
        `the snapshot was not written: ${errorText(error, 1_000)}`,
        { network, cause: error },
      );
}

async function readAll(
  provider: RpcProvider,
  height: bigint,
  { network, chainId, addresses }: SnapshotSource,
  { accounts, calls }: Pick<SnapshotRequest, "accounts" | "calls">,
  ui: Ui,
): Promise<Omit<SnapshotHead, "format" | "accounts">> {
  const { Interface } = await import("ethers");
  const block = await provider.request({
    method: "eth_getBlockByNumber",
    params: [toQuantity(height), false],
  });
  if (!isRecord(block)) throw new DualstackError("the fork has no block");
  // With overrides, even empty ones, the fork itself runs the call, on the
  // state that it reads.
  const call = async (request: object) =>
    String(
      await provider.request({
        method: "eth_call",
        params: [request, "latest", {}],
      }),
    );
  const view = async (
    name: "staking" | "distribution" | "governance",
    method: string,
    args: readonly unknown[],
  ) => {
    const codec = new Interface(PRECOMPILES[name].abi);
    const data = codec.encodeFunctionData(method, [...args]);
    return codec.decodeFunctionResult(
      method,
      await call({ to: addresses[name], data }),
    );
  };
  const [validators] = await view("staking", "validators", ["", PAGE]);
  for (const [index, account] of accounts.entries()) {
    ui.progress(`Reading account ${index + 1} of ${accounts.length} …`);
    for (const method of [
      "eth_getBalance",
      "eth_getTransactionCount",
      "eth_getCode",
    ]) {
      await provider.request({ method, params: [account, "latest"] });
    }
    await view("distribution", "delegationTotalRewards", [account]);
  }
  ui.progress("Reading proposals …");
  const [proposals] = await view("governance", "getProposals", [
    ANY_STATUS,
    ZERO_ADDRESS,
    ZERO_ADDRESS,
    PAGE,
  ]);
  for (const { id, status } of proposals) {
    if (Number(status) === VOTING_PERIOD)
      await view("governance", "getTallyResult", [id]);
  }
  for (const [index, request] of calls.entries()) {
    ui.progress(`Running call ${index + 1} of ${calls.length} …`);
    await call(request);
  }
  // Clients ask this before each transaction, for its fee.
  await provider.request({
    method: "eth_feeHistory",
    params: ["0x1", "latest", [50]],
  });
  return {
    chainId,
    network,
    block: {
      number: Number(block.number),
      hash: String(block.hash),
      time: Number(block.timestamp),
    },
    validators: (validators as readonly ListedValidator[]).map(
      ({ description, operatorAddress, tokens }) => ({
        moniker: cleanText(description.moniker, 70),
        operator: operatorAddress,
        tokens: String(tokens),
      }),
    ),
  };
}

interface ListedValidator {
  readonly description: { readonly moniker: string };
  readonly operatorAddress: string;
  readonly tokens: bigint;
}

/** The accounts whose stake was read; their redelegations are asked for one by one. */
async function accountsIn(
  answers: ReturnType<typeof answersOf>,
  { staking }: PrecompileAddresses,
): Promise<readonly string[]> {
  const { Interface } = await import("ethers");
  const codec = new Interface(PRECOMPILES.staking.abi);
  const found = new Set<string>();
  for (const { ask, params } of answers) {
    const [call] = Array.isArray(params) ? (params as unknown[]) : [];
    if (ask !== "eth_call" || !isRecord(call)) continue;
    if (String(call.to).toLowerCase() !== staking.toLowerCase()) continue;
    const view = codec.parseTransaction({ data: String(call.data) });
    if (view?.name !== "redelegations") continue;
    const account = String(view.args[0]).toLowerCase();
    if (account !== ZERO_ADDRESS) found.add(account);
  }
  return [...found].sort();
}

async function keptIn(folder: string) {
  const names = await readdir(folder, { recursive: true });
  const entries = [];
  for (const name of names.filter((one) => one.endsWith(".jsonl")).sort()) {
    const kept = await KeptOnDisk.open(path.join(folder, name));
    entries.push(...kept.entries());
  }
  return entries;
}
