// Finds out how long unbonding takes on the chain, when a request on a fork
// first unbonds.

import type { LiveReader } from "../../live-state/reader.js";
import type { LiveBase } from "../../live-state/state.js";
import { UnreadError } from "../../live-state/unreadable.js";
import type { ForeseenBlock } from "./foreseen-block.js";
import type { LiveAccounts } from "./live-accounts.js";
import type { Meetings } from "./meetings.js";

/**
 * Finds the unbonding time, in seconds. No view returns it: it follows from
 * what the chain answers to a call that unbonds, or from existing entries.
 *
 * @throws UnreadError when neither tells it
 */
export async function findUnbondingTime(
  call: NonNullable<Meetings["unbonds"]>,
  base: LiveBase,
  reader: LiveReader,
  foreseen: ForeseenBlock,
  accounts: LiveAccounts,
): Promise<bigint> {
  const end = await foreseen.answerTo(call);
  if (end !== undefined) return end - foreseen.time;
  try {
    return BigInt(String(await reader.call(call))) - base.time;
  } catch (cause) {
    const [newest] = (await entriesIn(base, accounts)).sort((a, b) =>
      Number(b.height - a.height),
    );
    if (newest !== undefined)
      return newest.end - (await reader.timeOf(newest.height));
    throw new UnreadError(
      "how long unbonding takes cannot be read from the precompiles' views",
      {
        fix: "Configure the network's node RPC (nodeRpcUrl), or set dualstack.localnet.unbondingTime.",
        cause,
      },
    );
  }
}

/**
 * Lists known unbonding and redelegation entries by the block at which they
 * began and their completion time in Unix seconds.
 */
async function entriesIn(
  { validators }: LiveBase,
  accounts: LiveAccounts,
): Promise<{ height: bigint; end: bigint }[]> {
  const entries = (await accounts.all()).flatMap(
    ({ unbonding, redelegations = [] }) =>
      [
        ...unbonding.values(),
        ...redelegations.map((one) => one.entries),
      ].flat(),
  );
  return [
    ...validators.map(({ unbondingHeight, unbondingTime }) => ({
      height: unbondingHeight,
      end: unbondingTime,
    })),
    ...entries.map(({ creationHeight, completionTime }) => ({
      height: creationHeight,
      end: completionTime,
    })),
  ].filter(({ height, end }) => height > 0n && end > 0n);
}
