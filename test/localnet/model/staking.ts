import assert from "node:assert/strict";

import { ONE, product } from "./decimals.js";
import { Model, Refused } from "./model.js";
import {
  addTokens,
  MOST_ENTRIES,
  NO_DELEGATION,
  NO_VALIDATOR,
  removeShares,
  requireRate,
  sharesFor,
  type Stake,
  worthOf,
} from "./stake.js";

export const UNBONDED = 1;
export const UNBONDING = 2;
export const BONDED = 3;

export interface Validator extends Stake {
  readonly operator: string;
  /** What its operator must keep delegated. */
  readonly least: bigint;
  status: number;
  jailed: boolean;
  /** When it was last bonded, and when that will be over. */
  unbondingHeight: bigint;
  unbondingTime: bigint;
  /** The delegators' shares. */
  readonly delegations: Map<string, bigint>;
}

interface Entry {
  readonly delegator: string;
  readonly height: bigint;
  /** When it is over. */
  readonly time: bigint;
  initial: bigint;
}

export interface Unbonding extends Entry {
  readonly operator: string;
  balance: bigint;
}

export interface Redelegation extends Entry {
  readonly from: string;
  readonly to: string;
  /** Of the validator to which they went. */
  readonly shares: bigint;
}

/** Sorts redelegations as the chain's store does. */
export function byKey(a: Redelegation, b: Redelegation): number {
  const key = ({ delegator, from, to }: Redelegation) => delegator + from + to;
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}

/** Validators and delegations, without balances. Addresses are in lower case. */
export class StakingModel extends Model {
  readonly validators = new Map<string, Validator>();
  /** The oldest first, as are redelegations. */
  unbondings: Unbonding[] = [];
  redelegations: Redelegation[] = [];
  burnt = 0n;
  /** How many validators can be bonded. */
  readonly #places: number;
  readonly #period: bigint;

  constructor(places: number, period: bigint) {
    super();
    this.#places = places;
    this.#period = period;
  }

  validator(operator: string): Validator {
    const found = this.validators.get(operator);
    if (found === undefined) throw new Refused(NO_VALIDATOR);
    return found;
  }

  sharesOf(delegator: string, operator: string): bigint | undefined {
    return this.validators.get(operator)?.delegations.get(delegator);
  }

  unbondingsOf(delegator: string, operator: string): Unbonding[] {
    return this.unbondings.filter(
      (one) => one.delegator === delegator && one.operator === operator,
    );
  }

  create(operator: string, least: bigint, amount: bigint): void {
    if (this.validators.has(operator))
      throw new Refused("validator already exist for this operator address");
    this.validators.set(operator, {
      operator,
      least,
      status: UNBONDED,
      jailed: false,
      tokens: 0n,
      shares: 0n,
      unbondingHeight: 0n,
      unbondingTime: 0n,
      delegations: new Map(),
    });
    this.delegate(operator, operator, amount);
  }

  /** Returns the new shares. */
  delegate(delegator: string, operator: string, amount: bigint): bigint {
    const v = this.validator(operator);
    const added = addTokens(v, amount);
    v.delegations.set(delegator, (v.delegations.get(delegator) ?? 0n) + added);
    return added;
  }

  undelegate(delegator: string, operator: string, amount: bigint): void {
    const shares = this.#sharesToTake(delegator, operator, amount);
    const others = this.unbondingsOf(delegator, operator);
    if (others.length >= MOST_ENTRIES)
      throw new Refused("too many unbonding delegation entries");
    const tokens = this.#unbond(delegator, this.validator(operator), shares);
    const { height } = this;
    const time = this.time + this.#period;
    const same = others.find(
      (one) => one.height === height && one.time === time,
    );
    if (same === undefined) {
      const amounts = { initial: tokens, balance: tokens };
      this.unbondings.push({ delegator, operator, height, time, ...amounts });
    } else {
      this.happened.add("two undelegations in a block");
      same.initial += tokens;
      same.balance += tokens;
    }
  }

  redelegate(
    delegator: string,
    from: string,
    to: string,
    amount: bigint,
  ): void {
    const shares = this.#sharesToTake(delegator, from, amount);
    if (from === to)
      throw new Refused("cannot redelegate to the same validator");
    if (!this.validators.has(to))
      throw new Refused("redelegation destination validator not found");
    const own = this.redelegations.filter((one) => one.delegator === delegator);
    if (own.some((one) => one.to === from))
      throw new Refused("redelegation to this validator already in progress");
    const others = own.filter((one) => one.from === from && one.to === to);
    if (others.length >= MOST_ENTRIES)
      throw new Refused("too many redelegation entries");
    const tokens = this.#unbond(delegator, this.validator(from), shares);
    if (tokens === 0n) throw new Refused("too few tokens to redelegate");
    const entry = { delegator, from, to, initial: tokens };
    const added = this.delegate(delegator, to, tokens);
    // Refused if it was unbonded, and they were the last.
    const source = this.validator(from);
    if (source.status === UNBONDED) {
      this.happened.add("redelegation from an unbonded validator");
      return;
    }
    this.redelegations.push(
      source.status === BONDED
        ? {
            ...entry,
            shares: added,
            height: this.height,
            time: this.time + this.#period,
          }
        : {
            ...entry,
            shares: added,
            height: source.unbondingHeight,
            time: source.unbondingTime,
          },
    );
  }

  cancel(
    delegator: string,
    operator: string,
    amount: bigint,
    height: bigint,
  ): void {
    if (height <= 0n) throw new Refused("invalid height: invalid request");
    const v = this.validator(operator);
    requireRate(v);
    if (v.jailed)
      throw new Refused("validator for this address is currently jailed");
    const entries = this.unbondingsOf(delegator, operator);
    if (entries.length === 0) throw new Refused("rpc error: code = NotFound");
    const entry = entries.find((one) => one.height === height);
    if (entry === undefined)
      throw new Refused(
        `unbonding delegation entry is not found at block height ${height}`,
      );
    if (entry.balance < amount)
      throw new Refused(
        "amount is greater than the unbonding delegation entry balance",
      );
    this.delegate(delegator, operator, amount);
    entry.balance -= amount;
    entry.initial -= amount;
    if (entry.balance > 0n) this.happened.add("partly cancelled unbonding");
    else this.unbondings = this.unbondings.filter((one) => one !== entry);
  }

  jail(operator: string): void {
    this.validator(operator).jailed = true;
  }

  unjail(operator: string): void {
    const v = this.validator(operator);
    const own = v.delegations.get(operator);
    if (own === undefined) throw new Refused(NO_DELEGATION);
    if (worthOf(v, own) / ONE < v.least)
      throw new Refused("self delegation less than minimum");
    if (!v.jailed)
      throw new Refused("validator not jailed; cannot be unjailed");
    v.jailed = false;
  }

  /**
   * Burns a fraction of what was delegated at a height: of the unbondings and
   * redelegations since, and of the validator's tokens what they do not bear.
   */
  slash(
    operator: string,
    fraction: bigint,
    since: bigint,
    jails: boolean,
  ): void {
    const v = this.validator(operator);
    if (v.status === UNBONDED)
      throw new Refused("should not be slashing unbonded validator");
    if (since > this.height)
      throw new Refused("impossible attempt to slash future infraction");
    let rest = (v.tokens / ONE) * fraction;
    if (since < this.height) {
      const slashed = (one: Entry) => one.height >= since && !this.#isOver(one);
      for (const one of this.unbondings.filter(slashed)) {
        if (one.operator !== operator) continue;
        this.happened.add("slash of an unbonding");
        const part = (fraction * one.initial) / ONE;
        rest -= part;
        this.#burnUnbonding(one, part);
      }
      const moved = this.redelegations
        .filter((one) => one.from === operator && slashed(one))
        .sort(byKey);
      for (const one of moved) {
        this.happened.add("slash of a redelegation");
        const part = (fraction * one.initial) / ONE;
        rest -= part;
        this.#slashMoved(one, fraction, part, slashed);
      }
    }
    const burnt = rest < 0n ? 0n : rest < v.tokens ? rest : v.tokens;
    v.tokens -= burnt;
    this.burnt += burnt;
    if (jails) v.jailed = true;
  }

  /** First what was undelegated since bears it, then what is still delegated. */
  #slashMoved(
    { delegator, to, shares }: Redelegation,
    fraction: bigint,
    part: bigint,
    slashed: (one: Entry) => boolean,
  ): void {
    for (const one of this.unbondingsOf(delegator, to).filter(slashed))
      part -= this.#burnUnbonding(one, part);
    if (part === 0n) this.happened.add("slash of what was undelegated again");
    const held = this.sharesOf(delegator, to);
    const most = product(fraction, shares);
    if (held === undefined || most === 0n || part === 0n) return;
    const some = most < held ? most : held;
    this.burnt += this.#unbond(delegator, this.validator(to), some);
  }

  #burnUnbonding(one: Unbonding, most: bigint): bigint {
    const burnt = most < one.balance ? most : one.balance;
    one.balance -= burnt;
    this.burnt += burnt;
    return burnt;
  }

  endBlock(): void {
    this.#bond();
    for (const v of this.validators.values()) {
      if (v.status !== UNBONDING || v.unbondingTime > this.time) continue;
      this.happened.add("unbonded validator");
      v.status = UNBONDED;
      this.#removeIfEmpty(v);
    }
    const isLeft = (one: Entry) => !this.#isOver(one);
    if (!this.unbondings.every(isLeft)) this.happened.add("end of unbonding");
    if (!this.redelegations.every(isLeft))
      this.happened.add("end of redelegation");
    this.unbondings = this.unbondings.filter(isLeft);
    this.redelegations = this.redelegations.filter(isLeft);
  }

  /** Bonds those with the most whole tokens. */
  #bond(): void {
    const power = ({ tokens }: Validator) => tokens / ONE;
    const best = [...this.validators.values()]
      .filter((v) => !v.jailed && power(v) > 0n)
      .sort((a, b) =>
        power(a) === power(b)
          ? a.operator < b.operator
            ? -1
            : 1
          : power(a) > power(b)
            ? -1
            : 1,
      )
      .slice(0, this.#places);
    for (const v of this.validators.values()) {
      if (best.includes(v)) {
        v.status = BONDED;
      } else if (v.status === BONDED) {
        v.status = UNBONDING;
        v.unbondingHeight = this.height;
        v.unbondingTime = this.time + this.#period;
      }
    }
  }

  #isOver({ time }: Entry): boolean {
    return time <= this.time;
  }

  #sharesToTake(delegator: string, operator: string, amount: bigint): bigint {
    const v = this.validator(operator);
    const held = v.delegations.get(delegator);
    if (held === undefined) throw new Refused(NO_DELEGATION);
    return sharesFor(v, held, amount);
  }

  /** Returns the tokens that the shares were. */
  #unbond(delegator: string, v: Validator, shares: bigint): bigint {
    const left = (v.delegations.get(delegator) ?? 0n) - shares;
    assert.ok(left >= 0n);
    const isOwn = delegator === v.operator;
    if (isOwn && !v.jailed && worthOf(v, left) / ONE < v.least) {
      this.happened.add("jailed for too little of its own");
      v.jailed = true;
    }
    if (left === 0n) v.delegations.delete(delegator);
    else v.delegations.set(delegator, left);
    const tokens = removeShares(v, shares);
    if (v.status === UNBONDED) this.#removeIfEmpty(v);
    return tokens;
  }

  #removeIfEmpty({ operator, shares }: Validator): void {
    if (shares > 0n) return;
    this.happened.add("removed validator");
    this.validators.delete(operator);
  }
}
