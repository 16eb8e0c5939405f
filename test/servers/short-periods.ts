import plugin from "../../src/index.js";
import { type EvmNodeOptions, simulatedChain } from "./evm-node.js";

/** Seconds. */
export const PERIODS = { unbonding: 40, voting: 20 } as const;

/**
 * A chain with staking, distribution and governance whose periods are short
 * enough to wait for. Its clock runs ahead: every block takes a second.
 */
export const shortPeriods = ({
  unbonding,
  voting,
}: {
  readonly unbonding: number;
  readonly voting: number;
} = PERIODS): EvmNodeOptions => ({
  blockTimeMs: 100,
  network: "localnet",
  backend: {
    plugins: [plugin],
    networks: {
      localnet: simulatedChain(),
    },
    dualstack: {
      localnet: {
        validators: [1, 2, 3].map((n) => ({
          operator: `0x${String(n).repeat(40)}`,
          moniker: `validator ${n}`,
        })),
        unbondingTime: unbonding,
        governance: {
          votingPeriod: voting,
          expeditedVotingPeriod: voting / 2,
        },
      },
    },
  },
});
