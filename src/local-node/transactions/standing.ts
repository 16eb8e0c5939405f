import type { Coin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import { ProposalStatus } from "cosmjs-types/cosmos/gov/v1/gov";
import type {
  Commission,
  Validator,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";

import type { Books } from "../books/books.js";
import { told } from "../fault.js";

/** Stands for a value that an edited validator keeps. */
const KEPT = -1n;

interface Gathering {
  /** Base units; of what is missing, until the vote begins. */
  missing: bigint;
}

interface Governance {
  readonly gathering: Map<bigint, Gathering>;
  readonly least: (expedited: boolean) => bigint;
}

/** A validator's parts that an edition may change. */
export interface Edited extends Pick<Validator, "minSelfDelegation"> {
  readonly commission: Commission;
}

/**
 * The modules' state before some transactions, and as these go on: what a
 * node's events tell of it, and the precompiles' logs do not.
 */
export class Standing {
  readonly #before: () => Books | undefined;
  /** Unix time in seconds. */
  readonly #time: bigint;
  readonly #denom: string;
  #governance: Promise<Governance> | undefined;
  #validators: Promise<Map<string, Edited>> | undefined;

  /**
   * @param before returns the books before the transactions, if there are any
   * @param time of the transactions' block, as Unix time in seconds
   */
  constructor(before: () => Books | undefined, time: bigint, denom: string) {
    this.#before = before;
    this.#time = time;
    this.#denom = denom;
  }

  /** Reads the proposals now, for books whose state is about to change. */
  async readProposals(): Promise<void> {
    await this.#proposals();
  }

  async #proposals(): Promise<Governance> {
    this.#governance ??= readGovernance(this.#before(), this.#denom);
    return await this.#governance;
  }

  /**
   * Notes a new proposal with its first deposit.
   *
   * @returns whether its vote begins
   */
  async submitted(
    id: bigint,
    deposit: bigint,
    expedited: boolean,
  ): Promise<boolean> {
    const { gathering, least } = await this.#proposals();
    gathering.set(id, { missing: least(expedited) });
    return await this.deposited(id, deposit);
  }

  /**
   * Notes a deposit.
   *
   * @returns whether the vote begins with it
   */
  async deposited(id: bigint, amount: bigint): Promise<boolean> {
    const { gathering } = await this.#proposals();
    const proposal = gathering.get(id);
    if (proposal === undefined) return false;
    proposal.missing -= amount;
    if (proposal.missing > 0n) return false;
    gathering.delete(id);
    return true;
  }

  /**
   * Notes an edition of a validator.
   *
   * @param rate the commission's, times 10^18; -1 when it is kept
   * @param minSelfDelegation base units; -1 when it is kept
   * @returns the validator after it; `undefined` when it did not exist before
   */
  async edited(
    operator: string,
    rate: bigint,
    minSelfDelegation: bigint,
  ): Promise<Edited | undefined> {
    this.#validators ??= readValidators(this.#before());
    const validators = await this.#validators;
    const old = validators.get(operator);
    if (old === undefined) return undefined;
    const { commission } = old;
    const now: Edited = {
      minSelfDelegation:
        minSelfDelegation === KEPT
          ? old.minSelfDelegation
          : String(minSelfDelegation),
      commission:
        rate === KEPT
          ? commission
          : {
              commissionRates: {
                ...commission.commissionRates,
                rate: String(rate),
              },
              updateTime: { seconds: this.#time, nanos: 0 },
            },
    };
    validators.set(operator, now);
    return now;
  }
}

async function readGovernance(
  books: Books | undefined,
  denom: string,
): Promise<Governance> {
  if (books === undefined) return { gathering: new Map(), least: () => 0n };
  const [proposals, params] = await Promise.all([
    told(books.governance.proposals(), []),
    books.governance.params(),
  ]);
  const sum = (coins: readonly Coin[]) =>
    BigInt(coins.find((coin) => coin.denom === denom)?.amount ?? 0);
  const least = (expedited: boolean) =>
    sum(expedited ? params.expeditedMinDeposit : params.minDeposit);
  return {
    least,
    gathering: new Map(
      proposals
        .filter(
          ({ status }) =>
            status === ProposalStatus.PROPOSAL_STATUS_DEPOSIT_PERIOD,
        )
        .map(({ id, expedited, totalDeposit }) => [
          id,
          { missing: least(expedited) - sum(totalDeposit) },
        ]),
    ),
  };
}

async function readValidators(
  books: Books | undefined,
): Promise<Map<string, Edited>> {
  const validators = (await books?.staking.validators()) ?? [];
  return new Map(validators.map((one) => [one.operatorAddress, one]));
}
