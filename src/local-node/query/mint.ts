import * as mint from "cosmjs-types/cosmos/mint/v1beta1/query";

import type { Books } from "../books.js";
import { method, type Service } from "./method.js";

const ONE = 10n ** 18n;
const BLOCKS_PER_YEAR = 6_311_520n;

const decimal = (value: bigint) => new TextEncoder().encode(String(value));

/** Rewards are a part of what is bonded here; what is minted a year follows from it. */
async function minted(books: Books) {
  const [rate, { bondedTokens }, supply] = await Promise.all([
    books.rewardRate(),
    books.pool(),
    books.supply(),
  ]);
  const provisions = rate * BigInt(bondedTokens);
  const all = BigInt(supply[0]?.amount ?? 0);
  return { provisions, inflation: all === 0n ? 0n : provisions / all };
}

/** The queries of the mint module. */
export const MINT: Service = {
  Params: method(
    mint.QueryParamsRequest,
    mint.QueryParamsResponse,
    async ({ books }) => ({
      params: {
        mintDenom: (await books.stakingParams()).bondDenom,
        inflationRateChange: "0",
        inflationMax: String(await books.rewardRate()),
        inflationMin: "0",
        goalBonded: String((67n * ONE) / 100n),
        blocksPerYear: BLOCKS_PER_YEAR,
      },
    }),
  ),
  Inflation: method(
    mint.QueryInflationRequest,
    mint.QueryInflationResponse,
    async ({ books }) => ({
      inflation: decimal((await minted(books)).inflation),
    }),
  ),
  AnnualProvisions: method(
    mint.QueryAnnualProvisionsRequest,
    mint.QueryAnnualProvisionsResponse,
    async ({ books }) => ({
      annualProvisions: decimal((await minted(books)).provisions),
    }),
  ),
};
