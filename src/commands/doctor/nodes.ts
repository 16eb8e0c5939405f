import { pathPrefixes } from "../../framework/services.js";
import { type Check, green, red, skipped } from "./check.js";
import type { Subject } from "./subject.js";

/**
 * How many blocks the endpoints of one node may differ by, since a block may
 * come while they are asked.
 */
const CLOSE = 2n;

const WAIT =
  "Wait until it has caught up, or use another node: until then it answers with old state.";

/** The outcome of a check that lags only because the node does. */
export const CATCHING_UP = skipped(
  "the node is catching up: see Node RPC",
  "node-rpc",
);

const nodeRpc: Check = {
  id: "node-rpc",
  title: "Node RPC",
  needs: ["nodeRpcUrl"],
  speaksFor: "nodeRpcUrl",
  run: async (subject) => {
    const { nodeInfo, syncInfo } = await subject.status();
    return syncInfo.catchingUp
      ? red(
          `the node is catching up; it is at block ${syncInfo.latestBlockHeight}`,
          WAIT,
        )
      : green(`${nodeInfo.network}, block ${syncInfo.latestBlockHeight}`);
  },
};

interface Height {
  readonly of: string;
  readonly height: bigint;
}

const heights: Check = {
  id: "heights",
  title: "Heights",
  needs: ["evmUrl"],
  run: async (subject) => {
    if (!subject.has("nodeRpcUrl") && !subject.has("restUrl")) {
      return skipped("only one endpoint reports a height");
    }
    let found = await readHeights(subject, true);
    if (spread(found) > CLOSE) {
      // One endpoint may have answered much later than another, so a second
      // reading decides.
      found = await readHeights(subject, false);
    }
    const text = found.map(({ of, height }) => `${of} ${height}`).join(", ");
    if (found.length < 2) {
      return skipped("no second endpoint reported its height");
    }
    if (spread(found) <= CLOSE) {
      return green(text);
    }
    if (await subject.isCatchingUp()) {
      return CATCHING_UP;
    }
    const sorted = [...found].sort((a, b) => (a.height < b.height ? -1 : 1));
    return red(
      `${sorted[0]?.of} is ${spread(found)} blocks behind: ${text}`,
      "The endpoints lead to different nodes, one of which lags, or to different chains; check their addresses.",
    );
  },
};

async function readHeights(
  subject: Subject,
  first: boolean,
): Promise<Height[]> {
  const { clients, network } = subject;
  const status = async () =>
    first ? await subject.status() : await clients.nodeRpc.status();
  const asked: Promise<Height | undefined>[] = [
    subject.height().then((height) => ({ of: "EVM", height })),
  ];
  if (subject.has("nodeRpcUrl")) {
    asked.push(
      status().then(({ syncInfo }) => ({
        of: "node RPC",
        height: BigInt(syncInfo.latestBlockHeight),
      })),
    );
  }
  if (subject.has("restUrl")) {
    const path = `${pathPrefixes(network.facts).framework}base/tendermint/v1beta1/syncing`;
    asked.push(
      clients.rest
        .get(path, { timeoutMs: subject.timeoutMs })
        .then(({ height }) =>
          height === undefined ? undefined : { of: "REST", height },
        ),
    );
  }
  const settled = await Promise.allSettled(asked);
  // An endpoint that cannot be reached is red in its own check.
  return settled.flatMap((one) =>
    one.status === "fulfilled" && one.value !== undefined ? [one.value] : [],
  );
}

function spread(heights: readonly Height[]): bigint {
  const sorted = heights
    .map(({ height }) => height)
    .sort((a, b) => (a < b ? -1 : 1));
  return (sorted.at(-1) ?? 0n) - (sorted[0] ?? 0n);
}

const rest: Check = {
  id: "rest",
  title: "REST",
  needs: ["restUrl"],
  speaksFor: "restUrl",
  run: async (subject) => {
    const { clients, network, timeoutMs } = subject;
    const [info, config, status, chainId] = await Promise.all([
      clients.rest.nodeInfo({ timeoutMs }),
      clients.rest.evmConfig({ timeoutMs }).catch(() => undefined),
      subject.has("nodeRpcUrl")
        ? subject.status().catch(() => undefined)
        : undefined,
      // Whether that is the network's chain ID is checked at the JSON-RPC.
      subject.has("evmUrl")
        ? subject.chainId().catch(() => undefined)
        : undefined,
    ]);
    const expected = chainId ?? BigInt(network.chainId);
    const elsewhere =
      "The endpoints lead to different chains; check their addresses.";
    if (config !== undefined && config.chainId !== expected) {
      return red(
        `REST belongs to the chain with EVM chain ID ${config.chainId}, the EVM JSON-RPC to ${expected}`,
        elsewhere,
      );
    }
    if (status !== undefined && status.nodeInfo.network !== info.chainId) {
      return red(
        `REST belongs to the chain ${info.chainId}, the node RPC to ${status.nodeInfo.network}`,
        elsewhere,
      );
    }
    return green(`${info.chainId}, SDK ${info.sdkVersion}`);
  },
};

const grpc: Check = {
  id: "grpc",
  title: "gRPC",
  needs: ["grpcHost"],
  speaksFor: "grpcHost",
  run: async (subject) => {
    const { clients } = subject;
    const { GetSyncingRequest } = await import(
      "cosmjs-types/cosmos/base/tendermint/v1beta1/query"
    );
    const { syncing } = await (
      await clients.grpc.base()
    ).GetSyncing(GetSyncingRequest.fromPartial({}));
    if (!syncing) {
      return green("answers");
    }
    return (await subject.isCatchingUp())
      ? CATCHING_UP
      : red("the node behind gRPC is catching up", WAIT);
  },
};

export const nodeChecks: readonly Check[] = [nodeRpc, heights, rest, grpc];
