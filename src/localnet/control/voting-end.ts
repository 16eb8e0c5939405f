// Where a test waits for the end of a vote.

import { DualstackError } from "../../support/errors.js";
import type { LocalNode } from "../node/node.js";

/** When a proposal's vote ends, in seconds. @throws where there is no such vote */
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
