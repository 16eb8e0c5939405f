import {
  claimText,
  rewardsText,
  setWithdrawAddressText,
  withdrawAddressText,
  withdrawText,
} from "../../commands/rewards/messages.js";
import {
  claimRewards,
  setWithdrawAddress,
  showRewards,
  showWithdrawAddress,
  withdrawCommission,
  withdrawRewards,
} from "../../commands/rewards/rewards.js";
import { accountAction, sendingAction } from "../module-action.js";

export const show = accountAction(showRewards, rewardsText);
export const withdraw = sendingAction(withdrawRewards, withdrawText("Rewards"));
export const claim = sendingAction(claimRewards, claimText);
export const commission = sendingAction(
  withdrawCommission,
  withdrawText("Commission"),
);
export const withdrawAddress = accountAction(
  showWithdrawAddress,
  withdrawAddressText,
);
export const setAddress = sendingAction(
  setWithdrawAddress,
  setWithdrawAddressText,
);
