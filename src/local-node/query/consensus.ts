import * as consensus from "cosmjs-types/cosmos/consensus/v1/query";

import { CONSENSUS_PARAMS } from "../node-rpc/blocks.js";
import { method, type Service } from "./method.js";

const NANOSECONDS = 1_000_000_000n;

/** Queries of the consensus module. */
export const CONSENSUS: Service = {
  Params: method(
    consensus.QueryParamsRequest,
    consensus.QueryParamsResponse,
    async () => {
      const { block, evidence, validator } = CONSENSUS_PARAMS;
      return await Promise.resolve({
        params: {
          block: {
            maxBytes: BigInt(block.max_bytes),
            maxGas: BigInt(block.max_gas),
          },
          evidence: {
            maxAgeNumBlocks: BigInt(evidence.max_age_num_blocks),
            maxAgeDuration: {
              seconds: BigInt(evidence.max_age_duration) / NANOSECONDS,
              nanos: 0,
            },
            maxBytes: BigInt(evidence.max_bytes),
          },
          validator: { pubKeyTypes: [...validator.pub_key_types] },
          version: { app: 0n },
          abci: { voteExtensionsEnableHeight: 0n },
        },
      });
    },
  ),
};
