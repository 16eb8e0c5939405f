import { ONE } from "./decimals.js";
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

interface Validator extends Stake {
  /** Of its commission. */
  readonly rate: bigint;
  // Amounts of rewards have 18 more places than base units.
  outstanding: bigint;
  commission: bigint;
  current: bigint;
  period: bigint;
  /** What one token had earned at the end of each period. */
  readonly ratios: bigint[];
  readonly slashes: Slash[];
}

interface Slash {
  readonly height: bigint;
  readonly period: bigint;
  readonly fraction: bigint;
}

interface Delegation {
  shares: bigint;
  /** The period that had ended when it began, or was last changed. */
  period: bigint;
  height: bigint;
  stake: bigint;
}

interface Unbonding {
  readonly delegator: string;
  readonly operator: string;
  readonly height: bigint;
  amount: bigint;
}

/** Rewards of delegations, by periods. Addresses are in lower case. */
export class RewardsModel extends Model {
  readonly validators = new Map<string, Validator>();
  readonly balances = new Map<string, bigint>();
  readonly withdrawTo = new Map<string, string>();
  readonly delegations = new Map<string, Map<string, Delegation>>();
  unbondings: Unbonding[] = [];
  pool = 0n;
  /** How many validators can be bonded. */
  readonly #places: number;
  readonly #blocked: ReadonlySet<string>;

  /** @param blocked accounts that cannot receive rewards */
  constructor(places: number, blocked: Iterable<string>) {
    super();
    this.#places = places;
    this.#blocked = new Set(blocked);
  }

  create(operator: string, rate: bigint, amount: bigint): void {
    if (this.validators.has(operator))
      throw new Refused("validator already exist for this operator address");
    this.validators.set(operator, {
      rate,
      tokens: 0n,
      shares: 0n,
      outstanding: 0n,
      commission: 0n,
      current: 0n,
      period: 1n,
      ratios: [0n],
      slashes: [],
    });
    this.delegations.set(operator, new Map());
    this.delegate(operator, operator, amount);
  }

  pay(account: string, amount: bigint): void {
    const balance = this.balances.get(account) ?? 0n;
    if (balance + amount < 0n) throw new Refused("insufficient funds");
    this.balances.set(account, balance + amount);
  }

  validator(operator: string): Validator {
    const found = this.validators.get(operator);
    if (found === undefined) throw new Refused(NO_VALIDATOR);
    return found;
  }

  delegation(delegator: string, operator: string): Delegation | undefined {
    return this.delegations.get(operator)?.get(delegator);
  }

  #existing(delegator: string, operator: string): Delegation {
    const found = this.delegation(delegator, operator);
    if (found === undefined) throw new Refused(NO_DELEGATION);
    return found;
  }

  /** Ends a period; what nobody can get goes to the community pool. */
  #end(v: Validator): void {
    const last = v.ratios.at(-1) ?? 0n;
    if (v.tokens === 0n) {
      this.pool += v.current;
      v.outstanding -= v.current;
    }
    v.ratios.push(last + (v.tokens === 0n ? 0n : v.current / v.tokens));
    v.current = 0n;
    v.period++;
  }

  #begin(d: Delegation, v: Validator): void {
    d.period = v.period - 1n;
    d.height = this.height;
    d.stake = (d.shares * v.tokens * ONE) / v.shares;
  }

  #earned(d: Delegation, v: Validator): bigint {
    if (d.height === this.height) return 0n;
    let { period, stake } = d;
    let rewards = 0n;
    const ratio = (at: bigint) => v.ratios[Number(at)] ?? 0n;
    for (const slash of v.slashes) {
      if (slash.height < d.height || slash.period <= period) continue;
      rewards += ((ratio(slash.period) - ratio(period)) * stake) / ONE;
      stake = (stake * (ONE - slash.fraction)) / ONE;
      period = slash.period;
    }
    const worth = worthOf(v, d.shares);
    if (stake > worth) stake = worth;
    return rewards + ((ratio(v.period - 1n) - ratio(period)) * stake) / ONE;
  }

  /** What a delegation could withdraw, with 18 more places. */
  rewards(delegator: string, operator: string): bigint {
    const v = structuredClone(this.validator(operator));
    const { pool } = this;
    this.#end(v);
    this.pool = pool;
    return this.#earned(this.#existing(delegator, operator), v);
  }

  #payOut(delegator: string, d: Delegation, v: Validator): void {
    this.#end(v);
    const earned = this.#earned(d, v);
    const amount = earned < v.outstanding ? earned : v.outstanding;
    v.outstanding -= amount;
    this.pool += amount % ONE;
    this.pay(this.withdrawTo.get(delegator) ?? delegator, amount / ONE);
  }

  withdraw(delegator: string, operator: string): void {
    const v = this.validator(operator);
    const d = this.#existing(delegator, operator);
    this.#payOut(delegator, d, v);
    this.#begin(d, v);
  }

  setWithdrawAddress(delegator: string, account: string): void {
    if (this.#blocked.has(account))
      throw new Refused("is not allowed to receive external funds");
    this.withdrawTo.set(delegator, account);
  }

  claim(delegator: string, most: number): void {
    if (most > this.#places)
      throw new Refused("exceeds the maximum number of validators");
    const operators = [...this.validators.keys()]
      .filter((each) => this.delegation(delegator, each) !== undefined)
      .sort();
    for (const operator of operators.slice(0, most))
      this.withdraw(delegator, operator);
  }

  withdrawCommission(operator: string): void {
    const v = this.validators.get(operator);
    if (v === undefined || v.commission < ONE)
      throw new Refused("no validator commission to withdraw");
    const whole = v.commission / ONE;
    v.commission -= whole * ONE;
    v.outstanding -= whole * ONE;
    this.pay(this.withdrawTo.get(operator) ?? operator, whole);
  }

  deposit(depositor: string, operator: string, amount: bigint): void {
    this.pay(depositor, -amount);
    const v = this.validator(operator);
    const commission = amount * v.rate; // of whole base units: never rounded
    v.commission += commission;
    v.current += amount * ONE - commission;
    v.outstanding += amount * ONE;
  }

  delegate(delegator: string, operator: string, amount: bigint): void {
    const v = this.validator(operator);
    requireRate(v);
    const d = this.delegation(delegator, operator);
    if (d === undefined) this.#end(v);
    else this.#payOut(delegator, d, v);
    this.pay(delegator, -amount);
    const now = d ?? { shares: 0n, period: 0n, height: 0n, stake: 0n };
    now.shares += addTokens(v, amount);
    this.#begin(now, v);
    this.delegations.get(operator)?.set(delegator, now);
  }

  undelegate(delegator: string, operator: string, amount: bigint): void {
    const v = this.validator(operator);
    const d = this.#existing(delegator, operator);
    const shares = sharesFor(v, d.shares, amount);
    const { height } = this;
    const others = this.unbondings.filter(
      (one) => one.delegator === delegator && one.operator === operator,
    );
    if (others.length >= MOST_ENTRIES)
      throw new Refused("too many unbonding delegation entries");
    this.#payOut(delegator, d, v);
    d.shares -= shares;
    if (d.shares > 0n) this.#begin(d, v);
    else this.delegations.get(operator)?.delete(delegator);
    const taken = removeShares(v, shares);
    const same = others.find((one) => one.height === height);
    if (same !== undefined) same.amount += taken;
    else this.unbondings.push({ delegator, operator, height, amount: taken });
  }

  /** Nothing: everything waits for {@link mature}. */
  endBlock(): void {}

  /** The unbonding period is over: validators without delegations go. */
  mature(): void {
    for (const { delegator, amount } of this.unbondings)
      this.pay(delegator, amount);
    this.unbondings = [];
    for (const [operator, { shares }] of this.validators)
      if (shares === 0n) this.#remove(operator);
  }

  /** Burns a fraction of the whole tokens. */
  slash(operator: string, fraction: bigint): void {
    const v = this.validator(operator);
    const burnt = (v.tokens / ONE) * fraction;
    if (burnt === 0n) return;
    this.#end(v);
    v.slashes.push({
      height: this.height,
      period: v.period - 1n,
      fraction: (burnt * ONE + v.tokens - 1n) / v.tokens,
    });
    v.tokens -= burnt;
  }

  /** The commission is paid out, and the rest goes to the community pool. */
  #remove(operator: string): void {
    this.happened.add("removed validator");
    const v = this.validator(operator);
    const whole = v.commission / ONE;
    this.pay(this.withdrawTo.get(operator) ?? operator, whole);
    this.pool += v.outstanding - whole * ONE;
    this.validators.delete(operator);
    this.delegations.delete(operator);
  }
}
