import type { Registry } from "@cosmjs/proto-signing";

import { once } from "../../support/once.js";

/** CosmJS' message types, plus those of staking, distribution and governance that it leaves out. */
export const frameworkRegistry = once(async (): Promise<Registry> => {
  const [{ defaultRegistryTypes }, signing, governance, distribution] =
    await Promise.all([
      import("@cosmjs/stargate"),
      import("@cosmjs/proto-signing"),
      import("cosmjs-types/cosmos/gov/v1/tx"),
      import("cosmjs-types/cosmos/distribution/v1beta1/tx"),
    ]);
  return new signing.Registry([
    ...defaultRegistryTypes,
    ["/cosmos.gov.v1.MsgCancelProposal", governance.MsgCancelProposal],
    [
      "/cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool",
      distribution.MsgDepositValidatorRewardsPool,
    ],
  ]);
});
