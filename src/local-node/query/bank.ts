import * as bank from "cosmjs-types/cosmos/bank/v1beta1/query";

import { invalidArgument, notFound, plainFault } from "../fault.js";
import {
  account,
  method,
  type Question,
  retold,
  type Service,
} from "./method.js";
import { addressKey, paginate, textKey } from "./paging.js";

const amountOf = (
  coins: readonly { readonly denom: string; readonly amount: string }[],
  denom: string,
) => coins.find((coin) => coin.denom === denom)?.amount ?? "0";

function checkDenom(denom: string): string {
  if (!/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(denom)) {
    throw invalidArgument(`invalid denom: ${denom.slice(0, 200)}`);
  }
  return denom;
}

const owner = (question: Question, address: string) =>
  retold(
    () => account(question, address),
    (why) => invalidArgument(`invalid address: ${why}`),
  );

async function metadataOf({ books }: Question, denom: string) {
  checkDenom(denom);
  const found = (await books.bank.denominations()).find(
    ({ base }) => base === denom,
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
    await question.books.bank.balances(owner(question, address)),
    pagination,
    ({ denom }) => textKey(denom),
    (why) => invalidArgument(`paginate: ${why}`),
  );
  return { balances: page.items, pagination: page.pagination };
}

async function coinOf({ books }: Question, address: string, denom: string) {
  return { denom, amount: amountOf(await books.bank.balances(address), denom) };
}

/** Lists who has coins, in the order of their addresses. */
async function ownersOf(
  { books }: Question,
  {
    denom,
    pagination,
  }: Pick<bank.QueryDenomOwnersRequest, "denom" | "pagination">,
) {
  checkDenom(denom);
  const balances = (await books.auth.accounts()).map(async ({ address }) => ({
    address,
    balance: {
      denom,
      amount: amountOf(await books.bank.balances(address), denom),
    },
  }));
  const page = paginate(
    (await Promise.all(balances)).filter(
      ({ balance }) => balance.amount !== "0",
    ),
    pagination,
    ({ address }) => addressKey(address),
    plainFault,
  );
  return { denomOwners: page.items, pagination: page.pagination };
}

/** Queries of the bank module. */
export const BANK: Service = {
  Balance: method(
    bank.QueryBalanceRequest,
    bank.QueryBalanceResponse,
    async (question, { address, denom }) => {
      checkDenom(denom);
      const balance = await coinOf(question, owner(question, address), denom);
      return { balance };
    },
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
    async (question, { address, denom }) => {
      const from = owner(question, address);
      return { balance: await coinOf(question, from, checkDenom(denom)) };
    },
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
  DenomOwners: method(
    bank.QueryDenomOwnersRequest,
    bank.QueryDenomOwnersResponse,
    ownersOf,
  ),
  DenomOwnersByQuery: method(
    bank.QueryDenomOwnersByQueryRequest,
    bank.QueryDenomOwnersByQueryResponse,
    ownersOf,
  ),
  // No coin has a setting of its own.
  SendEnabled: method(
    bank.QuerySendEnabledRequest,
    bank.QuerySendEnabledResponse,
    async (_question, { denoms, pagination }) => {
      const page = paginate<string>([], pagination, textKey);
      return await Promise.resolve({
        sendEnabled: [],
        ...(denoms.length === 0 ? { pagination: page.pagination } : {}),
      });
    },
  ),
  Params: method(bank.QueryParamsRequest, bank.QueryParamsResponse, async () =>
    Promise.resolve({ params: { sendEnabled: [], defaultSendEnabled: true } }),
  ),
};
