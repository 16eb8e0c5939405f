import { isNetworkKind, PUBLIC_NETWORK_KINDS } from "../../chain/index.js";
import { errorText } from "../../support/text.js";
import {
  causeOf,
  type Check,
  type Finding,
  green,
  red,
  skipped,
} from "./check.js";
import { CATCHING_UP } from "./nodes.js";
import type { Subject } from "./subject.js";

const jsonRpc: Check = {
  id: "evm",
  title: "EVM JSON-RPC",
  needs: ["evmUrl"],
  speaksFor: "evmUrl",
  run: async (subject) => {
    const { network } = subject;
    const found = await subject.chainId();
    if (found === BigInt(network.chainId)) {
      return green(`chain ID ${found}`);
    }
    const other = PUBLIC_NETWORK_KINDS.find(
      (kind) => BigInt(network.chainIds[kind]) === found,
    );
    return red(
      `the node's chain ID is ${found}, but this network's is ${network.chainId}`,
      other === undefined
        ? "Check the base URL: it leads to another chain."
        : `This is the chain ID of ${other}: use --network ${other}, or correct the base URL.`,
    );
  },
};

// A development node need not have a socket, and mines only when something is
// sent. It may stand in for one of the public networks, too.
async function ofDevelopment({ clients }: Subject) {
  try {
    const heads = await clients.events.heads();
    await heads.close();
    return green("accepts subscriptions");
  } catch (error) {
    return skipped(`no socket: ${errorText(error, 160)}`);
  }
}

const webSocket: Check = {
  id: "ws",
  title: "WebSocket",
  needs: ["wsUrl"],
  speaksFor: "wsUrl",
  run: async (subject) => {
    const { kind } = subject.network;
    if (!isNetworkKind(kind)) {
      return await ofDevelopment(subject);
    }
    return await Promise.race([announcing(subject), idle(subject)]);
  },
};

/** Resolves only if a development node stands in for a public network. */
async function idle(subject: Subject): Promise<Finding> {
  return (await subject.isDevelopmentNode())
    ? await ofDevelopment(subject)
    : await new Promise<never>(() => undefined);
}

/** Whether new blocks are announced. */
async function announcing(subject: Subject): Promise<Finding> {
  const { clients, timeoutMs } = subject;
  try {
    // Shorter than the check's own limit, so that the reason is reported and
    // not just a timeout.
    const head = await clients.events.nextHead({
      timeoutMs: timeoutMs * 0.95,
    });
    return green(`head ${head.number}`);
  } catch (error) {
    const cause = causeOf(error);
    if (/no new head within/.test(cause)) {
      return (await subject.isCatchingUp())
        ? CATCHING_UP
        : red(
            "it opens and accepts the subscription, but announced no new block in time",
            "The chain may have halted; see the checks of Node RPC and Heights.",
          );
    }
    if (/\b403\b/.test(cause)) {
      return red(
        cause,
        "A gateway adds or demands an Origin header, and nodes of this kind refuse every request that has one.",
      );
    }
    if (/\b404\b/.test(cause)) {
      return red(
        cause,
        "The socket is at /ws on the host itself, whatever the base URL's path; check wsUrl.",
      );
    }
    throw error;
  }
}

export const evmChecks: readonly Check[] = [jsonRpc, webSocket];
