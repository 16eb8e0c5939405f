import * as staking from "cosmjs-types/cosmos/staking/v1beta1/query";
import {
  BondStatus,
  bondStatusToJSON,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { Fault, invalidArgument, notFound } from "../fault.js";
import { headerOf } from "../node-rpc/blocks.js";
import { headerMessage } from "./blocks.js";
import {
  account,
  method,
  type Question,
  type Service,
  valoper,
} from "./method.js";
import { addressKey, paginate } from "./paging.js";

const STATUSES = ["", ...[1, 2, 3].map((status) => bondStatusToJSON(status))];

async function validatorOf(question: Question, text: string) {
  const wanted = valoper(question, text);
  const found = (await question.books.staking.validators()).find(
    ({ operatorAddress }) => operatorAddress === wanted,
  );
  if (found === undefined) {
    throw notFound(`validator ${wanted} not found`);
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
          valoper(question, validatorAddr),
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
          valoper(question, validatorAddr),
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
    async (question, { delegatorAddr, validatorAddr }) => {
      const delegator = account(question, delegatorAddr);
      const validator = valoper(question, validatorAddr);
      const delegationResponse = (
        await question.books.staking.delegationsOf(delegator)
      ).find(({ delegation }) => delegation.validatorAddress === validator);
      if (delegationResponse === undefined) {
        throw notFound(
          `delegation with delegator ${delegator} not found for validator ${validator}`,
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
          account(question, delegatorAddr),
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
        await validatorsOf(question, account(question, delegatorAddr)),
        pagination,
        ({ operatorAddress }) => addressKey(operatorAddress),
      );
      return { validators: page.items, pagination: page.pagination };
    },
  ),
  DelegatorValidator: method(
    staking.QueryDelegatorValidatorRequest,
    staking.QueryDelegatorValidatorResponse,
    async (question, { delegatorAddr, validatorAddr }) => {
      const wanted = valoper(question, validatorAddr);
      const validator = (
        await validatorsOf(question, account(question, delegatorAddr))
      ).find(({ operatorAddress }) => operatorAddress === wanted);
      if (validator === undefined) {
        throw new Fault(
          2,
          "codespace staking code 19: no delegation for (address, validator) tuple",
          {
            code: 6,
            log: "no delegation for (address, validator) tuple: unknown request",
          },
        );
      }
      return { validator };
    },
  ),
  UnbondingDelegation: method(
    staking.QueryUnbondingDelegationRequest,
    staking.QueryUnbondingDelegationResponse,
    async (question, { delegatorAddr, validatorAddr }) => {
      const delegator = account(question, delegatorAddr);
      const validator = valoper(question, validatorAddr);
      const unbond = (
        await question.books.staking.unbondingsOf(delegator)
      ).find(({ validatorAddress }) => validatorAddress === validator);
      if (unbond === undefined) {
        throw notFound(
          `unbonding delegation with delegator ${delegator} not found for validator ${validator}`,
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
          account(question, delegatorAddr),
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
      const delegator = account(question, request.delegatorAddr);
      const { srcValidatorAddr: source, dstValidatorAddr: destination } =
        request;
      const found = (
        await question.books.staking.redelegationsOf(delegator)
      ).filter(
        ({ redelegation }) =>
          (source === "" || redelegation.validatorSrcAddress === source) &&
          (destination === "" ||
            redelegation.validatorDstAddress === destination),
      );
      if (source !== "" && destination !== "") {
        if (found.length === 0) {
          const text = `rpc error: code = NotFound desc = redelegation not found for delegator address ${delegator} from validator address ${source}`;
          throw new Fault(13, text, { code: 1, log: `${text}: internal` });
        }
        return { redelegationResponses: found };
      }
      const page = paginate(found, request.pagination, ({ redelegation }) =>
        addressKey(redelegation.validatorSrcAddress),
      );
      return { redelegationResponses: page.items, pagination: page.pagination };
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
