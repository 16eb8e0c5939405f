import { drawsOf } from "../soak/random.js";

/** How a transaction is sent: the client, and who chooses the nonce. */
export const WAYS = [
  "signer",
  "provider",
  "provider with a nonce",
  "raw",
  "wallet",
  "viem client",
  "viem account",
] as const;
export type Way = (typeof WAYS)[number];

/** What is sent. */
export type Kind =
  | "transfer"
  | "call"
  | "creation"
  | "creation and call"
  | "revert"
  | "replacement"
  /** Refused by the client or the node. */
  | "too much"
  | "too much, with gas"
  | "fee too low"
  | "gas too low";

/** Kinds that never get into a block. */
export const REFUSED: readonly Kind[] = [
  "too much",
  "too much, with gas",
  "fee too low",
  "gas too low",
];

export interface Planned {
  readonly way: Way;
  readonly kind: Kind;
  readonly account: number;
  readonly connection: number;
  /** Whether the sender waits for the receipt. */
  readonly waits: boolean;
}

/** Sends that begin at the same time, after a pause. */
export interface Group {
  readonly pauseMs: number;
  readonly sends: readonly Planned[];
  /** Which of them the next group waits for. */
  readonly until: "all" | "first" | "none";
}

/** Something that happens to the node, after a pause. */
export interface Event {
  readonly pauseMs: number;
  readonly what:
    | "leave"
    | "restart"
    | "forget"
    | "reserve"
    | "foreign"
    | "steal"
    | "stall"
    | "fees"
    | "set back";
  readonly account: number;
  readonly forMs: number;
}

export interface Case {
  readonly seed: number;
  readonly accounts: "local" | "remote";
  readonly node: {
    readonly blockTimeMs: number;
    readonly txpool: boolean;
    readonly fill: boolean;
    readonly latencyMs: number;
    readonly receiptHoldMs: number;
  };
  /** Whether blocks come at irregular times. */
  readonly irregular: boolean;
  readonly connections: number;
  /** Whether the last connection is another process's, which knows nothing of the others. */
  readonly apart: boolean;
  readonly timeout: number;
  /** How much of the requests of a method fail on their way. */
  readonly faults: Readonly<Record<string, number>>;
  readonly events: readonly Event[];
  readonly groups: readonly (readonly Group[])[];
}

const FAULTY = [
  "eth_sendRawTransaction",
  "eth_sendTransaction",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
  "eth_getTransactionByHash",
  "eth_feeHistory",
  "eth_fillTransaction",
  "eth_estimateGas",
  "eth_getBlockByNumber",
  "txpool_contentFrom",
];

/** @param manyConnections whether a process can have several connections */
export function generate(seed: number, manyConnections: boolean): Case {
  const r = drawsOf(seed);
  const accounts = r.chance(0.2) ? "remote" : "local";
  const several = 1 + r.below(3);
  const connections = manyConnections ? several : 1;
  const ways = r.chance(0.5) ? WAYS : [r.of(WAYS), r.of(WAYS)];
  const kinds: readonly Kind[] = r.chance(0.3)
    ? ["transfer"]
    : [
        ...Array.from({ length: 6 }, () => "transfer" as const),
        "call",
        "call",
        "creation",
        "creation and call",
        "revert",
        "replacement",
        r.of(REFUSED),
      ];
  const planned = (): Planned => ({
    way: r.of(ways),
    kind: r.of(kinds),
    account: r.below(2),
    connection: r.below(connections),
    waits: r.chance(0.6),
  });
  const large = r.chance(0.15);
  const groups = r.list(1 + r.below(3), () =>
    r.list(
      1 + r.below(4),
      (): Group => ({
        pauseMs: r.of([0, 0, 50, 500]),
        sends: r.list(large ? 20 + r.below(60) : 1 + r.below(6), planned),
        until: r.of(["all", "first", "none"]),
      }),
    ),
  );
  const share = r.of(large ? [0, 0.03] : [0, 0, 0.03, 0.1, 0.2]);
  const only = r.chance(0.4) ? r.list(2, () => r.of(FAULTY)) : FAULTY;
  const calm = r.chance(0.3);
  const setBack = accounts === "local" && r.chance(0.05);
  const events = calm
    ? []
    : r.list(
        1 + r.below(5),
        (): Event => ({
          pauseMs: 100 + r.below(1_500),
          what: r.of<Event["what"]>([
            ...([
              "leave",
              "reserve",
              "foreign",
              "foreign",
              "stall",
              "fees",
            ] as const),
            // What a node with the keys forgets, nobody can give it again.
            ...(accounts === "remote"
              ? []
              : (["restart", "forget", "forget", "steal"] as const)),
            ...(setBack ? (["set back"] as const) : []),
          ]),
          account: r.below(2),
          forMs: 200 + r.below(2_800),
        }),
      );
  return {
    seed,
    accounts,
    node: {
      blockTimeMs: r.of([50, 150, 400, 1_000]),
      txpool: r.chance(0.7),
      fill: r.chance(0.5),
      latencyMs: r.of([0, 0, 0, 20, 150]),
      receiptHoldMs: r.of([200, 1_000, 3_000]),
    },
    irregular: r.chance(0.3),
    connections,
    apart: r.chance(0.3) && connections > 1,
    timeout: r.of([4_000, 10_000]),
    faults:
      share === 0
        ? {}
        : Object.fromEntries(only.map((method) => [method, share])),
    events,
    groups,
  };
}
