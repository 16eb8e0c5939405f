import * as staking from "cosmjs-types/cosmos/staking/v1beta1/query";
import {
  BondStatus,
  bondStatusToJSON,
  type RedelegationResponse,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { internalFault, invalidArgument, notFound } from "../fault.js";
import { headerOf } from "../node-rpc/blocks.js";
import { headerMessage } from "./blocks.js";
import {
  account,
  given,
  method,
  type Question,
  retold,
  type Service,
  valoper,
} from "./method.js";
import { addressKey, paginate } from "./paging.js";

const STATUSES = ["", ...[1, 2, 3].map((status) => bondStatusToJSON(status))];

const delegatorIn = (question: Question, text: string) =>
  account(question, given(text, "delegator address cannot be empty"));

const validatorIn = (question: Question, text: string) =>
  valoper(question, given(text, "validator address cannot be empty"));

/** Reads the addresses of a delegation, both of which have to be there. */
function pairIn(
  question: Question,
  {
    delegatorAddr,
    validatorAddr,
  }: Record<"delegatorAddr" | "validatorAddr", string>,
) {
  given(delegatorAddr, "delegator address cannot be empty");
  given(validatorAddr, "validator address cannot be empty");
  return {
    delegator: account(question, delegatorAddr),
    validator: valoper(question, validatorAddr),
  };
}

async function validatorOf(question: Question, text: string) {
  const wanted = validatorIn(question, text);
  const found = (await question.books.staking.validators()).find(
    ({ operatorAddress }) => operatorAddress === wanted,
  );
  if (found === undefined) {
    throw notFound(`validator ${text} not found`);
  }
  return found;
}

/** Returns a delegator's validators in the order of their addresses. */
async function validatorsOf(question: Question, delegator: string) {
  const chosen = new Set(
    (await question.books.staking.delegationsOf(delegator)).map(
      ({ delegation }) => delegation.validatorAddress,
    ),
  );
  return (await question.books.staking.validators()).filter(
    ({ operatorAddress }) => chosen.has(operatorAddress),
  );
}

function redelegationPage(
  found: readonly RedelegationResponse[],
  { pagination }: staking.QueryRedelegationsRequest,
) {
  const page = paginate(found, pagination, ({ redelegation }) =>
    addressKey(redelegation.validatorSrcAddress),
  );
  return { redelegationResponses: page.items, pagination: page.pagination };
}

/** Queries of the staking module. */
export const STAKING: Service = {
  Validators: method(
    staking.QueryValidatorsRequest,
    staking.QueryValidatorsResponse,
    async ({ books }, { status, pagination }) => {
      const wanted = STATUSES.indexOf(status);
      if (wanted < 0) {
        throw invalidArgument(`invalid validator status ${status}`);
      }
      const page = paginate(
        (await books.staking.validators()).filter(
          (validator) => wanted === 0 || validator.status === wanted,
        ),
        pagination,
        ({ operatorAddress }) => addressKey(operatorAddress),
      );
      return { validators: page.items, pagination: page.pagination };
    },
  ),
  Validator: method(
    staking.QueryValidatorRequest,
    staking.QueryValidatorResponse,
    async (question, { validatorAddr }) => ({
      validator: await validatorOf(question, validatorAddr),
    }),
  ),
  ValidatorDelegations: method(
    staking.QueryValidatorDelegationsRequest,
    staking.QueryValidatorDelegationsResponse,
    async (question, { validatorAddr, pagination }) => {
      const page = paginate(
        await question.books.staking.delegationsTo(
          validatorIn(question, validatorAddr),
        ),
        pagination,
        ({ delegation }) => addressKey(delegation.delegatorAddress),
      );
      return { delegationResponses: page.items, pagination: page.pagination };
    },
  ),
  ValidatorUnbondingDelegations: method(
    staking.QueryValidatorUnbondingDelegationsRequest,
    staking.QueryValidatorUnbondingDelegationsResponse,
    async (question, { validatorAddr, pagination }) => {
      const page = paginate(
        await question.books.staking.unbondingsFrom(
          validatorIn(question, validatorAddr),
        ),
        pagination,
        ({ delegatorAddress }) => addressKey(delegatorAddress),
      );
      return { unbondingResponses: page.items, pagination: page.pagination };
    },
  ),
  Delegation: method(
    staking.QueryDelegationRequest,
    staking.QueryDelegationResponse,
    async (question, request) => {
      const { delegator, validator } = pairIn(question, request);
      const delegationResponse = (
        await question.books.staking.delegationsOf(delegator)
      ).find(({ delegation }) => delegation.validatorAddress === validator);
      if (delegationResponse === undefined) {
        throw notFound(
          `delegation with delegator ${request.delegatorAddr} not found for validator ${request.validatorAddr}`,
        );
      }
      return { delegationResponse };
    },
  ),
  DelegatorDelegations: method(
    staking.QueryDelegatorDelegationsRequest,
    staking.QueryDelegatorDelegationsResponse,
    async (question, { delegatorAddr, pagination }) => {
      const page = paginate(
        await question.books.staking.delegationsOf(
          delegatorIn(question, delegatorAddr),
        ),
        pagination,
        ({ delegation }) => addressKey(delegation.validatorAddress),
      );
      return { delegationResponses: page.items, pagination: page.pagination };
    },
  ),
  DelegatorValidators: method(
    staking.QueryDelegatorValidatorsRequest,
    staking.QueryDelegatorValidatorsResponse,
    async (question, { delegatorAddr, pagination }) => {
      const page = paginate(
        await validatorsOf(question, delegatorIn(question, delegatorAddr)),
        pagination,
        ({ operatorAddress }) => addressKey(operatorAddress),
      );
      return { validators: page.items, pagination: page.pagination };
    },
  ),
  DelegatorValidator: method(
    staking.QueryDelegatorValidatorRequest,
    staking.QueryDelegatorValidatorResponse,
    async (question, request) => {
      const { delegator, validator: wanted } = pairIn(question, request);
      const validator = (await validatorsOf(question, delegator)).find(
        ({ operatorAddress }) => operatorAddress === wanted,
      );
      if (validator === undefined) {
        throw internalFault("no delegation for (address, validator) tuple");
      }
      return { validator };
    },
  ),
  UnbondingDelegation: method(
    staking.QueryUnbondingDelegationRequest,
    staking.QueryUnbondingDelegationResponse,
    async (question, request) => {
      const { delegator, validator } = pairIn(question, request);
      const unbond = (
        await question.books.staking.unbondingsOf(delegator)
      ).find(({ validatorAddress }) => validatorAddress === validator);
      if (unbond === undefined) {
        throw notFound(
          `unbonding delegation with delegator ${request.delegatorAddr} not found for validator ${request.validatorAddr}`,
        );
      }
      return { unbond };
    },
  ),
  DelegatorUnbondingDelegations: method(
    staking.QueryDelegatorUnbondingDelegationsRequest,
    staking.QueryDelegatorUnbondingDelegationsResponse,
    async (question, { delegatorAddr, pagination }) => {
      const page = paginate(
        await question.books.staking.unbondingsOf(
          delegatorIn(question, delegatorAddr),
        ),
        pagination,
        ({ validatorAddress }) => addressKey(validatorAddress),
      );
      return { unbondingResponses: page.items, pagination: page.pagination };
    },
  ),
  Redelegations: method(
    staking.QueryRedelegationsRequest,
    staking.QueryRedelegationsResponse,
    async (question, request) => {
      const {
        delegatorAddr,
        srcValidatorAddr: from,
        dstValidatorAddr: to,
      } = request;
      const { staking: books } = question.books;
      if (delegatorAddr === "" && from !== "" && to === "") {
        const source = retold(() => valoper(question, from), internalFault);
        return redelegationPage(await books.redelegationsFrom(source), request);
      }
      const delegator = retold(
        () => account(question, delegatorAddr),
        internalFault,
      );
      const all = await books.redelegationsOf(delegator);
      // The framework takes one validator alone for none.
      if (from === "" || to === "") return redelegationPage(all, request);
      const [source, destination] = retold(
        () => [valoper(question, from), valoper(question, to)],
        internalFault,
      );
      const found = all.filter(
        ({ redelegation }) =>
          redelegation.validatorSrcAddress === source &&
          redelegation.validatorDstAddress === destination,
      );
      if (found.length === 0) {
        throw internalFault(
          `rpc error: code = NotFound desc = redelegation not found for delegator address ${delegatorAddr} from validator address ${from}`,
        );
      }
      return { redelegationResponses: found };
    },
  ),
  HistoricalInfo: method(
    staking.QueryHistoricalInfoRequest,
    staking.QueryHistoricalInfoResponse,
    async ({ ledger }, { height }) => {
      if (height < 0n) throw invalidArgument("height cannot be negative");
      const block =
        height > ledger.height ? undefined : await ledger.blockAt(height);
      if (block === undefined || height === 0n) {
        throw notFound(`historical info for height ${height} not found`);
      }
      const header = headerMessage(await headerOf(ledger, block));
      return {
        hist: {
          // The framework keeps these fields only.
          header: {
            version: { block: 0n, app: 0n },
            chainId: header.chainId,
            height: header.height,
            time: header.time,
            lastBlockId: {
              hash: new Uint8Array(),
              partSetHeader: { total: 0, hash: new Uint8Array() },
            },
            nextValidatorsHash: header.nextValidatorsHash,
            appHash: header.appHash,
            proposerAddress: header.proposerAddress,
          },
          valset: (await ledger.booksAt(height).staking.validators()).filter(
            ({ status }) => status === BondStatus.BOND_STATUS_BONDED,
          ),
        },
      };
    },
  ),
  Pool: method(
    staking.QueryPoolRequest,
    staking.QueryPoolResponse,
    async ({ books }) => ({ pool: await books.staking.pool() }),
  ),
  Params: method(
    staking.QueryParamsRequest,
    staking.QueryParamsResponse,
    async ({ books }) => ({ params: await books.staking.params() }),
  ),
};
