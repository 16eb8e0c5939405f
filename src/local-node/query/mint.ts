import * as mint from "cosmjs-types/cosmos/mint/v1beta1/query";

import type { Books } from "../books.js";
import { method, type Service } from "./method.js";

const decimal = (value: bigint) => new TextEncoder().encode(String(value));

/** Rewards are a part of what is bonded here; what is minted a year follows from it. */
async function provisions(books: Books): Promise<bigint> {
  const [rate, { bondedTokens }] = await Promise.all([
    books.rewardRate(),
    books.pool(),
  ]);
  return rate * BigInt(bondedTokens);
}

async function inflation(books: Books): Promise<bigint> {
  const [supply] = await books.supply();
  const all = BigInt(supply?.amount ?? 0);
  return all === 0n ? 0n : (await provisions(books)) / all;
}

/** The queries of the mint module. */
export const MINT: Service = {
  Params: method(
    mint.QueryParamsRequest,
    mint.QueryParamsResponse,
    async ({ books }) => ({ params: await books.mintParams() }),
  ),
  Inflation: method(
    mint.QueryInflationRequest,
    mint.QueryInflationResponse,
    async ({ books }) => ({
      inflation: decimal(await inflation(books)),
    }),
  ),
  AnnualProvisions: method(
    mint.QueryAnnualProvisionsRequest,
    mint.QueryAnnualProvisionsResponse,
    async ({ books }) => ({
      annualProvisions: decimal(await provisions(books)),
    }),
  ),
};
