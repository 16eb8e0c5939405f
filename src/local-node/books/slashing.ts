import type { Params } from "cosmjs-types/cosmos/slashing/v1beta1/slashing";
import type { Validator } from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { consensusHash, consensusKey } from "../consensus.js";
import type { ForkedChain } from "../forked-chain.js";
import type {
  Books,
  SigningInfo,
  SlashingBooks,
  StakingBooks,
} from "./books.js";
import { type Reading, type Struct, time } from "./reading.js";

/** Who signed, and what not signing costs. */
export class EmulatedSlashingBooks implements SlashingBooks {
  readonly #reading: Reading;
  readonly #staking: StakingBooks;

  constructor(reading: Reading, staking: StakingBooks) {
    this.#reading = reading;
    this.#staking = staking;
  }

  async params(): Promise<Params> {
    const { fork } = this.#reading.around;
    if (fork !== undefined) return await fork.slashingParams();
    const part = ({ value }: Struct) => new TextEncoder().encode(String(value));
    const [params] = await this.#reading.views.call("system", "slashingParams");
    return {
      signedBlocksWindow: params.signedBlocksWindow,
      minSignedPerWindow: part(params.minSignedPerWindow),
      downtimeJailDuration: { seconds: params.downtimeJailDuration, nanos: 0 },
      slashFractionDoubleSign: part(params.slashFractionDoubleSign),
      slashFractionDowntime: part(params.slashFractionDowntime),
    };
  }

  async signingInfos(): Promise<readonly SigningInfo[]> {
    const { fork } = this.#reading.around;
    const height = await this.#reading.views.height();
    if (fork !== undefined) {
      const infos = (await this.#staking.validators()).map(
        async (validator) => await this.#signedOn(fork, validator, height),
      );
      return await Promise.all(infos);
    }
    const [list] = await this.#reading.views.call("system", "signingInfos", [
      height,
    ]);
    return (list as readonly Struct[]).map((info) => ({
      consensus: info.validatorAddress.slice(2).toUpperCase(),
      startHeight: info.startHeight,
      indexOffset: info.indexOffset,
      jailedUntil: time(info.jailedUntil),
      tombstoned: info.tombstoned,
      missedBlocksCounter: info.missedBlocksCounter,
    }));
  }

  /**
   * Continues a validator's signing record of the forked chain. Every validator
   * signs all of a fork's blocks; one that is jailed since is treated as jailed
   * for downtime, which resets its counters.
   */
  async #signedOn(
    fork: ForkedChain,
    validator: Validator,
    height: bigint,
  ): Promise<SigningInfo> {
    const consensus = consensusHash(consensusKey(validator));
    const { jailedUntil = time(0n), ...info } = (await fork.signingInfo(
      consensus,
    )) ?? {
      startHeight: 0n,
      indexOffset: 0n,
      tombstoned: false,
      missedBlocksCounter: 0n,
    };
    if (!validator.jailed) {
      const indexOffset = info.indexOffset + height - fork.height;
      return { ...info, consensus, indexOffset, jailedUntil };
    }
    if (validator.unbondingHeight <= fork.height) {
      return { ...info, consensus, jailedUntil };
    }
    const { unbondingTime } = await this.#staking.params();
    const { downtimeJailDuration } = await this.params();
    const jailed = validator.unbondingTime.seconds - unbondingTime.seconds;
    return {
      ...info,
      consensus,
      indexOffset: 0n,
      missedBlocksCounter: 0n,
      jailedUntil: time(jailed + downtimeJailDuration.seconds),
    };
  }
}

/**
 * Returns until when a validator stays in jail, in Unix seconds; 0 for one that
 * the books do not have.
 *
 * @param operator address in bech32
 */
export async function jailedUntil(
  { staking, slashing }: Books,
  operator: string,
): Promise<bigint> {
  const validator = (await staking.validators()).find(
    ({ operatorAddress }) => operatorAddress === operator,
  );
  if (validator === undefined) return 0n;
  const consensus = consensusHash(consensusKey(validator));
  const info = (await slashing.signingInfos()).find(
    (one) => one.consensus === consensus,
  );
  return info?.jailedUntil.seconds ?? 0n;
}
