import { hexToBytes } from "@noble/hashes/utils";
import * as slashing from "cosmjs-types/cosmos/slashing/v1beta1/query";

import { consensusAddress } from "../consensus.js";
import { notFound, plainFault } from "../fault.js";
import {
  given,
  method,
  type Question,
  type Service,
  valcons,
} from "./method.js";
import { paginate } from "./paging.js";

/** Returns the signing records in the order of the framework's store. */
async function signingInfos({ ledger, books }: Question) {
  return (await books.slashing.signingInfos())
    .map(({ consensus, ...info }) => ({
      key: hexToBytes(consensus.toLowerCase()),
      info: { address: consensusAddress(ledger.prefix, consensus), ...info },
    }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
}

/** Queries of the slashing module. */
export const SLASHING: Service = {
  Params: method(
    slashing.QueryParamsRequest,
    slashing.QueryParamsResponse,
    async ({ books }) => ({ params: await books.slashing.params() }),
  ),
  SigningInfo: method(
    slashing.QuerySigningInfoRequest,
    slashing.QuerySigningInfoResponse,
    async (question, { consAddress }) => {
      const wanted = valcons(question, given(consAddress, "invalid request"));
      const found = (await signingInfos(question)).find(
        ({ info }) => info.address === wanted,
      );
      if (found === undefined) {
        throw notFound(
          `SigningInfo not found for validator ${consAddress.slice(0, 120)}`,
        );
      }
      return { valSigningInfo: found.info };
    },
  ),
  SigningInfos: method(
    slashing.QuerySigningInfosRequest,
    slashing.QuerySigningInfosResponse,
    async (question, { pagination }) => {
      const page = paginate(
        await signingInfos(question),
        pagination,
        (one) => Uint8Array.from([one.key.length, ...one.key]),
        plainFault,
      );
      return {
        info: page.items.map(({ info }) => info),
        pagination: page.pagination,
      };
    },
  ),
};
