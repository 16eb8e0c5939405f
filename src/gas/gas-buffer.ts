import {
  bufferGas,
  type BufferOptions,
  type GasSettings,
  MIN_SETTLING_GAS,
  REWARD_PAYOUT_GAS,
  settledRewards,
} from "./index.js";
import { ESTIMATE_BEHIND, type EstimateSource } from "./quote.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import type { ChainState } from "./chain-state.js";
import type { Delegations } from "./delegations.js";
import type { Ask, Exchange, Layer, Next } from "../rpc/pipeline.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";

/** A balance, in base units, of a million tokens: enough for any contract to see rewards. */
const PAID = toQuantity(10n ** 24n);

/** What an estimate depends on; nodes need not know the other fields there. */
const ESTIMATED_FIELDS = [
  "from",
  "to",
  "data",
  "input",
  "value",
  "gasPrice",
  "maxFeePerGas",
  "maxPriorityFeePerGas",
  "accessList",
  "authorizationList",
];

interface Correction extends Pick<BufferOptions, "allowance" | "refunds"> {
  /** A higher estimate to use instead of the node's. */
  readonly needed?: bigint;
}

/**
 * The buffer's requests on a simulated network: its gas limits are known, and
 * it fills in nothing.
 */
export const isAboutEstimates = (method: string): boolean =>
  method === "eth_estimateGas" || method === ESTIMATE_BEHIND;

/** Applies the buffer to every gas estimate, once, whichever client asks. */
export class GasBuffer implements Layer, EstimateSource {
  readonly #settings: GasSettings;
  readonly #precompiles: PrecompileAddresses;
  readonly #state: ChainState;
  readonly #ask: Ask;
  readonly #delegations: Delegations | undefined;

  /** @param delegations absent if estimates are made on the state that the transaction will find */
  constructor(
    settings: GasSettings,
    precompiles: PrecompileAddresses,
    state: ChainState,
    ask: Ask,
    delegations?: Delegations,
  ) {
    this.#settings = settings;
    this.#precompiles = precompiles;
    this.#state = state;
    this.#ask = ask;
    this.#delegations = delegations;
  }

  async handle(exchange: Exchange, next: Next): Promise<unknown> {
    switch (exchange.method) {
      case "eth_estimateGas":
        return await this.#estimate(exchange, next);
      case "eth_fillTransaction":
        return await this.#fill(exchange, next);
      case "eth_call":
        return await next(this.#withoutEstimate(exchange));
      case ESTIMATE_BEHIND:
        return this.#behind(exchange.params);
      case "eth_getBlockByNumber":
        return this.#learnBlockLimit(await next(exchange));
      default:
        return await next(exchange);
    }
  }

  #behind([call, limit]: readonly unknown[]): string | null {
    const estimate = this.estimateBehind(
      isRecord(call) ? call : {},
      fromQuantity(limit, "the limit"),
    );
    return estimate === undefined ? null : toQuantity(estimate);
  }

  async #estimate(exchange: Exchange, next: Next): Promise<string> {
    const call = isRecord(exchange.params[0]) ? exchange.params[0] : {};
    const result = await next(exchange);
    const estimate = fromQuantity(result, "the node's gas estimate");
    const limit = await this.#buffer(call, estimate);
    this.#state.rememberEstimate(keyOf(call), estimate, limit);
    return toQuantity(limit);
  }

  // viem's local accounts let a node fill in missing fields. Gas is filled in
  // here: the node's own is not buffered, and it estimates on the state of
  // genesis (cosmos/evm v0.7), where a contract that came later has no code.
  async #fill(exchange: Exchange, next: Next): Promise<unknown> {
    const [call, ...rest] = exchange.params;
    if (!isRecord(call) || isGiven(call["gas"])) {
      return await next(exchange);
    }
    const gas = await this.#estimate(
      {
        method: "eth_estimateGas",
        params: [
          Object.fromEntries(
            ESTIMATED_FIELDS.filter((field) => isGiven(call[field])).map(
              (field) => [field, call[field]],
            ),
          ),
        ],
      },
      next,
    );
    return await next({
      method: exchange.method,
      params: [{ ...call, gas }, ...rest],
    });
  }

  async #buffer(
    call: Record<string, unknown>,
    estimate: bigint,
  ): Promise<bigint> {
    const { needed = estimate, ...correction } = await this.#correction(
      call,
      estimate,
    );
    return bufferGas(needed, {
      settings: this.#settings,
      ...correction,
      blockGasLimit: await this.#state.blockGasLimit(this.#ask),
    });
  }

  /**
   * What the estimate lacks if the transaction's block will pay rewards that
   * the estimate did not.
   */
  async #correction(
    call: Record<string, unknown>,
    estimate: bigint,
  ): Promise<Correction> {
    const to = typeof call["to"] === "string" ? call["to"] : undefined;
    if (!this.#settings.rewardsAllowance || to === undefined) {
      return {};
    }
    const direct = settledRewards(
      { to, data: calldata(call) },
      estimate,
      this.#precompiles,
    );
    if (direct > 0n) {
      return { allowance: REWARD_PAYOUT_GAS * direct };
    }
    if (
      this.#delegations === undefined ||
      estimate < MIN_SETTLING_GAS ||
      this.#isPrecompile(to)
    ) {
      return {};
    }
    const { from, value } = call;
    const made = {
      to,
      data: calldata(call),
      ...(typeof from === "string" ? { from } : {}),
      ...(typeof value === "string" ? { value } : {}),
    };
    const { validators, delegators, actsOnRewards } =
      await this.#delegations.settledBy(made, this.#ask);
    const whenPaid = await this.#estimateWhenPaid(call, estimate, delegators);
    // One that stakes all it has is estimated with it, but one that stakes what
    // it was paid is not.
    const addition =
      actsOnRewards && whenPaid === estimate
        ? await this.#delegations.addition(
            made,
            estimate,
            delegators,
            this.#ask,
          )
        : 0n;
    return {
      needed: whenPaid + addition,
      allowance: REWARD_PAYOUT_GAS * validators,
      refunds: true,
    };
  }

  /**
   * The estimate with tokens in the delegators' balances, as they will have
   * once they are paid: a contract that restakes its rewards finds none on the
   * state of the estimate, and skips that part.
   */
  async #estimateWhenPaid(
    call: Record<string, unknown>,
    estimate: bigint,
    delegators: readonly string[],
  ): Promise<bigint> {
    if (delegators.length === 0) {
      return estimate;
    }
    try {
      const whenPaid = fromQuantity(
        await this.#ask("eth_estimateGas", [
          call,
          "latest",
          Object.fromEntries(
            delegators.map((delegator) => [delegator, { balance: PAID }]),
          ),
        ]),
        "the node's gas estimate",
      );
      return whenPaid > estimate ? whenPaid : estimate;
    } catch {
      // The call may depend on the balance, or the node may refuse: the first
      // estimate stands.
      return estimate;
    }
  }

  #isPrecompile(address: string): boolean {
    return Object.values(this.#precompiles).some(
      (precompile) => precompile.toLowerCase() === address.toLowerCase(),
    );
  }

  #learnBlockLimit(block: unknown): unknown {
    if (isRecord(block) && isGiven(block["gasLimit"])) {
      this.#state.learnBlockGasLimit(
        fromQuantity(block["gasLimit"], "the block's gas limit"),
      );
    }
    return block;
  }

  /** The node's own estimate behind a limit that was given out for the same call. */
  estimateBehind(
    call: { readonly to?: string; readonly data?: string },
    limit: bigint,
  ): bigint | undefined {
    return this.#state.estimateBehind(keyOf(call), limit);
  }

  // On this chain an eth_call charges some 26,000 gas more for a precompile
  // than a transaction does, so a call with the estimate as its gas would fail
  // where the transaction succeeds. Without gas the node uses its own maximum.
  #withoutEstimate(exchange: Exchange): Exchange {
    const [call, ...rest] = exchange.params;
    if (!isRecord(call) || !isGiven(call["gas"])) {
      return exchange;
    }
    const direct =
      typeof call["to"] === "string" && this.#isPrecompile(call["to"]);
    const isEstimate =
      this.estimateBehind(call, fromQuantity(call["gas"], "gas")) !== undefined;
    if (!direct && !isEstimate) {
      return exchange;
    }
    const { gas: _, ...callWithoutGas } = call;
    return { method: exchange.method, params: [callWithoutGas, ...rest] };
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

const calldata = (call: Readonly<Record<string, unknown>>): string => {
  const data = call["data"] ?? call["input"];
  return typeof data === "string" ? data : "0x";
};

const keyOf = (call: Readonly<Record<string, unknown>>) =>
  `${String(call["to"] ?? "").toLowerCase()}|${calldata(call)}`;
