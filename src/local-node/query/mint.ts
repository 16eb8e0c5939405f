import * as mint from "cosmjs-types/cosmos/mint/v1beta1/query";

import { method, type Service } from "./method.js";

const decimal = (value: bigint) => new TextEncoder().encode(String(value));

/** Queries of the mint module. */
export const MINT: Service = {
  Params: method(
    mint.QueryParamsRequest,
    mint.QueryParamsResponse,
    async ({ books }) => ({ params: await books.mint.params() }),
  ),
  Inflation: method(
    mint.QueryInflationRequest,
    mint.QueryInflationResponse,
    async ({ books }) => ({
      inflation: decimal((await books.mint.minter()).inflation),
    }),
  ),
  AnnualProvisions: method(
    mint.QueryAnnualProvisionsRequest,
    mint.QueryAnnualProvisionsResponse,
    async ({ books }) => ({
      annualProvisions: decimal((await books.mint.minter()).annualProvisions),
    }),
  ),
};
