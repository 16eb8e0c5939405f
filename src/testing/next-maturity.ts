import { ZERO_ADDRESS } from "../address/zero.js";
import { DEPOSIT_PERIOD, OPEN_STATUSES } from "../live-state/statuses.js";
import { stakingAbi } from "../precompiles/staking/abi.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import { topicOf } from "../precompiles/selector.js";
import type { RpcProvider } from "../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";

/** As far back as a node of this chain searches for logs. */
const MAX_BLOCKS = 10_000n;

/** Events that begin something that matures; the time is the last word of the log's data. */
const BEGUN = stakingAbi.flatMap((entry) =>
  entry.type === "event" &&
  (entry.name === "Unbond" || entry.name === "Redelegate")
    ? [topicOf(entry)]
    : [],
);

const NEWEST = ["0x", 0, 100, false, true] as const;

/**
 * When something on a chain is due next: an unbonding or redelegation that
 * began in the last 10,000 blocks matures, or a voting or deposit period ends.
 *
 * @param now in seconds, like the result
 */
export async function nextMaturity(
  provider: RpcProvider,
  precompiles: Pick<PrecompileAddresses, "staking" | "governance">,
  now: bigint,
): Promise<bigint | undefined> {
  const times = await Promise.all([
    maturities(provider, precompiles.staking),
    endsOfProposals(provider, precompiles.governance),
  ]);
  const [first] = times
    .flat()
    .filter((time) => time > now)
    .sort((a, b) => (a < b ? -1 : 1));
  return first;
}

async function maturities(
  provider: RpcProvider,
  staking: string,
): Promise<bigint[]> {
  const head = fromQuantity(
    await provider.request({ method: "eth_blockNumber" }),
    "the block number",
  );
  const logs = await provider.request({
    method: "eth_getLogs",
    params: [
      {
        address: staking,
        topics: [BEGUN],
        fromBlock: toQuantity(head >= MAX_BLOCKS ? head - MAX_BLOCKS + 1n : 1n),
        toBlock: toQuantity(head),
      },
    ],
  });
  return (Array.isArray(logs) ? logs : []).flatMap((log: unknown) => {
    const data = isRecord(log) ? log["data"] : undefined;
    return typeof data === "string" && data.length >= 66
      ? [fromQuantity(`0x${data.slice(-64)}`, "a time")]
      : [];
  });
}

async function endsOfProposals(
  provider: RpcProvider,
  governance: string,
): Promise<bigint[]> {
  const [{ Interface }, { governanceAbi }] = await Promise.all([
    import("ethers"),
    import("../precompiles/governance/abi.js"),
  ]);
  const codec = new Interface(JSON.stringify(governanceAbi));
  const ends = await Promise.all(
    OPEN_STATUSES.map(async (status) => {
      const answer = await provider.request({
        method: "eth_call",
        params: [
          {
            to: governance,
            data: codec.encodeFunctionData("getProposals", [
              status,
              ZERO_ADDRESS,
              ZERO_ADDRESS,
              NEWEST,
            ]),
          },
          "latest",
        ],
      });
      const [proposals] = codec.decodeFunctionResult(
        "getProposals",
        String(answer),
      ) as unknown as [
        readonly { depositEndTime: bigint; votingEndTime: bigint }[],
      ];
      return proposals.map(({ depositEndTime, votingEndTime }) =>
        status === DEPOSIT_PERIOD ? depositEndTime : votingEndTime,
      );
    }),
  );
  return ends.flat().map((end) => BigInt(end));
}
