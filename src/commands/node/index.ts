import { isLoopback } from "../../chain/endpoints.js";
import type { ChainFacts } from "../../chain/facts.js";
import { LOCAL_NODE } from "../../chain/local-node.js";
import type { LocalNode, LocalNodeOptions } from "../../local-node/index.js";
import { aborted } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { parseAmount } from "../../support/units.js";
import { nodeText, reachableNote } from "./messages.js";
import { toJson } from "../shared/output.js";
import type { Ui } from "../shared/ui.js";

/** The arguments of `dualstack node`, as texts. */
export interface NodeArguments {
  readonly port: string;
  readonly grpcPort: string;
  readonly hostname: string;
  readonly accounts: string;
  readonly balance: string;
  readonly mnemonic: string | undefined;
  readonly blockTime: string;
  readonly automine: boolean;
  readonly likeChain: boolean;
  readonly fork: string | undefined;
  readonly forkBlock: string | undefined;
}

const MAX_PORT = 65_535;

function numberIn(text: string, option: string, max: number): number {
  const number = Number(text);
  if (
    text.trim() === "" ||
    !Number.isFinite(number) ||
    number < 0 ||
    number > max
  ) {
    throw new DualstackError(
      `--${option} "${cleanText(text, 20)}" is not a number from 0 to ${max}`,
    );
  }
  return number;
}

function portIn(text: string, option: string): number {
  const port = numberIn(text, option, MAX_PORT);
  if (!Number.isInteger(port)) {
    throw new DualstackError(
      `--${option} "${cleanText(text, 20)}" is not a port from 0 (any) to ${MAX_PORT}`,
    );
  }
  return port;
}

/** @throws DualstackError naming the option that is wrong */
export const readNodeArguments = ({
  port,
  grpcPort,
  hostname,
  accounts,
  balance,
  mnemonic,
  blockTime,
  automine,
  likeChain,
  fork,
  forkBlock,
}: NodeArguments): LocalNodeOptions => ({
  port: portIn(port, "port"),
  grpcPort: portIn(grpcPort, "grpc-port"),
  hostname,
  accounts: numberIn(accounts, "accounts", 1_000),
  balance,
  ...(mnemonic === undefined ? {} : { mnemonic }),
  blockTime: numberIn(blockTime, "block-time", 3_600),
  automine,
  likeChain,
  ...(fork === undefined ? {} : { fork }),
  ...(forkBlock === undefined
    ? {}
    : {
        forkBlock: numberIn(forkBlock, "fork-block", Number.MAX_SAFE_INTEGER),
      }),
});

export interface RunNodeOptions {
  readonly facts: ChainFacts;
  readonly start: (options: LocalNodeOptions) => Promise<LocalNode>;
  readonly signal: AbortSignal;
}

/** Runs a local network until it is interrupted. */
export async function runNode(
  options: LocalNodeOptions,
  { facts, start, signal }: RunNodeOptions,
  ui: Ui,
): Promise<void> {
  const { hostname = LOCAL_NODE.hostname, balance = LOCAL_NODE.balance } =
    options;
  const node = await start(options);
  try {
    if (!isLoopback(hostname)) {
      ui.note(reachableNote(hostname));
    }
    if (ui.json) {
      const { close: _, ...told } = node;
      ui.line(toJson(told));
    } else {
      const amount = parseAmount(balance, {
        ...facts.currency,
        baseDenom: facts.baseDenom,
      });
      nodeText(node, amount, facts.currency.symbol).forEach((line) => {
        ui.line(line);
      });
    }
    await aborted(signal);
  } finally {
    await node.close();
  }
}
