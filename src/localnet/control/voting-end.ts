// Finds the end of a vote for tests that wait for it.

import { DualstackError } from "../../support/errors.js";
import type { LocalNode } from "../node/node.js";

/**
 * Reads when a proposal's voting period ends, in Unix seconds.
 *
 * @throws DualstackError when the proposal is not in its voting period
 */
export async function votingEnd(
  node: Pick<LocalNode, "call">,
  governance: string,
  proposal: bigint,
): Promise<bigint> {
  const [{ Interface }, { governanceAbi }] = await Promise.all([
    import("ethers"),
    import("../../precompiles/governance/abi.js"),
  ]);
  const codec = new Interface(JSON.stringify(governanceAbi));
  const answer = await node.call({
    to: governance,
    data: codec.encodeFunctionData("getProposal", [proposal]),
  });
  const [found] = codec.decodeFunctionResult("getProposal", answer);
  const end = BigInt(String(found.votingEndTime));
  if (end <= 0n) {
    throw new DualstackError(
      `proposal ${proposal} is not in its voting period`,
      { fix: "Deposit the minimum first." },
    );
  }
  return end;
}
