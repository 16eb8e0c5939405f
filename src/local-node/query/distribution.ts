import * as distribution from "cosmjs-types/cosmos/distribution/v1beta1/query";

import { parseAddress } from "../../address/index.js";
import { invalidArgument, ModuleFault, plainFault } from "../fault.js";
import {
  account,
  given,
  method,
  type Question,
  retold,
  type Service,
  valoper,
} from "./method.js";
import { FIRST_PAGE, requireOneStart } from "./paging.js";

const noDelegation = () =>
  new ModuleFault(
    "staking",
    19,
    "no delegation for (address, validator) tuple",
  );

const delegatorIn = (question: Question, text: string) =>
  account(question, given(text, "empty delegator address"));

const validatorIn = (question: Question, text: string) =>
  valoper(question, given(text, "empty validator address"));

async function requireValidator(
  { books }: Question,
  validator: string,
): Promise<void> {
  const found = await books.staking.validators();
  if (!found.some(({ operatorAddress }) => operatorAddress === validator)) {
    throw new ModuleFault("staking", 3, "validator does not exist");
  }
}

/** Queries of the distribution module. */
export const DISTRIBUTION: Service = {
  Params: method(
    distribution.QueryParamsRequest,
    distribution.QueryParamsResponse,
    async ({ books }) => ({ params: await books.distribution.params() }),
  ),
  DelegationRewards: method(
    distribution.QueryDelegationRewardsRequest,
    distribution.QueryDelegationRewardsResponse,
    async (question, request) => {
      given(request.delegatorAddress, "empty delegator address");
      const wanted = validatorIn(question, request.validatorAddress);
      await requireValidator(question, wanted);
      const delegator = account(question, request.delegatorAddress);
      const found = (
        await question.books.distribution.rewardsOf(delegator)
      ).find(({ validator }) => validator === wanted);
      if (found === undefined) {
        throw noDelegation();
      }
      return { rewards: found.reward };
    },
  ),
  DelegationTotalRewards: method(
    distribution.QueryDelegationTotalRewardsRequest,
    distribution.QueryDelegationTotalRewardsResponse,
    async (question, { delegatorAddress }) => {
      const found = await question.books.distribution.rewardsOf(
        delegatorIn(question, delegatorAddress),
      );
      const sums = new Map<string, bigint>();
      for (const { denom, amount } of found.flatMap(({ reward }) => reward)) {
        sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount));
      }
      return {
        rewards: found.map(({ validator, reward }) => ({
          validatorAddress: validator,
          reward,
        })),
        total: [...sums].map(([denom, amount]) => ({
          denom,
          amount: String(amount),
        })),
      };
    },
  ),
  DelegatorValidators: method(
    distribution.QueryDelegatorValidatorsRequest,
    distribution.QueryDelegatorValidatorsResponse,
    async (question, { delegatorAddress }) => ({
      validators: (
        await question.books.staking.delegationsOf(
          delegatorIn(question, delegatorAddress),
        )
      ).map(({ delegation }) => delegation.validatorAddress),
    }),
  ),
  ValidatorDistributionInfo: method(
    distribution.QueryValidatorDistributionInfoRequest,
    distribution.QueryValidatorDistributionInfoResponse,
    async (question, { validatorAddress }) => {
      const validator = validatorIn(question, validatorAddress);
      await requireValidator(question, validator);
      const { prefix } = question.ledger;
      const operator = parseAddress(validator, { prefix }).account;
      const own = (await question.books.distribution.rewardsOf(operator)).find(
        (one) => one.validator === validator,
      );
      if (own === undefined) {
        throw noDelegation();
      }
      return {
        operatorAddress: operator,
        selfBondRewards: own.reward,
        commission: await question.books.distribution.commissionOf(validator),
      };
    },
  ),
  ValidatorCommission: method(
    distribution.QueryValidatorCommissionRequest,
    distribution.QueryValidatorCommissionResponse,
    async (question, { validatorAddress }) => {
      const validator = validatorIn(question, validatorAddress);
      await requireValidator(question, validator);
      return {
        commission: {
          commission: await question.books.distribution.commissionOf(validator),
        },
      };
    },
  ),
  ValidatorOutstandingRewards: method(
    distribution.QueryValidatorOutstandingRewardsRequest,
    distribution.QueryValidatorOutstandingRewardsResponse,
    async (question, { validatorAddress }) => {
      const validator = validatorIn(question, validatorAddress);
      await requireValidator(question, validator);
      const rewards =
        await question.books.distribution.outstandingOf(validator);
      return { rewards: { rewards } };
    },
  ),
  ValidatorSlashes: method(
    distribution.QueryValidatorSlashesRequest,
    distribution.QueryValidatorSlashesResponse,
    async (question, request) => {
      const { startingHeight: from, endingHeight: to } = request;
      given(request.validatorAddress, "empty validator address");
      if (to < from) {
        throw invalidArgument(
          `starting height greater than ending height (${from} > ${to})`,
        );
      }
      const validator = retold(
        () => valoper(question, request.validatorAddress),
        () => invalidArgument("invalid validator address"),
      );
      const page = request.pagination ?? FIRST_PAGE;
      requireOneStart(page, plainFault);
      return await question.books.distribution.slashesOf(
        validator,
        from,
        to,
        page,
      );
    },
  ),
  CommunityPool: method(
    distribution.QueryCommunityPoolRequest,
    distribution.QueryCommunityPoolResponse,
    async ({ books }) => ({ pool: await books.distribution.communityPool() }),
  ),
  DelegatorWithdrawAddress: method(
    distribution.QueryDelegatorWithdrawAddressRequest,
    distribution.QueryDelegatorWithdrawAddressResponse,
    async (question, { delegatorAddress }) => ({
      withdrawAddress: await question.books.distribution.withdrawAddress(
        delegatorIn(question, delegatorAddress),
      ),
    }),
  ),
};
