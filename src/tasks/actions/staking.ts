import {
  cancelText,
  createText,
  delegateText,
  delegationsText,
  editText,
  redelegateText,
  unbondingText,
  undelegateText,
  validatorDetailText,
  validatorsText,
} from "../../commands/staking/messages.js";
import {
  cancelUnbonding,
  delegate,
  redelegate,
  undelegate,
} from "../../commands/staking/delegate.js";
import {
  listDelegations,
  listUnbonding,
} from "../../commands/staking/delegations.js";
import {
  createValidator,
  editValidator,
} from "../../commands/staking/operate.js";
import {
  listValidators,
  showValidator,
} from "../../commands/staking/validators.js";
import {
  accountAction,
  readingAction,
  sendingAction,
} from "../module-action.js";

export const validators = readingAction(listValidators, validatorsText);
export const validator = readingAction(showValidator, validatorDetailText);
export const delegations = accountAction(listDelegations, delegationsText);
export const unbonding = accountAction(listUnbonding, unbondingText);
export const delegateTokens = sendingAction(delegate, delegateText);
export const undelegateTokens = sendingAction(undelegate, undelegateText);
export const redelegateTokens = sendingAction(redelegate, redelegateText);
export const cancel = sendingAction(cancelUnbonding, cancelText);
export const create = sendingAction(createValidator, createText);
export const edit = sendingAction(editValidator, editText);
