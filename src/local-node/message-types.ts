import { MsgMultiSend, MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import {
  MsgCommunityPoolSpend,
  MsgFundCommunityPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
} from "cosmjs-types/cosmos/distribution/v1beta1/tx";
import {
  MsgCancelProposal,
  MsgDeposit,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from "cosmjs-types/cosmos/gov/v1/tx";
import * as old from "cosmjs-types/cosmos/gov/v1beta1/tx";
import { MsgUnjail } from "cosmjs-types/cosmos/slashing/v1beta1/tx";
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgDelegate,
  MsgUndelegate,
} from "cosmjs-types/cosmos/staking/v1beta1/tx";

import { ExtensionOptionsEthereumTx, MsgEthereumTx } from "./evm-messages.js";

/** A message type of transactions and proposals. */
export interface MessageType {
  readonly typeUrl: string;
  decode(bytes: Uint8Array): object;
}

/**
 * Message types whose contents are written in JSON; of any other message, only
 * the type.
 */
export const MESSAGE_TYPES: readonly MessageType[] = [
  ExtensionOptionsEthereumTx,
  MsgBeginRedelegate,
  MsgCancelProposal,
  MsgCancelUnbondingDelegation,
  MsgCommunityPoolSpend,
  MsgDelegate,
  MsgDeposit,
  MsgEthereumTx,
  MsgFundCommunityPool,
  MsgMultiSend,
  MsgSend,
  MsgSetWithdrawAddress,
  MsgSubmitProposal,
  MsgUndelegate,
  MsgUnjail,
  MsgVote,
  MsgVoteWeighted,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
  old.MsgDeposit,
  old.MsgVote,
  old.MsgVoteWeighted,
];
