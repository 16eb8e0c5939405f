import { parseAddress } from "../address/index.js";
import { FAUCET_GRANT, type StableToken } from "../chain/facts.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";
import { Queue } from "../support/async.js";
import type { DualChain } from "./chain.js";
import { untilFound } from "./inclusion.js";
import { FAUCET, mintCall } from "./stable-token.js";

/** The faucet's HTTP answer: JSON, or a plain text as a string. */
export interface FaucetAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Base units for the gas of grants. */
const FOR_GAS = 10n * 10n ** 18n;
const WAIT_MS = 60_000;

/**
 * A faucet with the HTTP interface of CosmJS' faucet: `POST /credit` with an
 * address and a denomination grants 100 native or 1,000 stable tokens by an EVM
 * transaction.
 */
export class LocalFaucet {
  readonly #chain: DualChain;
  readonly #stable: StableToken & { readonly address: string };
  readonly #grantsStable: boolean;
  #ready: Promise<unknown> | undefined;
  readonly #funding = new Queue();

  constructor(
    chain: DualChain,
    stable: StableToken & { readonly address: string },
    grantsStable: boolean,
  ) {
    this.#chain = chain;
    this.#stable = stable;
    this.#grantsStable = grantsStable;
  }

  /**
   * The denominations on offer: the native one, and the stable token's symbol
   * if the faucet can mint it.
   */
  get #tokens(): readonly string[] {
    const { denom } = this.#chain;
    return this.#grantsStable ? [denom, this.#stable.symbol] : [denom];
  }

  /** Answers `GET /status`. */
  status(): object {
    return {
      status: "ok",
      chainId: this.#chain.chainId,
      chainTokens: this.#tokens,
      availableTokens: this.#tokens,
      holder: {},
      distributors: [],
    };
  }

  /**
   * Answers `POST /credit` once a block includes the grant.
   *
   * @throws Error when no block includes it within a minute
   */
  async credit(body: string): Promise<FaucetAnswer> {
    let given: unknown;
    try {
      given = JSON.parse(body);
    } catch {
      return { status: 400, body: "The body is not JSON" };
    }
    const { address, denom } = isRecord(given) ? given : {};
    if (typeof address !== "string" || address === "") {
      return { status: 400, body: "Property 'address' must be a string." };
    }
    if (typeof denom !== "string" || denom === "") {
      return { status: 400, body: "Property 'denom' must be a string." };
    }
    if (!this.#tokens.includes(denom)) {
      return {
        status: 422,
        body: `Token is not available. Available tokens are: ${this.#tokens.join(",")}`,
      };
    }
    let to: string;
    try {
      to = parseAddress(address, { prefix: this.#chain.prefix }).hex;
    } catch {
      return {
        status: 400,
        body: "Address is not in the expected format for this chain.",
      };
    }
    const transactionHash = await this.#grant(to, denom);
    return { status: 200, body: { status: "ok", transactionHash } };
  }

  async #grant(to: string, denom: string): Promise<string> {
    const chain = this.#chain;
    this.#ready ??= chain.request({
      method: "hardhat_impersonateAccount",
      params: [FAUCET],
    });
    await this.#ready;
    const value = denom === chain.denom ? FAUCET_GRANT.native * 10n ** 18n : 0n;
    await this.#funding.run(async () => await this.#fund(value));
    const hash = await chain.request({
      method: "eth_sendTransaction",
      params: [{ from: FAUCET, ...this.#transactionOf(to, value) }],
    });
    await inBlock(chain, String(hash));
    return String(hash);
  }

  #transactionOf(to: string, value: bigint): object {
    const { address, decimals } = this.#stable;
    return value > 0n
      ? { to, value: toQuantity(value) }
      : {
          to: address,
          data: mintCall(to, FAUCET_GRANT.stable * 10n ** BigInt(decimals)),
        };
  }

  // What the faucet has counts in the supply: it gets what it grants, and a
  // little for gas.
  async #fund(value: bigint): Promise<void> {
    const chain = this.#chain;
    const balance = fromQuantity(
      await chain.request({
        method: "eth_getBalance",
        params: [FAUCET, "latest"],
      }),
      "a balance",
    );
    const more = value + (balance < FOR_GAS / 2n ? FOR_GAS : 0n);
    if (more === 0n) return;
    await chain.request({
      method: "hardhat_setBalance",
      params: [FAUCET, toQuantity(balance + more)],
    });
  }
}

/** Waits until a block includes an EVM transaction. */
async function inBlock(chain: DualChain, hash: string): Promise<void> {
  await untilFound(
    chain,
    async () =>
      (await chain.request({
        method: "eth_getTransactionReceipt",
        params: [hash],
      })) ?? undefined,
    WAIT_MS,
    () => new Error("no block has come for a minute: mine one"),
  );
}
