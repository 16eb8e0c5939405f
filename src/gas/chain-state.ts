import { settledByLogs } from "./rewards.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";

/** More validators than one call can settle in a block's gas. */
const MAX_SETTLED = 100n;

/** What the connections to one node have learned about its chain, shared by them. */
export class ChainState {
  readonly #precompiles: Pick<PrecompileAddresses, "staking" | "distribution">;
  readonly #settling = new Map<string, bigint>();
  #blockGasLimit: bigint | undefined;
  #asked: Promise<void> | undefined;

  constructor(
    precompiles: Pick<PrecompileAddresses, "staking" | "distribution">,
  ) {
    this.#precompiles = precompiles;
  }

  /** The gas limit of a block, asked for at most once; `undefined` where the node does not tell. */
  async blockGasLimit(ask: Ask): Promise<bigint | undefined> {
    if (this.#blockGasLimit === undefined) {
      this.#asked ??= ask("eth_getBlockByNumber", ["latest", false]).then(
        (block) => {
          if (isRecord(block) && block["gasLimit"] !== undefined) {
            this.learnBlockGasLimit(
              fromQuantity(block["gasLimit"], "the block's gas limit"),
            );
          }
        },
        () => {
          this.#asked = undefined;
        },
      );
      await this.#asked;
    }
    return this.#blockGasLimit;
  }

  learnBlockGasLimit(limit: bigint): void {
    // A head that came over the WebSocket says 0.
    if (limit > 0n) {
      this.#blockGasLimit = limit;
    }
  }

  /** How many validators' rewards a contract was seen to settle in one transaction. */
  settledBy(contract: string): bigint {
    return this.#settling.get(contract.toLowerCase()) ?? 0n;
  }

  /** Looks whether a receipt shows a contract that settles rewards. */
  learnReceipt(receipt: unknown): void {
    if (
      !isRecord(receipt) ||
      typeof receipt["to"] !== "string" ||
      !Array.isArray(receipt["logs"])
    ) {
      return;
    }
    const settled = settledByLogs(
      receipt["logs"].filter(isLog),
      this.#precompiles,
    );
    const to = receipt["to"].toLowerCase();
    const direct = [
      this.#precompiles.staking,
      this.#precompiles.distribution,
    ].some((address) => address.toLowerCase() === to);
    if (!direct && settled > this.settledBy(to)) {
      this.#settling.set(to, settled < MAX_SETTLED ? settled : MAX_SETTLED);
    }
  }
}

function isLog(log: unknown): log is { address: string; topics: string[] } {
  return (
    isRecord(log) &&
    typeof log["address"] === "string" &&
    Array.isArray(log["topics"])
  );
}
