import * as bank from "cosmjs-types/cosmos/bank/v1beta1/query";

import { invalidArgument, notFound } from "../fault.js";
import {
  account,
  INVALID_ARGUMENT,
  method,
  type Question,
  type Service,
} from "./method.js";
import { paginate, textKey } from "./paging.js";

const amountOf = (
  coins: readonly { readonly denom: string; readonly amount: string }[],
  denom: string,
) => coins.find((coin) => coin.denom === denom)?.amount ?? "0";

function checkDenom(denom: string): string {
  if (denom === "") {
    throw invalidArgument("invalid denom: ");
  }
  return denom;
}

async function metadataOf({ books }: Question, denom: string) {
  const found = (await books.bank.denominations()).find(
    ({ base }) => base === checkDenom(denom),
  );
  if (found === undefined) {
    throw notFound(`client metadata for denom ${denom}`);
  }
  return found;
}

async function allBalances(
  question: Question,
  {
    address,
    pagination,
  }: bank.QueryAllBalancesRequest | bank.QuerySpendableBalancesRequest,
) {
  const page = paginate(
    await question.books.bank.balances(
      account(question, address, INVALID_ARGUMENT),
    ),
    pagination,
    ({ denom }) => textKey(denom),
  );
  return { balances: page.items, pagination: page.pagination };
}

async function balanceOf(
  question: Question,
  { address, denom }: { readonly address: string; readonly denom: string },
) {
  const owner = account(question, address, INVALID_ARGUMENT);
  return {
    denom: checkDenom(denom),
    amount: amountOf(await question.books.bank.balances(owner), denom),
  };
}

/** Queries of the bank module. */
export const BANK: Service = {
  Balance: method(
    bank.QueryBalanceRequest,
    bank.QueryBalanceResponse,
    async (question, request) => ({
      balance: await balanceOf(question, request),
    }),
  ),
  AllBalances: method(
    bank.QueryAllBalancesRequest,
    bank.QueryAllBalancesResponse,
    allBalances,
  ),
  SpendableBalances: method(
    bank.QuerySpendableBalancesRequest,
    bank.QuerySpendableBalancesResponse,
    allBalances,
  ),
  SpendableBalanceByDenom: method(
    bank.QuerySpendableBalanceByDenomRequest,
    bank.QuerySpendableBalanceByDenomResponse,
    async (question, request) => ({
      balance: await balanceOf(question, request),
    }),
  ),
  TotalSupply: method(
    bank.QueryTotalSupplyRequest,
    bank.QueryTotalSupplyResponse,
    async ({ books }, { pagination }) => {
      const page = paginate(
        await books.bank.supply(),
        pagination,
        ({ denom }) => textKey(denom),
      );
      return { supply: page.items, pagination: page.pagination };
    },
  ),
  SupplyOf: method(
    bank.QuerySupplyOfRequest,
    bank.QuerySupplyOfResponse,
    async ({ books }, { denom }) => ({
      amount: {
        denom: checkDenom(denom),
        amount: amountOf(await books.bank.supply(), denom),
      },
    }),
  ),
  DenomsMetadata: method(
    bank.QueryDenomsMetadataRequest,
    bank.QueryDenomsMetadataResponse,
    async ({ books }, { pagination }) => {
      const page = paginate(
        await books.bank.denominations(),
        pagination,
        ({ base }) => textKey(base),
      );
      return { metadatas: page.items, pagination: page.pagination };
    },
  ),
  DenomMetadata: method(
    bank.QueryDenomMetadataRequest,
    bank.QueryDenomMetadataResponse,
    async (question, { denom }) => ({
      metadata: await metadataOf(question, denom),
    }),
  ),
  DenomMetadataByQueryString: method(
    bank.QueryDenomMetadataByQueryStringRequest,
    bank.QueryDenomMetadataByQueryStringResponse,
    async (question, { denom }) => ({
      metadata: await metadataOf(question, denom),
    }),
  ),
  Params: method(bank.QueryParamsRequest, bank.QueryParamsResponse, async () =>
    Promise.resolve({ params: { sendEnabled: [], defaultSendEnabled: true } }),
  ),
};
