// Finds the end of a vote for tests that wait for it.

import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import type { LocalNode } from "../node/node.js";

/** How the chain says that it has no such proposal. */
const NOT_FOUND = /proposal \d+ doesn't exist/;

/**
 * Reads when a proposal's voting period ends, in Unix seconds.
 *
 * @throws DualstackError when there is no such proposal, or it is not in its
 * voting period
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
  const answer = await node
    .call({
      to: governance,
      data: codec.encodeFunctionData("getProposal", [proposal]),
    })
    .catch((cause: unknown) => {
      if (!NOT_FOUND.test(errorText(cause))) {
        throw cause;
      }
      throw new DualstackError(`there is no proposal ${proposal}`, { cause });
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
