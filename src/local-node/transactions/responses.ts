import { TxMsgData } from "cosmjs-types/cosmos/base/abci/v1beta1/abci";
import { MsgSubmitProposalResponse } from "cosmjs-types/cosmos/gov/v1/tx";
import {
  MsgBeginRedelegateResponse,
  MsgUndelegateResponse,
} from "cosmjs-types/cosmos/staking/v1beta1/tx";

import type { StepOutcome } from "../../localnet/action.js";
import type { KnownMessage } from "./messages.js";

/** A successful message, and what the precompile returned. */
interface Done {
  readonly message: KnownMessage;
  readonly outcomes: readonly StepOutcome[];
}

const word = (output: string) => BigInt(output.slice(0, 66));
const completion = (output: string) => ({
  completionTime: { seconds: word(output), nanos: 0 },
});

/**
 * Encoders of the responses with content, from the precompile's output; all
 * others are empty.
 */
const ANSWERS: Readonly<Record<string, (output: string) => Uint8Array>> = {
  "/cosmos.staking.v1beta1.MsgUndelegate": (output) =>
    MsgUndelegateResponse.encode(
      MsgUndelegateResponse.fromPartial(completion(output)),
    ).finish(),
  "/cosmos.staking.v1beta1.MsgBeginRedelegate": (output) =>
    MsgBeginRedelegateResponse.encode(
      MsgBeginRedelegateResponse.fromPartial(completion(output)),
    ).finish(),
  "/cosmos.gov.v1.MsgSubmitProposal": (output) =>
    MsgSubmitProposalResponse.encode({ proposalId: word(output) }).finish(),
};

/** Encodes the message responses for a transaction's result. */
export function responsesOf(done: readonly Done[]): Uint8Array {
  const msgResponses = done.map(({ message: { typeUrl }, outcomes }) => {
    const output = outcomes[0]?.output ?? "0x";
    const answer = Object.hasOwn(ANSWERS, typeUrl)
      ? ANSWERS[typeUrl]
      : undefined;
    return {
      typeUrl: `${typeUrl}Response`,
      value:
        answer === undefined || output === "0x"
          ? new Uint8Array()
          : answer(output),
    };
  });
  return TxMsgData.encode(TxMsgData.fromPartial({ msgResponses })).finish();
}
