import type { EvmTransaction } from "./activity.js";
import type { DecodedEvent } from "../../framework/contracts.js";
import type { ModuleEvent, ModuleTransaction } from "./modules.js";

/** One thing that happened; one line of JSON. */
export type Happening =
  | {
      readonly type: "block";
      readonly block: bigint;
      readonly hash: string;
      readonly timestamp: bigint;
      readonly baseFeePerGas?: bigint;
      /** How many the block holds; absent if the node does not return the block. */
      readonly transactions?: number;
      readonly gasUsed?: bigint;
    }
  | {
      readonly type: "pending";
      readonly hash: string;
      /** Present if the node knows the transaction already. */
      readonly from?: string;
      readonly to?: string | null;
      /** Base units. */
      readonly value?: bigint;
    }
  | ({
      readonly type: "log";
      readonly block: bigint;
      readonly transaction: string;
      readonly logIndex: number;
      readonly address: string;
    } & (
      | DecodedEvent
      | { readonly topics: readonly string[]; readonly data: string }
    ))
  | ({ readonly type: "transaction"; readonly block: bigint } & EvmTransaction)
  | ({
      readonly type: "framework-transaction";
      readonly block: bigint;
    } & ModuleTransaction)
  | {
      readonly type: "framework-event";
      readonly block: bigint;
      readonly event: string;
      readonly attributes: ModuleEvent["attributes"];
    }
  | { readonly type: "gap"; readonly block: bigint; readonly reason: string }
  | {
      readonly type: "connection";
      readonly connected: boolean;
      readonly reason?: string;
    };
